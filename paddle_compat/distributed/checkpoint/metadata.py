"""`paddle.distributed.checkpoint.metadata`: which file has which part of which tensor."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnreadableFileError


@dataclass(frozen=True)
class LocalTensorMetadata:
    """A part of a tensor.

    Args:
        global_offset (tuple): where it begins.
        local_shape (tuple): its shape.
        dtype (str): its data type; files of Paddle 2.6 do not say it.
        global_shape (tuple): the tensor's shape; None: files of Paddle 2.6 do not say it either.
        is_flattened (bool): parts of flat tensors, which are not read.
        flattened_range (tuple): likewise.

    Example:
        >>> from paddle_compat.distributed.checkpoint.metadata import LocalTensorMetadata
        >>> LocalTensorMetadata((2, 0), (2, 8), "float32").local_shape
        (2, 8)

    Follows Paddle 3.3.
    """

    global_offset: tuple[int, ...]
    local_shape: tuple[int, ...]
    dtype: str = ""
    global_shape: tuple[int, ...] | None = None
    is_flattened: bool = False
    flattened_range: tuple[int, ...] | None = None


@dataclass(frozen=True)
class LocalTensorIndex:
    """What names a part of a tensor.

    Args:
        tensor_key (str): the tensor.
        global_offset (tuple): where the part begins.
        is_flattened (bool): parts of flat tensors, which are not read.
        flattened_range (tuple): likewise.
        replica_id (int): of parts that several processes wrote.
        local_shape (tuple): its shape.

    Example:
        >>> from paddle_compat.distributed.checkpoint.metadata import LocalTensorIndex
        >>> LocalTensorIndex("w", (2, 0)).tensor_key
        'w'

    Follows Paddle 3.3.
    """

    tensor_key: str
    global_offset: tuple[int, ...]
    is_flattened: bool = False
    flattened_range: tuple[int, ...] | None = None
    replica_id: int | None = None
    local_shape: tuple[int, ...] | None = None


@dataclass
class Metadata:
    """What a file of metadata says.

    Args:
        state_dict_metadata (dict): the parts of each tensor.
        storage_metadata (dict): the file of each part.
        flat_mapping (dict): the keys, from outside to inside, that each name is made of.

    Example:
        >>> from paddle_compat.distributed.checkpoint.metadata import Metadata
        >>> Metadata().storage_metadata
        {}

    Follows Paddle 3.3.
    """

    state_dict_metadata: dict[str, list[LocalTensorMetadata]] = field(default_factory=dict)
    storage_metadata: dict[LocalTensorIndex, str] = field(default_factory=dict)
    flat_mapping: dict[str, tuple[str, ...]] = field(default_factory=dict)


_KINDS = {kind.__name__: kind for kind in (Metadata, LocalTensorMetadata, LocalTensorIndex)}
_HOME = "paddle.distributed.flex_checkpoint.dcp.metadata"  # where Paddle 3.3 looks for them


class _Pickler(pickle._Pickler):
    """Names the classes as Paddle does; the pickler written in C looks whether they are there."""

    def save_global(self, obj: Any, name: str | None = None) -> None:
        for part in (_HOME, obj.__name__):
            self.save(part)  # type: ignore[attr-defined]
        self.write(pickle.STACK_GLOBAL)  # type: ignore[attr-defined]
        self.memoize(obj)  # type: ignore[attr-defined]

    dispatch = {**pickle._Pickler.dispatch, type: save_global}  # type: ignore[dict-item]


class _Unpickler(pickle.Unpickler):
    """Makes these three, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("paddle.distributed.") and module.endswith(".metadata") and name in _KINDS:
            return _KINDS[name]
        raise pickle.UnpicklingError(f"the forbidden name {module}.{name}; nothing was executed")


def write(metadata: Metadata, file: BinaryIO) -> None:
    """Write metadata as Paddle 3.3 does."""
    _Pickler(file, 4).dump(metadata)


def read(file: BinaryIO) -> Metadata:
    """Metadata of a file that Paddle 2.6 or 3.x has written.

    Raises:
        UnreadableFileError: it holds anything else.
    """
    try:
        found = _Unpickler(file).load()
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, LookupError) as error:
        raise UnreadableFileError(f"No metadata of a checkpoint. Expected a file of save_state_dict. ({error})") from error
    if not isinstance(found, Metadata):
        raise UnreadableFileError(f"No metadata of a checkpoint. Received: a {type(found).__name__}")
    return found


__all__ = ["LocalTensorIndex", "LocalTensorMetadata", "Metadata"]
__getattr__ = missing(__name__)

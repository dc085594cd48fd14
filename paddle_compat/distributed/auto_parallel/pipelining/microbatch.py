"""`paddle.distributed.auto_parallel.pipelining.microbatch`: batches cut into small ones, and what comes of those put together."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError, WrongInputError
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._tensors import dtensor_from_local, dtensor_to_local, is_dist
from paddle_compat.distributed.auto_parallel.placement_type import Shard
from paddle_compat.tensor.manipulation import concat, tensor_split


class TensorChunkSpec:
    """Along which dimension a Tensor is cut into small batches.

    Args:
        split_axis (int): the dimension.

    Example:
        >>> from paddle_compat.distributed.auto_parallel.pipelining.microbatch import TensorChunkSpec
        >>> TensorChunkSpec(1)
        TensorChunkSpec(1)

    Follows Paddle 3.3.
    """

    def __init__(self, split_axis: int) -> None:
        self.split_axis = split_axis

    def __repr__(self) -> str:
        return f"TensorChunkSpec({self.split_axis})"


_ROWS = TensorChunkSpec(0)


def split_args_kwargs_into_chunks(
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    chunks: int,
    args_chunk_spec: Sequence[Any] | None = None,
    kwargs_chunk_spec: dict[str, Any] | None = None,
) -> tuple[list[tuple[Any, ...]], list[dict[str, Any]]]:
    """Cut arguments into those of small batches.

    Args:
        args (tuple): Tensors, and lists, tuples and dicts of them; what is no Tensor each small batch gets.
        kwargs (dict|None): likewise, by name.
        chunks (int): how many small batches there are.
        args_chunk_spec (tuple|list|None): a TensorChunkSpec for each of args, in their form; None: all are cut along dimension 0.
        kwargs_chunk_spec (dict|None): a TensorChunkSpec for each of kwargs; None: all are cut along dimension 0.
    Returns:
        tuple: two lists with an entry for each small batch, of args and of kwargs. A dist tensor's pieces are cut in each process.
    Raises:
        ValueError: a Tensor has fewer rows than there are small batches, or there is none of these.
        AssertionError: there are more or fewer specs than args.
        TypeError: one is no TensorChunkSpec.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining.microbatch import split_args_kwargs_into_chunks
        >>> args, kwargs = split_args_kwargs_into_chunks((paddle.ones([6, 2]),), {"scale": 2.0}, 4)
        >>> [x.shape for x, in args], kwargs[3]
        ([[2, 2], [2, 2], [1, 2], [1, 2]], {'scale': 2.0})

    Follows Paddle 3.3.
    """
    kwargs = kwargs or {}
    if chunks < 1:
        raise InvalidArgumentError(f"num_or_indices must be larger than 0. Expected at least one small batch. Received: {chunks}")
    specs = [_ROWS] * len(args) if args_chunk_spec is None else list(args_chunk_spec)
    if len(specs) != len(args):
        raise AssertionError(f"args_chunk_spec needs a TensorChunkSpec for each of {len(args)} arguments. Received: {specs}")
    named = dict.fromkeys(kwargs, _ROWS) if kwargs_chunk_spec is None else kwargs_chunk_spec
    by_place = [_cut(value, spec, chunks, str(place)) for place, (value, spec) in enumerate(zip(args, specs))]
    by_name = {name: _cut(value, named[name], chunks, name) for name, value in kwargs.items()}
    return (
        [tuple(pieces[chunk] for pieces in by_place) for chunk in range(chunks)],
        [{name: pieces[chunk] for name, pieces in by_name.items()} for chunk in range(chunks)],
    )


def _cut(value: Any, spec: Any, chunks: int, name: str) -> list[Any]:
    """The parts of an argument, one for each small batch."""
    if isinstance(value, dict):
        parts = {each: _cut(part, spec[each] if isinstance(spec, dict) else spec, chunks, name) for each, part in value.items()}
        return [{each: pieces[chunk] for each, pieces in parts.items()} for chunk in range(chunks)]
    if isinstance(value, (list, tuple)):
        specs = spec if isinstance(spec, (list, tuple)) else [spec] * len(value)
        pieces = [_cut(part, own, chunks, name) for part, own in zip(value, specs)]
        return [type(value)(part[chunk] for part in pieces) for chunk in range(chunks)]
    if not isinstance(value, Tensor):
        return [value] * chunks
    if not isinstance(spec, TensorChunkSpec):
        raise WrongInputError(f"Unrecognized chunk spec: {spec}. Expected a TensorChunkSpec for argument {name}. Received: {type(spec)}")
    return _cut_tensor(value, spec.split_axis, chunks, name)


def _cut_tensor(value: Any, axis: int, chunks: int, name: str) -> list[Any]:
    rows = value.shape[axis]
    if rows < chunks:
        raise InvalidArgumentError(
            f"Arg {name} on chunking dimension has a size of {rows}, smaller than the number of chunks {chunks}. "
            "Please adjust your num_chunks setting."
        )
    if is_dist(value) and any(isinstance(way, Shard) and way.get_dim() == axis for way in value.placements):
        mesh, ways = value.process_mesh, value.placements
        return [dtensor_from_local(part, mesh, ways) for part in _parts(dtensor_to_local(value, mesh, ways), chunks, axis)]
    return _parts(value, chunks, axis)


def _parts(value: Any, chunks: int, axis: int) -> list[Any]:
    cut: Any = tensor_split  # which a wrapper hides from types
    return list(cut(value, chunks, axis))


def merge_chunks(chunks: Sequence[Any], chunk_spec: Any) -> Any:
    """Put together what small batches gave.

    Args:
        chunks (list): Tensors, or lists, tuples and dicts of them, all in one form.
        chunk_spec (TensorChunkSpec|tuple|list|dict|None): along which dimensions, in that form; None: along dimension 0.
    Returns:
        In the same form: Tensors of all; what is no Tensor as it is. An empty list of an empty list.
    Raises:
        AssertionError: they are of several forms, or what is no Tensor has several values.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining.microbatch import merge_chunks
        >>> merge_chunks([paddle.ones([2, 3]), paddle.ones([1, 3])], None).shape
        [3, 3]

    Follows Paddle 3.3.
    """
    if not len(chunks):
        warnings.warn("No chunks to merge.", stacklevel=2)
        return chunks
    return _merged(list(chunks), _ROWS if chunk_spec is None else chunk_spec)


def _merged(parts: list[Any], spec: Any) -> Any:
    first = parts[0]
    forms = {(type(part), len(part) if isinstance(part, (list, tuple, dict)) else 0) for part in parts if not isinstance(part, Tensor)}
    if len(forms) > 1 or (forms and any(isinstance(part, Tensor) for part in parts)):
        raise AssertionError(f"Chunks should have the same form. Received: {parts}")
    if isinstance(first, dict):
        return {name: _merged([part[name] for part in parts], spec[name] if isinstance(spec, dict) else spec) for name in first}
    if isinstance(first, (list, tuple)):
        specs = spec if isinstance(spec, (list, tuple)) else [spec] * len(first)
        return type(first)(_merged([part[place] for part in parts], own) for place, own in enumerate(specs))
    if isinstance(first, Tensor) and isinstance(spec, TensorChunkSpec):
        return concat(parts, spec.split_axis)
    for place, part in enumerate(parts):
        if part is not first and part != first:
            raise AssertionError(
                f"Cannot merge chunks with index 0 and {place} with different values,When the arg's TensorChunkSpec is {spec}. "
                f"Received: {first!r} and {part!r}"
            )
    return first


__all__: list[str] = []
__getattr__ = missing(__name__)

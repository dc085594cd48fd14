"""Paddle's files of checkpoints as storage of torch.distributed.checkpoint, which decides who writes what and what is read from where."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import prod
from typing import Any

import torch
from torch.distributed.checkpoint import DefaultSavePlanner, StorageReader, StorageWriter
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.metadata import (
    ChunkStorageMetadata,
    MetadataIndex,
    TensorProperties,
    TensorStorageMetadata,
)
from torch.distributed.checkpoint.metadata import Metadata as Said
from torch.distributed.checkpoint.planner import LoadPlan, LoadPlanner, SavePlan, SavePlanner, WriteItemType
from torch.distributed.checkpoint.storage import WriteResult
from torch.futures import Future

from paddle_compat.core.dtype import dtype_name, torch_dtype
from paddle_compat.core.errors import NotFoundError, UnsupportedError, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.checkpoint.metadata import LocalTensorIndex, LocalTensorMetadata, Metadata
from paddle_compat.distributed.checkpoint.metadata import read as read_metadata
from paddle_compat.distributed.checkpoint.metadata import write as write_metadata
from paddle_compat.distributed.checkpoint.utils import newest
from paddle_compat.framework.io import async_save, load, save


@contextmanager
def plain_errors() -> Iterator[None]:
    """Calls of torch.distributed.checkpoint: what failed in a process is raised as it is; that there is one is not warned of."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "torch.distributed is disabled")
            yield
    except CheckpointException as error:
        raise next(iter(error.failures.values()))[0] from None


def _done(value: Any) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(value)
    return future


class Planner(DefaultSavePlanner):
    """Plain Tensors are the business of one process, which has most of them.

    Args:
        coordinator: that process.
    """

    def __init__(self, coordinator: int) -> None:
        super().__init__(flatten_state_dict=False, flatten_sharded_tensors=False)
        self.coordinator = coordinator

    def create_global_plan(self, all_plans: list[SavePlan]) -> tuple[list[SavePlan], Said]:
        """Who writes what."""
        own = all_plans[self.coordinator]
        plain = {item.index for item in own.items if item.type is WriteItemType.TENSOR}
        others = [replace(plan, items=[item for item in plan.items if item.index not in plain]) for plan in all_plans]
        return super().create_global_plan([own if plan is own else other for plan, other in zip(all_plans, others)])


class _Folder:
    """What writing to a folder and reading from it need not do."""

    def reset(self, checkpoint_id: str | os.PathLike[str] | None = None) -> None:
        """Nothing: each is used once."""

    @classmethod
    def validate_checkpoint_id(cls, checkpoint_id: str | os.PathLike[str]) -> bool:
        """Not by names of checkpoints."""
        return False


class Writer(_Folder, StorageWriter):
    """Writes `<process>_<number>.distcp` in each process, and `<number>.metadata` in the first.

    Args:
        path: the folder.
        rank: this process.
        keys: the keys that lead to each name.
        number: of the checkpoint; None: the next one.
        behind: whether files are written in the background.
    """

    def __init__(self, path: str, rank: int, keys: dict[str, tuple[str, ...]], number: int | None, behind: bool) -> None:
        self.path, self.rank, self.keys, self.number, self.behind = path, rank, keys, number, behind

    def set_up_storage_writer(self, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Nothing: the folder is there."""

    def prepare_local_plan(self, plan: SavePlan) -> SavePlan:
        """The first process is to know all keys."""
        return replace(plan, storage_data=self.keys)

    def prepare_global_plan(self, plans: list[SavePlan]) -> list[SavePlan]:
        """All processes are to know the number."""
        self.keys = {name: keys for plan in plans for name, keys in plan.storage_data.items()}
        if self.number is None:
            last = newest(self.path)
            self.number = 0 if last is None else last + 1
        return [replace(plan, storage_data=self.number) for plan in plans]

    def write_data(self, plan: SavePlan, planner: SavePlanner) -> Future[list[WriteResult]]:
        """This process's file."""
        name = f"{self.rank}_{plan.storage_data}.distcp"
        resolve: Any = planner.resolve_data
        if held := {item.index.fqn: Tensor(resolve(item)) for item in plan.items}:
            (async_save if self.behind else save)(held, os.path.join(self.path, name))
        return _done([WriteResult(item.index, 0, name) for item in plan.items])

    def finish(self, metadata: Said, results: list[list[WriteResult]]) -> None:
        """The metadata, as Paddle has it."""
        whole = Metadata(flat_mapping=self.keys)
        for written in (written for each in results for written in each):
            name, offset = written.index.fqn, written.index.offset
            said: Any = metadata.state_dict_metadata[name]
            part = tuple(said.chunks[written.index.index].sizes)
            found = LocalTensorMetadata(tuple(offset or ()), part, dtype_name(said.properties.dtype), tuple(said.size))
            whole.state_dict_metadata.setdefault(name, []).append(found)
            whole.storage_metadata[LocalTensorIndex(name, found.global_offset, local_shape=part)] = written.storage_data
        with open(os.path.join(self.path, f"{self.number}.metadata"), "wb") as file:
            write_metadata(whole, file)


class Reader(_Folder, StorageReader):
    """Reads each file when something in it is first needed.

    Args:
        path: the folder.
        number: of the checkpoint.
    """

    def __init__(self, path: str, number: int) -> None:
        with open(os.path.join(path, f"{number}.metadata"), "rb") as file:
            said = read_metadata(file)
        self.path, self.number = path, number
        self.parts = {name: list(dict.fromkeys(parts)) for name, parts in said.state_dict_metadata.items()}
        self.where = {MetadataIndex(index.tensor_key, index.global_offset): file for index, file in said.storage_metadata.items()}
        self.read: dict[str, dict[str, Tensor]] = {}

    def check(self, name: str, shape: tuple[int, ...]) -> None:
        """Whether a tensor of this shape can be read.

        Raises:
            KeyError: the checkpoint has no such Tensor.
            ValueError: it has another shape.
            NotFoundError: some of it is missing.
        """
        missed = prod(shape) - sum(prod(part.local_shape) for part in self.parts[name])
        if any(part.is_flattened for part in self.parts[name]):
            raise UnsupportedError("paddle.distributed.load_state_dict", f"{name}, which was saved flat")
        if self._shape(name) != shape:
            expected = f"shape {list(self._shape(name))} of {name}, as it was saved"
            raise invalid_argument("state_dict", expected, list(shape), "load_state_dict")
        if missed > 0:
            raise NotFoundError(f"Parts of `{name}` are in none of the files of {self.path}: {missed} of {prod(shape)} elements.")

    def layouts(self) -> dict[str, tuple[tuple[int, ...], torch.dtype]]:
        """The shape and the data type of each tensor."""
        found = {}
        for name, parts in self.parts.items():
            said = parts[0].dtype
            index = MetadataIndex(name, parts[0].global_offset)
            found[name] = self._shape(name), torch_dtype(said) if said else self._part(index).dtype
        return found

    def _shape(self, name: str) -> tuple[int, ...]:
        """What files of Paddle 2.6 say by their parts alone."""
        parts = self.parts[name]
        return parts[0].global_shape or tuple(map(max, zip(*(map(sum, zip(p.global_offset, p.local_shape)) for p in parts))))

    def set_up_storage_reader(self, metadata: Said, is_coordinator: bool, *args: Any, **kwargs: Any) -> None:
        """Nothing: the metadata came from here."""

    def read_metadata(self, *args: Any, **kwargs: Any) -> Said:
        """The parts of each tensor, as torch has them."""
        return Said({
            name: TensorStorageMetadata(
                TensorProperties(), torch.Size(self._shape(name)),
                [ChunkStorageMetadata(torch.Size(part.global_offset), torch.Size(part.local_shape)) for part in parts],
            )
            for name, parts in self.parts.items()
        })  # fmt: skip

    def prepare_local_plan(self, plan: LoadPlan) -> LoadPlan:
        """As it is."""
        return plan

    def prepare_global_plan(self, plans: list[LoadPlan]) -> list[LoadPlan]:
        """As they are."""
        return plans

    def read_data(self, plan: LoadPlan, planner: LoadPlanner) -> Future[None]:
        """All that is asked for."""
        for item in plan.items:
            part = self._part(item.storage_index)
            for dim, (start, length) in enumerate(zip(item.storage_offsets, item.lengths)):
                part = part.narrow(dim, start, length)
            planner.resolve_tensor(item).copy_(part)
        return _done(None)

    def _part(self, index: MetadataIndex) -> torch.Tensor:
        file = self.where[index]
        if file not in self.read:
            self.read[file] = load(os.path.join(self.path, file))
        value = self.read[file][index.fqn]._t
        said = next(part.dtype for part in self.parts[index.fqn] if part.global_offset == index.offset)
        wanted = torch_dtype(said) if said else value.dtype
        same = value.dtype != wanted and value.element_size() == wanted.itemsize  # numbers that numpy has no type for
        return value.view(wanted) if same else value


__all__ = ["Planner", "Reader", "Writer", "plain_errors"]

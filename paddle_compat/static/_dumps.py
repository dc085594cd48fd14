"""Values of a training run on a dataset, written into files: what `trainer_desc_configs` of fleet asks for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, TextIO

import numpy as np

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.program import Program

_API = "train_from_dataset"
_ALL = 16  # files of all workers together, where nobody says how many
_ELSEWHERE = ("dump_converter", "dump_fields_mode", "is_dump_in_simple_mode", "enable_random_dump", "user_define_dump_filename")


def asked_for(program: Program) -> Mapping[str, Any] | None:
    """What is to be written of a Program's run, as its `_fleet_opt` says; None: nothing. (Files of 1.8 stay empty, so none are made.)"""
    said = program._fleet_opt
    if program.age == 1 or not said or not said.get("dump_fields_path") or not (said.get("dump_fields") or said.get("dump_param")):
        return None
    return said if said.get("mpi_size", -1) > 0 else None  # Paddle shares the files out among so many workers


class Dump:
    """Files into which a run writes values; a context that closes them.

    A line for each sample has `NAME:COUNT:VALUE,VALUE` for each variable that has a row for it; a parameter has a line for each step,
    `(WORKER,STEP,NAME)VALUE,VALUE`. Paddle deals lines to the files as its threads come, here each step's lines are together.

    Args:
        program: what runs.
        said: of its `_fleet_opt`.
        dataset: what it runs on.
    Raises:
        UnsupportedError: the files are to be of another form, or have the samples' names.
    """

    def __init__(self, program: Program, said: Mapping[str, Any], dataset: Any) -> None:
        for name in _ELSEWHERE:
            if said.get(name):
                raise UnsupportedError(_API, f"{name}={said[name]!r} of a dump", "the form that there is without it")
        if getattr(dataset, "parse_ins_id", False):
            raise UnsupportedError(_API, "a dump with the names of samples (parse_ins_id)", "a slot that numbers them")
        known = program.global_block().vars
        self.fields, self.params = ([name for name in said.get(key) or () if name in known] for key in ("dump_fields", "dump_param"))
        self.folder, self.number, workers = str(said["dump_fields_path"]), int(said.get("mpi_rank", 0)), int(said["mpi_size"])
        files = int(said.get("dump_file_num", _ALL))
        self.count = files // workers + (files % workers > self.number) if files > workers else 1
        self.files: list[TextIO] = []
        self.steps: dict[int, int] = {}

    @property
    def names(self) -> list[str]:
        """What is to be fetched in each step."""
        return [*self.fields, *self.params]

    def __enter__(self) -> Dump:
        os.makedirs(self.folder, exist_ok=True)
        paths = (os.path.join(self.folder, f"part-{self.number:03}-{i:05}") for i in range(self.count))
        self.files = [open(path, "w", encoding="utf-8") for path in paths]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for file in self.files:
            file.close()

    def step(self, worker: int, size: int, values: Mapping[str, LoDTensor]) -> None:
        """Write a step's lines.

        Args:
            worker: the number of the stream that it was a batch of.
            size: samples of the batch.
            values: by name, among them all of `names`.
        """
        number = self.steps.get(worker, 0)
        self.steps[worker] = number + 1
        rows = [(name, found) for name in self.fields if (found := _by_sample(values[name], size)) is not None]
        lines = ["".join(f"\t{name}:{found[i].size}:{_text(found[i])}" for name, found in rows) for i in range(size if rows else 0)]
        lines += [f"({worker},{number},{name}){_text(values[name].numpy())}" for name in self.params]
        self.files[sum(self.steps.values()) % len(self.files)].writelines(f"{line}\n" for line in lines)


def _by_sample(value: LoDTensor, size: int) -> list[np.ndarray] | None:
    """A value's part for each sample; None where it is not made of such, as in Paddle: a matrix with a row, or a sequence, for each."""
    array, lod = value.numpy(), value.lod()
    if array.ndim != 2 or len(lod) > 1:
        return None
    ends = lod[0] if lod else list(range(len(array) + 1))
    return [array[a:b] for a, b in zip(ends, ends[1:])] if len(ends) == size + 1 else None


def _text(array: np.ndarray) -> str:
    pattern = "{:g}" if array.dtype.kind == "f" else "{:d}"
    return ",".join(pattern.format(value) for value in array.reshape(-1).tolist())

"""Values of several devices: what is fed is split over them, what they fetch is joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from paddle_compat.core.errors import InvalidArgumentError, PreconditionNotMetError, invalid_argument
from paddle_compat.core.lod import LoD, LoDTensor, LoDTensorArray
from paddle_compat.core.program import Program
from paddle_compat.engine.executor import feed_tensor


def split(program: Program, feed: Mapping[str, Any], count: int, kind: str, all_needed: bool) -> list[dict[str, Any]]:
    """What each of `count` devices is fed of one feed.

    Args:
        kind: "CPU" or "GPU", for the error.
        all_needed: all devices have to have something.
    Raises:
        PreconditionNotMetError: there are fewer samples than devices.
    """
    variables = program.global_block().vars
    parts: list[dict[str, Any]] = [{} for _ in range(count)]
    for name, value in feed.items():
        var = variables[name]
        tensor, lod = feed_tensor(program, name, None if isinstance(value, LoDTensor) else var, value, False)  # its parts are checked
        samples = len(lod[0]) - 1 if lod else tensor.shape[0] if tensor.dim() else 1
        if var.persistable and samples < count:  # a value of all devices, such as a learning rate
            for part in parts:
                part[name] = LoDTensor(tensor, lod)
            continue
        ends = _ends(samples, count, program.age)
        if len(ends) < count and (all_needed or not ends):
            raise PreconditionNotMetError(
                f"The number({len(ends)}) of samples[{name}] of current batch is less than the count({count}) of devices({kind}). "
                f"Expected at least one sample for each device. Received: {samples} samples. Feed larger batches, drop the last one, or "
                f"use fewer devices{' (environment variable CPU_NUM)' if kind == 'CPU' else ''}."
            )
        for part, start, end in zip(parts, [0, *ends], ends):
            part[name] = _rows(tensor, lod, start, end)
    return [part for part in parts if part] if feed else parts


def _ends(samples: int, count: int, age: int) -> list[int]:
    """Where the parts end. Paddle 1.8: all but the last as large as can be; 2.x as documented: the remainder to the last."""
    if age == 1:
        step = -(-samples // count)
        return [min(samples, start + step) for start in range(0, samples, step)] if samples else []
    step = samples // count
    return [step * i for i in range(1, count)] + [samples] if step else list(range(1, samples + 1))


def _rows(tensor: torch.Tensor, lod: LoD | None, start: int, end: int) -> LoDTensor:
    if not lod:
        return LoDTensor(tensor[start:end] if tensor.dim() else tensor)
    levels = []
    for level in lod:
        part = level[start : end + 1]
        start, end = int(part[0]), int(part[-1])
        levels.append(part - start)
    return LoDTensor(tensor[start:end], tuple(levels))


def merged(values: Sequence[Any], name: str) -> Any:
    """The devices' values of one fetch, joined along dimension 0 in the devices' order.

    Raises:
        InvalidArgumentError: they do not fit.
    """
    if len(values) == 1:
        return values[0]
    first = values[0]
    if isinstance(first, LoDTensorArray):
        return LoDTensorArray(merged(each, name) for each in zip(*values))
    tensors = [value.value for value in values if isinstance(value, LoDTensor) and value.value is not None]
    if not tensors:
        return first
    if len({t.shape[1:] for t in tensors}) > 1 or len({t.dtype for t in tensors}) > 1:
        shapes = [list(t.shape) for t in tensors]
        raise invalid_argument("fetch_list", f"values of `{name}` that differ in dimension 0 only", shapes, "Executor.run")
    device = tensors[0].device
    joined = torch.cat([(t if t.dim() else t.reshape(1)).to(device) for t in tensors])
    return LoDTensor(joined, _joined_lod([value.lod_ for value in values]))


def _joined_lod(lods: Sequence[LoD | None]) -> LoD | None:
    if any(not lod for lod in lods):
        return None
    if len({len(lod or ()) for lod in lods}) > 1:
        raise InvalidArgumentError(
            f"The devices' values have LoDs of different levels. Expected one count of levels. Received: {[len(lod or ()) for lod in lods]}"
        )
    levels = []
    for parts in zip(*(lod for lod in lods if lod)):
        level, last = [parts[0]], parts[0][-1]
        for part in parts[1:]:
            level.append(part[1:] + last)
            last = last + part[-1]
        levels.append(torch.cat(level))
    return tuple(levels)

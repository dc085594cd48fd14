"""Python numbers as torch tensors: a tensor and a number take torch two microseconds longer than two tensors."""

from __future__ import annotations

from typing import Any

import torch

ROOM = 256  # how many numbers of one type are kept


class Constants(dict[float, torch.Tensor]):
    """Numbers as tensors without dimensions, on the CPU. Nobody may write to them.

    Args:
        kind: their data type.
    """

    def __init__(self, kind: torch.dtype) -> None:
        self.kind = kind

    def __missing__(self, number: float) -> torch.Tensor:
        wide = torch.float64 if type(number) is float else self.kind  # float32 of a greater float is an infinity, and no error
        made = torch.scalar_tensor(number, dtype=wide, device="cpu").to(self.kind)
        if number and type(made) is torch.Tensor:  # 0.0 and -0.0 are one key; what is made while torch traces lives as long as that
            if len(self) >= ROOM:
                self.clear()
            self[number] = made
        return made


_FLOATS = {kind: Constants(kind) for kind in (torch.float32, torch.float64)}
# What stands for a number beside a tensor that keeps its data type: `BESIDE[type(number)][dtype][number]`.
BESIDE: dict[type, dict[torch.dtype, Constants]] = {
    float: _FLOATS,
    int: {**_FLOATS, torch.int32: Constants(torch.int32), torch.int64: Constants(torch.int64)},
}
ZERO = {kind: torch.zeros((), dtype=kind) for kind in BESIDE[int]}  # where its sign does not matter


def beside(number: float, x: torch.Tensor) -> Any:
    """What stands for a float beside x: a constant, or the number itself where x is traced or of a data type that has no constants."""
    kept = _FLOATS.get(x.dtype) if type(x) is torch.Tensor else None
    return number if kept is None else kept[number]

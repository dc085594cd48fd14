"""Sizes of paddings as scripts give them: NumPy's numbers and arrays. The figures are those of Paddle 2.6.2."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.nn import functional as F


def _cube(*shape: int) -> Any:
    return paddle.arange(24, dtype="float32").reshape(list(shape))


@pytest.mark.parametrize("size", [np.int64(2), np.prod([2, 1]), np.array(2), np.array([2]), np.float32(2)])
def test_a_layer_pads_all_sides_by_a_number_of_numpy(size: Any) -> None:
    assert nn.Pad1D(size)(_cube(2, 3, 4)).shape == [2, 3, 8]
    assert float(nn.Pad1D(size, mode="reflect")(_cube(2, 3, 4)).sum()) == 552.0
    assert nn.Pad2D(size)(_cube(1, 2, 3, 4)).shape == [1, 2, 7, 8]
    assert float(nn.Pad3D(size, mode="replicate")(_cube(1, 1, 2, 3, 4)).sum()) == 3864.0
    assert nn.ZeroPad2D(size)(_cube(1, 2, 3, 4)).shape == [1, 2, 7, 8]


@pytest.mark.parametrize(("mode", "total"), [("constant", 276.0), ("reflect", 552.0)])
def test_a_function_pads_by_an_array(mode: str, total: float) -> None:
    padded = F.pad(_cube(1, 2, 3, 4), np.array([1, 1, 0, 1]), mode=mode)
    assert (padded.shape, float(padded.sum())) == ([1, 2, 4, 6], total)
    assert F.pad(_cube(1, 1, 2, 3, 4), np.array([1, 1, 0, 1, 0, 0]), mode=mode).shape == [1, 1, 2, 4, 6]


def test_what_is_no_list_of_whole_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="argument `pad`.*whole number"):
        nn.Pad1D(1.5)(_cube(2, 3, 4))
    with pytest.raises(ValueError, match="argument `pad`.*whole number"):
        nn.Pad2D(np.array([1, 1, 0, 1]))(_cube(1, 2, 3, 4))
    with pytest.raises(TypeError, match="argument `pad`.*list of numbers"):
        F.pad(_cube(1, 2, 3, 4), 2)

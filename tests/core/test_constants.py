"""Numbers beside tensors: the bits are those of torch's own operators on a number, and no more than so many are kept."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat.core import constants

VALUES = (1.5, -0.0, 0.0, math.inf, -math.inf, math.nan, 2.0**-149, -2.25)
# equal keys of other types and signs follow one another
NUMBERS = (0.0, -0.0, 0, 1, 1.0, True, 0.1, 2**60 + 1, float(2**60), 1e40, -1e-50, math.inf, math.nan, -0.0, 0.0, False, 2**70, 10**400)
OPERATORS = (operator.add, operator.sub, operator.mul, operator.lt, operator.ge)


def _bits(value: torch.Tensor) -> tuple[str, bytes]:
    return str(value.dtype), value.detach().contiguous().numpy().tobytes()


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("apply", OPERATORS)
def test_numbers_give_the_bits_that_torch_gives(kind: str, apply: Callable[..., Any]) -> None:
    for number in NUMBERS:
        for left, right in ((VALUES, number), (number, VALUES)):
            ours, torchs = (
                [make(side, dtype=kind_) if side is VALUES else side for side in (left, right)]
                for make, kind_ in ((paddle.to_tensor, kind), (torch.tensor, getattr(torch, kind)))
            )
            for sides in (ours, torchs):
                side = next(side for side in sides if not isinstance(side, (int, float)))
                setattr(side, *(("stop_gradient", False) if sides is ours else ("requires_grad", True)))
            try:
                expected = apply(*torchs)
            except (RuntimeError, OverflowError):  # what Paddle gives there, the long way knows
                continue
            scales = apply is operator.mul and type(number) is not bool and number <= 0  # and adds a bias of 0
            expected = expected + 0.0 if scales else expected
            received = apply(*ours)
            shown = f"{apply.__name__}({left}, {right})"
            assert _bits(received._t) == _bits(expected), shown
            if expected.requires_grad:
                expected.sum().backward(), received.sum().backward()
                grads = [next(side.grad for side in sides if not isinstance(side, (int, float))) for sides in (ours, torchs)]
                assert _bits(grads[0]._t) == _bits(grads[1] + 0.0 if scales and not number else grads[1]), shown


def test_a_division_by_a_number_multiplies_by_its_inverse() -> None:
    x = paddle.to_tensor(VALUES)
    for number in (3.0, 3, -0.1, 1e-40):
        assert _bits((x / number)._t) == _bits(torch.tensor(VALUES) * (1.0 / number))
    assert (x / 0.0).tolist()[0] == math.inf and (x / -0.0).tolist()[0] == -math.inf


@pytest.mark.parametrize("kind", ["int32", "int64"])
def test_whole_numbers_stay_whole(kind: str) -> None:
    x = paddle.to_tensor([3, -4, 0], dtype=kind)
    assert [(v.tolist(), v.dtype) for v in (x + 1, 1 - x, x * 2)] == [
        (values, getattr(paddle, kind)) for values in ([4, -3, 1], [-2, 5, 1], [6, -8, 0])
    ]
    assert (x == 0).tolist() == [False, False, True] and (x > -4).tolist() == [True, False, True]
    assert (x + 0.5).dtype == paddle.float32


def test_only_so_many_constants_are_kept() -> None:
    kept = constants.BESIDE[float][torch.float64]
    x = paddle.ones([2], dtype="float64")
    for number in range(1, 2 * constants.ROOM):
        assert (x * (number + 0.5)).tolist() == [number + 0.5] * 2
        assert len(kept) <= constants.ROOM
    for nan in (float("nan") for _ in range(2 * constants.ROOM)):
        assert np.isnan((x * nan).numpy()).all() and len(kept) <= constants.ROOM


def test_results_are_never_the_constants_themselves() -> None:
    x = paddle.to_tensor(1.0)
    for number in (5.0, 0.0):
        y = x * number
        y.add_(paddle.to_tensor(1.0))
        y[...] = 7.0
        assert (x * number).item() == number


def test_a_square_is_exact() -> None:
    values = np.random.RandomState(0).standard_normal(5000).astype("float32")
    x = paddle.to_tensor(values, stop_gradient=False)
    y = x**2
    assert y.numpy().tobytes() == (values * values).tobytes()
    y.sum().backward()
    assert x.grad.numpy().tobytes() == (2 * values).tobytes()

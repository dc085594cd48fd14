"""Tensors without dimensions, wrong arguments and Python's types as data types, in eager mode, as recorded from the wheel."""

from __future__ import annotations

import importlib
import json

import pytest
from eager_replay import differences, recorded

import paddle_compat


@pytest.mark.parametrize("call", recorded("eager_corners"))
def test_corner(call: str) -> None:
    got = json.loads(json.dumps(importlib.import_module("eager_corner_cases").answer(paddle_compat, call)))
    found = list(differences(got, recorded("eager_corners")[call], 1e-6, 1e-6))
    assert not found, found[:5]


def test_conjugate_of_real_numbers_is_a_copy() -> None:
    x = paddle_compat.ones([2])
    for y in (paddle_compat.conj(x), x.conj()):
        y[0] = 7.0
    assert x.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("raised", ["atleast_1d", "atleast_2d", "atleast_3d"])
def test_tensor_of_enough_dimensions_stays_as_it_is(raised: str) -> None:
    x = paddle_compat.ones([1, 1, 2])
    assert getattr(paddle_compat, raised)(x) is x

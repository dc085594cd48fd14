"""Errors: they survive pickling and copying whole, as they must to cross processes."""

from __future__ import annotations

import copy
import pickle

import pytest

from paddle_compat.core.errors import UnknownOperatorError, UnsupportedError


@pytest.mark.parametrize(
    "error",
    [UnsupportedError("paddle.x"), UnsupportedError("paddle.x", "axis=1", "paddle.y"), UnknownOperatorError("frobnicate")],
    ids=["api", "argument", "operator"],
)
@pytest.mark.parametrize("round_trip", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_unsupported_keeps_its_message(error, round_trip):
    again = round_trip(error)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert str(again).count("is not supported") == 1
    assert (again.api, again.argument, again.instead, again.where) == (error.api, error.argument, error.instead, error.where)

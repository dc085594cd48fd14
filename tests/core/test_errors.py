"""Errors: they survive pickling and copying whole, as they must to cross processes."""

from __future__ import annotations

import copy
import pickle

import pytest

import paddle_compat as paddle
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


def test_nothing_is_no_data_type() -> None:
    for call in (paddle.set_default_dtype, paddle.finfo, paddle.iinfo):
        with pytest.raises(TypeError, match="argument `dtype`"):  # numpy takes it for float64
            call(None)

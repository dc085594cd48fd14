"""`paddle.tensor` has what its modules have, and `paddle` what the wheel has of it."""

from __future__ import annotations

import gzip
import inspect
import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.tensor import FILES, TABLE, TENSOR_ONLY

REFERENCES = Path(__file__).resolve().parents[1] / "references"


@pytest.mark.parametrize("module", sorted(TABLE))
def test_every_module_is_in_the_table(module: str) -> None:
    names = set(import_module(f"paddle_compat.tensor.{module}").__all__)
    elsewhere = {name for other, listed in TABLE.items() if other != module for name in listed}
    assert set(TABLE[module]) <= names
    assert names - set(TABLE[module]) <= elsewhere


@pytest.mark.parametrize("file", sorted(FILES))
def test_a_name_loads_the_file_that_it_is_written_in(file: str) -> None:
    module = import_module(f"paddle_compat.tensor.{file}")
    files = {f"paddle_compat.tensor.{other}" for other in FILES}
    for name in FILES[file]:
        written = getattr(module, name).__module__
        assert written == module.__name__ or written not in files, name


def test_the_top_level_has_them() -> None:
    for names in TABLE.values():
        for name in set(names) - TENSOR_ONLY - {"complex"}:  # which is a module, too
            assert inspect.isroutine(getattr(paddle, name)) or name == "MmapStorage", name


def test_complex_is_a_function_and_a_package() -> None:
    package = import_module("paddle_compat.complex")
    one = paddle.ones([1])
    assert paddle.complex is package and paddle.complex(one, one).tolist() == [1 + 1j]
    assert package.sum is import_module("paddle_compat.complex.tensor").sum
    with pytest.raises(ValueError, match="complex.elementwise_add"):
        package.elementwise_add(one, one)


def test_nothing_of_the_wheel_is_missing() -> None:
    with gzip.open(REFERENCES / "signatures_2.6.2.json.gz", "rt") as file:
        names = {api.split(".")[1] for api in json.load(file) if api.count(".") == 1}
    ours = {name for listed in TABLE.values() for name in listed}
    functions = set(names & set(dir(import_module("paddle_compat.tensor"))))
    assert functions <= ours


def test_in_place_functions_change_their_argument() -> None:
    x = paddle.to_tensor([1.0, -2.0])
    assert paddle.abs_(x) is x and x.tolist() == [1.0, 2.0]
    assert x.add_(paddle.to_tensor([1.0, 1.0])) is x and x.tolist() == [2.0, 3.0]
    leaf = paddle.to_tensor([1.0], stop_gradient=False)
    with pytest.raises(ValueError, match="leaf"):
        paddle.neg_(leaf)
    paddle.enable_static()
    var = paddle.static.data("x", [1], "float32")
    assert paddle.abs_(var) is not var


def test_where_overwrites_x_and_not_the_condition() -> None:
    condition, x, y = paddle.to_tensor([True, False]), paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])
    assert paddle.where_(condition, x, y) is x and x.tolist() == [1, 4] and condition.tolist() == [True, False]
    assert condition.where_(y=x, x=y) is y and y.tolist() == [3, 4]
    with pytest.raises(ValueError, match="Invalid value for argument `x` of `where_`"):
        paddle.where_(condition)



def test_items_of_a_tensor_can_be_set() -> None:
    x = paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    x[0] = 0.0
    x[1, ::-1] = paddle.to_tensor([7.0, 8.0, 9.0])
    assert x.tolist() == [[0.0, 0.0, 0.0], [9.0, 8.0, 7.0]]
    x[x > 8.0] = -1.0
    assert x.tolist() == [[0.0, 0.0, 0.0], [-1.0, 8.0, 7.0]]
    paddle.enable_static()
    var = paddle.static.data("x", [2], "float32")
    var[0] = 1.0  # 2.6.2 refuses it, 3.3.1 writes
    assert paddle.static.Executor().run(feed={"x": np.float32([5, 6])}, fetch_list=[var])[0].tolist() == [1.0, 6.0]

"""Blocks with eager mode chosen: variables are values that are still empty, operators run at once, as unit tests of operators use them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
import paddle_compat.fluid as fluid
from paddle_compat.base import core
from paddle_compat.core import mode

ROWS = np.array([[1.0, -2.0, 3.0], [4.0, 0.5, -6.0]], "float32")


@pytest.fixture(params=[1, 2])
def block(request: Any) -> Iterator[Any]:
    """A block of Paddle 1.8, then one of 2.6."""
    mode.enable_static()
    with fluid.dygraph.guard() if request.param == 1 else paddle.base.dygraph.guard():
        yield (fluid.Program if request.param == 1 else paddle.static.Program)().global_block()


def value(block: Any, array: np.ndarray) -> Any:
    made = fluid.dygraph.to_variable(array) if block.program.age == 1 else paddle.to_tensor(array)
    made.stop_gradient = array.dtype.kind != "f"
    return made


def test_a_variable_is_an_empty_value(block: Any) -> None:
    made = block.create_var(name="made", shape=[-1, 3], dtype=core.VarDesc.VarType.INT64, persistable=True, stop_gradient=False)
    kind = fluid.core.VarBase if block.program.age == 1 else paddle.Tensor
    assert isinstance(made, kind) and (made.name, made.stop_gradient, made.persistable) == ("made", True, True)
    assert made.dtype == (core.VarDesc.VarType.INT64 if block.program.age == 1 else paddle.int64)
    assert not block.vars and not block.has_var("made")


def test_an_operator_runs_at_once_and_has_gradients(block: Any) -> None:
    x = value(block, ROWS)
    out = block.create_var(dtype="float32")
    block.append_op(type="relu", inputs={"X": [x]}, outputs={"Out": [out]})
    assert out.numpy().tolist() == np.maximum(ROWS, 0).tolist() and not block.ops
    total = fluid.layers.reduce_sum(out) if block.program.age == 1 else paddle.sum(out)
    total.backward()
    assert np.asarray(x.gradient()).tolist() == (ROWS > 0).astype("float32").tolist()


def test_outputs_that_serve_gradients_are_filled(block: Any) -> None:
    outs = {slot: block.create_var(dtype="float32") for slot in ("Y", "Mean", "Variance")}
    attrs = {"begin_norm_axis": 1, "epsilon": 1e-5}
    block.append_op(type="layer_norm", inputs={"X": [value(block, ROWS)]}, outputs={k: [v] for k, v in outs.items()}, attrs=attrs)
    np.testing.assert_allclose(outs["Mean"].numpy(), ROWS.mean(1), rtol=1e-5)
    np.testing.assert_allclose(outs["Variance"].numpy(), ROWS.var(1), rtol=1e-5)
    np.testing.assert_allclose(outs["Y"].numpy(), (ROWS - ROWS.mean(1, keepdims=True)) / ROWS.std(1, keepdims=True), rtol=1e-4)

"""Targets that stop gradients, or that no gradient is to pass, hand none on: so say 1.8.5 and 2.6.2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat import fluid


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    with paddle.utils.unique_name.guard():
        yield
    paddle.disable_static()


def _built(home: Any) -> tuple[Any, Any, Any, Any]:
    x = (fluid if home is fluid else paddle.static).data("x", [3, 4])
    x.stop_gradient = False
    layers = fluid.layers if home is fluid else paddle
    value = layers.tanh(x)
    return x, value, layers.sin(value), x * x


@pytest.mark.parametrize("home", [fluid, paddle.static])
def test_gradients(home: Any) -> None:
    with home.program_guard(home.Program(), home.Program()):
        x, value, through, beside = _built(home)
        block = x.block
        value.stop_gradient = True
        seeds = ["shape", "fill_constant"] if home is fluid else ["fill_any_like"]
        written = len(block.ops)
        assert home.gradients([value], [x]) == []
        assert home.gradients([value], [x, through]) == [None, None]
        assert home.gradients([value, through], [x]) == []
        assert [op.type for op in block.ops[written:]] == seeds * 4
        assert [grad.name for grad in home.gradients([value, beside], [x])] != [None]
        assert not any(op.type in ("tanh_grad", "sin_grad") for op in block.ops)


@pytest.mark.parametrize("home", [fluid, paddle.static])
def test_a_set_of_names(home: Any) -> None:
    with home.program_guard(home.Program(), home.Program()):
        x, value, *_ = _built(home)
        assert home.gradients([value], [x], no_grad_set={value.name}) == []
        assert home.gradients([value], [x])[0].name.endswith("x@GRAD")


@pytest.mark.parametrize("home", [fluid, paddle.static])
def test_a_loss_that_stops_gradients_trains_nothing(home: Any) -> None:
    with home.program_guard(home.Program(), home.Program()):
        x, *_ = _built(home)
        if home is fluid:
            loss, optimizer = fluid.layers.mean(fluid.layers.fc(x, 2)), fluid.optimizer.SGD(0.1)
        else:
            loss, optimizer = paddle.mean(paddle.static.nn.fc(x, 2)), paddle.optimizer.SGD(0.1)
        loss.stop_gradient = True
        assert optimizer.minimize(loss)[1] == []
        assert "sgd" not in [op.type for op in loss.block.ops] and loss.block.ops[-1].type == "fill_constant"


def test_targets_among_the_inputs() -> None:
    """They have a gradient where an operator on the way makes them, or reads them: so says 2.6.2."""
    static = paddle.static
    with static.program_guard(static.Program(), static.Program()):
        x, value, through, beside = _built(static)
        assert static.gradients([through, beside], [value, beside])[1] is None
        assert [grad.name for grad in static.gradients([value, through], [value, x])] == ["grad/grad/tanh_0.tmp_0@GRAD", "x@GRAD"]
    with static.program_guard(static.Program(), static.Program()):
        x, value, *_ = _built(static)
        value.stop_gradient = True
        none, own = static.gradients([value], [x, value])
        assert none is None and own.name.endswith("@GRAD")

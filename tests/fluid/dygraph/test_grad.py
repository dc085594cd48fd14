"""`fluid.dygraph.grad` refuses what Paddle 1.8.5 refuses, and what a pass leaves is as there."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from paddle_compat import fluid
from paddle_compat.core.errors import AlreadyExistsError, InvalidArgumentError, PermissionDeniedError


def value(numbers: Any, dtype: str = "float32", stop: bool = False) -> Any:
    """A value that gradients come to."""
    made = fluid.dygraph.to_variable(np.array(numbers, dtype))
    made.stop_gradient = stop
    return made


def test_values_that_no_gradient_passes() -> None:
    with fluid.dygraph.guard():
        x = value([[1.0, 2.0]])
        y = x * 2
        z = y * 3
        w = z + x
        with pytest.raises(InvalidArgumentError, match="not reached"):
            fluid.dygraph.grad(z, x, no_grad_vars=[y], retain_graph=True)
        (found,) = fluid.dygraph.grad(w, x, no_grad_vars={y}, retain_graph=True)
        assert found.numpy().tolist() == [[1.0, 1.0]]
        for outputs, inputs, blocked in ((w, x, x), (w, [x, y], [y]), ([w, z], x, [z])):
            with pytest.raises(PermissionDeniedError, match="no_grad_vars"):
                fluid.dygraph.grad(outputs, inputs, no_grad_vars=blocked, retain_graph=True)


def test_values_listed_twice() -> None:
    with fluid.dygraph.guard():
        x = value([1.0])
        y = x * x
        with pytest.raises(AlreadyExistsError):
            fluid.dygraph.grad(y, [x, x], retain_graph=True)
        with pytest.raises(AlreadyExistsError):
            fluid.dygraph.grad([y, y], x)


def test_outputs_without_gradients() -> None:
    with fluid.dygraph.guard():
        x, still = value([1.0]), value([1.0], stop=True)
        for outputs in (still * 2, [still * 2, still * x]):
            with pytest.raises(PermissionDeniedError, match="has no gradient"):
                fluid.dygraph.grad(outputs, x, allow_unused=True)


@pytest.mark.parametrize("given", [np.ones([1], "float32"), np.ones([2, 1], "float32"), np.ones([1, 2], "float64")])
def test_gradients_that_do_not_fit(given: Any) -> None:
    with fluid.dygraph.guard():
        x = value([[1.0, 2.0]])
        with pytest.raises(InvalidArgumentError, match="grad_outputs"):
            fluid.dygraph.grad(x * x, x, grad_outputs=fluid.dygraph.to_variable(given))


@pytest.mark.parametrize("argument", ["allow_unused", "create_graph", "retain_graph"])
def test_switches_are_true_or_false(argument: str) -> None:
    with fluid.dygraph.guard():
        x = value([1.0])
        with pytest.raises(AssertionError, match=argument):
            fluid.dygraph.grad(x * x, x, **{argument: 1})


def test_a_constant_gradient_can_be_differentiated() -> None:
    with fluid.dygraph.guard():
        x = value([1.0])
        assert not fluid.dygraph.grad(x * 2, x, create_graph=True)[0].stop_gradient
        assert fluid.dygraph.grad(x * 2, x)[0].stop_gradient


def test_rows_of_a_table_that_is_read_twice_come_once() -> None:
    with fluid.dygraph.guard():
        table = fluid.dygraph.Embedding([20, 2], is_sparse=True)
        ids = fluid.dygraph.to_variable(np.array([[2, 3, 1], [2, 2, 19]]))
        fluid.layers.reduce_sum(table(ids)).backward()
        values, rows = table.weight.gradient()
        assert rows.tolist() == [2, 3, 1, 2, 2, 19]
        (fluid.layers.reduce_sum(table(ids)) + 2 * fluid.layers.reduce_sum(table(ids))).backward()
        values, rows = table.weight.gradient()
        assert rows.tolist() == [1, 2, 3, 19]
        assert values[:, 0].tolist() == [3.0, 9.0, 3.0, 3.0]


def test_decorated_functions_keep_their_arguments() -> None:
    def total(a: Any, b: int = 1) -> Any:
        return a + b

    expected = inspect.getfullargspec(total)
    assert inspect.getfullargspec(fluid.dygraph.no_grad(total)) == expected
    wrapped = fluid.wrapped_decorator.wrap_decorator(lambda f: lambda *args: f(*args))(total)
    assert inspect.getfullargspec(wrapped) == expected


def test_the_switch_of_the_tracer_can_be_set() -> None:
    with fluid.dygraph.guard():
        x, tracer = value([1.0]), fluid.framework._dygraph_tracer()
        tracer._train_mode = False
        assert (x * 2).stop_gradient
        tracer._train_mode = True
        assert not (x * 2).stop_gradient


def test_functions_of_static_mode_only() -> None:
    @fluid.framework.dygraph_not_support
    def one() -> int:
        return 1

    with fluid.dygraph.guard(), pytest.raises(AssertionError, match="static mode only"):
        one()
    with fluid.program_guard(fluid.Program()):
        assert one() == 1


def test_a_strategy_has_one_member() -> None:
    with pytest.raises(AttributeError):
        fluid.dygraph.BackwardStrategy().unknown = 1  # type: ignore[attr-defined]


def test_a_pass_from_what_no_operator_made_changes_nothing() -> None:
    with fluid.dygraph.guard():
        x = value([1.0, 2.0])
        x.backward()
        assert x.gradient() is None
        (x * 3.0).backward()
        x.backward()
        assert x.gradient().tolist() == [3.0, 3.0]
        constant = value([1.0])
        constant.stop_gradient = True
        made = constant * 2.0
        made.stop_gradient = False
        made.backward()
        assert made.gradient() is None


@pytest.mark.parametrize(("number", "expected"), [(1.5, True), (0.3, True), (0.0, False), (-0.3, False), (float("nan"), False)])
def test_numbers_above_zero_are_true(number: float, expected: bool) -> None:
    with fluid.dygraph.guard():
        assert bool(value([number])) is expected
        assert (1 if value([[number]]) else 0) == expected


def test_what_a_pass_began_at_is_a_beginning_from_then_on() -> None:
    with fluid.dygraph.guard():
        x = value([1.0, 2.0])
        made = x * 2.0
        made.backward()
        (made * made).backward()
        assert (x.gradient().tolist(), made.gradient().tolist()) == ([2.0, 2.0], [4.0, 8.0])
        made.backward()
        assert made.gradient().tolist() == [4.0, 8.0]
        net, total = fluid.dygraph.Linear(2, 2), value([0.0])
        for _ in range(2):
            loss = fluid.layers.mean(net(value([[1.0, 2.0]])))
            loss.backward()
            total = total + loss
        before = net.bias.gradient()
        total.backward()
        assert (net.bias.gradient().tolist(), loss.gradient().tolist()) == (before.tolist(), [1.0])


def test_a_graph_is_kept_for_passes_of_other_values() -> None:
    with fluid.dygraph.guard():
        x = value([1.0, 2.0])
        square = x * x
        fourth = square * square
        fourth.backward(retain_graph=True)
        assert x.gradient().tolist() == [4.0, 32.0]
        square.backward(None, True)
        assert (x.gradient().tolist(), square.gradient().tolist()) == ([2.0, 4.0], [1.0, 1.0])
        (square * 3.0).backward()
        assert (x.gradient().tolist(), square.gradient().tolist()) == ([2.0, 4.0], [3.0, 3.0])
        with pytest.raises(TypeError, match="retain_graph"):
            (x * x).backward(retain_graph=None)

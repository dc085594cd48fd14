"""PyLayer: what it holds on to, lists of Tensors, gradients that do not fit, second backward passes."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.autograd import PyLayer


class Tanh(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = paddle.tanh(x)
        ctx.save_for_backward(x, y)
        ctx.note = [x.shape]
        return y

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        _, y = ctx.saved_tensor()
        return dy * (1 - y * y)


class Weighed(PyLayer):
    @staticmethod
    def forward(ctx: Any, parts: Any, scale: float) -> Any:
        return parts[0] * scale + parts[1] * 2

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return ([dy * 5, dy * 7],)


class Wrong(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return paddle.ones([3])


def test_nothing_is_held_by_a_cycle() -> None:
    gc.collect()
    gc.disable()
    try:
        x = paddle.to_tensor([1.0], stop_gradient=False)
        y = Tanh.apply(x * 1)
        kept = [weakref.ref(y), weakref.ref(y._t.grad_fn)]
        del y
        assert [ref() for ref in kept] == [None, None]
        y = Tanh.apply(x * 1)
        y.backward()
        kept = [weakref.ref(y), weakref.ref(y._t.grad_fn)]
        del y
        assert [ref() for ref in kept] == [None, None]
    finally:
        gc.enable()


def test_a_second_backward_pass() -> None:
    x = paddle.to_tensor([1.0], stop_gradient=False)
    y = Tanh.apply(x)
    y.backward(retain_graph=True)
    once = float(x.grad)
    y.backward()
    assert float(x.grad) == 2 * once
    with pytest.raises(SystemError, match="retain_graph=True"):
        y.backward()


def test_lists_of_tensors_have_lists_of_gradients() -> None:
    x, y = (paddle.to_tensor([1.0], stop_gradient=False) for _ in range(2))
    Weighed.apply([x, y], 3.0).backward()
    assert (x.grad.tolist(), y.grad.tolist()) == ([5.0], [7.0])


def test_a_gradient_of_another_size_is_refused() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with pytest.raises(ValueError, match=r"Wrong.*\[2\] at 0 position.*\[3\]"):
        Wrong.apply(x).backward()


def test_a_result_can_be_written_over() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = Tanh.apply(x * 1)
    y[0] = 5.0
    y.sum().backward()
    assert x.grad[0] == 0.0 and 0.0 < float(x.grad[1]) < 0.1


def test_only_gradients_that_nobody_gave_stop_gradients() -> None:
    seen = []

    class Twins(PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2, x * 3

        @staticmethod
        def backward(ctx: Any, a: Any, b: Any) -> Any:
            seen.append((a.stop_gradient, b.stop_gradient))
            return a + b

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    Twins.apply(x)[0].sum().backward()
    assert seen == [(False, True)]  # 2.6.2's


def test_what_a_backward_function_raises_is_an_external_error_too() -> None:
    class NoBackward(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

    class Raises(NoBackward):
        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            raise AttributeError("mine")  # which cannot be an OSError itself

    class TwoLevels(NoBackward):
        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            with paddle.enable_grad():
                Raises.apply(paddle.to_tensor([1.0], stop_gradient=False)).backward()

    for layer, own in ((NoBackward, NotImplementedError), (Raises, OSError), (TwoLevels, OSError)):
        x = paddle.to_tensor([1.0], stop_gradient=False)
        with pytest.raises(OSError, match=r"^\(External\) ") as caught:  # as in 2.6.2 and 3.3.1
            layer.apply(x).backward()
        assert isinstance(caught.value, own) and str(caught.value).count("External") == 1
        assert x.grad is None

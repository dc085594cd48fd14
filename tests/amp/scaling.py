"""Steps of a GradScaler, the same under the wheel and under ours."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import numpy as np

FACTORS = (1.0, float("inf"), float("nan"), 1.0, 1.0, 1.0, 1.0, float("inf"), 1.0, float("inf"), float("inf"), 2.0)


def steps(paddle: Any, scaler: Any) -> list[Any]:
    """After each step: the parameter, the scaler's state and what was printed."""
    w = paddle.create_parameter([2], "float32")
    w.set_value(np.array([1.0, 2.0], "float32"))
    adam = paddle.optimizer.Adam(0.1, parameters=[w])
    told = []
    for i, factor in enumerate(FACTORS):
        loss = (w * paddle.to_tensor(np.array([1.0, factor], "float32"))).sum()
        paddle.autograd.backward([scaler.scale(loss)])
        with contextlib.redirect_stdout(io.StringIO()) as out:
            if i % 3 == 0:
                scaler.unscale_(adam)
            grad = [repr(float(value)) for value in w.grad.numpy()]
            if i % 2:
                scaler.step(adam)
                scaler.update()
            else:
                scaler.minimize(adam, loss)
        adam.clear_grad()
        state = {name: np.asarray(value).tolist() for name, value in scaler.state_dict().items()}
        told.append([[round(float(value), 5) for value in w.numpy()], grad, state, out.getvalue()])
    return told


def refusals(paddle: Any, make: Any) -> dict[str, str]:
    """The kinds of errors, and the beginnings of their messages, of wrong use."""
    w = paddle.create_parameter([2], "float32")
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    paddle.autograd.backward([(w * 2.0).sum()])

    def after_step() -> None:
        scaler = make()
        scaler.step(sgd)
        scaler.unscale_(sgd)

    def twice(method: str) -> None:
        scaler = make()
        for _ in range(2):
            getattr(scaler, method)(sgd)

    cases = {
        "incr_ratio": lambda: make(incr_ratio=0.5),
        "decr_ratio": lambda: make(decr_ratio=2.0),
        "set_incr_ratio": lambda: make().set_incr_ratio(1.0),
        "set_decr_ratio": lambda: make().set_decr_ratio(1.0),
        "unscale twice": lambda: twice("unscale_"),
        "step twice": lambda: twice("step"),
        "unscale after step": after_step,
        "empty state": lambda: make().load_state_dict({}),
        "half a state": lambda: make().load_state_dict({"a": 1}),
    }
    found = {}
    for name, case in cases.items():
        try:
            case()
            found[name] = ""
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"
    return found

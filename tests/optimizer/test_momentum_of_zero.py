"""`Momentum` without momentum, whose velocities are the gradients; numbers by 2.6.2."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle

X = np.linspace(-1, 1, 6).reshape(2, 3).astype("float32")


@pytest.mark.parametrize("nesterov", [True, False])
@pytest.mark.parametrize(
    ("decay", "weights", "velocities"),
    [(None, [-0.3595, -0.46665], [-0.03561, 0.17138]), (0.1, [-0.34856, -0.45111], [-0.0318, 0.15302])],
)
def test_steps(nesterov: bool, decay: float | None, weights: Any, velocities: Any) -> None:
    paddle.seed(0)
    layer = paddle.nn.Linear(3, 2)
    optimizer = paddle.optimizer.Momentum(0.1, 0.0, layer.parameters(), use_nesterov=nesterov, weight_decay=decay)
    for _ in range(3):
        (layer(paddle.to_tensor(X)) ** 2).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
    np.testing.assert_allclose(layer.weight[0], weights, atol=2e-5)
    (velocity,) = (value for name, value in optimizer.state_dict().items() if "b_0_velocity" in name)
    np.testing.assert_allclose(velocity, velocities, atol=2e-5)


def test_a_program() -> None:
    paddle.enable_static()
    try:
        static, constant = paddle.static, paddle.nn.initializer.Constant(0.3)
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup), static.scope_guard(static.Scope()):
            out = static.nn.fc(static.data("x", [2, 3]), 2, weight_attr=paddle.ParamAttr(initializer=constant))
            loss = (out * out).mean()
            paddle.optimizer.Momentum(0.1, 0.0, weight_decay=0.05).minimize(loss)
            exe = static.Executor()
            exe.run(startup)
            losses = [exe.run(main, feed={"x": X}, fetch_list=[loss])[0].item() for _ in range(3)]
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(losses, [0.2916, 0.22942, 0.1805], atol=2e-5)

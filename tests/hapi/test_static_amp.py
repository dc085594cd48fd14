"""`Model.prepare(amp_configs=...)` in static mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.static.amp import fp16_lists


def trained(configs: Any) -> tuple[list[float], np.ndarray, list[str]]:
    """Losses of a few batches, a prediction, and the operators of the training Program."""
    paddle.enable_static()
    try:
        paddle.seed(1)
        main = paddle.static.Program()
        with paddle.static.program_guard(main, paddle.static.Program()), paddle.static.scope_guard(paddle.static.Scope()):
            net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.ReLU(), paddle.nn.Linear(8, 2))
            x_spec, y_spec = paddle.static.InputSpec([None, 4], "float32", "x"), paddle.static.InputSpec([None, 1], "int64", "y")
            model = paddle.Model(net, [x_spec], [y_spec])
            optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
            model.prepare(optimizer, paddle.nn.CrossEntropyLoss(), amp_configs=configs)
            x, y = np.random.RandomState(0).rand(6, 4).astype("float32"), np.arange(6).reshape(6, 1) % 2
            losses = [float(np.ravel(model.train_batch([x], [y])[0])[0]) for _ in range(3)]
            (predicted,) = model.predict_batch([x])
            return losses, predicted, [op.type for op in model._adapter._built["train"].program.global_block().ops]
    finally:
        paddle.disable_static()


@pytest.mark.parametrize("configs", ["O1", "O2", {"level": "O2", "use_fp16_guard": False}, {"init_loss_scaling": 128.0}])
def test_on_a_cpu_only_the_loss_is_scaled(configs: Any) -> None:
    """As the wheel: its CPU computes nothing in float16."""
    plain, predicted, _ = trained(None)
    losses, again, ops = trained(configs)
    assert losses == pytest.approx(plain, abs=1e-6) and again.dtype == predicted.dtype
    assert "update_loss_scaling" in ops and "cast" not in ops


@pytest.mark.parametrize("configs", ["O1", {"level": "O2", "use_fp16_guard": False}])
def test_where_the_device_has_the_operators(configs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, _, _ = trained(None)
    monkeypatch.setattr(fp16_lists, "_get_sys_unsupported_list", lambda dtype: ("GPU", set(), set()))
    losses, predicted, ops = trained(configs)
    assert losses != plain and losses == pytest.approx(plain, abs=3e-4)
    assert "cast" in ops and predicted.dtype == ("float32" if configs == "O1" else "float16")


def test_a_fixed_factor() -> None:
    _, _, ops = trained({"use_dynamic_loss_scaling": False})
    assert "check_finite_and_unscale" in ops and "update_loss_scaling" not in ops

"""Gradients that add up in float32 beside parameters of low precision, as fleet's `mix_precision_utils` of Paddle 2.6.2 has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.distributed.fleet.utils import mix_precision_utils as precision

# the wheel's numbers
SUMS = [[8.0] * 3, [12.0] * 3, [16.0] * 3, [20.0] * 3]
FIRST = [[-0.99182999, 0.39004999, 0.22566999], [-0.93941998, -0.30785999, 0.75945002], [0.12857001, 0.17651001, -0.03088],
         [-0.84223998, -0.1532, 0.56037998]]  # fmt: skip
SECOND = [[-1.09082997, 0.28966001, 0.12544], [-1.03848004, -0.40755001, 0.65868998], [0.02844, 0.07634, -0.13085],
          [-0.94138998, -0.25305, 0.45982]]  # fmt: skip


def test_sums_and_steps() -> None:
    paddle.seed(1)
    net = nn.Linear(4, 3)
    model = precision.MixPrecisionLayer(net, dtype="bfloat16")
    assert net.weight.main_grad is None and sorted(model.state_dict()) == ["bias", "weight"]
    adamw: Any = paddle.optimizer.AdamW(0.1, parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(0.5))
    adamw = precision.MixPrecisionOptimizer(adamw)
    x = paddle.to_tensor(np.arange(8).reshape(2, 4).astype("float32"))
    for _ in range(2):
        model(x).sum().backward()
    main = net.weight.main_grad
    assert main.tolist() == SUMS and main.name == f"main_grad@{net.weight.name}" and net.weight.grad is None
    adamw.step()
    np.testing.assert_allclose(net.weight.numpy(), FIRST, atol=2e-5)
    adamw.clear_grad()
    assert net.weight.main_grad.abs().sum().item() == 0.0
    adamw.clear_grad(set_to_zero=False)
    assert net.weight.main_grad is None
    model(x).mean().backward()
    adamw.step()
    np.testing.assert_allclose(net.weight.numpy(), SECOND, atol=2e-5)
    assert len(adamw.state_dict()) == 8 and model.set_state_dict(model.state_dict()) is None


def test_parameters_in_low_precision_and_in_groups() -> None:
    net = nn.Linear(4, 3)
    frozen = net.bias
    frozen.stop_gradient = True
    groups = [{"params": [net.weight], "learning_rate": 0.5}]
    model, inner = paddle.amp.decorate(net, paddle.optimizer.SGD(1.0, parameters=groups), level="O2", dtype="bfloat16")
    model = precision.MixPrecisionLayer(model, dtype="bfloat16")
    sgd = precision.MixPrecisionOptimizer(inner)
    before = net.weight.astype("float32").numpy()
    model(paddle.ones([2, 4], "bfloat16")).astype("float32").sum().backward()
    sgd.step()
    assert net.weight.main_grad.dtype == paddle.float32 and frozen.main_grad is None
    np.testing.assert_allclose(net.weight.astype("float32").numpy(), before - 1.0, atol=2e-2)


def test_other_data_types_are_refused() -> None:
    with pytest.raises(AssertionError, match="float16 or bfloat16"):
        precision.MixPrecisionLayer(nn.Linear(2, 2), dtype="float32")
    assert not precision.MixPrecisionScaler(paddle.amp.GradScaler(enable=False)).is_enable()

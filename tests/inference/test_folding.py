"""Predictors make batch norms a part of the convolutions in front of them, where nobody else reads those, and pack filters for oneDNN."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat import inference, nn
from paddle_compat.ops.conv import packed
from paddle_compat.static import InputSpec

X = np.random.RandomState(0).randn(2, 3, 8, 8).astype("float32")


class Twice(nn.Layer):
    """Its first convolution is read by a batch norm and by a sum."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm, self.second = nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4), nn.BatchNorm2D(4)

    def forward(self, x: Any) -> Any:
        x = self.conv(x)
        return self.second(x + self.norm(x))


class Shared(nn.Layer):
    """One convolution in front of two batch norms."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm, self.second = nn.Conv2D(3, 3, 1, bias_attr=False), nn.BatchNorm2D(3), nn.BatchNorm2D(3)

    def forward(self, x: Any) -> Any:
        return self.second(self.conv(self.norm(self.conv(x))))


def stacked(*layers: Any) -> Any:
    return nn.Sequential(nn.Conv2D(3, 4, 3, bias_attr=False), nn.BatchNorm2D(4), nn.ReLU(), *layers)


NETS = {  # how many batch norms stay
    "plain": (stacked, 0),
    "with a bias, and for each channel": (lambda: stacked(nn.Conv2D(4, 4, 3, groups=4), nn.BatchNorm2D(4, epsilon=1e-3)), 0),
    "shared": (Shared, 0),
    "behind something else": (lambda: stacked(nn.BatchNorm2D(4)), 1),
    "read twice": (Twice, 2),
    "channels last": (lambda: nn.Sequential(nn.Conv2D(8, 4, 3, data_format="NHWC"), nn.BatchNorm2D(4, data_format="NHWC")), 1),
    "transposed": (lambda: stacked(nn.Conv2DTranspose(4, 3, 3), nn.BatchNorm2D(3)), 1),
}


def trained(net: Any) -> Any:
    """The network, with moments that it has seen."""
    paddle.seed(3)
    for parameter in net.parameters():
        parameter.set_value(paddle.randn(parameter.shape))
    net.train()
    for _ in range(3):
        net(paddle.to_tensor(X))
    net.eval()
    return net


@pytest.mark.parametrize("name", NETS)
def test_folded(name: str, tmp_path: Path) -> None:
    make, left = NETS[name]
    net = trained(make())
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, [InputSpec([None, 3, 8, 8], "float32", "x")])
    expected = net(paddle.to_tensor(X)).numpy()
    for optimizes, norms in ((True, left), (False, sum(isinstance(layer, nn.BatchNorm2D) for layer in net.sublayers()))):
        config = inference.Config(prefix + ".pdmodel", prefix + ".pdiparams")
        config.switch_ir_optim(optimizes)
        predictor = inference.create_predictor(config)
        assert sum(op.type == "batch_norm" for op in predictor._program.global_block().ops) == norms
        (found,) = predictor.run([paddle.to_tensor(X)])
        np.testing.assert_allclose(found.numpy(), expected, 1e-4 if optimizes else 1e-6, 1e-4 if optimizes else 1e-6)


def test_what_is_fetched_stays(tmp_path: Path) -> None:
    paddle.enable_static()
    x = paddle.static.data("x", [None, 3, 8, 8])
    inner = nn.Conv2D(3, 4, 3, bias_attr=False)(x)
    norm = nn.BatchNorm2D(4)
    norm.eval()
    executor = paddle.static.Executor()
    out = norm(inner)
    executor.run(paddle.static.default_startup_program())
    expected = executor.run(feed={"x": X}, fetch_list=[inner, out])
    prefix = str(tmp_path / "net")
    paddle.static.save_inference_model(prefix, [x], [inner, out], executor)
    paddle.disable_static()
    predictor = inference.create_predictor(inference.Config(prefix + ".pdmodel", prefix + ".pdiparams"))
    for found, wanted in zip(predictor.run([paddle.to_tensor(X)]), expected):
        np.testing.assert_allclose(found.numpy(), wanted, 1e-5, 1e-5)


class Wide(nn.Layer):
    """Convolutions of many channels, one of which shares its filter with a product."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm = nn.Conv2D(3, 64, 3), nn.BatchNorm2D(64)
        self.deep, self.last = nn.Conv2D(64, 64, 3, groups=64), nn.Conv2D(64, 32, 1, bias_attr=False)

    def forward(self, x: Any) -> Any:
        x = self.last(self.deep(nn.functional.relu(self.norm(self.first(x)))))
        return x * self.last.weight.sum()


@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="this torch is built without oneDNN")
@pytest.mark.parametrize("size", [32, None])
def test_packed_filters(size: int | None, tmp_path: Path) -> None:
    net = Wide()
    net.eval()
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, [InputSpec([None, 3, size, size], "float32", "x")])
    predictor = inference.create_predictor(inference.Config(prefix + ".pdmodel", prefix + ".pdiparams"))
    filters = {op.input("Filter")[0] for op in predictor._program.global_block().ops if "conv2d" in op.type}
    laid = [predictor._scope.find_var(name).tensor.value.is_mkldnn for name in sorted(filters)]
    assert laid.count(True) == 2 and laid.count(False) == 1  # what the product reads lies as it did
    for shape in ((2, 3, 32, 32), (1, 3, 5, 5), (1, 3, 40, 31), (0, 3, 32, 32)):
        x = paddle.to_tensor(np.random.RandomState(1).randn(*shape).astype("float32"))
        (found,) = predictor.run([x])
        np.testing.assert_allclose(found.numpy(), net(x).numpy(), 1e-5, 1e-5)
    for shape in ((1, 4, 32, 32), (1, 3, 2, 2), (3, 32, 32)):
        with pytest.raises(ValueError, match="(?i)expected"):
            predictor.run([paddle.ones(shape)])


def test_a_plain_kernels_filter_is_not_packed() -> None:
    weight = torch.randn(8, 8, 1, 1)
    assert packed(weight, (-1, 8, 2, 2), (0, 0), (1, 1), (1, 1), 1) is weight

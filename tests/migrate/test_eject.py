"""What Layers compute, written down as torch's own programs, which open sizes may come in any number to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat.migrate import eject

nn, F = paddle.nn, paddle.nn.functional
IMAGE, ROWS = (3, 8, 8), (5, 8)


class Recurrent(nn.Layer):
    """The outputs of a recurrent network."""

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.net = kind(8, 6, 2, direction="bidirect")

    def forward(self, x: Any) -> Any:
        return self.net(x)[0]


LAYERS = {
    "mlp": (lambda: nn.Sequential(nn.Linear(8, 16), nn.GELU(True), nn.LayerNorm(16), nn.Dropout(), nn.Linear(16, 2), nn.Softmax()), ROWS),
    "convolutions": (
        lambda: nn.Sequential(
            nn.Conv2D(3, 8, 3, padding=1), nn.BatchNorm2D(8), nn.ReLU(), nn.MaxPool2D(2), nn.Conv2DTranspose(8, 4, 2, 2),
            nn.GroupNorm(2, 4), nn.InstanceNorm2D(4), nn.AdaptiveAvgPool2D(2), nn.Upsample(scale_factor=2), nn.Flatten(), nn.Linear(64, 3),
        ),
        IMAGE,
    ),
    "lstm": (lambda: Recurrent(nn.LSTM), ROWS),
    "gru": (lambda: Recurrent(nn.GRU), ROWS),
    "encoder": (lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2), ROWS),
    "resnet": (paddle.vision.models.resnet18, (3, 32, 32)),
}  # fmt: skip
FUNCTIONS = {
    "sizes": lambda x: x.reshape([x.shape[0], -1]) + paddle.full([x.shape[0], 1], 2.0),
    "kept sizes": lambda x: paddle.reshape(x, [0, 0, -1]),
    "parts": lambda x: paddle.concat([x[:, :1], x[..., 1:-1:2, :].sum(2, keepdim=True).expand([-1, -1, 8, 8])], 1),
    "numbers": lambda x: (x.abs() + 1) ** 2.5 - x / 3 + x // 2.0 + x % 2.0,
    "choices": lambda x: paddle.where(x > 0, x, -x) + (x == x).cast("float32") + paddle.clip(x, -1, 1),
    "orders": lambda x: paddle.topk(x, 2)[0] + paddle.sort(x, -1)[..., :2] + paddle.argmax(x, -1, keepdim=True).cast("float32"),
    "statistics": lambda x: paddle.std(x, [2, 3]) + paddle.logsumexp(x, [2, 3]) + x.mean(),
    "written parts": lambda x: (lambda y: (y.__setitem__((slice(None), 0), 0.0), y)[1])(x * 1),
    "attention": lambda x: F.scaled_dot_product_attention(*[x.transpose([0, 2, 1, 3])] * 3),
    "other sizes": lambda x: F.interpolate(F.pad(x, [1, 1, 1, 1]), size=[4, 5], mode="bilinear"),
}


def check(found: Any, layer: Any, shape: tuple[int, ...]) -> None:
    """Compare on batches of other sizes."""
    assert not any("paddle_compat" in str(node.target) for node in found.graph.nodes)
    (size,) = found.range_constraints.values()
    assert size.upper > 10**9, "the number of examples has a bound"
    for count in (2, 7):
        x = np.random.default_rng(count).standard_normal((count, *shape)).astype(np.float32)
        np.testing.assert_allclose(found.module()(torch.from_numpy(x)).detach(), layer(paddle.to_tensor(x)).numpy(), 1e-4, 1e-5)


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name: str) -> None:
    make, shape = LAYERS[name]
    paddle.seed(1)
    layer = make()
    found = eject(layer, [paddle.static.InputSpec([None, *shape])])
    assert layer.training, "a layer stays in its mode"
    layer.eval()
    check(found, layer, shape)
    assert {*found.state_dict} == {*layer.state_dict()}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    check(eject(FUNCTIONS[name], [paddle.static.InputSpec([None, *IMAGE])]), FUNCTIONS[name], IMAGE)


def test_torch_alone_runs_the_file(tmp_path: Path) -> None:
    paddle.seed(1)
    layer = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    torch.export.save(eject(layer, [paddle.static.InputSpec([None, 4])]), tmp_path / "net.pt2")
    run = "net = torch.export.load('net.pt2').module(); print(net(torch.ones(3, 4)).tolist(), 'paddle_compat' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", f"import sys, torch; {run}"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == f"{layer(paddle.ones([3, 4])).tolist()} False", done.stderr


def test_inputs_of_several_kinds() -> None:
    table = paddle.rand([10, 4])

    def look_up(ids: Any, weights: Any) -> dict[str, Any]:
        return {"found": F.embedding(ids, table) * weights, "ids": ids}

    found = eject(look_up, [paddle.static.InputSpec([-1, 3], "int64"), paddle.ones([1])]).module()
    ids = torch.tensor([[1, 2, 3], [4, 5, 6]])
    out = found(ids, torch.full((1,), 2.0))
    assert torch.equal(out["ids"], ids)
    np.testing.assert_allclose(out["found"], 2 * table.numpy()[ids.numpy()])


def test_constants_made_while_torch_traces_are_not_kept() -> None:
    """Numbers beside tensors are kept for later calls (core.constants), but for those that stand for a trace's own."""
    eject(lambda x: x + 17.25, [paddle.static.InputSpec([2])])
    assert (paddle.ones([2]) + 17.25).tolist() == [18.25, 18.25]


def test_what_is_no_input() -> None:
    with pytest.raises(ValueError, match="`input_spec` of `eject`. Expected InputSpecs or Tensors. Received: "):
        eject(nn.Linear(2, 2), [(None, 2)])

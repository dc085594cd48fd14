"""The workloads as scripts for Paddle 2.x in eager mode: Layers, `backward` and `step`.

    python -m paddle_compat benchmarks/workloads/paddle_eager.py mlp

A wheel's own Python runs it too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
import paddle
import paddle.nn.functional as F
from harness import MLP, RESNET, TRANSFORMER
from paddle import nn


class Mlp(nn.Layer):
    """The MLP of the Fleet example."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden1 = nn.Linear(MLP["features"], MLP["hidden"])
        self.hidden2 = nn.Linear(MLP["hidden"], MLP["hidden"])
        self.out = nn.Linear(MLP["hidden"], MLP["classes"])

    def forward(self, x: Any) -> Any:
        """Logits."""
        return self.out(paddle.tanh(self.hidden2(paddle.tanh(self.hidden1(x)))))


class ConvNorm(nn.Layer):
    """A convolution without bias, then batch norm."""

    def __init__(self, inputs: int, filters: int, size: int, stride: int) -> None:
        super().__init__()
        self.conv = nn.Conv2D(inputs, filters, size, stride, (size - 1) // 2, bias_attr=False)
        self.norm = nn.BatchNorm2D(filters)

    def forward(self, x: Any) -> Any:
        """The normed feature maps."""
        return self.norm(self.conv(x))


class Block(nn.Layer):
    """Two convolutions and a way past them."""

    def __init__(self, inputs: int, filters: int, stride: int) -> None:
        super().__init__()
        self.first = ConvNorm(inputs, filters, 3, stride)
        self.second = ConvNorm(filters, filters, 3, 1)
        self.short = ConvNorm(inputs, filters, 1, stride) if stride > 1 else nn.Identity()

    def forward(self, x: Any) -> Any:
        """The block's feature maps."""
        return F.relu(self.second(F.relu(self.first(x))) + self.short(x))


class ResNet18(nn.Layer):
    """ResNet-18 on small images."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = ConvNorm(3, 64, 7, 2)
        widths = [64, *(w for w in RESNET["stages"] for _ in (0, 1))]
        self.blocks = nn.Sequential(*(Block(i, o, 2 if i != o else 1) for i, o in zip(widths, widths[1:])))
        self.out = nn.Linear(512, RESNET["classes"])

    def forward(self, x: Any) -> Any:
        """Logits."""
        x = self.blocks(F.max_pool2d(F.relu(self.stem(x)), 3, 2, 1))
        return self.out(paddle.flatten(F.adaptive_avg_pool2d(x, 1), 1))


class Encoder(nn.Layer):
    """One layer of a transformer encoder, written out as papers do."""

    def __init__(self) -> None:
        super().__init__()
        width, inner = TRANSFORMER["width"], TRANSFORMER["inner"]
        self.query, self.key, self.value, self.mix = (nn.Linear(width, width) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.wide, self.narrow = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x: Any) -> Any:
        """The layer's states."""
        width, heads = TRANSFORMER["width"], TRANSFORMER["heads"]

        def split(whole: Any) -> Any:
            return paddle.transpose(paddle.reshape(whole, [0, 0, heads, width // heads]), [0, 2, 1, 3])

        scores = paddle.matmul(split(self.query(x)), split(self.key(x)), transpose_y=True) * (width // heads) ** -0.5
        mixed = paddle.transpose(paddle.matmul(F.softmax(scores), split(self.value(x))), [0, 2, 1, 3])
        x = self.norm1(x + self.mix(paddle.reshape(mixed, [0, 0, width])))
        return self.norm2(x + self.narrow(F.relu(self.wide(x))))


class Transformer(nn.Layer):
    """A text classifier on two encoder layers."""

    def __init__(self) -> None:
        super().__init__()
        width = TRANSFORMER["width"]
        tables = {"words": nn.Embedding(TRANSFORMER["words"], width), "places": nn.Embedding(TRANSFORMER["length"], width)}
        self.table = nn.LayerDict(tables)
        self.layers = nn.Sequential(*(Encoder() for _ in range(TRANSFORMER["layers"])))
        self.out = nn.Linear(width, TRANSFORMER["classes"])

    def forward(self, text: Any) -> Any:
        """Logits."""
        x = self.table["words"](text) + self.table["places"](paddle.arange(TRANSFORMER["length"], dtype="int64"))
        return self.out(paddle.mean(self.layers(x), axis=1))


TRAINED: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "mlp": (Mlp, lambda params: paddle.optimizer.SGD(0.1, parameters=params)),
    "mlp_adam": (Mlp, lambda params: paddle.optimizer.Adam(1e-3, parameters=params)),
    "resnet18": (ResNet18, lambda params: paddle.optimizer.Momentum(0.01, 0.9, parameters=params)),
    "transformer": (Transformer, lambda params: paddle.optimizer.Adam(1e-3, parameters=params)),
}


def make(workload: str) -> Callable[[harness.Batch], Any]:
    """One step of a workload; numpy goes in, and a number comes out."""
    network, optimizer_of = TRAINED[workload]
    model = network()
    for name, param in model.named_parameters():
        if param.trainable:  # the running statistics of batch norm are parameters too
            param.set_value(harness.start_value(name, tuple(param.shape)))
    optimizer = optimizer_of(model.parameters())

    def train(batch: harness.Batch) -> float:
        x, label = (paddle.to_tensor(a) for a in batch.values())
        loss = F.cross_entropy(model(x), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return float(loss)

    return train


if __name__ == "__main__":
    harness.main(paddle.__version__, make, list(TRAINED))

"""The workloads as a person writes them by hand in PyTorch, run eagerly.

    python benchmarks/workloads/torch_eager.py mlp

It is what paddle_compat is compared with.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import harness
import torch
import torch.nn.functional as F
from harness import CONVNET, CTR, MLP, RESNET, SLOTS, TRANSFORMER
from torch import Tensor, nn


class Mlp(nn.Module):
    """The MLP of the Fleet example."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden1 = nn.Linear(MLP["features"], MLP["hidden"])
        self.hidden2 = nn.Linear(MLP["hidden"], MLP["hidden"])
        self.out = nn.Linear(MLP["hidden"], MLP["classes"])

    def forward(self, x: Tensor) -> Tensor:
        """Logits."""
        return self.out(torch.tanh(self.hidden2(torch.tanh(self.hidden1(x)))))


class ConvNorm(nn.Module):
    """A convolution without bias, then batch norm."""

    def __init__(self, inputs: int, filters: int, size: int, stride: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, filters, size, stride, (size - 1) // 2, bias=False)
        self.norm = nn.BatchNorm2d(filters)

    def forward(self, x: Tensor) -> Tensor:
        """The normed feature maps."""
        return self.norm(self.conv(x))


class Block(nn.Module):
    """Two convolutions and a way past them."""

    def __init__(self, inputs: int, filters: int, stride: int) -> None:
        super().__init__()
        self.first = ConvNorm(inputs, filters, 3, stride)
        self.second = ConvNorm(filters, filters, 3, 1)
        self.short = ConvNorm(inputs, filters, 1, stride) if stride > 1 else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        """The block's feature maps."""
        return F.relu(self.second(F.relu(self.first(x))) + self.short(x))


class ResNet18(nn.Module):
    """ResNet-18 on small images."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = ConvNorm(3, 64, 7, 2)
        widths = [64, *(w for w in RESNET["stages"] for _ in (0, 1))]
        blocks = [Block(i, o, 2 if i != o else 1) for i, o in zip(widths, widths[1:])]
        self.blocks = nn.Sequential(*blocks)
        self.out = nn.Linear(512, RESNET["classes"])

    def forward(self, x: Tensor) -> Tensor:
        """Logits."""
        x = self.blocks(F.max_pool2d(F.relu(self.stem(x)), 3, 2, 1))
        return self.out(F.adaptive_avg_pool2d(x, 1).flatten(1))


class ConvNet(nn.Module):
    """Two convolutions with biases, each with a pooling behind it."""

    def __init__(self) -> None:
        super().__init__()
        widths = [3, *CONVNET["filters"]]
        self.convs = nn.ModuleList(nn.Conv2d(i, o, 3, padding=1) for i, o in zip(widths, widths[1:]))
        self.out = nn.Linear(widths[-1] * (CONVNET["size"] // 4) ** 2, CONVNET["classes"])

    def forward(self, x: Tensor) -> Tensor:
        """Logits."""
        for conv in self.convs:
            x = F.max_pool2d(F.relu(conv(x)), 2)
        return self.out(x.flatten(1))


class Encoder(nn.Module):
    """One layer of a transformer encoder."""

    def __init__(self) -> None:
        super().__init__()
        width, inner = TRANSFORMER["width"], TRANSFORMER["inner"]
        self.query, self.key, self.value, self.mix = (nn.Linear(width, width) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.wide, self.narrow = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x: Tensor) -> Tensor:
        """The layer's states."""
        parts = (f(x).unflatten(-1, (TRANSFORMER["heads"], -1)).transpose(1, 2) for f in (self.query, self.key, self.value))
        mixed = F.scaled_dot_product_attention(*parts).transpose(1, 2).flatten(2)
        x = self.norm1(x + self.mix(mixed))
        return self.norm2(x + self.narrow(F.relu(self.wide(x))))


class Transformer(nn.Module):
    """A text classifier on two encoder layers."""

    def __init__(self) -> None:
        super().__init__()
        width = TRANSFORMER["width"]
        tables = {"words": nn.Embedding(TRANSFORMER["words"], width), "places": nn.Embedding(TRANSFORMER["length"], width)}
        self.table = nn.ModuleDict(tables)
        self.layers = nn.Sequential(*(Encoder() for _ in range(TRANSFORMER["layers"])))
        self.out = nn.Linear(width, TRANSFORMER["classes"])

    def forward(self, text: Tensor) -> Tensor:
        """Logits."""
        x = self.table["words"](text) + self.table["places"].weight
        return self.out(self.layers(x).mean(1))


class Ctr(nn.Module):
    """A wide and deep click model; the ids of all slots are looked up at once."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(CTR["rows"], CTR["columns"], sparse=True)
        widths = [CTR["slots"] * CTR["columns"] + CTR["dense"], *CTR["hidden"]]
        self.deep = nn.ModuleList(nn.Linear(i, o) for i, o in zip(widths, widths[1:]))
        self.out, self.wide = nn.Linear(widths[-1], 1), nn.Linear(CTR["dense"], 1)

    def forward(self, dense: Tensor, *ids: Tensor) -> Tensor:
        """Logits."""
        x = torch.cat([self.table(torch.cat(ids, 1)).flatten(1), dense], 1)
        for layer in self.deep:
            x = F.relu(layer(x))
        return self.out(x) + self.wide(dense)


def filled(model: nn.Module) -> nn.Module:
    """The model with the benchmark's start values."""
    with torch.no_grad():
        for name, param in model.named_parameters():
            module = model.get_submodule(name.rpartition(".")[0])
            turned = isinstance(module, nn.Linear) and param.dim() == 2  # torch keeps [out, in]
            value = torch.from_numpy(harness.start_value(name, tuple(param.T.shape if turned else param.shape)))
            param.copy_(value.T if turned else value)
    return model


def sparse_adam(model: Any) -> list[Any]:
    """Adam for the dense parameters and SparseAdam for the table, which touches only rows that were looked up."""
    table = model.table.weight
    others = [p for p in model.parameters() if p is not table]
    return [torch.optim.SparseAdam([table], 1e-3), torch.optim.Adam(others, 1e-3)]


def classify(model: nn.Module, inputs: list[Tensor]) -> Tensor:
    """Cross entropy of a classifier."""
    x, label = inputs
    return F.cross_entropy(model(x), label.squeeze(1))


def click(model: nn.Module, inputs: list[Tensor]) -> Tensor:
    """Cross entropy of the click model."""
    assert len(inputs) == 2 + len(SLOTS)
    return F.binary_cross_entropy_with_logits(model(*inputs[:-1]), inputs[-1])


TRAINED: dict[str, tuple[Any, Callable[..., Tensor], Callable[[Any], list[Any]]]] = {
    "mlp": (Mlp, classify, lambda m: [torch.optim.SGD(m.parameters(), 0.1)]),
    "mlp_adam": (Mlp, classify, lambda m: [torch.optim.Adam(m.parameters(), 1e-3)]),
    "resnet18": (ResNet18, classify, lambda m: [torch.optim.SGD(m.parameters(), 0.01, momentum=0.9)]),
    "convnet": (ConvNet, classify, lambda m: [torch.optim.SGD(m.parameters(), 0.001)]),
    "transformer": (Transformer, classify, lambda m: [torch.optim.Adam(m.parameters(), 1e-3)]),
    "ctr_sgd": (Ctr, click, lambda m: [torch.optim.SGD(m.parameters(), 0.05)]),
    "ctr_adam": (Ctr, click, sparse_adam),
}


def make(workload: str) -> Callable[[harness.Batch], Any]:
    """One step of a workload; numpy goes in and comes out, as with an Executor."""
    if workload == "infer":
        network = filled(Mlp()).eval()

        @torch.no_grad()
        def infer(batch: harness.Batch) -> Any:
            return F.softmax(network(torch.from_numpy(batch["x"])), -1).numpy()

        return infer
    kind, loss_of, optimizers_of = TRAINED[workload]
    model = filled(kind())
    optimizers = optimizers_of(model)

    def train(batch: harness.Batch) -> Any:
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss = loss_of(model, [torch.from_numpy(a) for a in batch.values()])
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        return loss.item()

    return train


if __name__ == "__main__":
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    harness.main(torch.__version__, make, [*TRAINED, "infer"])

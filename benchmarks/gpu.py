"""Training steps on a GPU: Programs, data parallel ones over NCCL, compiled ones and eager mode, against PyTorch by hand.

    python benchmarks/gpu.py [--only resnet50,transformer] [--ways executor,parallel,eager,compiled] [--rounds 5] [--markdown PAGE]

ResNet-50 on 64 images of 224 x 224 with Momentum, and a text classifier of six encoder layers (512 wide, 64 texts of 128 words) with
Adam. All in one process: within a round the ways take turns, each for several steps, and every step ends with its loss on the host.
What is fed lies on the GPU. Figures are milliseconds of a step by the wall clock, the median of the rounds; `/ torch` is the ratio to
PyTorch's eager step. It takes a machine with a GPU. The exit status is 1 when a ratio passes its bar or losses differ.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tables
import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import paddle_compat as paddle

Step = Callable[[], float]
STEPS = {"resnet50": 8, "transformer": 12}
HEAD = ["work", "way", "ms", "/ torch", "first step s", "loss after 3 steps"]
WIDTH, HEADS, INNER, LAYERS, WORDS, LENGTH, TEXTS = 512, 8, 2048, 6, 8000, 128, 64
IMAGES = 64


class Bottleneck(nn.Module):
    """Three convolutions and a way past them."""

    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        sizes = [(inputs, width, 1, 1), (width, width, 3, stride), (width, 4 * width, 1, 1)]
        self.convs = nn.ModuleList(nn.Conv2d(i, o, k, s, k // 2, bias=False) for i, o, k, s in sizes)
        self.norms = nn.ModuleList(nn.BatchNorm2d(o) for _, o, _, _ in sizes)
        self.short = None
        if stride > 1 or inputs != 4 * width:
            self.short = nn.Sequential(nn.Conv2d(inputs, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The block's feature maps."""
        out = x
        for i, (conv, norm) in enumerate(zip(self.convs, self.norms)):
            out = norm(conv(out))
            out = F.relu(out) if i < 2 else out
        return F.relu(out + (x if self.short is None else self.short(x)))


class ResNet50(nn.Module):
    """ResNet-50."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.norm = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64)
        blocks, inputs = [], 64
        for width, count in ((64, 3), (128, 4), (256, 6), (512, 3)):
            for i in range(count):
                blocks.append(Bottleneck(inputs, width, 2 if i == 0 and width > 64 else 1))
                inputs = 4 * width
        self.blocks, self.out = nn.Sequential(*blocks), nn.Linear(2048, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logits."""
        x = self.blocks(F.max_pool2d(F.relu(self.norm(self.stem(x))), 3, 2, 1))
        return self.out(F.adaptive_avg_pool2d(x, 1).flatten(1))


class TorchClassifier(nn.Module):
    """A text classifier, PyTorch's."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(WORDS, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, INNER, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
        self.out = nn.Linear(WIDTH, 16)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        """Logits."""
        return self.out(self.encoder(self.table(words)).mean(1))


class PaddleClassifier(paddle.nn.Layer):
    """The same, Paddle's."""

    def __init__(self) -> None:
        super().__init__()
        self.table = paddle.nn.Embedding(WORDS, WIDTH)
        self.encoder = paddle.nn.TransformerEncoder(paddle.nn.TransformerEncoderLayer(WIDTH, HEADS, INNER, dropout=0.0), LAYERS)
        self.out = paddle.nn.Linear(WIDTH, 16)

    def forward(self, words: Any) -> Any:
        """Logits."""
        return self.out(self.encoder(self.table(words)).mean(1))


def data(work: str) -> tuple[Any, Any]:
    """A batch: what the network takes, and labels."""
    numbers = np.random.RandomState(0)
    if work == "resnet50":
        return numbers.rand(IMAGES, 3, 224, 224).astype("float32"), numbers.randint(0, 1000, (IMAGES, 1))
    return numbers.randint(0, WORDS, (TEXTS, LENGTH)), numbers.randint(0, 16, (TEXTS, 1))


def by_torch(work: str) -> Step:
    """A step as a person writes it in PyTorch."""
    torch.manual_seed(0)
    net: nn.Module = (ResNet50() if work == "resnet50" else TorchClassifier()).cuda()
    optimizer: torch.optim.Optimizer
    if work == "resnet50":
        optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
    else:
        optimizer = torch.optim.Adam(net.parameters(), 1e-4)
    x, labels = (torch.from_numpy(each).cuda() for each in data(work))
    labels = labels[:, 0]

    def step() -> float:
        optimizer.zero_grad()
        loss = F.cross_entropy(net(x), labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def network(work: str) -> Any:
    """Paddle's network and its optimizer."""
    paddle.seed(0)
    net = paddle.vision.models.resnet50() if work == "resnet50" else PaddleClassifier()
    if work == "resnet50":
        return net, paddle.optimizer.Momentum(0.01, 0.9, parameters=net.parameters())
    return net, paddle.optimizer.Adam(1e-4, parameters=net.parameters())


def at_once(work: str) -> Step:
    """A step of eager mode."""
    net, optimizer = network(work)
    x, labels = map(paddle.to_tensor, data(work))

    def step() -> float:
        loss = paddle.nn.functional.cross_entropy(net(x), labels)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return float(loss)

    return step


def by_program(work: str, way: str) -> Step:
    """A step of an Executor: of the Program, of its replicas (one GPU, one replica), or of what is compiled of it."""
    x, labels = map(paddle.to_tensor, data(work))
    paddle.enable_static()
    main, startup, scope = paddle.static.Program(), paddle.static.Program(), paddle.static.Scope()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        fed = paddle.static.data("x", [None, *x.shape[1:]], x.dtype), paddle.static.data("labels", [None, 1], "int64")
        net, optimizer = network(work)
        loss = paddle.nn.functional.cross_entropy(net(fed[0]), fed[1])
        optimizer.minimize(loss)
    executor = paddle.static.Executor(paddle.CUDAPlace(0))
    with paddle.static.scope_guard(scope):
        executor.run(startup)
    program: Any = main
    if way == "parallel":
        program = paddle.static.CompiledProgram(main).with_data_parallel(loss.name, places=paddle.static.cuda_places())
    elif way == "compiled":
        build = paddle.static.BuildStrategy()
        build.build_cinn_pass = True
        program = paddle.static.CompiledProgram(main, build)
    paddle.disable_static()

    def step() -> float:
        paddle.enable_static()
        with paddle.static.scope_guard(scope):
            found = executor.run(program, feed={"x": x, "labels": labels}, fetch_list=[loss])
        paddle.disable_static()
        return float(found[0].mean())

    return step


def measure(work: str, ways: list[str], rounds: int) -> tuple[list[list[str]], bool]:
    """Rows of the table, and whether a bar is passed."""
    steps: dict[str, Step] = {}
    first: dict[str, float] = {}
    losses: dict[str, float] = {}
    for way in ["torch", *ways]:
        steps[way] = by_torch(work) if way == "torch" else at_once(work) if way == "eager" else by_program(work, way)
        began = time.perf_counter()
        steps[way]()
        first[way] = time.perf_counter() - began
        steps[way]()
        losses[way] = steps[way]()
    took: dict[str, list[float]] = {way: [] for way in steps}
    for _ in range(rounds):
        for way, step in steps.items():
            step()
            began = time.perf_counter()
            for _ in range(STEPS[work]):
                step()
            took[way].append((time.perf_counter() - began) / STEPS[work] * 1e3)
    ms = {way: statistics.median(each) for way, each in took.items()}
    rows, failed = [], False
    for way in steps:
        bar = {"executor": ms["torch"], "parallel": 1.05 * ms.get("executor", np.inf), "compiled": ms["torch"]}.get(way, np.inf)
        failed |= ms[way] > bar or abs(losses[way] / losses.get("executor", losses[way]) - 1) > 1e-2 and way != "torch"
        row = [work, way, f"{ms[way]:.2f}", f"{ms[way] / ms['torch']:.3f}", f"{first[way]:.1f}", f"{losses[way]:.5f}"]
        rows.append(row)
        print(" | ".join(row), "FAILED" if ms[way] > bar else "", flush=True)
    return rows, failed


def main() -> int:
    """Measure and print one line for each workload and way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=",".join(STEPS))
    parser.add_argument("--ways", default="executor,parallel,eager,compiled")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("There is no GPU.")
        return 2
    os.environ["FLAGS_exact_random"] = "1"  # the same first weights in every way
    print(torch.cuda.get_device_name(), torch.__version__, flush=True)
    print(" | ".join(HEAD), flush=True)
    rows: list[list[str]] = []
    failed = False
    for work in arguments.only.split(","):
        found, bad = measure(work, arguments.ways.split(","), arguments.rounds)
        rows, failed = rows + found, failed or bad
    if arguments.markdown:
        tables.fill(arguments.markdown, "gpu", HEAD, rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

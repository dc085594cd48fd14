"""A DistModel's step against DTensors step by step, on two gloo processes; ratios of medians, taken in turns in one run.

    torchrun --nproc-per-node 2 benchmarks/dist_model.py

With `--nproc-per-node 4` it counts the collectives of a step of the transformer on a 2 x 2 mesh, data and tensor parallel, instead.
"""

from __future__ import annotations

import os
import statistics
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as torch_dist
import torch.distributed._functional_collectives as funcol
from torch import nn as torch_nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor
from torch.distributed.tensor.debug import CommDebugMode
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat import nn

ROUNDS, STEPS = 15, 10
BATCH, LENGTH, WIDTH, HEADS = 8, 32, 128, 4


def in_turns(**steps: Callable[[], Any]) -> dict[str, float]:
    """Milliseconds of a step of each, the median of rounds that take turns."""
    times: dict[str, list[float]] = {name: [] for name in steps}
    for turn in range(ROUNDS + 2):
        for name, step in steps.items():
            torch_dist.barrier()
            begin = time.perf_counter()
            for _ in range(STEPS):
                step()
            if turn >= 2:
                times[name].append((time.perf_counter() - begin) / STEPS * 1e3)
    return {name: statistics.median(found) for name, found in times.items()}


class Example(nn.Layer):
    """The documentation's network."""

    def __init__(self, mesh: dist.ProcessMesh) -> None:
        super().__init__()
        self.l0, self.l1 = nn.Linear(16, 16), nn.Linear(16, 8)
        self.l0.weight = dist.shard_tensor(self.l0.weight, mesh, [dist.Shard(1)])
        self.l1.weight = dist.shard_tensor(self.l1.weight, mesh, [dist.Shard(0)])

    def forward(self, x: Any) -> Any:
        """Two products."""
        return self.l1(nn.functional.relu(self.l0(x)))


def example_by_hand(mesh: Any) -> Callable[[], Any]:
    """A step of the same network on DTensors, each call laid out as the captured graph has it."""
    ways = ([Shard(1)], [Replicate()], [Shard(0)], [Replicate()])
    shapes = ((16, 16), (16,), (16, 8), (8,))
    parameters = [distribute_tensor(torch.rand(shape), mesh, way).requires_grad_() for shape, way in zip(shapes, ways)]
    x, y = (distribute_tensor(torch.rand(4, size), mesh, [Replicate()]) for size in (16, 8))

    def step() -> None:
        w0, b0, w1, b1 = parameters
        out = (torch.relu(x @ w0 + b0) @ w1).redistribute(mesh, [Replicate()]) + b1
        loss = torch.nn.functional.mse_loss(out, y)
        with torch.no_grad():
            for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
                parameter.sub_(gradient.redistribute(mesh, parameter.placements), alpha=0.1)
        loss.full_tensor().item()

    return step


class Block(nn.Layer):
    """A transformer's block whose heads and hidden units are divided."""

    def __init__(self, mesh: dist.ProcessMesh) -> None:
        super().__init__()
        whole = [dist.Replicate()] * (mesh.ndim - 1)  # along the data parallel dimension, if there is one
        self.n1, self.n2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.f1, self.f2 = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        for layer in (self.q, self.k, self.v, self.f1):
            layer.weight = dist.shard_tensor(layer.weight, mesh, [*whole, dist.Shard(1)])
            layer.bias = dist.shard_tensor(layer.bias, mesh, [*whole, dist.Shard(0)])
        for layer in (self.o, self.f2):
            layer.weight = dist.shard_tensor(layer.weight, mesh, [*whole, dist.Shard(0)])

    def forward(self, x: Any) -> Any:
        """Attention, then two products."""
        h = self.n1(x)
        q, k, v = (part(h).reshape([0, 0, HEADS, WIDTH // HEADS]).transpose([0, 2, 1, 3]) for part in (self.q, self.k, self.v))
        weights = nn.functional.softmax(paddle.matmul(q, k, transpose_y=True) * (WIDTH // HEADS) ** -0.5)
        x = x + self.o(paddle.matmul(weights, v).transpose([0, 2, 1, 3]).reshape([0, 0, WIDTH]))
        return x + self.f2(nn.functional.gelu(self.f1(self.n2(x))))


class TorchBlock(torch_nn.Module):
    """The same for `parallelize_module`."""

    def __init__(self) -> None:
        super().__init__()
        self.n1, self.n2 = torch_nn.LayerNorm(WIDTH), torch_nn.LayerNorm(WIDTH)
        self.q, self.k, self.v, self.o = (torch_nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.f1, self.f2 = torch_nn.Linear(WIDTH, 4 * WIDTH), torch_nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Attention, then two products, on local heads."""
        h = self.n1(x)
        q, k, v = (part(h).unflatten(-1, (-1, WIDTH // HEADS)).transpose(1, 2) for part in (self.q, self.k, self.v))
        weights = torch.softmax(q @ k.transpose(2, 3) * (WIDTH // HEADS) ** -0.5, -1)
        x = x + self.o((weights @ v).transpose(1, 2).flatten(2))
        return x + self.f2(torch.nn.functional.gelu(self.f1(self.n2(x))))


def transformer_by_hand(mesh: Any, data: Any = None) -> Callable[[], Any]:
    """A step of the same two blocks, written for torch; `data`: the processes among which batches are divided."""
    net = torch_nn.Sequential(TorchBlock(), TorchBlock())
    columns, rows = ("q", "k", "v", "f1"), ("o", "f2")
    for block in net:
        parallelize_module(block, mesh, {**{name: ColwiseParallel() for name in columns}, **{name: RowwiseParallel() for name in rows}})
    optimizer = torch.optim.SGD(net.parameters(), 0.001, foreach=False)
    x, y = torch.rand(BATCH, LENGTH, WIDTH), torch.rand(BATCH, LENGTH, WIDTH)

    def met(value: torch.Tensor) -> torch.Tensor:
        return funcol.all_reduce(getattr(value, "_local_tensor", value), "sum", data) / data.size()

    def step() -> None:
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        if data is not None:
            loss = met(loss.detach())
            for parameter in net.parameters():
                held = getattr(parameter.grad, "_local_tensor", parameter.grad)
                held.copy_(met(held))
        optimizer.step()
        optimizer.zero_grad()
        loss.item()

    return step


def dist_model(layer: nn.Layer, x: Any, y: Any, mesh: Any = None) -> tuple[Callable[[], Any], Counter[str]]:
    """A DistModel's step, and the collectives in it; `mesh`: along whose first dimension batches are divided."""
    loader: Any = paddle.io.DataLoader(paddle.io.TensorDataset([x, y]), batch_size=x.shape[0])
    if mesh is not None:
        loader = dist.shard_dataloader(loader, meshes=[mesh], shard_dims=mesh.dim_names[0])
    model = dist.to_static(layer, loader, nn.MSELoss(), paddle.optimizer.SGD(0.001, parameters=layer.parameters()))
    kinds = [op.type for op in model.dist_main_program().global_block().ops]
    sent = Counter(kind for kind in kinds if kind in ("all_gather", "all_reduce", "all_to_all", "reduce_scatter"))
    return (lambda: float(model(x, y))), sent


def count_calls() -> None:
    """Collectives of a step on a 2 x 2 mesh: a DistModel's, and those of the same written with `parallelize_module`."""
    mesh = dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["dp", "mp"])
    x, y = (paddle.rand([BATCH, LENGTH, WIDTH]) for _ in range(2))
    _, ours = dist_model(nn.Sequential(Block(mesh), Block(mesh)), x, y, mesh)
    torch_mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "mp"))
    step = transformer_by_hand(torch_mesh["mp"], torch_mesh.get_group("dp"))
    with CommDebugMode() as calls:
        step()
    theirs = {str(name).rpartition(".")[2]: count for name, count in calls.get_comm_counts().items() if count}
    if torch_dist.get_rank() == 0:
        print(f"transformer on 2 x 2: DistModel {dict(ours)}, parallelize_module {theirs}")


def main() -> None:
    """Measure, and let the first process tell."""
    torch.set_num_threads(1)
    if int(os.environ.get("WORLD_SIZE", "1")) == 4:
        count_calls()
        return
    mesh = dist.ProcessMesh([0, 1], dim_names=["mp"])
    ours, sent = dist_model(Example(mesh), paddle.rand([4, 16]), paddle.rand([4, 8]))
    theirs = init_device_mesh("cpu", (2,), mesh_dim_names=("mp",))
    paddle.set_flags({"FLAGS_use_cinn": True})
    compiled, _ = dist_model(Example(mesh), paddle.rand([4, 16]), paddle.rand([4, 8]))
    paddle.set_flags({"FLAGS_use_cinn": False})
    found = in_turns(captured=ours, compiled=compiled, eager=example_by_hand(theirs))
    blocks = nn.Sequential(Block(mesh), Block(mesh))
    ours, sums = dist_model(blocks, paddle.rand([BATCH, LENGTH, WIDTH]), paddle.rand([BATCH, LENGTH, WIDTH]))
    large = in_turns(captured=ours, by_hand=transformer_by_hand(theirs))
    if torch_dist.get_rank() == 0:
        print(f"example: captured {found['captured']:.2f} ms, eager DTensor {found['eager']:.2f} ms, "
              f"ratio {found['captured'] / found['eager']:.3f} (at most 0.70); {sent.total()} collectives; "
              f"compiled {found['compiled']:.2f} ms, ratio to captured {found['compiled'] / found['captured']:.3f}")
        print(f"transformer: captured {large['captured']:.2f} ms, parallelize_module {large['by_hand']:.2f} ms, "
              f"ratio {large['captured'] / large['by_hand']:.3f} (at most 1.05); {sums.total()} collectives")  # fmt: skip


if __name__ == "__main__":
    main()

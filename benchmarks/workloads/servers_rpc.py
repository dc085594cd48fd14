"""The work of servers_paddle.py by hand on torch.distributed.rpc: one call gets rows and weights, another one brings their gradients.

python servers_rpc.py sync server 0 6174,6175,6176,6177 40
"""

from __future__ import annotations

import sys
import threading

import harness
import torch
import torch.nn.functional as F
from harness import CTR, SLOTS
from torch import Tensor
from torch.distributed import rpc

TRAINERS, RATE = 2, 0.05
Weights = dict[str, Tensor]


class Server:
    """A table and the other weights."""

    def __init__(self) -> None:
        widths = [CTR["slots"] * CTR["columns"] + CTR["dense"], *CTR["hidden"]]
        shapes = {f"deep.{i}": shape for i, shape in enumerate(zip(widths, widths[1:]))}
        shapes |= {"out": (widths[-1], 1), "wide": (CTR["dense"], 1)}
        self.table = torch.from_numpy(harness.start_value("table.weight", (CTR["rows"], CTR["columns"])))
        self.weights: Weights = {}
        for name, shape in shapes.items():
            self.weights[name + ".weight"] = torch.from_numpy(harness.start_value(name + ".weight", shape))
            self.weights[name + ".bias"] = torch.zeros(shape[1])
        self.waiting: list[tuple[Tensor, Tensor, Weights]] = []
        self.rounds, self.changed = 0, threading.Condition()

    def push(self, ids: Tensor, rows: Tensor, gradients: Weights, sync: bool) -> None:
        """Take a trainer's gradients; `sync`: wait for those of the others."""
        with self.changed:
            if not sync:
                self.update(ids, rows, gradients, RATE)
                return
            now = self.rounds
            self.waiting.append((ids, rows, gradients))
            if len(self.waiting) < TRAINERS:
                self.changed.wait_for(lambda: self.rounds > now)
                return
            for each in self.waiting:
                self.update(*each, RATE / TRAINERS)
            self.waiting, self.rounds = [], now + 1
            self.changed.notify_all()

    def update(self, ids: Tensor, rows: Tensor, gradients: Weights, rate: float) -> None:
        """A step of SGD."""
        self.table.index_add_(0, ids, rows, alpha=-rate)
        for name, gradient in gradients.items():
            self.weights[name].sub_(gradient, alpha=rate)


_server: Server | None = None


def pull(ids: Tensor) -> tuple[Tensor, Weights]:
    """On the server: rows and weights."""
    assert _server is not None
    return _server.table[ids], _server.weights


def push(ids: Tensor, rows: Tensor, gradients: Weights, sync: bool) -> None:
    """On the server: take gradients."""
    assert _server is not None
    _server.push(ids, rows, gradients, sync)


def step(ids: Tensor, dense: Tensor, click: Tensor, sync: bool) -> float:
    """A trainer's step."""
    unique, back = torch.unique(ids, return_inverse=True)
    rows, weights = rpc.rpc_sync("server", pull, args=(unique,))
    for each in (rows, *weights.values()):
        each.requires_grad_()
    x = torch.cat([rows[back].flatten(1), dense], 1)
    for i in range(len(CTR["hidden"])):
        x = F.relu(torch.addmm(weights[f"deep.{i}.bias"], x, weights[f"deep.{i}.weight"]))
    deep = torch.addmm(weights["out.bias"], x, weights["out.weight"])
    logit = deep + torch.addmm(weights["wide.bias"], dense, weights["wide.weight"])
    loss = F.binary_cross_entropy_with_logits(logit, click)
    first, *others = torch.autograd.grad(loss, [rows, *weights.values()])
    rpc.rpc_sync("server", push, args=(unique, first, dict(zip(weights, others)), sync))
    return loss.item()


def main() -> None:
    """Be the server, or a trainer that times its steps."""
    global _server
    mode, role, number, ports, steps = sys.argv[1:]
    torch.set_num_threads(1)
    if role == "server":
        _server = Server()
    meeting = f"tcp://127.0.0.1:{ports.split(',')[0]}"
    options = rpc.TensorPipeRpcBackendOptions(num_worker_threads=4, init_method=meeting, _transports=["uv"])
    rank = 0 if role == "server" else 1 + int(number)
    rpc.init_rpc("server" if rank == 0 else f"trainer{number}", rank=rank, world_size=1 + TRAINERS, rpc_backend_options=options)
    if rank:
        data = []
        for batch in harness.batches("ctr_sgd", seed=int(number)):
            ids = torch.cat([torch.from_numpy(batch[slot]) for slot in SLOTS], 1)
            data.append((ids, torch.from_numpy(batch["dense"]), torch.from_numpy(batch["click"])))
        harness.measure_beside(lambda i: step(*data[i % len(data)], mode == "sync"), int(steps))
    rpc.shutdown()


if __name__ == "__main__":
    main()

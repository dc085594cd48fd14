"""The work of replicas_fluid.py hand-written for torch's DistributedDataParallel, a process for each replica.

    python replicas_ddp.py WORKLOAD REPLICAS STEPS      prints {"median_ms", "loss"} of wall time as JSON
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import sys
import time

import numpy as np
import torch
from torch import nn


def network(workload: str) -> nn.Module:
    """The network."""
    if workload == "mlp":
        return nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10))
    first = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
    second = nn.Sequential(nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
    return nn.Sequential(first, second, nn.Flatten(), nn.Linear(64 * 64, 10))


def train(rank: int, workload: str, replicas: int, steps: int, port: int) -> None:
    """One replica's part."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    numbers = np.random.RandomState(0)
    batch = numbers.rand(128, 1024) if workload == "mlp" else numbers.rand(128, 3, 32, 32)
    rows = slice(rank * 128 // replicas, (rank + 1) * 128 // replicas)
    x = batch.astype("float32")[rows]
    y = numbers.randint(0, 10, (128, 1))[rows]
    model = network(workload)
    if replicas > 1:
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
        torch.distributed.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=replicas)
        model = nn.parallel.DistributedDataParallel(model)
    sgd = torch.optim.SGD(model.parameters(), 0.01)
    took = []
    value = 0.0
    for _ in range(steps):
        start = time.perf_counter()
        loss = nn.functional.cross_entropy(model(torch.from_numpy(x)), torch.from_numpy(y[:, 0]))
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        value = loss.item()
        took.append(time.perf_counter() - start)
    if rank == 0:
        print(json.dumps({"median_ms": statistics.median(took[3:]) * 1e3, "loss": value}))
    if replicas > 1:
        torch.distributed.barrier()  # gloo aborts a process whose peers leave while it still reads from them
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    given = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), number
    if given[1] == 1:
        train(0, *given)
    else:
        torch.multiprocessing.spawn(train, given, nprocs=given[1])

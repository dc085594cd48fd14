"""Saving and loading a state dict: `torch` by torch.save and torch.load without mmap, `paddle` by paddle.save and paddle.load.

Run under the real wheel, or by `python -m paddle_compat`, it prints one line of JSON for each state dict: seconds of the wall
clock and of the process, each the median over the repetitions.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from typing import Any

import numpy as np

# state dict: number of tensors, elements of each
STATES = {"large": (16, 8 << 20), "small": (8000, 256)}


def run(spelling: str, state: str, scale: float, repeat: int) -> dict[str, Any]:
    """Save and load a state dict several times."""
    count, size = STATES[state]
    arrays = {f"layer_{i}.weight": np.full(max(1, int(size * scale)), i, "float32") for i in range(max(1, int(count * min(1, scale * 4))))}
    if spelling == "torch":
        import torch

        value = {name: torch.from_numpy(array) for name, array in arrays.items()}
        save, load = torch.save, lambda path: torch.load(path, mmap=False)
    else:
        import paddle

        value = {name: paddle.to_tensor(array) for name, array in arrays.items()}
        save, load = paddle.save, paddle.load
    times: dict[str, list[float]] = {"save": [], "load": [], "save_cpu": [], "load_cpu": []}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.pdparams")
        for _ in range(repeat):
            for name, call in (("save", lambda: save(value, path)), ("load", lambda: load(path))):
                start, cpu = time.perf_counter(), time.process_time()
                back = call()
                times[name].append(time.perf_counter() - start)
                times[name + "_cpu"].append(time.process_time() - cpu)
            last = float(back[f"layer_{len(arrays) - 1}.weight"].sum())
        megabytes = os.path.getsize(path) / 1e6
    medians = {name: round(statistics.median(values), 4) for name, values in times.items()}
    return {"state": state, **medians, "megabytes": round(megabytes, 1), "last": last}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spelling", choices=("torch", "paddle"))
    parser.add_argument("--only", default=",".join(STATES))
    parser.add_argument("--scale", type=float, default=1.0, help="of the sizes")
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    for chosen in given.only.split(","):
        print(json.dumps(run(given.spelling, chosen, given.scale, given.repeat)), flush=True)

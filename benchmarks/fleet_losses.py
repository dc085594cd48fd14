"""Final losses of Fleet's workers that do not wait for each other, of Paddle 2.6.2 and of paddle_compat, over several seeds.

    python benchmarks/fleet_losses.py PYTHON_OF_2.6.2 [--seeds 5] [--steps 400]

Two workers and a server train a small CTR model with `a_sync` and with `k_steps` (Geo-SGD); the loss is the mean of the last 50 batches of
both workers, which are the same on both sides. 2.6.2's servers begin tables of rows by themselves and update them by a rule of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LAST, PUSH = 50, 10


def work(role: str, number: int, said: dict[str, Any]) -> None:
    """Be a server or a worker; a worker prints its losses."""
    import numpy as np
    import paddle
    from paddle.distributed import fleet

    paddle.enable_static()
    kind = fleet.Role.SERVER if role == "server" else fleet.Role.WORKER
    fleet.init(fleet.UserDefinedRoleMaker(
        is_collective=False, current_id=number, role=kind, worker_num=2, server_endpoints=[said["endpoint"]]))  # fmt: skip
    strategy = fleet.DistributedStrategy()
    strategy.a_sync = True
    # else async workers of 2.6.2 never get the dense parameters
    more = {"k_steps": PUSH} if said["mode"] == "geo" else {"independent_recv_thread": 1, "min_send_grad_num_before_recv": 1}
    strategy.a_sync_configs = more
    random = np.random.RandomState(said["seed"])

    def start(*shape: int) -> Any:
        values = random.uniform(-0.2, 0.2, shape).astype("float32")
        return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(values))

    ids, dense = paddle.static.data("ids", [None, 4], "int64"), paddle.static.data("dense", [None, 8])
    label = paddle.static.data("label", [None, 1], "int64")
    rows = paddle.static.nn.embedding(ids, [1000, 8], is_sparse=True, param_attr=paddle.ParamAttr("table"))
    deep = paddle.concat([paddle.reshape(rows, [-1, 32]), dense], 1)
    deep = paddle.static.nn.fc(deep, 16, weight_attr=start(40, 16), activation="relu")
    out = paddle.static.nn.fc(deep, 2, weight_attr=start(16, 2))
    loss = paddle.mean(paddle.nn.functional.cross_entropy(out, label))
    rule = paddle.optimizer.SGD(0.1) if said["mode"] == "geo" else paddle.optimizer.Adam(0.001)
    fleet.distributed_optimizer(rule, strategy).minimize(loss)
    if role == "server":
        fleet.init_server()
        fleet.run_server()
        return
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(paddle.static.default_startup_program())
    fleet.init_worker()
    truth = np.random.RandomState(99).normal(0, 1, 1000)
    draw, losses = np.random.RandomState(1000 * said["seed"] + number), []
    for _ in range(said["steps"]):
        batch = {"ids": draw.randint(0, 1000, (64, 4)), "dense": draw.uniform(-1, 1, (64, 8)).astype("float32")}
        score = truth[batch["ids"]].sum(1) + 2 * batch["dense"].sum(1) + draw.normal(0, 0.5, 64)
        batch["label"] = (score > 0).astype("int64")[:, None]
        losses.append(float(np.mean(exe.run(paddle.static.default_main_program(), feed=batch, fetch_list=[loss])[0])))
    print("\n" + json.dumps(losses), flush=True)
    fleet.stop_worker()


def train(words: list[str], said: dict[str, Any]) -> float:
    """The final loss of a job."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        said = {**said, "endpoint": f"127.0.0.1:{door.getsockname()[1]}"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PADDLE", "PYTHON")) and "proxy" not in name.lower()}
    own = kept | {"OMP_NUM_THREADS": "1", "CPU_NUM": "1", "PYTHONPATH": str(ROOT)}
    roles = [("server", 0), ("worker", 0), ("worker", 1)]
    processes = [
        subprocess.Popen([*words, __file__, "--role", role, str(number), json.dumps(said)], env=own, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True)
        for role, number in roles
    ]  # fmt: skip
    try:
        told = [each.communicate(timeout=300)[0] for each in processes[1:]]
    finally:
        for each in processes:
            each.kill()
            each.wait()
    losses = [json.loads(next(line for line in text.splitlines() if line.startswith("[") and line.endswith("]"))) for text in told]
    return statistics.fmean(statistics.fmean(each[-LAST:]) for each in losses)


def main() -> None:
    """Print a line for each run, and the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", nargs="?", help="the Python of Paddle 2.6.2")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--role", nargs=3, help="of a process of a job: its role, its number, what the job does")
    asked = parser.parse_args()
    if asked.role:
        role, number, said = asked.role
        work(role, int(number), json.loads(said))
        return
    sides = {"2.6.2": [asked.wheel], "paddle_compat": [sys.executable, "-m", "paddle_compat"]}
    for mode in ("async", "geo"):
        means = {}
        for side, words in sides.items():
            losses = []
            for seed in range(asked.seeds):
                losses.append(train(words, {"mode": mode, "seed": seed, "steps": asked.steps}))
                print(json.dumps({"mode": mode, "side": side, "seed": seed, "loss": round(losses[-1], 4)}), flush=True)
            means[side] = statistics.fmean(losses)
        ratio = means["paddle_compat"] / means["2.6.2"]
        print(json.dumps({"mode": mode, **{side: round(mean, 4) for side, mean in means.items()}, "ratio": round(ratio, 4)}), flush=True)


if __name__ == "__main__":
    main()

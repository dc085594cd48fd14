"""Final losses of Fleet's workers that do not wait for each other, of Paddle 2.6.2 and of paddle_compat, over several seeds.

    python benchmarks/fleet_losses.py PYTHON_OF_2.6.2 [--seeds 5] [--steps 400]

Two workers and a server train a small CTR model with `a_sync` and with `k_steps` (Geo-SGD); the loss is the mean of the last 50 batches of
both workers, which are the same on both sides. Left
to itself `a_sync` of 2.6.2 learns next to nothing under `Executor.run`: workers never fetch the dense parameters (only `train_from_dataset`
does), they push the sum of 13 steps' gradients at once, rows follow a rule of Adam's whatever the optimizer, with gradients times the batch
size, and Adam's bias corrections go ten times as fast (once for each thread of a server). So both sides take SGD here, and 2.6.2 is told
the same rule for rows, and to fetch and push in each step.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LAST, PUSH, BATCH = 50, 10, 64
RATE, START, PAUSE = 0.1, 1e-4, 0.02  # seconds: what a step sends in the background arrives before the next one


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
    more = {"k_steps": PUSH} if said["mode"] == "geo" else {"independent_recv_thread": 1, "min_send_grad_num_before_recv": 1}
    strategy.a_sync_configs = more
    own = said["mode"] == "async" and said["wheel"]
    if own:
        push_at_once()
        rule = {"name": "SparseNaiveSGDRule", "naive.learning_rate": RATE, "naive.initial_range": START}
        parts = [f"table_parameters.table.accessor.{part}_sgd_param" for part in ("embed", "embedx")]
        strategy.sparse_table_configs = {"table": {f"{part}.{name}": value for part in parts for name, value in rule.items()}}
    random = np.random.RandomState(said["seed"])

    def start(*shape: int) -> Any:
        values = random.uniform(-0.2, 0.2, shape).astype("float32")
        return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(values))

    ids, dense = paddle.static.data("ids", [None, 4], "int64"), paddle.static.data("dense", [None, 8])
    label = paddle.static.data("label", [None, 1], "int64")
    begin = paddle.nn.initializer.Uniform(-START, START) if said["mode"] == "async" else None
    faster = BATCH if said["mode"] == "async" and not said["wheel"] else 1  # what 2.6.2 multiplies gradients of rows by
    attr = paddle.ParamAttr("table", initializer=begin, learning_rate=faster)
    rows = paddle.static.nn.embedding(ids, [1000, 8], is_sparse=True, param_attr=attr)
    deep = paddle.concat([paddle.reshape(rows, [-1, 32]), dense], 1)
    deep = paddle.static.nn.fc(deep, 16, weight_attr=start(40, 16), activation="relu")
    out = paddle.static.nn.fc(deep, 2, weight_attr=start(16, 2))
    loss = paddle.mean(paddle.nn.functional.cross_entropy(out, label))
    fleet.distributed_optimizer(paddle.optimizer.SGD(RATE), strategy).minimize(loss)
    if role == "server":
        fleet.init_server()
        fleet.run_server()
        return
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(paddle.static.default_startup_program())
    fleet.init_worker()
    fetch = fetching() if own else None
    meet(Path(said["folder"]), number)
    truth = np.random.RandomState(99).normal(0, 1, 1000)
    draw, losses = np.random.RandomState(1000 * said["seed"] + number), []
    for _ in range(said["steps"]):
        batch = {"ids": draw.randint(0, 1000, (BATCH, 4)), "dense": draw.uniform(-1, 1, (BATCH, 8)).astype("float32")}
        score = truth[batch["ids"]].sum(1) + 2 * batch["dense"].sum(1) + draw.normal(0, 0.5, BATCH)
        batch["label"] = (score > 0).astype("int64")[:, None]
        losses.append(float(np.mean(exe.run(paddle.static.default_main_program(), feed=batch, fetch_list=[loss])[0])))
        time.sleep(PAUSE)
        if fetch is not None:
            fetch()
    print("\n" + json.dumps(losses), flush=True)
    fleet.stop_worker()


def push_at_once() -> None:
    """Let workers of 2.6.2 push each step's gradients by themselves: no setting of Paddle's says so."""
    import paddle

    library = ctypes.CDLL(str(Path(paddle.__file__).parent / "base/libpaddle.so"))
    for kind in ("dense", "sparse"):
        name = f"FLAGS_pserver_push_{kind}_merge_limit"
        ctypes.c_int32.in_dll(library, f"_ZN6paddle11distributed12paddle_flags{len(name)}{name}E").value = 0


def fetching() -> Callable[[], None]:
    """What gets a worker of 2.6.2 the dense parameters."""
    from paddle.distributed import fleet
    from paddle.distributed.ps.utils.public import get_the_one_recv_context, get_the_one_send_context

    here = fleet.fleet._runtime_handle
    send, receive = get_the_one_send_context(here.context, ep_list=here.endpoints), get_the_one_recv_context(here.context)
    return lambda: here._pull_all_dense(here.scopes, send, receive)


def meet(folder: Path, number: int) -> None:
    """Begin together: a worker that ends long before the other has trained with fewer of its steps."""
    (folder / str(number)).touch()
    while len(list(folder.iterdir())) < 2:
        time.sleep(0.01)


def train(words: list[str], said: dict[str, Any]) -> float:
    """The final loss of a job."""
    with tempfile.TemporaryDirectory() as folder:
        return train_in(words, {**said, "folder": folder})


def train_in(words: list[str], said: dict[str, Any]) -> float:
    """The same, with a folder to meet in."""
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
                losses.append(train(words, {"mode": mode, "seed": seed, "steps": asked.steps, "wheel": side == "2.6.2"}))
                print(json.dumps({"mode": mode, "side": side, "seed": seed, "loss": round(losses[-1], 4)}), flush=True)
            means[side] = statistics.fmean(losses)
        ratio = means["paddle_compat"] / means["2.6.2"]
        print(json.dumps({"mode": mode, **{side: round(mean, 4) for side, mean in means.items()}, "ratio": round(ratio, 4)}), flush=True)


if __name__ == "__main__":
    main()

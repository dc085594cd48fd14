"""Fleet of parameter servers, each role a process: strategies, files of what servers keep, and against one process alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import free_ports, run_together

STEPS = 12
CASES = {  # strategy, optimizer, whether servers go on from what the case before has saved
    "sync adam": ("sync", "adam", False),
    "sync adam that goes on": ("sync", "adam", True),
    "async sgd": ("async", "decayed", False),  # both servers count the steps
    "geo sgd": ("geo", "sgd", False),
}
NETWORK = """
import numpy as np
from paddle import fluid

OPTIMIZERS = {
    "sgd": lambda: fluid.optimizer.SGD(0.01),
    "decayed": lambda: fluid.optimizer.SGD(fluid.layers.exponential_decay(0.01, 100, 0.95)),
    "adam": lambda: fluid.optimizer.Adam(0.002),
}


def start_from(name, *shape):
    values = np.random.RandomState(shape[0]).uniform(-0.3, 0.3, shape).astype("float32")
    return fluid.ParamAttr(name=name, initializer=fluid.initializer.NumpyArrayInitializer(values))


def network():
    x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
    ids = fluid.data("ids", [None, 1], "int64")
    wide = fluid.layers.fc(x, 5000, param_attr=start_from("wide", 4, 5000), act="tanh")  # in two parts, one on each server
    row = fluid.layers.embedding(ids, [3000, 8], is_sparse=True, param_attr=start_from("table", 3000, 8))  # so are its rows
    deep = fluid.layers.fc(wide, 6, param_attr=start_from("deep", 5000, 6), act="tanh")
    out = fluid.layers.fc(fluid.layers.concat([deep, row], 1), 1, param_attr=start_from("out", 14, 1))
    return out, fluid.layers.mean(fluid.layers.square_error_cost(out, y))


def batch(step, trainer):
    random = np.random.RandomState(10 * step + trainer)
    x = random.rand(8, 4).astype("float32")
    return {"x": x, "y": x.sum(1, keepdims=True), "ids": random.randint(0, 40, (8, 1))}
"""
JOB = (
    NETWORK
    + """
import json, os, sys
from paddle.fluid.incubate.fleet.base.role_maker import PaddleCloudRoleMaker
from paddle.fluid.incubate.fleet.parameter_server.distribute_transpiler import fleet
from paddle.fluid.incubate.fleet.parameter_server.distribute_transpiler.distributed_strategy import StrategyFactory

said = {}
for number, (case, (mode, optimizer, goes_on)) in enumerate(CASES.items()):
    endpoints = sys.argv[1 + number].split(",")
    os.environ["PADDLE_PSERVERS_IP_PORT_LIST"] = sys.argv[1 + number]
    if os.environ["TRAINING_ROLE"] == "PSERVER":
        os.environ["PADDLE_PORT"] = endpoints[int(os.environ["NUMBER"])].split(":")[1]
    main, start = fluid.Program(), fluid.Program()
    with fluid.scope_guard(fluid.Scope()), fluid.program_guard(main, start), fluid.unique_name.guard():
        fleet.init(PaddleCloudRoleMaker())
        out, loss = network()
        make = {"geo": lambda: StrategyFactory.create_geo_strategy(3)}.get(mode, getattr(StrategyFactory, f"create_{mode}_strategy"))
        fleet.distributed_optimizer(OPTIMIZERS[optimizer](), make()).minimize(loss)
        if fleet.is_server():
            fleet.init_server("sync adam" if goes_on else None)
            fleet.run_server()
            said[case] = fleet.server_index()
            continue
        exe = fluid.Executor(fluid.CPUPlace())
        fleet.init_worker()
        exe.run(fleet.startup_program)
        first = STEPS if goes_on else 0
        losses = []
        for step in range(first, first + (STEPS if mode == "sync" else 4 * STEPS)):
            losses.append(exe.run(fleet.main_program, feed=batch(step, fleet.worker_index()), fetch_list=[loss])[0].item())
        said[case] = losses
        if fleet.is_first_worker() and mode in ("sync", "geo"):
            fleet.save_persistables(exe, case)
            fleet.save_inference_model(exe, case + " model", ["x", "ids"], [out])
        fleet.stop_worker()
with open(f"{os.environ['TRAINING_ROLE']}{os.environ['NUMBER']}.json", "w") as told:
    json.dump(said, told)
"""
)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("fleet")
    (folder / "job.py").write_text(f"CASES, STEPS = {CASES!r}, {STEPS}\n{JOB}")
    ports = iter(free_ports(2 * len(CASES)))
    endpoints = [f"127.0.0.1:{next(ports)},127.0.0.1:{next(ports)}" for _ in CASES]
    roles = [(role, str(number)) for role in ("PSERVER", "TRAINER") for number in (0, 1)]
    variables = [
        {"TRAINING_ROLE": role, "NUMBER": n, "PADDLE_TRAINER_ID": n, "PADDLE_TRAINERS_NUM": "2", "POD_IP": "127.0.0.1"} for role, n in roles
    ]
    words = ["-m", "paddle_compat", str(folder / "job.py"), *endpoints]
    for status, text in run_together([words] * len(roles), variables, folder):
        assert status == 0, text
    return {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}, folder


class Alone:
    """One process that sees all batches."""

    def __init__(self, optimizer: str) -> None:
        source = NETWORK.replace("from paddle import", "from paddle_compat import")
        exec(source, here := {})
        self.batch, self.fluid, self.scope = here["batch"], here["fluid"], here["fluid"].Scope()
        fluid = self.fluid
        self.main, start = fluid.Program(), fluid.Program()
        with fluid.program_guard(self.main, start), fluid.unique_name.guard():
            self.out, self.loss = here["network"]()
            here["OPTIMIZERS"][optimizer]().minimize(self.loss)
        self.exe = fluid.Executor(fluid.CPUPlace())
        with fluid.scope_guard(self.scope):
            self.exe.run(start)

    def train(self, first: int = 0) -> list[float]:
        losses = []
        with self.fluid.scope_guard(self.scope):
            for step in range(first, first + STEPS):
                parts = [self.batch(step, trainer) for trainer in (0, 1)]
                joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
                losses.append(self.exe.run(self.main, feed=joined, fetch_list=[self.loss])[0].item())
        return losses

    def values(self) -> dict[str, np.ndarray]:
        names = [var.name for var in self.main.list_vars() if var.persistable and not var.name.startswith("learning_rate")]
        return {name: np.array(self.scope.find_var(name).get_tensor()) for name in names}

    def load(self, folder: Path) -> None:
        kept = [var for var in self.main.list_vars() if var.persistable and not var.name.startswith("learning_rate")]
        with self.fluid.scope_guard(self.scope):
            self.fluid.io.load_vars(self.exe, str(folder), self.main, vars=kept)


def joined(told: dict[str, Any], case: str) -> np.ndarray:
    return np.mean([told[f"TRAINER{number}"][case] for number in (0, 1)], 0)


def test_sync_trains_as_one_process_does_and_saves_what_servers_keep(told: tuple[dict[str, Any], Path]) -> None:
    said, folder = told
    alone, other = Alone("adam"), Alone("adam")
    np.testing.assert_allclose(joined(said, "sync adam"), alone.train(), rtol=1e-5, atol=1e-6)
    expected = alone.values()
    assert {path.name for path in (folder / "sync adam").iterdir()} == set(expected)
    other.load(folder / "sync adam")
    for name, value in other.values().items():
        np.testing.assert_allclose(value, expected[name], atol=1e-6, err_msg=name)
    np.testing.assert_allclose(joined(said, "sync adam that goes on"), alone.train(STEPS), rtol=1e-5, atol=1e-6)


def test_a_saved_model_infers(told: tuple[dict[str, Any], Path]) -> None:
    alone = Alone("adam")
    alone.load(told[1] / "sync adam")
    fluid, feed = alone.fluid, alone.batch(0, 0)
    inference = alone.main.clone(for_test=True)._prune([alone.out])
    with fluid.scope_guard(alone.scope):
        expected = alone.exe.run(inference, feed={n: feed[n] for n in ("x", "ids")}, fetch_list=[alone.out])
    with fluid.scope_guard(fluid.Scope()):
        program, feeds, fetches = fluid.io.load_inference_model(str(told[1] / "sync adam model"), alone.exe)
        assert feeds == ["x", "ids"]
        found = alone.exe.run(program, feed={n: feed[n] for n in feeds}, fetch_list=fetches)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-6)


@pytest.mark.parametrize("case", ["async sgd", "geo sgd"])
def test_strategies_that_do_not_wait_train(told: tuple[dict[str, Any], Path], case: str) -> None:
    said = joined(told[0], case)
    assert np.isfinite(said).all() and np.mean(said[-3:]) < 0.5 * np.mean(said[:3])


def test_geo_saves_the_parameters_of_servers(told: tuple[dict[str, Any], Path]) -> None:
    said, folder = told
    alone = Alone("sgd")
    alone.load(folder / "geo sgd")
    feed = alone.batch(0, 0)
    with alone.fluid.scope_guard(alone.scope):
        (loss,) = alone.exe.run(alone.main, feed=feed, fetch_list=[alone.loss])
    assert float(np.mean(loss)) < 0.5 * said["TRAINER0"]["geo sgd"][0]

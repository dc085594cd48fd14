"""Trainers and parameter servers of DistributeTranspiler, as processes of their own, against one process on all trainers' batches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jobs import free_ports, run_together

STEPS = 50
CASES = {  # optimizer, whether trainers wait for each other, how many there are
    "sgd": ("sgd", True, 2),
    "momentum": ("momentum", True, 2),
    "adam": ("adam", True, 2),
    "one trainer": ("momentum", True, 1),
    "one trainer that waits for nobody": ("sgd", False, 1),
}
NETWORK = """
import json, sys
import numpy as np
from paddle_compat import fluid

OPTIMIZERS = {
    "sgd": lambda rate: fluid.optimizer.SGD(rate),
    "momentum": lambda rate: fluid.optimizer.Momentum(rate, 0.9),
    "adam": lambda rate: fluid.optimizer.Adam(rate, regularization=fluid.regularizer.L2Decay(0.01)),
}


def start_from(*shape):
    values = np.random.RandomState(shape[0]).uniform(-0.3, 0.3, shape).astype("float32")  # parts on servers start as the whole does
    return fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(values))


def network(optimizer, sync):
    main, start = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, start), fluid.unique_name.guard():
        x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
        first, second = fluid.data("first", [None, 1], "int64"), fluid.data("second", [None, 1], "int64")
        wide = fluid.layers.fc(x, 5000, param_attr=start_from(4, 5000), act="tanh")  # in two parts, one on each server
        table = start_from(50, 8)
        table.name = "table"
        last = start_from(22, 1)
        last.learning_rate = 0.5
        rows = [fluid.layers.embedding(i, [50, 8], is_sparse=True, param_attr=table, padding_idx=0) for i in (first, second)]
        rows = [fluid.layers.reshape(row, [-1, 8]) for row in rows]
        deep = fluid.layers.fc(wide, 6, param_attr=start_from(5000, 6), act="tanh")
        out = fluid.layers.fc(fluid.layers.concat([deep, *rows], 1), 1, param_attr=last)
        loss = fluid.layers.mean(fluid.layers.square_error_cost(out, y))
        rate = 0.001 if optimizer == "adam" else 0.01  # Adam makes much of last bits, by the rate
        rate = fluid.layers.exponential_decay(rate, 10, 0.9) if sync else rate
        OPTIMIZERS[optimizer](rate).minimize(loss)
    return main, start, loss


def batch(step, trainer):
    random = np.random.RandomState(10 * step + trainer)
    ids = random.randint(0, 50, (2, 8, 1))
    x, y = (random.rand(8, width).astype("float32") for width in (4, 1))
    return {"x": x, "y": y, "first": ids[0], "second": ids[1]}


def values(names):
    held = {name: fluid.global_scope().find_var(name) for name in names}
    return {name: np.array(var.get_tensor()).tolist() for name, var in held.items() if var is not None}
"""
JOB = NETWORK + """
role, number, *endpoints = sys.argv[1:]
said = {}
for (case, (optimizer, sync, trainers)), endpoints in zip(CASES.items(), endpoints):
    if role == "trainer" and int(number) >= trainers:
        continue
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        main, start, loss = network(optimizer, sync)
        transpiler = fluid.DistributeTranspiler()
        rank = 0 if role == "server" else int(number)
        transpiler.transpile(rank, program=main, pservers=endpoints, trainers=trainers, sync_mode=sync, startup_program=start)
        if role == "server":
            serve, begin = transpiler.get_pserver_programs(endpoints.split(",")[int(number)])
            exe.run(begin)
            exe.run(serve)
            said[case] = values(["table"])
        else:
            trained = transpiler.get_trainer_program()
            exe.run(start)
            losses = [exe.run(trained, feed=batch(step, int(number)), fetch_list=[loss])[0].item() for step in range(STEPS)]
            parameters = values(var.name for var in main.all_parameters() if var.name != "table")
            said[case] = {"losses": losses, "parameters": parameters}
            exe.close()
with open(f"{role}{number}.json", "w") as out:
    json.dump(said, out)
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("servers")
    (folder / "job.py").write_text(f"CASES, STEPS = {CASES!r}, {STEPS}\n{JOB}")
    ports = iter(free_ports(2 * len(CASES)))
    endpoints = [f"127.0.0.1:{next(ports)},127.0.0.1:{next(ports)}" for _ in CASES]
    words = [[str(folder / "job.py"), role, str(number), *endpoints] for role in ("server", "trainer") for number in (0, 1)]
    for status, text in run_together(words, [{}] * 4, Path(folder)):
        assert status == 0, text
    return {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}


def alone(optimizer: str, sync: bool, trainers: int) -> tuple[list[float], dict[str, Any]]:
    """Losses and parameters of one process that sees all batches."""
    here: dict[str, Any] = {}
    exec(NETWORK, here)
    fluid = here["fluid"]
    with fluid.scope_guard(fluid.Scope()):
        main, start, loss = here["network"](optimizer, sync)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(start)
        losses = []
        for step in range(STEPS):
            parts = [here["batch"](step, trainer) for trainer in range(trainers)]
            joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            losses.append(exe.run(main, feed=joined, fetch_list=[loss])[0].item())
        return losses, here["values"](var.name for var in main.all_parameters())


@pytest.mark.parametrize("case", CASES)
def test_they_train_as_one_process_does(told: dict[str, Any], case: str) -> None:
    losses, parameters = alone(*CASES[case])
    trainers = [told[f"trainer{number}"][case] for number in range(CASES[case][2])]
    np.testing.assert_allclose(np.mean([each["losses"] for each in trainers], 0), losses, atol=1e-6)
    (table,) = [held for number in (0, 1) for held in told[f"server{number}"][case].values()]
    np.testing.assert_allclose(table, parameters.pop("table"), atol=1e-6)
    for each in trainers:
        assert each["parameters"].keys() == parameters.keys()
        for name, value in each["parameters"].items():
            np.testing.assert_allclose(value, parameters[name], atol=1e-6, err_msg=name)

"""Trainers and servers of `fluid.DistributeTranspiler`, one of which this process is in each of several jobs, one after the other.

    python server_runs.py ROLE NUMBER FOLDER CASE=ENDPOINT,ENDPOINT ...

Run under the 1.8.5 wheel as well, with one job to a process: there a process that has left a job joins no other.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Callable, Dict, List

import numpy as np
from transpiled import NETS, optimizer

STEPS, BATCH, EVERY = 50, 8, 16  # EVERY: about so many values of a parameter are kept
Plain = Dict[str, Any]


def case(net: str, opt: str, servers: int = 2, **more: Any) -> Plain:
    """A network and its arguments, an optimizer and its, and how trainers run their Program."""
    return dict(net=net, opt=opt, servers=servers, **more)


WIDE = {"hidden": 2000}  # so that a weight is cut in two
CASES: Dict[str, Plain] = {
    "sgd by hours": case("line", "sgd", decay="piecewise"),
    "momentum": case("line", "momentum", args=WIDE, regular=True),
    "adam": case("line", "adam", args=WIDE, decay="exponential", rate=0.01, evaluation=True),
    "adagrad": case("line", "adagrad", args=WIDE),
    "rmsprop": case("line", "rmsprop", 1, rate=0.01, decay="noam"),
    "clip by norm of all": case("line", "momentum", args=WIDE, clip="global", regular=True),
    "image": case("image", "momentum", rate=0.01),
    "table, adagrad": case("ctr", "adagrad", args={"shared": True}, rate=0.01),
    "table, momentum": case("ctr", "momentum", args={"rows": 40}),  # 1.8.5 loses rows that are in no order, unless one is there twice
    "table, lazy": case("ctr", "lazy", decay="exponential", rate=0.01),
    "table, regularized": case("ctr", "sgd", regular=True),
    "words": case("words", "sgd"),
    "tree": case("tree", "sgd"),
    "two devices": case("line", "momentum", args=WIDE, devices=2, parallel=True),
    "two devices and tables": case("ctr", "sgd", devices=2),
}


def batch(net: str, step: int, trainer: int, rows: int) -> Dict[str, Any]:
    """What a trainer sees in a step."""
    numbers = np.random.RandomState(10 * step + trainer)

    def ids(width: int, below: int) -> Any:
        return numbers.randint(0, below, (BATCH, width)).astype("int64")

    def real(*shape: int) -> Any:
        return numbers.rand(BATCH, *shape).astype("float32")

    if net == "line":
        return {"x": real(13), "y": real(1)}
    if net == "image":
        return {"img": real(3, 8, 8), "label": ids(1, 10)}
    if net == "ctr":
        lengths = [[int(n) for n in numbers.randint(1, 4, BATCH)] for _ in range(2)]
        slots = {"slot%d" % i: (numbers.randint(0, rows, (sum(n), 1)).astype("int64"), [n]) for i, n in enumerate(lengths)}
        return dict(slots, dense=real(4), label=ids(1, 2))
    if net == "words":
        return dict({"word%d" % i: ids(1, rows) for i in range(3)}, next=ids(1, 40))
    return {"word": ids(1, 2000), "next": ids(1, 2000)}


def build(fluid: Any, said: Plain) -> List[Any]:
    """A Program that trains, its startup Program, the loss, and the Program that evaluates."""
    main, start = fluid.Program(), fluid.Program()
    main.random_seed = start.random_seed = 7
    with fluid.unique_name.guard(), fluid.program_guard(main, start):
        loss = NETS[said["net"]](fluid, **said.get("args", {}))
        test = main.clone(for_test=True)
        clips: Dict[str, Callable[[], Any]] = {
            "global": lambda: fluid.clip.GradientClipByGlobalNorm(0.5),
            "norm": lambda: fluid.clip.GradientClipByNorm(0.2),
            "value": lambda: fluid.clip.GradientClipByValue(0.05),
        }
        if "clip" in said:
            fluid.clip.set_gradient_clip(clips[said["clip"]]())
        optimizer(fluid, said["opt"], said.get("decay", ""), said.get("regular", False), said.get("rate", 0.1)).minimize(loss)
    return [main, start, loss, test]


def transpile(fluid: Any, said: Plain, programs: List[Any], rank: int, endpoints: str, trainers: int = 2) -> Any:
    """A transpiler that has rewritten the Programs."""
    config = fluid.DistributeTranspilerConfig()
    for name, value in said.get("config", {}).items():
        setattr(config, name, value)
    made = fluid.DistributeTranspiler(config)
    made.transpile(rank, program=programs[0], pservers=endpoints, trainers=trainers, startup_program=programs[1])
    return made


def short(value: Any) -> float:
    """What a float32 has of a value."""
    return float("%.9g" % value)


def values(fluid: Any, names: Any) -> Plain:
    """Some values of each variable that is here, and the mean of all."""
    found = {}
    for name in names:
        var = fluid.global_scope().find_var(name)
        if var is None or not var.get_tensor()._is_initialized():
            continue
        flat = np.array(var.get_tensor()).reshape(-1)
        found[name] = [short(v) for v in flat[:: max(1, flat.size // EVERY)]] + [short(flat.astype("float64").mean())]
    return found


def fed(fluid: Any, given: Plain) -> Plain:
    """A batch, sequences as LoDTensors."""
    lods = {n: fluid.create_lod_tensor(v[0], v[1], fluid.CPUPlace()) for n, v in given.items() if isinstance(v, tuple)}
    return dict(given, **lods)


def train(fluid: Any, said: Plain, programs: List[Any], made: Any, rank: int) -> Plain:
    """What a trainer sees."""
    main, start, loss, test = programs
    exe = fluid.Executor(fluid.CPUPlace())
    running = made.get_trainer_program()
    exe.run(start)
    rows = said.get("args", {}).get("rows", 3000)
    if "devices" in said:
        if said.get("parallel"):
            many = fluid.ParallelExecutor(False, loss.name, running, scope=fluid.global_scope())
        else:
            running = fluid.CompiledProgram(running).with_data_parallel(loss_name=loss.name)
    told: Plain = {"losses": [], "evaluated": []}
    for step in range(STEPS):
        given = fed(fluid, batch(said["net"], step, rank, rows))
        got = many.run([loss.name], feed=given) if said.get("parallel") else exe.run(running, feed=given, fetch_list=[loss.name])
        told["losses"].append([short(v) for v in np.array(got[0]).reshape(-1)])
        if said.get("evaluation") and step % 10 == 0:
            got = exe.run(test, feed=fed(fluid, batch(said["net"], 99, 0, rows)), fetch_list=[loss.name])
            told["evaluated"].append(short(np.array(got[0]).reshape(-1)[0]))
    told["parameters"] = values(fluid, sorted(p.name for p in main.all_parameters()))
    exe.close()
    return told


def take_part(fluid: Any, role: str, number: int, name: str, endpoints: str) -> Plain:
    """Be one of a job's processes, until it is over; a trainer says what it saw."""
    said = CASES[name]
    with fluid.scope_guard(fluid.Scope()):
        programs = build(fluid, said)
        rank = number if role == "trainer" else 0
        made = transpile(fluid, said, programs, rank, endpoints)
        if role == "trainer":
            return train(fluid, said, programs, made, rank)
        serve, begin = made.get_pserver_programs(endpoints.split(",")[number])
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(begin)
        exe.run(serve)
        return {}


if __name__ == "__main__":
    import paddle.fluid

    role, number, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    for name, endpoints in (each.split("=") for each in sys.argv[4:]):
        if role == "server" and number >= len(endpoints.split(",")):
            continue
        os.environ["CPU_NUM"] = str(CASES[name].get("devices", 1))
        told = take_part(paddle.fluid, role, number, name, endpoints)
        if told:
            with open(os.path.join(folder, "%s %d.json" % (name, number)), "w") as out:
                json.dump(told, out)

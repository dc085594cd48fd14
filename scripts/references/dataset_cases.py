"""What training from datasets of files prints and leaves, in a small network; for Paddle 1.8.5 and 2.6.2."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import tempfile
from typing import Any, Callable, Iterator

import numpy as np

paddle: Any = None  # the wheel's, or ours: set by `use`

WHEELS = ("1.8.5", "2.6.2")
SIZES = (5, 3, 4)


def use(module: Any) -> None:
    """Say which Paddle the cases run on."""
    global paddle
    paddle = module


def lines() -> list[list[str]]:
    """The lines of each file: 1 to 3 ids, 2 numbers, a label."""
    files: list[list[str]] = []
    k = 0
    for size in SIZES:
        files.append([])
        for _ in range(size):
            ids = [10 * k + j for j in range(1 + k % 3)]
            files[-1].append("%d %s 2 %g %g 1 %d" % (len(ids), " ".join(map(str, ids)), k * 0.1, k * 0.25 - 1, k % 2))
            k += 1
    return files


def write(folder: str) -> list[str]:
    """The files; their paths."""
    paths = []
    for number, rows in enumerate(lines()):
        paths.append(os.path.join(folder, "part-%d" % number))
        with open(paths[-1], "w") as file:
            file.write("".join(row + "\n" for row in rows))
    return paths


def network(old: bool) -> Any:
    """A Program on ids, x and y, its startup Program, the three variables and what is fetched."""
    if old:
        fluid = paddle.fluid
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup), fluid.unique_name.guard():
            ids = fluid.data("ids", [None, 1], "int64", lod_level=1)
            x, y = fluid.data("x", [None, 2], "float32"), fluid.data("y", [None, 1], "int64")
            constant = fluid.initializer.Constant(0.1)
            out = fluid.layers.fc(x, 1, param_attr=fluid.ParamAttr(initializer=constant))
            pooled = fluid.layers.sequence_pool(fluid.layers.cast(ids, "float32"), "sum")
            target = fluid.layers.cast(y, "float32") + pooled * 0.01
            loss = fluid.layers.mean(fluid.layers.square_error_cost(out, target))
            fluid.optimizer.SGD(0.05).minimize(loss)
        return main, startup, [ids, x, y], [loss, pooled]
    static = paddle.static
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), paddle.utils.unique_name.guard():
        ids = static.data("ids", [None, 1], "int64", lod_level=1)
        x, y = static.data("x", [None, 2], "float32"), static.data("y", [None, 1], "int64")
        constant = paddle.nn.initializer.Constant(0.1)
        out = static.nn.fc(x, 1, weight_attr=paddle.ParamAttr(initializer=constant))
        total = paddle.sum(paddle.cast(ids, "float32"))
        loss = paddle.mean(paddle.nn.functional.square_error_cost(out, paddle.cast(y, "float32"))) + total * 0.001
        paddle.optimizer.SGD(0.05).minimize(loss)
    return main, startup, [ids, x, y], [loss, total]


def dataset(old: bool, kind: str, variables: list[Any], paths: list[str], batch: int, threads: int = 1) -> Any:
    """A dataset of files."""
    if old:
        fluid = paddle.fluid
        made = fluid.DatasetFactory().create_dataset(kind)
        made.set_batch_size(batch)
        made.set_thread(threads)
        made.set_use_var(variables)
        made.set_pipe_command("cat")
    else:
        made = getattr(paddle.distributed, kind)()
        made.init(batch_size=batch, thread_num=threads, use_var=variables, pipe_command="cat")
    made.set_filelist(paths)
    return made


@contextlib.contextmanager
def printed() -> Iterator[list[str]]:
    """What is written to standard output inside, also by C++: a list that gets the text."""
    sys.stdout.flush()
    kept = os.dup(1)
    found: list[str] = []
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            yield found
        finally:
            sys.stdout.flush()
            os.dup2(kept, 1)
            os.close(kept)
            file.seek(0)
            found.append(file.read().decode())


def answers(old: bool) -> dict[str, Any]:
    """By case: what was printed, the parameters afterwards, and sizes."""
    if not old:
        paddle.enable_static()
    place = paddle.fluid.CPUPlace() if old else paddle.CPUPlace()
    scopes = paddle.fluid if old else paddle.static
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = write(folder)
        for kind in ("InMemoryDataset", "QueueDataset"):
            for batch in (2, 5, 30):
                main, startup, variables, fetched = network(old)
                exe = (paddle.fluid if old else paddle.static).Executor(place)
                scope = scopes.Scope() if old else paddle.static.Scope()
                with scopes.scope_guard(scope):
                    exe.run(startup)
                    data = dataset(old, kind, variables, paths, batch)
                    case = {"desc": data.desc() if old else data._desc()}
                    if kind == "InMemoryDataset":
                        data.load_into_memory()
                        case["loaded"] = int(data.get_memory_data_size())
                    with printed() as text:
                        fetches = fetched + variables
                        info = [var.name + "!" for var in fetches]
                        exe.train_from_dataset(main, data, fetch_list=fetches, fetch_info=info, print_period=1)
                        exe.infer_from_dataset(main, data)
                    case["printed"] = text[0]
                    case["parameters"] = [np.array(scope.find_var(p.name).get_tensor()).tolist() for p in main.all_parameters()]
                found["%s %d" % (kind, batch)] = case
    return found


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    use(importlib.import_module("paddle"))
    old = version.startswith("1")
    return {"datasets_%s.json" % version: lambda: answers(old)}

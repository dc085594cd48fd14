"""`Executor.train_from_dataset`: a Program on every batch of a dataset of files, and what is printed on the way."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.program import Program, default_main_program
from paddle_compat.core.scope import Scope, global_scope
from paddle_compat.core.variable import Variable
from paddle_compat.engine.hogwild import may_train_at_once, train_at_once
from paddle_compat.engine.sample_files import Readers, in_turn
from paddle_compat.static._dumps import Dump, asked_for
from paddle_compat.static.executor import scheduled
from paddle_compat.static.fetch_handler import FetchHandler, FetchHandlerMonitor

if TYPE_CHECKING:
    from paddle_compat.static.executor import Executor

_CPP_NAMES = {"float32": "float", "float64": "double", "int32": "int", "int64": "int64_t", "bool": "bool"}


def run_from_dataset(
    executor: Executor,
    api: str,
    program: Any,
    dataset: Any,
    scope: Any,
    thread: int,
    debug: bool,
    fetch_list: Any,
    fetch_info: Any,
    print_period: int,
    fetch_handler: Any,
) -> None:
    """Run a Program once for each batch of a dataset, while other threads read.

    With several threads, each trains on batches of its own; a Program that cannot be shared is run by the calling thread in turn for each.
    """
    if dataset is None:
        raise RuntimeError(f"{api} needs a dataset. Expected an InMemoryDataset or a QueueDataset. Received: None")
    program = default_main_program() if program is None else program
    if hasattr(program, "_executor_run"):
        raise UnsupportedError(api, "a CompiledProgram", "the Program that it was made of, and thread=n")
    if not isinstance(program, Program):
        raise type_error("program", "a Program", program, api)
    if program._pipeline_opt is not None:
        raise UnsupportedError(api, "a Program that is cut into the stages of a pipeline", "Executor.run, with a loader or a feed")
    if not hasattr(type(dataset), "_streams"):
        raise type_error("dataset", "an InMemoryDataset or a QueueDataset", dataset, api)
    if scope is not None and not isinstance(scope, Scope):
        raise type_error("scope", "a Scope or None", scope, api)
    for name, number in (("thread", thread), ("print_period", print_period)):
        if not isinstance(number, (int, np.integer)):
            raise type_error(name, "an int", number, api)
    if not print_period or thread < 0:
        raise invalid_argument(
            *(("print_period", "a number other than 0", 0) if not print_period else ("thread", "no negative number", thread)), api
        )
    printer = _Printer(program, _variables(fetch_list, api), fetch_info or [], print_period, api)
    scope = scope or global_scope()
    handled = fetch_handler.var_dict if isinstance(fetch_handler, FetchHandler) else {}
    watched = [var.name for var in handled.values() if isinstance(var, Variable) and var.name in program.global_block().vars]
    asked = asked_for(program)
    dump = None if asked is None else Dump(program, asked, dataset)
    fetches = list(dict.fromkeys([*printer.names, *watched, *(() if dump is None else dump.names)]))
    latest = _Latest(scope)
    monitor = None if fetch_handler is None else FetchHandlerMonitor(latest, fetch_handler)
    began, steps = time.perf_counter(), 0

    def show(feed: Mapping[str, Any], fetched: Sequence[Any]) -> None:
        latest.values = dict(zip(fetches, fetched, strict=True))
        printer.step(feed, latest.values)

    with Readers() as readers, dump or nullcontext():
        if monitor is not None:
            monitor.start()
        try:
            device = executor.place.torch_device
            streams = dataset._streams(readers, thread or max(1, dataset.thread_num))
            if dump is None and len(streams) > 1 and may_train_at_once(program, device):
                with scheduled(program, scope):
                    steps = train_at_once(program, readers, streams, fetches, scope, device, show)
            else:
                for worker, size, feed in in_turn(streams):
                    fetched = executor.run(program, feed=feed, fetch_list=fetches, scope=scope, return_numpy=False)
                    steps += 1
                    if dump is not None:
                        dump.step(worker, size, dict(zip(fetches, fetched, strict=True)))
                    if worker == 0:
                        show(feed, fetched)
        finally:
            if monitor is not None:
                monitor.stop()
    if debug:
        logging.info("%s: %d batches in %.3f s", api, steps, time.perf_counter() - began)


def _variables(fetch_list: Any, api: str) -> list[Variable]:
    fetch_list = [] if fetch_list is None else fetch_list
    if not isinstance(fetch_list, (list, tuple)) or not all(isinstance(var, Variable) for var in fetch_list):
        raise type_error("fetch_list", "a list of Variables", fetch_list, api)
    return list(fetch_list)


class _Latest:
    """A scope whose variables are, before its own, what the last step fetched."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.values: Mapping[str, LoDTensor] = {}

    def find_var(self, name: str) -> Any:
        """The variable of that name, or None."""
        found = self.values.get(name)
        return _Fetched(found) if found is not None else self.scope.find_var(name)


class _Fetched:
    def __init__(self, value: LoDTensor) -> None:
        self._value = value

    def get_tensor(self) -> LoDTensor:
        return self._value


class _Printer:
    """Prints what is fetched, every some batches of the first thread, as the Paddle of the Program's age does."""

    def __init__(self, program: Program, variables: Sequence[Variable], info: Sequence[str], period: int, api: str) -> None:
        if len(info) != len(variables):
            raise failed_assertion("fetch_info", f"a text for each of the {len(variables)} Variables in fetch_list", info, api)
        self.names, self.info = [var.name for var in variables], list(info)
        self.old, self.period, self.steps = program.age == 1, period, 0

    def step(self, feed: Mapping[str, Any], fetched: Mapping[str, Any]) -> None:
        """Count a batch, and print if it is time to."""
        self.steps += 1
        if not self.names or self.steps % self.period:
            return
        if self.old:
            lines = [_old_lines(info, name, fetched[name], name in feed) for info, name in zip(self.info, self.names, strict=True)]
            print("".join(lines), end="", flush=True)
            return
        shown = []
        for info, name in zip(self.info, self.names, strict=True):
            numbers = _numbers(fetched[name].numpy())
            shown.append(f", {info}[{len(numbers)}]:[{' '.join(numbers)}]")
        print(f"time: [{time.strftime('%Y-%m-%d %H:%M:%S')}], batch: [{self.steps}]{''.join(shown)}\n", end="", flush=True)


def _numbers(array: np.ndarray) -> list[str]:
    if array.dtype.kind == "f":
        return [f"{value:g}" for value in array.reshape(-1).tolist()]
    return [str(int(value)) for value in array.reshape(-1).tolist()]


def _old_lines(info: str, name: str, value: LoDTensor, is_fed: bool) -> str:
    array, lod = value.numpy(), value.lod()
    if is_fed and not lod:  # 1.8 feeds dense slots as sequences of single numbers
        lod = [list(range(0, array.size + 1, max(1, array.size // max(1, len(array)))))]
    levels = "".join("{" + ", ".join(map(str, level)) + "}" for level in lod)
    kind = _CPP_NAMES.get(str(array.dtype), str(array.dtype))
    return (
        f"{info}\t{name}\t\tlod: {{{levels}}}\n\tdim: {', '.join(map(str, array.shape))}\n\tlayout: NCHW\n\tdtype: {kind}\n"
        f"\tdata: [{' '.join(_numbers(array))}]\n\t\n"
    )

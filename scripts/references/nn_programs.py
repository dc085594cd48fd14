"""What layers write into Programs, and what those Programs compute, in `paddle.nn` and `paddle.static.nn` of 2.6.

A case is a function that gets the `paddle` module and builds something. It may return what to feed and what to fetch,
be run, and as a third what else is to be compared. The tests call the same functions with paddle_compat. The tables of
cases are in program_cases_*.py beside this file.
"""

from __future__ import annotations

import importlib
from functools import partial
from typing import Any, Callable

import numpy as np

WHEELS = ("2.6.2",)
TABLES = ("initializer", "static_nn", "layers", "functional", "rnn", "losses", "decode", "pylayer", "nn_utils", "vision_ops", "fourier")
GENERIC = ("op_callstack", "op_device", "op_namescope", "op_role", "op_role_var", "with_quant_attr")
# what ends the wheel's process: it loses the regions' counts
CRASHES = ("psroi_pool", "PSRoIPool")
# fields of operators that choose a kernel and never a result
KERNEL = ("use_cudnn", "use_mkldnn", "mkldnn_data_type", "use_quantizer", "is_test", "force_cpu")


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file a table."""
    return {f"ops_nn_programs_{table}_{version}.json": partial(record, table) for table in TABLES}


def record(table: str) -> dict[str, Any]:
    """Everything that the functions of one table write and compute."""
    import paddle

    cases = importlib.import_module("program_cases_" + table).CASES
    return {name: answer(paddle, case) for name, case in cases.items() if name not in CRASHES}


def answer(paddle: Any, case: Callable[[Any], Any]) -> dict[str, Any]:
    """Build one case in fresh Programs and describe them; run it when it says how."""
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, startup):
        paddle.seed(7)
        wanted = case(paddle)
    described = {"startup": operators(startup), "main": operators(main), "variables": variables(main)}
    if wanted is not None:
        feed, fetch = wanted[:2]
        if len(wanted) > 2:
            described["facts"] = wanted[2]
        executor = paddle.static.Executor(paddle.CPUPlace())
        with paddle.static.scope_guard(paddle.static.Scope()):
            executor.run(startup)
            results = executor.run(main, feed=feed, fetch_list=fetch, return_numpy=False)
        described["results"] = [{"shape": list(r.shape), "values": summary(r)} for r in map(np.array, results)]
    return described


def summary(result: Any) -> list[float]:
    """At most 24 of the elements, evenly spread, rounded to what float32 holds."""
    flat = np.asarray(result, "float64").reshape(-1)
    chosen = flat[:: max(1, -(-flat.size // 24))]
    return [float(f"{value:.7g}") for value in chosen]


def operators(program: Any) -> list[Any]:
    """Type, inputs, outputs and attributes of every operator; empty slots left out."""
    found = []
    for op in (op for block in program.blocks for op in block.ops):
        ins = {s: op.input(s) for s in op.input_names if op.input(s)}
        outs = {s: op.output(s) for s in op.output_names if op.output(s)}
        attrs = {k: attribute(op.attr(k)) for k in op.attr_names if k not in GENERIC}
        found.append([op.type, ins, outs, attrs])
    return found


def attribute(value: Any) -> Any:
    """An attribute as JSON has it."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [attribute(v) for v in value][:24]
    return int(value) if hasattr(value, "__int__") else getattr(value, "idx", getattr(value, "id", None))  # a block


def variables(program: Any) -> dict[str, Any]:
    """Shape, data type and kind of every variable that holds a tensor."""
    return {
        var.name: [
            list(var.shape),
            str(var.dtype).split(".")[-1].lower(),
            bool(var.persistable),
            bool(var.stop_gradient),
        ]
        for var in program.list_vars()
        if int(var.type) in (7, 8)  # LOD_TENSOR, SELECTED_ROWS
    }

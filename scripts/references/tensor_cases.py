"""The functions and operators of `paddle.tensor`: what each call records in static mode, and what it gives.

A row is an expression over the inputs of tests/tensor/tensor_rows.py. Recorded of it: the operators with their slots
and attributes, the variables with shape and type, the values of a run, and (for 2.x) what eager mode gives where that
is something else; or the exception that it raises.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
from math_cases import packed

WHEELS = ("1.8.5", "2.6.2")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tensor"))
TABLES = ("math", "creation", "manipulation", "search", "linalg", "operators", "random")
SEED = 102
OLD_TABLES = ("operators",)
GENERIC = {"op_role", "op_role_var", "op_namescope", "op_callstack", "op_device", "with_quant_attr", "use_mkldnn"}
GENERIC |= {"mkldnn_data_type", "use_cudnn", "use_quantizer"}


def kinds(error: BaseException) -> List[str]:
    """The exception's class and its bases, Python's own first in meaning."""
    return [kind.__name__ for kind in type(error).__mro__ if kind not in (object, BaseException)]


def plain_attr(value: Any) -> Any:
    """An attribute as JSON takes it."""
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return float("%.7g" % value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, (list, tuple)):
        return [plain_attr(v) for v in value]
    return str(value)


class Recorder:
    """Evaluates rows under the wheel at hand."""

    def __init__(self, version: str) -> None:
        import paddle

        self.age = int(version[0])
        self.paddle = paddle
        if self.age == 1:
            import paddle.fluid as framework
        else:
            import paddle.static as framework
        self.framework = framework
        self.names = {"paddle": paddle, "np": np, "fluid": framework if self.age == 1 else None}

    def static(self, row: str) -> Dict[str, Any]:
        """The Program that a row records, and what it gives."""
        from tensor_rows import INPUTS, leaves, names_in, value

        core = self.paddle.fluid.core if self.age == 1 else self.paddle.base.core
        guard = self.paddle.fluid.unique_name.guard if self.age == 1 else self.paddle.utils.unique_name.guard
        main, startup = self.framework.Program(), self.framework.Program()
        if self.age == 2:
            self.paddle.seed(SEED)
        with self.framework.program_guard(main, startup), guard():
            inputs = {n: self.framework.data(n, INPUTS[n][0], INPUTS[n][1]) for n in names_in(row)}
            for var in inputs.values():
                var.stop_gradient = not INPUTS[var.name][1].startswith("float")
            first = len(main.global_block().ops)
            found = leaves(eval(row, {**self.names, **inputs}))
        block = main.global_block()
        variables = [r for r in found if hasattr(r, "block")]
        recorded = {
            "ops": [self.operator(op) for op in block.ops[first:]],
            "vars": [
                [v.name, list(v.shape), int(getattr(v.dtype, "value", v.dtype)), bool(v.stop_gradient), bool(v.persistable)]
                for v in block.vars.values()
                if v.name not in inputs
            ],
            "results": [r.name if hasattr(r, "block") else repr(r) for r in found],
        }
        with self.framework.scope_guard(core.Scope()):
            executor = self.framework.Executor(core.CPUPlace())
            executor.run(startup)
            if variables:
                try:
                    feed = {n: value(n) for n in inputs}
                    values = executor.run(main, feed=feed, fetch_list=variables, return_numpy=False)
                    recorded["values"] = [packed(np.array(v)) for v in values]
                except Exception as error:
                    recorded["run"] = kinds(error)
        return recorded

    def operator(self, op: Any) -> List[Any]:
        """Type, input slots, output slots, attributes."""
        return [
            op.type,
            {slot: op.input(slot) for slot in op.input_names},
            {slot: op.output(slot) for slot in op.output_names},
            {name: plain_attr(op.attr(name)) for name in op.attr_names if name not in GENERIC},
        ]

    def eager(self, row: str) -> List[Any]:
        """What a row gives at once."""
        from tensor_rows import leaves, names_in, value

        inputs = {n: self.paddle.to_tensor(value(n)) for n in names_in(row)}
        self.paddle.seed(SEED)
        found = leaves(eval(row, {**self.names, **inputs}))
        return [packed(np.array(r)) if isinstance(r, self.paddle.Tensor) else repr(r) for r in found]

    def record(self, row: str) -> Dict[str, Any]:
        """All that is known of a row."""
        if self.age == 2:
            self.paddle.enable_static()
        try:
            recorded = self.static(row)
        except Exception as error:
            print("%-60s %s: %s" % (row, type(error).__name__, " ".join(str(error).split())[-200:]))
            recorded = {"error": kinds(error)}
        if self.age == 2:
            self.paddle.disable_static()
            try:
                values: Any = self.eager(row)
            except Exception as error:
                values = {"error": kinds(error)}
            tensors = [v for v in values if isinstance(v, dict)] if isinstance(values, list) else None
            if tensors is None or tensors != recorded.get("values", []):
                recorded["eager"] = values
        return recorded


def record_table(name: str, version: str) -> Dict[str, Any]:
    """What the wheel answers to every row of one table."""
    recorder = Recorder(version)
    module = importlib.import_module("rows_" + name)
    rows = list(module.ROWS) + list(getattr(module, "ROWS_%d" % recorder.age, ()))
    return {row: recorder.record(row) for row in rows}


def record_strings() -> Dict[str, List[str]]:
    """How each Tensor of rows_to_string prints, with each set of options."""
    import paddle
    from rows_to_string import DATA, MADE, OPTIONS

    paddle.disable_static()
    defaults = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": False}
    found: Dict[str, List[str]] = {row: [] for row in DATA + MADE}
    for options in OPTIONS:
        paddle.set_printoptions(**dict(defaults, **options))
        for row in DATA:
            found[row].append(str(paddle.to_tensor(eval(row))))
        for row in MADE:
            found[row].append(str(eval(row)))
    return found


def recordings(version: str) -> Dict[str, Any]:
    """One data file for each table."""
    tables = OLD_TABLES if version.startswith("1") else TABLES
    found: Dict[str, Any] = {
        "tensor_%s_%s.json.gz" % (name, version): (lambda name=name: record_table(name, version)) for name in tables
    }
    if version.startswith("2"):
        found["tensor_to_string_%s.json" % version] = record_strings
    return found

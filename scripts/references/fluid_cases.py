"""Every function of `fluid.layers`, `fluid.nets` and `fluid.input` called under Paddle 1.8.5: programs, values, gradients.

fluid_layers_TABLE.json.gz: {case: what `fluid_recording.observe` gives}. A case is named after the function, with a
variant behind a slash. Values that two runs in a row do not agree on are left out, and a case that the wheel's CPU
cannot run keeps the programs only.
fluid_rejections.json.gz: {function: {fed variable: {data type: whether it is met with a TypeError}}}; a data type that
is met with another error is left out.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any, Callable, Dict

import fluid_recording

WHEELS = ("1.8.5",)
DTYPES = ("bool", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8")
TABLES = ("math", "tensor", "vision", "loss", "detection")


def table(name: str) -> Dict[str, str]:
    """The cases of a table, by name."""
    cases: Dict[str, str] = importlib.import_module("fluid_cases_" + name).CASES
    return cases


def attempt(fluid: Any, code: str) -> Dict[str, Any]:
    """What a case gives; without gradients, or without a run, where the wheel refuses those."""
    for options in ({}, {"differentiable": False}, {"differentiable": False, "runs": False}):
        try:
            return fluid_recording.observe(fluid, code, **options)
        except Exception as error:  # the wheel's errors have no common base
            last = error
    raise SystemExit(f"{code}: {type(last).__name__}: {last}")


def record(name: str) -> Dict[str, Any]:
    """Everything of a table."""
    import paddle.fluid as fluid

    found = {}
    for case, code in table(name).items():
        first, second = attempt(fluid, code), attempt(fluid, code)
        if first.get("values") != second.get("values") or first.get("grads") != second.get("grads"):
            first["values"] = [a if a == b else None for a, b in zip(first["values"], second["values"])]
            first["grads"] = {key: value for key, value in first["grads"].items() if second["grads"].get(key) == value}
        found[case] = first
    return found


def first_cases() -> Dict[str, str]:
    """The plain case of every function."""
    return {case: code for name in TABLES for case, code in table(name).items() if "/" not in case}


def rejections() -> Dict[str, Dict[str, Dict[str, bool]]]:
    """The data types that every function takes, argument by argument, before anything is recorded."""
    import paddle.fluid as fluid

    found: Dict[str, Dict[str, Dict[str, bool]]] = {}
    for case, code in first_cases().items():
        arguments = list(fluid_recording.build(fluid, code)[0].feeds)
        found[case] = {name: rejected(fluid, code, name) for name in arguments}
    return {case: rules for case, rules in found.items() if rules}


def rejected(fluid: Any, code: str, argument: str) -> Dict[str, bool]:
    """For every data type whether a call raises TypeError when one fed variable has it."""
    found = {}
    for dtype in DTYPES:
        try:
            fluid_recording.build(fluid, code, {argument: dtype})
            found[dtype] = False
        except TypeError:
            found[dtype] = True
        except Exception:  # something else is wrong with that data type
            continue
    return found


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file for each table, and one for what is rejected."""
    tables = {f"fluid_layers_{name}.json.gz": functools.partial(record, name) for name in TABLES}
    return {**tables, "fluid_rejections.json.gz": rejections}

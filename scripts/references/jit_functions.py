"""Functions run by `to_static`, by default and with `full_graph=True`; jit_functions_2.6.2.json.gz is {function: {mode: answers}}.

An answer is {"value": what it returned, "gradient": that of its first input} or {"raises": the builtin class of the exception}. With
`full_graph=True` the wheel loses many gradients of loops and of inputs that are returned, so they are recorded by default only.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import warnings
from typing import Any, Callable

import jit_inputs
import numpy as np
from eager_answers import kind, plain

WHEELS = ("2.6.2",)
MODULES = ("jit_branches", "jit_loops", "jit_values", "jit_calls", "jit_holders")


def cases() -> dict[str, tuple[Any, str, bool]]:
    """Function name -> (module, its calls as text, whether it is recorded with `full_graph=True`)."""
    found = {}
    for name in MODULES:
        module = importlib.import_module(name)
        with open(str(module.__file__)) as stream:
            text = stream.read()
        for calls, free, function in re.findall(r"^# case: (.*?)( free)?\n(?:@.*\n)*def (\w+)", text, re.MULTILINE):
            found[function] = module, calls, not free
    return found


def answers(paddle: Any, name: str, whole: bool) -> list[dict[str, Any]]:
    """What the calls of one function give."""
    module, calls, _ = cases()[name]
    jit_inputs.paddle = module.paddle = paddle
    module.F = paddle.nn.functional
    paddle.disable_static()
    paddle.seed(7)
    run = paddle.jit.to_static(getattr(module, name), full_graph=whole)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return [_answer(paddle, run, args, whole) for args in eval(f"[{calls}]", vars(jit_inputs))]


def _answer(paddle: Any, run: Callable[..., Any], args: list[Any], whole: bool) -> dict[str, Any]:
    given = [_tensors(paddle, value) for value in args]
    try:
        result = run(*given)
        if whole:
            return {"value": plain(result)}
        found = [v for v in _leaves(result) if isinstance(v, paddle.Tensor) and v.dtype == paddle.float32 and not v.stop_gradient]
        if found and given[0].dtype == paddle.float32:
            sum((v * (i + 1)).sum() for i, v in enumerate(found)).backward()  # type: ignore[union-attr]
        return {"value": plain(result), "gradient": plain(given[0].grad) if isinstance(given[0], paddle.Tensor) else None}
    except Exception as error:
        return {"raises": kind(error)}


def _tensors(paddle: Any, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return paddle.to_tensor(value, stop_gradient=value.dtype.kind != "f")
    if isinstance(value, dict):
        return {key: _tensors(paddle, v) for key, v in value.items()}
    return type(value)(_tensors(paddle, v) for v in value) if isinstance(value, (list, tuple)) else value


def _leaves(value: Any) -> list[Any]:
    parts = list(value.values()) if isinstance(value, dict) else value
    return [leaf for part in parts for leaf in _leaves(part)] if isinstance(parts, (list, tuple)) else [value]


def record() -> dict[str, Any]:
    """What the wheel answers."""
    import paddle

    return {
        name: {mode: answers(paddle, name, mode == "whole") for mode in ("free", "whole") if mode == "free" or both}
        for name, (_, _, both) in cases().items()
    }


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"jit_functions_{version}.json.gz": record}

"""The cases of program_cases_*.py in eager mode: results, first parameters, and gradients of inputs and parameters.

A case is run twice: in static mode for what it feeds, then in eager mode with `static.data` giving those arrays. What has
random results, and so is never run, has cases of its own in eager_*_cases.py.
"""

from __future__ import annotations

import importlib
from functools import partial
from typing import Any, Callable
from unittest import mock

import numpy as np
from eager_answers import elements, kind

WHEELS = ("2.6.2",)
# layers that make no parameter themselves but one that holds those of their cells
FLAT = ("SimpleRNN", "LSTM", "GRU")
TABLES = ("layers", "functional", "rnn", "losses", "static_nn", "vision_ops", "fourier")
# what ends the wheel's process
CRASHES = ("batch_norm_test", "batch_norm_nhwc")


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file a table."""
    return {f"eager_programs_{table}_{version}.json.gz": partial(record, table) for table in TABLES}


def record(table: str) -> dict[str, Any]:
    """What every case of a table gives."""
    import paddle

    cases = importlib.import_module("program_cases_" + table).CASES
    found = {name: answer(paddle, case) for name, case in cases.items() if name not in CRASHES}
    return {name: value for name, value in found.items() if value is not None}


def answer(paddle: Any, case: Callable[[Any], Any]) -> dict[str, Any] | None:
    """One case; None when it is not run."""
    paddle.enable_static()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        wanted = case(paddle)
    paddle.disable_static()
    return None if wanted is None else run(paddle, case, wanted[0])


def run(paddle: Any, case: Callable[[Any], Any], feed: dict[str, Any]) -> dict[str, Any]:
    """Run one case at once on what it feeds."""
    given: dict[str, Any] = {}
    made: list[Any] = []
    create = paddle.nn.Layer.create_parameter

    def data(name: str, *_: Any, **__: Any) -> Any:
        array = np.asarray(feed[name])
        given[name] = paddle.to_tensor(array, stop_gradient=array.dtype.kind != "f")
        return given[name]

    def noted(layer: Any, *args: Any, **kwargs: Any) -> Any:
        parameter = create(layer, *args, **kwargs)
        if parameter is not None and type(layer).__name__ not in FLAT:
            made.append(parameter)
        return parameter

    named, fed = paddle.utils.unique_name.guard(), mock.patch.object(paddle.static, "data", data)
    with named, fed, mock.patch.object(paddle.nn.Layer, "create_parameter", noted):
        paddle.seed(7)
        try:
            outputs = [o for o in flat(case(paddle)[1]) if hasattr(o, "stop_gradient")]
            first = [tensor(p) for p in made]
            losses = [(o * weights(paddle, o)).sum() for o in outputs if not o.stop_gradient]
            if losses:
                paddle.autograd.backward(losses)
        except Exception as error:
            return {"raises": kind(error)}
    found: dict[str, Any] = {"outputs": [[*tensor(o), o.stop_gradient or "float" not in str(o.dtype)] for o in outputs]}
    found["inputs"] = {name: gradient(x) for name, x in given.items()}
    if made:
        found["parameters"] = [[p.name, *value, p.stop_gradient, gradient(p)] for p, value in zip(made, first)]
    return found


def flat(value: Any) -> list[Any]:
    """The parts of a nested result."""
    return [part for v in value for part in flat(v)] if isinstance(value, (list, tuple)) else [value]


def weights(paddle: Any, out: Any) -> Any:
    """What every element counts in the sum that is differentiated."""
    return paddle.to_tensor(np.cos(np.arange(int(np.prod(out.shape)))).reshape(out.shape).astype("float32")).astype(out.dtype)


def tensor(value: Any) -> list[Any]:
    """Shape, data type and elements."""
    return [list(value.shape), str(value.dtype).split(".")[-1], elements(value.numpy())]


def gradient(value: Any) -> Any:
    """The elements of a gradient, None where there is none."""
    if value.stop_gradient or value.grad is None:
        return None
    return elements(value.grad.numpy())

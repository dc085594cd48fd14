"""Forms of functions that overwrite an argument (`add_`), their documentation made from that of the function."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from typing import Any

import torch

from paddle_compat.core.errors import InvalidArgumentError, invalid_argument
from paddle_compat.tensor import TENSOR_ONLY
from paddle_compat.tensor._calls import is_tensor, static


def in_place(function: Any, over: int = 0) -> Any:
    """The form of a function that overwrites an argument; in a Program it gives a new Variable, as in the wheels.

    Args:
        function: what computes the value.
        over: which argument is overwritten.
    """
    target = function.__name__ + "_"
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "out"]
    name = parameters[over].name

    @functools.wraps(function)
    def overwrite(*args: Any, **kwargs: Any) -> Any:
        x: Any = args[over] if len(args) > over else kwargs.get(name)
        if not is_tensor(x):
            raise invalid_argument(name, "a tensor", repr(x), target)
        if static(x):
            return function(*args, **kwargs)
        return replace(x, function(*args, **kwargs), target)

    overwrite.__name__ = overwrite.__qualname__ = target
    overwrite.__module__ = function.__module__
    overwrite.__doc__ = _document(function, target, over, name)
    overwrite.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return overwrite


def replace(x: Any, value: Any, api: str) -> Any:
    """x, now holding what `value` does; a leaf that has a gradient stays the leaf that it is, and is overwritten under `no_grad` only."""
    if not (x._t.requires_grad and x._t.is_leaf):
        x._t = value._t
    elif torch.is_grad_enabled():
        raise InvalidArgumentError(
            f"`{api}` would overwrite a leaf of the gradient. Expected a Tensor with stop_gradient or one that an "
            f"operator made. Received: {x.name}"
        )
    else:
        x._t.data = value._t.detach()
    return x


def _document(function: Any, target: str, over: int, x: str) -> str:
    """The docstring of a form in place: arguments and errors are the function's, and so is what its example shows."""
    text = inspect.cleandoc(function.__doc__)
    parts = dict(re.findall(r"^(Args|Raises|Example):\n((?:    .*\n)+)", text, re.MULTILINE))
    arguments = re.sub(r" +out: .*\n", "", parts["Args"])
    return (
        f"`{function.__name__}`, written over `{x}`.\n\nArgs:\n{arguments}"
        f"Returns:\n    `{x}`, which holds the result; in a Program a new Variable.\n"
        f"Raises:\n{parts.get('Raises', '')}    ValueError: `{x}` is no tensor, or a leaf that has a gradient.\n\n"
        f"Example:\n{_example(parts['Example'], function.__name__, target, over, x)}\nFollows Paddle 2.6.\n"
    )


def _example(lines: str, name: str, target: str, over: int, x: str) -> str:
    """The example of a function, with the call in a line of its own and what it overwrote in its place."""
    source = next(line for line in lines.splitlines() if f".{name}(" in line)[8:]
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    call = next(node for node in nodes if isinstance(node.func, ast.Attribute) and node.func.attr == name)
    written, first, inside = (ast.get_source_segment(source, node) or "" for node in (call, call.args[over], call.func))
    place = "paddle.tensor" if target in TENSOR_ONLY else "paddle"
    in_place_call = written.replace(first, x, 1).replace(inside, f"{place}.{target}", 1)
    steps = f"    >>> {x} = {first}\n    >>> {in_place_call} is {x}\n    True\n    >>> {source.replace(written, x)}\n"
    return lines.replace(f"    >>> {source}\n", steps)

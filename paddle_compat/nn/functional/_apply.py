"""How the functions of `paddle.nn.functional` call operators, in either mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import torch

from paddle_compat.core import mode
from paddle_compat.core.capture import overwritten
from paddle_compat.core.dtype import dtype_name, is_float
from paddle_compat.core.errors import UnimplementedError, type_error
from paddle_compat.core.layer_helper import LayerHelper, operator_helper
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.tensor._calls import FLOATS
from paddle_compat.tensor._in_place import check_writable, replace, write

_BY_RESULT = frozenset({"relu", "softmax", "tanh"})  # whose own backward pass reads what they gave, and not what they were given
_FLOATS_ALONE = frozenset({"hardsigmoid", "hardtanh", "maxout", "relu6", "tanh_shrink"})
# the top-level functions (`paddle.multiply`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")


def helper_for(layer: str, x: Any, name: str | None = None) -> LayerHelper | None:
    """The LayerHelper that names what is recorded; None where nothing is."""
    if isinstance(x, Tensor) or mode.in_dygraph_mode():
        return None
    return operator_helper(layer, name)


def check_float(x: Any, layer: str) -> None:
    """Refuse to record what is no Variable of floats (or complex numbers)."""
    if isinstance(x, Tensor) or mode.in_dygraph_mode():
        return
    if not isinstance(x, Variable):
        raise type_error("x", "a tensor", x, layer)
    if not is_float(x.dtype):
        raise type_error("x", "a tensor of floats", dtype_name(x.dtype), layer)


def check_recorded(api: str, kinds: Sequence[str] = FLOATS, **tensors: Any) -> None:
    """Refuse to record tensors of other data types; eager mode leaves that to the operators, as Paddle does.

    Args:
        api: the function's name.
        kinds: the data types' names.
        tensors: the tensors by the names that the message gives them.
    Raises:
        TypeError: one is no tensor, or has another data type.
    """
    if mode.in_dygraph_mode():
        return
    for name, value in tensors.items():
        if isinstance(value, Tensor):
            continue
        if not isinstance(value, Variable):
            raise type_error(name, "a tensor", value, api)
        if dtype_name(value.dtype) not in kinds:
            raise type_error(name, f"a tensor of {', '.join(kinds)}", dtype_name(value.dtype), api)


def refuse_whole(x: Any, api: str, name: str = "x") -> None:
    """Refuse Tensors of whole numbers and truth values in eager mode, for which Paddle has no kernel."""
    if isinstance(x, Tensor) and not (x._t.is_floating_point() or x._t.is_complex()):
        raise UnimplementedError(
            f"Invalid data type for argument `{name}` of `{api}`. Expected a tensor of {', '.join(FLOATS)}. Received: {dtype_name(x.dtype)}"
        )


def apply(op: Any, layer: str, x: Any, name: str | None, **attrs: Any) -> Any:
    """Run or record an operator of one input; its output is named after the layer, or after `name`."""
    if isinstance(x, Tensor):
        if layer in _FLOATS_ALONE:
            refuse_whole(x, layer)
        return op(x, **attrs)
    check_float(x, layer)
    return op(x, _helper=helper_for(layer, x, name), **attrs)


def constant(value: float, x: Any) -> Any:
    """A tensor of shape [1] and x's data type, made as `paddle.base.dygraph.to_variable` does."""
    if not (isinstance(x, Tensor) or mode.in_dygraph_mode()):
        default_main_program().current_block()._add_var()  # the real function makes a variable that nothing uses
    return paddle.full([1], value, dtype=x.dtype)


def in_place(x: Any, out: Any, api: str) -> Any:
    """What a function with an underscore returns: its Tensor, changed. A Variable has nothing to change."""
    return replace(x, out, api) if isinstance(x, Tensor) and isinstance(out, Tensor) else overwritten(x, out)


def overwrite(x: Any, function: Callable[..., Any], *args: Any) -> Any:
    """What the form in place of a function returns: its Tensor, changed. A Variable has nothing to change.

    A backward pass that reads what the Tensor held raises from now on, but for the function's own.

    Args:
        x: the Tensor, the function's first argument.
        function: what computes the result.
        args: its other arguments.
    """
    if not isinstance(x, Tensor):
        return overwritten(x, function(x, *args))
    check_writable(x, f"{function.__name__}_")
    if not (x._t.requires_grad and torch.is_grad_enabled()):
        return write(x, function(x, *args)._t)
    if function.__name__ not in _BY_RESULT:
        return write(x, function(Tensor(x._t.clone()), *args)._t)
    value = function(x, *args)._t
    write(x, value)
    _guard(value, x._t.detach())
    return x


def _guard(value: torch.Tensor, memory: torch.Tensor) -> None:
    """Refuse the backward pass of a value that was copied to a Tensor's memory, once something else was written there."""
    version = memory._version

    def check(_: Any) -> None:
        if memory._version != version:
            raise RuntimeError(f"{memory.shape} has been modified by an inplace operation: {memory._version} writes, not {version}")

    if value.grad_fn is not None:
        value.grad_fn.register_prehook(check)

"""How the functions of `fluid.layers` reach the operators: one call, in the spelling of Paddle 1.8."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

import numpy as np

from paddle_compat.core import mode
from paddle_compat.core.dtype import VarType, convert_dtype, dtype_name
from paddle_compat.core.errors import UnknownDtypeError, type_error
from paddle_compat.core.op import definition_of
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.dygraph import _eager
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._types import TAKES

F = TypeVar("F", bound=Callable[..., Any])


def run(
    type_: str,
    *inputs: Any,
    layer: str | None = None,
    name: str | None = None,
    helper: LayerHelper | None = None,
    outputs: Any = None,
    stop: bool = False,
    takes: str | None = None,
    **attrs: Any,
) -> Any:
    """Record an operator, or run it where its inputs are Tensors.

    Args:
        inputs: one for each input slot; trailing optional ones may be left out.
        layer: what the LayerHelper is called; default: the operator's type.
        name: the layer's own name.
        helper: a LayerHelper that there is already.
        outputs: slot -> Variable to write to.
        stop: the results stop gradients.
        takes: whose row of `_types.TAKES` says which data types the first inputs have to be of in a Program.
    Returns:
        One value per computed output.
    """
    definition = definition_of(type_)
    if _eager.runs_now(inputs):
        found = _eager.run(definition, inputs, attrs, outputs)
        # only Programs stop gradients behind operators that have some
        return _stopped(found) if stop and definition.grad_slots(1) is None else found
    if takes is not None:
        for value, (argument, accepted) in zip(inputs, TAKES[takes].items()):
            check_dtype(value, argument, accepted, takes)
    helper = helper or LayerHelper(layer or type_, name=name)
    found = definition(*inputs, _helper=helper, _outputs=outputs, **{**definition.first_age, **attrs})
    return _stopped(found) if stop else found


def _stopped(found: Any) -> Any:
    for value in found if isinstance(found, (tuple, list)) else [found]:
        if value is not None:  # one that this version of the operator does not have
            value.stop_gradient = True
    return found


def temporaries(helper: LayerHelper, *slots: str) -> dict[str, Any] | None:
    """Outputs ``<layer>.tmp_<n>``, made in this order (an operator makes its own in the order of its slots)."""
    return None if mode.in_dygraph_mode() else {slot: helper.create_variable_for_type_inference() for slot in slots}


def unnamed(helper: LayerHelper, *slots: str, dtype: Any = None) -> dict[str, Variable] | None:
    """Outputs called ``_generated_var_<n>``, as some layers of 1.8 make them."""
    return None if mode.in_dygraph_mode() else {slot: helper.create_variable(dtype=dtype) for slot in slots}


def declared(out: Any, dtype: Any) -> Any:
    """A result whose Variable, as in Paddle 1.8, says that it has this data type, whatever it really holds."""
    if isinstance(out, Variable):
        out.dtype = convert_dtype(dtype)
    return out


_MAY_BE_NONE = {"mask"}  # parameters without a default that take None, too (`deformable_conv`)


def layer(function: F) -> F:
    """A function that checks its Variables' data types first, by `_types.TAKES`."""
    rules = TAKES.get(function.__name__, {})
    if not rules:
        return function
    parameters = signature(function).parameters
    order = list(parameters)
    places = [(order.index(argument), argument, accepted) for argument, accepted in rules.items() if argument in order]
    needed = {name for name, parameter in parameters.items() if parameter.default is parameter.empty} - _MAY_BE_NONE

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        for place, argument, accepted in places:
            value = args[place] if place < len(args) else kwargs.get(argument)
            if isinstance(value, Tensor):
                mode.settle_eager()
                continue
            absent = value is None and (argument not in needed or (place >= len(args) and argument not in kwargs))
            for item in value if isinstance(value, (list, tuple)) else [] if absent else [value]:
                check_dtype(item, argument, accepted, function.__name__)
        return function(*args, **kwargs)

    return checked  # type: ignore[return-value]


def check_dtype(value: Any, argument: str, accepted: Sequence[VarType], api: str) -> None:
    """Raise TypeError unless it is a Variable of one of these data types (any, when there are none), or a Tensor."""
    if isinstance(value, Tensor):
        mode.settle_eager()
        return
    if not isinstance(value, Variable):
        raise type_error(argument, "a Variable", value, f"fluid.layers.{api}")
    if accepted and value.dtype not in accepted:
        expected = ", ".join(map(dtype_name, accepted))
        raise TypeError(
            f"Invalid data type of argument `{argument}` of `fluid.layers.{api}`. Expected one of {expected}. "
            f"Received: {dtype_name(value.dtype)}"
        )


def is_variable(value: Any) -> bool:
    """Whether it is a Variable or a Tensor rather than a plain number, list or array."""
    return isinstance(value, (Variable, Tensor))


def as_list(value: Any, count: int, argument: str) -> list[int]:
    """A number repeated, or a list of that many, which may be numpy's."""
    found = list(value) if isinstance(value, (list, tuple, np.ndarray)) else [value] * count
    if isinstance(value, np.generic) or len(found) != count or not all(isinstance(v, (int, np.integer)) for v in found):
        raise ValueError(f"Invalid value for argument `{argument}`. Expected an int or {count} of them. Received: {value!r}")
    return [int(v) for v in found]


def dtype_number(dtype: Any) -> int:
    """A data type as the number that attributes hold."""
    if dtype is None:  # which numpy takes for float64
        raise UnknownDtypeError("Invalid value for argument `dtype`. Expected a data type such as 'float32'. Received: None")
    return int(convert_dtype(dtype))

"""Checks of arguments that the layers of both ages share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat.core import mode
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.mode import static_only as static_only
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable

FLOATS = ("float32", "float64")
ALL_FLOATS = ("float16", "bfloat16", *FLOATS)
INTEGERS = ("int32", "int64")
NUMBERS = FLOATS + INTEGERS


def need_variable(value: Any, name: str, api: str, dtypes: Sequence[str] = ()) -> Variable:
    """The value, if it is a Variable (in eager mode, a value) of one of these data types; TypeError else."""
    if not isinstance(value, Variable) and not (isinstance(value, Tensor) and mode.in_dygraph_mode()):
        raise type_error(name, "Variable", value, api)
    if dtypes and dtype_name(value.dtype) not in dtypes:
        raise type_error(name, f"a data type of {', '.join(dtypes)}", dtype_name(value.dtype), api)
    return value  # type: ignore[return-value]


def runs_now(value: Any) -> bool:
    """Whether a layer that 2.6 runs in eager mode, too, runs at once on this value; without one, the mode is settled."""
    return mode.in_dygraph_mode() and (isinstance(value, Tensor) or not mode.settle_static())


def all_run_now(*values: Any) -> bool:
    """Whether the call runs at once; a Variable among the values settles that it does not."""
    if any(isinstance(v, Variable) for v in values):
        mode.settle_static()
    return mode.in_dygraph_mode()


def need_type(value: Any, name: str, api: str, *types: type) -> None:
    """TypeError, unless the value is of one of these types."""
    if not isinstance(value, types):
        raise type_error(name, " or ".join(t.__name__ for t in types), value, api)


def layer(layer_type: str, **arguments: Any) -> LayerHelper:
    """A LayerHelper of the age of the Program that is recorded into."""
    return LayerHelper(layer_type, age=default_main_program().age, **arguments)

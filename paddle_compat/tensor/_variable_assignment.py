"""`paddle.static.setitem`: what stands in for `x[...] = value` in a Program, with the wheels' `set_value` and `index_put`."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core import capture, unique_name
from paddle_compat.core.dtype import VarType, convert_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.variable import Variable
from paddle_compat.tensor._tensor_indexing import SAME_PLACES
from paddle_compat.tensor._variable_indexing import Plan, as_variables, call, expand_ellipsis, index_variable, plain
from paddle_compat.tensor._variable_operators import astype

_API = "setitem"
_NUMBERS = (bool, int, float, complex, np.number, np.bool_)


def setitem(x: Variable, index: Any, value: Any) -> Variable:
    """A copy of a Variable with one part overwritten.

    Args:
        x: the Variable; it stays as it is, but for an array of tensors and, in scripts of Paddle 3, a parameter.
        index: what stands between the brackets of `x[...] = value`; several entries as a tuple.
        value: a number, an array or a Variable that broadcasts to that part.
    Returns:
        Variable.
    Raises:
        IndexError: an index of another type, or out of range.
        TypeError: the value is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.zeros([2, 3])
        >>> paddle.static.setitem(x, (0, slice(1, None)), 5.0).shape
        (2, 3)

    Follows Paddle 2.6.
    """
    if not isinstance(x, Variable):
        raise type_error("x", "a Variable", x, _API)
    if x.type == VarType.LOD_TENSOR_ARRAY and isinstance(index, (int, Variable)):
        return _written(x, index, value)
    items = [*map(capture.as_variable, index)] if isinstance(index, tuple) else [capture.as_variable(index)]
    value = capture.as_variable(value)
    plan = Plan(x, expand_ellipsis(plain(items), x))
    attrs: dict[str, Any] = {
        "axes": plan.axes, "steps": plan.steps, "decrease_axes": plan.dropped, "none_axes": plan.new_axes, "dtype": int(x.dtype),
    }  # fmt: skip
    if plan.indices:
        value = _replaced(plan, attrs, _as_variable(value, x))
    elif isinstance(value, Variable):
        value = astype(value, x.dtype)
    out = _write(x, plan, value, attrs)
    if x.persistable and writes_in_place(x):
        copy = call("assign", out)  # so that updates of x do not show in what is given
        x.block.program.current_block().append_op(type="share_data", inputs={"X": [copy]}, outputs={"Out": [x]})
    return out


def writes_in_place(x: Variable) -> bool:
    """Whether assignments to what is kept between runs are kept, too, as in Programs of Paddle 3, where their gradients stop."""
    return SINCE_3 and x.block.program.age > 1 and capture.current is None


def _written(array: Variable, index: Any, value: Any) -> Variable:
    """A tensor array, whose entry is written where it stands."""
    from paddle_compat.tensor.array import array_write
    from paddle_compat.tensor.creation import full

    at = astype(index, VarType.INT64) if isinstance(index, Variable) else full([1], index, "int64")
    written: Variable = array_write(_as_variable(value, array), at, array)
    return written


def _write(x: Variable, plan: Plan, value: Any, attrs: dict[str, Any]) -> Variable:
    """Append `set_value`: a Variable is an input, numbers are attributes."""
    block = x.block.program.current_block()
    inputs: dict[str, Any] = {"Input": [x]}
    for slot, values in (("Starts", plan.starts), ("Ends", plan.ends), ("Steps", plan.steps)):
        varies = any(isinstance(v, Variable) for v in values)
        if varies:
            inputs[slot + "TensorList"] = as_variables(block, values, VarType.INT32)
        attrs[slot.lower()] = [] if varies else [int(v) for v in values]
    if isinstance(value, Variable):
        inputs["ValueTensor"] = [value]
    else:
        numbers = _numbers(value, x)
        attrs["values"], attrs["shape"] = numbers.reshape(-1).tolist(), list(numbers.shape) or [1]
    out = block._add_var(name=unique_name.generate("set_value") + ".tmp_0", dtype=x.dtype, shape=x.shape)
    block.append_op(type="set_value", inputs=inputs, outputs={"Out": [out]}, attrs=attrs)
    return out


def _numbers(value: Any, x: Variable) -> Any:
    """A number or an array as an array that holds what the Variable's data type can."""
    if not isinstance(value, (np.ndarray, *_NUMBERS)):
        raise type_error("value", "a number, an array or a Variable", value, _API)
    if x.dtype in (VarType.BOOL,):
        return np.asarray(value).astype(bool)
    whole = x.dtype in (VarType.UINT8, VarType.INT8, VarType.INT16, VarType.INT32, VarType.INT64)
    return np.asarray(value).astype("int64" if whole else "float64")


def _as_variable(value: Any, x: Variable) -> Variable:
    """The value as a Variable of x's data type."""
    if not isinstance(value, Variable):
        if not isinstance(value, (np.ndarray, list, tuple, *_NUMBERS)):
            raise type_error("value", "a number, an array or a Variable", value, _API)
        array = np.asarray(value)
        if array.dtype == np.float64:
            array = array.astype("float64" if x.dtype == VarType.FP64 else "float32")
        kind = {"b": ("bool_values", VarType.BOOL), "i": ("int64_values", VarType.INT64)}.get(array.dtype.kind)
        slot, dtype = kind or (("fp64_values", VarType.FP64) if array.dtype == np.float64 else ("fp32_values", VarType.FP32))
        numbers = [int(v) if kind else float(v) for v in array.reshape(-1)]
        made = call("assign_value", shape=list(array.shape) or [1], dtype=int(dtype), **{slot: numbers})
        return astype(made, x.dtype)
    return value if value.dtype == x.dtype else astype(value, convert_dtype(x.dtype))


def _replaced(plan: Plan, attrs: dict[str, Any], value: Variable) -> Variable:
    """The part that slices name, with what the index Variables name in it replaced."""
    indices = [index_variable(i) for _, i in plan.indices]
    part = plan.sliced()
    if SAME_PLACES and capture.may_leave() and len(indices) == 1 and not plan.new_axes and _covers(indices[0], part, value):
        # what eager mode writes under such a mask: the values in the same places
        return call("where", indices[0], call("expand_as_v2", value, part), part)
    new_axes = list(plan.new_axes)
    if isinstance(plan.indices[0][1], bool):
        new_axes.append(plan.indices[0][0])
        attrs["none_axes"] = sorted(new_axes)
    if new_axes:
        part = call("unsqueeze2", part, axes=sorted(new_axes))
    front: list[int] = []
    for (position, _), index in zip(plan.indices, indices):
        front += range(position, position + (len(index.shape) if index.dtype == VarType.BOOL else 1))
    order = front + [d for d in range(len(part.shape)) if d not in front]
    if order != sorted(order):
        part = call("transpose2", part, axis=order)
    part = call("index_put", part, indices, value)
    return call("transpose2", part, axis=[order.index(d) for d in range(len(order))])


def _covers(mask: Variable, part: Variable, value: Variable) -> bool:
    """Whether a mask has the shape of what is written to, and the values fit that shape."""
    fits = zip(reversed(part.shape), reversed(value.shape))
    return (
        mask.dtype == VarType.BOOL
        and tuple(mask.shape) == tuple(part.shape)
        and len(value.shape) <= len(part.shape)
        and all(size in (1, whole) for whole, size in fits)
    )

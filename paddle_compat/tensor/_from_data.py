"""Tensors from Python data and from other tensors: assign, to_tensor, complex."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch

from paddle_compat.core import capture, direct, mode
from paddle_compat.core.dtype import VarType, check_array, convert_dtype, default, dtype_name, exact_dtype, numpy_dtype, torch_dtype
from paddle_compat.core.errors import WrongInputError, invalid_argument, type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.core.place import CPUPlace, place_of_name, run_device
from paddle_compat.core.program import device_guard
from paddle_compat.core.ranks import NONE_WITHOUT
from paddle_compat.core.shadows import history
from paddle_compat.core.tensor import Tensor, wrapped
from paddle_compat.core.unique_name import generate
from paddle_compat.core.variable import Variable
from paddle_compat.ops import arrangement, creation
from paddle_compat.ops import math as ops
from paddle_compat.tensor._calls import (
    ALL,
    COMPLEX,
    FLOATS,
    INTS,
    check,
    is_tensor,
    named,
    need,
    static,
)
from paddle_compat.tensor._in_place import overwrite_data, write
from paddle_compat.tensor._shapes import array_of


def assign(x: Any, output: Any = None) -> Any:
    """A copy of a tensor, or of Python data.

    Args:
        x: a tensor, numpy array, number, or list of numbers and, in static mode, Variables of shape [1].
        output: a tensor to write to.
    Returns:
        A tensor.
    Raises:
        TypeError: x is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.assign([1.0, 2.5]).tolist()
        [1.0, 2.5]

    Follows Paddle 2.6.
    """
    if is_tensor(x):
        check(x, "input", "assign", ("bool", "int8", "uint8", "int32", "int64", *FLOATS), ALL)
        if output is not None and not is_tensor(output):
            raise WrongInputError(f"Invalid type for argument `output` of `assign`. Expected a tensor. Received: {output!r}")
        if static(x, output):
            return _recorded_assign(x, output)
        out = arrangement.assign(x)
    else:
        numbers = (float, int, bool, np.generic, *((builtins.complex,) if SINCE_3 and not static(output) else ()))
        need(x, "input", "assign", np.ndarray, list, tuple, *numbers)
        values = x if isinstance(x, (np.ndarray, list, tuple)) else [x]
        if isinstance(x, (list, tuple)) and any(isinstance(value, Variable) for value in x):
            return _assigned_elements(x)
        out = _assigned(array_of(values), output)
        if static(out):
            return out
    if output is None:
        return out
    if history(output._t).requires_grad and (output.is_leaf or not history(out._t).requires_grad):
        return overwrite_data(output, out._t.detach())  # the leaf stays the leaf that it is, and a result the operator's
    return write(output, out._t)


def _assigned_elements(values: Sequence[Any]) -> Any:
    """The vector of these elements, of which some are Variables."""
    from paddle_compat.tensor._reshape import squeeze
    from paddle_compat.tensor.manipulation import stack

    generate("assign")
    for value in values:
        if isinstance(value, Variable) and tuple(value.shape) != (1,):
            raise type_error("input", "Variables of shape [1], where it is a list of them", value, "assign")
        if not isinstance(value, (Variable, float, int, bool, np.generic)):
            raise type_error("input", "Variables and numbers, where it is a list of them", value, "assign")
    return squeeze(stack([value if isinstance(value, Variable) else assign([value]) for value in values]), -1)


def _recorded_assign(x: Any, output: Any = None) -> Any:
    """Record an `assign` of a Variable, to another where one is given; to itself, there is nothing to record."""
    if output is x and x.block.program.age > 1:
        return output
    if output is not None and capture.may_leave():
        return capture.overwritten(output, capture.as_variable(x))
    out = arrangement.assign(x, _helper="assign", _outputs=None if output is None else {"Out": output})
    if SINCE_3 and isinstance(output, Variable) and not (output.persistable or x.stop_gradient or capture.stops()):
        output.stop_gradient = False  # as Paddle 3 has what is written over
    return out


_VALUES = {
    VarType.BOOL: ("bool_values", int), VarType.INT32: ("int32_values", int), VarType.INT64: ("int64_values", int),
    VarType.FP32: ("fp32_values", float), VarType.FP64: ("fp64_values" if SINCE_3 else "fp32_values", float),
}  # fmt: skip


_MORE_VALUES = ("int8", "float16", *COMPLEX)  # what eager mode of Paddle 3 takes besides


def _assigned(array: Any, output: Any = None, shape: Any = None) -> Any:
    """Python data as an assign_value, whose data type has an attribute of its own."""
    kind = convert_dtype(array.dtype)
    if SINCE_3 and dtype_name(kind) in (COMPLEX if (recorded := static(output)) else _MORE_VALUES):
        return complex(_assigned(array.real, None, shape), _assigned(array.imag, None, shape)) if recorded else to_tensor(array)
    if kind not in _VALUES:
        raise type_error("input", "bool, int32, int64, float32 or float64", array.dtype, "assign")
    attribute, convert = _VALUES[kind]
    if kind == VarType.FP64 and not SINCE_3:
        kind = VarType.FP32  # Paddle 2 stores Python's floats as float32
    attrs: dict[str, Any] = {attribute: [convert(v) for v in array.reshape(-1)], "shape": list(array.shape) if shape is None else shape}
    out = creation.assign_value(
        dtype=int(kind),
        _helper="assign",
        _outputs={"Out": output} if output is not None and static(output) else None,
        **attrs,
    )
    out.stop_gradient = True
    return out


def clone(x: Any, name: str | None = None) -> Any:
    """A copy of x that gradients flow through.

    Args:
        x: a tensor.
        name: has no effect.
    Returns:
        A tensor like x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.clone(paddle.to_tensor([1.0])).tolist()
        [1.0]

    Follows Paddle 2.6.
    """
    return x.clone()


@paddle3(out=True)
def complex(real: Any, imag: Any, name: str | None = None) -> Any:
    """real + i imag.

    Args:
        real, imag: float32 or float64; shapes broadcast.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.complex(paddle.to_tensor([1.0]), paddle.to_tensor([2.0])).tolist()
        [(1+2j)]

    Follows Paddle 2.6.
    """
    for value, label in ((real, "real"), (imag, "imag")):
        check(value, label, "complex", ("float32", "float64"))
    return ops.complex(real, imag, _helper=named("complex", name))


@paddle3(out=True)
def polar(abs: Any, angle: Any, name: str | None = None) -> Any:
    """Complex numbers from lengths and angles.

    Args:
        abs, angle: float32 or float64.
        name: has no effect.
    Returns:
        A complex tensor.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.polar(paddle.to_tensor([2.0]), paddle.to_tensor([0.0])).tolist()
        [(2+0j)]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.ops import cos, sin

    for value, label in ((abs, "abs"), (angle, "angle")):
        check(value, label, "paddle.polar", ("float32", "float64"), ("float32", "float64", *INTS) if label == "angle" else None)
    return complex(abs * cos(angle), abs * sin(angle))


def to_tensor(data: Any, dtype: Any = None, place: Any = None, stop_gradient: bool = True) -> Any:
    """Python data, or a numpy array, as a tensor.

    Args:
        data: numbers, nested lists, numpy arrays, tensors. Python floats become the default data type.
        dtype: its data type; None: that of the data.
        place: where it shall live.
        stop_gradient: whether gradients stop at it.
    Returns:
        A tensor; in static mode a Variable.
    Raises:
        TypeError: the data are nothing of the kind.
        ValueError: they form no array.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.to_tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]

    Follows Paddle 2.6.
    """
    if type(data) is np.ndarray and dtype is None and place is None and _is_plain(data):
        value = torch.from_numpy(data.copy())
        out = wrapped(value if direct.on_cpu else value.to(direct.here))
    elif static(data):
        with device_guard("cpu") if place is None or isinstance(place, CPUPlace) else nullcontext():
            return _to_variable(data, dtype, stop_gradient)
    else:
        if mode._static is None:
            mode.settle_eager()
        out = wrapped(values(data, dtype, place))
    out._name = generate("generated_tensor")
    if stop_gradient is not True:
        out.stop_gradient = bool(stop_gradient)
    return out


def _is_plain(data: Any) -> bool:
    """Whether an array becomes a Tensor as it is, which need not take longer than PyTorch's own."""
    return mode._static is False and direct.plain and direct.here is not None and data.dtype in _PLAIN


def values(data: Any, dtype: Any = None, place: Any = None) -> torch.Tensor:
    """The torch tensor of what `to_tensor` takes."""
    target = None if dtype is None else torch_dtype(exact_dtype(dtype))
    device = run_device() if place is None else _device(place)
    if isinstance(data, (Tensor, LoDTensor)):
        value = (data._t if isinstance(data, Tensor) else data._tensor()).detach().clone()
    elif isinstance(data, torch.Tensor):
        value = data.detach().clone()
    else:
        array = _python_array(data, dtype)
        value = torch.from_numpy(array.view(np.int16)).view(torch.bfloat16) if array.dtype == _BITS else torch.from_numpy(array)
    value = value if target is None else value.to(target)
    return value if value.device == device else value.to(device)


def _device(place: Any) -> torch.device:
    """The device of a place, or of a name of one."""
    return place_of_name(place, "place", "to_tensor").torch_device


_BITS = np.dtype("uint16")  # of bfloat16
_PLAIN = frozenset(map(np.dtype, set(ALL) - {"bfloat16", "uint16"}))
# what keeps a data type of its own: before Paddle 2.5 a number of numpy's counted as one of Python's
_TYPED = (np.ndarray,) if NONE_WITHOUT else (np.ndarray, np.generic)


def _as_numbers(array: Any, dtype: Any) -> Any:
    """Unsigned numbers, of which there are no Tensors, in the data type that is asked for; without one 16 bits are a bfloat16."""
    target = None if dtype is None else exact_dtype(dtype)
    unsigned = array.dtype.kind == "u" and array.dtype.itemsize > 1
    return array if target in (None, VarType.BF16) or not unsigned else array.astype(numpy_dtype(target))


def _python_array(data: Any, dtype: Any = None) -> Any:
    """A new array of Python data: floats and complex numbers of Python in the default precision, unless a data type is asked for."""
    exact = dtype is not None
    if isinstance(data, (list, tuple)) and any(isinstance(v, Tensor) for v in data):
        whole = not exact and all(isinstance(v, Tensor) and v._t.dtype is torch.bfloat16 for v in data)  # arrays of bfloat16 hold its bits
        wide = [Tensor(v._t.float()) if not whole and isinstance(v, Tensor) and v._t.dtype is torch.bfloat16 else v for v in data]
        data = [v.numpy() if isinstance(v, Tensor) else v for v in wide]
        exact = exact or SINCE_3  # Paddle 3 leaves the data type that NumPy finds
    kinds = (np.ndarray, np.generic, list, tuple, bool, int, float, builtins.complex)
    if not isinstance(data, kinds):
        raise type_error("data", "numbers, lists, numpy arrays or tensors", data, "to_tensor")
    try:
        array = _as_numbers(np.array(data, order="C"), dtype)
    except ValueError as error:
        raise invalid_argument("data", "lists of equal lengths", data, "to_tensor") from error
    check_array(array, "data", "to_tensor")
    if isinstance(data, (list, np.generic)) and not isinstance(data, _TYPED) and array.dtype == np.int32:
        array = array.astype("int64")
    if not exact and not isinstance(data, _TYPED):
        if array.dtype == np.float64:
            array = array.astype(dtype_name(default()) if default() != VarType.BF16 else "float32")
        elif array.dtype == np.complex128 and default() != VarType.FP64:
            array = array.astype("complex64")
    return array


def _with_variables(data: Any) -> Any:
    """Nested lists with Variables for the Tensors in them."""
    return [_with_variables(v) for v in data] if isinstance(data, (list, tuple)) else capture.as_variable(data)


def _to_variable(data: Any, dtype: Any, stop_gradient: bool) -> Any:
    from paddle_compat.tensor.ops import cast

    if is_tensor(data):
        same = dtype is None or data.dtype == convert_dtype(dtype)
        # a Variable's own gradient is stopped; where eager mode may take over from a recording, it is a copy as there
        made = cast(data, dtype) if not same else assign(data) if capture.may_leave() else capture.as_variable(data)
        made.stop_gradient = stop_gradient
        return made
    data = _with_variables(data) if capture.current is not None else data
    array = np.asarray(data)
    if array.dtype == object and not isinstance(data, (list, tuple)):
        raise RuntimeError(f"Invalid type for argument `data` of `to_tensor`. Expected numbers, lists or arrays. Received: {type(data)}")
    if array.dtype == object:  # Variables among the data
        from paddle_compat.tensor.manipulation import stack

        out = assign(stack([_to_variable(v, dtype, stop_gradient) for v in data]))
    else:
        out = _assigned(array, shape=list(array.shape))
        if dtype is None and array.dtype == np.float64:  # a number of Python's takes the default data type, one of numpy's keeps its own
            dtype = VarType.FP64 if isinstance(data, _TYPED) else default()
    if dtype is not None and out.dtype != convert_dtype(dtype):
        out = cast(out, dtype)
    out.stop_gradient = stop_gradient
    return out


__all__ = [
    "assign", "clone", "complex", "polar", "to_tensor",
]  # fmt: skip

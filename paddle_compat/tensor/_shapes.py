"""Shapes and bounds that users give as numbers, tensors or a mix of both, as operators take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.errors import ExternalError, WrongInputError, type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.open_sizes import as_size
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.ops import creation
from paddle_compat.tensor._calls import is_tensor, static


def constant(value: Any, dtype: VarType, shape: Sequence[int] = (1,), force_cpu: bool = True) -> Any:
    """A small constant that a function needs for itself."""
    return fill(list(shape), value, dtype, force_cpu)


def fill(shape: Any, value: Any, dtype: VarType, force_cpu: bool, name: str | None = None, out: Any = None) -> Any:
    """fill_constant with the attributes and names that Paddle writes."""
    integer = not (torch_dtype(dtype).is_floating_point or dtype == VarType.BOOL)
    complex_ = dtype in (VarType.COMPLEX64, VarType.COMPLEX128)
    attrs: dict[str, Any] = {"dtype": int(dtype), "force_cpu": force_cpu}
    tensors = (value, None, None) if is_tensor(value) else (None, None, None)
    if isinstance(value, complex) and not complex_:
        value = value.real
    if not is_tensor(value):
        if complex_:
            attrs["str_value"] = str(complex(value) if isinstance(value, bool) else value)
        else:
            attrs["str_value"] = str(int(value)) if integer else str(float(value))
        attrs["value"] = value.real if complex_ and isinstance(value, complex) else float(value)
    if not static(shape, value, *(shape if isinstance(shape, (list, tuple)) else ())):
        if is_tensor(value) and value.size != 1:
            raise AssertionError(f"Only a Tensor of one element can fill another. Expected one element. Received: {value.size}")
        return creation.fill_constant(*tensors, shape=numbers(shape), **attrs)
    # Paddle makes two helpers, each of which draws a name, and uses the second
    if name is None:
        unique_name.generate("fill_constant")
    helper = LayerHelper("fill_constant", name=name, age=default_main_program().age)
    if is_tensor(value) and value.dtype != dtype:
        from paddle_compat.tensor.ops import cast

        tensors = (cast(value, dtype), None, None)
    whole, parts, written = shape_inputs(shape, "shape", "fill_constant", creates=True)
    made = creation.fill_constant(
        tensors[0], whole, parts, shape=written, _helper=helper, _outputs=None if out is None else {"Out": out}, **attrs
    )
    made.stop_gradient = True
    return made


def numbers(values: Any) -> list[int]:
    """Dimensions of a call in eager mode, where tensors have values.

    Raises:
        OSError: a tensor of other than int32 and int64, as Paddle has it.
        ValueError: a list has what is no whole number.
    """
    if is_tensor(values):
        if values.dtype not in (VarType.INT32, VarType.INT64):
            raise ExternalError(f"Invalid type for a tensor of sizes or positions. Expected int32, int64. Received: {values.dtype}")
        return [*map(as_size, values._everywhere().reshape(-1).tolist())]
    listed = list(values.reshape(-1)) if isinstance(values, np.ndarray) else as_list(values)
    if any(n is None or type(n) in (bool, float, str) or is_tensor(n) and not _is_whole(n) for n in listed):
        # NumPy's floats are taken, as Paddle does
        raise WrongInputError(f"Invalid value for a list of sizes or positions. Expected ints. Received: {values!r}")
    return [*map(size_in, listed)]


def size_in(value: Any) -> Any:
    """A size in eager mode, a number or a Tensor of one, as int; one that torch leaves open stays as it is."""
    return as_size(value.__index__() if isinstance(value, Tensor) else value)


def listed_numbers(values: Any) -> list[int]:
    """`numbers`, where Paddle reads a tensor as the list of its elements, and so takes every type of whole numbers."""
    return numbers(values._everywhere().reshape(-1).tolist() if is_tensor(values) else values)


def _is_whole(value: Any) -> bool:
    kind = torch_dtype(value.dtype)
    return not (kind.is_floating_point or kind.is_complex or value.dtype == VarType.BOOL)


def need_ints(values: Any, name: str, api: str) -> None:
    """TypeError, unless the values are a tensor or a list of whole numbers and tensors."""
    if is_tensor(values) or isinstance(values, (int, np.integer, np.ndarray)) and not static():
        return
    if not isinstance(values, (list, tuple)):
        raise type_error(name, "a list or tuple of ints, or a tensor", values, api)
    for value in values:
        if is_tensor(value) or isinstance(value, np.number) and not static():
            continue
        if isinstance(value, (float, str)) or not hasattr(value, "__index__"):
            raise type_error(name, "ints and tensors", value, api)


def shape_inputs(
    values: Any, name: str, api: str, unknown: int = -1, creates: bool = False, make: Callable[[int], Any] | None = None
) -> tuple[Any, list[Any] | None, list[int]]:
    """A shape as the three inputs of an operator: (one tensor, a list of tensors, the attribute).

    Operators that create tensors (`creates`) take int32, and the numbers of a mixed list without dimensions; `make` makes
    these numbers into tensors.
    """
    need_ints(values, name, api)
    if is_tensor(values):
        return _int32(values) if creates else values, None, []
    values = as_list(values)
    if not any(is_tensor(v) for v in values):
        return None, None, [int(v) for v in values]
    written = [unknown if is_tensor(v) else int(v) for v in values]
    return None, parts([_int32(v) for v in values] if creates else values, creates, make), written


def parts(values: Sequence[Any], scalar: bool = False, make: Callable[[int], Any] | None = None) -> list[Any]:
    """Every value of a mixed list as a tensor; numbers become int32 constants; `scalar`: without dimensions."""
    shape = [] if scalar else [1]
    return [v if is_tensor(v) else (make(v) if make else constant(int(v), VarType.INT32, shape)) for v in values]


def size_constant(helper: LayerHelper | None, size: int) -> Any:
    """A size as an int32 constant that is named after the operator which reads it."""
    assert helper is not None, "eager mode needs no constants"
    return fill([1], size, VarType.INT32, True, out=helper.create_variable_for_type_inference("int32"))


def _int32(value: Any) -> Any:
    """The value, a tensor of another type cast."""
    if not is_tensor(value) or value.dtype == VarType.INT32:
        return value
    from paddle_compat.tensor.ops import cast

    return cast(value, "int32")


def as_list(value: Any) -> list[Any]:
    """A number, a list or range of them or numpy's array as a list."""
    if isinstance(value, np.ndarray):
        value = value.reshape(-1).tolist()
    return list(value) if isinstance(value, (list, tuple, range)) else [value]


def array_of(data: Any) -> np.ndarray[Any, Any]:
    """Python data as Paddle turns it into an array: floats become the default type, ragged lists are refused."""
    array = data if isinstance(data, np.ndarray) else np.array(data)
    if array.dtype == object:
        raise type_error("data", "numbers that form an array", data)
    return array

"""`paddle.base.data_feeder`: checks of types and data types that layers written by users call."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.base._feeds import DataFeeder
from paddle_compat.core.dtype import convert_dtype as _convert
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable


def convert_dtype(dtype: Any) -> str:
    """The name of a data type.

    Args:
        dtype: a data type in any form.
    Returns:
        str: its numpy name; "uint16" for bfloat16, whose bits numpy keeps so.
    Raises:
        TypeError: it is none.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.data_feeder import convert_dtype
        >>> convert_dtype(paddle.float32)
        'float32'

    Follows Paddle 2.6.
    """
    name = dtype_name(_convert(dtype))
    return "uint16" if name == "bfloat16" else name


def check_type(input: Any, input_name: str, expected_type: Any, op_name: str, extra_message: str = "") -> None:
    """TypeError, in static mode, unless the argument is of one of these types.

    Args:
        input, input_name: the argument and its name.
        expected_type: a type or a tuple of types.
        op_name: whose argument it is.
        extra_message: added to the error's text.

    Raises:
        TypeError: it is of another type.

    Example:
        >>> from paddle_compat.base.data_feeder import check_type
        >>> check_type(3, "axis", (int, str), "concat")

    Follows Paddle 2.6.
    """
    if in_dygraph_mode():
        return
    types = expected_type if isinstance(expected_type, tuple) else (expected_type,)
    # an eager Tensor stands wherever a Variable may
    if isinstance(input, types) or (isinstance(input, Tensor) and Variable in types):
        return
    raise TypeError(f"The type of '{input_name}' in {op_name} must be {expected_type}, but received {type(input)}. {extra_message}")


def check_dtype(input_dtype: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = "") -> None:
    """TypeError, in static mode, unless the data type is one of these.

    Args:
        input_dtype, input_name: the data type of an argument, and the argument's name.
        expected_dtype: names of data types.
        op_name: whose argument it is.
        extra_message: added to the error's text.

    Raises:
        TypeError: it is another one.

    Example:
        >>> from paddle_compat.base.data_feeder import check_dtype
        >>> check_dtype("float32", "x", ["float32", "float64"], "relu")

    Follows Paddle 2.6.
    """
    if in_dygraph_mode():
        return
    received = convert_dtype(input_dtype)
    if received not in expected_dtype:
        raise TypeError(f"The data type of '{input_name}' in {op_name} must be {expected_dtype}, but received {received}. {extra_message}")


def check_variable_and_dtype(input: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = "") -> None:
    """TypeError, in static mode, unless the argument is a Variable or Tensor of one of these data types.

    Args:
        input, input_name: the argument and its name.
        expected_dtype: names of data types.
        op_name: whose argument it is.
        extra_message: added to the error's text.

    Raises:
        TypeError: it is none.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.data_feeder import check_variable_and_dtype
        >>> check_variable_and_dtype(paddle.ones([2]), "x", ["float32"], "relu")

    Follows Paddle 2.6.
    """
    check_type(input, input_name, Variable, op_name, extra_message)
    check_dtype(input.dtype, input_name, expected_dtype, op_name, extra_message)


def check_shape(
    shape: Any,
    op_name: str,
    expected_shape_type: Any = (list, tuple, Variable),
    expected_element_type: Any = (int, Variable),
    expected_tensor_dtype: Any = ("int32", "int64"),
) -> None:
    """TypeError, in static mode, unless the argument can be a shape.

    Args:
        shape: the argument.
        op_name: whose argument it is.
        expected_shape_type: types that it may have.
        expected_element_type: types that its elements may have.
        expected_tensor_dtype: data types of Variables in it.
    Raises:
        TypeError: it can be none.

    Example:
        >>> from paddle_compat.base.data_feeder import check_shape
        >>> check_shape([2, 3], "reshape")

    Follows Paddle 2.6.
    """
    if in_dygraph_mode():
        return
    check_type(shape, "shape", expected_shape_type, op_name)
    if isinstance(shape, Variable):
        check_dtype(shape.dtype, "shape", expected_tensor_dtype, op_name)
        return
    for size in shape:
        check_type(size, "element of shape", expected_element_type, op_name)
        if isinstance(size, Variable):
            note = "If element of shape is Tensor, its data type should be " + ", ".join(expected_tensor_dtype)
            check_dtype(size.dtype, "element of shape", expected_tensor_dtype, op_name, note)


def convert_float_to_uint16(data: Any, data_format: str = "NCHW") -> np.ndarray:
    """The bits of numbers as bfloat16: the upper half of each float32, the rest cut off.

    Args:
        data (numpy.ndarray): numbers.
        data_format (str): of no effect.
    Returns:
        numpy.ndarray: uint16, of the same shape.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base.data_feeder import convert_float_to_uint16
        >>> convert_float_to_uint16(np.array([1.5, 2.0]))
        array([16320, 16384], dtype=uint16)

    Follows Paddle 2.6.
    """
    return (np.asarray(data, "float32").view("uint32") >> 16).astype("uint16")


def convert_uint16_to_float(data: Any) -> np.ndarray:
    """The numbers that bits of bfloat16 stand for.

    Args:
        data (numpy.ndarray): uint16.
    Returns:
        numpy.ndarray: float32, of the same shape.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base.data_feeder import convert_uint16_to_float
        >>> convert_uint16_to_float(np.array([16320, 16384], "uint16"))
        array([1.5, 2. ], dtype=float32)

    Follows Paddle 2.6.
    """
    return (np.asarray(data).astype("uint32") << 16).view("float32")


__all__ = [
    "DataFeeder", "check_dtype", "check_shape", "check_type", "check_variable_and_dtype", "convert_dtype", "convert_float_to_uint16",
    "convert_uint16_to_float",
]  # fmt: skip

__getattr__ = missing(__name__)

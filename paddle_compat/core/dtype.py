"""Data types: Paddle's VarType numbers, and their torch and numpy counterparts."""

from __future__ import annotations

import math
from enum import Enum
from typing import Any

import numpy as np
import torch

from paddle_compat import _alias
from paddle_compat.core.errors import UnknownDtypeError, type_error


class VarType(int):
    """A type number of Paddle's `VarDesc.VarType`: of a tensor's elements (`FP32`) or of a variable (`LOD_TENSOR`).

    Example:
        >>> import paddle_compat as paddle
        >>> int(paddle.float32), paddle.float32.name, paddle.float32.value
        (5, 'FP32', 5)

    Follows Paddle 1.8 and 2.6.
    """

    BOOL: VarType
    INT16: VarType
    INT32: VarType
    INT64: VarType
    FP16: VarType
    FP32: VarType
    FP64: VarType
    LOD_TENSOR: VarType
    SELECTED_ROWS: VarType
    FEED_MINIBATCH: VarType
    FETCH_LIST: VarType
    STEP_SCOPES: VarType
    LOD_RANK_TABLE: VarType
    LOD_TENSOR_ARRAY: VarType
    PLACE_LIST: VarType
    READER: VarType
    RAW: VarType
    TUPLE: VarType
    SIZE_T: VarType
    UINT8: VarType
    INT8: VarType
    BF16: VarType
    COMPLEX64: VarType
    COMPLEX128: VarType
    STRING: VarType
    STRINGS: VarType
    VOCAB: VarType
    FEED_LIST: VarType
    PSTRING: VarType
    SPARSE_COO: VarType
    SPARSE_CSR: VarType
    FP8_E4M3FN: VarType
    FP8_E5M2: VarType
    UINT16: VarType
    UINT32: VarType
    UINT64: VarType

    @property
    def name(self) -> str:
        """What Paddle calls the number, "???" where it has no name for it."""
        return _NAMES.get(int(self), "???")

    @property
    def value(self) -> int:
        """The number itself (pybind enums have it)."""
        return int(self)

    def __bool__(self) -> bool:
        return True  # BOOL too, whose number is 0: `dtype or "float32"`

    def __repr__(self) -> str:
        return f"VarType.{self.name}" if _age() == 1 else f"<VarType.{self.name}: {int(self)}>"

    def __str__(self) -> str:
        dtype = _DTYPE_NAMES.get(int(self))
        return f"paddle.{dtype}" if dtype and _age() == 2 else f"VarType.{self.name}"

    def _shown(self) -> str:
        return f"paddle.{_DTYPE_NAMES[int(self)]}" if int(self) in _DTYPE_NAMES else f"VarType.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return var_type, (int(self),)

    def __deepcopy__(self, memo: dict[int, Any]) -> VarType:
        return self


def _age() -> int:
    """Which Paddle the program that is being written follows."""
    from paddle_compat.core.program import default_main_program

    return default_main_program().age


_NUMBERS = {
    "BOOL": 0, "INT16": 1, "INT32": 2, "INT64": 3, "FP16": 4, "FP32": 5, "FP64": 6, "LOD_TENSOR": 7, "SELECTED_ROWS": 8,
    "FEED_MINIBATCH": 9, "FETCH_LIST": 10, "STEP_SCOPES": 11, "LOD_RANK_TABLE": 12, "LOD_TENSOR_ARRAY": 13, "PLACE_LIST": 14,
    "READER": 15, "RAW": 17, "TUPLE": 18, "SIZE_T": 19, "UINT8": 20, "INT8": 21, "BF16": 22, "COMPLEX64": 23,
    "COMPLEX128": 24, "STRING": 25, "STRINGS": 26, "VOCAB": 27, "FEED_LIST": 28, "PSTRING": 29, "SPARSE_COO": 30,
    "SPARSE_CSR": 31, "FP8_E4M3FN": 32, "FP8_E5M2": 33,
    "UINT16": 104, "UINT32": 106, "UINT64": 108,  # which have no numbers in Program files
}  # fmt: skip
_NAMES = {number: name for name, number in _NUMBERS.items()}
_BY_NUMBER: dict[int, VarType] = {}
for _name, _number in _NUMBERS.items():
    _member = VarType(_number)
    _BY_NUMBER[_number] = _member
    setattr(VarType, _name, _member)

if _alias.since("3"):
    for _name, _former in {"DENSE_TENSOR": "LOD_TENSOR", "DENSE_TENSOR_ARRAY": "LOD_TENSOR_ARRAY"}.items():
        setattr(VarType, _name, getattr(VarType, _former))

# number: (Paddle's name, torch dtype, numpy dtype); numpy has no bfloat16, Paddle hands it out as uint16
_TABLE: dict[int, tuple[str, torch.dtype, Any]] = {
    0: ("bool", torch.bool, np.bool_),
    1: ("int16", torch.int16, np.int16),
    2: ("int32", torch.int32, np.int32),
    3: ("int64", torch.int64, np.int64),
    4: ("float16", torch.float16, np.float16),
    5: ("float32", torch.float32, np.float32),
    6: ("float64", torch.float64, np.float64),
    20: ("uint8", torch.uint8, np.uint8),
    21: ("int8", torch.int8, np.int8),
    22: ("bfloat16", torch.bfloat16, np.uint16),
    23: ("complex64", torch.complex64, np.complex64),
    24: ("complex128", torch.complex128, np.complex128),
    32: ("float8_e4m3fn", torch.float8_e4m3fn, np.int8),  # handed out as its bits
    33: ("float8_e5m2", torch.float8_e5m2, np.int8),
    104: ("uint16", torch.uint16, np.uint16),
    106: ("uint32", torch.uint32, np.uint32),
    108: ("uint64", torch.uint64, np.uint64),
}
_UNSIGNED = frozenset({104, 106, 108})  # told by `paddle.uint32` alone: the names and numpy's types have other meanings, or none
_NUMPY_NUMBERS = [number for number in _TABLE if number < 32]
_DTYPE_NAMES = {number: row[0] for number, row in _TABLE.items()}
_FROM_NAME = {row[0]: _BY_NUMBER[number] for number, row in _TABLE.items() if number not in _UNSIGNED}
_EXACT_NAMES = frozenset({*_FROM_NAME, "uint16"})
_FROM_NAME.update(float=VarType.FP64, double=VarType.FP64, half=VarType.FP16, int=VarType.INT64, uint16=VarType.BF16)
_FROM_PYTHON = {bool: VarType.BOOL, float: VarType.FP64, int: VarType.INT64}
_FROM_TORCH = {row[1]: _BY_NUMBER[number] for number, row in _TABLE.items()}
_FROM_NUMPY = {np.dtype(_TABLE[number][2]): _BY_NUMBER[number] for number in _NUMPY_NUMBERS}
_TO_TORCH = {number: row[1] for number, row in _TABLE.items()}

NAME_OF: dict[torch.dtype, str] = {row[1]: row[0] for row in _TABLE.values()}  # Paddle's names of torch's data types

DTypeLike = Any  # VarType, int, str, numpy dtype or torch dtype


def var_type(number: int) -> VarType:
    """The VarType of a number, as it stands in a Program file."""
    return _BY_NUMBER[number]


def convert_dtype(dtype: DTypeLike) -> VarType:
    """Any spelling of a data type (VarType, number, name, numpy or torch dtype, Python type) as a VarType."""
    if type(dtype) is VarType:
        return dtype
    if isinstance(dtype, str):
        found = _FROM_NAME.get(dtype.removeprefix("paddle.")) or _named_by_numpy(dtype)
    elif isinstance(dtype, torch.dtype):
        found = _FROM_TORCH.get(dtype)
    elif isinstance(dtype, int) and not isinstance(dtype, bool):
        found = _BY_NUMBER.get(dtype) if dtype in _TABLE else None
    elif isinstance(dtype, type) and dtype in _FROM_PYTHON:
        found = _FROM_PYTHON[dtype]
    else:
        try:
            found = None if dtype is None else _FROM_NUMPY.get(np.dtype(dtype))  # numpy takes None for float64
        except TypeError:
            found = None
    if found is None:
        refusal = type_error("dtype", "a data type such as 'float32', numpy.float32 or paddle.float32", dtype)
        raise UnknownDtypeError(str(refusal))
    return found


def _named_by_numpy(name: str) -> VarType | None:
    """What numpy reads as a data type: "f4", "<i8", "single"."""
    try:
        return _FROM_NUMPY.get(np.dtype(name))
    except (TypeError, ValueError, SyntaxError):  # SyntaxError: numpy reads commas as a list
        return None


def exact_dtype(dtype: DTypeLike) -> VarType:
    """As `convert_dtype`, for what takes no type of Python's and no name that numpy reads in its own way."""
    if dtype is float or dtype is int or (isinstance(dtype, str) and dtype.removeprefix("paddle.") not in _EXACT_NAMES):
        raise type_error("dtype", "a data type such as 'float32', numpy.float32 or paddle.float32", dtype)
    return convert_dtype(dtype)


def cast_number(value: float, dtype: torch.dtype) -> int:
    """A number in a type of whole numbers, as C's conversions make it.

    Args:
        value: a number.
        dtype: a type of whole numbers.
    Returns:
        What stands before the point. What does not fit in 32 or 64 bits is the lowest number of the type, in fewer bits it loses
        the upper ones.

    Example:
        >>> cast_number(2.5, torch.int64), cast_number(3e9, torch.int32), cast_number(300, torch.uint8)
        (2, -2147483648, 44)
    """
    kind = torch.iinfo(dtype)
    whole = int(value) if math.isfinite(value) else 1 << 64
    if kind.min <= whole <= kind.max:
        return whole
    if kind.bits >= 32:
        return int(kind.min)
    return int((whole - kind.min) % (1 << kind.bits) + kind.min) if -(1 << 31) <= whole < 1 << 31 else 0


def torch_dtype(dtype: DTypeLike) -> torch.dtype:
    """The torch dtype of any spelling of a data type."""
    return _TO_TORCH[convert_dtype(dtype)] if not isinstance(dtype, torch.dtype) else dtype


def numpy_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    """The numpy dtype that Paddle hands this data type out as (bfloat16 as uint16)."""
    return np.dtype(_TABLE[convert_dtype(dtype)][2])


def check_array(array: Any, name: str, api: str) -> None:
    """Raise where no Tensor has the data type of an array (text, dates, objects, long doubles, unsigned numbers of 32 bits and more)."""
    if array.dtype not in _FROM_NUMPY:
        raise type_error(name, "numbers of a data type that Tensors have", array, api)


def type_of(value: torch.Tensor) -> VarType:
    """The data type of a torch tensor."""
    return _FROM_TORCH[value.dtype]


def dtype_name(dtype: DTypeLike) -> str:
    """Paddle's name of a data type, for example ``float32``."""
    return _DTYPE_NAMES[convert_dtype(dtype)]


def is_float(dtype: DTypeLike) -> bool:
    """Whether gradients can flow through values of this type."""
    torch_type = torch_dtype(dtype)
    return torch_type.is_floating_point or torch_type.is_complex


class DataType(Enum):
    """The data types as Paddle 2.6's kernels number them; a Program's variables have VarType.

    Example:
        >>> from paddle_compat.base import core
        >>> int(core.DataType.FLOAT32)
        10

    Follows Paddle 2.6.
    """

    UNDEFINED = 0
    BOOL = 1
    UINT8 = 2
    INT8 = 3
    UINT16 = 4
    INT16 = 5
    UINT32 = 6
    INT32 = 7
    UINT64 = 8
    INT64 = 9
    FLOAT32 = 10
    FLOAT64 = 11
    COMPLEX64 = 12
    COMPLEX128 = 13
    PSTRING = 14
    FLOAT16 = 15
    BFLOAT16 = 16
    FLOAT8_E4M3FN = 17
    FLOAT8_E5M2 = 18

    def __int__(self) -> int:
        return self.value

    __index__ = __int__


ELEMENTS = {
    "FLOAT16": "FP16", "FLOAT32": "FP32", "FLOAT64": "FP64", "BFLOAT16": "BF16", "FLOAT8_E4M3FN": "FP8_E4M3FN",
    "FLOAT8_E5M2": "FP8_E5M2", "BOOL": "BOOL", "UINT8": "UINT8", "INT8": "INT8", "INT16": "INT16", "INT32": "INT32", "INT64": "INT64",
    "COMPLEX64": "COMPLEX64", "COMPLEX128": "COMPLEX128", "PSTRING": "PSTRING",
}  # fmt: skip
# what scripts see as `core.DataType`: since Paddle 3 a tensor's data type is one of these
data_types: Any = DataType
if _alias.since("3"):
    data_types = VarType
    data_types.UNDEFINED = DataType.UNDEFINED
    for _name, _other in ELEMENTS.items():
        setattr(VarType, _name, getattr(VarType, _other))


_default: VarType = VarType.FP32


def default() -> VarType:
    """The data type that Python floats and new parameters take."""
    return _default


def set_default(dtype: VarType) -> None:
    """Set the data type that Python floats and new parameters take."""
    global _default
    _default = dtype

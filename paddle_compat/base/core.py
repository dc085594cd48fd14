"""`paddle.base.core`: the names of Paddle's C++ module that scripts reach for."""

from types import SimpleNamespace

from paddle_compat._missing import missing
from paddle_compat.core.dtype import DataType
from paddle_compat.core.tensor import Tensor as _EagerTensor
from paddle_compat.static import native
from paddle_compat.static.native import *  # noqa: F403

BOOL, UINT8, INT8, INT16, INT32, INT64 = DataType.BOOL, DataType.UINT8, DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64
UINT16, UINT32, UINT64, UNDEFINED = DataType.UINT16, DataType.UINT32, DataType.UINT64, DataType.UNDEFINED
FLOAT16, BFLOAT16, FLOAT32, FLOAT64 = DataType.FLOAT16, DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT64
COMPLEX64, COMPLEX128 = DataType.COMPLEX64, DataType.COMPLEX128
eager = SimpleNamespace(Tensor=_EagerTensor)
O0, O1, O2, O3, OD = native.AmpLevel.O0, native.AmpLevel.O1, native.AmpLevel.O2, native.AmpLevel.O3, native.AmpLevel.OD

__all__ = [
    *native.__all__, "BFLOAT16", "BOOL", "COMPLEX128", "COMPLEX64", "FLOAT16", "FLOAT32", "FLOAT64", "INT16", "INT32", "INT64", "INT8",
    "O0", "O1", "O2", "O3", "OD", "UINT16", "UINT32", "UINT64", "UINT8", "UNDEFINED", "eager",
]  # fmt: skip

__getattr__ = missing(__name__)

"""Data types by name: `paddle.float32` and so on."""

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType

dtype = VarType
bool = VarType.BOOL
uint8 = VarType.UINT8
int8 = VarType.INT8
int16 = VarType.INT16
int32 = VarType.INT32
int64 = VarType.INT64
float16 = VarType.FP16
bfloat16 = VarType.BF16
float32 = VarType.FP32
float64 = VarType.FP64
complex64 = VarType.COMPLEX64
complex128 = VarType.COMPLEX128
half, float, double = float16, float32, float64
short, int, long = int16, int32, int64
cfloat, cdouble = complex64, complex128
float8_e4m3fn, float8_e5m2 = VarType.FP8_E4M3FN, VarType.FP8_E5M2
uint16, uint32, uint64 = VarType.UINT16, VarType.UINT32, VarType.UINT64
pstring, raw = VarType.PSTRING, VarType.RAW

__all__ = [
    "cdouble", "cfloat", "double", "float", "half", "int", "long", "short",
    "float8_e4m3fn", "float8_e5m2", "pstring", "raw", "uint16", "uint32", "uint64",
    "bfloat16", "bool", "complex128", "complex64", "dtype", "float16", "float32", "float64", "int16", "int32", "int64", "int8", "uint8",
]  # fmt: skip

__getattr__ = missing(__name__)

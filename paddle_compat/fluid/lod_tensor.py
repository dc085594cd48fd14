"""`paddle.fluid.lod_tensor`: making LoDTensors."""

from paddle_compat._missing import missing
from paddle_compat.base.lod_tensor import create_lod_tensor, create_random_int_lodtensor

__all__ = ["create_lod_tensor", "create_random_int_lodtensor"]

__getattr__ = missing(__name__)

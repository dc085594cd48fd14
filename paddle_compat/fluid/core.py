"""`paddle.fluid.core`: the names of Paddle's C++ module that scripts reach for."""

from paddle_compat._missing import missing
from paddle_compat.static.native import *  # noqa: F403
from paddle_compat.static.native import __all__ as __all__

from .framework import get_all_op_protos as get_all_op_protos  # of 1.8

__getattr__ = missing(__name__)

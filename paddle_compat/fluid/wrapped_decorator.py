"""`paddle.fluid.wrapped_decorator`: decorators that keep a function's name and signature."""

from paddle_compat._missing import missing
from paddle_compat.base.wrapped_decorator import *  # noqa: F403
from paddle_compat.base.wrapped_decorator import __all__ as __all__

__getattr__ = missing(__name__)

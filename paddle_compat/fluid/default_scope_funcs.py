"""`paddle.fluid.default_scope_funcs`: a stack of scopes for each thread."""

from paddle_compat._missing import missing
from paddle_compat.base.default_scope_funcs import *  # noqa: F403
from paddle_compat.base.default_scope_funcs import __all__ as __all__

__getattr__ = missing(__name__)

"""`paddle.distributed.passes`: what rewrites Programs one after the other."""

from paddle_compat._missing import missing

from . import _fusions as _fusions  # registers them
from .pass_base import PassContext as PassContext
from .pass_base import PassManager as PassManager
from .pass_base import new_pass as new_pass

__all__ = ["PassContext", "PassManager", "new_pass"]
__getattr__ = missing(__name__)

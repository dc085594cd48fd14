"""`paddle.distributed.ps.utils.collective_transpiler`: collective operators written into a Program."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {".fluid.transpiler.collective": ("GradAllReduce", "LocalSGD")})

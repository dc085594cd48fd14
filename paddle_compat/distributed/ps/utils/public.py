"""`paddle.distributed.ps.utils.public`: how workers and servers work together."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {".fluid.transpiler.distribute_transpiler": ("DistributedMode",)})

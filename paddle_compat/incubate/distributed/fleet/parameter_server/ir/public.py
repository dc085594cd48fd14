"""`paddle.incubate.distributed.fleet.parameter_server.ir.public`: how trainers and servers work together, and who gets what."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {".fluid.transpiler.distribute_transpiler": ("DistributedMode",), ".fluid.transpiler.ps_dispatcher": ("RoundRobin",)},
)

"""`paddle.incubate.distributed.fleet.parameter_server.ir.vars_metatools`: variables and the parts that servers have of them."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__, {".fluid.transpiler.details.vars_distributed": ("VarDistributed", "VarStruct", "VarsDistributed")}
)

"""`paddle.distributed.transpiler.distribute_transpiler`: 1.8's transpiler, for Programs of 2.x."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".fluid.transpiler.distribute_transpiler": (
            "DistributeTranspiler", "DistributeTranspilerConfig", "DistributedMode", "ServerRuntimeConfig", "VarBlock",
            "same_or_split_var", "slice_variable",
        ),
        ".fluid.transpiler.ps_dispatcher": ("PSDispatcher", "RoundRobin"),
    },
)  # fmt: skip

"""`paddle.fluid.contrib.slim.distillation`: losses that let a network learn from another one."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {"distillation_strategy": ("DistillationStrategy",), "distiller": ("FSPDistiller", "L2Distiller", "SoftLabelDistiller")},
)

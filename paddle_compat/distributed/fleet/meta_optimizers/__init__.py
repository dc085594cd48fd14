"""`paddle.distributed.fleet.meta_optimizers`: the layers that a strategy puts around an optimizer."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"raw_program_optimizer": ("RawProgramOptimizer",)})

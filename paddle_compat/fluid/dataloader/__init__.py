"""`paddle.fluid.dataloader`: datasets and batch samplers of Paddle 1.8."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"batch_sampler": ("BatchSampler",), "dataset": ("Dataset",)})

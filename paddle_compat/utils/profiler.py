"""`paddle.utils.profiler`: what scripts of Paddle 2.0 to 2.5 measure their operators with, which is `paddle.fluid.profiler`."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__, {".fluid.profiler": ("cuda_profiler", "profiler", "reset_profiler", "start_profiler", "stop_profiler")}
)

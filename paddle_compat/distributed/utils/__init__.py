"""`paddle.distributed.utils`: helpers of Paddle's own launcher; of them, its loggers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"log_utils": ()})

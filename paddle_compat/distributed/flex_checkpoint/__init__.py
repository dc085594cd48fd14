"""`paddle.distributed.flex_checkpoint`: Paddle 3.3's name of what `paddle.distributed.checkpoint` has."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"dcp": ()})

"""`paddle.incubate.hapi` (Paddle 1.8): what became `paddle.hapi`."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"distributed": (), "vision": ()})

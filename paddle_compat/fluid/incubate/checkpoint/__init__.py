"""`paddle.fluid.incubate.checkpoint`: epochs that a cluster may begin again, as Paddle 2.0 to 2.4 has them."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"auto_checkpoint": ()})

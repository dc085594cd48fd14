"""`paddle.base.incubate.checkpoint`: epochs that a cluster may begin again."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"auto_checkpoint": ()})

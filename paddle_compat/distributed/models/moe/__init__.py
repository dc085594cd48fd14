"""`paddle.distributed.models.moe`: what mixtures of experts are made of."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"utils": ()})

"""`paddle.incubate`: what Paddle tries out."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"autograd": (), "distributed": (), "hapi": (), "optimizer": ("LookAhead", "ModelAverage")})

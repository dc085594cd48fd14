"""`paddle.distributed.auto_parallel.static`: models trained as Programs that all processes run together."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"converter": (), "dist_attribute": (), "engine": ()})

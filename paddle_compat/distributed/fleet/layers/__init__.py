"""`paddle.distributed.fleet.layers`: layers of a model that several processes share out."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"mpu": ()})

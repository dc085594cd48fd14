"""`paddle.incubate.distributed`."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"fleet": (), "models": (), "utils": ()})

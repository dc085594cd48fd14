"""`paddle.incubate.distributed.fleet.parameter_server.version`: which of the two kinds of servers there are."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {".fluid.incubate.fleet.parameter_server.version": ("Mode", "is_transpiler")})

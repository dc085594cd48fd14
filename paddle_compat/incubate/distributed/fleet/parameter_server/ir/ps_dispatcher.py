"""`paddle.incubate.distributed.fleet.parameter_server.ir.ps_dispatcher`: which server gets what."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {".fluid.transpiler.ps_dispatcher": ("HashName", "PSDispatcher", "RoundRobin")})

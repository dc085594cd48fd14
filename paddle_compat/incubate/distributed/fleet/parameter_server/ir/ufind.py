"""`paddle.incubate.distributed.fleet.parameter_server.ir.ufind`: sets that are joined."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {".fluid.transpiler.details.ufind": ("UnionFind",)})

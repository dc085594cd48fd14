"""`paddle.incubate.distributed.fleet.parameter_server`: 1.8's fleets of servers and workers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"distribute_transpiler": (), "ir": (), "mode": (), "pslib": (), "version": ()})

"""`paddle.incubate.distributed.fleet.parameter_server.mode`: how trainers and servers work together."""

from paddle_compat._lazy import lazy


class PSMode:
    """Which kind of servers a fleet has: ours, or a binary of Baidu's.

    Example:
        >>> from paddle_compat.incubate.distributed.fleet.parameter_server.mode import PSMode
        >>> PSMode.TRANSPILER, PSMode.PSLIB
        (1, 2)

    Follows Paddle 2.6.
    """

    TRANSPILER = 1
    PSLIB = 2


__getattr__, __dir__, __all__ = lazy(__name__, {".fluid.transpiler.distribute_transpiler": ("DistributedMode",)})
__all__ += ["PSMode"]

"""`paddle.distributed`: of it, what works in one process."""

from paddle_compat._lazy import lazy

from .launch.main import launch as launch  # in place of the modules of their names
from .spawn import spawn as spawn

__getattr__, __dir__, __all__ = lazy(
    __name__, {"_environment": ("ParallelEnv",), "fleet": (), "launch.main": ("launch",), "spawn": ("spawn",)}
)

"""`paddle.distributed.fleet.runtime`: what a process of a job does between `minimize` and its end."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {".distributed.ps.the_one_ps": ("TheOnePSRuntime",), "collective_runtime": ("CollectiveRuntime",)},
)
modules(__name__, {"parameter_server_runtime": (), "the_one_ps": ("TheOnePSRuntime",)})

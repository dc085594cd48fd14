"""`paddle.distributed.fleet.runtime`: what a process of a job does between `minimize` and its end."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(__name__, {".distributed.ps.the_one_ps": ("TheOnePSRuntime",)})
modules(
    __name__,
    {"collective_runtime": (), "parameter_server_runtime": (), "runtime_base": (), "the_one_ps": ("TheOnePSRuntime",)},
)

"""`paddle.hapi`: `Model`, its callbacks, and what prints a network's layers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "model": ("Model",),
        "model_summary": ("summary",),
        "dynamic_flops": ("flops",),
        "callbacks": (),
        "logger": (),
        "progressbar": (),
        "hub": (),
        "static_flops": (),
    },
)  # fmt: skip

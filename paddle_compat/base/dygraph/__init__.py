"""`paddle.base.dygraph`: eager mode as Paddle 2.6's own tests and older libraries spell it."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "base": ("disable_dygraph", "enable_dygraph", "enabled", "grad", "guard", "no_grad", "no_grad_", "to_variable"),
        "tracer": ("Tracer",),
    },
)

"""`paddle.incubate.autograd`: derivatives of functions."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "functional": ("Hessian", "Jacobian", "jvp", "vjp"),
        "primapi": ("forward_grad", "grad"),
        "primx": ("prim2orig",),
        "_prim": ("disable_prim", "enable_prim", "prim_enabled"),
    },
)

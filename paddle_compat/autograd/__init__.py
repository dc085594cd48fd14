"""`paddle.autograd`: gradients of what runs at once."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_grad": ("grad",),
        "_modes": ("enable_grad", "is_grad_enabled", "no_grad", "set_grad_enabled"),
        "_saved_tensors": ("saved_tensors_hooks",),
        "autograd": ("hessian", "jacobian"),
        "backward_mode": ("backward",),
        "py_layer": ("Function", "PyLayer", "PyLayerContext"),
    },
)

modules(__name__, {"saved_tensors_hooks": ("saved_tensors_hooks",)})

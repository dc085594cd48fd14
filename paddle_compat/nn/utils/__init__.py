"""`paddle.nn.utils`: work on the parameters of layers."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_clip": ("clip_grad_norm_", "clip_grad_value_"),
        "spectral_norm_hook": ("spectral_norm",),
        "transform_parameters": ("parameters_to_vector", "vector_to_parameters"),
        "weight_norm_hook": ("remove_weight_norm", "weight_norm"),
    },
)  # fmt: skip

modules(__name__, {"clip_grad_norm_": ("clip_grad_norm_",), "clip_grad_value_": ("clip_grad_value_",)})

"""`paddle.amp`: mixed precision."""

from paddle_compat._lazy import lazy
from paddle_compat.amp.auto_cast import auto_cast  # in place of the submodule of that name

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_casting": (
            "amp_guard", "autocast", "get_autocast_cpu_dtype", "get_autocast_dtype", "get_autocast_gpu_dtype", "is_autocast_enabled",
        ),
        "_decorating": ("amp_decorate", "decorate"),
        "_support": ("is_bfloat16_supported", "is_float16_supported"),
        "amp_lists": ("black_list", "white_list"),
        "debugging": (),
        "grad_scaler": ("AmpScaler", "GradScaler", "OptimizerState"),
    },
    starred=(),
)  # fmt: skip
__all__ += ["auto_cast"]

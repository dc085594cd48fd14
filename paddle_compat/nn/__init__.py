"""`paddle.nn`: layers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "clip": ("ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue"),
        "functional": (),
        "initializer": (),
        "utils": (),
    },
)

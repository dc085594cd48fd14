"""`paddle.fluid.dygraph.amp`, as Paddle 2.0 to 2.4 had it: mixed precision, which `paddle.amp` keeps."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {"auto_cast": ("amp_decorate", "amp_guard"), "loss_scaler": ("AmpScaler", "OptimizerState")},
)

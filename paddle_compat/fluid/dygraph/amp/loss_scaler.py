"""`paddle.fluid.dygraph.amp.loss_scaler`: losses scaled up for gradients in lower precision."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {".amp.grad_scaler": ("AmpScaler", "OptimizerState")})

"""`paddle.fluid.dygraph.amp.auto_cast`: operators in lower precision."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {".amp.auto_cast": ("amp_decorate", "amp_guard", "amp_state")})

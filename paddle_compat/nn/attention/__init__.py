"""`paddle.nn.attention`: which ways of computing attention a script allows."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"sdpa": ("SDPBackend", "sdpa_kernel")})

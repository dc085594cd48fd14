"""`paddle.special`: functions under the name that Paddle 3 shares with torch."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {".compat.nn.functional": ("softmax",), ".tensor": ("expm1", "logsumexp")})

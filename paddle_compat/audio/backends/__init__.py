"""`paddle.audio.backends`: what reads and writes files of sound."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"init_backend": ("get_current_backend", "list_available_backends", "set_backend")})

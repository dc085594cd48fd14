"""`paddle.audio`: sounds in files, their spectra, and collections of them."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {"backends": (), "backends.wave_backend": ("info", "load", "save"), "datasets": (), "features": (), "functional": ()},
)

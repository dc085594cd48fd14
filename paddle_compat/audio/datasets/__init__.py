"""`paddle.audio.datasets`: collections of sounds, from archives that are downloaded or lie where those would."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"esc50": ("ESC50",), "tess": ("TESS",)})

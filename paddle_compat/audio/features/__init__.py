"""`paddle.audio.features`: layers that make spectra of sounds."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"layers": ("LogMelSpectrogram", "MFCC", "MelSpectrogram", "Spectrogram")})

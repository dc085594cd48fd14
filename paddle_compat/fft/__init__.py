"""`paddle.fft`: discrete Fourier transforms."""

from paddle_compat._lazy import lazy

_TABLE: dict[str, tuple[str, ...]] = {
    "_one": (
        "fft", "hfft", "ifft", "ihfft", "irfft", "rfft",
    ),
    "_many": (
        "fft2", "fftn", "hfft2", "hfftn", "ifft2", "ifftn", "ihfft2", "ihfftn", "irfft2", "irfftn", "rfft2", "rfftn",
    ),
    "_frequencies": (
        "fftfreq", "fftshift", "ifftshift", "rfftfreq",
    ),
}
__getattr__, __dir__, __all__ = lazy(__name__, _TABLE)

"""`paddle.audio.functional`: windows, mel scales, decibels, cosine transforms."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "functional": (
            "compute_fbank_matrix", "create_dct", "fft_frequencies", "hz_to_mel", "mel_frequencies", "mel_to_hz", "power_to_db",
        ),
        "window": ("get_window",),
    },
)  # fmt: skip

"""What is told of a file of sound."""

from __future__ import annotations

from dataclasses import dataclass

from paddle_compat._missing import missing


@dataclass(eq=False, repr=False)
class AudioInfo:
    """What is told of a file of sound.

    Args:
        sample_rate (int): samples a second.
        num_samples (int): samples of each channel.
        num_channels (int): channels.
        bits_per_sample (int): bits of a sample.
        encoding (str): how samples are written, "PCM_S".

    Example:
        >>> from paddle_compat.audio.backends.backend import AudioInfo
        >>> AudioInfo(16000, 4, 1, 16, "PCM_S").sample_rate
        16000

    Follows Paddle 2.6.
    """

    sample_rate: int
    num_samples: int
    num_channels: int
    bits_per_sample: int
    encoding: str


__all__ = ["AudioInfo"]

__getattr__ = missing(__name__)

"""Sounds in WAV files of 16 bits a sample, by the standard library."""

from __future__ import annotations

import contextlib
import os
import wave
from collections.abc import Iterator
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.audio.backends.backend import AudioInfo
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.tensor.creation import to_tensor

_FULL = 1 << 15  # the samples of a sound between -1 and 1 are written as numbers below it


@contextlib.contextmanager
def _opened(filepath: Any, api: str) -> Iterator[wave.Wave_read]:
    """A WAV file; also a stream that is given is closed afterwards."""
    with filepath if hasattr(filepath, "read") else open(filepath, "rb") as stream:
        try:
            file = wave.open(stream)
        except (wave.Error, EOFError) as error:
            raise UnsupportedError(f"paddle.audio.{api} of {filepath}, which is no WAV file ({error})", instead="WAV files") from error
        yield file


def info(filepath: Any) -> AudioInfo:
    """What is told of a file of sound.

    Args:
        filepath (str|file): a WAV file, or a stream of one, which is closed.
    Returns:
        AudioInfo: sample_rate, num_samples, num_channels, bits_per_sample, encoding.
    Raises:
        OSError: there is no such file.
        NotImplementedError: it is no WAV file.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> path = os.path.join(tempfile.mkdtemp(), "sound.wav")
        >>> paddle.audio.save(path, paddle.zeros([1, 16]), 8000)
        >>> paddle.audio.info(path).num_samples
        16

    Follows Paddle 2.6.
    """
    with _opened(filepath, "info") as file:
        return AudioInfo(file.getframerate(), file.getnframes(), file.getnchannels(), file.getsampwidth() * 8, "PCM_S")


def load(
    filepath: str | os.PathLike[str], frame_offset: int = 0, num_frames: int = -1, normalize: bool = True, channels_first: bool = True
) -> tuple[Any, int]:
    """The sound in a file.

    Args:
        filepath (str|Path|file): a WAV file of 16 bits a sample, or a stream of one, which is closed.
        frame_offset (int): the first sample that is given, where num_frames says how many.
        num_frames (int): how many samples of each channel; -1: all, from the beginning.
        normalize (bool): whether samples lie between -1 and 1; else they are the file's whole numbers, as floats.
        channels_first (bool): whether the result is [channels, samples].
    Returns:
        tuple: Tensor float32, [channels, samples] or [samples, channels], and the samples a second.
    Raises:
        OSError: there is no such file.
        NotImplementedError: it is no WAV file.
        ValueError: its samples have other than 16 bits.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> path = os.path.join(tempfile.mkdtemp(), "sound.wav")
        >>> paddle.audio.save(path, paddle.to_tensor([[0.5, -0.5]]), 8000)
        >>> sound, rate = paddle.audio.load(path)
        >>> sound.tolist(), rate
        ([[0.5, -0.5]], 8000)

    Follows Paddle 2.6.
    """
    with _opened(filepath, "load") as file:
        channels, rate, count, width = file.getnchannels(), file.getframerate(), file.getnframes(), file.getsampwidth()
        content = file.readframes(count)
    if width != 2:
        raise invalid_argument("filepath", "a WAV file of 16 bits a sample", f"one of {8 * width} bits", "load")
    samples = np.frombuffer(content, "<i2").astype("float32")
    if normalize:
        samples = samples / np.float32(_FULL)
    samples = samples.reshape(count, channels)
    if num_frames != -1:
        samples = samples[frame_offset : frame_offset + num_frames]
    return to_tensor(np.ascontiguousarray(samples.T if channels_first else samples)), rate


def save(
    filepath: str, src: Any, sample_rate: int, channels_first: bool = True, encoding: str | None = None, bits_per_sample: int | None = 16
) -> None:
    """Write a sound to a WAV file.

    Args:
        filepath (str): the file.
        src (Tensor): the sound, [channels, samples]; float32: between -1 and 1, int16: as it is written.
        sample_rate (int): samples a second.
        channels_first (bool): whether src is [channels, samples]; else [samples, channels].
        encoding (str): has no effect.
        bits_per_sample (int): 16.
    Raises:
        AssertionError: src has other than two dimensions.
        ValueError: bits_per_sample is another number.
        TypeError: bits_per_sample is None.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> path = os.path.join(tempfile.mkdtemp(), "sound.wav")
        >>> paddle.audio.save(path, paddle.zeros([2, 16]), 8000)
        >>> os.path.getsize(path)
        108

    Follows Paddle 2.6.
    """
    if src.ndim != 2:
        raise failed_assertion("src", "two dimensions", list(src.shape), "save")
    if bits_per_sample is None:
        raise TypeError("Invalid value for argument `bits_per_sample` of `save`. Expected 16. Received: None")
    if bits_per_sample != 16:
        raise invalid_argument("bits_per_sample", "16", bits_per_sample, "save")
    values = src.cpu().numpy()
    values = values.T if channels_first else values
    if dtype_name(src.dtype) == "float32":
        values = (values * np.float32(_FULL)).astype("int32").astype("int16")  # what is too loud wraps round, as in the wheel
    with wave.open(filepath, "wb") as file:
        file.setnchannels(values.shape[1])
        file.setsampwidth(2)
        file.setframerate(sample_rate)
        file.writeframes(np.ascontiguousarray(values).tobytes())


__all__ = ["info", "load", "save"]

__getattr__ = missing(__name__)

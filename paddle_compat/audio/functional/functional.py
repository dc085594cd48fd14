"""Mel scales, the filters that lie on them, decibels, cosine transforms."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import dtype_name, is_float
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable

# the top-level functions (`paddle.where`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")
# Slaney's scale is linear up to its knee and logarithmic above.
_HZ_PER_MEL = 200.0 / 3
_KNEE_HZ = 1000.0
_KNEE_MEL = _KNEE_HZ / _HZ_PER_MEL
_LOG_STEP = math.log(6.4) / 27.0
_TINY = 1e-10  # keeps the logarithm of 0 finite where it is not chosen


def _is_tensor(x: Any) -> bool:
    return isinstance(x, (Tensor, Variable))


def hz_to_mel(freq: Any, htk: bool = False) -> Any:
    """Mels of frequencies.

    Args:
        freq (Tensor|float): frequencies in hertz.
        htk (bool): whether the scale is that of HTK; else it is Slaney's, linear below 1000 hertz.
    Returns:
        Tensor|float: mels, as many.

    Example:
        >>> from paddle_compat.audio.functional import hz_to_mel
        >>> hz_to_mel(200.0), round(hz_to_mel(700.0, htk=True), 4)
        (3.0, 781.1728)

    Follows Paddle 2.6.
    """
    tensor = _is_tensor(freq)
    if htk:
        return 2595.0 * (paddle.log10 if tensor else math.log10)(1.0 + freq / 700.0)
    mels = freq / _HZ_PER_MEL
    if tensor:
        above = _KNEE_MEL + paddle.log(freq / _KNEE_HZ + _TINY) / _LOG_STEP
        return paddle.where(freq > _KNEE_HZ, above, mels)
    return _KNEE_MEL + math.log(freq / _KNEE_HZ + _TINY) / _LOG_STEP if freq >= _KNEE_HZ else mels


def mel_to_hz(mel: Any, htk: bool = False) -> Any:
    """Frequencies of mels, the inverse of `hz_to_mel`.

    Args:
        mel (Tensor|float): mels.
        htk (bool): whether the scale is that of HTK; else it is Slaney's.
    Returns:
        Tensor|float: frequencies in hertz, as many.

    Example:
        >>> from paddle_compat.audio.functional import mel_to_hz
        >>> mel_to_hz(3.0), round(mel_to_hz(781.1728, htk=True), 2)
        (200.0, 700.0)

    Follows Paddle 2.6.
    """
    if htk:
        return 700.0 * (10.0 ** (mel / 2595.0) - 1.0)
    below = mel * _HZ_PER_MEL
    if _is_tensor(mel):
        return paddle.where(mel > _KNEE_MEL, _KNEE_HZ * paddle.exp(_LOG_STEP * (mel - _KNEE_MEL)), below)
    return _KNEE_HZ * math.exp(_LOG_STEP * (mel - _KNEE_MEL)) if mel >= _KNEE_MEL else below


def mel_frequencies(n_mels: int = 64, f_min: float = 0.0, f_max: float = 11025.0, htk: bool = False, dtype: str = "float32") -> Any:
    """Frequencies that lie evenly on the mel scale.

    Args:
        n_mels (int): how many.
        f_min (float): the first, in hertz.
        f_max (float): the last.
        htk (bool): whether the scale is that of HTK; else it is Slaney's.
        dtype (str): the data type.
    Returns:
        Tensor: [n_mels].

    Example:
        >>> from paddle_compat.audio.functional import mel_frequencies
        >>> [round(f, 1) for f in mel_frequencies(4, f_max=4000.0).tolist()]
        [0.0, 781.4, 1786.8, 4000.0]

    Follows Paddle 2.6.
    """
    return mel_to_hz(paddle.linspace(hz_to_mel(f_min, htk), hz_to_mel(f_max, htk), n_mels, dtype=dtype), htk)


def fft_frequencies(sr: int, n_fft: int, dtype: str = "float32") -> Any:
    """The frequencies of a real Fourier transform.

    Args:
        sr (int): samples a second.
        n_fft (int): samples of a frame.
        dtype (str): the data type.
    Returns:
        Tensor: [n_fft // 2 + 1], in hertz.

    Example:
        >>> from paddle_compat.audio.functional import fft_frequencies
        >>> fft_frequencies(8000, 8).tolist()
        [0.0, 1000.0, 2000.0, 3000.0, 4000.0]

    Follows Paddle 2.6.
    """
    return paddle.linspace(0, float(sr) / 2, int(1 + n_fft // 2), dtype=dtype)


def compute_fbank_matrix(
    sr: int, n_fft: int, n_mels: int = 64, f_min: float = 0.0, f_max: float | None = None, htk: bool = False,
    norm: str | float | None = "slaney", dtype: str = "float32",
) -> Any:  # fmt: skip
    """Triangular filters, evenly on the mel scale, that make mels of a spectrum.

    Args:
        sr (int): samples a second.
        n_fft (int): samples of a frame.
        n_mels (int): how many filters.
        f_min (float): the lowest frequency, in hertz.
        f_max (float): the highest; None: half of sr.
        htk (bool): whether the scale is that of HTK; else it is Slaney's.
        norm (str|float): "slaney": each filter has the same area; a number: the same norm of that order; else its highest weight is 1.
        dtype (str): the data type.
    Returns:
        Tensor: [n_mels, n_fft // 2 + 1].

    Example:
        >>> from paddle_compat.audio.functional import compute_fbank_matrix
        >>> print(compute_fbank_matrix(8000, 8, 2, norm=None).numpy().round(2))
        [[0.   0.78 0.   0.   0.  ]
         [0.   0.22 0.9  0.45 0.  ]]

    Follows Paddle 2.6.
    """
    edges = mel_frequencies(n_mels + 2, f_min=f_min, f_max=float(sr) / 2 if f_max is None else f_max, htk=htk, dtype=dtype)
    widths = (edges[1:] - edges[:-1]).unsqueeze(1)
    away = edges.unsqueeze(1) - fft_frequencies(sr=sr, n_fft=n_fft, dtype=dtype).unsqueeze(0)
    sides = paddle.minimum(-away[:-2] / widths[:-1], away[2:] / widths[1:])
    weights = paddle.maximum(paddle.zeros_like(sides), sides)
    if norm == "slaney":
        return weights * (2.0 / (edges[2:] - edges[:n_mels])).unsqueeze(1)
    if isinstance(norm, (int, float)):
        return paddle.nn.functional.normalize(weights, p=norm, axis=-1)
    return weights


def power_to_db(spect: Any, ref_value: float = 1.0, amin: float = 1e-10, top_db: float | None = 80.0) -> Any:
    """Decibels of powers.

    Args:
        spect (Tensor): powers.
        ref_value (float): the power of 0 decibels.
        amin (float): what smaller powers, and a smaller ref_value, are taken for.
        top_db (float): how far below the largest one decibels may lie; None: anywhere.
    Returns:
        Tensor: as spect.
    Raises:
        Exception: amin or ref_value is not above 0, or top_db is below 0.
        TypeError: spect has other than floats.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.audio.functional.power_to_db(paddle.to_tensor([1.0, 100.0])).tolist()
        [0.0, 20.0]

    Follows Paddle 2.6.
    """
    for name, value in (("amin", amin), ("ref_value", ref_value)):
        if value <= 0:
            raise Exception(f"{name} must be strictly positive. Received: {value!r}")
    if not is_float(spect.dtype):
        raise type_error("spect", "a tensor of floats", dtype_name(spect.dtype), "power_to_db")
    powers = paddle.maximum(paddle.full_like(spect, amin), spect)
    decibels = 10.0 * paddle.log10(powers) - 10.0 * math.log10(max(amin, ref_value))
    if top_db is None:
        return decibels
    if top_db < 0:
        raise Exception(f"top_db must be non-negative. Received: {top_db!r}")
    return paddle.maximum(decibels, decibels.max() - float(top_db))


def create_dct(n_mfcc: int, n_mels: int, norm: str | None = "ortho", dtype: str = "float32") -> Any:
    """The matrix of a cosine transform.

    Args:
        n_mfcc (int): how many coefficients.
        n_mels (int): how many values are transformed.
        norm (str): "ortho": the columns have length 1; None: twice the cosines.
        dtype (str): the data type.
    Returns:
        Tensor: [n_mels, n_mfcc].
    Raises:
        AssertionError: the norm is another.

    Example:
        >>> from paddle_compat.audio.functional import create_dct
        >>> create_dct(2, 3).abs().numpy().round(4)
        array([[0.5774, 0.7071],
               [0.5774, 0.    ],
               [0.5774, 0.7071]], dtype=float32)

    Follows Paddle 2.6.
    """
    if norm not in (None, "ortho"):
        raise failed_assertion("norm", "'ortho' or None", norm, "create_dct")
    places, orders = paddle.arange(n_mels, dtype=dtype), paddle.arange(n_mfcc, dtype=dtype).unsqueeze(1)
    cosines = paddle.cos(math.pi / float(n_mels) * (places + 0.5) * orders)
    if norm is None:
        return (cosines * 2.0).T
    first = paddle.full([1, 1], 1.0 / math.sqrt(2.0), dtype)
    return (paddle.concat([cosines[:1] * first, cosines[1:]]) * math.sqrt(2.0 / float(n_mels))).T


__all__ = ["compute_fbank_matrix", "create_dct", "fft_frequencies", "hz_to_mel", "mel_frequencies", "mel_to_hz", "power_to_db"]

__getattr__ = missing(__name__)

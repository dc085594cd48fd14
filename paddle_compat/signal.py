"""`paddle.signal`: short-time Fourier transforms."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops import fourier as ops

# the top-level functions (`paddle.transpose`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")


def _checked(value: Any, name: str, api: str) -> None:
    if not (isinstance(value, int) and value > 0):
        raise invalid_argument(name, "a positive int", value, api)


def _need(true: bool, name: str, expected: str, received: Any, api: str) -> None:
    if not true:
        raise failed_assertion(name, expected, received, api)


def _is_complex(x: Any) -> bool:
    return dtype_name(x.dtype).startswith("complex")


def frame(x: Any, frame_length: int, hop_length: int, axis: int = -1, name: str | None = None) -> Any:
    """Frames of a signal, which may overlap.

    Args:
        x (Tensor): signals along the last axis, or along the first.
        frame_length (int): elements of a frame.
        hop_length (int): from the beginning of a frame to that of the next.
        axis (int): -1 or 0.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [..., frame_length, frames] for axis -1, [frames, frame_length, ...] for axis 0.
    Raises:
        ValueError: the lengths or the axis do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.signal.frame(paddle.arange(5.0), 3, 1).tolist()
        [[0.0, 1.0, 2.0], [1.0, 2.0, 3.0], [2.0, 3.0, 4.0]]

    Follows Paddle 2.6.
    """
    if axis not in (0, -1):
        raise invalid_argument("axis", "0 or -1", axis, "frame")
    _checked(frame_length, "frame_length", "frame")
    _checked(hop_length, "hop_length", "frame")
    if 0 <= x.shape[axis] < frame_length:
        raise invalid_argument("frame_length", f"at most the {x.shape[axis]} elements of the signal", frame_length, "frame")
    return ops.frame(x, frame_length=frame_length, hop_length=hop_length, axis=axis, _helper=helper_for("frame", x, name))


def overlap_add(x: Any, hop_length: int, axis: int = -1, name: str | None = None) -> Any:
    """The sum of frames, each where it lies in the signal.

    Args:
        x (Tensor): [..., frame_length, frames] for axis -1, [frames, frame_length, ...] for axis 0.
        hop_length (int): from the beginning of a frame to that of the next.
        axis (int): -1 or 0.
        name (str): prefix of the output's name.
    Returns:
        Tensor: the signals, along the last axis or the first.
    Raises:
        ValueError: hop_length or the axis does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.signal.overlap_add(paddle.ones([2, 3]), 1).tolist()
        [1.0, 2.0, 2.0, 1.0]

    Follows Paddle 2.6.
    """
    if axis not in (0, -1):
        raise invalid_argument("axis", "0 or -1", axis, "overlap_add")
    _checked(hop_length, "hop_length", "overlap_add")
    return ops.overlap_add(x, hop_length=hop_length, axis=axis, _helper=helper_for("overlap_add", x, name))


def _whole_window(window: Any, n_fft: int, win_length: int, dtype: Any, api: str) -> Any:
    """The window, filled up with zeros on both sides."""
    if window is None:
        window = paddle.ones([win_length], dtype)
    elif list(window.shape) != [win_length]:
        raise failed_assertion("window", f"a 1D window of win_length ({win_length})", list(window.shape), api)
    if win_length < n_fft:
        left = (n_fft - win_length) // 2
        window = paddle.nn.functional.pad(window, [left, n_fft - win_length - left], mode="constant")
    return window


def stft(
    x: Any, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Any = None, center: bool = True,
    pad_mode: str = "reflect", normalized: bool = False, onesided: bool | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The spectra of frames of signals.

    Args:
        x (Tensor): [samples] or [N, samples].
        n_fft (int): samples of a frame.
        hop_length (int): from frame to frame; None: n_fft // 4.
        win_length (int): samples of the window; None: n_fft.
        window (Tensor): the weights of the samples, [win_length]; None: ones.
        center (bool): whether frames are centred around their samples, with the signal filled up on both sides.
        pad_mode (str): how it is filled up: "reflect" or "constant".
        normalized (bool): whether the spectra are divided by the root of n_fft.
        onesided (bool): whether the half that mirrors the rest is left out, which complex signals have not; None: where it is there.
        name (str): kept.
    Returns:
        Tensor: complex, [frequencies, frames] or [N, frequencies, frames].
    Raises:
        AssertionError: arguments do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.signal.stft(paddle.ones([1, 32]), 8).shape
        [1, 5, 17]

    Follows Paddle 2.6; `onesided=None` is Paddle 3.3's.
    """
    api, rank = "stft", len(x.shape)
    _need(rank in (1, 2), "x", "one or two dimensions", list(x.shape), api)
    x = x.unsqueeze(0) if rank == 1 else x
    hop_length = int(n_fft // 4) if hop_length is None else hop_length
    _need(hop_length > 0, "hop_length", "a number above 0", hop_length, api)
    win_length = n_fft if win_length is None else win_length
    if paddle.in_dynamic_mode():
        _need(0 < n_fft <= x.shape[-1], "n_fft", f"a number in (0, {x.shape[-1]}]", n_fft, api)
    _need(0 < win_length <= n_fft, "win_length", f"a number in (0, {n_fft}]", win_length, api)
    window = _whole_window(window, n_fft, win_length, x.dtype, api)
    if center:
        _need(pad_mode in ("constant", "reflect"), "pad_mode", "'reflect' or 'constant'", pad_mode, api)
        half = n_fft // 2
        x = paddle.nn.functional.pad(x.unsqueeze(-1), [half, half], mode=pad_mode, data_format="NLC").squeeze(-1)
    frames = paddle.multiply(frame(x, n_fft, hop_length).transpose([0, 2, 1]), window)
    norm = "ortho" if normalized else "backward"
    if onesided is None:
        onesided = not _is_complex(frames)
    if _is_complex(frames):
        _need(not onesided, "onesided", "False, as the signal or the window is complex", onesided, api)
        spectra = paddle.fft.fft(frames, norm=norm)
    else:
        spectra = (paddle.fft.rfft if onesided else paddle.fft.fft)(frames, norm=norm)
    spectra = spectra.transpose([0, 2, 1])
    return spectra.squeeze(0) if rank == 1 else spectra


def istft(
    x: Any, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Any = None, center: bool = True,
    normalized: bool = False, onesided: bool = True, length: int | None = None, return_complex: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The inverse of `stft`: signals from the spectra of their frames.

    Args:
        x (Tensor): complex, [frequencies, frames] or [N, frequencies, frames].
        n_fft (int): samples of a frame.
        hop_length (int): from frame to frame; None: n_fft // 4.
        win_length (int): samples of the window; None: n_fft.
        window (Tensor): the weights of the samples, [win_length]; None: ones.
        center (bool): whether frames are centred around their samples.
        normalized (bool): whether the spectra were divided by the root of n_fft.
        onesided (bool): whether the half that mirrors the rest is left out.
        length (int): of the result; None: all that the frames tell.
        return_complex (bool): whether the signals are complex.
        name (str): kept.
    Returns:
        Tensor: [samples] or [N, samples].
    Raises:
        AssertionError: arguments do not fit.
        ValueError: the window leaves samples out, so that they cannot be told.

    Example:
        >>> import paddle_compat as paddle
        >>> spectra = paddle.signal.stft(paddle.ones([1, 32]), 8)
        >>> paddle.signal.istft(spectra, 8).shape
        [1, 32]

    Follows Paddle 2.6.
    """
    api, rank = "istft", len(x.shape)
    if not paddle.in_dynamic_mode() and not dtype_name(x.dtype).startswith("complex"):
        raise type_error("x", "a Variable of complex64 or complex128", dtype_name(x.dtype), api)
    _need(rank in (2, 3), "x", "two or three dimensions", list(x.shape), api)
    x = x.unsqueeze(0) if rank == 2 else x
    win_length = n_fft if win_length is None else win_length
    hop_length = int(n_fft // 4) if hop_length is None else hop_length
    _need(0 < hop_length <= win_length, "hop_length", f"a number in (0, {win_length}]", hop_length, api)
    _need(0 < win_length <= n_fft, "win_length", f"a number in (0, {n_fft}]", win_length, api)
    count, frequencies = x.shape[-1], x.shape[-2]
    if paddle.in_dynamic_mode():
        expected = n_fft // 2 + 1 if onesided else n_fft
        _need(frequencies == expected, "x", f"{expected} frequencies", frequencies, api)
    real = "float32" if dtype_name(x.dtype) in ("float32", "complex64") else "float64"
    window = _whole_window(window, n_fft, win_length, real, api)
    norm = "ortho" if normalized else "backward"
    x = x.transpose([0, 2, 1])
    if return_complex:
        _need(not onesided, "onesided", "False, as the result is to be complex", onesided, api)
        frames = paddle.fft.ifft(x, norm=norm)
    else:
        _need(not _is_complex(window), "window", "real numbers, as the result is to be real", dtype_name(window.dtype), api)
        if not onesided:
            x = x[:, :, : n_fft // 2 + 1]
        frames = paddle.fft.irfft(x, n_fft if n_fft % 2 else None, norm=norm)
    signal = overlap_add(paddle.multiply(frames, window).transpose([0, 2, 1]), hop_length)
    squares = paddle.multiply(window, window).unsqueeze(0).tile([count, 1]).transpose([1, 0])
    envelope = overlap_add(squares, hop_length)
    start = n_fft // 2 if center else 0
    if length is not None or start:
        end = -start if length is None else start + length
        signal, envelope = signal[:, start:end], envelope[start:end]
    if paddle.in_dynamic_mode() and float(envelope.abs().min()) < 1e-11:
        raise invalid_argument("window", "weights whose overlapping squares are nowhere 0", "a sample without weight", api)
    signal = signal / envelope
    return signal.squeeze(0) if rank == 2 else signal


__all__ = ["istft", "stft"]

__getattr__ = missing(__name__)

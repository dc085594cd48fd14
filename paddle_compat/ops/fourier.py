"""Discrete Fourier transforms, and signals as overlapping frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._nothing import zeros_behind

Tensor = torch.Tensor
# The names of torch's norms are Paddle's, and `forward` says which way a transform goes.


def _of_nothing(x: Tensor, sizes: dict[int, int], dtype: torch.dtype) -> Tensor:
    """Zeros for a transform of no elements, some of its dimensions of other sizes."""
    return zeros_behind(x, [sizes.get(i, size) for i, size in enumerate(x.shape)], dtype)


@op(inputs=("X",), grad=())
def fft_c2c(x: Tensor, *, axes: Sequence[int] = (), normalization: str = "backward", forward: bool = True) -> Tensor:
    """The transform of complex numbers."""
    if not x.numel():
        return _of_nothing(x, {}, x.dtype)
    transform = torch.fft.fftn if forward else torch.fft.ifftn
    return transform(x, dim=tuple(axes), norm=normalization)


def _half_meta(
    x: Meta, *, axes: Sequence[int] = (), normalization: str = "backward", forward: bool = True, onesided: bool = True
) -> Meta:
    """The shape of half a spectrum. torch 2.11's own shape function cannot take axes in another order than the dimensions'."""
    shape = list(x.shape)
    if onesided and shape[axes[-1]] >= 0:
        shape[axes[-1]] = shape[axes[-1]] // 2 + 1
    return Meta(tuple(shape), torch.promote_types(x.dtype, torch.complex32))


def _whole_meta(
    x: Meta, *, axes: Sequence[int] = (), normalization: str = "backward", forward: bool = True, last_dim_size: int = 0
) -> Meta:
    """The shape of what a half spectrum tells."""
    shape = list(x.shape)
    if last_dim_size or shape[axes[-1]] >= 0:
        shape[axes[-1]] = last_dim_size or 2 * (shape[axes[-1]] - 1)
    return Meta(tuple(shape), x.dtype.to_real())


@op(inputs=("X",), grad=("X",), infer=_half_meta)
def fft_r2c(x: Tensor, *, axes: Sequence[int] = (), normalization: str = "backward", forward: bool = True, onesided: bool = True) -> Tensor:
    """The transform of real numbers; `onesided` leaves out the half of the last axis that the rest tells."""
    if not x.numel():
        last = axes[-1] % x.dim()
        return _of_nothing(x, {last: x.shape[last] // 2 + 1} if onesided else {}, x.dtype.to_complex())
    if onesided:
        transform = torch.fft.rfftn if forward else torch.fft.ihfftn
    else:
        transform = torch.fft.fftn if forward else torch.fft.ifftn
    return transform(x, dim=tuple(axes), norm=normalization).resolve_conj()


@op(inputs=("X",), grad=(), infer=_whole_meta)
def fft_c2r(
    x: Tensor, *, axes: Sequence[int] = (), normalization: str = "backward", forward: bool = True, last_dim_size: int = 0
) -> Tensor:
    """The real transform of half of a spectrum that mirrors itself."""
    sizes = [x.shape[axis] for axis in axes]
    sizes[-1] = last_dim_size or 2 * (sizes[-1] - 1)
    if not x.numel() and sizes[-1] >= 0:
        return _of_nothing(x, {axes[-1] % x.dim(): sizes[-1]}, x.dtype.to_real())
    transform = torch.fft.hfftn if forward else torch.fft.irfftn
    return transform(x, s=sizes, dim=tuple(axes), norm=normalization)


def _frames_meta(x: Meta, *, frame_length: int, hop_length: int, axis: int) -> Meta:
    length = x.shape[axis]
    if length >= 0 and frame_length > length:
        raise invalid_argument("frame_length", f"at most the {length} elements of the signal", frame_length, "frame")
    count = -1 if length < 0 else 1 + (length - frame_length) // hop_length
    if axis == 0:
        return Meta((count, frame_length, *x.shape[1:]), x.dtype)
    return Meta((*x.shape[:-1], frame_length, count), x.dtype)


@op(inputs=("X",), grad=("X",), infer=_frames_meta)
def frame(x: Tensor, *, frame_length: int, hop_length: int, axis: int = -1) -> Tensor:
    """Frames of a signal that begin every `hop_length` elements: [..., frame_length, frames], or [frames, frame_length, ...]."""
    if axis == 0:
        return x.unfold(0, frame_length, hop_length).movedim(-1, 1)
    return x.unfold(-1, frame_length, hop_length).transpose(-1, -2)


def _spectra_meta(x: Meta, window: Meta, *, n_fft: int, hop_length: int, normalized: bool, onesided: bool) -> Meta:
    length = x.shape[-1]
    wrong: tuple[str, str, Any] | None = None
    if len(x.shape) != 2:
        wrong = ("X", "signals, [batch, length]", list(x.shape))
    elif hop_length <= 0:
        wrong = ("hop_length", "a number above 0", hop_length)
    elif tuple(window.shape) != (n_fft,):
        wrong = ("Window", f"{n_fft} numbers, as n_fft says", list(window.shape))
    elif length >= 0 and n_fft > length:
        wrong = ("n_fft", f"at most the {length} elements of a signal", n_fft)
    if wrong is not None:
        raise invalid_argument(*wrong, "stft")
    count = -1 if length < 0 else 1 + (length - n_fft) // hop_length
    return Meta((x.shape[0], n_fft // 2 + 1 if onesided else n_fft, count), x.dtype.to_complex())


@op(inputs=("X", "Window"), grad=("X", "Window"), no_grad=("Window",), infer=_spectra_meta)
def stft(x: Tensor, window: Tensor, *, n_fft: int, hop_length: int, normalized: bool, onesided: bool) -> Tensor:
    """The transforms of a signal's frames, each weighed by a window: [batch, frequencies, frames]."""
    frames = frame.fn(x, frame_length=n_fft, hop_length=hop_length) * window[:, None]
    transform = torch.fft.rfft if onesided else torch.fft.fft
    return transform(frames, dim=1, norm="ortho" if normalized else "backward")


def _signal_meta(x: Meta, *, hop_length: int, axis: int) -> Meta:
    count, length = x.shape[:2] if axis == 0 else x.shape[:-3:-1]
    whole = -1 if min(count, length) < 0 else (count - 1) * hop_length + length
    return Meta((whole, *x.shape[2:]) if axis == 0 else (*x.shape[:-2], whole), x.dtype)


@op(inputs=("X",), grad=("X",), infer=_signal_meta)
def overlap_add(x: Tensor, *, hop_length: int, axis: int = -1) -> Tensor:
    """The sum of frames, each where it lies in the signal."""
    if x.dim() < 2:
        raise invalid_argument("X", "two dimensions at least", list(x.shape), "overlap_add")
    frames = x.movedim((1, 0), (-2, -1)) if axis == 0 else x
    length, count = frames.shape[-2:]
    places = (torch.arange(length, device=x.device)[:, None] + torch.arange(count, device=x.device) * hop_length).flatten()
    whole = frames.new_zeros((*frames.shape[:-2], (count - 1) * hop_length + length))
    whole = whole.index_add(-1, places, frames.flatten(-2))
    return whole.movedim(-1, 0) if axis == 0 else whole

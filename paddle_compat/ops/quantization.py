"""Operators that round values to the steps of few bits, as quantized kernels would, and back.

A scale is the largest magnitude; it stands for the highest of the steps that the bits can tell apart. Gradients go straight through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op

Tensor = torch.Tensor

_STRAIGHT = "stright_throuth_estimator_grad"  # as 2.x spells it; 1.x has no gradient


def _steps(bits: int) -> int:
    return (1 << (bits - 1)) - 1


def _inverse(scale: Tensor) -> Tensor:
    return 1 / torch.where(scale <= 1e-30, scale + 1e-6, scale)


def _rounded(x: Tensor, scale: Tensor, bits: int, kind: int = 1) -> Tensor:
    """The number of the step nearest to each value.

    Kind 1: halves go away from zero, and values beyond the scale get the last step; kind 0: halves go to the even step, and below the
    scale there is one step more.
    """
    most = _steps(bits)
    if kind == 0:
        return torch.round(x * (most * _inverse(scale))).clamp(-most - 1, most)
    inside = torch.minimum(torch.maximum(x, -scale), scale)
    steps = inside * (most * _inverse(scale))
    return torch.sign(steps) * torch.floor(steps.abs() + 0.5)


class _Straight(torch.autograd.Function):
    """Values rounded to steps; the gradient is that of the values as they were."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: Tensor, bits: int, kind: int) -> Tensor:
        return _rounded(x, scale, bits, kind) * scale / _steps(bits)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None, None]:
        return grad, None, None, None


def _straight(x: Tensor, scale: Tensor, bits: int, kind: int = 1) -> Tensor:
    out: Tensor = _Straight.apply(x, scale.detach(), bits, kind)
    return out


def _largest(x: Tensor) -> Tensor:
    return x.detach().abs().amax().reshape(1)


def _channels(x: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The largest magnitude of each channel, as a vector and in the shape that broadcasts with x."""
    scale = x.detach().abs().amax([d for d in range(x.dim()) if d != axis])
    return scale, scale.reshape([-1 if d == axis else 1 for d in range(x.dim())])


def _spread(scale: Tensor, x: Tensor, axis: int) -> Tensor:
    """Scales of channels in the shape that broadcasts with x; one scale is the scale of all."""
    return scale.reshape([-1 if d == axis % x.dim() else 1 for d in range(x.dim())]) if scale.numel() > 1 else scale.reshape(1)


def _moved(x: Tensor, accum: Tensor, state: Tensor, rate: float) -> tuple[Tensor, Tensor, Tensor]:
    """Scale, state and sum of a moving average of the largest magnitude, with this batch's."""
    state, accum = rate * state + 1, rate * accum + _largest(x)
    return accum / state, state, accum


@op(inputs=("X",), outputs=("Out", "OutScale"))
def fake_quantize_abs_max(x: Tensor, *, bit_length: int = 8, round_type: int = 1) -> tuple[Tensor, Tensor]:
    """The steps of x, whose largest magnitude is the last step."""
    scale = _largest(x)
    return _rounded(x, scale, bit_length, round_type), scale


@op(inputs=("X",), outputs=("Out", "OutScale"), grad={2: ()}, grad_type=_STRAIGHT)
def fake_quantize_dequantize_abs_max(x: Tensor, *, bit_length: int = 8, round_type: int = 1) -> tuple[Tensor, Tensor]:
    """x rounded to steps, of which its largest magnitude is the last."""
    scale = _largest(x)
    return _straight(x, scale, bit_length, round_type), scale


@op(inputs=("X",), outputs=("Out", "OutScale"), continues="OutScale")
def fake_channel_wise_quantize_abs_max(
    x: Tensor, former: Tensor | None = None, *, bit_length: int = 8, quant_axis: int = 0, is_test: bool = False, round_type: int = 1,
    _measures: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The steps of x, with a scale for each channel.

    Args:
        former: the scales that stand in OutScale, where a variable keeps them. With is_test, Paddle 2.x goes by these.
        _measures: x is looked at for its scales in tests, too, as in 1.8.
    """
    scale, spread = _channels(x, quant_axis)
    if is_test and not _measures and former is not None:
        scale, spread = former, former.reshape(spread.shape)
    return _rounded(x, spread, bit_length, round_type), scale


@op(inputs=("X",), outputs=("Out", "OutScale"), grad={2: ()}, grad_type=_STRAIGHT)
def fake_channel_wise_quantize_dequantize_abs_max(
    x: Tensor, *, bit_length: int = 8, quant_axis: int = 0, round_type: int = 1
) -> tuple[Tensor, Tensor]:
    """x rounded to steps, with a scale for each channel."""
    scale, spread = _channels(x, quant_axis)
    return _straight(x, spread, bit_length, round_type), scale


@op(
    inputs=("X", "InScale", "Iter?"), outputs=("Out", "OutScale", "OutScales?"), continues="OutScales",
    infer=lambda x, scale, *rest, window_size=10000, **_: (x, scale, Meta((window_size,), x.dtype)),
)  # fmt: skip
def fake_quantize_range_abs_max(
    x: Tensor, in_scale: Tensor, iter: Tensor | None = None, former: Tensor | None = None, *, window_size: int = 10000,
    bit_length: int = 8, is_test: bool = False, round_type: int = 1,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The steps of x by the largest magnitude of the last batches.

    Until the window is full that is the largest so far. Then each batch takes the place of the oldest one, and where that was the largest,
    the window is looked through for the next.

    Args:
        former: the window as it was. No input slot: Paddle's operator goes on with what stands in OutScales. Without it (a variable that is
            not kept from run to run) a full window cannot be told, but that of one batch.
    """
    if is_test:
        return _rounded(x, in_scale, bit_length, round_type), in_scale, in_scale
    step = 0 if iter is None else int(iter)
    if former is None and step >= window_size > 1:
        raise UnsupportedError(
            "operator fake_quantize_range_abs_max", f"is_test=False, after window_size={window_size} batches, with OutScales not kept",
            "a persistable variable for OutScales, or fake_quantize_moving_average_abs_max",
        )  # fmt: skip
    largest, last = _largest(x), in_scale.reshape(1)
    scales = torch.zeros(window_size, dtype=x.dtype, device=x.device) if former is None else former.clone()
    place = step % window_size
    leaving = last if window_size == 1 else scales[place].clone()
    scales[place] = largest
    left = scales[: min(step, window_size) or None].max()
    scale = torch.where(last < largest, largest, torch.where((leaving - last).abs() < 1e-6, left, last))
    return _rounded(x, scale, bit_length, round_type), scale, scales


_MOVING_SLOTS = ("X", "InScale", "InAccum?", "InState?")
_MOVING_OUTPUTS = ("Out", "OutScale", "OutState?", "OutAccum?")


def _moving_meta(x: Meta, *rest: Any, **attrs: Any) -> tuple[Meta, ...]:
    return x, *[Meta((1,), x.dtype)] * 3


_Moving = tuple[Tensor, Tensor, Tensor | None, Tensor | None]


def _moving(x: Tensor, scale: Tensor, accum: Tensor | None, state: Tensor | None, rate: float, is_test: bool) -> _Moving:
    """Scale, state and sum to go on with: in training those of a moving average, else the given ones."""
    if is_test or accum is None or state is None:
        return x, scale, state, accum
    return x, *_moved(x, accum, state, rate)


@op(inputs=_MOVING_SLOTS, outputs=_MOVING_OUTPUTS, infer=_moving_meta)
def fake_quantize_moving_average_abs_max(
    x: Tensor, in_scale: Tensor, in_accum: Tensor | None = None, in_state: Tensor | None = None, *, moving_rate: float = 0.9,
    bit_length: int = 8, is_test: bool = False, round_type: int = 1,
) -> _Moving:  # fmt: skip
    """The steps of x by a moving average of the largest magnitude."""
    x, scale, state, accum = _moving(x, in_scale, in_accum, in_state, moving_rate, is_test)
    return _rounded(x, scale, bit_length, round_type), scale, state, accum


@op(
    inputs=_MOVING_SLOTS, outputs=_MOVING_OUTPUTS, grad={2: ()}, no_grad=("InScale", "InAccum", "InState"), grad_type=_STRAIGHT,
    infer=_moving_meta,
)  # fmt: skip
def fake_quantize_dequantize_moving_average_abs_max(
    x: Tensor, in_scale: Tensor, in_accum: Tensor | None = None, in_state: Tensor | None = None, *, moving_rate: float = 0.9,
    bit_length: int = 8, is_test: bool = False, round_type: int = 1,
) -> _Moving:  # fmt: skip
    """x rounded to steps by a moving average of the largest magnitude."""
    x, scale, state, accum = _moving(x, in_scale, in_accum, in_state, moving_rate, is_test)
    return _straight(x, scale, bit_length, round_type), scale, state, accum


@op(
    inputs=("X", "InAccum?", "InState?"), outputs=("Out", *_MOVING_OUTPUTS[1:]), grad={2: ()}, no_grad=("InAccum", "InState"),
    grad_type=_STRAIGHT, infer=_moving_meta,
)  # fmt: skip
def moving_average_abs_max_scale(
    x: Tensor, in_accum: Tensor | None = None, in_state: Tensor | None = None, *, moving_rate: float = 0.9, is_test: bool = False
) -> tuple[Tensor | None, ...]:
    """x itself, and a moving average of its largest magnitude."""
    if is_test or in_accum is None or in_state is None:
        return x * 1, None, None, None
    return x * 1, *_moved(x, in_accum, in_state, moving_rate)


@op(inputs=("X", "Scale"))
def fake_dequantize_max_abs(x: Tensor, scale: Tensor, *, max_range: float) -> Tensor:
    """Steps back as values."""
    return x * scale / max_range


@op(inputs=("X", "Scales*"))
def fake_channel_wise_dequantize_max_abs(
    x: Tensor, scales: list[Tensor], *, quant_bits: Sequence[int] = (8,), quant_axis: int = 0, x_num_col_dims: int = 1
) -> Tensor:
    """Steps back as values, with a scale for each channel; a second scale is the one of what x was multiplied with."""
    axis = quant_axis if len(scales) == 1 else x_num_col_dims
    spread = scales[0].reshape([-1 if d == axis else 1 for d in range(x.dim())])
    out = x * spread / _steps(quant_bits[0])
    return out * scales[1] / _steps(quant_bits[1]) if len(scales) > 1 else out


def _linear_meta(x: Meta, scale: Meta, *rest: Any, **attrs: Any) -> tuple[Meta, ...]:
    return Meta(x.shape, torch.float32 if not x.dtype.is_floating_point else x.dtype), *[Meta((1,), scale.dtype)] * 3


_LINEAR_SLOTS = ("X", "Scale", "ZeroPoint", "InAccum?", "InState?")
_LINEAR_OUTPUTS = ("Y", "OutScale?", "OutState?", "OutAccum?")


@op(inputs=_LINEAR_SLOTS, outputs=_LINEAR_OUTPUTS, grad=None, infer=_linear_meta)
def quantize_linear(
    x: Tensor, scale: Tensor, zero_point: Tensor, in_accum: Tensor | None = None, in_state: Tensor | None = None, *,
    quant_axis: int = 0, bit_length: int = 8, round_type: int = 0, is_test: bool = True, only_observer: bool = False,
) -> tuple[Tensor | None, ...]:  # fmt: skip
    """The steps of x by given scales; in training by those of channels, or a moving average, which an observer only takes note of.

    The zero point counts in neither direction, as in Paddle.
    """
    state, accum, used = in_state, in_accum, scale
    if not is_test and quant_axis >= 0:
        used = _channels(x, quant_axis)[0]
    elif not is_test and in_accum is not None and in_state is not None:
        used, state, accum = _moved(x, in_accum, in_state, 0.9)
    out = x.detach() * 1 if only_observer else _rounded(x.detach(), _spread(used, x, quant_axis), bit_length, round_type)
    return out, used, state, accum


@op(inputs=_LINEAR_SLOTS, outputs=_LINEAR_OUTPUTS, grad=None, infer=_linear_meta)
def dequantize_linear(
    x: Tensor, scale: Tensor, zero_point: Tensor, in_accum: Tensor | None = None, in_state: Tensor | None = None, *,
    quant_axis: int = 0, bit_length: int = 8, round_type: int = 0, is_test: bool = True, only_observer: bool = False,
) -> tuple[Tensor | None, ...]:  # fmt: skip
    """Values of the steps of x by given scales."""
    floats = x.detach().to(scale.dtype)
    out = floats * 1 if only_observer else floats * _spread(scale, x, quant_axis) / _steps(bit_length)
    return out, scale, in_state, in_accum


def _as_floats(x: Meta, *rest: Meta, **attrs: Any) -> Meta:
    return Meta(x.shape, torch.float32)


@op(inputs=("X", "Scale"), infer=_as_floats)
def dequantize_abs_max(x: Tensor, scale: Tensor, *, max_range: float) -> Tensor:
    """Floats from int8, of which `max_range` stands for `scale`."""
    return scale.reshape(-1) * x.float() / max_range


@op(inputs=("X", "Dict"), infer=_as_floats)
def dequantize_log(x: Tensor, table: Tensor) -> Tensor:
    """Floats from int8 by a table of 128; negative numbers stand for the table's opposites."""
    rows = table.reshape(-1)[torch.where(x < 0, x.long() + 128, x.long())]
    return torch.where(x < 0, -rows, rows)


def _unpacked_meta(table: Meta, ids: Meta, **attrs: Any) -> Meta:
    return Meta((*ids.shape[:-1], (table.shape[1] - 2) * 4), torch.float32, ids.lod_level)


@op(inputs=("W", "Ids"), infer=_unpacked_meta, lod=("Out",))
def lookup_table_dequant(
    table: Tensor, ids: Tensor, *, padding_idx: int = -1, ids_lod: LoD | None = None
) -> tuple[Tensor, LoD | None]:
    """Rows of a table in which each float after the first two holds four numbers from 0 to 255; these two are 0 and 256."""
    flat = ids.reshape(-1)
    rows = table[flat]
    steps = rows[:, 2:].contiguous().view(torch.uint8).float()
    out = (rows[:, 1:2] - rows[:, :1]) / 256.0 * steps + rows[:, :1]
    if padding_idx != -1:
        out = torch.where((flat == padding_idx)[:, None], 0.0, out)
    return out.reshape(*ids.shape[:-1], -1), ids_lod

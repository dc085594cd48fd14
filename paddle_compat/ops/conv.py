"""Convolutions: plain, depthwise, transposed, deformable, and the two over sequences and circles."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._products import only_autograd
from paddle_compat.ops._spatial import channels_back, channels_first, is_channel_last, pad, resolve

Tensor = torch.Tensor
Ints = Sequence[int]

# Products up to which torch's plain kernels, forward and backward, cost less than what oneDNN's have to set up.
_FEW, _FEW_TRANSPOSED = 1 << 20, 1 << 17
# Weights from which oneDNN's kernels pay for a single image, too: torch takes its plain ones for a small one, however many channels it has,
# which read all weights for a few numbers in two to three times oneDNN's time.
_MANY_WEIGHTS = 1 << 17 if torch.backends.mkldnn.is_available() else math.inf
# Channels of an image (grey, or red, green and blue) up to which a transposed convolution into it is always theirs, as it leaves most
# of the sixteen empty that oneDNN's kernels compute at once: they take two to ten times as long.
_NARROW = 3
# Channels of a group that oneDNN's kernels compute at once. For groups of two or four it has none but a plain one, which takes two to four
# times as long as a group of eight in their place, of whose filters most are zeros.
_AT_ONCE = 8
_MANY_PRODUCTS = 1 << 19  # from which that pays


def _is_little(x: Tensor, weight: Tensor, strides: Ints, dilations: Ints, groups: int, few: float) -> bool:
    """Whether a plain kernel takes these images, and has no more than about `few` products to add. It cannot be traced."""
    if type(x) is not Tensor or not x.is_cpu or x.dtype is not torch.float32 or groups != 1 or max(dilations) != 1:
        return False
    if x.dim() != 4 or not (x.is_contiguous() and weight.is_contiguous()):
        return False
    if weight.stride(3) != 1:  # a kernel of 1 x 1 with the channels last counts as contiguous, but its gradient would be laid down wrong
        return False
    return 0 < x.numel() * weight.numel() <= few * x.shape[1] * strides[0] * strides[1] and only_autograd()


def _is_single(x: Tensor, weight: Tensor, strides: Ints, paddings: Ints, dilations: Ints, groups: int) -> bool:
    """Whether this is one image, and oneDNN's kernel can be called at once for it. It cannot be traced."""
    if type(x) is not Tensor or len(x) != 1 or x.dim() != 4 or weight.numel() < _MANY_WEIGHTS:
        return False
    if not x.is_cpu or x.dtype is not torch.float32 or x.shape[1] != weight.shape[1] * groups or min(strides) < 1:
        return False
    fits = all(s + 2 * p > d * (k - 1) for s, k, p, d in zip(x.shape[2:], weight.shape[2:], paddings, dilations))
    return fits and only_autograd()


def _merging(x: Tensor, weight: Tensor, strides: Ints, groups: int) -> int:
    """How many groups are sooner computed as one, 1 for none. It cannot be traced."""
    if groups == 1 or type(x) is not Tensor or not x.is_cpu or x.dtype is not torch.float32 or x.dim() != 4:
        return 1
    sides = weight.shape[1], weight.shape[0] // groups
    if min(sides) not in (2, 4) or max(sides) not in (2, 4, 8) or weight[0, 0].numel() == 1 or not x.is_contiguous():
        return 1
    number, products = _AT_ONCE // min(sides), x.numel() * weight.numel() // (x.shape[1] * strides[0] * strides[1])
    fits = groups % number == 0 and products >= _MANY_PRODUCTS and x.shape[1] == weight.shape[1] * groups
    return number if fits and torch.backends.mkldnn.is_available() and only_autograd() else 1


def _merged(weight: Tensor, groups: int, number: int) -> Tensor:
    """The filters of `number` groups each as those of one, which are 0 for the channels of the others."""
    parts = weight.unflatten(0, (groups // number, number, len(weight) // groups))
    return torch.diag_embed(parts.movedim(1, -1), dim1=1, dim2=3).reshape(len(weight), number * weight.shape[1], *weight.shape[2:])


def packed(weight: Tensor, image: Sequence[int], paddings: Ints, strides: Ints, dilations: Ints, groups: int) -> Tensor:
    """A filter as oneDNN's convolutions read it, which otherwise lay it down anew in every call; conv2d takes it so, without gradients.

    Args:
        weight: [M, C / groups, H, W], float32, on the CPU.
        image: the sizes of what it is for, -1 for unknown ones: the best layout depends on them.
        paddings, strides, dilations, groups: as conv2d's.
    Returns:
        The packed filter; the filter itself where a plain kernel takes such images, or there is no oneDNN.
    """
    number, *sizes = image or (-1,)
    known = [max(number, 1), *sizes] if sizes and min(sizes) > 0 else None
    little = known is not None and groups == 1 and math.prod(known[2:]) * weight.numel() <= _FEW * strides[0] * strides[1]
    if little or not torch.backends.mkldnn.is_available():
        return weight
    found: Tensor = torch.ops.mkldnn._reorder_convolution_weight(weight.contiguous(), paddings[:2], strides, dilations, groups, known)
    return found


@cache
def _of_packed() -> Callable[..., Tensor]:
    """The convolution by packed filters, which not every build of torch has."""
    found: Callable[..., Tensor] = torch.ops.mkldnn._convolution_pointwise.default
    return found


def _conv2d(
    x: Tensor, weight: Tensor, strides: Ints, paddings: Ints, dilations: Ints, groups: int, bias: Tensor | None = None
) -> Tensor:
    if weight.is_mkldnn:  # a predictor's, packed
        return _of_packed()(x, weight, bias, paddings, strides, dilations, groups, "none", [], "")
    if _is_little(x, weight, strides, dilations, groups, _FEW) and x.shape[1] == weight.shape[1]:
        plain: Callable[..., Tensor] = torch._C._nn.thnn_conv2d  # type: ignore[attr-defined]
        return plain(x, weight, weight.shape[2:], bias, strides, paddings)
    if _is_single(x, weight, strides, paddings, dilations, groups):
        return torch.mkldnn_convolution(x, weight, bias, paddings, strides, dilations, groups)
    if (number := _merging(x, weight, strides, groups)) > 1:
        weight, groups = _merged(weight, groups, number), groups // number
    return F.conv2d(x, weight, bias, strides, paddings, dilations, groups)


def convolve(x: Tensor, weight: Tensor, bias: Tensor, stride: int, padding: int, dilation: int, groups: int) -> Tensor:
    """conv2d of images and the addition of a bias, in one call."""
    return _conv2d(x, weight, (stride, stride), (padding, padding), (dilation, dilation), groups, bias)


def _conv3d(
    x: Tensor, weight: Tensor, strides: Ints, paddings: Ints, dilations: Ints, groups: int, bias: Tensor | None = None
) -> Tensor:
    return F.conv3d(x, weight, bias, strides, paddings, dilations, groups)


def _conv_transpose2d(
    x: Tensor, weight: Tensor, strides: Ints, paddings: Ints, extra: Ints, groups: int, dilations: Ints
) -> Tensor:
    few = _FEW_TRANSPOSED if weight.shape[1] > _NARROW else math.inf
    if _is_little(x, weight, [1, 1], dilations, groups, few) and x.shape[1] == weight.shape[0]:
        plain: Callable[..., Tensor] = torch._C._nn.slow_conv_transpose2d  # type: ignore[attr-defined]
        return plain(x, weight, weight.shape[2:], None, strides, paddings, extra, dilations)
    return F.conv_transpose2d(x, weight, None, strides, paddings, extra, groups, dilations)


def _conv_transpose3d(
    x: Tensor, weight: Tensor, strides: Ints, paddings: Ints, extra: Ints, groups: int, dilations: Ints
) -> Tensor:
    return F.conv_transpose3d(x, weight, None, strides, paddings, extra, groups, dilations)


_CONVOLUTION = {2: _conv2d, 3: _conv3d}
_TRANSPOSED = {2: _conv_transpose2d, 3: _conv_transpose3d}


def _of_nothing(x: Tensor, weight: Tensor, channels: int, sizes: Ints) -> Tensor:
    """What images without pixels give, as only padding is summed up: zeros, in the graphs of both. torch refuses such images."""
    filters = weight.to_dense() if weight.is_mkldnn else weight
    return x.new_zeros(len(x), channels, *sizes) + (x.sum() + filters[:0].sum())


def _conv(
    x: Tensor,
    weight: Tensor,
    strides: Ints,
    paddings: Ints,
    algorithm: str,
    dilations: Ints,
    groups: int,
    data_format: str,
    bias: Tensor | None = None,
) -> Tensor:
    if weight.dim() != x.dim() or weight.dim() - 2 not in _CONVOLUTION:
        raise invalid_argument("Filter", f"the {x.dim()} dimensions of Input", list(weight.shape), "conv")
    run = _CONVOLUTION[weight.dim() - 2]
    plain = algorithm == "EXPLICIT" and data_format[-1] != "C" and len(paddings) == len(strides) and min(paddings, default=0) >= 0
    if plain and x.numel():
        return run(x, weight, strides, paddings, dilations, groups, bias)
    x = channels_first(x, data_format)
    if algorithm == "SAME":
        dilations = [1] * len(strides)  # Paddle ignores the dilation then
    pads = resolve(x.shape[2:], weight.shape[2:], strides, paddings, algorithm)
    if 0 in x.shape[2:]:
        spans = [d * (k - 1) + 1 for d, k in zip(dilations, weight.shape[2:])]
        sizes = [int((n + sum(p) - span) / s) + 1 for n, p, span, s in zip(x.shape[2:], pads, spans, strides)]  # rounded as C++ does
        if min(sizes) >= 0:
            out = _of_nothing(x, weight, len(weight), sizes)
            return channels_back(out if bias is None else out + bias.view(-1, *[1] * len(sizes)), data_format)
    if any(before != behind or before < 0 for before, behind in pads):  # which torch's kernels do not have
        x, pads = pad(x, pads), [(0, 0)] * len(pads)
    return channels_back(run(x, weight, strides, [p[0] for p in pads], dilations, groups, bias), data_format)


def _infer_open(
    x: Meta, weight: Meta, strides: Ints, paddings: Ints, algorithm: str, dilations: Ints, data_format: str
) -> Meta:  # fmt: skip
    """A convolution whose channels or filters only a run tells."""
    last, rank = is_channel_last(data_format), len(strides)
    pads = [0] * 2 * rank if algorithm == "VALID" else [*paddings] if len(paddings) == 2 * rank else [p for p in paddings for _ in "ab"]
    sizes = [
        -1 if n < 0 or k < 0 else -(-n // s) if algorithm == "SAME" else (n + a + b - d * (k - 1) - 1) // s + 1
        for n, k, s, d, a, b in zip(x.shape[1 if last else 2 :], weight.shape[2:], strides, dilations, pads[::2], pads[1::2])
    ]
    return Meta((x.shape[0], *sizes, weight.shape[0]) if last else (x.shape[0], weight.shape[0], *sizes), x.dtype)


def _is_open(x: Meta, weight: Meta, data_format: str = "NCHW", **attrs: Any) -> bool:
    """Whether only a run tells the channels or the filters."""
    return -1 in weight.shape or x.shape[-1 if is_channel_last(data_format) else 1] == -1


def _infer_conv(
    x: Meta,
    weight: Meta,
    *others: Meta | None,
    strides: Ints = (1, 1),
    paddings: Ints = (0, 0),
    padding_algorithm: str = "EXPLICIT",
    dilations: Ints = (1, 1),
    groups: int = 1,
    data_format: str = "NCHW",
    **attrs: object,
) -> Meta:
    """The usual convolution; a trial run shows the rest, and what does not fit."""
    rank = len(strides)
    if min(dilations, default=1) < 1:
        raise invalid_argument("dilation", "numbers above 0", list(dilations))
    if len(x.shape) == len(weight.shape) == rank + 2 and _is_open(x, weight, data_format):
        return _infer_open(x, weight, strides, paddings, padding_algorithm, dilations, data_format)
    if (
        (padding_algorithm, data_format) != ("EXPLICIT", "NCHW")
        or {len(x.shape), len(weight.shape), len(paddings) + 2, len(dilations) + 2} != {rank + 2}
        or x.shape[1] != weight.shape[1] * groups
        or weight.shape[0] % groups
        or x.dtype is not weight.dtype
        or -1 in weight.shape
        or min(strides) < 1
    ):
        return NotImplemented
    kernels = [d * (k - 1) + 1 for d, k in zip(dilations, weight.shape[2:])]
    sizes = [n if n < 0 else (n + 2 * p - k) // s + 1 for n, p, k, s in zip(x.shape[2:], paddings, kernels, strides)]
    return NotImplemented if 0 in x.shape or any(-1 != n < 1 for n in sizes) else Meta((x.shape[0], weight.shape[0], *sizes), x.dtype)


def _conv_transpose(
    x: Tensor,
    weight: Tensor,
    strides: Ints,
    paddings: Ints,
    algorithm: str,
    dilations: Ints,
    groups: int,
    data_format: str,
    output_padding: Ints,
    output_size: Ints,
) -> Tensor:
    x = channels_first(x, data_format)
    rank = weight.dim() - 2
    if x.shape[1] % groups and x.shape[1] == weight.shape[0]:  # Paddle leaves out the channels that no group gets
        taken = x.shape[1] // groups * groups
        x, weight = x[:, :taken], weight[:taken]
    if algorithm == "SAME":
        dilations = [1] * rank
    kernels = weight.shape[2:]
    pads = resolve(x.shape[2:], kernels, strides, paddings, algorithm)
    extra = list(output_padding) or [0] * rank
    smallest = [
        (n - 1) * s - before - behind + d * (k - 1) + 1
        for n, s, (before, behind), d, k in zip(x.shape[2:], strides, pads, dilations, kernels)
    ]
    if output_size:
        extra = [wanted - size for wanted, size in zip(output_size, smallest)]
        if x.device.type != "meta" and any(not 0 <= more < stride for more, stride in zip(extra, strides)):
            raise invalid_argument("output_size", f"{smallest}, or more by less than a stride", list(output_size))
    if 0 in x.shape[2:]:
        sizes = [size + more for size, more in zip(smallest, extra)]
        return channels_back(_of_nothing(x, weight, weight.shape[1] * groups, sizes), data_format)
    # torch pads evenly only: what an uneven padding takes away behind is cut off (or, if less, added as output padding)
    before = [p[0] for p in pads]
    grow = [e + p[0] - p[1] for e, p in zip(extra, pads)]
    fits = all(0 <= g < max(s, d) for g, s, d in zip(grow, strides, dilations))
    none = [0] * rank
    out = _TRANSPOSED[rank](x, weight, strides, before if fits else none, grow if fits else none, groups, dilations)
    if not fits:
        out = pad(out, [(-p[0], e - p[1]) for p, e in zip(pads, extra)])
    return channels_back(out, data_format)


_IMAGES: dict[str, Any] = {
    "inputs": ("Input", "Filter", "Bias?@1", "ResidualData?@1"),
    "outputs": ("Output",),
    "grad": {1: ("Input", "Filter", "Bias"), 2: ("Input", "Filter")},
    "no_grad": ("ResidualData",),
    "infer": _infer_conv,
}


@op(**_IMAGES)
def conv2d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    residual: Tensor | None = None,
    *,
    strides: Ints = (1, 1),
    paddings: Ints = (0, 0),
    padding_algorithm: str = "EXPLICIT",
    dilations: Ints = (1, 1),
    groups: int = 1,
    data_format: str = "NCHW",
) -> Tensor:
    """Convolution of images."""
    return _conv(x, weight, strides, paddings, padding_algorithm, dilations, groups, data_format)


def conv2d_biased(
    x: Tensor,
    weight: Tensor,
    bias: Tensor,
    *,
    strides: Ints = (1, 1),
    paddings: Ints = (0, 0),
    padding_algorithm: str = "EXPLICIT",
    dilations: Ints = (1, 1),
    groups: int = 1,
    data_format: str = "NCHW",
) -> Tensor:
    """conv2d and the addition of a bias for each channel, in one call."""
    return _conv(x, weight, strides, paddings, padding_algorithm, dilations, groups, data_format, bias)


# filters of its own for every channel; Paddle has other kernels for it, torch sees it by the shapes
depthwise_conv2d = op(name="depthwise_conv2d", **_IMAGES)(conv2d.fn)


@op(
    inputs=("Input", "Filter", "ResidualData?@1"),
    outputs=("Output",),
    grad={1: ("Input", "Filter", "ResidualData"), 2: ("Input", "Filter")},
    no_grad=("ResidualData",),
    infer=lambda x, weight, *others, **attrs: _infer_conv(x, weight, **attrs) if _is_open(x, weight, **attrs) else NotImplemented,
)
def conv3d(
    x: Tensor,
    weight: Tensor,
    residual: Tensor | None = None,
    *,
    strides: Ints = (1, 1, 1),
    paddings: Ints = (0, 0, 0),
    padding_algorithm: str = "EXPLICIT",
    dilations: Ints = (1, 1, 1),
    groups: int = 1,
    data_format: str = "NCDHW",
) -> Tensor:
    """Convolution of volumes."""
    return _conv(x, weight, strides, paddings, padding_algorithm, dilations, groups, data_format)


_TRANSPOSED_IMAGES: dict[str, Any] = {
    "inputs": ("Input", "Filter", "Bias?"),
    "outputs": ("Output",),
    "grad": ("Input", "Filter", "Bias"),
    "no_grad": ("Bias@2",),
    "lod": None,
}


@op(**_TRANSPOSED_IMAGES)
def conv2d_transpose(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    strides: Ints = (1, 1),
    paddings: Ints = (0, 0),
    padding_algorithm: str = "EXPLICIT",
    dilations: Ints = (1, 1),
    groups: int = 1,
    data_format: str = "NCHW",
    output_padding: Ints = (),
    output_size: Ints = (),
) -> Tensor:
    """The gradient of a convolution of images, as an operator of its own."""
    return _conv_transpose(
        x, weight, strides, paddings, padding_algorithm, dilations, groups, data_format, output_padding, output_size
    )


depthwise_conv2d_transpose = op(name="depthwise_conv2d_transpose", **_TRANSPOSED_IMAGES)(conv2d_transpose.fn)


@op(inputs=("Input", "Filter"), outputs=("Output",), grad=("Input", "Filter"), lod=None)
def conv3d_transpose(
    x: Tensor,
    weight: Tensor,
    *,
    strides: Ints = (1, 1, 1),
    paddings: Ints = (0, 0, 0),
    padding_algorithm: str = "EXPLICIT",
    dilations: Ints = (1, 1, 1),
    groups: int = 1,
    data_format: str = "NCHW",
    output_padding: Ints = (),
    output_size: Ints = (),
) -> Tensor:
    """The gradient of a convolution of volumes, as an operator of its own."""
    return _conv_transpose(
        x, weight, strides, paddings, padding_algorithm, dilations, groups, data_format, output_padding, output_size
    )


def _deformable(
    x: Tensor,
    offset: Tensor,
    mask: Tensor | None,
    weight: Tensor,
    strides: Ints,
    paddings: Ints,
    dilations: Ints,
    groups: int,
    deformable_groups: int,
) -> Tensor:
    """Sample each window's points where the offsets move them, then multiply by the filters."""
    _check_filters(weight, deformable_groups)
    batch, channels, height, width = x.shape
    kernel_h, kernel_w = weight.shape[2:]
    points = kernel_h * kernel_w
    out_h, out_w = offset.shape[2:]
    reach = [dilations[i] * (weight.shape[2 + i] - 1) + 1 for i in range(2)]
    windows = [(x.shape[2 + i] + 2 * paddings[i] - reach[i]) // strides[i] + 1 for i in range(2)]
    if windows != [out_h, out_w] and not x.is_meta:  # sizes that are not known yet need not fit
        raise invalid_argument("offset", f"a height and width of {windows}, as the result's", list(offset.shape), "deformable_conv")

    def base(size: int, axis: int, kernel: int) -> Tensor:
        """Where the points of the windows are without offset: (kernel, size)."""
        start = torch.arange(size, device=x.device) * strides[axis] - paddings[axis]
        return start + torch.arange(kernel, device=x.device).unsqueeze(1) * dilations[axis]

    moved = offset.reshape(batch, deformable_groups, points, 2, out_h, out_w)
    y = moved[:, :, :, 0] + base(out_h, 0, kernel_h).repeat_interleave(kernel_w, 0).unsqueeze(-1)
    across = moved[:, :, :, 1] + base(out_w, 1, kernel_w).repeat(kernel_h, 1).unsqueeze(-2)
    # a point a whole pixel outside moves nothing; it is on that line, where the slope is another, that offsets of 0 begin
    inside = (y > -1) & (y < height) & (across > -1) & (across < width)
    # grid_sample wants -1 .. 1 over the pixels' centres; every point of the windows is one row of its grid. Steps of a power
    # of two come back from there exactly: a point on a pixel has the slope to its next one, never (rounded) to its last one.
    steps_h, steps_w = (1 << max(size - 2, 0).bit_length() for size in (height, width))
    grid = torch.stack([torch.where(inside, at * (2 / n) - 1, -3.0) for at, n in ((across, steps_w), (y, steps_h))], -1)
    image = F.pad(x, (0, steps_w + 1 - width, 0, steps_h + 1 - height))
    image = image.reshape(batch * deformable_groups, channels // deformable_groups, steps_h + 1, steps_w + 1)
    grid = grid.reshape(batch * deformable_groups, points * out_h, out_w, 2)
    sampled = F.grid_sample(image, grid, mode="bilinear", padding_mode="zeros", align_corners=True)
    sampled = sampled.reshape(batch, deformable_groups, channels // deformable_groups, points, out_h, out_w)
    if mask is not None:
        sampled = sampled * mask.reshape(batch, deformable_groups, 1, points, out_h, out_w)
    columns = sampled.reshape(batch, groups, channels // groups * points, out_h * out_w)
    filters = weight.reshape(groups, weight.shape[0] // groups, -1)
    return torch.matmul(filters, columns).reshape(batch, weight.shape[0], out_h, out_w)


def _check_filters(weight: Tensor | Meta, deformable_groups: int) -> None:
    if weight.shape[0] % deformable_groups:
        expected = f"a multiple of deformable_groups ({deformable_groups}) filters"
        raise invalid_argument("weight", expected, weight.shape[0], "deformable_conv")


def _infer_deformable(x: Meta, weight: Meta, attrs: Mapping[str, Any]) -> Meta:
    """An image of unknown size has a plain convolution's: all the points of one as large as the trial's are more than a tensor holds."""
    _check_filters(weight, attrs["deformable_groups"])
    return _infer_conv(x, weight, **attrs) if -1 in x.shape[2:] else NotImplemented


@op(
    inputs=("Input", "Offset", "Mask", "Filter"), outputs=("Output",), grad=("Input", "Offset", "Filter", "Mask"),
    infer=lambda x, offset, mask, weight, **attrs: _infer_deformable(x, weight, attrs),
)  # fmt: skip
def deformable_conv(
    x: Tensor,
    offset: Tensor,
    mask: Tensor,
    weight: Tensor,
    *,
    strides: Ints = (1, 1),
    paddings: Ints = (0, 0),
    dilations: Ints = (1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
    im2col_step: int = 64,
) -> Tensor:
    """Convolution whose sampling points are moved by `offset` and weighted by `mask`."""
    return _deformable(x, offset, mask, weight, strides, paddings, dilations, groups, deformable_groups)


@op(
    inputs=("Input", "Offset", "Filter"), outputs=("Output",), grad=("Input", "Offset", "Filter"),
    infer=lambda x, offset, weight, **attrs: _infer_deformable(x, weight, attrs),
)  # fmt: skip
def deformable_conv_v1(
    x: Tensor,
    offset: Tensor,
    weight: Tensor,
    *,
    strides: Ints = (1, 1),
    paddings: Ints = (0, 0),
    dilations: Ints = (1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
    im2col_step: int = 64,
) -> Tensor:
    """Convolution whose sampling points are moved by `offset`."""
    return _deformable(x, offset, None, weight, strides, paddings, dilations, groups, deformable_groups)


@op(inputs=("X", "Y"), grad=("X", "Y"))
def conv_shift(x: Tensor, y: Tensor) -> Tensor:
    """Circular convolution of the rows of x with the (shorter, odd) rows of y."""
    half = y.shape[1] // 2
    windows = torch.cat((x[:, x.shape[1] - half :], x, x[:, :half]), 1).unfold(1, y.shape[1], 1)
    return torch.einsum("bij,bj->bi", windows, y)


@op(inputs=("X", "Filter"), grad=("X", "Filter"), infer=lambda x, weight, **attrs: x)
def row_conv(x: Tensor, weight: Tensor, *, x_lod: LoD | None = None) -> Tensor:
    """Every step with the steps after it, weighted by `weight` (context, width); sequences by LoD or as (N, T, D)."""
    context = weight.shape[0]
    if x_lod is None:
        return (F.pad(x, (0, 0, 0, context - 1)).unfold(-2, context, 1) * weight.T).sum(-1)
    starts = x_lod[-1].to(x.device)
    ends = torch.repeat_interleave(starts[1:], starts.diff())
    steps = torch.arange(x.shape[0], device=x.device).unsqueeze(1) + torch.arange(context, device=x.device)
    inside = (steps < ends.unsqueeze(1)).unsqueeze(-1)
    return (x[steps.clamp(max=x.shape[0] - 1)] * inside * weight).sum(1)

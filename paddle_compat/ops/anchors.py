"""Object detection: default boxes of feature maps, and boxes encoded, decoded, compared and clipped.

A box is left, top, right, bottom. `normalized` boxes lie between 0 and 1; others count pixels, both borders included.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._checks import check_fits, check_rank
from paddle_compat.ops._lod import need_lod, sequence_ids

Tensor = torch.Tensor


# --- default boxes of the cells of a feature map
def _cells(x: Tensor, step: tuple[float, float], offset: float) -> Tensor:
    """The centre of every cell of a feature map, [H, W, 1, 2]."""
    height, width = x.shape[2:4]
    across = (torch.arange(width, dtype=x.dtype, device=x.device) + offset) * step[0]
    down = (torch.arange(height, dtype=x.dtype, device=x.device) + offset) * step[1]
    return torch.stack(torch.meshgrid(down, across, indexing="ij")[::-1], -1).unsqueeze(2)


def _around(centres: Tensor, sizes: Tensor) -> Tensor:
    """Boxes of the given widths and heights [P, 2] around centres."""
    return torch.cat((centres - sizes / 2, centres + sizes / 2), -1)


def _with_variances(boxes: Tensor, variances: Sequence[float]) -> tuple[Tensor, Tensor]:
    return boxes, torch.tensor(list(variances), dtype=boxes.dtype, device=boxes.device).expand(boxes.shape).contiguous()


def _ratios(aspect_ratios: Sequence[float], flip: bool) -> list[float]:
    """1 and every other ratio once, with `flip` their inverses too."""
    found = [1.0]
    for ratio in aspect_ratios:
        if all(abs(ratio - other) >= 1e-6 for other in found):
            found += [ratio, 1.0 / ratio] if flip else [ratio]
    return found


def _prior_sizes(
    min_sizes: Sequence[float], max_sizes: Sequence[float], ratios: list[float], extremes_first: bool
) -> list[tuple[float, float]]:
    sizes = []
    for i, smallest in enumerate(min_sizes):
        largest = [(math.sqrt(smallest * max_sizes[i]),) * 2] if max_sizes else []
        if extremes_first:
            sizes += [(smallest, smallest), *largest]
            sizes += [(smallest * math.sqrt(r), smallest / math.sqrt(r)) for r in ratios if abs(r - 1.0) >= 1e-6]
        else:
            sizes += [(smallest * math.sqrt(r), smallest / math.sqrt(r)) for r in ratios] + largest
    return sizes


def _steps(x: Tensor, image: Tensor, step_w: float, step_h: float) -> tuple[float, float]:
    if step_w == 0 or step_h == 0:
        return image.shape[3] / x.shape[3], image.shape[2] / x.shape[2]
    return step_w, step_h


def _boxes_meta(x: Meta, count: int) -> tuple[Meta, Meta]:
    meta = Meta((*x.shape[2:4], count, 4), x.dtype, 0)
    return meta, meta


def _infer_prior(x: Meta, image: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    for name, value in (("Input", x), ("Image", image)):
        check_rank(name, value, 4)
    ratios = _ratios(attrs["aspect_ratios"], attrs["flip"])
    return _boxes_meta(x, len(_prior_sizes(attrs["min_sizes"], attrs.get("max_sizes", ()), ratios, False)))


@op(inputs=("Input", "Image"), outputs=("Boxes", "Variances"), infer=_infer_prior, lod=None)
def prior_box(
    x: Tensor,
    image: Tensor,
    *,
    min_sizes: Sequence[float],
    max_sizes: Sequence[float] = (),
    aspect_ratios: Sequence[float] = (1.0,),
    variances: Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    flip: bool = True,
    clip: bool = True,
    step_w: float = 0.0,
    step_h: float = 0.0,
    offset: float = 0.5,
    min_max_aspect_ratios_order: bool = False,
) -> tuple[Tensor, Tensor]:
    """Boxes of some sizes and aspect ratios around the centre of every cell, [H, W, P, 4], and their variances."""
    sizes = _prior_sizes(min_sizes, max_sizes, _ratios(aspect_ratios, flip), min_max_aspect_ratios_order)
    step = _steps(x, image, step_w, step_h)
    centres = _cells(x, step, offset)
    boxes = _around(centres, torch.tensor(sizes, dtype=x.dtype, device=x.device))
    boxes = boxes / torch.tensor([image.shape[3], image.shape[2]] * 2, dtype=x.dtype, device=x.device)
    return _with_variances(boxes.clamp(0, 1) if clip else boxes, variances)


def _infer_density(x: Meta, image: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    for name, value in (("Input", x), ("Image", image)):
        check_rank(name, value, 4)
    count = len(attrs["fixed_ratios"]) * sum(d * d for d in attrs["densities"])
    if not attrs["flatten_to_2d"]:
        return _boxes_meta(x, count)
    return Meta((-1, 4), x.dtype, 0), Meta((-1, 4), x.dtype, 0)


@op(inputs=("Input", "Image"), outputs=("Boxes", "Variances"), infer=_infer_density, lod=None)
def density_prior_box(
    x: Tensor,
    image: Tensor,
    *,
    densities: Sequence[int] = (),
    fixed_sizes: Sequence[float] = (),
    fixed_ratios: Sequence[float] = (),
    variances: Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    clip: bool = True,
    flatten_to_2d: bool = False,
    step_w: float = 0.0,
    step_h: float = 0.0,
    offset: float = 0.5,
) -> tuple[Tensor, Tensor]:
    """Boxes of fixed sizes and ratios, densely spread over every cell, and their variances; always between 0 and 1."""
    step = _steps(x, image, step_w, step_h)
    average = int((step[0] + step[1]) * 0.5)
    shifts, sizes = [], []
    for size, density in zip(fixed_sizes, densities):
        shift = int(average / density)
        for ratio in fixed_ratios:
            for down in range(density):
                for right in range(density):
                    start = shift / 2.0 - average / 2.0
                    shifts.append((start + right * shift, start + down * shift))
                    sizes.append((size * math.sqrt(ratio), size / math.sqrt(ratio)))
    centres = _cells(x, step, offset) + torch.tensor(shifts, dtype=x.dtype, device=x.device)
    boxes = _around(centres, torch.tensor(sizes, dtype=x.dtype, device=x.device))
    boxes = boxes / torch.tensor([image.shape[3], image.shape[2]] * 2, dtype=x.dtype, device=x.device)
    boxes = torch.cat((boxes[..., :2].clamp(min=0), boxes[..., 2:].clamp(max=1)), -1)
    boxes = boxes.clamp(0, 1) if clip else boxes
    return _with_variances(boxes.reshape(-1, 4) if flatten_to_2d else boxes, variances)


def _infer_anchors(x: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    check_rank("Input", x, 4)
    return _boxes_meta(x, len(attrs["anchor_sizes"]) * len(attrs["aspect_ratios"]))


def _away_from_zero(value: float) -> float:
    return math.floor(value + 0.5)


@op(inputs=("Input",), outputs=("Anchors", "Variances"), infer=_infer_anchors, lod=None)
def anchor_generator(
    x: Tensor,
    *,
    anchor_sizes: Sequence[float],
    aspect_ratios: Sequence[float],
    variances: Sequence[float] = (0.1, 0.1, 0.2, 0.2),
    stride: Sequence[float],
    offset: float = 0.5,
) -> tuple[Tensor, Tensor]:
    """Boxes in pixels of some sizes and aspect ratios around the centre of every cell, and their variances."""
    sizes = []
    for ratio in aspect_ratios:
        width = _away_from_zero(math.sqrt(stride[0] * stride[1] / ratio))
        height = _away_from_zero(width * ratio)
        sizes += [(size / stride[0] * width, size / stride[1] * height) for size in anchor_sizes]
    shift = torch.tensor([offset * (stride[0] - 1), offset * (stride[1] - 1)], dtype=x.dtype, device=x.device)
    centres = _cells(x, (stride[0], stride[1]), 0.0) + shift
    return _with_variances(_around(centres, torch.tensor(sizes, dtype=x.dtype, device=x.device) - 1), variances)


# --- one set of boxes against another
def box_area(boxes: Tensor, normalized: bool) -> Tensor:
    """The area of each box; 0 of one that is inside out."""
    extra = 0 if normalized else 1
    width, height = boxes[..., 2] - boxes[..., 0], boxes[..., 3] - boxes[..., 1]
    return torch.where((width < 0) | (height < 0), 0.0, (width + extra) * (height + extra))


def overlaps(a: Tensor, b: Tensor, normalized: bool) -> Tensor:
    """Intersection over union of every box of a [N, 4] with every one of b [M, 4]."""
    extra = 0 if normalized else 1
    size = torch.minimum(a[:, None, 2:4], b[None, :, 2:4]) - torch.maximum(a[:, None, :2], b[None, :, :2])
    apart = (size < 0).any(-1)
    common = (size + extra).prod(-1)
    both = box_area(a, normalized)[:, None] + box_area(b, normalized)[None] - common
    return torch.where(apart, 0.0, common / both)


def _infer_similarity(x: Meta, y: Meta, **_: Any) -> Meta:
    for name, boxes in (("X", x), ("Y", y)):
        check_fits(name, boxes, (-1, 4))
    return Meta((x.shape[0], y.shape[0]), x.dtype, x.lod_level)


@op(inputs=("X", "Y"), infer=_infer_similarity)
def iou_similarity(x: Tensor, y: Tensor, *, box_normalized: bool = True) -> Tensor:
    """Intersection over union of every box of x with every one of y, [N, M]."""
    extra = 0 if box_normalized else 1
    size = torch.minimum(x[:, None, 2:], y[None, :, 2:]) - torch.maximum(x[:, None, :2], y[None, :, :2])
    common = (size + extra).clamp(min=0).prod(-1)
    areas = [(b[:, 2] - b[:, 0] + extra) * (b[:, 3] - b[:, 1] + extra) for b in (x, y)]
    return common / (areas[0][:, None] + areas[1][None] - common)


def _infer_coder(prior: Meta, variances: Meta | None, target: Meta, **attrs: Any) -> Meta:
    check_fits("PriorBox", prior, (-1, 4))
    check_fits("TargetBox", target, (-1, 4) if attrs["code_type"] == "encode_center_size" else (-1, -1, 4))
    if attrs["code_type"] == "encode_center_size":
        return Meta((target.shape[0], prior.shape[0], 4), prior.dtype, target.lod_level)
    return Meta(target.shape, prior.dtype, (prior if attrs["axis"] == 1 else target).lod_level)


def centre_size(boxes: Tensor, extra: int) -> tuple[Tensor, Tensor]:
    """Centres and sizes of boxes, [..., 2] each."""
    size = boxes[..., 2:] - boxes[..., :2] + extra
    return boxes[..., :2] + size / 2, size


@op(inputs=("PriorBox", "PriorBoxVar?", "TargetBox"), outputs=("OutputBox",), infer=_infer_coder, lod=("OutputBox",))
def box_coder(
    prior: Tensor,
    prior_var: Tensor | None,
    target: Tensor,
    *,
    code_type: str = "encode_center_size",
    box_normalized: bool = True,
    axis: int = 0,
    variance: Sequence[float] = (),
    prior_lod: LoD | None = None,
    target_lod: LoD | None = None,
) -> tuple[Tensor, LoD | None]:
    """Boxes as offsets from prior boxes, or the other way round.

    Encoding gives [N, M, 4] for N targets and M priors; decoding takes [N, M, 4], with the priors along `axis` 1 - axis.
    Where the priors are regions, one for each row (`axis=1`), the result has their LoD.
    """
    extra = 0 if box_normalized else 1
    scale = torch.tensor(list(variance), dtype=target.dtype, device=target.device) if variance else prior_var
    if code_type == "encode_center_size":
        centre, size = centre_size(prior, extra)
        target_size = (target[:, 2:] - target[:, :2] + extra)[:, None]
        target_centre = ((target[:, :2] + target[:, 2:]) / 2)[:, None]
        out = torch.cat(((target_centre - centre) / size, (target_size / size).abs().log()), -1)
        return (out if scale is None else out / scale), target_lod
    along = 0 if axis == 0 else 1
    prior = prior.unsqueeze(along)
    if scale is not None and scale.dim() == 2:
        scale = scale.unsqueeze(along)
    centre, size = centre_size(prior, extra)
    moved = target if scale is None else target * scale
    new_centre, new_size = moved[..., :2] * size + centre, moved[..., 2:].exp() * size
    return torch.cat((new_centre - new_size / 2, new_centre + new_size / 2 - extra), -1), prior_lod if axis == 1 else target_lod


@op(inputs=("Input", "ImInfo"), outputs=("Output",), infer=lambda x, info, **attrs: x)
def box_clip(x: Tensor, im_info: Tensor, *, x_lod: LoD | None = None) -> Tensor:
    """Boxes moved inside their image; `im_info` holds height, width and scale of each."""
    ids = sequence_ids(need_lod(x_lod, "Input", "box_clip")[-1]).to(x.device)
    # C++ rounds halves away from zero, and sizes are positive
    sizes = (im_info[:, :2] / im_info[:, 2:3] + 0.5).floor()
    limit = (sizes.flip(1) - 1).repeat(1, 2)[ids]
    flat = x.reshape(len(ids), -1, 4)
    return torch.minimum(flat.clamp(min=0), limit[:, None]).reshape(x.shape)


def _infer_assigned(prior: Meta, variances: Meta | None, target: Meta, score: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    return Meta(target.shape, target.dtype, target.lod_level), Meta(prior.shape, target.dtype, prior.lod_level)


@op(
    inputs=("PriorBox", "PriorBoxVar?", "TargetBox", "BoxScore"),
    outputs=("DecodeBox", "OutputAssignBox"),
    infer=_infer_assigned,
    lod=("DecodeBox", "OutputAssignBox"),
)
def box_decoder_and_assign(
    prior: Tensor,
    prior_var: Tensor | None,
    target: Tensor,
    score: Tensor,
    *,
    box_clip: float = 4.135,
    prior_lod: LoD | None = None,
    target_lod: LoD | None = None,
) -> tuple[Tensor, Tensor, LoD | None, LoD | None]:
    """The boxes of every class, decoded, and of each row the one of the likeliest class that is not the background.

    The former have the offsets' LoD, the latter the regions'.
    """
    centre, size = centre_size(prior[:, None], 1)
    moved = target.reshape(len(target), -1, 4)
    if prior_var is not None:
        moved = moved * prior_var
    new_centre, new_size = moved[..., :2] * size + centre, moved[..., 2:].clamp(max=box_clip).exp() * size
    decoded = torch.cat((new_centre - new_size / 2, new_centre + new_size / 2 - 1), -1)
    if decoded.shape[1] < 2:
        return decoded.reshape(target.shape), prior, target_lod, prior_lod
    best = score[:, 1:].argmax(1) + 1
    chosen = decoded[torch.arange(len(best), device=best.device), best]
    # as in the real one, a row without a score above -1 keeps its prior box
    there = score[:, 1:].amax(1, keepdim=True) > -1
    return decoded.reshape(target.shape), torch.where(there, chosen, prior), target_lod, prior_lod


@op(inputs=("Input",), outputs=("Output",), lod=None)
def polygon_box_transform(x: Tensor) -> Tensor:
    """From offsets to coordinates: four pixels a cell, even channels across, odd ones down."""
    across = torch.arange(x.shape[3], dtype=x.dtype, device=x.device) * 4
    down = torch.arange(x.shape[2], dtype=x.dtype, device=x.device)[:, None] * 4
    even = (torch.arange(x.shape[1], device=x.device) % 2 == 0)[:, None, None]
    return torch.where(even, across, down) - x

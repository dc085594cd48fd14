"""Object detection: proposals spread over the levels of a feature pyramid, and gathered from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import need_lod, offsets_of, sequence_ids

Tensor = torch.Tensor


def _levels_meta(rois: Meta, count: Meta | None = None, **attrs: Any) -> tuple[Any, Meta, Any]:
    levels = attrs["max_level"] - attrs["min_level"] + 1
    return [Meta((-1, 4), rois.dtype, rois.lod_level)] * levels, Meta((-1, 1), torch.int32, 0), [Meta((-1,), torch.int32, 0)] * levels


@op(
    inputs=("FpnRois", "RoisNum?@2"),
    outputs=("MultiFpnRois*", "RestoreIndex", "MultiLevelRoIsNum*?@2"),
    lod=("MultiFpnRois",),
    infer=_levels_meta,
)
def distribute_fpn_proposals(
    rois: Tensor,
    number: Tensor | None = None,
    *,
    min_level: int,
    max_level: int,
    refer_level: int,
    refer_scale: int,
    pixel_offset: bool = True,
    rois_lod: LoD | None = None,
) -> tuple[list[Tensor], Tensor, list[Tensor], list[LoD]]:
    """Every region to the level that fits its size, and where each one of `rois` then stands."""
    offsets = need_lod(rois_lod, "FpnRois", "distribute_fpn_proposals")[-1] if number is None else offsets_of(number)
    images = sequence_ids(offsets).to(rois.device)
    extra = 1 if pixel_offset else 0
    scale = (rois[:, 2:] - rois[:, :2] + extra).clamp(min=0).prod(1).sqrt()
    level = (torch.log2(scale / refer_scale + 1e-6) + refer_level).floor()
    # what is no number, or infinite, is of the lowest level, as where C++ makes an integer of it
    level = level.nan_to_num(min_level, min_level).clamp(min_level, max_level).long() - min_level
    order = torch.sort(level, stable=True).indices
    levels, size = max_level - min_level + 1, offsets.numel() - 1
    counts = torch.bincount(level * size + images, minlength=levels * size).reshape(levels, size)
    found = rois[order].split(counts.sum(1).tolist())
    place = torch.sort(order).indices.to(torch.int32)[:, None]
    lods = F.pad(counts.cumsum(1), (1, 0)).cpu()
    return list(found), place, list(counts.to(torch.int32).unbind()), [(lod,) for lod in lods.unbind()]


def _collected_meta(rois: Sequence[Meta], *rest: Any, **attrs: Any) -> tuple[Meta, Meta]:
    return Meta((attrs["post_nms_topN"], 4), rois[0].dtype, rois[0].lod_level), Meta((-1,), torch.int32, 0)


@op(
    inputs=("MultiLevelRois*", "MultiLevelScores*", "MultiLevelRoIsNum*?@2"),
    outputs=("FpnRois", "RoisNum?@2"),
    lod=("FpnRois",),
    infer=_collected_meta,
)
def collect_fpn_proposals(
    rois: Sequence[Tensor],
    scores: Sequence[Tensor],
    numbers: Sequence[Tensor] | None = None,
    *,
    post_nms_topN: int,
    rois_lod: Sequence[LoD | None] | None = None,
) -> tuple[Tensor, Tensor, LoD]:
    """The best regions of all levels, image by image."""
    if numbers:
        offsets = [offsets_of(n) for n in numbers]
    else:
        offsets = [need_lod(lod, "MultiLevelRois", "collect_fpn_proposals")[-1] for lod in rois_lod or ()]
    images = torch.cat([sequence_ids(o) for o in offsets]).to(rois[0].device)
    flat = torch.cat([s.flatten() for s in scores])
    best = torch.sort(flat, descending=True, stable=True).indices[:post_nms_topN]
    best = best[torch.sort(images[best], stable=True).indices]
    count = torch.bincount(images[best], minlength=offsets[0].numel() - 1)
    return torch.cat(list(rois))[best], count.to(torch.int32), (offsets_of(count),)

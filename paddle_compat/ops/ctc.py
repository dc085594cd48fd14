"""Connectionist temporal classification: its loss, its greedy decoding, and the edit distance that measures it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import in_rows, lengths, need_lod, offsets_of, padded_rows

Tensor = torch.Tensor


def _no_shape(*_: Any, **__: Any) -> Meta:
    return Meta((), torch.float32, 0)


def _own_gradient(
    logits: Tensor, label: Tensor, logits_length: Tensor | None, label_length: Tensor | None, loss: Tensor, **attrs: Any
) -> Tensor:
    """The gradient of the sum of the losses, [steps, sequences, classes], not divided by the steps."""
    with torch.enable_grad():
        x = logits.detach().requires_grad_()
        again = warpctc.fn(x, label, logits_length, label_length, **{**attrs, "norm_by_times": False})
        (found,) = torch.autograd.grad(again.sum(), x)
    if attrs.get("logits_lod") is None or logits_length is not None:
        return found
    rows, inside = padded_rows(attrs["logits_lod"][0])
    padded = found[rows.t().to(found.device)]
    return padded * inside.t().to(padded).reshape(*padded.shape[:2], 1)


@op(
    inputs=("Logits", "Label", "LogitsLength?", "LabelLength?"),
    outputs=("WarpCTCGrad~", "Loss"),
    grad=("Logits", "LogitsLength", "WarpCTCGrad", "Loss@GRAD"),
    no_grad=("Label", "LogitsLength", "LabelLength"),
    lod=None,
    infer=lambda x, *_, **__: Meta((-1, 1), x.dtype, 0),
    describe={"WarpCTCGrad": _no_shape},
    derive={"WarpCTCGrad": _own_gradient},
)
def warpctc(
    logits: Tensor,
    label: Tensor,
    logits_length: Tensor | None = None,
    label_length: Tensor | None = None,
    *,
    blank: int = 0,
    norm_by_times: bool = False,
    logits_lod: LoD | None = None,
    label_lod: LoD | None = None,
) -> Tensor:
    """The CTC loss of each sequence, [B, 1]: LoD sequences of logits and labels, or [T, B, C] and [B, L] with lengths.

    Where no path fits, the loss is 0. `norm_by_times` divides the gradient, not the loss, by the number of steps.
    """
    if logits_length is None or label_length is None:
        offsets = in_rows(need_lod(logits_lod, "Logits", "warpctc"))
        rows, _ = padded_rows(offsets)
        x = logits[rows.t().to(logits.device)]
        times, targets = lengths(offsets), label.reshape(-1)
        words = lengths(in_rows(need_lod(label_lod, "Label", "warpctc")))
    else:
        x, targets = logits, label
        times, words = logits_length.reshape(-1).long(), label_length.reshape(-1).long()
    loss = functional.ctc_loss(
        functional.log_softmax(x, 2), targets.long(), times, words, blank, reduction="none", zero_infinity=True
    )
    if norm_by_times:
        scaled = loss / times.to(loss.device).clamp(min=1)
        loss = loss.detach() + scaled - scaled.detach()
    return loss.unsqueeze(1)


def _distance_meta(hyps: Meta, refs: Meta, *_: Any, **__: Any) -> tuple[Meta, Meta]:
    return Meta((1,), torch.int64, 0), Meta(refs.shape, torch.float32, 0)


def _distances(said: npt.NDArray[Any], meant: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """For each beginning of what was said and of what was meant, [S + 1, M + 1, B]: how far they lie apart, less the ids of both.

    So counted a deletion or an insertion costs nothing, and to read on in both saves 2 or, where the ids differ, 1.
    """
    saved = (said.T[:, None] != meant.T).astype(np.int32) - 2
    table = np.zeros((said.shape[1] + 1, meant.shape[1] + 1, len(meant)), np.int32)
    for save, before, row in zip(saved, table, table[1:]):
        inner = row[1:]
        np.add(before[:-1], save, out=inner)
        np.minimum(inner, before[1:], out=inner)
        np.minimum.accumulate(row, out=row)
    return table


@op(
    inputs=("Hyps", "Refs", "HypsLength?", "RefsLength?"),
    outputs=("SequenceNum", "Out"),
    lod=None,
    infer=_distance_meta,
)
def edit_distance(
    hyps: Tensor,
    refs: Tensor,
    hyps_length: Tensor | None = None,
    refs_length: Tensor | None = None,
    *,
    normalized: bool = False,
    hyps_lod: LoD | None = None,
    refs_lod: LoD | None = None,
) -> tuple[Tensor, Tensor]:
    """How many insertions, deletions and replacements lie between each pair, [B, 1]; `normalized` per reference id."""
    sides = []
    for x, length, lod, name in ((hyps, hyps_length, hyps_lod, "Hyps"), (refs, refs_length, refs_lod, "Refs")):
        if length is None:
            offsets = need_lod(lod, name, "edit_distance")[0]
            sides.append((x.reshape(-1)[padded_rows(offsets)[0].to(x.device)], lengths(offsets).to(x.device)))
        else:
            sides.append((x.reshape(length.numel(), -1), length.reshape(-1).long()))
    (said, said_count), (meant, meant_count) = sides
    if normalized and bool((meant_count == 0).any()):
        raise invalid_argument("Refs", "references that are not empty, to normalize by", 0, "edit_distance")
    table = _distances(said.cpu().numpy(), meant.cpu().numpy())
    found = table[said_count.cpu().numpy(), meant_count.cpu().numpy(), np.arange(len(said))]
    last = torch.from_numpy(found).to(hyps.device).float() + said_count + meant_count
    if normalized:
        last = last / meant_count
    return torch.tensor([last.numel()], device=hyps.device), last.unsqueeze(1)


def _align_meta(x: Meta, length: Meta | None = None, **_: Any) -> tuple[Meta, Meta | None]:
    return Meta(x.shape, x.dtype, 0), None if length is None else Meta((x.shape[0], 1), x.dtype, 0)


@op(
    inputs=("Input", "InputLength?"),
    outputs=("Output", "OutputLength?"),
    lod=("Output",),
    infer=_align_meta,
)
def ctc_align(
    input: Tensor,
    input_length: Tensor | None = None,
    *,
    blank: int = 0,
    merge_repeated: bool = True,
    padding_value: int = 0,
    input_lod: LoD | None = None,
) -> tuple[Tensor, Tensor | None, LoD | None]:
    """Sequences of ids without blanks and (if `merge_repeated`) without repetitions; an empty batch gives one -1."""
    if input_length is None:
        offsets = in_rows(need_lod(input_lod, "Input", "ctc_align"))
        flat = input.reshape(-1)
        first = torch.zeros_like(flat, dtype=torch.bool)
        first[offsets[:-1][offsets[:-1] < flat.numel()].to(flat.device)] = True
        repeated = torch.cat([flat.new_zeros(1, dtype=torch.bool), flat[1:] == flat[:-1]])[: flat.numel()] & ~first
        kept = (flat != blank) & ~(repeated if merge_repeated else torch.zeros_like(first))
        lod = (offsets_of(kept)[offsets],)
        out = flat[kept].unsqueeze(1)
        return out if out.numel() else out.new_full((1, 1), -1), None, lod
    there = torch.arange(input.shape[1], device=input.device) < input_length.reshape(-1, 1)
    kept = (input != blank) & there
    if merge_repeated:
        kept[:, 1:] &= input[:, 1:] != input[:, :-1]
    count = kept.sum(1, keepdim=True)
    # a stable sort of "is dropped" moves what is kept to the front
    front = input.gather(1, torch.argsort((~kept).to(torch.uint8), dim=1, stable=True))
    left = torch.arange(input.shape[1], device=input.device) < count
    return torch.where(left, front, padding_value), count.to(input.dtype), None

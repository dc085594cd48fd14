"""Linear-chain conditional random fields, and the evaluation of chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._chains import forward_shares, likeliest, split, total
from paddle_compat.ops._checks import check_same_shape
from paddle_compat.ops._lod import need_lod, padded_rows, sequence_ids

Tensor = torch.Tensor


def _side_by_side(
    x: Tensor, lod: LoD | None, length: Tensor | None, operator: str
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Sequences as [B, T, ...], which steps are there, and (for LoD input) the row of each step."""
    if length is None:
        rows, there = padded_rows(need_lod(lod, "Emission", operator)[0])
        rows = rows.to(x.device)
        return x[rows], there.to(x.device), rows
    return x, torch.arange(x.shape[1], device=x.device) < length.reshape(-1, 1), None


def _crf_meta(x: Meta, transition: Meta, *_: Any, **__: Any) -> Meta:
    return Meta((x.shape[0] if len(x.shape) == 3 else -1, 1), x.dtype, 0)


def _no_lod(x: Meta, *_: Any, **__: Any) -> Meta:
    return Meta(x.shape, x.dtype, 0)


def _alpha(
    emission: Tensor, transition: Tensor, label: Tensor, length: Tensor | None, out: Tensor, *, emission_lod: LoD | None = None
) -> Tensor:
    """How likely each tag is at each step, given the steps up to it alone."""
    x, there, _ = _side_by_side(emission, emission_lod, length, "linear_chain_crf")
    if not x.numel():
        return torch.empty_like(emission)
    shares = forward_shares(torch.where(there.unsqueeze(2), x, 0), transition)[0].transpose(0, 1)
    return shares[there] if length is None else torch.where(there.unsqueeze(2), shares, 0)


@op(
    inputs=("Emission", "Transition", "Label", "Length?"),
    outputs=("Alpha~", "EmissionExps~", "TransitionExps~", "LogLikelihood"),
    grad=(
        "Emission", "Transition", "Label", "Length", "Alpha", "EmissionExps", "TransitionExps", "LogLikelihood@GRAD",
    ),
    no_grad=("Label", "Length"),
    lod=None,
    infer=_crf_meta,
    derive={
        "Alpha": _alpha,
        "EmissionExps": lambda x, *rest, **lods: (x - x.amax(-1, keepdim=True)).exp(),
        "TransitionExps": lambda x, transition, *rest, **lods: transition.exp(),
    },
    describe={
        "Alpha": _no_lod,
        "EmissionExps": _no_lod,
        "TransitionExps": lambda x, transition, *_, **__: Meta(transition.shape, transition.dtype, 0),
    },
)  # fmt: skip
def linear_chain_crf(
    emission: Tensor,
    transition: Tensor,
    label: Tensor,
    length: Tensor | None = None,
    *,
    emission_lod: LoD | None = None,
) -> Tensor:
    """The negative log-likelihood of each sequence's tags, [B, 1] (Paddle's name for it notwithstanding)."""
    x, there, rows = _side_by_side(emission, emission_lod, length, "linear_chain_crf")
    tags = label.reshape(-1).long()
    tags = tags[rows] if rows is not None else tags.view(x.shape[:2])
    start, end, step = split(transition)
    count = there.sum(1)
    filled = count > 0
    if x.shape[1] == 0:
        return emission.new_zeros(x.shape[0], 1) + 0 * transition.sum()
    emitted = torch.where(there, x.gather(2, tags.unsqueeze(2)).squeeze(2), 0).sum(1)
    moved = torch.where(there[:, 1:], step[tags[:, :-1], tags[:, 1:]], 0).sum(1)
    final = tags.gather(1, (count - 1).clamp(min=0).unsqueeze(1)).squeeze(1)
    score = start[tags[:, 0]] + emitted + moved + end[final]
    return torch.where(filled, total(x, transition, there) - score, 0).unsqueeze(1)


def _path_meta(x: Meta, *_: Any, **__: Any) -> Meta:
    flat = len(x.shape) == 2
    return Meta((x.shape[0], 1) if flat else x.shape[:2], torch.int64, x.lod_level)


@op(inputs=("Emission", "Transition", "Label?", "Length?"), outputs=("ViterbiPath",), infer=_path_meta)
def crf_decoding(
    emission: Tensor,
    transition: Tensor,
    label: Tensor | None = None,
    length: Tensor | None = None,
    *,
    emission_lod: LoD | None = None,
) -> Tensor:
    """The likeliest tags of each sequence; with labels 1 where the tag is right and 0 where it is not."""
    x, there, rows = _side_by_side(emission, emission_lod, length, "crf_decoding")
    start, end, step = split(transition)
    tags = likeliest(x, start, step, end, there.sum(1))[1] if x.shape[1] else torch.zeros_like(there, dtype=torch.int64)
    if rows is not None:
        tags = tags[there].unsqueeze(1)
        return tags if label is None else (tags == label.reshape(-1, 1)).long()
    return tags if label is None else ((tags == label.reshape(tags.shape)) & there).long()


# ---- chunks
# The roles that the tags of each scheme stand for: Begin, Inside, End, Single; "-" is none of them.
SCHEMES = {"IOB": "BI", "IOE": "IE", "IOBES": "BIES", "plain": "-"}


def _chunks(tags: Tensor, first: Tensor, scheme: str, types: int) -> tuple[Tensor, Tensor]:
    """For each row: the last row of the chunk that begins there (-1: none begins), and the chunk type.

    Args:
        tags: type * (number of roles) + role, or the one number beyond for "no chunk".
        first: whether the row is the first of its sequence.
    """
    roles = SCHEMES[scheme]
    kind = torch.div(tags, len(roles), rounding_mode="floor")
    outside = kind >= types

    def role(letters: str) -> Tensor:
        hit = torch.tensor([r in letters for r in roles])
        return hit[tags % len(roles)] & ~outside

    def former(flags: Tensor) -> Tensor:
        return torch.cat([flags.new_zeros(1), flags[:-1]])

    # every row that is not outside belongs to a chunk; it begins one unless it continues the row before
    broken = first | former(outside) | (kind != former(kind)) | role("BS") | former(role("ES"))
    begins = ~outside & broken
    edge = begins | outside | first
    ends = ~outside & torch.cat([edge[1:], edge.new_ones(1)])
    last = torch.full_like(tags, -1)
    last[begins] = ends.nonzero().squeeze(1)
    return last, kind


def _chunk_meta(inference: Meta, label: Meta, *_: Any, **__: Any) -> tuple[Meta, ...]:
    check_same_shape("Inference", [inference, label])
    return (*[Meta((1,), torch.float32, 0)] * 3, *[Meta((1,), torch.int64, 0)] * 3)


@op(
    inputs=("Inference", "Label", "SeqLength?"),
    outputs=("Precision", "Recall", "F1-Score", "NumInferChunks", "NumLabelChunks", "NumCorrectChunks"),
    lod=None,
    infer=_chunk_meta,
)
def chunk_eval(
    inference: Tensor,
    label: Tensor,
    seq_length: Tensor | None = None,
    *,
    num_chunk_types: int,
    chunk_scheme: str = "IOB",
    excluded_chunk_types: Sequence[int] = (),
    label_lod: LoD | None = None,
) -> tuple[Tensor, ...]:
    """Precision, recall and F1 of the chunks that tags of a scheme describe, and how many there are."""
    if chunk_scheme not in SCHEMES:
        raise invalid_argument("chunk_scheme", " or ".join(SCHEMES), chunk_scheme, "chunk_eval")
    found, meant = (t.detach().cpu().long() for t in (inference, label))
    if seq_length is None:
        ids = sequence_ids(need_lod(label_lod, "Label", "chunk_eval")[0])
        found, meant = found.reshape(-1), meant.reshape(-1)
    else:
        found, meant = (t.reshape(seq_length.numel(), -1) for t in (found, meant))
        there = torch.arange(meant.shape[1]) < seq_length.reshape(-1, 1).cpu()
        ids = there.nonzero()[:, 0]
        found, meant = found[there], meant[there]
    first = torch.cat([torch.ones(1, dtype=torch.bool), ids[1:] != ids[:-1]])[: ids.numel()]
    sides = []
    for tags in (found, meant):
        last, kind = _chunks(tags, first, chunk_scheme, num_chunk_types)
        last[torch.isin(kind, torch.tensor(list(excluded_chunk_types), dtype=torch.int64))] = -1
        sides.append((last, kind))
    (last, kind), (true_last, true_kind) = sides
    right = (last >= 0) & (last == true_last) & (kind == true_kind)
    counts = [int((last >= 0).sum()), int((true_last >= 0).sum()), int(right.sum())]
    precision = counts[2] / counts[0] if counts[0] else 0.0
    recall = counts[2] / counts[1] if counts[1] else 0.0
    f1 = 2 * precision * recall / (precision + recall) if counts[2] else 0.0
    device = label.device
    return (
        *(torch.tensor([v], dtype=torch.float32, device=device) for v in (precision, recall, f1)),
        *(torch.tensor([v], device=device) for v in counts),
    )


def _decoded_meta(x: Meta, transition: Meta, length: Meta, **_: Any) -> tuple[Meta, Meta]:
    return Meta((length.shape[0],), length.dtype, 0), Meta((), torch.int64, 0)  # as the real one infers them, which is not what comes out


@op(inputs=("Input", "Transition", "Length"), outputs=("Scores", "Path"), infer=_decoded_meta, lod=None)
def viterbi_decode(
    x: Tensor, transition: Tensor, length: Tensor, *, include_bos_eos_tag: bool = True
) -> tuple[Tensor, Tensor]:
    """The best path of tags through each sequence [B, T, tags], and its score; 0 behind its end.

    With `include_bos_eos_tag` the last tag is the one before the beginning, and the last but one that behind the end.
    """
    if transition.dtype != x.dtype:
        raise invalid_argument("transition_params", f"the data type of potentials, {x.dtype}", transition.dtype, "viterbi_decode")
    steps = int(length.max()) if len(length) else 0
    none = transition.new_zeros(transition.shape[1])
    start, end = (transition[-1], transition[-2]) if include_bos_eos_tag else (none, none)
    scores, path = likeliest(x, start, transition, end, length)
    return scores, path[:, :steps]

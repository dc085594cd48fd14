"""Beam search: choosing the best continuations of each sentence, and reading the sentences off afterwards."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._checks import check_same_shape
from paddle_compat.ops._lod import need_lod, offsets_of, sequence_ids

Tensor = torch.Tensor
ArrayItem = tuple[Tensor, LoD | None]


def _beam_meta(*_: Any, **__: Any) -> tuple[Meta, Meta, Meta]:
    return Meta((-1, 1), torch.int64, 0), Meta((-1, 1), torch.float32, 0), Meta((-1,), torch.int32, 0)


@op(
    inputs=("pre_ids", "pre_scores", "ids?", "scores"),
    outputs=("selected_ids", "selected_scores", "parent_idx?"),
    lod=("selected_ids", "selected_scores"),
    infer=_beam_meta,
)
def beam_search(
    pre_ids: Tensor,
    pre_scores: Tensor,
    ids: Tensor | None,
    scores: Tensor,
    *,
    beam_size: int,
    end_id: int,
    level: int = 0,
    is_accumulated: bool = True,
    scores_lod: LoD | None = None,
) -> tuple[Tensor, Tensor, Tensor, LoD, LoD]:
    """The best `beam_size` continuations over all prefixes of each sentence, grouped by prefix.

    A prefix that has ended competes as itself. A sentence of which only ended prefixes are left is dropped.
    Of equal scores the later prefix wins, and within a prefix the earlier candidate.
    """
    lod = need_lod(scores_lod, "scores", "beam_search", 2)
    sentences = lod[level] if level else lod[1][lod[0]]
    device = scores.device
    rows, width = scores.shape
    ended = pre_ids.reshape(-1, 1) == end_id
    chosen = ids if ids is not None else torch.arange(width, device=device).expand(rows, width)
    total = scores if is_accumulated else pre_scores.reshape(-1, 1) + scores.log()
    first = torch.arange(width, device=device) == 0
    total = torch.where(ended, torch.where(first, pre_scores.reshape(-1, 1), float("-inf")), total)
    chosen = torch.where(ended, end_id, chosen)

    # one stable sort after the other, the most important key last
    prefix = torch.arange(rows, device=device).repeat_interleave(width)
    order = torch.argsort(prefix, descending=True, stable=True)
    order = order[torch.argsort(total.reshape(-1)[order], descending=True, stable=True)]
    sentence = sequence_ids(sentences).to(device)[prefix]
    order = order[torch.argsort(sentence[order], stable=True)]
    real = ~(ended & ~first).reshape(-1)
    order = order[real[order]]
    # rank within the sentence
    owner = sentence[order]
    counts = torch.bincount(owner, minlength=sentences.numel() - 1)
    start = torch.cumsum(counts, 0) - counts
    picked = order[torch.arange(order.numel(), device=device) - start[owner] < beam_size]
    alive = torch.zeros(sentences.numel() - 1, dtype=torch.bool, device=device)
    alive[sentence[picked[~ended.reshape(-1)[prefix[picked]]]]] = True
    picked = picked[alive[sentence[picked]]]
    picked = picked[torch.argsort(prefix[picked], stable=True)]
    parents = prefix[picked]
    made = (sentences, offsets_of(torch.bincount(parents, minlength=rows)))
    return (
        chosen.reshape(-1)[picked].unsqueeze(1),
        total.reshape(-1)[picked].unsqueeze(1),
        parents.to(torch.int32),
        made,
        made,
    )


def _infer_gather_tree(ids: Meta, parents: Meta) -> Meta:
    check_same_shape("parents", [ids, parents])
    return ids


@op(inputs=("Ids", "Parents"), infer=_infer_gather_tree, lod=None)
def gather_tree(ids: Tensor, parents: Tensor) -> Tensor:
    """Whole sequences [T, B, K] from the ids chosen at each step and the beams that they continue."""
    check_same_shape("parents", [ids, parents])
    out = [ids[-1]]
    beam = parents[-1].long()
    for t in range(ids.shape[0] - 2, -1, -1):
        out.append(ids[t].gather(1, beam))
        beam = parents[t].long().gather(1, beam)
    return torch.stack(out[::-1])


def _sentences_meta(*_: Any, **__: Any) -> tuple[Meta, Meta]:
    return Meta((), torch.int64, 0), Meta((), torch.float32, 0)


@op(
    inputs=("Ids", "Scores"),
    outputs=("SentenceIds", "SentenceScores"),
    lod=("SentenceIds", "SentenceScores"),
    infer=_sentences_meta,
)
def beam_search_decode(
    ids: list[ArrayItem], scores: list[ArrayItem], *, beam_size: int, end_id: int
) -> tuple[Tensor, Tensor, LoD, LoD]:
    """The sentences that end in the last step that each source has, best first; an end id counts as their last word only."""
    steps = [
        (i.reshape(-1), s.reshape(-1), need_lod(lod, "Ids", "beam_search_decode", 2))
        for (i, lod), (s, _) in zip(ids, scores)
    ]
    device = steps[0][0].device
    sources = steps[0][2][0].numel() - 1
    # of all sentences found so far: their source, their row in the step at hand, and their ids and scores from the back
    owner = row = torch.zeros(0, dtype=torch.int64)
    columns: list[tuple[Tensor, Tensor, Tensor]] = []
    for step_ids, step_scores, (outer, inner) in reversed(steps):
        known = torch.zeros(sources, dtype=torch.bool)
        known[owner] = True
        rows = torch.arange(step_ids.numel())
        prefix = torch.searchsorted(inner, rows, right=True) - 1
        source = torch.searchsorted(outer, prefix, right=True) - 1
        new = rows[~known[source]]
        row, owner = torch.cat([row, new]), torch.cat([owner, source[new]])
        value, score = step_ids.cpu()[row], step_scores.cpu()[row]
        columns.append((value, score, value == end_id))
        row = prefix[row]
    count = owner.numel()

    def table(position: int) -> Tensor:
        parts = [column[position] for column in columns[::-1]]
        return torch.stack([torch.cat([p, p.new_zeros(count - p.numel())]) for p in parts], 1)

    # sentences that ended earlier are not in the last columns; an end id counts where it is the last word only
    began = torch.stack([torch.arange(count) < c[0].numel() for c in columns[::-1]], 1)
    ended = table(2) & began
    last = began.sum(1) - 1
    there = began & (~ended | (torch.arange(began.shape[1]) == last[:, None]))
    final = table(1)[torch.arange(count), last]
    order = torch.argsort(final, descending=True, stable=True)
    order = order[torch.argsort(owner[order], stable=True)]
    kept = there[order]
    lod = (offsets_of(torch.bincount(owner, minlength=sources)), offsets_of(kept.sum(1)))
    return table(0)[order][kept].to(device), table(1)[order][kept].to(device), lod, lod

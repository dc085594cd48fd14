"""Beam search: choosing the best continuations of each sentence, and reading the sentences off afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._checks import check_same_shape
from paddle_compat.ops._lod import need_lod, offsets_of

Tensor = torch.Tensor
Array = npt.NDArray[Any]
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
    totals = scores if is_accumulated else pre_scores.reshape(-1, 1) + scores.log()
    # by NumPy, where the LoD is: one call sorts by all keys, and each costs less than torch's
    total, before = totals.detach().cpu().numpy(), pre_scores.detach().cpu().numpy().reshape(-1)
    rows, width = total.shape
    chosen = np.broadcast_to(np.arange(width), total.shape) if ids is None else ids.cpu().numpy()
    ended = pre_ids.cpu().numpy().reshape(-1) == end_id
    if ended.any():
        total, chosen = total.copy(), chosen.copy()
        total[ended, 0], chosen[ended] = before[ended], end_id
    offsets = sentences.numpy()
    count = len(offsets) - 1
    sentence_of = np.repeat(np.arange(count), np.diff(offsets))  # of each prefix

    # the last candidates first, as what comes first in the end is the greatest, and of equal ones the earlier
    real = np.flatnonzero((~ended[:, None] | (np.arange(width) == 0)).reshape(-1))[::-1]
    prefix = real // width
    order = real[np.lexsort((prefix, total.reshape(-1)[real], -sentence_of[prefix]))][::-1]
    owner = sentence_of[order // width]
    sizes = np.bincount(owner, minlength=count)
    ranks = np.arange(len(order)) - (np.cumsum(sizes) - sizes)[owner]
    picked = order[ranks < beam_size]
    going = picked[~ended[picked // width]]
    alive = np.bincount(sentence_of[going // width], minlength=count) > 0
    picked = picked[alive[sentence_of[picked // width]]]
    picked = picked[np.argsort(picked // width, kind="stable")]
    parents = picked // width
    made = (sentences, offsets_of(torch.from_numpy(np.bincount(parents, minlength=rows))))
    return (
        torch.from_numpy(chosen.reshape(-1)[picked]).unsqueeze(1).to(scores.device),
        torch.from_numpy(total.reshape(-1)[picked]).unsqueeze(1).to(scores.device),
        torch.from_numpy(parents.astype(np.int32)).to(scores.device),
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
    steps, sentences, width = ids.shape
    origins = parents[1:].long()
    if parents.is_cpu and origins.numel() and not 0 <= int(origins.min()) <= int(origins.max()) < width:
        raise invalid_argument("parents", f"numbers of beams, below {width}", origins.tolist(), "gather_tree")
    # all beams of a step in one row, so that a step takes one call
    starts = torch.arange(0, sentences * width, width, device=ids.device)[:, None]
    place = torch.arange(sentences * width, device=ids.device)
    places = [place]
    for origin in reversed((origins + starts).reshape(len(origins), sentences * width).unbind()):
        place = origin.index_select(0, place)
        places.append(place)
    return ids.reshape(steps, sentences * width).gather(1, torch.stack(places[::-1])).reshape(ids.shape)


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
        (i.cpu().numpy().reshape(-1), s.detach().cpu().numpy().reshape(-1), need_lod(lod, "Ids", "beam_search_decode", 2))
        for (i, lod), (s, _) in zip(ids, scores)
    ]
    device = ids[0][0].device
    sources = steps[0][2][0].numel() - 1
    # of all sentences found so far: their source, their row in the step at hand, and their ids and scores from the back
    owner = row = np.zeros(0, np.int64)
    columns: list[tuple[Array, Array]] = []
    for step_ids, step_scores, (outer, inner) in reversed(steps):
        known = np.zeros(sources, np.bool_)
        known[owner] = True
        rows = np.arange(len(step_ids))
        prefix = inner.numpy().searchsorted(rows, "right") - 1
        source = outer.numpy().searchsorted(prefix, "right") - 1
        new = rows[~known[source]]
        row, owner = np.concatenate([row, new]), np.concatenate([owner, source[new]])
        columns.append((step_ids[row], step_scores[row]))
        row = prefix[row]
    # sentences that ended earlier are not in the last columns; an end id counts where it is the last word only
    began = np.arange(len(owner))[:, None] < [len(values) for values, _ in columns[::-1]]
    words, points = (np.zeros(began.shape, each.dtype) for each in columns[0])
    for position, (values, marks) in enumerate(columns[::-1]):
        words[: len(values), position], points[: len(marks), position] = values, marks
    last = began.sum(1) - 1
    there = began & ((words != end_id) | (np.arange(len(columns)) == last[:, None]))
    final = points[np.arange(len(owner)), last]
    order = len(owner) - 1 - np.lexsort((final[::-1], -owner[::-1]))[::-1]  # the best first, and of equal ones the earlier
    kept = there[order]
    counts = np.bincount(owner, minlength=sources), kept.sum(1)
    lod = offsets_of(torch.from_numpy(counts[0])), offsets_of(torch.from_numpy(counts[1]))
    return torch.from_numpy(words[order][kept]).to(device), torch.from_numpy(points[order][kept]).to(device), lod, lod

"""Noise contrastive estimation: each sample's true classes against some that are drawn by chance."""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from paddle_compat.core import distributions
from paddle_compat.core.distributions import Array
from paddle_compat.core.engines import MT19937_64, Words
from paddle_compat.core.op import Meta, op
from paddle_compat.core.random import EngineName

Tensor = torch.Tensor

UNIFORM, LOG_UNIFORM, CUSTOM = range(3)


def alias_table(chances: Any, classes: int) -> list[Any]:
    """Walker's tables for drawing by weight: the chances, each class's alias (-1: none), and when not to take that."""
    given = [float(chance) for chance in chances]
    left = [given[i] * classes for i in range(classes)]
    aliases, kept = [-1] * classes, [1.0] * classes
    high = [(i, share) for i, share in enumerate(left) if share > 1.0]
    low = [(i, share) for i, share in enumerate(left) if share < 1.0]
    while high and low:
        giver, more = high.pop(0)
        needy, less = low.pop(0)
        aliases[needy], kept[needy] = giver, less
        rest = more + less - 1
        if rest > 1.0:
            high.append((giver, rest))
        elif rest < 1.0:
            low.append((giver, rest))
    return [np.array(given, np.float32), np.array(aliases, np.int32), np.array(kept, np.float32)]


def _custom(count: int, seed: int, engine: str, aliases: Array, chances: Array) -> Array:
    """Classes by Walker's method: an even choice, which gives way to its alias with a chance of its own.

    One word decides about the choice. The chance takes one word of 2.x's wide engine and two of 1.8's narrow one.
    """
    if engine == "minstd":
        narrow = np.random.RandomState(seed)

        def take(count: int) -> Words:
            return narrow.randint(0, 1 << 32, count, np.uint32).astype(np.uint64)

        largest, each = (1 << 32) - 1, 3
    else:
        take, largest, each = MT19937_64(seed).take, (1 << 64) - 1, 2
    scale = largest // chances.size
    words = take(count * each)
    # a word too high for an even choice is skipped, and all later ones move up
    while (skipped := np.flatnonzero(words[::each] >= np.uint64(chances.size * scale))).size:
        words = np.append(np.delete(words, skipped[0] * each), take(1))
    words = words.reshape(count, each)
    chosen = (words[:, 0] // np.uint64(scale)).astype(np.int64)
    share = words[:, -1].astype(np.float64)
    if each == 3:
        share = (words[:, 1] + share * 2.0**32) / 2.0**64
    else:
        share /= 2.0**64
    alias = aliases[chosen]
    return np.where((share > chances[chosen]) & (alias >= 0), alias, chosen)


def _drawn(
    count: int, classes: int, sampler: int, seed: int, engine: str, aliases: Tensor | None, chances: Tensor | None
) -> Array:
    """Classes drawn on the CPU, as the real operator does; a seed of 0 makes them differ from run to run."""
    seed = seed % 2**32 or secrets.randbits(32)
    if sampler == CUSTOM:
        assert aliases is not None and chances is not None
        return _custom(count, seed, engine, aliases.cpu().numpy(), chances.detach().cpu().numpy())
    if sampler == UNIFORM:
        return distributions.integers(MT19937_64(seed), count, 0, classes)
    share = distributions.canonical(MT19937_64(seed), count, np.float64)
    return (np.exp(share * np.float32(math.log(classes))).astype(np.int64) - 1) % (classes - 1)


def _infer(
    x: Meta, label: Meta, *rest: Any, num_neg_samples: int, custom_neg_classes: Sequence[int] = (), **attrs: Any
) -> tuple[Meta, Meta, Meta]:
    true = label.shape[1] if len(label.shape) == 2 else 1
    shape = (x.shape[0], true + num_neg_samples if true >= 0 else -1)
    return Meta((x.shape[0], 1), x.dtype), Meta(shape, x.dtype), Meta(shape, torch.int64)


@op(
    inputs=(
        "Input", "Label", "Weight", "Bias?", "SampleWeight?", "CustomDistProbs?", "CustomDistAlias?",
        "CustomDistAliasProbs?",
    ),
    outputs=("Cost", "SampleLogits", "SampleLabels"),
    grad=(
        "Input", "Label", "Bias", "SampleLogits", "SampleLabels", "Weight", "SampleWeight", "CustomDistProbs",
        "CustomDistAlias", "CustomDistAliasProbs",
    ),
    no_grad=("Label", "SampleWeight", "CustomDistProbs", "CustomDistAlias", "CustomDistAliasProbs"),
    infer=_infer,
    lod=None,
    random=True,
)  # fmt: skip
def nce(
    x: Tensor,
    label: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    sample_weight: Tensor | None = None,
    probabilities: Tensor | None = None,
    aliases: Tensor | None = None,
    alias_chances: Tensor | None = None,
    *,
    num_total_classes: int,
    num_neg_samples: int = 10,
    sampler: int = UNIFORM,
    seed: int = 0,
    is_sparse: bool = False,
    is_test: bool = False,
    remote_prefetch: bool = False,
    custom_neg_classes: Sequence[int] = (),
    trainer_id: int = 0,
    height_sections: Sequence[int] = (),
    epmap: Sequence[str] = (),
    table_names: Sequence[str] = (),
    _engine: EngineName = "mt19937_64",
) -> tuple[Tensor, Tensor, Tensor]:
    """The cost of telling the true classes from the drawn ones (N, 1); the scores and the classes they belong to."""
    label = label.reshape(x.shape[0], -1)
    rows, true = label.shape
    if custom_neg_classes:
        noise = torch.tensor(list(custom_neg_classes), device=label.device).expand(rows, -1)
    else:
        drawn = _drawn(rows * num_neg_samples, num_total_classes, sampler, seed, _engine, aliases, alias_chances)
        noise = torch.from_numpy(drawn).to(label.device).view(rows, num_neg_samples)
    classes = torch.cat((label, noise), 1)
    score = (F.embedding(classes, weight, sparse=is_sparse) * x.unsqueeze(1)).sum(-1)
    if bias is not None:
        score = score + F.embedding(classes, bias if bias.dim() == 2 else bias.reshape(-1, 1), sparse=is_sparse).squeeze(-1)
    score = score.sigmoid()
    if sampler == CUSTOM:
        assert probabilities is not None
        chance = probabilities.detach()[classes]
    elif sampler == LOG_UNIFORM:
        chance = (((classes + 2.0) / (classes + 1.0)).log() / math.log(num_total_classes)).to(score.dtype)
    else:
        chance = torch.full_like(score, 1.0 / num_total_classes)
    expected = chance * num_neg_samples
    total = score + expected
    share = torch.cat((score[:, :true], expected[:, true:]), 1) / total
    cost = -share.log().sum(1, keepdim=True)
    if sample_weight is not None:
        cost = cost * sample_weight.reshape(rows, 1)
    return cost, score.detach(), classes

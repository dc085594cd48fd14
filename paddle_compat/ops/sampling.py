"""Softmax over a few drawn classes of very many."""

from __future__ import annotations

import math
import secrets
from typing import Any

import numpy as np
import torch

from paddle_compat.core import distributions
from paddle_compat.core.engines import MT19937_64
from paddle_compat.core.op import Meta, op
from paddle_compat.core.rings import ring_of
from paddle_compat.ops._lod import no_value
from paddle_compat.ops._ranks import SUM, check_ranks, reduced, start_of

Tensor = torch.Tensor


def _sampled_meta(logits: Meta, labels: Meta, *rest: Any, num_samples: int, **attrs: Any) -> tuple[Meta, ...]:
    true = labels.shape[1]
    wide = (logits.shape[0], true + num_samples)
    score = Meta(wide, logits.dtype, 0)
    return Meta(wide, torch.int64, 0), score, score, Meta((logits.shape[0], true), torch.int64, 0)


def _unique(classes: int, count: int, seed: int) -> tuple[list[int], int]:
    """Different classes, small ones likelier, and how many it took to find them."""
    engine = MT19937_64(seed or secrets.randbits(31))
    spread = np.float32(math.log(classes + 1))
    found: list[int] = []
    seen: set[int] = set()
    tries = 0
    while len(found) < count:
        share = distributions.canonical(engine, 1, np.float64)[0]
        value = (int(np.exp(share * spread)) - 1) % classes
        tries += 1
        if value not in seen:
            seen.add(value)
            found.append(value)
    return found, tries


@op(
    inputs=("Logits", "Labels", "CustomizedSamples?", "CustomizedProbabilities?"),
    outputs=("Samples", "Probabilities", "LogitsDim~", "LabelsDim~", "SampledLogits", "SampledLabels"),
    grad=("LogitsDim", "LabelsDim", "Samples", "SampledLogits@GRAD"),
    no_grad=("Labels", "CustomizedSamples", "CustomizedProbabilities"),
    infer=_sampled_meta,
    describe={
        "LogitsDim": lambda logits, *rest, **attrs: Meta((*logits.shape, 0), logits.dtype, 0),
        "LabelsDim": lambda logits, labels, *rest, **attrs: Meta((*labels.shape, 0), torch.int64, 0),
    },
    derive={"LogitsDim": no_value, "LabelsDim": no_value},  # their descriptions say it all
    random=True,
    lod=None,
)
def sample_logits(
    logits: Tensor,
    labels: Tensor,
    samples: Tensor | None = None,
    probabilities: Tensor | None = None,
    *,
    num_samples: int,
    seed: int = 0,
    uniq: bool = True,
    use_customized_samples: bool = False,
    remove_accidental_hits: bool = True,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The true and some drawn classes of every row, their chances, and their logits less the logarithm of these."""
    rows, true = labels.shape
    classes = logits.shape[1]
    if samples is None or probabilities is None:
        drawn, tries = _unique(classes, num_samples, seed)
        both = torch.cat((labels, torch.tensor(drawn, device=labels.device).expand(rows, -1)), 1)
        chance = ((both + 2.0) / (both + 1.0)).log() / math.log(classes + 1)
        # a class that is drawn only once is likelier to be drawn at all
        chance = chance * num_samples if tries == num_samples else -torch.expm1(tries * torch.log1p(-chance))
        samples, probabilities = both, chance.to(logits.dtype)
    sampled = logits.gather(1, samples)
    if remove_accidental_hits:
        hit = (samples[:, true:, None] == labels[:, None]).any(-1)
        sampled = torch.cat((sampled[:, :true], sampled[:, true:] - hit * 1e20), 1)
    places = torch.arange(true, device=labels.device).expand(rows, -1).contiguous()
    return samples, probabilities, (sampled - probabilities.log()).clamp(-1e20, 1e20), places


def _class_centers_meta(label: Meta, *, num_samples: int, **attrs: Any) -> tuple[Meta, Meta]:
    return Meta(label.shape, label.dtype, 0), Meta((num_samples,), label.dtype, 0)


@op(inputs=("Label",), outputs=("RemappedLabel", "SampledLocalClassCenter"), grad=(), infer=_class_centers_meta, lod=None, random=True)
def class_center_sample(
    label: Tensor, *, num_classes: int, num_samples: int, ring_id: int = 0, rank: int = 0, nranks: int = 1, fix_seed: bool = False,
    seed: int = 0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The classes of some labels in order, then drawn ones up to `num_samples`, and where each label stands among them.

    Several ranks share out the classes, `num_classes` to each; all have the same labels, and a label's place is among all ranks' classes.
    """
    if nranks > 1:
        ring = ring_of(ring_id)
        check_ranks(ring, nranks, "class_center_sample")
        start = start_of(ring, rank, num_classes, label.device, "class_center_sample")
        here = (label >= start) & (label < start + num_classes)
        own, centers = class_center_sample.fn(
            label[here] - start, num_classes=num_classes, num_samples=num_samples, fix_seed=fix_seed, seed=seed
        )
        places = torch.zeros_like(label)
        places[here] = own + start_of(ring, rank, len(centers), label.device, "class_center_sample")
        return reduced(ring, places, SUM, "class_center_sample"), centers
    classes, places = torch.unique(label, return_inverse=True)
    found = dict.fromkeys(classes.tolist())  # as they come
    count = max(len(found), num_samples)
    # Paddle draws what nobody can foresee, unless the operator has a seed of its own
    engine = MT19937_64(seed if fix_seed else secrets.randbits(31))
    while len(found) < count:
        found.update(dict.fromkeys(distributions.integers(engine, num_samples, 0, num_classes).tolist()))
    return places.to(label.dtype), torch.tensor(list(found)[:count], dtype=label.dtype, device=label.device)

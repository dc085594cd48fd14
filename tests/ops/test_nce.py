"""Noise contrastive estimation against the wheels: the classes they draw, costs and gradients."""

from __future__ import annotations

import nn_replay
import numpy as np
import torch

from paddle_compat.ops.nce import _custom, nce


@nn_replay.cases("nce")
def test_as_the_wheel(version: str, name: str) -> None:
    nn_replay.replay("nce", version, name)


def test_words_that_are_too_high_are_skipped() -> None:
    """One by one, as C++ draws: a word, again while it is too high, and two for the chance."""
    classes, count = 1_200_001, 20_000
    words = iter(np.random.RandomState(5).randint(0, 1 << 32, 3 * count + 100, np.uint32).tolist())
    scale = ((1 << 32) - 1) // classes
    expected, skipped = [], 0
    for _ in range(count):
        word = next(words)
        while word >= classes * scale:
            word, skipped = next(words), skipped + 1
        expected.append(word // scale)
        next(words), next(words)
    never = np.full(classes, -1, np.int32), np.ones(classes, np.float32)
    assert _custom(count, 5, "minstd", *never).tolist() == expected and skipped > 0


def test_custom_classes_replace_drawn_ones() -> None:
    label = torch.tensor([[1], [2]])
    attrs = {"num_total_classes": 9, "num_neg_samples": 3, "custom_neg_classes": [4, 5, 6]}
    _, _, classes = nce.fn(torch.ones(2, 2), label, torch.zeros(9, 2), **attrs)
    assert classes.tolist() == [[1, 4, 5, 6], [2, 4, 5, 6]]

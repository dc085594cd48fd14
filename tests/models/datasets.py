"""The data that the model scripts train on: small, made by numpy from the number of the step, and learnable."""

from __future__ import annotations

from typing import Dict

import numpy as np

Batch = Dict[str, np.ndarray]

CLASSES = 4
VOCABULARY = 60
SLOTS = 26
SLOT_ROWS = 50
DENSE = 13
LENGTH = 12


def draw(step: int) -> np.random.RandomState:
    """The random stream of a step; RandomState gives the same numbers in every numpy."""
    return np.random.RandomState(1000 + step)


def houses(step: int, size: int = 16) -> Batch:
    """13 features and a price that depends on them linearly, with noise."""
    rng = draw(step)
    x = rng.randn(size, 13).astype("float32")
    y = x @ np.linspace(-1, 1, 13).reshape(13, 1) + 0.5 + 0.1 * rng.randn(size, 1)
    return {"x": x, "y": y.astype("float32")}


def fleet(step: int) -> Batch:
    """The batches of the Fleet trainer: features without meaning, labels of two classes."""
    rng = draw(step)
    return {
        "x": rng.random_sample(size=(128, 32)).astype("float32"),
        "y": rng.randint(2, size=(128, 1)).astype("int64"),
    }


def points(step: int, size: int = 32, features: int = 8) -> Batch:
    """Clusters of points, one for each class."""
    rng = draw(step)
    label = rng.randint(CLASSES, size=(size, 1)).astype("int64")
    centres = np.random.RandomState(7).randn(CLASSES, features)
    x = centres[label[:, 0]] + 0.3 * rng.randn(size, features)
    return {"x": x.astype("float32"), "y": label}


def images(step: int, size: int, channels: int, side: int) -> Batch:
    """Noise with a bright bar whose position is the class."""
    rng = draw(step)
    label = rng.randint(10, size=(size, 1)).astype("int64")
    image = 0.3 * rng.randn(size, channels, side, side)
    for i, c in enumerate(label[:, 0]):
        image[i, :, 2 * c : 2 * c + 3] += 1.0
    return {"image": image.astype("float32"), "label": label}


def digits(step: int) -> Batch:
    """Images of 28 x 28 with one channel."""
    return images(step, 16, 1, 28)


def photos(step: int) -> Batch:
    """Images of 48 x 48 with three channels."""
    return images(step, 4, 3, 48)


def sentences(step: int, size: int = 8) -> Batch:
    """Word numbers of one length; the class decides which words are frequent."""
    rng = draw(step)
    label = rng.randint(CLASSES, size=(size, 1)).astype("int64")
    words = rng.randint(VOCABULARY // 2, size=(size, LENGTH)) + label * (VOCABULARY // 8)
    return {"words": words.astype("int64"), "label": label}


def ragged(step: int, size: int = 6) -> tuple[list[list[int]], np.ndarray]:
    """Sentences of different lengths as lists, with one of two classes for each."""
    rng = draw(step)
    label = rng.randint(2, size=(size, 1)).astype("int64")
    lengths = rng.randint(3, 9, size=size)
    rows = [(rng.randint(VOCABULARY // 2, size=n) + c * VOCABULARY // 3).tolist() for n, c in zip(lengths, label[:, 0])]
    return rows, label


def ngrams(step: int, size: int = 32) -> Batch:
    """Four words and the fifth, which follows from the first."""
    rng = draw(step)
    words = rng.randint(VOCABULARY, size=(size, 4)).astype("int64")
    names = ["firstw", "secondw", "thirdw", "fourthw"]
    batch = {name: words[:, i : i + 1] for i, name in enumerate(names)}
    batch["nextw"] = (words[:, :1] * 7 + 3) % VOCABULARY
    return batch


def clicks(step: int, size: int = 32) -> Batch:
    """13 numbers, 26 ids and whether the link was clicked."""
    rng = draw(step)
    dense = rng.random_sample(size=(size, DENSE)).astype("float32")
    ids = rng.randint(SLOT_ROWS, size=(size, SLOTS)).astype("int64")
    batch = {f"C{i}": ids[:, i : i + 1] for i in range(SLOTS)}
    batch["dense"] = dense
    batch["click"] = ((ids[:, :1] % 2) ^ (dense[:, :1] > 0.7)).astype("int64")
    return batch

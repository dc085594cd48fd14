"""The formats of MNIST's and CIFAR's files."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from paddle_compat.core.pickles import load_pickle


def idx(path: str) -> np.ndarray:
    """The array of a gzipped IDX file of bytes."""
    with gzip.open(path, "rb") as file:
        content = file.read()
    rank = content[3] if content[:3] == b"\0\0\x08" else 0
    start = 4 + 4 * rank
    shape = np.frombuffer(content, ">i4", rank, 4) if rank and len(content) >= start else None
    if shape is None or len(content) != start + int(np.prod(shape)):
        raise ValueError(f"{path} is damaged. Expected an IDX file of bytes, gzipped. Received: {len(content)} bytes that are none")
    return np.frombuffer(content, np.uint8, offset=start).reshape(shape)


def images_and_labels(image_path: str, label_path: str) -> tuple[np.ndarray, np.ndarray]:
    """MNIST's images, a row each, and labels."""
    images, labels = idx(image_path), idx(label_path)
    if images.ndim != 3 or len(images) < len(labels):
        received = f"{images.shape}, {labels.shape}"
        raise ValueError(f"{image_path} does not fit {label_path}. Expected an image for each label. Received: {received}")
    return images.reshape(len(images), -1)[: len(labels)], labels


def cifar_batches(path: str, part: str, in_order: bool = False) -> Iterator[tuple[np.ndarray, list[int]]]:
    """The images and labels of those files in CIFAR's archive that have `part` in their names."""
    with tarfile.open(path, "r") as archive:
        members = [member for member in archive if part in member.name and member.isfile()]
        for member in sorted(members, key=lambda m: m.name) if in_order else members:
            stream: Any = archive.extractfile(member)
            batch = load_pickle(io.BytesIO(stream.read()))
            batch = {key.decode() if isinstance(key, bytes) else key: value for key, value in batch.items()}
            yield batch["data"], batch["labels" if "labels" in batch else "fine_labels"]

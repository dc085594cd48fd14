"""`paddle.fluid.dataloader.dataloader_iter`: how samples become a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.io.dataloader.dataloader_iter import (  # noqa: F401 - harnesses take them from here
    _DataLoaderIterMultiProcess,
    _DataLoaderIterSingleProcess,
)


def default_collate_fn(batch: list[Any]) -> list[np.ndarray]:
    """Stack the fields of samples.

    Args:
        batch: samples: an array each, or a list with an array for each field.
    Returns:
        A list with an array for each field.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> [field.tolist() for field in fluid.io.default_collate_fn([(1, 2.0), (3, 4.0)])]
        [[1, 3], [2.0, 4.0]]

    Follows Paddle 1.8.
    """
    if isinstance(batch[0], np.ndarray):
        return [np.stack(batch)]
    return [np.stack(field) for field in zip(*batch)]


__all__ = ["default_collate_fn"]

__getattr__ = missing(__name__)

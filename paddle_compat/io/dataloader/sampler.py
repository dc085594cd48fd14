"""Samplers: in which order a dataset's samples are read. They draw from numpy's global generator, as Paddle's do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor


class Sampler:
    """Gives the indices of samples; subclasses define `__iter__`, and `__len__` where it is known.

    Args:
        data_source (Dataset): what is sampled; anything with a length.

    Example:
        >>> import paddle_compat as paddle
        >>> class Backwards(paddle.io.Sampler):
        ...     def __iter__(self):
        ...         return iter(range(len(self.data_source))[::-1])
        >>> list(Backwards("abc"))
        [2, 1, 0]

    Follows Paddle 2.6.
    """

    def __init__(self, data_source: Any = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[Any]:
        error = NotImplementedError(f"'__iter__' not implement in class {type(self).__name__}")
        raise error


class SequenceSampler(Sampler):
    """All indices in order.

    Args:
        data_source (Dataset): what is sampled; anything with a length.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.io.SequenceSampler("abc"))
        [0, 1, 2]

    Follows Paddle 2.6.
    """

    def __init__(self, data_source: Any) -> None:
        super().__init__(data_source)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """Indices at random.

    Args:
        data_source (Dataset): what is sampled; anything with a length.
        replacement (bool): whether an index may come again.
        num_samples (int): how many; None: as many as there are samples.
        generator (iterator): what gives the indices instead, until it ends.

    Raises:
        TypeError: replacement is no bool.
        ValueError: num_samples is not positive, or more than there are without replacement.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> np.random.seed(0)
        >>> list(paddle.io.RandomSampler("abcd"))
        [2, 3, 1, 0]

    Follows Paddle 3.3.
    """

    def __init__(self, data_source: Any, replacement: bool = False, num_samples: int | None = None, generator: Any = None) -> None:
        super().__init__(data_source)
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            raise TypeError(f"expect boolean value for replacement, but got replacement={replacement!r}")
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer, but got num_samples={self.num_samples}")
        if not replacement and self.num_samples > len(data_source):
            raise ValueError(
                "num_samples should be smaller than or equal to length of data_source when replacement is False, "
                f"but got num_samples: {self.num_samples} > data_source: {len(data_source)}"
            )

    @property
    def num_samples(self) -> int:
        """How many indices a pass has."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[Any]:
        if self.generator:
            yield from (index for _, index in zip(range(self.num_samples), self.generator))
            return
        count = len(self.data_source)
        chosen = np.random.choice(count, self.num_samples if self.replacement else count, replace=self.replacement)
        yield from chosen[: self.num_samples].tolist()

    def __len__(self) -> int:
        return self.num_samples


def _checked_weights(weights: Any, num_samples: int, replacement: bool) -> np.ndarray:
    """The weights as rows of probabilities."""
    api = "WeightedRandomSampler"
    if isinstance(weights, Tensor):
        weights = weights.numpy()
    if not isinstance(weights, (list, tuple, np.ndarray)):
        raise failed_assertion("weights", "a Tensor, numpy array, list or tuple", weights, api)
    rows = np.array(weights)
    if rows.ndim > 2:
        raise failed_assertion("weights", "one or two dimensions", rows.shape, api)
    rows = rows.reshape(-1, rows.shape[-1])
    if not np.all(rows >= 0) or np.any(np.isinf(rows)):
        raise failed_assertion("weights", "finite numbers, none below 0", weights, api)
    positive = np.sum(rows > 0, axis=1)
    if not np.all(positive > 0):
        raise failed_assertion("weights", "a number above 0 in each row", weights, api)
    if not replacement and not np.all(positive >= num_samples):
        raise failed_assertion("weights", f"at least num_samples = {num_samples} numbers above 0 without replacement", weights, api)
    return rows / rows.sum(axis=1, keepdims=True)


class WeightedRandomSampler(Sampler):
    """Indices at random, some more often than others.

    Args:
        weights (Tensor|numpy.ndarray|list|tuple): how often each index is to come; a second dimension for several draws.
        num_samples (int): how many indices a draw has.
        replacement (bool): whether an index may come again.

    Raises:
        ValueError: num_samples is no positive int, or replacement no bool.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.io.WeightedRandomSampler([0.0, 1.0, 0.0], 4))
        [1, 1, 1, 1]

    Follows Paddle 2.6.
    """

    def __init__(self, weights: Any, num_samples: int, replacement: bool = True) -> None:
        if not isinstance(num_samples, int) or num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer. Received: {num_samples!r}")
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value. Received: {replacement!r}")
        super().__init__()
        self.weights = weights
        self.num_samples = num_samples
        self.replacement = replacement

    def __iter__(self) -> Iterator[int]:
        rows = _checked_weights(self.weights, self.num_samples, self.replacement)
        draws = [np.random.choice(len(row), self.num_samples, self.replacement, row) for row in rows]
        return iter(np.concatenate(draws).tolist())

    def __len__(self) -> int:
        shape = np.shape(self.weights)
        return self.num_samples * int(np.prod(shape[:-1]))


class SubsetRandomSampler(Sampler):
    """Given indices, at random; they are drawn from Paddle's generator.

    Args:
        indices (sequence): the indices.

    Raises:
        ValueError: there are none.

    Example:
        >>> import paddle_compat as paddle
        >>> sorted(paddle.io.SubsetRandomSampler([5, 7, 9]))
        [5, 7, 9]

    Follows Paddle 2.6.
    """

    def __init__(self, indices: Sequence[Any]) -> None:
        if len(indices) == 0:
            raise ValueError("The length of `indices` in SubsetRandomSampler should be greater than 0. Received: 0")
        super().__init__()
        self.indices = indices

    def __iter__(self) -> Iterator[Any]:
        from paddle_compat.tensor.random import randperm

        return (self.indices[i] for i in randperm(len(self.indices)).tolist())

    def __len__(self) -> int:
        return len(self.indices)


__all__ = ["RandomSampler", "Sampler", "SequenceSampler", "SubsetRandomSampler", "WeightedRandomSampler"]

__getattr__ = missing(__name__)

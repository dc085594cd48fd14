"""A batch as the small batches that go through a pipeline one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.tensor.manipulation import slice


class PipelineDatasetPreprocessor:
    """Data that are made where they are needed: on the first stage and the last.

    Args:
        function (callable): makes them.

    Example:
        >>> from paddle_compat.distributed.fleet.meta_parallel import PipelineDatasetPreprocessor
        >>> PipelineDatasetPreprocessor(lambda: ("inputs", "labels"))()
        ('inputs', 'labels')

    Follows Paddle 3.3.
    """

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function

    def __call__(self) -> Any:
        return self.function()


class FakeMicroDataset:
    """The small batches of a batch.

    Args:
        data (tuple|list|iterator|None): inputs and labels, each a Tensor, a tuple of them, or a list with one for each small batch; or what
            gives inputs and labels of one small batch after the other.
        is_first_stage (bool): whether inputs are needed; is_last_stage (bool): whether labels are.
        acc_steps (int): how many small batches there are; micro_batch_size (int): how many samples each has.
    Raises:
        AssertionError: there are no inputs and labels.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.pipeline_parallel import FakeMicroDataset
        >>> batches = FakeMicroDataset([paddle.ones([6, 2]), paddle.ones([6, 1])], True, True, 2, 3)
        >>> [(inputs.shape, labels.shape) for inputs, labels in batches]
        [([3, 2], [3, 1]), ([3, 2], [3, 1])]
        >>> batches.inputs(0).shape, batches.labels(1).shape
        ([3, 2], [3, 1])

    Follows Paddle 2.6.
    """

    def __init__(self, data: Any, is_first_stage: bool, is_last_stage: bool, acc_steps: int, micro_batch_size: int) -> None:
        if isinstance(data, PipelineDatasetPreprocessor):
            data = data() if is_first_stage or is_last_stage else (None, None)
        if isinstance(data, (tuple, list)) and len(data) != 2:
            raise failed_assertion("data", "inputs and labels: length of input should be 2", len(data), "PipelineParallel.train_batch")
        self._data = data
        self._is_first_stage, self._is_last_stage = is_first_stage, is_last_stage
        self._acc_steps, self._micro_batch_size = acc_steps, micro_batch_size
        self._index = 0
        self._taken: list[Any] = []

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return self

    def __next__(self) -> tuple[Any, Any]:
        """Inputs and labels of the next small batch; None where they are not needed."""
        if self._index >= self._acc_steps:
            raise StopIteration
        micro, self._index = self._index, self._index + 1
        return self.inputs(micro), self.labels(micro)

    def inputs(self, micro: int) -> Any:
        """The inputs of a small batch.

        Args:
            micro (int): which.
        Returns:
            Tensor|tuple|None: they; None where they are not needed.
        """
        return self._of(micro, 0) if self._is_first_stage else None

    def labels(self, micro: int) -> Any:
        """The labels of a small batch.

        Args:
            micro (int): which.
        Returns:
            Tensor|tuple|None: they; None where they are not needed.
        """
        return self._of(micro, 1) if self._is_last_stage else None

    def _of(self, micro: int, which: int) -> Any:
        if isinstance(self._data, (tuple, list)):
            return self._part(self._data[which], micro)
        while len(self._taken) <= micro:
            self._taken.append(list(next(self._data)))
        found = self._taken[micro]
        value, found[which] = found[which], None  # nobody asks again
        if len(found) != 2:
            raise failed_assertion("data", "inputs and labels: length of data should be 2", len(found), "PipelineParallel.train_batch")
        return value

    def _part(self, value: Any, micro: int) -> Any:
        if isinstance(value, tuple):
            return tuple(self._part(each, micro) for each in value)
        if isinstance(value, dict):
            return {name: self._part(each, micro) for name, each in value.items()}
        if isinstance(value, list):
            if len(value) != self._acc_steps:
                expected = f"one for each small batch: length of data should be {self._acc_steps}"
                raise failed_assertion("data", expected, f"{len(value)} in a list", "PipelineParallel.train_batch")
            found = value[micro]
            return found.detach() if isinstance(found, Tensor) else found
        if not isinstance(value, Tensor):
            return value
        size, count, given = self._micro_batch_size, self._acc_steps, value.shape[0]
        if given != size * count:
            raise failed_assertion(
                "data",
                f"{size * count} samples, {count} small batches of {size}: batch_size needs to be divisible by micro_batch_size. "
                f"Currently, batch_size = {given}, micro_batch_size = {size}, accumulate_steps = {count}",
                given,
                "PipelineParallel.train_batch",
            )
        return slice(value, [0], [size * micro], [size * (micro + 1)]).detach()

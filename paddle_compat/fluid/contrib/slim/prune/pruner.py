"""`paddle.fluid.contrib.slim.prune.pruner`: which parts of a weight to leave out, and the weight without them."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion


class Pruner:
    """What pruners have in common.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.prune import Pruner
        >>> Pruner().prune(None)

    Follows Paddle 1.8.
    """

    def prune(self, param: Any) -> None:
        """Nothing; for subclasses.

        Args:
            param: a parameter.
        """


class StructurePruner(Pruner):
    """Leaves out whole slices of weights.

    Args:
        pruning_axis (dict): name of a parameter -> the dimension along which slices are taken; "*" is for all others.
        criterions (dict): name of a parameter -> what tells which slices go, "l1_norm"; "*" is for all others.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.fluid.contrib.slim.prune import StructurePruner
        >>> pruner = StructurePruner({"*": 0}, {"*": "l1_norm"})
        >>> weight = np.array([[3.0, 1.0], [0.5, 0.5], [2.0, 2.0], [0.0, 4.0]])
        >>> gone = pruner.cal_pruned_idx("fc_0.w_0", weight, 0.25)
        >>> gone.tolist(), pruner.prune_tensor(weight, gone, 0).shape
        ([1], (3, 2))

    Follows Paddle 1.8.
    """

    def __init__(self, pruning_axis: dict[str, int], criterions: dict[str, str]) -> None:
        self.pruning_axis, self.criterions = pruning_axis, criterions

    def cal_pruned_idx(self, name: str, param: Any, ratio: float, axis: int | None = None) -> Any:
        """The slices with the smallest sums of magnitudes.

        Args:
            name (str): the parameter's name.
            param (numpy.ndarray): its value.
            ratio (float): the share of slices to leave out.
            axis (int): the dimension; None: as `pruning_axis` says.
        Returns:
            numpy.ndarray: their numbers, the least one first.
        Raises:
            AssertionError: there is no such criterion.
        """
        criterion = self.criterions[name if name in self.criterions else "*"]
        if criterion != "l1_norm":
            raise failed_assertion("criterions", "'l1_norm'", criterion, "StructurePruner")
        if axis is None:
            axis = self.pruning_axis[name if name in self.pruning_axis else "*"]
        count = int(round(param.shape[axis] * ratio))
        sums = np.abs(param).sum(axis=tuple(d for d in range(param.ndim) if d != axis))
        return sums.argsort()[:count]

    def prune_tensor(self, tensor: Any, pruned_idx: Any, pruned_axis: int, lazy: bool = False) -> Any:
        """A weight without some slices.

        Args:
            tensor (numpy.ndarray): the weight.
            pruned_idx (list): the numbers of the slices.
            pruned_axis (int): the dimension.
            lazy (bool): the slices become zeros, and the shape stays.
        Returns:
            numpy.ndarray.
        """
        if not lazy:
            return np.delete(tensor, pruned_idx, axis=pruned_axis)
        kept = np.ones(tensor.shape[pruned_axis], bool)
        kept[list(pruned_idx)] = False
        return np.where(kept.reshape([-1 if d == pruned_axis else 1 for d in range(tensor.ndim)]), tensor, 0)


__all__ = ["Pruner", "StructurePruner"]

__getattr__ = missing(__name__)

"""`paddle.distributed.fleet.metrics`: figures over the data of all workers, from what each has counted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.scope import global_scope
from paddle_compat.core.variable import Variable


def _total(value: Any, mode: str, scope: Any, util: Any) -> Any:
    """The sum, greatest or least of the workers' arrays."""
    if util is None:
        from paddle_compat.distributed.fleet._fleet import fleet

        util = fleet.util
    if isinstance(value, (str, Variable)):
        name = value if isinstance(value, str) else value.name
        found = (scope or global_scope()).find_var(name)
        if found is None:
            raise AttributeError(f"Invalid argument of fleet.metrics. Expected a variable with a value. Received: {name!r}, which has none")
        value = found.get_tensor()
    array = np.array(value)
    return util.all_reduce(array.reshape(-1), mode).reshape(array.shape)


def sum(input: Any, scope: Any = None, util: Any = None) -> Any:
    """The sum over all workers.

    Args:
        input (ndarray|Variable|str): this worker's; a variable's value in the scope.
        scope (Scope|None): None for the global one.
        util (UtilBase|None): None for fleet's.
    Returns:
        ndarray: of the same shape.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.metrics.sum(np.array([1.0, 2.0])).tolist()
        [1.0, 2.0]

    Follows Paddle 2.6.
    """
    return _total(input, "sum", scope, util)


def max(input: Any, scope: Any = None, util: Any = None) -> Any:
    """The greatest of all workers, element by element.

    Args:
        input (ndarray|Variable|str): this worker's; a variable's value in the scope.
        scope (Scope|None): None for the global one.
        util (UtilBase|None): None for fleet's.
    Returns:
        ndarray: of the same shape.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.metrics.max(np.array([1.0, 2.0])).tolist()
        [1.0, 2.0]

    Follows Paddle 2.6.
    """
    return _total(input, "max", scope, util)


def min(input: Any, scope: Any = None, util: Any = None) -> Any:
    """The least of all workers, element by element.

    Args:
        input (ndarray|Variable|str): this worker's; a variable's value in the scope.
        scope (Scope|None): None for the global one.
        util (UtilBase|None): None for fleet's.
    Returns:
        ndarray: of the same shape.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.metrics.min(np.array([1.0, 2.0])).tolist()
        [1.0, 2.0]

    Follows Paddle 2.6.
    """
    return _total(input, "min", scope, util)


def auc(stat_pos: Any, stat_neg: Any, scope: Any = None, util: Any = None) -> float:
    """The area under the curve, from how many positive and negative samples of all workers fell into each bucket.

    Args:
        stat_pos (ndarray|Variable|str): positive samples by bucket, [1, buckets].
        stat_neg (ndarray|Variable|str): negative ones.
        scope (Scope|None): None for the global one.
        util (UtilBase|None): None for fleet's.
    Returns:
        float: 0.5 without samples of both kinds.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.metrics.auc(np.array([[0.0, 0.0, 2.0]]), np.array([[2.0, 0.0, 0.0]]))
        1.0

    Follows Paddle 2.6.
    """
    positive = np.cumsum(_total(stat_pos, "sum", scope, util)[0][::-1])
    negative = np.cumsum(_total(stat_neg, "sum", scope, util)[0][::-1])
    if positive[-1] * negative[-1] == 0:
        return 0.5
    before = np.concatenate([[0.0], positive[:-1]])
    width = np.diff(negative, prepend=0.0)
    return float((width * (before + positive)).sum() / 2 / (positive[-1] * negative[-1]))


def _mean(total: Any, count: Any, scope: Any, util: Any) -> float:
    return float(_total(total, "sum", scope, util)[0]) / float(_total(count, "sum", scope, util)[0])


def mae(abserr: Any, total_ins_num: Any, scope: Any = None, util: Any = None) -> float:
    """The mean absolute error over the samples of all workers.

    Args:
        abserr (ndarray|Variable|str): the sum of this worker's absolute errors, one element.
        total_ins_num (ndarray|Variable|str): how many samples it has had.
        scope (Scope|None): None for the global one.
        util (UtilBase|None): None for fleet's.
    Returns:
        float: the mean.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.metrics.mae(np.array([3.0]), np.array([4.0]))
        0.75

    Follows Paddle 2.6.
    """
    return _mean(abserr, total_ins_num, scope, util)


def mse(sqrerr: Any, total_ins_num: Any, scope: Any = None, util: Any = None) -> float:
    """The mean squared error over the samples of all workers.

    Args:
        sqrerr (ndarray|Variable|str): the sum of this worker's squared errors, one element.
        total_ins_num (ndarray|Variable|str): how many samples it has had.
        scope (Scope|None): None for the global one.
        util (UtilBase|None): None for fleet's.
    Returns:
        float: the mean.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.metrics.mse(np.array([3.0]), np.array([4.0]))
        0.75

    Follows Paddle 2.6.
    """
    return _mean(sqrerr, total_ins_num, scope, util)


def rmse(sqrerr: Any, total_ins_num: Any, scope: Any = None, util: Any = None) -> float:
    """The root of the mean squared error over the samples of all workers.

    Args:
        sqrerr (ndarray|Variable|str): the sum of this worker's squared errors, one element.
        total_ins_num (ndarray|Variable|str): how many samples it has had.
        scope (Scope|None): None for the global one.
        util (UtilBase|None): None for fleet's.
    Returns:
        float: the root.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.metrics.rmse(np.array([9.0]), np.array([4.0]))
        1.5

    Follows Paddle 2.6.
    """
    return math.sqrt(_mean(sqrerr, total_ins_num, scope, util))


def acc(correct: Any, total: Any, scope: Any = None, util: Any = None) -> float:
    """The share of correct samples of all workers.

    Args:
        correct (ndarray|Variable|str): how many of this worker's were correct, one element.
        total (ndarray|Variable|str): how many it has had.
        scope (Scope|None): None for the global one.
        util (UtilBase|None): None for fleet's.
    Returns:
        float: from 0 to 1.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.metrics.acc(np.array([3.0]), np.array([4.0]))
        0.75

    Follows Paddle 2.6.
    """
    return _mean(correct, total, scope, util)


__all__ = ["acc", "auc", "mae", "max", "min", "mse", "rmse", "sum"]

__getattr__ = missing(__name__)

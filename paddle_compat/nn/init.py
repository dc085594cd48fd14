"""`paddle.nn.init`: what fills Tensors in place as `paddle.nn.initializer` fills new parameters, with torch's names."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.initializer import (
    Assign,
    Constant,
    Dirac,
    KaimingNormal,
    KaimingUniform,
    Normal,
    Orthogonal,
    TruncatedNormal,
    Uniform,
    XavierNormal,
    XavierUniform,
    calculate_gain,
)
from paddle_compat.nn.initializer.base import Initializer


def _fill(tensor: Any, initializer: Initializer) -> None:
    if not isinstance(tensor, (Tensor, Variable)):
        raise failed_assertion("tensor", "a Tensor", tensor, "paddle.nn.init")
    with torch.no_grad():
        initializer(tensor)


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0) -> None:
    """Evenly distributed numbers.

    Args:
        tensor (Tensor): what is filled.
        a, b (float): the lower bound, and the upper one, which is not reached.
    Raises:
        AssertionError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.uniform_(w); 0.0 <= float(w.min()) < 1.0
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, Uniform(a, b))


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0) -> None:
    """Normally distributed numbers.

    Args:
        tensor (Tensor): what is filled.
        mean, std (float): their mean and their standard deviation.
    Raises:
        AssertionError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.normal_(w); w.shape == [2, 3]
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, Normal(mean, std))


def trunc_normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0) -> None:
    """Normally distributed numbers within bounds.

    Args:
        tensor (Tensor): what is filled.
        mean, std (float): their mean and their standard deviation before the cut.
        a, b (float): the bounds.
    Raises:
        AssertionError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.trunc_normal_(w); -2.0 <= float(w.min())
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, TruncatedNormal(mean, std, a=a, b=b))


def constant_(tensor: Any, val: float) -> None:
    """One number everywhere.

    Args:
        tensor (Tensor): what is filled.
        val (float): the number.
    Raises:
        AssertionError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.constant_(w, 0.5); float(w.min()) == 0.5
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, Constant(val))


def ones_(tensor: Any) -> None:
    """One everywhere.

    Args:
        tensor (Tensor): what is filled.
    Raises:
        AssertionError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.ones_(w); float(w.min()) == 1.0
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, Constant(1.0))


def zeros_(tensor: Any) -> None:
    """Zero everywhere.

    Args:
        tensor (Tensor): what is filled.
    Raises:
        AssertionError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.zeros_(w); float(w.max()) == 0.0
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, Constant(0.0))


def dirac_(tensor: Any, groups: int = 1) -> None:
    """Convolutions' weights that hand channels on.

    Args:
        tensor (Tensor): what is filled.
        groups (int): of the convolution.
    Raises:
        AssertionError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.zeros([1, 1, 3])
        >>> paddle.nn.init.dirac_(w); w.tolist()
        [[[0.0, 1.0, 0.0]]]

    Follows Paddle 3.3.
    """
    _fill(tensor, Dirac(groups))


def xavier_uniform_(tensor: Any, gain: float = 1.0, fan_in: float | None = None, fan_out: float | None = None) -> None:
    """Evenly distributed numbers within gain sqrt(6 / (fan_in + fan_out)).

    Args:
        tensor (Tensor): what is filled.
        gain (float): see above.
        fan_in, fan_out (float): how many numbers go in and out; None: as the shape says.
    Raises:
        AssertionError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.xavier_uniform_(w); w.shape == [2, 3]
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, XavierUniform(fan_in, fan_out, gain=gain))


def xavier_normal_(tensor: Any, gain: float = 1.0, fan_in: float | None = None, fan_out: float | None = None) -> None:
    """Normally distributed numbers of the deviation gain sqrt(2 / (fan_in + fan_out)).

    Args:
        tensor (Tensor): what is filled.
        gain (float): see above.
        fan_in, fan_out (float): how many numbers go in and out; None: as the shape says.
    Raises:
        AssertionError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.xavier_normal_(w); w.shape == [2, 3]
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, XavierNormal(fan_in, fan_out, gain=gain))


def kaiming_uniform_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> None:
    """Evenly distributed numbers within gain sqrt(3 / fan).

    Args:
        tensor (Tensor): what is filled.
        a (float): the slope of "leaky_relu".
        mode (str): "fan_in" or "fan_out", what fan is.
        nonlinearity (str): what `calculate_gain` knows.
    Raises:
        AssertionError: it is no Tensor.
        ValueError: mode is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.kaiming_uniform_(w); w.shape == [2, 3]
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, KaimingUniform(None, a, nonlinearity, mode))


def kaiming_normal_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> None:
    """Normally distributed numbers of the deviation gain / sqrt(fan).

    Args:
        tensor (Tensor): what is filled.
        a (float): the slope of "leaky_relu".
        mode (str): "fan_in" or "fan_out", what fan is.
        nonlinearity (str): what `calculate_gain` knows.
    Raises:
        AssertionError: it is no Tensor.
        ValueError: mode is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.kaiming_normal_(w); w.shape == [2, 3]
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, KaimingNormal(None, a, nonlinearity, mode))


def orthogonal_(tensor: Any, gain: float = 1) -> None:
    """Rows, or columns, at right angles to each other.

    Args:
        tensor (Tensor): what is filled.
        gain (float): their length.
    Raises:
        AssertionError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.empty([2, 3])
        >>> paddle.nn.init.orthogonal_(w); w.shape == [2, 3]
        True

    Follows Paddle 3.3.
    """
    _fill(tensor, Orthogonal(gain))


def eye_(tensor: Any) -> None:
    """Ones on the diagonal, zeros elsewhere.

    Args:
        tensor (Tensor): a matrix, which is filled.
    Raises:
        AssertionError: it is none.

    Example:
        >>> import paddle_compat as paddle
        >>> w = paddle.zeros([2, 2])
        >>> paddle.nn.init.eye_(w); w.tolist()
        [[1.0, 0.0], [0.0, 1.0]]

    Follows Paddle 3.3.
    """
    if len(tensor.shape) != 2:
        raise failed_assertion("tensor", "2 dimensions", list(tensor.shape), "paddle.nn.init.eye_")
    _fill(tensor, Assign(np.eye(tensor.shape[0], tensor.shape[1]).astype("float32")))


__all__ = [
    "calculate_gain", "constant_", "dirac_", "eye_", "kaiming_normal_", "kaiming_uniform_", "normal_", "ones_", "orthogonal_",
    "trunc_normal_", "uniform_", "xavier_normal_", "xavier_uniform_", "zeros_",
]  # fmt: skip

__getattr__ = missing(__name__)

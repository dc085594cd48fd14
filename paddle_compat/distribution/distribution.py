"""What all distributions have, and how their parameters become tensors."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.dtype import convert_dtype, dtype_name
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.framework.dtype import finfo

__all__ = ["Distribution"]

Shape = Sequence[int]
_DOUBLES = ("float32", "float64")
_KINDS = "a float, list, tuple, numpy.ndarray or Tensor"


def undefined(owner: Any, name: str) -> NotImplementedError:
    """The error for what a class does not define."""
    return NotImplementedError(f"{type(owner).__name__} does not define {name}.")


def is_tensor(value: Any) -> bool:
    """Whether a value is a Tensor or a Variable."""
    return isinstance(value, (Tensor, Variable))


def kind_of(value: Any) -> str:
    """The name of a tensor's data type."""
    return dtype_name(convert_dtype(value.dtype))


def sum_rightmost(value: Any, count: int) -> Any:
    """The sum over the last dimensions."""
    return value.sum(list(range(-count, 0))) if count > 0 else value


def same_shapes(*values: Any) -> list[Any]:
    """The tensors, expanded to one shape where they differ in theirs."""
    if all(list(v.shape) == list(values[0].shape) for v in values):
        return list(values)
    return list(T.broadcast_tensors(list(values)))


def real_tensors(api: str, alike: bool = True, **values: Any) -> list[Any]:
    """Numbers and tensors as tensors of one shape; where they need not be `alike`, those of several data types keep their shapes."""
    for name, value in values.items():
        if not isinstance(value, Real) and not is_tensor(value):
            raise type_error(name, "Real|Tensor, a number or a tensor", value, api)
    tensors = [T.full([], v) if isinstance(v, Real) else v for v in values.values()]
    return same_shapes(*tensors) if alike or len({kind_of(t) for t in tensors}) == 1 else tensors


def sample_shape(shape: Any, api: str) -> list[int]:
    """The shape that a user asks samples of."""
    if is_tensor(shape):
        return [int(n) for n in shape.numpy().reshape([-1])]
    if not isinstance(shape, Iterable):
        raise type_error("shape", "Sequence[int], a list or tuple of ints", shape, api)
    sizes = list(shape)
    for size in sizes:
        if not is_tensor(size) and not hasattr(size, "__index__"):
            raise type_error("shape", "Sequence[int], a list or tuple of ints", shape, api)
        if not is_tensor(size) and size < 0:
            raise invalid_argument("shape", "sizes that are not negative", shape, api)
    return sizes


def extended(shape: Any, like: Any, api: str) -> list[Any]:
    """The shape of samples of a distribution whose parameters have the shape of a tensor; Variables where a size is unknown."""
    sizes = sample_shape(shape, api)
    if all(size >= 0 for size in like.shape):
        return sizes + list(like.shape)
    known = T.shape(like)
    return [*sizes, *(size if size >= 0 else known[axis] for axis, size in enumerate(like.shape))]


class Distribution:
    """Base class of distributions.

    Args:
        batch_shape: the shape of independent distributions that one object holds.
        event_shape: the shape of one value.

    Example:
        >>> import paddle_compat as paddle
        >>> normal = paddle.distribution.Normal(0.0, 1.0)
        >>> normal.sample([2]).shape
        [2]

    Follows Paddle 2.6.
    """

    def __init__(self, batch_shape: Shape = (), event_shape: Shape = ()) -> None:
        self._batch_shape, self._event_shape = tuple(batch_shape), tuple(event_shape)
        super().__init__()

    @property
    def batch_shape(self) -> Any:
        """The shape of independent distributions that one object holds."""
        return self._batch_shape

    @property
    def event_shape(self) -> Any:
        """The shape of one value."""
        return self._event_shape

    @property
    def mean(self) -> Any:
        """The expected value."""
        raise undefined(self, "mean")

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        raise undefined(self, "variance")

    def sample(self, shape: Any = ()) -> Any:
        """Values by chance.

        Args:
            shape: how many; a list or tuple of sizes.
        Returns:
            A tensor of `shape`, then the batch's and the event's.
        Raises:
            NotImplementedError: the distribution cannot be drawn from.
            TypeError: `shape` is no list.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.Normal(0.0, 1.0).sample([2, 3]).shape
            [2, 3]

        Follows Paddle 2.6.
        """
        raise undefined(self, "sample()")

    def rsample(self, shape: Any = ()) -> Any:
        """Values by chance that can be differentiated by the parameters.

        Args:
            shape: how many; a list or tuple of sizes.
        Returns:
            A tensor of `shape`, then the batch's and the event's.
        Raises:
            NotImplementedError: the distribution cannot be drawn from in this way.
            TypeError: `shape` is no list.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.Normal(0.0, 1.0).rsample([2, 3]).shape
            [2, 3]

        Follows Paddle 2.6.
        """
        raise undefined(self, "rsample()")

    def entropy(self) -> Any:
        """The expected negative logarithm of the chance of a value.

        Returns:
            A tensor of the batch's shape.
        Raises:
            NotImplementedError: there is no formula.

        Example:
            >>> import paddle_compat as paddle
            >>> round(float(paddle.distribution.Normal(0.0, 1.0).entropy()), 4)
            1.4189

        Follows Paddle 2.6.
        """
        raise undefined(self, "entropy()")

    def kl_divergence(self, other: Distribution) -> Any:
        """The Kullback-Leibler divergence from another distribution.

        Args:
            other: a distribution of the same kind.
        Returns:
            A tensor of the batch's shape.
        Raises:
            NotImplementedError: there is no formula.
            TypeError: `other` is of another kind.

        Example:
            >>> import paddle_compat as paddle
            >>> p, q = paddle.distribution.Normal(0.0, 1.0), paddle.distribution.Normal(1.0, 1.0)
            >>> float(p.kl_divergence(q))
            0.5

        Follows Paddle 2.6.
        """
        raise undefined(self, "kl_divergence()")

    def prob(self, value: Any) -> Any:
        """The chance, or the density, of values.

        Args:
            value: a tensor.
        Returns:
            A tensor.
        Raises:
            NotImplementedError: there is no formula.
            TypeError: `value` is no tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> round(float(paddle.distribution.Normal(0.0, 1.0).prob(paddle.to_tensor(0.0))), 4)
            0.3989

        Follows Paddle 2.6.
        """
        return self.log_prob(value).exp()

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the chance, or of the density, of values.

        Args:
            value: a tensor.
        Returns:
            A tensor.
        Raises:
            NotImplementedError: there is no formula.
            TypeError: `value` is no tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> round(float(paddle.distribution.Normal(0.0, 1.0).log_prob(paddle.to_tensor(0.0))), 4)
            -0.9189

        Follows Paddle 2.6.
        """
        raise undefined(self, "log_prob()")

    def probs(self, value: Any) -> Any:
        """The chance, or the density, of values, as older code calls it.

        Args:
            value: a tensor.
        Returns:
            A tensor.
        Raises:
            NotImplementedError: there is no formula.
            TypeError: `value` is no tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> round(float(paddle.distribution.Normal(0.0, 1.0).probs(paddle.to_tensor(0.0))), 4)
            0.3989

        Follows Paddle 2.6.
        """
        raise undefined(self, "probs()")

    def _extend_shape(self, sample_shape: Any) -> tuple[int, ...]:
        """The shape of samples."""
        return (*sample_shape, *self.batch_shape, *self.event_shape)

    def _validate_args(self, *args: Any) -> bool:
        """Whether the parameters are tensors; refuses some of each."""
        tensors = [is_tensor(arg) for arg in args]
        if any(tensors) and not all(tensors):
            raise ValueError(f"If one argument of {type(self).__name__} is a Tensor, all arguments should be Tensors. Received: {args!r}")
        return all(tensors)

    def _to_tensor(self, *args: Any) -> tuple[Any, ...]:
        """Numbers, lists and arrays as float32 tensors of one shape."""
        arrays = []
        for arg in args:
            if not isinstance(arg, (float, list, tuple, np.ndarray)) and not is_tensor(arg):
                raise TypeError(f"Type of input args of {type(self).__name__} must be {_KINDS}, but received type {type(arg)}")
            array = np.array(arg)
            if str(array.dtype) not in _DOUBLES:
                warnings.warn(
                    "data type of argument only support float32 and float64, your argument will be convert to float32.", stacklevel=3
                )
            arrays.append(array.astype("float32"))
        return tuple(T.to_tensor(np.array(array)) for array in np.broadcast_arrays(*arrays))

    def _single_parameters(self, *args: Any) -> list[Any]:
        """Parameters as tensors, of float32 where they were none."""
        values = [float(arg) if isinstance(arg, int) else arg for arg in args]
        return values if self._validate_args(*values) else list(self._to_tensor(*values))

    def _parameters(self, *args: Any) -> tuple[list[Any], bool]:
        """Parameters as tensors, of a float64 array's type where one was given, and whether all were plain numbers."""
        plain = all(isinstance(arg, (int, float)) for arg in args)
        values = [float(arg) if isinstance(arg, int) else arg for arg in args]
        if self._validate_args(*values):
            self.dtype = kind_of(values[0])
            return values, False
        kinds = [arg.dtype for arg in values if isinstance(arg, np.ndarray) and str(arg.dtype) in _DOUBLES]
        self.dtype = str(kinds[0]) if kinds else "float32"
        return [t if self.dtype == "float32" else T.cast(t, self.dtype) for t in self._to_tensor(*values)], plain

    def _check_values_dtype_in_probs(self, param: Any, value: Any) -> Any:
        """The value in the parameter's type, with a warning where it has to be cast."""
        kinds = [kind_of(t) for t in (param, value)]
        if kinds[0] == kinds[1] or kinds[1] not in _DOUBLES or mode.is_static():
            return value
        warnings.warn(
            "dtype of input 'value' needs to be the same as parameters of distribution class. dtype of 'value' will be converted.",
            stacklevel=3,
        )
        return T.cast(value, param.dtype)

    def _probs_to_logits(self, probs: Any, is_binary: bool = False) -> Any:
        """Chances as logits, kept away from 0 and 1."""
        eps = finfo(probs.dtype).eps
        held = T.clip(probs, eps, 1 - eps)
        return T.log(held) - T.log1p(-held) if is_binary else T.log(held)

    def _logits_to_probs(self, logits: Any, is_binary: bool = False) -> Any:
        """Logits as chances."""
        from paddle_compat.nn import functional

        return functional.sigmoid(logits) if is_binary else functional.softmax(logits, axis=-1)


HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)

__getattr__ = missing(__name__)

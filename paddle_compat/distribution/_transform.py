"""The base class of functions of random values."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from paddle_compat.core.errors import type_error
from paddle_compat.distribution import variable
from paddle_compat.distribution.distribution import Distribution, is_tensor, undefined


class Type(enum.Enum):
    """How a transform maps values."""

    BIJECTION = "bijection"
    INJECTION = "injection"
    SURJECTION = "surjection"
    OTHER = "other"

    @classmethod
    def is_injective(cls, _type: Type) -> bool:
        """Whether no two values become one."""
        return _type in (cls.BIJECTION, cls.INJECTION)


class Transform:
    """Base class of functions of random values; a subclass says `_forward`, `_inverse` and a determinant.

    Example:
        >>> import paddle_compat as paddle
        >>> exp = paddle.distribution.ExpTransform()
        >>> exp.forward(paddle.to_tensor([0.0])).tolist()
        [1.0]

    Follows Paddle 2.6.
    """

    _type = Type.INJECTION

    def __init__(self) -> None:
        super().__init__()

    @classmethod
    def _of_class_injective(cls) -> bool:
        return Type.is_injective(cls._type)

    def _is_injective(self) -> bool:
        return self._of_class_injective()

    def __call__(self, input: Any) -> Any:
        """Apply it: to a tensor; to a distribution, whose values it then changes; to a transform, which then follows.

        Args:
            input: a tensor, distribution or transform.
        Returns:
            A tensor, a TransformedDistribution or a ChainTransform.
        Raises:
            TypeError: it is none of these.

        Example:
            >>> import paddle_compat as paddle
            >>> type(paddle.distribution.ExpTransform()(paddle.distribution.Normal(0.0, 1.0))).__name__
            'TransformedDistribution'

        Follows Paddle 2.6.
        """
        if isinstance(input, Distribution):
            from paddle_compat.distribution.transformed_distribution import TransformedDistribution

            return TransformedDistribution(input, [self])
        if isinstance(input, Transform):
            from paddle_compat.distribution.transform import ChainTransform

            return ChainTransform([self, input])
        return self.forward(input)

    def _check(self, name: str, value: Any, needed: int, api: str) -> None:
        if not is_tensor(value):
            raise type_error(name, "a Tensor", value, f"{type(self).__name__}.{api}")
        if len(value.shape) < needed:
            raise ValueError(f"The dimensions of {name}({len(value.shape)}) should be greater than or equal to {needed}")

    def forward(self, x: Any) -> Any:
        """The transformed values.

        Args:
            x: a tensor.
        Returns:
            A tensor.
        Raises:
            TypeError: `x` is no tensor.
            ValueError: it has too few dimensions.
            NotImplementedError: the class has no formula.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.ExpTransform().forward(paddle.to_tensor([0.0])).tolist()
            [1.0]

        Follows Paddle 2.6.
        """
        self._check("x", x, self._domain.event_rank, "forward")
        return self._forward(x)

    def inverse(self, y: Any) -> Any:
        """The values that become `y`.

        Args:
            y: a tensor.
        Returns:
            A tensor; of AbsTransform, two.
        Raises:
            TypeError: `y` is no tensor.
            ValueError: it has too few dimensions.
            NotImplementedError: the class has no formula.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.ExpTransform().inverse(paddle.to_tensor([1.0])).tolist()
            [0.0]

        Follows Paddle 2.6.
        """
        self._check("y", y, self._codomain.event_rank, "inverse")
        return self._inverse(y)

    def forward_log_det_jacobian(self, x: Any) -> Any:
        """The logarithm of the absolute determinant of the Jacobian.

        Args:
            x: a tensor.
        Returns:
            A tensor.
        Raises:
            TypeError: `x` is no tensor.
            ValueError: it has too few dimensions.
            NotImplementedError: two values may become one, or the class has no formula.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.ExpTransform().forward_log_det_jacobian(paddle.to_tensor([2.0])).tolist()
            [2.0]

        Follows Paddle 2.6.
        """
        self._check("x", x, self._domain.event_rank, "forward_log_det_jacobian")
        if not self._is_injective():
            raise undefined(self, "forward_log_det_jacobian(): two values may become one")
        return self._call_forward_log_det_jacobian(x)

    def inverse_log_det_jacobian(self, y: Any) -> Any:
        """The logarithm of the absolute determinant of the inverse's Jacobian.

        Args:
            y: a tensor.
        Returns:
            A tensor; of AbsTransform, two.
        Raises:
            TypeError: `y` is no tensor.
            ValueError: it has too few dimensions.
            NotImplementedError: the class has no formula.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.AbsTransform().inverse_log_det_jacobian(paddle.to_tensor([2.0]))[0].item()
            0.0

        Follows Paddle 2.6.
        """
        self._check("y", y, self._codomain.event_rank, "inverse_log_det_jacobian")
        return self._call_inverse_log_det_jacobian(y)

    def _shape(self, shape: Any, api: str) -> Any:
        if not isinstance(shape, Sequence):
            raise type_error("shape", "Sequence[int], a list or tuple of ints", shape, f"{type(self).__name__}.{api}")
        return shape

    def forward_shape(self, shape: Any) -> Any:
        """The shape of what values of a shape become.

        Args:
            shape: a list or tuple of ints.
        Returns:
            A shape.
        Raises:
            TypeError: `shape` is no list.
            ValueError: no value has the shape.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.StickBreakingTransform().forward_shape((2, 3))
            (2, 4)

        Follows Paddle 2.6.
        """
        return self._forward_shape(self._shape(shape, "forward_shape"))

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of values that become those of a shape.

        Args:
            shape: a list or tuple of ints.
        Returns:
            A shape.
        Raises:
            TypeError: `shape` is no list.
            ValueError: no value becomes one of the shape.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.StickBreakingTransform().inverse_shape((2, 3))
            (2, 2)

        Follows Paddle 2.6.
        """
        return self._inverse_shape(self._shape(shape, "inverse_shape"))

    @property
    def _domain(self) -> variable.Variable:
        return variable.real

    @property
    def _codomain(self) -> variable.Variable:
        return variable.real

    def _forward(self, x: Any) -> Any:
        raise undefined(self, "forward()")

    def _inverse(self, y: Any) -> Any:
        raise undefined(self, "inverse()")

    def _call_forward_log_det_jacobian(self, x: Any) -> Any:
        if hasattr(self, "_forward_log_det_jacobian"):
            return self._forward_log_det_jacobian(x)
        if hasattr(self, "_inverse_log_det_jacobian"):
            return -self._inverse_log_det_jacobian(self.forward(x))
        raise undefined(self, "_forward_log_det_jacobian() or _inverse_log_det_jacobian()")

    def _call_inverse_log_det_jacobian(self, y: Any) -> Any:
        if hasattr(self, "_inverse_log_det_jacobian"):
            return self._inverse_log_det_jacobian(y)
        if hasattr(self, "_forward_log_det_jacobian"):
            return -self._forward_log_det_jacobian(self._inverse(y))
        raise undefined(self, "_forward_log_det_jacobian() or _inverse_log_det_jacobian()")

    def _forward_shape(self, shape: Any) -> Any:
        return shape

    def _inverse_shape(self, shape: Any) -> Any:
        return shape

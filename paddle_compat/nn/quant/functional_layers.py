"""`paddle.nn.quant.functional_layers`: functions as layers, so that what goes into them can be replaced and observed."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.nn.layer.layers import Layer


class FloatFunctionalLayer(Layer):
    """What a function becomes."""

    def __init__(self) -> None:
        super().__init__()


class add(FloatFunctionalLayer):
    """x + y."""

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        """The sum."""
        return T.add(x, y, name=name)


class subtract(FloatFunctionalLayer):
    """x - y."""

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        """The difference."""
        return T.subtract(x, y, name=name)


class multiply(FloatFunctionalLayer):
    """x * y."""

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        """The product."""
        return T.multiply(x, y, name=name)


class divide(FloatFunctionalLayer):
    """x / y."""

    def forward(self, x: Any, y: Any, name: str | None = None) -> Any:
        """The quotient."""
        return T.divide(x, y, name=name)


class reshape(FloatFunctionalLayer):
    """x in another shape."""

    def forward(self, x: Any, shape: Any, name: str | None = None) -> Any:
        """The same numbers in another shape."""
        return T.reshape(x, shape, name=name)


class transpose(FloatFunctionalLayer):
    """x with its dimensions in another order."""

    def forward(self, x: Any, perm: Any, name: str | None = None) -> Any:
        """The same numbers with the dimensions in the order of `perm`."""
        return T.transpose(x, perm, name=name)


class concat(FloatFunctionalLayer):
    """Several tensors as one."""

    def forward(self, x: Any, axis: int = 0, name: str | None = None) -> Any:
        """The tensors of a list one behind the other."""
        return T.concat(x, axis, name=name)


class flatten(FloatFunctionalLayer):
    """x with some dimensions as one."""

    def forward(self, x: Any, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Any:
        """The same numbers with the dimensions from one to another as one."""
        return T.flatten(x, start_axis, stop_axis, name=name)


class matmul(FloatFunctionalLayer):
    """The matrix product."""

    def forward(self, x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None) -> Any:
        """The product of two matrices, or of the last two dimensions."""
        return T.matmul(x, y, transpose_x, transpose_y, name=name)


__all__: list[str] = []

__getattr__ = missing(__name__)

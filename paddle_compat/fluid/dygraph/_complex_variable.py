"""`ComplexVariable`: the complex values of Paddle 1.8's eager mode."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.op import definition_of
from paddle_compat.fluid.dygraph import _eager
from paddle_compat.fluid.dygraph._varbase import VarBase


class _AnyComplex(type):
    """Every complex VarBase is an instance of `ComplexVariable`, whoever made it."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, VarBase) and issubclass(type(instance), VarBase) and instance._t.is_complex()


class ComplexVariable(metaclass=_AnyComplex):
    """A complex value from its two parts; Paddle 1.8 keeps the pair, ours is one VarBase of complex64 or complex128.

    Args:
        real, imag (VarBase): the parts, of one shape, float32 or float64.
    Raises:
        AssertionError: they have different shapes.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     real, imag = (fluid.dygraph.to_variable(np.array([number], "float32")) for number in (3.0, 1.0))
        ...     value = fluid.ComplexVariable(real, imag)
        ...     value.numpy().tolist(), value.imag.numpy().tolist(), isinstance(value, fluid.ComplexVariable)
        ([(3+1j)], [1.0], True)

    Follows Paddle 1.8.
    """

    def __new__(cls, real: Any, imag: Any) -> Any:
        if list(real.shape) != list(imag.shape):
            raise failed_assertion("imag", f"shape {list(real.shape)}, that of the real part", list(imag.shape), "ComplexVariable")
        return _eager.run(definition_of("complex"), (real, imag), {})


__all__ = ["ComplexVariable"]

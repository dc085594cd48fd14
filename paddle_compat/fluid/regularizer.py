"""`paddle.fluid.regularizer`: decay of parameters, added to their gradients, as Paddle 1.8 does it."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.regularizer import WeightDecayRegularizer


class _Decay(WeightDecayRegularizer):
    def __init__(self, regularization_coeff: float = 0.0) -> None:
        if regularization_coeff is None:
            raise AssertionError("Invalid value for argument `regularization_coeff`. Expected a float. Received: None")
        self._regularization_coeff = regularization_coeff

    def _variable(self, param: Any, block: Any) -> Any:
        return block._add_var(dtype=param.dtype, shape=param.shape, lod_level=param.lod_level)

    def _append_scale(self, block: Any, source: Any, out: Any) -> Any:
        attrs = {"scale": self._regularization_coeff}
        block.append_op(type="scale", inputs={"X": [source]}, outputs={"Out": [out]}, attrs=attrs)
        return out


class L2DecayRegularizer(_Decay):
    """The gradient of coefficient / 2 * sum(parameter^2).

    Args:
        regularization_coeff (float): the coefficient.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> print(fluid.regularizer.L2Decay(0.1))
        L2Decay, regularization_coeff=0.100000

    Follows Paddle 1.8.
    """

    def __call__(self, param: Any, grad: Any, block: Any) -> Any:
        """The decay term of a parameter: an operator appended to the block, or in eager mode a Tensor."""
        if block is None:
            return Tensor(param._t.detach() * self._regularization_coeff)
        return self._append_scale(block, param, self._variable(param, block))

    def __str__(self) -> str:
        return f"L2Decay, regularization_coeff={self._regularization_coeff:f}"


class L1DecayRegularizer(_Decay):
    """The gradient of coefficient * sum(|parameter|).

    Args:
        regularization_coeff (float): the coefficient.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> print(fluid.regularizer.L1Decay(0.1))
        L1Decay, regularization_coeff=0.100000

    Follows Paddle 1.8.
    """

    def __call__(self, param: Any, grad: Any, block: Any) -> Any:
        """The decay term of a parameter: operators appended to the block, or in eager mode a Tensor."""
        if block is None:
            return Tensor(param._t.detach().sign() * self._regularization_coeff)
        decay = self._variable(param, block)
        block.append_op(type="sign", inputs={"X": [param]}, outputs={"Out": [decay]})
        return self._append_scale(block, decay, decay)

    def __str__(self) -> str:
        return f"L1Decay, regularization_coeff={self._regularization_coeff:f}"


def append_regularization_ops(parameters_and_grads: list[Any], regularization: Any = None) -> list[Any]:
    """Add the decay of regularizers to gradients.

    Args:
        parameters_and_grads: pairs of parameter and gradient.
        regularization: the regularizer of parameters that have none of their own.
    Returns:
        The pairs with the new gradients.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1, bias_attr=False))
        ...     pairs = fluid.backward.append_backward(loss)
        ...     _ = fluid.regularizer.append_regularization_ops(pairs, fluid.regularizer.L2Decay(0.1))
        >>> [op.type for op in loss.block.ops[-2:]]
        ['scale', 'sum']

    Follows Paddle 1.8.
    """
    from paddle_compat.fluid.optimizer import SGD  # which imports this module

    return SGD(0.0).append_regularization_ops(parameters_and_grads, regularization)


L1Decay = L1DecayRegularizer
L2Decay = L2DecayRegularizer

__all__ = ["L1Decay", "L1DecayRegularizer", "L2Decay", "L2DecayRegularizer", "append_regularization_ops"]

__getattr__ = missing(__name__)

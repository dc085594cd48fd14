"""Losses as layers."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import invalid_argument
from paddle_compat.fluid import layers
from paddle_compat.fluid.dygraph.layers import Layer
from paddle_compat.fluid.layers._record import run


class _Loss(Layer):
    def _start(self, reduction: str, checked: bool = True) -> None:
        if checked and reduction not in ("sum", "mean", "none"):
            raise invalid_argument("reduction", "'sum', 'mean' or 'none'", reduction, type(self).__name__)
        super().__init__()
        self.reduction = reduction

    def _reduced(self, value: Any) -> Any:
        if self.reduction == "none":
            return value
        return layers.reduce_sum(value) if self.reduction == "sum" else layers.reduce_mean(value)


class BCELoss(_Loss):
    """Cross entropy of chances and labels of 0 and 1.

    Args:
        weight (VarBase): what each element's loss is multiplied with; None: 1.
        reduction (str): "mean", "sum" or "none".
    Raises:
        InvalidArgumentError: reduction is none of these.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x, label = (fluid.dygraph.to_variable(np.array([n], "float32")) for n in (0.5, 1.0))
        ...     fluid.dygraph.BCELoss()(x, label).numpy().round(4).tolist()
        [0.6930999755859375]

    Follows Paddle 1.8.
    """

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        self._start(reduction)
        self.weight = weight

    def forward(self, input: Any, label: Any) -> Any:
        """The loss.

        Args:
            input (VarBase): chances.
            label (VarBase): 0 or 1, of the same shape and data type.
        Returns:
            VarBase.
        """
        out = run("bce_loss", input, label)
        if self.weight is not None:
            out = run("elementwise_mul", out, self.weight, axis=-1)
        return self._reduced(out)


class L1Loss(_Loss):
    """Distances of elements.

    Args:
        reduction (str): "mean", "sum" or "none".
    Raises:
        InvalidArgumentError: reduction is none of these.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x, label = (fluid.dygraph.to_variable(np.array([n], "float32")) for n in (0.5, 2.0))
        ...     fluid.dygraph.L1Loss()(x, label).numpy().tolist()
        [1.5]

    Follows Paddle 1.8.
    """

    def __init__(self, reduction: str = "mean") -> None:
        self._start(reduction)

    def forward(self, input: Any, label: Any) -> Any:
        """The loss.

        Args:
            input, label (VarBase): of one shape.
        Returns:
            VarBase.
        """
        return self._reduced(layers.abs(run("elementwise_sub", input, label, axis=-1)))


class MSELoss(_Loss):
    """Squares of distances of elements.

    Args:
        reduction (str): "mean", "sum" or "none".
    Raises:
        InvalidArgumentError: reduction is none of these.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x, label = (fluid.dygraph.to_variable(np.array([n], "float32")) for n in (0.5, 2.0))
        ...     fluid.dygraph.MSELoss()(x, label).numpy().tolist()
        [2.25]

    Follows Paddle 1.8.
    """

    def __init__(self, reduction: str = "mean") -> None:
        self._start(reduction)

    def forward(self, input: Any, label: Any) -> Any:
        """The loss.

        Args:
            input, label (VarBase): of one shape.
        Returns:
            VarBase.
        """
        return self._reduced(layers.square(run("elementwise_sub", input, label, axis=-1)))


class NLLLoss(_Loss):
    """Minus the logarithm of the true class's chance.

    Args:
        weight (VarBase): a weight for each class; None: 1.
        reduction (str): "mean" (by weight), "sum" or "none".
        ignore_index (int): a label that gives no loss.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(np.array([[-1.0, -2.0]], "float32"))
        ...     fluid.dygraph.NLLLoss()(x, fluid.dygraph.to_variable(np.array([1]))).numpy().tolist()
        [2.0]

    Follows Paddle 1.8.
    """

    def __init__(self, weight: Any = None, reduction: str = "mean", ignore_index: int = -100) -> None:
        self._start(reduction, checked=False)
        self.weight, self.ignore_index = weight, ignore_index

    def forward(self, input: Any, label: Any) -> Any:
        """The loss.

        Args:
            input (VarBase): logarithms of chances, [N, C] or [N, C, ...].
            label (VarBase): true classes, [N] or [N, ...].
        Returns:
            VarBase.
        Raises:
            InvalidArgumentError: reduction is none of these.
        """
        if self.reduction not in ("mean", "sum", "none"):
            raise invalid_argument("reduction", "'sum', 'mean' or 'none'", self.reduction, "NLLLoss")
        shape = list(input.shape)
        if len(shape) > 2 and len(shape) != 4:
            rest = shape[2:]
            input = layers.reshape(input, [shape[0], shape[1], 1, -1])
            label = layers.reshape(label, [shape[0], 1, -1])
        else:
            rest = []
        found = run("nll_loss", input, label, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)
        out = found[0] if isinstance(found, tuple) else found
        return layers.reshape(out, [shape[0], *rest]) if rest and self.reduction == "none" else out


__all__ = ["BCELoss", "L1Loss", "MSELoss", "NLLLoss"]

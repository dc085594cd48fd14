"""`paddle.fluid.dygraph.tracer`: what runs operators in eager mode."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core import grad_mode
from paddle_compat.fluid.dygraph import _eager


class Tracer:
    """Runs operators given by their slots.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid import core
        >>> with fluid.dygraph.guard():
        ...     x, out = fluid.dygraph.to_variable(np.array([-1.0, 1.0])), core.VarBase()
        ...     fluid.framework._dygraph_tracer().trace_op("relu", {"X": [x]}, {"Out": [out]}, {})
        ...     out.numpy()
        array([0., 1.])

    Follows Paddle 1.8.
    """

    def trace_op(self, type: str, inputs: Any, outputs: Any, attrs: Any, stop_gradient: bool = False) -> None:
        """Run an operator and fill its outputs.

        Args:
            type (str): the operator's type.
            inputs, outputs (dict): slot -> values.
            attrs (dict): Paddle's attributes.
            stop_gradient (bool): gradients stop at the outputs.
        """
        with torch.set_grad_enabled(torch.is_grad_enabled() and not stop_gradient):
            _eager.trace(type, inputs, outputs, attrs)

    def train_mode(self) -> None:
        """Gradients from here on.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fluid.framework._dygraph_tracer().train_mode()
        """
        grad_mode.set_enabled(True)

    def eval_mode(self) -> None:
        """No gradients from here on, and layers behave as when testing.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fluid.framework._dygraph_tracer().eval_mode()
            ...     fluid.layers.dropout(fluid.dygraph.to_variable(np.ones([1])), 0.25).numpy()
            array([0.75])
        """
        grad_mode.set_enabled(False)

    @property
    def _train_mode(self) -> bool:
        return torch.is_grad_enabled()

    @_train_mode.setter
    def _train_mode(self, value: bool) -> None:
        grad_mode.set_enabled(value)


TRACER = Tracer()

__all__ = ["Tracer"]

__getattr__ = missing(__name__)

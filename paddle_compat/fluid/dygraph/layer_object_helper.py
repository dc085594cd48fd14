"""`paddle.fluid.dygraph.layer_object_helper`: a LayerHelper that belongs to a layer."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.object_helper import ObjectHelper
from paddle_compat.fluid.layer_helper import LayerHelper


class LayerObjectHelper(ObjectHelper, LayerHelper):
    """What a layer that is an object needs to make parameters and to call operators.

    Args:
        name (str): the layer's full name.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.dygraph.layer_object_helper import LayerObjectHelper
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(np.array([-1.0, 1.0]))
        ...     LayerObjectHelper("mine_0").append_activation(x, act="relu").numpy()
        array([0., 1.])
        >>> LayerObjectHelper("mine_0").is_instance("relu", str)

    Follows Paddle 1.8.
    """

    def append_activation(self, input_var: Any, act: str | None = None, use_cudnn: Any = None, use_mkl_dnn: Any = None) -> Any:
        """The activation of that name.

        Args:
            input_var: what it is applied to.
            act (str): its name; None for none.
            use_cudnn, use_mkl_dnn (bool): of no effect.
        Returns:
            The result; `input_var` itself without an activation.
        Raises:
            TypeError: `act` is no name.
        """
        return super().append_activation(input_var, act, use_cudnn)


__all__ = ["LayerObjectHelper"]

__getattr__ = missing(__name__)

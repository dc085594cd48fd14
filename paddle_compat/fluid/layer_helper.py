"""`paddle.fluid.layer_helper`: the LayerHelper that writes Programs as Paddle 1.8 does."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.layer_helper import LayerHelper as _LayerHelper


class LayerHelper(_LayerHelper):
    """What a layer needs to name variables, create parameters and append operators, as Paddle 1.8 does.

    Args:
        layer_type (str): the prefix of the names.
        kwargs: the layer's own arguments; `name`, `param_attr`, `bias_attr`, `act`, `input` are read.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layer_helper import LayerHelper
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     helper = LayerHelper("mine", act="relu")
        ...     helper.append_activation(fluid.data("x", [None, 2])).name
        'mine_0.tmp_0'

    Follows Paddle 1.8.
    """

    def __init__(self, layer_type: str, **kwargs: Any) -> None:
        super().__init__(layer_type, age=1, **kwargs)


__all__ = ["LayerHelper"]

__getattr__ = missing(__name__)

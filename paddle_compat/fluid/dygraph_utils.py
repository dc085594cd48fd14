"""`paddle.fluid.dygraph_utils`: an activation by its name, and a bias."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.op import definition_of, find_op
from paddle_compat.fluid.dygraph import _eager


def _append_activation_in_dygraph(input: Any, act: str | None = None, use_cudnn: Any = None, use_mkldnn: Any = None) -> Any:
    """The activation of that name of a value; the value itself where the name is None."""
    if act is None:
        return input
    activation = find_op(act)
    if activation is None:
        raise AttributeError(f"Invalid value for argument `act`. Expected the name of an activation. Received: {act!r}")
    return _eager.run(activation, (input,), {})


def _append_bias_in_dygraph(input: Any, bias: Any = None, axis: int = 1) -> Any:
    """The sum of a value and a bias; the value itself where there is none."""
    addition = definition_of("elementwise_add")
    return input if bias is None else _eager.run(addition, (input, bias), {"axis": axis})


__all__: list[str] = []

__getattr__ = missing(__name__)

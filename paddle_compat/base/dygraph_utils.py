"""`paddle.base.dygraph_utils`: an activation by its name."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base.framework import dygraph_only
from paddle_compat.core.op import find_op


@dygraph_only
def _append_activation_in_dygraph(input: Any, act: str | None = None, use_cudnn: Any = None, use_mkldnn: Any = None) -> Any:
    """The activation of that name of a Tensor; the Tensor itself where the name is None."""
    activation = None if act is None else find_op(act)
    return input if activation is None else activation(input)


__all__: list[str] = []

__getattr__ = missing(__name__)

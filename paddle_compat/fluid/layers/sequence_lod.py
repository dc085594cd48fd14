"""`fluid.layers.sequence_lod`: the layers on sequences, which Paddle 2.x kept as they were."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import DTypeLike
from paddle_compat.core.tensor import Tensor
from paddle_compat.fluid.layers._record import dtype_number, run
from paddle_compat.static.nn import sequence_lod as modern
from paddle_compat.static.nn.sequence_lod import (
    sequence_concat,
    sequence_conv,
    sequence_enumerate,
    sequence_expand,
    sequence_expand_as,
    sequence_first_step,
    sequence_last_step,
    sequence_pad,
    sequence_pool,
    sequence_reshape,
    sequence_reverse,
    sequence_scatter,
    sequence_slice,
    sequence_softmax,
    sequence_unpad,
)


def sequence_mask(x: Any, maxlen: Any = None, dtype: DTypeLike = "int64", name: str | None = None) -> Any:
    """Ones up to each length, zeros behind.

    Args:
        x (Variable): lengths, of any shape.
        maxlen (int|Variable): size of the new last dimension; None: the largest length.
        dtype: data type of the result.
        name (str): prefix of the names.
    Returns:
        Variable of one dimension more.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     fluid.layers.sequence_mask(fluid.dygraph.to_variable(np.array([1, 3])), maxlen=3).numpy().tolist()
        [[1, 0, 0], [1, 1, 1]]

    Follows Paddle 1.8.
    """
    if not isinstance(x, Tensor):
        return modern.sequence_mask(x, maxlen, dtype, name)
    if isinstance(maxlen, Tensor):
        return run("sequence_mask", x, maxlen, out_dtype=dtype_number(dtype))
    return run("sequence_mask", x, out_dtype=dtype_number(dtype), maxlen=-1 if maxlen is None else maxlen)


__all__ = [
    "sequence_concat", "sequence_conv", "sequence_enumerate", "sequence_expand", "sequence_expand_as",
    "sequence_first_step", "sequence_last_step", "sequence_mask", "sequence_pad", "sequence_pool", "sequence_reshape",
    "sequence_reverse", "sequence_scatter", "sequence_slice", "sequence_softmax", "sequence_unpad",
]  # fmt: skip

__getattr__ = missing(__name__)

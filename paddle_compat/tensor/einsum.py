"""Sums of products in Einstein's notation."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.ops import linalg as ops
from paddle_compat.tensor._calls import COMPLEX, check, helper_of, static


def einsum(equation: str, *operands: Any) -> Any:
    """The sum of products of operands over the letters that the output does not name.

    Args:
        equation: for example "ij,jk->ik"; "..." stands for dimensions that broadcast.
        operands: as many tensors of float32 or float64.
    Returns:
        A tensor.
    Raises:
        ValueError: the equation does not fit the operands.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.einsum("ij,jk->ik", paddle.ones([2, 3]), paddle.ones([3, 1])).tolist()
        [[3.0], [3.0]]

    Follows Paddle 2.6.
    """
    tensors = list(operands[0]) if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else list(operands)
    equation = equation.replace(" ", "")
    left, arrow, right = equation.partition("->")
    parts = left.split(",")
    if len(parts) != len(tensors):
        raise failed_assertion("operands", f"{len(parts)} tensors", len(tensors), "einsum")
    for part, value in zip(parts, tensors):
        bare = part.replace("...", "", 1)
        if bare and not (bare.isascii() and bare.isalpha()):
            raise failed_assertion("equation", "letters, and ... once for each operand", equation, "einsum")
        if bare == part and len(part) != len(value.shape):
            raise failed_assertion("equation", f"{len(value.shape)} letters for an operand of that many dimensions", part, "einsum")
    if not arrow:
        letters = left.replace("...", "").replace(",", "")
        once = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
        right = ("..." if "..." in left else "") + once
    for value in tensors:
        check(value, "dtype", "einsum", ("float32", "float64", *(COMPLEX if not static(value) else ())))
    equation = f"{left}->{right}"
    if not static(*tensors):
        return ops.einsum(tensors, equation=equation)
    helper: LayerHelper = helper_of("einsum")
    out = helper.create_variable_for_type_inference(tensors[0].dtype)
    caches, shapes = ([helper.create_variable_for_type_inference(v.dtype) for v in tensors] for _ in range(2))
    outputs = {"Out": out, "InnerCache": caches, "XShape": shapes}
    return ops.einsum(tensors, equation=equation, _helper=helper, _outputs=outputs)


__all__ = ["einsum"]

__getattr__ = missing(__name__)

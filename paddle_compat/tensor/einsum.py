"""Sums of products in Einstein's notation."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import FailedAssertionError
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
        AssertionError: the equation is none, or is one for other operands.
        ValueError: the operands' dimensions do not fit one another.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.einsum("ij,jk->ik", paddle.ones([2, 3]), paddle.ones([3, 1])).tolist()
        [[3.0], [3.0]]

    Follows Paddle 2.6.
    """
    tensors = list(operands[0]) if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else list(operands)
    equation = equation.replace(" ", "")
    left, arrow, right = equation.partition("->")
    _check_equation(equation, tensors)
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


def _check_equation(equation: str, tensors: list[Any]) -> None:
    """Refuse what is no equation for these operands, in the words that Paddle's tests look for."""
    if not tensors:
        raise FailedAssertionError("Required at least one operand in Einsum API, but received 0. Expected a tensor for each label.")
    if equation.count("->") > 1:
        raise _wrong("multiple `->` were found", equation)
    left, arrow, right = equation.partition("->")
    parts = left.split(",")
    if len(parts) != len(tensors):
        raise _wrong(f"the number of operands is {len(tensors)}, but found {len(parts)} segments in the label equation", equation)
    for part, value in zip(parts, tensors):
        bare = part.replace("...", "", 1)
        if "." in bare:
            raise _wrong("`.` is found outside of an ellipsis", equation)
        for label in bare:
            if not (label.isascii() and label.isalpha()):
                raise _wrong(f"{label} is not a valid label, which should be letters", equation)
        if bare == part and len(part) < len(value.shape):
            raise _wrong(f"the label string '{part}' misses dimensions", equation)
        if bare == part and len(part) > len(value.shape):
            raise _wrong(f"the label string '{part}' has more labels than the operand's {len(value.shape)} dimensions", equation)
    if arrow and "..." in left and "..." not in right:
        raise _wrong("missing ellipsis in output labels", equation)


def _wrong(words: str, equation: str) -> FailedAssertionError:
    return FailedAssertionError(f"Invalid equation: {words}. Received: {equation!r}")


__all__ = ["einsum"]

__getattr__ = missing(__name__)

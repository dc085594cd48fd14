"""The different values of a tensor."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType, convert_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.paddle3 import SINCE_3, paddle3, placed
from paddle_compat.ops import search as search_ops
from paddle_compat.tensor._calls import INTS, NUMBERS, check, ended, helper_of, named, need, plain, static
from paddle_compat.tensor._reshape import flatten


@placed("sorted name")
@direct(
    "x",
    "torch._unique2(x_, True, False, False)[0]",
    "sorted is True and axis is None and dtype == 'int64' and return_index is False and return_inverse is False "
    "and return_counts is False and x_.dtype in NUMERIC and not x_.requires_grad",
    kind="x_.dtype",
)
def unique(
    x: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
    name: str | None = None,
    *,
    sorted: bool = True,
) -> Any:
    """The different values of x, in order, or its different slices along a dimension.

    Args:
        x: a tensor of numbers.
        return_index: also where each first occurs.
        return_inverse: also the number of its value for each element.
        return_counts: also how often each occurs.
        axis: the dimension; None: x counts as flat.
        dtype: int32 or int64, of the positions.
        name: prefix of the outputs' names.
        sorted: whether they have to be in order, which they are in any case.
    Returns:
        A tensor, or a tuple of what was asked for.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.unique(paddle.to_tensor([2, 1, 2])).tolist()
        [1, 2]

    Follows Paddle 2.6.
    """
    check(x, "x", "unique", NUMBERS)
    for flag, label in ((return_index, "return_index"), (return_inverse, "return_inverse"), (return_counts, "return_counts")):
        need(flag, label, "unique", bool)
    target = convert_dtype(dtype)
    if target not in (VarType.INT32, VarType.INT64):
        raise type_error("dtype", "int32 or int64", dtype, "unique")
    attrs: dict[str, Any] = {"dtype": int(target), "axis": [] if axis is None else [plain(axis)], "is_sorted": True}
    attrs.update(return_index=return_index, return_inverse=return_inverse, return_counts=return_counts)
    outputs = None
    helper = named("unique", name)
    if static(x):
        helper = helper_of("unique", name)
        kinds = {"Out": x.dtype, "Indices": target, "Index": target, "Counts": target}
        outputs = {slot: ended(helper.create_variable_for_type_inference(kind)) for slot, kind in kinds.items()}
    found = search_ops.unique(x, _helper=helper, _outputs=outputs, **attrs)
    if SINCE_3 and 0 in x.shape and axis is None and not static(x):  # nothing has a gradient there
        found = (flatten(x), *found[1:])
    wanted = [found[0]] + [v for v, keep in zip(found[1:], (return_index, return_inverse, return_counts)) if keep]
    return wanted[0] if len(wanted) == 1 else tuple(wanted)


@paddle3(input="x", dim="axis")
def unique_consecutive(
    x: Any,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
    name: str | None = None,
) -> Any:
    """x with runs of equal values (or slices) cut to one.

    Args:
        x: a tensor of numbers.
        return_inverse: also the number of its value for each element.
        return_counts: also how long each run is.
        axis: the dimension; None: x counts as flat.
        dtype: int32 or int64, of the positions.
        name: prefix of the outputs' names.
    Returns:
        A tensor, or a tuple of what was asked for.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.unique_consecutive(paddle.to_tensor([1, 1, 2, 1])).tolist()
        [1, 2, 1]

    Follows Paddle 2.6.
    """
    check(x, "input", "unique_consecutive", INTS + ("float32", "float64"))
    target = convert_dtype(dtype)
    if target not in (VarType.INT32, VarType.INT64):
        raise type_error("dtype", "int32 or int64", dtype, "unique_consecutive")
    need(return_inverse, "return_inverse", "unique_consecutive", bool)
    need(return_counts, "return_counts", "unique_consecutive", bool)
    attrs: dict[str, Any] = {"dtype": int(target), "axis": [] if axis is None else [axis]}
    attrs.update(return_inverse=return_inverse, return_counts=return_counts)
    outputs = None
    helper = named("unique_consecutive", name)
    if static(x):
        helper = helper_of("unique_consecutive", name)
        kinds = {"Out": x.dtype, "Index": target, "Counts": target}
        outputs = {slot: ended(helper.create_variable_for_type_inference(kind)) for slot, kind in kinds.items()}
    found = search_ops.unique_consecutive(x, _helper=helper, _outputs=outputs, **attrs)
    wanted = [found[0]] + [v for v, keep in zip(found[1:], (return_inverse, return_counts)) if keep]
    return wanted[0] if len(wanted) == 1 else tuple(wanted)


__all__ = ["unique", "unique_consecutive"]

"""`fluid.layers.nn`: parts of tensors, and margins around them."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import mode as running
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import is_variable, layer, run
from paddle_compat.fluid.layers._reshape import dimension
from paddle_compat.fluid.layers._shapes import tensors_in


@layer
def slice(input: Variable, axes: list[int], starts: Any, ends: Any) -> Variable:
    """A part of some dimensions.

    Args:
        input: a Variable.
        axes: which dimensions.
        starts, ends: the bounds in each, lists of ints and Variables, or int32 Variables; negative ones count from the end.
    Returns:
        Variable.
    Raises:
        ValueError: axes, starts or ends are neither list, tuple nor Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.slice(fluid.data("x", [4, 5, 6]), axes=[0, 2], starts=[-3, 0], ends=[3, 2]).shape
        (2, 5, 2)

    Follows Paddle 1.8.
    """
    for argument, value in (("starts", starts), ("ends", ends)):
        if not is_variable(value) and not isinstance(value, (list, tuple)):
            raise ValueError(f"Invalid value for argument `{argument}` of `slice`. Expected list, tuple or Variable. Received: {value!r}")
    helper = LayerHelper("slice")
    begins, ends_, attrs = _bounds(helper, len(axes), starts=starts, ends=ends)
    return run("slice", input, begins[0], ends_[0], begins[1], ends_[1], helper=helper, axes=list(axes), **attrs)


@layer
def strided_slice(input: Variable, axes: list[int], starts: Any, ends: Any, strides: Any) -> Variable:
    """A part of some dimensions, every so many elements.

    Args:
        input: a Variable.
        axes: which dimensions.
        starts, ends, strides: bounds and steps in each, lists of ints and Variables, or int32 Variables.
    Returns:
        Variable.
    Raises:
        TypeError: axes, starts, ends or strides are neither list, tuple nor Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.strided_slice(fluid.data("x", [3, 4, 6]), [1, 2], [0, 0], [3, 6], [1, 2]).shape
        (3, 3, 3)

    Follows Paddle 1.8.
    """
    for argument, value in (("axes", axes), ("starts", starts), ("ends", ends), ("strides", strides)):
        if not isinstance(value, (list, tuple)) and not (is_variable(value) and argument != "axes"):
            raise type_error(argument, "list, tuple or Variable", value, "strided_slice")
    helper = LayerHelper("strided_slice")
    begins, stops, steps, attrs = _bounds(helper, len(axes), starts=starts, ends=ends, strides=strides)
    inputs = (begins[0], stops[0], steps[0], begins[1], stops[1], steps[1])
    return run("strided_slice", input, *inputs, helper=helper, axes=list(axes), **attrs)


def _bounds(helper: LayerHelper, count: int, **bounds: Any) -> list[Any]:
    """For each bound its Variable and list of Variables; at last the attributes."""
    found: list[Any] = []
    attrs: dict[str, Any] = {"infer_flags": [1] * count}
    one_for_all = -1 if "strides" not in bounds else 1
    for attribute, value in bounds.items():
        tensor, tensors, sizes = tensors_in(value, dimension(helper))
        attrs[attribute] = sizes or []
        if tensor is not None:
            attrs["infer_flags"] = [one_for_all] * count
        for i, size in enumerate(value if tensors else []):
            if is_variable(size):
                attrs["infer_flags"][i] = -1
        found.append((tensor, tensors))
    return [*found, attrs]


@layer
def crop(x: Variable, shape: Any = None, offsets: Any = None, name: str | None = None) -> Variable:
    """A part of a given shape.

    Args:
        x: a float32 Variable.
        shape: the part's shape, a list of ints, or a Variable that has this shape.
        offsets: where it starts, a list of ints or a Variable; None: at 0.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        ValueError: shape is neither.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.crop(fluid.data("x", [3, 5]), shape=[2, 2], offsets=[0, 1]).shape
        (2, 2)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("crop", name=name)
    if not isinstance(shape, (list, tuple)) and not is_variable(shape):
        raise ValueError(f"Invalid value for argument `shape` of `crop`. Expected list, tuple or Variable. Received: {shape!r}")
    offsets = [0] * len(x.shape) if offsets is None else offsets
    other = shape if is_variable(shape) else None
    attrs: dict[str, Any] = {} if is_variable(shape) else {"shape": list(shape)}
    if is_variable(offsets):
        return run("crop", x, other, offsets, helper=helper, **attrs)
    return run("crop", x, other, helper=helper, offsets=list(offsets), **attrs)


@layer
def crop_tensor(x: Variable, shape: Any = None, offsets: Any = None, name: str | None = None) -> Variable:
    """A part of a given shape.

    Args:
        x: 1 to 6 dimensions.
        shape: the part's shape, a list of ints and Variables, or an int32 Variable; -1: up to the end.
        offsets: where it starts, likewise; None: at 0.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        TypeError: the shape or the offsets are neither list, tuple nor Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.crop_tensor(fluid.data("x", [3, 5]), shape=[2, 2], offsets=[0, 1]).shape
        (2, 2)

    Follows Paddle 1.8.
    """
    for argument, value in (("shape", shape), ("offsets", offsets)):
        if not isinstance(value, (list, tuple)) and not is_variable(value) and not (value is None and argument == "offsets"):
            raise type_error(argument, "list, tuple or Variable", value, "crop_tensor")
    helper = LayerHelper("crop_tensor", name=name)
    outputs = None if running.in_dygraph_mode() else {"Out": helper.create_variable_for_type_inference(x.dtype)}
    start, starts, first = tensors_in([0] * len(x.shape) if offsets is None else offsets, dimension(helper))
    size, parts, sizes = tensors_in(shape, dimension(helper))
    attrs: dict[str, Any] = {"offsets": [-1] * len(x.shape) if first is None else first}
    if sizes is not None:
        attrs["shape"] = [0 if is_variable(s) else s for s in shape] if parts else sizes
    return run("crop_tensor", x, size, start, parts, starts, helper=helper, outputs=outputs, **attrs)


@layer
def pad(x: Variable, paddings: list[int], pad_value: float = 0.0, name: str | None = None) -> Variable:
    """x with a margin around it.

    Args:
        x: a Variable.
        paddings: for each dimension the width before and after.
        pad_value: what the margin holds.
        name: the layer's name.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.pad(fluid.data("x", [3, 5]), paddings=[0, 1, 1, 2]).shape
        (4, 8)

    Follows Paddle 1.8.
    """
    return run("pad", x, name=name, paddings=list(paddings), pad_value=float(pad_value))


@layer
def pad_constant_like(x: Variable, y: Variable, pad_value: float = 0.0, name: str | None = None) -> Variable:
    """y with a margin behind it, up to the shape of x.

    Args:
        x: the Variable with that shape.
        y: as many dimensions, none larger.
        pad_value: what the margin holds.
        name: the layer's name.
    Returns:
        Variable of the shape of x and the data type of y.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.pad_constant_like(fluid.data("x", [3, 5]), fluid.data("y", [2, 4])).shape
        (3, 5)

    Follows Paddle 1.8.
    """
    return run("pad_constant_like", x, y, name=name, pad_value=float(pad_value))


@layer
def pad2d(
    input: Variable,
    paddings: Any = [0, 0, 0, 0],  # noqa: B006 - Paddle's own default
    mode: str = "constant",
    pad_value: float = 0.0,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Variable:
    """Images with a margin around them.

    Args:
        input: [N, C, H, W] or [N, H, W, C].
        paddings: widths at top, bottom, left and right, ints or an int32 Variable.
        mode: the margin holds `pad_value` ("constant"), what is reflected at the border ("reflect"), or the border ("edge").
        pad_value: see mode.
        data_format: "NCHW" or "NHWC".
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        AssertionError: there is no such mode.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.pad2d(fluid.data("x", [None, 3, 4, 4]), paddings=[1, 2, 3, 4]).shape
        (-1, 3, 7, 11)

    Follows Paddle 1.8.
    """
    if mode not in ("constant", "reflect", "edge"):
        raise failed_assertion("mode", "'constant', 'reflect' or 'edge'", mode, "pad2d")
    attrs: dict[str, Any] = {"mode": mode, "pad_value": pad_value, "data_format": data_format}
    if is_variable(paddings):
        return run("pad2d", input, paddings, name=name, paddings=[], **attrs)
    return run("pad2d", input, name=name, paddings=list(paddings), **attrs)


__all__ = ["crop", "crop_tensor", "pad", "pad2d", "pad_constant_like", "slice", "strided_slice"]

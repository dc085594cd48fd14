"""`paddle.static.nn.sequence_*`: layers on sequences of different lengths, the same in `fluid.layers`.

A variable whose `lod_level` is above 0 holds the rows of all sequences one after the other; its LoD says where each
begins.
"""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype
from paddle_compat.core.variable import Variable
from paddle_compat.ops import sequence as ops
from paddle_compat.static.nn._arguments import FLOATS, INTEGERS, NUMBERS, layer, need_type, need_variable, static_only


def sequence_conv(
    input: Variable,
    num_filters: int,
    filter_size: int = 3,
    filter_stride: int = 1,
    padding: bool = True,
    padding_start: int | None = None,
    bias_attr: Any = None,
    param_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Variable:
    """Convolve each sequence over time.

    Args:
        input: [N, D], float, one LoD level.
        num_filters: features of the result, M.
        filter_size: rows that a window has.
        filter_stride: 1.
        padding: kept; beyond a sequence's ends lie zeros either way.
        padding_start: where a window begins, relative to its row; None: ``-(filter_size // 2)``.
        bias_attr, param_attr: ParamAttr of the bias [M] and of the filter [filter_size * D, M]; False for no bias.
        act: activation.
        name: prefix of the names.
    Returns:
        [N, M], with the LoD of `input`.
    Raises:
        TypeError: `input` is no float Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_conv(x, num_filters=2, filter_size=3).shape
        (-1, 2)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_conv")
    need_variable(input, "input", "sequence_conv", FLOATS)
    helper = layer("sequence_conv", input=input, param_attr=param_attr, bias_attr=bias_attr, act=act, name=name)
    shape = [filter_size * input.shape[1], num_filters]
    weight = helper.create_parameter(helper.param_attr, shape, input.dtype)
    start = -int(filter_size // 2) if padding_start is None else padding_start
    windows: dict[str, Any] = {"contextStride": filter_stride, "contextStart": start, "contextLength": filter_size}
    out = ops.sequence_conv(input, None, weight, _helper=helper, **windows)
    return helper.append_activation(helper.append_bias_op(out))


def sequence_softmax(input: Variable, use_cudnn: bool = False, name: str | None = None) -> Variable:
    """Softmax over the rows of each sequence.

    Args:
        input: [N] or [N, 1], float, one LoD level.
        use_cudnn: kept; makes no difference.
        name: prefix of the names.
    Returns:
        A Variable like `input`.
    Raises:
        TypeError: `input` is no float Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 1], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_softmax(x).shape
        (-1, 1)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_softmax")
    need_variable(input, "input", "sequence_softmax", FLOATS)
    out: Variable = ops.sequence_softmax(input, _helper=layer("sequence_softmax", name=name))
    return out


def sequence_pool(input: Variable, pool_type: str, is_test: bool = False, pad_value: float = 0.0) -> Variable:
    """One row for each sequence of the last LoD level.

    Args:
        input: [N, ...], float32, one or two LoD levels.
        pool_type: average, sum, sqrt (the sum over the root of the length), max, last or first.
        is_test: kept; makes no difference.
        pad_value: what an empty sequence gives.
    Returns:
        [number of sequences, ...], with one LoD level less.
    Raises:
        TypeError: `input` is no float Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_pool(x, "average").shape
        (-1, 10)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_pool")
    need_variable(input, "input", "sequence_pool", FLOATS)
    helper = layer("sequence_pool")
    out = helper.create_variable_for_type_inference(input.dtype)
    rows = helper.create_variable_for_type_inference(input.dtype)
    attrs = {"pooltype": pool_type.upper(), "is_test": is_test, "pad_value": pad_value}
    ops.sequence_pool(input, _helper=helper, _outputs={"Out": out, "MaxIndex": rows}, **attrs)
    if pool_type == "max":
        rows.stop_gradient = True
    return out


def sequence_concat(input: list[Variable], name: str | None = None) -> Variable:
    """Join the i-th sequences of all inputs, for each i.

    Args:
        input: Variables [N_k, ...], int64 or float, of equally many sequences and one LoD level.
        name: prefix of the names.
    Returns:
        [sum of N_k, ...], one LoD level.
    Raises:
        TypeError: `input` is no list of such Variables.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10], "float32", lod_level=1)
        >>> y = paddle.static.data("y", [-1, 10], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_concat([x, y]).lod_level
        1
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_concat")
    need_type(input, "input", "sequence_concat", list)
    for i, x in enumerate(input):
        need_variable(x, f"input[{i}]", "sequence_concat", ("int64", *FLOATS))
    out: Variable = ops.sequence_concat(input, _helper=layer("sequence_concat", name=name))
    return out


def sequence_first_step(input: Variable) -> Variable:
    """The first row of each sequence.

    Args:
        input: [N, ...], float, one or two LoD levels.
    Returns:
        [number of sequences, ...].
    Raises:
        TypeError: `input` is no float Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_first_step(x).shape
        (-1, 10)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_first_step")
    need_variable(input, "input", "sequence_first_step", FLOATS)
    return sequence_pool(input, "first")


def sequence_last_step(input: Variable) -> Variable:
    """The last row of each sequence.

    Args:
        input: [N, ...], float, one or two LoD levels.
    Returns:
        [number of sequences, ...].
    Raises:
        TypeError: `input` is no float Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_last_step(x).shape
        (-1, 10)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_last_step")
    need_variable(input, "input", "sequence_last_step", FLOATS)
    return sequence_pool(input, "last")


def sequence_slice(input: Variable, offset: Variable, length: Variable, name: str | None = None) -> Variable:
    """A part of each sequence.

    Args:
        input: [N, ...], one LoD level.
        offset: [number of sequences, 1], int: where each part begins; its gradient is stopped.
        length: [number of sequences, 1], int: how many rows it has; its gradient is stopped.
        name: prefix of the names.
    Returns:
        [sum of lengths, ...], one LoD level.
    Raises:
        TypeError: an argument is no Variable of such a type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10], "float32", lod_level=1)
        >>> offset = paddle.static.data("offset", [-1, 1], "int64")
        >>> length = paddle.static.data("length", [-1, 1], "int64")
        >>> paddle.static.nn.sequence_slice(x, offset, length).shape
        (-1, 10)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_slice")
    need_variable(input, "input", "sequence_slice", NUMBERS)
    for key, value in (("offset", offset), ("length", length)):
        need_variable(value, key, "sequence_slice", INTEGERS).stop_gradient = True
    out: Variable = ops.sequence_slice(input, offset, length, _helper=layer("sequence_slice", name=name))
    return out


def sequence_expand(x: Variable, y: Variable, ref_level: int = -1, name: str | None = None) -> Variable:
    """Repeat each sequence of `x` as often as its counterpart in `y` has members.

    Args:
        x: [N, ...], with one LoD level, or without: then each row counts as a sequence.
        y: a Variable with LoD; only the LoD matters.
        ref_level: the level of `y` that counts; -1 for the last.
        name: prefix of the names.
    Returns:
        [M, ...], with LoD if `x` has it.
    Raises:
        TypeError: `x` is no Variable of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10], "float32")
        >>> y = paddle.static.data("y", [-1, 1], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_expand(x, y, ref_level=0).shape
        (-1, 10)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_expand")
    need_variable(x, "x", "sequence_expand", NUMBERS)
    out: Variable = ops.sequence_expand(x, y, ref_level=ref_level, _helper=layer("sequence_expand", name=name))
    return out


def sequence_expand_as(x: Variable, y: Variable, name: str | None = None) -> Variable:
    """Repeat row i of `x` for every row of the i-th sequence of `y`.

    Args:
        x: [number of sequences in y, ...].
        y: a Variable of one LoD level; only the LoD matters.
        name: prefix of the names.
    Returns:
        [rows of y, ...], with the LoD of `y`.
    Raises:
        TypeError: an argument is no Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10], "float32")
        >>> y = paddle.static.data("y", [-1, 1], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_expand_as(x, y).lod_level
        1
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_expand_as")
    need_variable(x, "x", "sequence_expand_as", NUMBERS)
    need_variable(y, "y", "sequence_expand_as")
    out: Variable = ops.sequence_expand_as(x, y, _helper=layer("sequence_expand_as", name=name))
    return out


def sequence_pad(x: Variable, pad_value: Variable, maxlen: int | None = None, name: str | None = None) -> tuple[Variable, Variable]:
    """Lay sequences side by side and fill them up to one length.

    Args:
        x: [N, ...], one LoD level.
        pad_value: one number, or one row; its gradient is stopped.
        maxlen: the length; None: that of the longest sequence.
        name: prefix of the names.
    Returns:
        [B, T, ...] without LoD, and the lengths [B], int64.
    Raises:
        TypeError: an argument is no Variable of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10], "float32", lod_level=1)
        >>> rows, length = paddle.static.nn.sequence_pad(x, paddle.full([1], 0.0), maxlen=5)
        >>> rows.shape
        (-1, 5, 10)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_pad")
    need_variable(x, "x", "sequence_pad", NUMBERS)
    need_variable(pad_value, "pad_value", "sequence_pad", NUMBERS).stop_gradient = True
    helper = layer("sequence_pad", name=name)
    padded_length = -1 if maxlen is None else maxlen
    out, length = ops.sequence_pad(x, pad_value, padded_length=padded_length, _helper=helper)
    length.stop_gradient = True
    return out, length


def sequence_unpad(x: Variable, length: Variable, name: str | None = None) -> Variable:
    """The reverse of `sequence_pad`.

    Args:
        x: [B, T, ...].
        length: [B], int64; its gradient is stopped.
        name: prefix of the names.
    Returns:
        [sum of lengths, ...], one LoD level.
    Raises:
        TypeError: an argument is no Variable of such a type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10, 5], "float32")
        >>> length = paddle.static.data("length", [-1], "int64")
        >>> paddle.static.nn.sequence_unpad(x, length).shape
        (-1, 5)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_unpad")
    need_variable(x, "x", "sequence_unpad", NUMBERS)
    need_variable(length, "length", "sequence_unpad", ("int64",)).stop_gradient = True
    out: Variable = ops.sequence_unpad(x, length, _helper=layer("sequence_unpad", name=name))
    return out


def sequence_reshape(input: Variable, new_dim: int) -> Variable:
    """Cut the numbers of each sequence into rows of another width.

    Args:
        input: [N, D], one LoD level.
        new_dim: the new width; it divides the numbers of every sequence.
    Returns:
        [N * D / new_dim, new_dim], one LoD level.
    Raises:
        TypeError: `input` is no Variable of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 16], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_reshape(x, new_dim=4).shape
        (-1, 4)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_reshape")
    need_variable(input, "input", "sequence_reshape", NUMBERS)
    out: Variable = ops.sequence_reshape(input, new_dim=new_dim, _helper=layer("sequence_reshape"))
    return out


def sequence_scatter(input: Variable, index: Variable, updates: Variable, name: str | None = None) -> Variable:
    """Add the i-th sequence of `updates` to row i of `input`, at the columns in `index`.

    Args:
        input: [B, D].
        index: [N, 1], int, one LoD level of B sequences.
        updates: [N, 1], with the same LoD.
        name: prefix of the names.
    Returns:
        [B, D].
    Raises:
        TypeError: an argument is no Variable of such a type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 6], "float32")
        >>> index = paddle.static.data("index", [-1, 1], "int32", lod_level=1)
        >>> updates = paddle.static.data("updates", [-1, 1], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_scatter(x, index, updates).shape
        (-1, 6)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_scatter")
    need_variable(input, "input", "sequence_scatter", NUMBERS)
    need_variable(index, "index", "sequence_scatter", INTEGERS)
    need_variable(updates, "updates", "sequence_scatter", NUMBERS)
    out: Variable = ops.sequence_scatter(input, index, updates, _helper=layer("sequence_scatter", name=name))
    return out


def sequence_enumerate(input: Variable, win_size: int, pad_value: int = 0, name: str | None = None) -> Variable:
    """The window of ids that starts at each row.

    Args:
        input: [N, 1], int, one LoD level.
        win_size: ids in a window.
        pad_value: what lies beyond a sequence.
        name: prefix of the names.
    Returns:
        [N, win_size], with the LoD of `input` and without gradient.
    Raises:
        TypeError: `input` is no Variable of integers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 1], "int64", lod_level=1)
        >>> paddle.static.nn.sequence_enumerate(x, win_size=2).shape
        (-1, 2)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_enumerate")
    need_variable(input, "input", "sequence_enumerate", INTEGERS)
    helper = layer("sequence_enumerate", name=name)
    out: Variable = ops.sequence_enumerate(input, win_size=win_size, pad_value=pad_value, _helper=helper)
    out.stop_gradient = True
    return out


def sequence_mask(x: Variable, maxlen: Any = None, dtype: DTypeLike = "int64", name: str | None = None) -> Variable:
    """1 for positions below each length, 0 for the others.

    Args:
        x: lengths, int.
        maxlen: the width, an int or a Variable; None: the largest length.
        dtype: data type of the result.
        name: prefix of the names.
    Returns:
        The shape of `x` and one more dimension, without gradient.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1], "int64")
        >>> from paddle_compat.static.nn.sequence_lod import sequence_mask
        >>> sequence_mask(x, maxlen=4).shape
        (-1, 4)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_mask")
    width = maxlen if isinstance(maxlen, Variable) else None
    attrs: dict[str, Any] = {"out_dtype": VarType(convert_dtype(dtype))}
    if maxlen is not None and width is None:
        attrs["maxlen"] = maxlen
    out: Variable = ops.sequence_mask(x, width, _helper=layer("sequence_mask", name=name), **attrs)
    out.stop_gradient = True
    return out


def sequence_reverse(x: Variable, name: str | None = None) -> Variable:
    """Each sequence backwards.

    Args:
        x: [N, ...], one LoD level.
        name: prefix of the names.
    Returns:
        A Variable like `x`.
    Raises:
        TypeError: `x` is no Variable of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [-1, 10], "float32", lod_level=1)
        >>> paddle.static.nn.sequence_reverse(x).shape
        (-1, 10)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    static_only("sequence_reverse")
    need_variable(x, "x", "sequence_reverse", ("int8", *NUMBERS))
    out: Variable = ops.sequence_reverse(x, _helper=layer("sequence_reverse", name=name))
    return out


# in `paddle.static.nn` the mask has another home, nn.functional
__all__ = [
    "sequence_concat", "sequence_conv", "sequence_enumerate", "sequence_expand", "sequence_expand_as",
    "sequence_first_step", "sequence_last_step", "sequence_pad", "sequence_pool", "sequence_reshape",
    "sequence_reverse", "sequence_scatter", "sequence_slice", "sequence_softmax", "sequence_unpad",
]  # fmt: skip

__getattr__ = missing(__name__)

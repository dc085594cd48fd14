"""Layers of `paddle.fluid.contrib` on texts, whose words match in matrices of a size of their own for each pair, and on ranked items."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import layer, run


@layer
def match_matrix_tensor(
    x: Variable, y: Variable, channel_num: int, act: str | None = None, param_attr: Any = None, dtype: Any = "float32",
    name: str | None = None,
) -> tuple[Variable, Variable]:  # fmt: skip
    """How every word of a text matches every word of another, through each of several matrices.

    Args:
        x: words [N, D] with LoD.
        y: words [M, D] with LoD.
        channel_num: how many matrices [D, D] there are.
        act: an activation.
        param_attr: ParamAttr of the matrices [D, channel_num, D].
        dtype: data type of the matrices.
        name: the layer's name.
    Returns:
        Variable [numbers, 1] with LoD, channel by channel for each pair of texts; Variable of the words of x times the matrices.
    Raises:
        AssertionError: the words of x and y are not equally wide.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, y = fluid.data("x", [None, 8], lod_level=1), fluid.data("y", [None, 8], lod_level=1)
        ...     fluid.contrib.layers.match_matrix_tensor(x, y, channel_num=3)[0].shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    if x.shape[1] != y.shape[1]:
        raise AssertionError(f"Invalid value for argument `y` of `match_matrix_tensor`. Expected width {x.shape[1]}. Received: {y.shape}")
    helper = LayerHelper("match_matrix_tensor", act=act, param_attr=param_attr, name=name)
    shape = [x.shape[1], channel_num, y.shape[1]]
    weight = helper.create_parameter(attr=helper.param_attr, shape=shape, dtype=dtype, is_bias=False)
    out = helper.create_variable_for_type_inference(dtype)
    between = helper.create_variable_for_type_inference(dtype, stop_gradient=True)
    run("match_matrix_tensor", x, y, weight, helper=helper, outputs={"Out": out, "Tmp": between}, dim_t=channel_num)
    return helper.append_activation(out), between


def _pair(value: Any, argument: str) -> list[int]:
    found = [value] * 2 if isinstance(value, int) else value
    if not isinstance(found, (list, tuple)) or len(found) != 2:
        raise ValueError(f"Invalid value for argument `{argument}` of `var_conv_2d`. Expected an int or two. Received: {value!r}")
    return list(found)


@layer
def var_conv_2d(
    input: Variable, row: Variable, col: Variable, input_channel: int, output_channel: int, filter_size: Any, stride: Any = 1,
    param_attr: Any = None, act: str | None = None, dtype: Any = "float32", name: str | None = None,
) -> Variable:  # fmt: skip
    """Convolve images of different sizes; each keeps its size, but for the strides.

    Args:
        input: [numbers, 1] with LoD: the images one after the other.
        row: a Variable whose LoD says how high each image is.
        col: a Variable whose LoD says how wide.
        input_channel: how many channels the images have.
        output_channel: how many they get.
        filter_size: height and width of the filter, or one int for both.
        stride: the same of the strides.
        param_attr: ParamAttr of the filter.
        act: an activation.
        dtype: data type of the filter.
        name: the layer's name.
    Returns:
        Variable [numbers, 1] with LoD.
    Raises:
        ValueError: `filter_size` or `stride` are not an int or two.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, row, col = (fluid.data(n, [None, 1], lod_level=1) for n in ("x", "row", "col"))
        ...     fluid.contrib.layers.var_conv_2d(x, row, col, input_channel=3, output_channel=5, filter_size=[3, 3]).shape
        (-1, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("var_conv_2d", act=act, param_attr=param_attr, name=name)
    (height, width), (down, right) = _pair(filter_size, "filter_size"), _pair(stride, "stride")
    shape = [output_channel, input_channel * height * width]
    weight = helper.create_parameter(attr=helper.param_attr, shape=shape, dtype=dtype)
    out = run(
        "var_conv_2d", input, row, col, weight, helper=helper, InputChannel=input_channel, OutputChannel=output_channel, StrideH=down,
        StrideW=right, KernelH=height, KernelW=width,
    )  # fmt: skip
    return helper.append_activation(out)


@layer
def sequence_topk_avg_pooling(input: Variable, row: Variable, col: Variable, topks: Any, channel_num: int) -> Variable:
    """For each row of each matrix the averages of its largest numbers.

    Args:
        input: [numbers, 1] with LoD: the matrices, channel by channel.
        row: a Variable whose LoD says how high each matrix is.
        col: a Variable whose LoD says how wide.
        topks: list of ints: how many of the largest numbers make an average; where there are less, zeros count.
        channel_num: how many channels the matrices have.
    Returns:
        Variable [rows, channel_num * len(topks)] with the LoD of `row`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, row, col = (fluid.data(n, [None, 1], lod_level=1) for n in ("x", "row", "col"))
        ...     fluid.contrib.layers.sequence_topk_avg_pooling(x, row, col, [1, 3, 5], 5).shape
        (-1, 15)

    Follows Paddle 1.8.
    """
    return run("sequence_topk_avg_pooling", input, row, col, topks=topks, channel_num=channel_num)


@layer
def rank_attention(input: Variable, rank_offset: Variable, rank_param_shape: Any, rank_param_attr: Any, max_rank: int = 3) -> Variable:
    """For each item the sum over those shown with it of their features times a matrix that belongs to the two ranks.

    The real one needs a GPU; this one does not.

    Args:
        input: features of the items, [N, D].
        rank_offset: int32 [N, 1 + 2 * max_rank]: an item's rank from 1, and for each place the rank (0: none) and row of who is there.
        rank_param_shape: shape of the matrices, [max_rank * max_rank * D, outputs].
        rank_param_attr: ParamAttr of the matrices.
        max_rank: how many ranks there are.
    Returns:
        Variable [N, outputs].
    Raises:
        AssertionError: `rank_param_shape` does not fit.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, offsets = fluid.data("x", [None, 2]), fluid.data("offsets", [None, 7], "int32")
        ...     fluid.contrib.layers.rank_attention(x, offsets, [18, 3], fluid.ParamAttr(name="ranks"), max_rank=3).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    if input.shape[1] * max_rank * max_rank != rank_param_shape[0]:
        expected = f"{input.shape[1] * max_rank * max_rank} rows"
        raise AssertionError(f"Invalid value for argument `rank_param_shape`. Expected {expected}. Received: {rank_param_shape}")
    helper = LayerHelper("rank_attention")
    param = helper.create_parameter(attr=rank_param_attr, shape=rank_param_shape, dtype=input.dtype)
    return run("rank_attention", input, rank_offset, param, helper=helper, MaxRank=max_rank)


__all__ = ["match_matrix_tensor", "rank_attention", "sequence_topk_avg_pooling", "var_conv_2d"]

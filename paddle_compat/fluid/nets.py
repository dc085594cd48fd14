"""`paddle.fluid.nets`: small networks that are often needed."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.variable import Variable
from paddle_compat.fluid import layers
from paddle_compat.fluid.layers._record import check_dtype


def simple_img_conv_pool(
    input: Variable,
    num_filters: int,
    filter_size: Any,
    pool_size: Any,
    pool_stride: Any,
    pool_padding: Any = 0,
    pool_type: str = "max",
    global_pooling: bool = False,
    conv_stride: Any = 1,
    conv_padding: Any = 0,
    conv_dilation: Any = 1,
    conv_groups: int = 1,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    use_cudnn: bool = True,
) -> Variable:
    """A convolution and pooling.

    Args:
        input: [N, C, H, W], floating.
        num_filters, filter_size, conv_stride, conv_padding, conv_dilation, conv_groups: as in layers.conv2d.
        pool_size, pool_stride, pool_padding, pool_type, global_pooling: as in layers.pool2d.
        param_attr, bias_attr, act: of the convolution.
        use_cudnn: kept.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     img = fluid.data("img", [None, 1, 28, 28])
        ...     fluid.nets.simple_img_conv_pool(img, num_filters=20, filter_size=5, pool_size=2, pool_stride=2, act="relu").shape
        (-1, 20, 12, 12)

    Follows Paddle 1.8.
    """
    hidden = layers.conv2d(
        input, num_filters, filter_size, conv_stride, conv_padding, conv_dilation, conv_groups, param_attr, bias_attr, use_cudnn, act
    )
    return layers.pool2d(hidden, pool_size, pool_type, pool_stride, pool_padding, global_pooling, use_cudnn)


def img_conv_group(
    input: Variable,
    conv_num_filter: Any,
    pool_size: Any,
    conv_padding: Any = 1,
    conv_filter_size: Any = 3,
    conv_act: str | None = None,
    param_attr: Any = None,
    conv_with_batchnorm: Any = False,
    conv_batchnorm_drop_rate: Any = 0.0,
    pool_stride: Any = 1,
    pool_type: str = "max",
    use_cudnn: bool = True,
) -> Variable:
    """Several convolutions, with batch normalization and dropout where asked for, and pooling.

    Args:
        input: [N, C, H, W], floating.
        conv_num_filter: the number of filters of each convolution.
        pool_size, pool_stride, pool_type: as in layers.pool2d.
        conv_padding, conv_filter_size, param_attr: of the convolutions, or a list for each.
        conv_with_batchnorm: whether normalization follows, or a list for each.
        conv_batchnorm_drop_rate: the chance of dropout after it, or a list for each.
        conv_act: the activation.
        use_cudnn: kept.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     img = fluid.data("img", [None, 1, 28, 28])
        ...     fluid.nets.img_conv_group(img, [3, 3], pool_size=2, pool_stride=2, conv_act="relu").shape
        (-1, 3, 14, 14)

    Follows Paddle 1.8.
    """
    count = len(conv_num_filter)

    def each(value: Any) -> list[Any]:
        found = list(value) if hasattr(value, "__len__") else [value] * count
        assert len(found) == count, f"Expected {count} values, one for each convolution. Received: {value}"
        return found

    settings = zip(
        conv_num_filter, each(conv_padding), each(conv_filter_size), each(param_attr), each(conv_with_batchnorm),
        each(conv_batchnorm_drop_rate),
    )  # fmt: skip
    hidden = input
    for filters, padding, size, attr, normalize, drop_rate in settings:
        act = None if normalize else conv_act
        hidden = layers.conv2d(hidden, filters, size, padding=padding, param_attr=attr, act=act, use_cudnn=use_cudnn)
        if normalize:
            hidden = layers.batch_norm(hidden, act=conv_act)
            if abs(drop_rate) > 1e-5:
                hidden = layers.dropout(hidden, dropout_prob=drop_rate)
    return layers.pool2d(hidden, pool_size, pool_type, pool_stride, use_cudnn=use_cudnn)


def sequence_conv_pool(
    input: Variable,
    num_filters: int,
    filter_size: int,
    param_attr: Any = None,
    act: str | None = "sigmoid",
    pool_type: str = "max",
    bias_attr: Any = None,
) -> Variable:
    """A convolution over sequences and pooling.

    Args:
        input: sequences [T, D] with LoD, float32.
        num_filters, filter_size, param_attr, bias_attr, act: as in layers.sequence_conv.
        pool_type: as in layers.sequence_pool.
    Returns:
        Variable [N, num_filters].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x = fluid.data("x", [None, 128], lod_level=1)
        ...     fluid.nets.sequence_conv_pool(x, num_filters=10, filter_size=3, act="tanh", pool_type="sqrt").shape
        (-1, 10)

    Follows Paddle 1.8.
    """
    check_dtype(input, "input", (VarType.FP32,), "sequence_conv")
    hidden = layers.sequence_conv(
        input=input, num_filters=num_filters, filter_size=filter_size, param_attr=param_attr, bias_attr=bias_attr, act=act
    )
    return layers.sequence_pool(input=hidden, pool_type=pool_type)


def glu(input: Variable, dim: int = -1) -> Variable:
    """A gated linear unit: half of the input times the sigmoid of the other half.

    Args:
        input: a floating Variable.
        dim: the dimension that is halved.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.nets.glu(fluid.data("x", [None, 6, 3, 9]), dim=1).shape
        (-1, 3, 3, 9)

    Follows Paddle 1.8.
    """
    values, gates = layers.split(input, num_or_sections=2, dim=dim)
    return layers.elementwise_mul(values, layers.sigmoid(gates))


def scaled_dot_product_attention(
    queries: Variable, keys: Variable, values: Variable, num_heads: int = 1, dropout_rate: float = 0.0
) -> Variable:
    """Attention: for each query the values, weighted by how well their keys fit.

    Args:
        queries: [N, T, D], float32 or float64.
        keys: [N, S, D].
        values: [N, S, E].
        num_heads: how many heads; above 1 with a linear projection of each argument.
        dropout_rate: the chance that a weight is dropped.
    Returns:
        Variable [N, T, E].
    Raises:
        ValueError: the sizes do not fit.
        TypeError: the data types differ, or are others.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     q, k, v = (fluid.data(name, [3, 5, 10]) for name in "qkv")
        ...     fluid.nets.scaled_dot_product_attention(q, k, v).shape
        (3, 5, 10)

    Follows Paddle 1.8.
    """
    for name, value in (("queries", queries), ("keys", keys), ("values", values)):
        check_dtype(value, name, (VarType.FP32, VarType.FP64), "scaled_dot_product_attention")
        if len(value.shape) != 3:
            raise ValueError(
                f"Invalid shape of argument `{name}` of `scaled_dot_product_attention`. Expected three dimensions. "
                f"Received: {list(value.shape)}"
            )
    if not queries.dtype == keys.dtype == values.dtype:
        raise TypeError(
            "Invalid data types of the arguments of `scaled_dot_product_attention`. Expected one for `queries`, `keys` and `values`. "
            f"Received: {', '.join(dtype_name(each.dtype) for each in (queries, keys, values))}"
        )
    if queries.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"Invalid shape of argument `keys`. Expected {queries.shape[-1]} columns, as `queries` has. "
            f"Received: {list(keys.shape)}"
        )
    if keys.shape[-2] != values.shape[-2]:
        raise ValueError(
            f"Invalid shape of argument `values`. Expected {keys.shape[-2]} rows, as `keys` has. "
            f"Received: {list(values.shape)}"
        )
    for name, value in (("keys", keys), ("values", values)):
        if value.shape[-1] % num_heads:
            raise ValueError(
                f"Invalid value for argument `num_heads`. Expected a divisor of the columns of `{name}`, {value.shape[-1]}. "
                f"Received: {num_heads}"
            )

    def heads(value: Variable) -> Variable:
        if num_heads == 1:
            return value
        size = value.shape[-1]
        parts = layers.reshape(value, shape=list(value.shape[:-1]) + [num_heads, size // num_heads])
        return layers.transpose(parts, perm=[0, 2, 1, 3])

    if num_heads > 1:
        queries, keys, values = (layers.fc(v, size=v.shape[-1], num_flatten_dims=2) for v in (queries, keys, values))
    queries, keys, values = heads(queries), heads(keys), heads(values)
    product = layers.matmul(layers.scale(queries, scale=(keys.shape[-1]) ** -0.5), keys, transpose_y=True)
    weights = layers.reshape(layers.reshape(product, shape=[-1, product.shape[-1]], act="softmax"), shape=list(product.shape))
    if dropout_rate:
        weights = layers.dropout(weights, dropout_prob=dropout_rate, is_test=False)
    context = layers.matmul(weights, values)
    if num_heads == 1:
        return context
    context = layers.transpose(context, perm=[0, 2, 1, 3])
    return layers.reshape(context, shape=[*context.shape[:2], math.prod(context.shape[2:])])


__all__ = ["glu", "img_conv_group", "scaled_dot_product_attention", "sequence_conv_pool", "simple_img_conv_pool"]

__getattr__ = missing(__name__)

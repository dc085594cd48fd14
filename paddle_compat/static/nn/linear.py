"""`paddle.static.nn`: layers around a matrix: fully connected ones, look-ups, bilinear products."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.dtype import DTypeLike, VarType
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.variable import Variable
from paddle_compat.ops.embedding import bilinear_tensor_product as bilinear_op
from paddle_compat.ops.embedding import lookup_table, lookup_table_v2
from paddle_compat.ops.linalg import mul
from paddle_compat.ops.math import add_n
from paddle_compat.static.nn._arguments import ALL_FLOATS, need_type, need_variable, runs_now, static_only
from paddle_compat.static.nn._renamed import formerly


@formerly(input="x", act="activation", param_attr="weight_attr")
def fc(
    x: Any,
    size: int,
    num_flatten_dims: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    activation: str | None = None,
    name: str | None = None,
) -> Variable:
    """A fully connected layer: activation(x W + b), summed over the inputs when there are several.

    Args:
        x (Variable|list): float, two dimensions or more; the first release of 2.0 called it `input`.
        size (int): features of the result.
        num_flatten_dims (int): how many dimensions of x stay; the rest is flattened. -1: all but the last.
        weight_attr (ParamAttr|list): of the weight [flattened features, size], one for each input.
        bias_attr (ParamAttr): of the bias [size]; False for none.
        activation (str): applied to the result; formerly `act`.
        name (str): prefix of the names.
    Returns:
        Variable: of shape [*x.shape[:num_flatten_dims], size].
    Raises:
        TypeError: an input is no float Variable.
        ValueError: num_flatten_dims leaves nothing to flatten.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 13], "float32")
        >>> paddle.static.nn.fc(x, 4, activation="relu").shape
        (-1, 4)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("fc")
    helper = LayerHelper("fc", input=x, param_attr=weight_attr, bias_attr=bias_attr, act=activation, name=name)
    for value in helper.multiple_input():
        need_variable(value, "input", "fc", ALL_FLOATS)  # as the wheel calls x
    if not helper.multiple_input():
        raise type_error("x", "a Variable or several", x, "fc")
    dtype = helper.input_dtype()
    products = []
    for value, attr in helper.iter_inputs_and_params():
        kept = len(value.shape) - 1 if num_flatten_dims == -1 else num_flatten_dims
        if not 0 < kept < len(value.shape):
            raise invalid_argument("num_flatten_dims", f"-1, or 1 to {len(value.shape) - 1}", num_flatten_dims, "fc")
        shape = [math.prod(value.shape[kept:]), size]
        weight = helper.create_parameter(attr, shape, dtype)
        products.append(mul(value, weight, x_num_col_dims=kept, y_num_col_dims=1, _helper=helper))
    total = products[0] if len(products) == 1 else add_n(products, _helper=helper)
    return helper.append_activation(helper.append_bias_op(total, dim_start=kept))


def padding_row(padding_idx: int | None, rows: int) -> int:
    """The attribute for a row of padding: counted from 0, -1 for none."""
    if padding_idx is None:
        return -1
    return padding_idx if padding_idx >= 0 else rows + padding_idx


def embedding(
    input: Variable,
    size: Any,
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: DTypeLike = "float32",
) -> Variable:
    """Look up rows of a table that is a parameter.

    Args:
        input (Variable): ids, int64, of any shape.
        size (list|tuple): rows and width of the table.
        is_sparse (bool): the table's gradient holds only the rows that were looked up.
        is_distributed (bool): kept; a parameter server spreads tables by itself.
        padding_idx (int): the id that gives zeros; a negative one counts from the end.
        param_attr (ParamAttr): of the table.
        dtype: data type of the table.
    Returns:
        Variable: of shape [*input.shape, width].
    Raises:
        TypeError: `input` is no Variable of int64.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> ids = paddle.static.data("ids", [None, 3], "int64")
        >>> paddle.static.nn.embedding(ids, [100, 8]).shape
        (-1, 3, 8)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("embedding")
    need_variable(input, "input", "embedding", ("int64",))
    need_type(size, "size", "embedding", list, tuple)
    helper = LayerHelper("embedding", param_attr=param_attr)
    table = helper.create_parameter(helper.param_attr, size, dtype)
    return lookup_table_v2(
        input,
        table,
        is_sparse=is_sparse,
        is_distributed=is_distributed,
        remote_prefetch=bool(is_sparse and not is_distributed),
        padding_idx=padding_row(padding_idx, int(size[0])),
        _helper=helper,
    )


def bilinear_tensor_product(
    x: Variable,
    y: Variable,
    size: int,
    act: str | None = None,
    name: str | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
) -> Variable:
    """x W_k y + b_k for each of `size` matrices W_k.

    Args:
        x (Variable): [N, A].
        y (Variable): [N, B].
        size (int): number of matrices.
        act (str): activation.
        name (str): prefix of the names.
        param_attr (ParamAttr): of the matrices [size, A, B].
        bias_attr (ParamAttr): of the bias [1, size]; False for none.
    Returns:
        Variable: [N, size].
    Raises:
        TypeError: x or y is no float Variable.
        ValueError: x or y has not two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x, y = paddle.static.data("x", [None, 5]), paddle.static.data("y", [None, 4])
        >>> paddle.static.nn.bilinear_tensor_product(x, y, 3).shape
        (-1, 3)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    runs_now(x)
    for argument, value in (("x", x), ("y", y)):
        need_variable(value, argument, "bilinear_tensor_product", ALL_FLOATS)
        if len(value.shape) != 2:
            raise invalid_argument(argument, "two dimensions", list(value.shape), "bilinear_tensor_product")
    helper = LayerHelper("bilinear_tensor_product", param_attr=param_attr, bias_attr=bias_attr, act=act, name=name)
    weight = helper.create_parameter(helper.param_attr, [size, x.shape[1], y.shape[1]], x.dtype)
    out = helper.create_variable_for_type_inference(x.dtype)
    bias = helper.create_parameter(helper.bias_attr, [1, size], x.dtype, is_bias=True)
    return helper.append_activation(bilinear_op(x, y, weight, bias, _helper=helper, _outputs={"Out": out}))


def sparse_embedding(
    input: Variable,
    size: Any,
    padding_idx: int | None = None,
    is_test: bool = False,
    entry: Any = None,
    table_class: str = "MemorySparseTable",
    param_attr: Any = None,
    dtype: DTypeLike = "float32",
    slot: int | None = None,
) -> Variable:
    """A look-up in a table that lives on parameter servers and grows with the ids it sees.

    Args:
        input (Variable): ids, int64.
        size (list|tuple): rows (kept) and width of the table.
        padding_idx (int): the id that gives zeros.
        is_test (bool): unknown ids are not added.
        entry: from which on an id counts: None, or an entry of `paddle.distributed`.
        table_class (str): "CommonSparseTable", "SSDSparseTable" or "MemorySparseTable".
        param_attr (ParamAttr): of the table.
        dtype: "float32".
        slot (int): the slot that the ids belong to.
    Returns:
        Variable: of shape [*input.shape[:-1], width].
    Raises:
        ValueError: there is no such table class, or `entry` is no entry.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> ids = paddle.static.data("ids", [None, 1], "int64")
        >>> paddle.static.nn.sparse_embedding(ids, [1024, 64]).shape
        (-1, 64)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("sparse_embedding")
    need_variable(input, "input", "sparse_embedding", ("int64",))
    classes = ("CommonSparseTable", "SSDSparseTable", "MemorySparseTable")
    if table_class not in classes:
        raise invalid_argument("table_class", " or ".join(classes), table_class, "sparse_embedding")
    if entry is not None and not hasattr(entry, "_to_attr"):
        raise invalid_argument("entry", "an entry of paddle.distributed, or None", entry, "sparse_embedding")
    helper = LayerHelper("sparse_embedding", param_attr=param_attr)
    table = helper.create_parameter(helper.param_attr, size, dtype, type=VarType.SELECTED_ROWS)
    return lookup_table(
        input,
        table,
        padding_idx=padding_row(padding_idx, int(size[0])),
        is_sparse=True,
        is_distributed=True,
        remote_prefetch=True,
        is_test=is_test,
        entry="none" if entry is None else entry._to_attr(),
        table_class=table_class,
        slot=slot or 0,
        _helper=helper,
    )

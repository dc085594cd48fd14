"""`fluid.layers.nn`: fully connected layers, clipping, counters, and what Programs do with tensors beside arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.initializer import ConstantInitializer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import check_dtype, declared, is_variable, layer, run, unnamed
from paddle_compat.static import variables


@layer
def fc(
    input: Any,
    size: int,
    num_flatten_dims: int = 1,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Variable:
    """A fully connected layer.

    Args:
        input: a floating Variable, or a list of them whose products are summed.
        size: how many outputs.
        num_flatten_dims: how many leading dimensions stay; the others make the inputs. -1: all but the last.
        param_attr: ParamAttr of the weights [inputs, size], or a list of them.
        bias_attr: ParamAttr of the bias, or False for none.
        act: an activation.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        ValueError: the input is an empty list.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.fc(fluid.data("x", [None, 32]), size=10, act="tanh").shape
        (-1, 10)

    Follows Paddle 1.8.
    """
    if isinstance(input, (list, tuple)) and not input:
        raise ValueError(f"Invalid value for argument `input` of `fc`. Expected a Variable or a list of them. Received: {input}")
    helper = LayerHelper("fc", input=input, param_attr=param_attr, bias_attr=bias_attr, act=act, name=name)
    dtype = helper.input_dtype()
    products = []
    for value, attr in helper.iter_inputs_and_params():
        rows = len(value.shape) - 1 if num_flatten_dims == -1 else num_flatten_dims
        weight = helper.create_parameter(attr, [math.prod(value.shape[rows:]), size], dtype)
        products.append(run("mul", value, weight, helper=helper, x_num_col_dims=rows, y_num_col_dims=1))
        num_flatten_dims = rows
    total = products[0] if len(products) == 1 else run("sum", products, helper=helper)
    return helper.append_activation(helper.append_bias_op(total, dim_start=num_flatten_dims))


def bilinear_tensor_product(
    x: Variable, y: Variable, size: int, act: str | None = None, name: str | None = None, param_attr: Any = None, bias_attr: Any = None
) -> Variable:
    """The products x W y of each row, with a matrix W for each output.

    Args:
        x: [N, A].
        y: [N, B].
        size: how many outputs.
        act: an activation.
        name: the layer's name.
        param_attr: ParamAttr of the weights [size, A, B].
        bias_attr: ParamAttr of the bias, or False for none.
    Returns:
        Variable [N, size].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.bilinear_tensor_product(fluid.data("x", [None, 5]), fluid.data("y", [None, 4]), size=3).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("bilinear_tensor_product", param_attr=param_attr, bias_attr=bias_attr, act=act, name=name, x=x)
    weight = helper.create_parameter(helper.param_attr, [size, x.shape[1], y.shape[1]], x.dtype)
    bias = helper.create_parameter(helper.bias_attr, [1, size], x.dtype, is_bias=True) if helper.bias_attr else None
    return helper.append_activation(run("bilinear_tensor_product", x, y, weight, bias, helper=helper))


@layer
def add_position_encoding(input: Variable, alpha: float, beta: float, name: str | None = None) -> Variable:
    """`alpha` times the input plus `beta` times sines and cosines of the position.

    Args:
        input: [N, T, D], or sequences [T, D] with LoD; float32 or float64.
        alpha, beta: the factors.
        name: the layer's name.
    Returns:
        Variable of the shape of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.add_position_encoding(fluid.data("x", [None, 16, 8]), alpha=1.0, beta=1.0).shape
        (-1, 16, 8)

    Follows Paddle 1.8.
    """
    return run("add_position_encoding", input, name=name, alpha=alpha, beta=beta)


@layer
def cos_sim(X: Variable, Y: Variable) -> Variable:
    """The cosine of the angle between each row of X and the row of Y (or its only one).

    Args:
        X: [N, D], float32.
        Y: [N, D] or [1, D].
    Returns:
        Variable [N, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.cos_sim(fluid.data("x", [3, 7]), fluid.data("y", [1, 7])).shape
        (3, 1)

    Follows Paddle 1.8.
    """
    return run("cos_sim", X, Y)[0]


@layer
def clip(x: Variable, min: float, max: float, name: str | None = None) -> Variable:
    """x between two bounds.

    Args:
        x: a floating Variable.
        min, max: the bounds.
        name: the layer's name.
    Returns:
        Variable of the shape of x.
    Raises:
        ValueError: a bound is None.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.clip(fluid.data("x", [None, 3]), min=-1.0, max=1.0).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    for argument, bound in (("min", min), ("max", max)):
        if bound is None:
            raise invalid_argument(argument, "a number", bound, "clip")
    helper = LayerHelper("clip", name=name)
    # as in 1.8, a name is the output's own
    return run("clip", x, helper=helper, outputs=_called(helper, name, x), min=min, max=max)


def _called(helper: LayerHelper, name: str | None, x: Any) -> dict[str, Variable] | None:
    """The output under the layer's bare name, where the caller gave it one."""
    if name is None or not isinstance(x, Variable):
        return None
    return {"Out": helper.create_variable(name=name, dtype=x.dtype, persistable=False, type=x.type)}


@layer
def clip_by_norm(x: Variable, max_norm: float, name: str | None = None) -> Variable:
    """x, made shorter where its length is above `max_norm`.

    Args:
        x: float32.
        max_norm: the greatest length.
        name: the layer's name.
    Returns:
        Variable of the shape of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.clip_by_norm(fluid.data("x", [None, 3]), max_norm=1.0).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("clip_by_norm", name=name)
    return run("clip_by_norm", x, helper=helper, outputs=_called(helper, name, x), max_norm=max_norm)


@layer
def clamp(
    input: Variable, min: float | None = None, max: float | None = None, output: Variable | None = None, name: str | None = None
) -> Variable:
    """The input between two bounds.

    Args:
        input: a floating Variable.
        min, max: the bounds; None: none.
        output: a Variable to write to.
        name: the layer's name.
    Returns:
        Variable of the shape of `input`.
    Raises:
        AssertionError: both bounds are None.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.clamp(fluid.data("x", [None, 3]), min=0.0).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    if min is None and max is None:
        raise AssertionError("Invalid value for arguments `min` and `max` of `clamp`. Expected at least one bound. Received: None")
    largest = 3.4028234663852886e38
    attrs: dict[str, Any] = {"min": -largest if min is None else min, "max": largest if max is None else max}
    return run("clip", input, layer="clamp", name=name, outputs=None if output is None else {"Out": output}, **attrs)


@layer
def continuous_value_model(input: Variable, cvm: Variable, use_cvm: bool = True) -> Variable:
    """The show and click columns of embeddings, as logarithms or left out.

    Args:
        input: [N, D], floating; the first two columns are shows and clicks.
        cvm: [N, 2], the gradients of these columns.
        use_cvm: log(show + 1) and log(click + 1) - log(show + 1); else without the columns.
    Returns:
        Variable [N, D] or [N, D - 2].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.continuous_value_model(fluid.data("x", [None, 8]), fluid.data("c", [None, 2])).shape
        (-1, 8)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("cvm")
    return run("cvm", input, cvm, helper=helper, outputs=unnamed(helper, "Y", dtype=input.dtype), use_cvm=use_cvm)


@layer
def filter_by_instag(
    ins: Variable, ins_tag: Variable, filter_tag: Variable, is_lod: bool, out_val_if_empty: int = 0
) -> list[Variable]:
    """The instances that have one of the given tags.

    Args:
        ins: the instances, sequences with LoD or rows.
        ins_tag: int64 with LoD, each instance's tags.
        filter_tag: int64, the tags.
        is_lod: `ins` has LoD.
        out_val_if_empty: what the result holds when there is no such instance.
    Returns:
        The instances, and the weight of each in a loss (0 when there is none).

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     ins, tags = fluid.data("i", [None, 32], lod_level=1), fluid.data("t", [None, 1], "int64", lod_level=1)
        ...     out, weight = fluid.layers.filter_by_instag(ins, tags, fluid.data("f", [None, 1], "int64"), True)
        ...     out.shape, weight.shape
        ((-1, 32), (-1, 1))

    Follows Paddle 1.8.
    """
    out, weight, _ = run("filter_by_instag", ins, ins_tag, filter_tag, is_lod=is_lod, out_val_if_empty=out_val_if_empty)
    return [out, declared(weight, "float64")]


def hash(input: Variable, hash_size: int, num_hash: int = 1, name: str | None = None) -> Variable:  # Paddle's own name
    """Hashes of every row of ids.

    Args:
        input: int32 or int64, the ids in the last dimension.
        hash_size: the hashes are below it.
        num_hash: how many hashes of each row.
        name: the layer's name.
    Returns:
        Variable int64 [..., num_hash, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.hash(fluid.data("ids", [None, 2], "int64"), hash_size=1000, num_hash=4).shape
        (-1, 4, 1)

    Follows Paddle 1.8.
    """
    check_dtype(input, "input", (VarType.INT32, VarType.INT64), "hash")
    return run("hash", input, name=name, stop=True, num_hash=num_hash, mod_by=hash_size)


@layer
def meshgrid(input: Any, name: str | None = None) -> list[Variable]:
    """The coordinates of the points of a grid.

    Args:
        input: a list of vectors.
        name: the layer's name.
    Returns:
        For each vector a Variable with one dimension for each vector.
    Raises:
        TypeError: input is no list.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     [v.shape for v in fluid.layers.meshgrid([fluid.data("x", [100]), fluid.data("y", [200])])]
        [(100, 200), (100, 200)]

    Follows Paddle 1.8.
    """
    if not isinstance(input, (list, tuple)):
        raise type_error("input", "list or tuple", input, "meshgrid")
    return run("meshgrid", list(input), name=name)


@layer
def lod_reset(x: Variable, y: Variable | None = None, target_lod: list[int] | None = None) -> Variable:
    """x with another LoD.

    Args:
        x: a Variable.
        y: a Variable whose LoD is taken, or whose elements are the offsets.
        target_lod: the offsets, when y is None.
    Returns:
        Variable of the shape of x.
    Raises:
        ValueError: neither is given.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.lod_reset(fluid.data("x", [6, 1]), target_lod=[0, 2, 6]).lod_level
        1

    Follows Paddle 1.8.
    """
    if y is not None:
        return run("lod_reset", x, y)
    if target_lod is None:
        raise ValueError("Invalid value for arguments `y` and `target_lod` of `lod_reset`. Expected one of them. Received: None")
    return run("lod_reset", x, target_lod=list(target_lod))


@layer
def lod_append(x: Variable, level: Any) -> Variable:
    """x with one more level of LoD.

    Args:
        x: a Variable.
        level: the offsets of that level, a list or a Variable.
    Returns:
        Variable of the shape of x.
    Raises:
        ValueError: level is neither.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.lod_append(fluid.data("x", [6, 1], lod_level=1), [0, 1, 2, 6]).shape
        (6, 1)

    Follows Paddle 1.8.
    """
    if is_variable(level):
        return run("lod_reset", x, level, layer="lod_append", append=True)
    if not isinstance(level, (list, tuple)):
        raise ValueError(f"Invalid value for argument `level` of `lod_append`. Expected list, tuple or Variable. Received: {level!r}")
    return run("lod_reset", x, layer="lod_append", append=True, target_lod=list(level))


def merge_selected_rows(x: Variable, name: str | None = None) -> Variable:
    """SelectedRows with equal rows added up.

    Args:
        x: SelectedRows.
        name: the layer's name.
    Returns:
        Variable, SelectedRows.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> rows = fluid.core.VarDesc.VarType.SELECTED_ROWS
        >>> with fluid.program_guard(fluid.Program()):
        ...     block = fluid.default_main_program().current_block()
        ...     x = block.create_var(name="x", shape=[5, 2], dtype="float32", type=rows)
        ...     fluid.layers.merge_selected_rows(x).type == rows
        True

    Follows Paddle 1.8.
    """
    return run("merge_selected_rows", x, name=name)


def get_tensor_from_selected_rows(x: Variable, name: str | None = None) -> Variable:
    """The rows of SelectedRows as a tensor.

    Args:
        x: SelectedRows.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        TypeError: x is a tensor.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> rows = fluid.core.VarDesc.VarType.SELECTED_ROWS
        >>> with fluid.program_guard(fluid.Program()):
        ...     block = fluid.default_main_program().current_block()
        ...     x = block.create_var(name="x", shape=[5, 2], dtype="float32", type=rows)
        ...     fluid.layers.get_tensor_from_selected_rows(x).shape
        (5, 2)

    Follows Paddle 1.8.
    """
    return run("get_tensor_from_selected_rows", x, name=name)


def autoincreased_step_counter(counter_name: str | None = None, begin: int = 1, step: int = 1) -> Variable:
    """A counter that grows with every run.

    Args:
        counter_name: its name; None: "@STEP_COUNTER@". A counter there is already is taken.
        begin: its value in the first run.
        step: how much it grows.
    Returns:
        Variable int64 [1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.autoincreased_step_counter(begin=0).name
        '@STEP_COUNTER@'

    Follows Paddle 1.8.
    """
    helper = LayerHelper("global_step_counter")
    name = "@STEP_COUNTER@" if counter_name is None else counter_name
    counter, is_new = helper.create_or_get_global_variable(
        name=name, dtype="int64", shape=[1], persistable=True, belong_to_optimizer=True
    )
    if is_new:
        helper.set_variable_initializer(counter, ConstantInitializer(begin - 1, force_cpu=True))
        helper.main_program.global_block()._prepend_op(
            type="increment", inputs={"X": [counter]}, outputs={"Out": [counter]}, attrs={"step": float(step)}
        )
        counter.stop_gradient = True
    return counter


def py_func(
    func: Callable[..., Any], x: Any, out: Any, backward_func: Any = None, skip_vars_in_backward_input: Any = None
) -> Any:
    """A Python function as an operator.

    Args:
        func: takes one LoDTensor for each of `x`, returns one array or LoDTensor for each of `out`.
        x: a Variable or list of Variables.
        out: a Variable or list of Variables made before (`Block.create_var`), with shape and data type.
        backward_func: takes inputs, outputs and output gradients, returns input gradients; None: no gradient.
        skip_vars_in_backward_input: Variables of `x` and `out` that `backward_func` does not take.
    Returns:
        `out`.
    Raises:
        TypeError: func is not callable, or x or out are no Variables.
        ValueError: a variable to skip is neither in x nor in out.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [2])
        ...     y = x.block.create_var(name="twice", shape=[2], dtype="float32")
        ...     fluid.layers.py_func(lambda a: np.array(a) * 2, x, y).name
        'twice'

    Follows Paddle 1.8.
    """
    return variables.py_func(func, x, out, backward_func, skip_vars_in_backward_input)


__all__ = [
    "add_position_encoding", "autoincreased_step_counter", "bilinear_tensor_product", "clamp", "clip", "clip_by_norm",
    "continuous_value_model", "cos_sim", "fc", "filter_by_instag", "get_tensor_from_selected_rows", "hash", "lod_append", "lod_reset",
    "merge_selected_rows", "meshgrid", "py_func",
]  # fmt: skip

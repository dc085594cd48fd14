"""Variables made by hand, places, and functions of the user's inside a Program."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core import mode, param_attr
from paddle_compat.core.dtype import DTypeLike, dtype_name, exact_dtype, torch_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.ops.py_func import py_func as py_func_op
from paddle_compat.ops.py_func import register_callable
from paddle_compat.static.places import cpu_places, cuda_places


def create_parameter(
    shape: Any,
    dtype: DTypeLike,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Any = None,
) -> Any:
    """A parameter of the default main program.

    Args:
        shape: its dimensions, all known; in eager mode a Tensor that `paddle.shape` gave, too.
        dtype: a floating data type.
        name: its name; None: made from ``create_parameter``.
        attr: ParamAttr; in eager mode, what stands for one, too: a name, an initializer, a regularizer.
        is_bias: it starts as a bias (0) when no initializer is given.
        default_initializer: goes where `attr` has none.
    Returns:
        The Parameter.
    Raises:
        TypeError: `attr` is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.static.create_parameter([2, 3], "float32").shape
        (2, 3)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    return make_parameter(2, shape, exact_dtype(dtype), name, attr, bool(is_bias), default_initializer)


def make_parameter(
    age: int, shape: Any, dtype: DTypeLike, name: str | None, attr: Any, is_bias: bool, default_initializer: Any, helper_class: Any = None
) -> Any:
    """`create_parameter` of Paddle 1.x (age 1) or 2.x (age 2), by the front-end's own LayerHelper if it has one."""
    if age > 1 and isinstance(shape, Tensor):
        shape = shape.tolist()
    if age > 1 and not mode.in_dygraph_mode():
        _refuse_complex(dtype, "create_parameter")
        if isinstance(shape, np.ndarray) and shape.ndim == 1:  # static mode alone takes an array
            shape = shape.tolist()
    if not isinstance(shape, (list, tuple)):
        raise type_error("shape", "list or tuple", shape, "create_parameter")
    helper = helper_class("create_parameter", name=name) if helper_class else LayerHelper("create_parameter", age=age, name=name)
    if attr is None:
        attr = ParamAttr(name=name)
    elif age > 1:
        if not mode.in_dygraph_mode() and not isinstance(attr, ParamAttr):
            raise type_error("attr", "None or a ParamAttr in static mode", attr, "create_parameter")
        attr = ParamAttr._to_attr(attr)
    if age > 1 and isinstance(attr, ParamAttr) and torch_dtype(dtype) is torch.bfloat16:
        if attr.initializer is default_initializer is param_attr.global_initializers[is_bias] is None:  # though layers have such parameters
            raise type_error("dtype", "float16, float32 or float64 for a parameter without initializer", dtype, "create_parameter")
    return helper.create_parameter(attr, list(shape), dtype, is_bias, default_initializer)


def create_global_var(
    shape: Any,
    value: float,
    dtype: DTypeLike,
    persistable: bool = False,
    force_cpu: bool = False,
    name: str | None = None,
) -> Variable:
    """A variable of the global block that starts with one value.

    Args:
        shape: its dimensions.
        value: what every element starts with.
        dtype: data type.
        persistable: it lives on between runs.
        force_cpu: kept; the executor's place decides.
        name: its name; None: made.
    Returns:
        The Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.static.create_global_var([1], 0.0, "float32", persistable=True, name="count_0").name
        'count_0'
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    return make_global_var(2, shape, value, dtype, persistable, force_cpu, name)


def make_global_var(
    age: int, shape: Any, value: float, dtype: DTypeLike, persistable: bool, force_cpu: bool, name: str | None, helper_class: Any = None
) -> Variable:
    """`create_global_var` of Paddle 1.x (age 1) or 2.x (age 2), by the front-end's own LayerHelper if it has one."""
    if not isinstance(shape, (list, tuple, np.ndarray)) or not all(isinstance(size, (int, np.integer)) for size in shape):
        raise type_error("shape", "a list, tuple or array of ints", shape, "create_global_var")
    if age > 1:
        dtype = exact_dtype(dtype)
        _refuse_complex(dtype, "create_global_var")
    helper = helper_class("global_var", name=name) if helper_class else LayerHelper("global_var", age=age, name=name)
    if name is None:
        name = helper.main_program._generated_name()
    var = helper.create_global_variable(dtype=dtype, shape=list(shape), persistable=persistable, name=name, stop_gradient=True)
    helper.set_variable_initializer(var, _constant(age, value, force_cpu))
    return var


def _refuse_complex(dtype: DTypeLike, api: str) -> None:
    """TypeError for complex numbers, which Paddle 2 and 3 make in eager mode and by a layer's own `create_parameter` only."""
    if dtype_name(dtype).startswith("complex"):
        raise type_error("dtype", "a boolean, integer or floating type", dtype_name(dtype), api)


def _constant(age: int, value: float, force_cpu: bool) -> Any:
    if age == 1:
        return import_module("paddle_compat.fluid.initializer").ConstantInitializer(value=float(value), force_cpu=force_cpu)
    made = import_module("paddle_compat.nn.initializer").Constant(float(value))
    made._force_cpu = force_cpu
    return made


def py_func(func: Callable[..., Any], x: Any, out: Any, backward_func: Any = None, skip_vars_in_backward_input: Any = None) -> Any:
    """Put a Python function into the Program.

    Args:
        func: takes one LoDTensor for each of `x`, returns one array or LoDTensor for each of `out`.
        x: a Variable or list of Variables.
        out: a Variable or list of Variables made before (`Block.create_var`), with shape and dtype.
        backward_func: takes inputs, outputs and output gradients, returns input gradients; None: no gradient.
        skip_vars_in_backward_input: Variables of `x` and `out` that `backward_func` does not take.
    Returns:
        `out`.
    Raises:
        AssertionError: eager mode is on.
        TypeError: func is not callable, or x or out are no Variables.
        ValueError: a variable to skip is neither in x nor in out.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2], "float32")
        >>> y = x.block.create_var(name="twice", shape=[2], dtype="float32")
        >>> paddle.static.py_func(lambda a: np.array(a) * 2, x, y).name
        'twice'
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    mode.static_only("py_func")
    if not callable(func):
        raise type_error("func", "a callable", func, "py_func")
    if backward_func is not None and not callable(backward_func):
        raise type_error("backward_func", "a callable or None", backward_func, "py_func")
    xs, outs = ([] if v is None else list(v) if isinstance(v, (list, tuple)) else [v] for v in (x, out))
    for name, values in (("x", xs), ("out", outs)):
        for value in values:
            if not isinstance(value, Variable):
                raise type_error(name, "Variables", value, "py_func")
    for made in outs:
        if not made.shape:
            raise ValueError(f"Output shapes of py_func should be given. Expected dimensions. Received: {made.name} of shape {made.shape}")
    skip = [] if skip_vars_in_backward_input is None else skip_vars_in_backward_input
    skip = list(skip) if isinstance(skip, (list, tuple, set)) else [skip]
    for value in skip:
        if not isinstance(value, (str, Variable)):
            raise type_error("skip_vars_in_backward_input", "Variables or names", value, "py_func")
    skip = [v if isinstance(v, str) else v.name for v in skip]
    names = [v.name for v in (*xs, *outs)]
    for name in skip:
        if name not in names:
            raise ValueError(
                f"Invalid value for argument `skip_vars_in_backward_input` of `py_func`. Expected inputs or outputs {names}. "
                f"Received: {name}"
            )
    helper = LayerHelper("py_func", age=(xs or outs)[0].block.program.age)
    helper.append_op(
        type=py_func_op.type,
        inputs={"X": xs},
        outputs={"Out": outs},
        attrs={
            "forward_callable_id": register_callable(func),
            "backward_callable_id": register_callable(backward_func) if backward_func is not None else -1,
            "backward_skip_vars": skip,
            "_skip": [i for i, n in enumerate(names) if n in skip],
            "_dtypes": [int(o.dtype) for o in outs],
        },
    )
    return out


__all__ = ["cpu_places", "create_global_var", "create_parameter", "cuda_places", "py_func"]

__getattr__ = missing(__name__)

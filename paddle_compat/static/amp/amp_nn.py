"""The operators of loss scaling, written into a Program."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.variable import Variable

__all__ = ["check_finite_and_unscale", "update_loss_scaling"]

_FLOATS = ("float16", "float32", "float64", "uint16")


def _checked(x: Any, op: str) -> list[Any]:
    if not isinstance(x, (tuple, list)):
        raise type_error("x", "a tuple or list", x, op)
    for var in x:
        if var.dtype.name not in ("FP16", "FP32", "FP64", "BF16"):
            raise TypeError(f"The data type of 'x' in {op} must be {list(_FLOATS)}, but received {var.dtype.name.lower()}.")
    return list(x)


def check_finite_and_unscale(x: Any, scale: Any, name: str | None = None, float_status: Any = None) -> tuple[list[Any], Any]:
    """Divide Tensors by a scale, and see whether all are finite.

    Args:
        x (list|tuple): gradients; they take the results.
        scale (Tensor): the scale, of one element.
        name (str|None): stands in the name of the second output.
        float_status (Tensor|None): for NPUs; not read.
    Returns:
        tuple: x, and a boolean of one element: whether something was infinite or no number.
    Raises:
        TypeError: x is no list, or not of floating Tensors.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> from paddle_compat.static.amp.amp_nn import check_finite_and_unscale
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     x, scale = paddle.static.data("x", [2]), paddle.static.data("scale", [1])
        ...     (x,), found = check_finite_and_unscale([x], scale)
        >>> feed = {"x": np.array([2, 4], "float32"), "scale": np.array([2], "float32")}
        >>> [v.tolist() for v in paddle.static.Executor().run(main, feed=feed, fetch_list=[x, found])]
        [[1.0, 2.0], [False]]

    Follows Paddle 2.6.
    """
    values = _checked(x, "check_finite_and_unscale")
    helper = LayerHelper("check_finite_and_unscale", name=name)
    found = helper.create_variable_for_type_inference("bool")
    inputs = {"X": values, "Scale": scale}
    helper.append_op(type="check_finite_and_unscale", inputs=inputs, outputs={"Out": values, "FoundInfinite": found})
    return x, found


def update_loss_scaling(
    x: Any,
    found_inf: Any,
    prev_loss_scaling: Any,
    num_good_steps: Any,
    num_bad_steps: Any,
    incr_every_n_steps: int,
    decr_every_n_nan_or_inf: int,
    incr_ratio: float,
    decr_ratio: float,
    stop_update: Any = False,
    name: str | None = None,
) -> Any:
    """Follow with the loss's factor, and set gradients that are not finite to 0.

    Args:
        x (list|tuple): gradients; they take the results.
        found_inf (Tensor): whether something was infinite or no number.
        prev_loss_scaling (Tensor): the factor; takes the new one.
        num_good_steps, num_bad_steps (Tensor): how many steps in a row were finite or not; they count on.
        incr_every_n_steps, decr_every_n_nan_or_inf (int): after how many steps the factor changes.
        incr_ratio, decr_ratio (float): what it is multiplied by then.
        stop_update (bool|Tensor): whether the factor and the counts stay.
        name (str|None): of no effect.
    Returns:
        x.
    Raises:
        TypeError: x is no list, or not of floating Tensors.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.static.amp.amp_nn import update_loss_scaling
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     x, scale, found = (paddle.static.data(n, [1], t) for n, t in (("x", "float32"), ("s", "float32"), ("f", "bool")))
        ...     good, bad = paddle.static.data("good", [1], "int32"), paddle.static.data("bad", [1], "int32")
        ...     _ = update_loss_scaling([x], found, scale, good, bad, 1000, 2, 2.0, 0.5)
        >>> main.global_block().ops[0].type
        'update_loss_scaling'

    Follows Paddle 2.6.
    """
    values = _checked(x, "update_loss_scaling")
    inputs = {
        "X": values,
        "FoundInfinite": found_inf,
        "PrevLossScaling": prev_loss_scaling,
        "InGoodSteps": num_good_steps,
        "InBadSteps": num_bad_steps,
    }
    outputs = {"Out": values, "LossScaling": prev_loss_scaling, "OutGoodSteps": num_good_steps, "OutBadSteps": num_bad_steps}
    attrs = {
        "incr_every_n_steps": incr_every_n_steps,
        "decr_every_n_nan_or_inf": decr_every_n_nan_or_inf,
        "incr_ratio": incr_ratio,
        "decr_ratio": decr_ratio,
    }
    if isinstance(stop_update, Variable):
        inputs["StopUpdate"] = stop_update
    else:
        attrs["stop_update"] = stop_update
    LayerHelper("update_loss_scaling", name=name).append_op(type="update_loss_scaling", inputs=inputs, outputs=outputs, attrs=attrs)
    return x


__getattr__ = missing(__name__)

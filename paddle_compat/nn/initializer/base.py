"""What initializers share: the call, fans and gains, and the global default."""

from __future__ import annotations

import math
from typing import Any

import torch

from paddle_compat import _alias
from paddle_compat.core import param_attr, unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import UnimplementedError, type_error
from paddle_compat.core.op import definition_of
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor

_GENERATOR_ALONE = _alias.since("3")  # eager parameters ask no Program for their seed


class Initializer:
    """Base of all initializers: called with a parameter, it fills it (eager mode) or records how it starts.

    Subclasses define `forward(var, block)`.

    Example:
        >>> import paddle_compat as paddle
        >>> class Ones(paddle.nn.initializer.Initializer):
        ...     def forward(self, var, block=None):
        ...         return paddle.nn.initializer.Constant(1.0)(var, block)
        >>> paddle.create_parameter([2], "float32", default_initializer=Ones()).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """

    _init_ = True

    def __call__(self, param: Any, block: Any = None) -> Any:
        """Fill `param`, or append the operator that does to `block` (default: the main program's)."""
        return self.forward(param, block)

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`; subclasses say with what.

        Args:
            var: the parameter, a Tensor in eager mode, else a Variable.
            block: where the operator that fills it is recorded; None: the startup program's.
        Returns:
            The operator that was recorded; None in eager mode.
        Raises:
            UnimplementedError: the subclass does not define it.
        """
        raise UnimplementedError(
            f"Expected a subclass of Initializer that defines forward. Received: {type(self).__name__}"
        )


def fill(var: Any, block: Any, type_: str, attrs: dict[str, Any], wide: str | None = None) -> Any:
    """Let one operator without inputs write `var`.

    Args:
        wide: where Paddle computes half-precision parameters in float32, the first part of the helper variable's name.
    Returns:
        The operator (None in eager mode).
    """
    attrs = {"shape": [int(d) for d in var.shape], "dtype": int(var.dtype), **attrs}
    half = wide is not None and var.dtype in (VarType.FP16, VarType.BF16)
    if half:
        attrs["dtype"] = int(VarType.FP32)
    if isinstance(var, Tensor):
        definition = definition_of(type_)
        with torch.no_grad():
            found = definition.fn(**attrs)
            if found.shape == var._t.shape:
                var._t.copy_(found)
            else:  # of values that have a shape of their own
                var._t.data = found.to(var._t.dtype)
        return None
    block = block_of(block)
    out = var
    if half:
        name = unique_name.generate(".".join([str(wide), var.name, "tmp"]))
        out = block._add_var(name=name, shape=var.shape, dtype=VarType.FP32, persistable=False)
    made = block.append_op(
            type=type_, inputs={} if type_ == "uniform_random" else None, outputs={"Out": out}, attrs=attrs, stop_gradient=True
        )
    if half:
        casts = {"in_dtype": int(VarType.FP32), "out_dtype": int(var.dtype)}
        block.append_op(type="cast", inputs={"X": out}, outputs={"Out": var}, attrs=casts)
    var.op = made
    return made


def seed_of(initializer: Any, var: Any, block: Any) -> int:
    """The seed of an initializer: that of the Program which it first recorded into, 0 for the generator's numbers.

    Parameters of eager mode are seeded by the default main Program; in Paddle 3 by the generator alone.
    """
    if not initializer._seed and not (_GENERATOR_ALONE and isinstance(var, Tensor)):
        initializer._seed = block_of(None if isinstance(var, Tensor) else block).program.random_seed
    return int(initializer._seed)


def block_of(block: Any) -> Any:
    """The block to record into."""
    return default_main_program().global_block() if block is None else block


def fans(var: Any) -> tuple[int, int]:
    """How many numbers go into one output of a weight, and how many outputs one input goes into."""
    shape = [int(d) for d in var.shape]
    if len(shape) < 2:
        return (shape[0], shape[0]) if shape else (1, 1)
    if len(shape) == 2:
        return shape[0], shape[1]
    receptive = math.prod(shape[2:])
    return shape[1] * receptive, shape[0] * receptive


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which an activation calls for larger weights.

    Args:
        nonlinearity (str): "sigmoid", "linear", "conv1d", "conv2d", "conv3d", their transposes, "tanh", "relu",
            "leaky_relu" or "selu".
        param (float): the slope of "leaky_relu", 0.01 by default.
    Returns:
        float: the gain.
    Raises:
        ValueError: there is no such activation.

    Example:
        >>> from paddle_compat.nn.initializer import calculate_gain
        >>> calculate_gain("tanh")
        1.6666666666666667

    Follows Paddle 2.6.
    """
    slope = 0.01 if param is None else float(param)
    gains = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "leaky_relu": math.sqrt(2.0 / (1 + slope**2)), "selu": 3.0 / 4}
    ones = ["sigmoid", "linear", *(f"conv{n}d" for n in (1, 2, 3)), *(f"conv{n}d_transpose" for n in (1, 2, 3))]
    if nonlinearity in ones:
        return 1.0
    if nonlinearity not in gains:
        known = ", ".join(sorted({*gains, *ones}))
        raise ValueError(
            f"Invalid value for argument `nonlinearity`. Expected one of {known}. Received: {nonlinearity!r}"
        )
    return gains[nonlinearity]


def set_global_initializer(weight_init: Initializer | None, bias_init: Initializer | None = None) -> None:
    """Decide how parameters start whose `ParamAttr` has no initializer, whatever their layer's default.

    Args:
        weight_init (Initializer): for weights; None for the layers' defaults.
        bias_init (Initializer): for biases; None for the layers' defaults.
    Raises:
        TypeError: an argument is no initializer.

    Example:
        >>> from paddle_compat.nn import initializer
        >>> initializer.set_global_initializer(initializer.Constant(0.5))
        >>> initializer.set_global_initializer(None)

    Follows Paddle 2.6.
    """
    for name, given in (("weight_init", weight_init), ("bias_init", bias_init)):
        if given is not None and not hasattr(given, "_init_"):
            raise type_error(name, "an Initializer or None", given, "set_global_initializer")
    param_attr.global_initializers = (weight_init, bias_init)


def _default_weight() -> Initializer:
    from paddle_compat.nn.initializer.random import XavierUniform

    return XavierUniform()


def _default_bias() -> Initializer:
    from paddle_compat.nn.initializer.fixed import Constant

    return Constant(0.0)

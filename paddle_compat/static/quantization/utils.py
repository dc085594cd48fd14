"""`paddle.static.quantization.utils`: weights as steps, and back."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.base._ir_nodes import IrNode
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.operator import Operator
from paddle_compat.core.scope import global_scope
from paddle_compat.static.quantization._passes import COLUMNS, SUPPORTED, WEIGHTED

_channelwise_quant_axis1_ops = [kind for kind in COLUMNS if kind in WEIGHTED]
_LEAST = 1e-8  # the scale of what is all zeros


def load_variable_data(scope: Any, var_name: str) -> Any:
    """The values that a scope has for a variable."""
    found: Any = (scope or global_scope()).find_var(var_name)
    if found is None:
        raise AssertionError(f"Invalid value for argument `var_name`. Expected a variable in the scope. Received: {var_name!r}")
    return np.array(found.get_tensor())


def set_variable_data(scope: Any, place: Any, var_name: str, np_value: Any) -> None:
    """Put values into a scope."""
    (scope or global_scope()).var(var_name).get_tensor().set(np.asarray(np_value), place)


def spread(scale: Any, x: Any, axis: int) -> Any:
    """Scales of channels in the shape that broadcasts with x; a scale of zero gives way to a small one."""
    scale = np.asarray(scale, np.float32).reshape(-1)
    shape = [-1 if d == axis else 1 for d in range(x.ndim)] if len(scale) > 1 else [1]
    return np.where(scale == 0.0, np.float32(_LEAST), scale).reshape(shape)


def quant_tensor(x: Any, scale: Any, quant_axis: int = 0, weight_bits: int = 8, onnx_format: bool = False) -> Any:
    """What x is in steps, of which the last stands for the scale; whole ones for ONNX's operators only."""
    most = (1 << (weight_bits - 1)) - 1
    wide = spread(scale, x, quant_axis)
    if onnx_format:
        return np.clip(np.round(x / wide * most), -most - 1, most)
    return np.clip(x, -wide, wide) / wide * most


def dequant_tensor(x: Any, scale: Any, quant_axis: int = 0, weight_bits: int = 8) -> Any:
    """The values of steps."""
    return x * spread(scale, x, quant_axis) / ((1 << (weight_bits - 1)) - 1)


def bias_correction_w(x: Any, x_quant: Any, scale_v: Any, quant_axis: int, weight_bits: int = 8) -> Any:
    """Steps of which each channel has the mean and the deviation that x has there."""
    others = tuple(d for d in range(x.ndim) if quant_axis < 0 or d != quant_axis)
    back = dequant_tensor(x_quant, scale_v, quant_axis, weight_bits)
    shift = (x - back).mean(axis=others, keepdims=True)
    stretch = x.std(axis=others, keepdims=True) / (back.std(axis=others, keepdims=True) + _LEAST)
    return quant_tensor((back + shift) * stretch, scale_v, quant_axis, weight_bits)


def calculate_quant_cos_error(orig_tensor: Any, qdq_tensor: Any) -> Any:
    """The cosine between two tensors."""
    one, other = np.ravel(orig_tensor), np.ravel(qdq_tensor)
    return np.inner(one, other) / (np.linalg.norm(one) * np.linalg.norm(other))


def l2_loss(gt: Any, pred: Any) -> Any:
    """The mean square of the differences."""
    return ((gt - pred) ** 2).mean()


def _names(op: Any, gives: bool) -> dict[str, list[str]]:
    """What an operator reads, or gives, by slot, in the slots that count; nothing of operators that are not known."""
    if not isinstance(op, (IrNode, Operator)):
        raise failed_assertion("op", "an Operator, or the node of one", op)
    known: Any = op
    kind = known.name() if isinstance(op, IrNode) else known.type
    of = known.output if gives else known.input
    return {slot: list(of(slot)) for slot in SUPPORTED.get(kind, ((), ()))[gives]}


def _get_op_input_var_names(op: Any) -> list[str]:
    """The variables that an operator reads where they count for quantization."""
    return [name for names in _names(op, False).values() for name in names]


def _get_op_output_var_names(op: Any) -> list[str]:
    """The variables that an operator gives where they count for quantization."""
    return [name for names in _names(op, True).values() for name in names]


def _place_of(names: dict[str, list[str]], name: str) -> tuple[str, int] | None:
    found = [(slot, at) for slot, there in names.items() for at, each in enumerate(there) if each == name]
    return found[-1] if found else None


def _get_input_name_index(op: Any, input_var_name: str) -> tuple[str, int] | None:
    """The slot that a variable is read in, and its place there; None: none."""
    return _place_of(_names(op, False), input_var_name)


def _get_output_name_index(op: Any, output_var_name: str) -> tuple[str, int] | None:
    """The slot that a variable is given in, and its place there; None: none."""
    return _place_of(_names(op, True), output_var_name)


class tqdm:
    """A bar that grows on the standard error output.

    Args:
        total (int): how many steps there are.
        bar_format (str): what stands before the bar, up to "|".
        ncols (int): how many characters wide the bar is.

    Example:
        >>> from paddle_compat.static.quantization.utils import tqdm
        >>> with tqdm(2, "Work|{bar}") as bar:
        ...     bar.update()
        >>> bar.n
        1

    Follows Paddle 2.6.
    """

    def __init__(self, total: int, bar_format: str = "Loading|{bar}", ncols: int = 80) -> None:
        self.total, self.bar_format, self.ncols = total, bar_format, ncols
        self.n = 0

    def update(self, n: int = 1) -> None:
        """Count steps, and draw the bar.

        Args:
            n (int): how many.
        """
        self.n += n
        title, bar = self.bar_format.partition("|")[0], "=" * round(self.n / self.total * self.ncols) + "=>"
        print(f"\r{title}|{bar:<{self.ncols + 2}}| {self.n}/{self.total}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> tqdm:
        return self

    def __exit__(self, *error: object) -> None:
        print(file=sys.stderr)


def stable_sigmoid(x: Any) -> Any:
    """The logistic function, without overflow."""
    falling = np.exp(-np.abs(x))
    return np.where(x < 0, falling, 1.0) / (1.0 + falling)


__getattr__ = missing(__name__)

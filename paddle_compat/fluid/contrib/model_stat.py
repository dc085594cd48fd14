"""`paddle.fluid.contrib.model_stat`: how many parameters and operations a Program's layers have."""

from __future__ import annotations

from math import prod

from paddle_compat._missing import missing
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program

_HEAD = ("No.", "TYPE", "INPUT", "OUTPUT", "PARAMs", "FLOPs")
_ACTIVATIONS = ("sigmoid", "tanh", "relu", "leaky_relu", "prelu")
_NOTICE = "[Conv, DepthwiseConv, FC(mul), BatchNorm, Pool, Activation(sigmoid, tanh, relu, leaky_relu, prelu)]"

Row = tuple[str, tuple[int, ...], tuple[int, ...], int, int]


def summary(main_prog: Program) -> None:
    """Print for the layers of a Program their inputs, outputs, parameters and operations, and the sums of these.

    As in Paddle, a group of a convolution counts twice, `prelu` and `mul` have one parameter more, and an activation of a batch of unknown
    size counts negatively.

    Args:
        main_prog: the Program, before a backward pass or after it.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     y = fluid.layers.fc(fluid.data("x", [None, 3]), 2)
        ...     fluid.contrib.model_stat.summary(y.block.program)
        +-----+------+-------+--------+--------+-------+
        | No. | TYPE | INPUT | OUTPUT | PARAMs | FLOPs |
        +-----+------+-------+--------+--------+-------+
        |   0 |  mul |  (3,) |   (2,) |      7 |     6 |
        +-----+------+-------+--------+--------+-------+
        Total PARAMs: 7(0.0000M)
        Total FLOPs: 6(0.00G)
        Notice:...

    Follows Paddle 1.8.
    """
    rows = [row for op in main_prog.global_block().ops if (row := _row(op)) is not None]
    cells = [_HEAD, *((str(number), *map(str, row)) for number, row in enumerate(rows))]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_HEAD))]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    table = ["| " + " | ".join(text.rjust(width) for text, width in zip(line, widths)) + " |" for line in cells]
    parameters, operations = sum(row[3] for row in rows), sum(row[4] for row in rows)
    print("\n".join([rule, table[0], rule, *table[1:], rule]))
    print(f"Total PARAMs: {parameters}({parameters / 1e6:.4f}M)")
    print(f"Total FLOPs: {operations}({operations / 1e9:.2f}G)")
    print(f"Notice: \n now supported ops include {_NOTICE}")


def _row(op: Operator) -> Row | None:
    """The line of an operator; None for kinds that are not counted."""

    def shape(names: list[str]) -> tuple[int, ...]:
        return tuple(op.block._var_recursive(names[0]).shape)

    if op.type in ("conv2d", "depthwise_conv2d"):
        weight, came, gone = shape(op.input("Filter")), shape(op.input("Input")), shape(op.output("Output"))
        each = prod(weight[2:]) * weight[1] / op.attr("groups") + bool(op.inputs.get("Bias"))
        counts = int(gone[1] * each), int(2 * prod(gone[1:]) * each)
    elif op.type == "pool2d":
        came, gone = shape(op.input("X")), shape(op.output("Out"))
        counts = 0, prod(gone[1:]) * prod(op.attr("ksize"))
    elif op.type == "mul":
        came, gone, weight = shape(op.input("X")), shape(op.output("Out")), shape(op.input("Y"))
        counts = prod(weight) + 1, prod(weight)
    elif op.type in _ACTIVATIONS:
        came, gone = shape(op.input("X")), shape(op.output("Out"))
        counts = int(op.type == "prelu"), prod(came)
    elif op.type == "batch_norm":
        came, gone = shape(op.input("X")), shape(op.output("Y"))
        counts = 2 * came[1], 2 * prod(came[1:])
    else:
        return None
    return op.type, came[1:], gone[1:], *counts


__all__ = ["summary"]

__getattr__ = missing(__name__)

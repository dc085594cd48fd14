"""Convolutions of a model that is only run: batch norms behind them become a part of them, and filters lie as oneDNN reads them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch

from paddle_compat.core.block import Block
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.ops.conv import packed

_CONVOLUTIONS = ("conv2d", "depthwise_conv2d")
_NUMBERS = ("Scale", "Bias", "Mean", "Variance")  # of a batch norm


def fold_batch_norms(program: Program, scope: Scope, fetched: set[str]) -> None:
    """Multiply filters by what the batch norms behind them multiply by, and add their shift alone, as Paddle's predictors do.

    Args:
        program: the model; it is changed.
        scope: its parameters; folded ones are put there under names of their own.
        fetched: names of values that somebody asks for, which stay what they are.
    """
    block = program.global_block()
    reads = Counter(name for each in program.blocks for op in each.ops for name in op.input_arg_names)
    reads.update(fetched)
    writes = Counter(name for each in program.blocks for op in each.ops for name in op.output_arg_names)
    made = {name: op for op in block.ops for name in op.output_arg_names if writes[name] == 1}
    for norm in [op for op in block.ops if op.type == "batch_norm"]:
        source = norm.input("X")[0]
        front = made.get(source)
        if front is None or not _runs(norm):
            continue
        bias_name = _bias_of(front, made, block)
        conv = made.get(front.input("X")[0]) if bias_name else front
        if conv is None or conv.type not in _CONVOLUTIONS or conv.attr("data_format") not in ("NCHW", "AnyLayout"):
            continue
        if reads[source] != 1 or reads[conv.output("Output")[0]] != 1 or writes[conv.input("Filter")[0]]:
            continue
        parts = [_value(scope, name) for name in (conv.input("Filter")[0], *(norm.input(slot)[0] for slot in _NUMBERS))]
        bias = _value(scope, bias_name) if bias_name else None
        if all(part is not None and part.dtype == torch.float32 for part in parts) and (bias is not None or not bias_name):
            _fold(block, scope, conv, front, norm, parts, bias)
    program._touch()


def pack_filters(program: Program, scope: Scope) -> None:
    """Lay filters down as oneDNN's convolutions read them, once instead of in every run.

    Args:
        program: the model.
        scope: its parameters, on the CPU; filters that convolutions alone read are packed there (`ops.conv` takes them so).
    """
    ops = [op for block in program.blocks for op in block.ops]
    written = {name for op in ops for name in op.output_arg_names}
    readers: dict[str, list[Operator]] = {}
    for op in ops:
        for name in set(op.input_arg_names) - written:
            readers.setdefault(name, []).append(op)
    for name, found in readers.items():
        value = _value(scope, name)
        if value is None or value.dtype != torch.float32 or value.dim() != 4 or not value.numel():
            continue
        if all(op.type in _CONVOLUTIONS and [name] == op.input("Filter") for op in found):
            told = (found[0].attr(key) for key in ("paddings", "strides", "dilations", "groups"))
            image = found[0].block._find_var_recursive(found[0].input("Input")[0])
            scope.var(name).tensor.value = packed(value, image.shape if image is not None else (), *told)


def _bias_of(op: Operator, made: dict[str, Operator], block: Block) -> str:
    """The parameter of which an operator adds a number to each channel, as it is or shaped [1, channels, 1, 1]; "" for none."""
    if op.type != "elementwise_add":
        return ""
    name, aligned = op.input("Y")[0], op.attr("axis") == 1
    shaped = made.get(name)
    if shaped is not None and shaped.type == "reshape2":
        first, *rest = list(shaped.attr("shape") or [0])
        name, aligned = shaped.input("X")[0], first == 1 and len(rest) == 3 and rest[1:] == [1, 1]
    var = block._find_var_recursive(name)
    return name if aligned and var is not None and var.persistable and len(var.shape) == 1 else ""


def _runs(norm: Operator) -> bool:
    """Whether a batch norm takes the moments that it has kept."""
    return bool(norm.attr("is_test") or norm.attr("use_global_stats")) and norm.attr("data_layout") in ("NCHW", "AnyLayout")


def _value(scope: Scope, name: str) -> torch.Tensor | None:
    found = scope.find_var(name)
    value = None if found is None else found.tensor.value
    return value if isinstance(value, torch.Tensor) else None


def _fold(
    block: Block, scope: Scope, conv: Operator, front: Operator, norm: Operator, parts: list[Any], bias: torch.Tensor | None
) -> None:
    """Put one addition for what stood behind a convolution, and another filter into that."""
    weight, scale, shift, mean, variance = (part.double() for part in parts)
    factor = scale / torch.sqrt(variance + norm.attr("epsilon"))
    moved = shift + (0 if bias is None else bias.double() * factor) - mean * factor
    names = []
    for name, value in ((conv.input("Filter")[0], weight * factor.reshape(-1, 1, 1, 1)), (norm.input("Bias")[0], moved)):
        var = block._add_var(name=f"{norm.output('Y')[0]}.{name}", shape=value.shape, dtype="float32", persistable=True)
        scope.var(var.name).tensor.value = value.float()
        names.append(var.name)
    conv._rename_input(conv.input("Filter")[0], names[0])
    position = block.ops.index(norm)
    block._remove_op(position)
    if front is not conv:
        position = block.ops.index(front)
        block._remove_op(position)
    block._insert_op(
        position, type="elementwise_add", inputs={"X": conv.output("Output"), "Y": [names[1]]}, outputs={"Out": norm.output("Y")},
        attrs={"axis": 1},
    )  # fmt: skip

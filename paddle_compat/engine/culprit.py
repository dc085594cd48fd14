"""Which operator of a running Program failed, what it expects, and what it received."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import fx

from paddle_compat.core.dtype import VarType, convert_dtype, dtype_name
from paddle_compat.core.errors import (
    EnforceNotMet,
    OutOfRangeError,
    UnimplementedError,
    UnsupportedError,
    refusal_kind,
)
from paddle_compat.core.operator import Operator
from paddle_compat.core.variable import Variable
from paddle_compat.engine.lowering import Lowered
from paddle_compat.engine.nodes import python_name

# what torch says of elements it has no kernel for and of a loss's label that is no class
_KINDS: dict[str, type[EnforceNotMet]] = {"not implemented for": UnimplementedError, "Target ": OutOfRangeError}
# operators that say so of positions that are not there; to others these are invalid arguments
_POSITIONS = ("gather", "scatter")


RECORDED_AT = "recorded_at"  # the attribute of an error that names file, line and function of what recorded the operator


class Culprit(NamedTuple):
    """The operator that failed, its node, and the values of the graph that it is in."""

    op: Operator
    node: fx.Node
    values: Mapping[str, Any]


def explain(lowered: Lowered, error: Exception, feed: Sequence[torch.Tensor]) -> Exception:
    """The error as Paddle would raise it, naming the operator, its inputs and the user's line that recorded it."""
    if isinstance(error, UnsupportedError) or not isinstance(
        error, (RuntimeError, LookupError, TypeError, ValueError, ArithmeticError, AssertionError)
    ):
        return error
    culprit = _culprit(lowered, error)
    if culprit is None or culprit.op.type == "py_func":  # whose function is the user's, as are its exceptions
        return error
    op, text = culprit.op, str(error)
    kind = next((k for words, k in _KINDS.items() if words in text), refusal_kind(error))
    if op.type in _POSITIONS and ("out of range" in text or "out of bounds" in text):
        kind = OutOfRangeError
    inputs = "; ".join(_described(culprit, name) for name in op.input_arg_names if _declared(op, name) is not None)
    if isinstance(error, EnforceNotMet):
        kind, text = type(error), text + (f"\n  inputs: {inputs}" if inputs else "")
    else:
        text = f"Operator `{op.type}` cannot take its inputs: {inputs or 'none'}. ({text})"
    text += f"\n  [operator < {op.type} > error] recorded at {op.where}"
    odd = [t for n, value in zip(lowered.feeds, feed) if (t := _unlike(op, n, value))]
    made = kind(text + (f"\n  fed unlike declared: {'; '.join(odd)}" if odd else ""))
    setattr(made, RECORDED_AT, op._where)
    return made


def _culprit(lowered: Lowered, error: Exception) -> Culprit | None:
    """The innermost operator whose node was running, in a sub-block where it is in one."""
    operators = {
        module.forward.__code__: (module, lowered.nodes if module is lowered.module else module.meta["nodes"])
        for module in lowered.module.modules()
        if isinstance(module, fx.GraphModule)
    }
    found, trace = None, error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code in operators:
            module, nodes = operators[code]
            lines = module.code.split("\n")
            start = next(i for i, text in enumerate(lines) if text.lstrip().startswith("def forward"))
            line = start + trace.tb_lineno - code.co_firstlineno
            name = lines[line].split("=")[0].split(":")[0].strip() if line < len(lines) else ""
            node = next((n for n in module.graph.nodes if n.name == name), None)
            if node is not None and name in nodes:
                values = trace.tb_frame.f_locals
                found = Culprit(_part(lowered, nodes[name], node, values), node, values)
        trace = trace.tb_next
    return found


def _part(lowered: Lowered, op: Operator, node: fx.Node, values: Mapping[str, Any]) -> Operator:
    """The operator of a node; of a product or a convolution that was merged with its bias, the one that failed."""
    product = lowered.products.get(node.name)
    if product is None or lowered.nodes.get(node.name) is not op:
        return op
    x, w = (values.get(str(a)) for a in node.args[:2])
    if not isinstance(x, torch.Tensor) or not isinstance(w, torch.Tensor):
        return product
    if product.type in ("mul", "matmul_v2"):
        fits = any(x.shape[i:].numel() == w.shape[0] for i in range(1, x.dim()))
    else:
        channels = -1 if str(product.attrs.get("data_format", "NCHW"))[-1] == "C" else 1
        fits = x.dim() == w.dim() and x.shape[channels] == w.shape[1] * (product.attrs.get("groups") or 1)
    return op if x.dtype == w.dtype and fits else product


def _declared(op: Operator, name: str) -> Variable | None:
    var = op.block._find_var_recursive(name)
    return var if var is not None and var.type == VarType.LOD_TENSOR else None


def _described(culprit: Culprit, name: str) -> str:
    """An input as it was declared, and as it came."""
    var = _declared(culprit.op, name)
    assert var is not None
    text = f"{name}: expected {list(var.shape)} {dtype_name(var.dtype)}"
    # a variable that is written again has the name with a number
    spelled = re.compile(re.escape(python_name(name)) + r"(_\d+)?")
    received = [v for n in culprit.node.all_input_nodes if spelled.fullmatch(n.name) and (v := culprit.values.get(n.name)) is not None]
    return f"{text}, received {_form(received[0])}" if received and isinstance(received[0], torch.Tensor) else text


def _form(value: torch.Tensor) -> str:
    text = f"{list(value.shape)} {dtype_name(convert_dtype(value.dtype))}"
    if value.dtype in (torch.int32, torch.int64) and value.numel():  # indices, perhaps
        text += f" from {int(value.min())} to {int(value.max())}"
    return text


def _unlike(op: Operator, name: str, value: torch.Tensor) -> str:
    """What was fed, where it is not what its variable declares."""
    var = op.program.global_block().vars.get(name)
    if var is None:
        return ""
    shape = var.shape
    if len(shape) == value.dim() and all(d in (-1, n) for d, n in zip(shape, value.shape)):
        if dtype_name(var.dtype) == dtype_name(convert_dtype(value.dtype)):
            return ""
    return f"{name}: expected {list(shape)} {dtype_name(var.dtype)}, received {_form(value)}"

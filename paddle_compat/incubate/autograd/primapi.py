"""Gradients of Programs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import composition
from paddle_compat.core.backward import gradients
from paddle_compat.core.errors import type_error
from paddle_compat.core.program import Block
from paddle_compat.core.variable import Variable
from paddle_compat.incubate.autograd import _composite_gradients  # noqa: F401 - fills the table of rules
from paddle_compat.incubate.autograd._prim import prim_enabled, static_only
from paddle_compat.incubate.autograd.utils import as_tensors


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None) -> Any:
    """Append the gradients of the outputs with respect to the inputs to a Program.

    Args:
        outputs: a Variable, or a list of them.
        inputs: a Variable, or a list of them.
        grad_outputs: the gradients of the outputs; None: ones.
    Returns:
        A Variable, or a list of them for a list of inputs; an empty list where no gradient flows.
    Raises:
        AssertionError: eager mode is on.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> x.stop_gradient = False
        >>> paddle.incubate.autograd.grad(x * x, x).name
        'x@GRAD'
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("grad")
    if not prim_enabled():
        found = gradients(outputs, inputs, grad_outputs)
    else:
        writer = composition.Writer(as_tensors(outputs)[0].block)
        ends = _apart(writer, as_tensors(outputs), as_tensors(inputs))
        ones = [writer.filled_as(end, 1.0) for end in ends] if grad_outputs is None else grad_outputs
        with _opened(ends[0].block, as_tensors(inputs)), composition.whole_primitive():
            found = gradients(ends, inputs, ones)
    return found if isinstance(inputs, (list, tuple)) or not found else found[0]


def forward_grad(outputs: Any, inputs: Any, grad_inputs: Any = None) -> Any:
    """Append to a Program how the outputs change with the inputs, as the gradient of a gradient.

    Args:
        outputs: a Variable, or a list of them.
        inputs: a Variable, or a list of them.
        grad_inputs: how the inputs change, each of its input's shape; None: by ones.
    Returns:
        A Variable of its output's shape, or a list of them for a list of outputs.
    Raises:
        AssertionError: eager mode is on.
        RuntimeError: `enable_prim` was not called.
        TypeError: an argument is neither a Variable nor a list of Variables.

    Example:
        >>> import numpy as np
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.incubate.autograd.enable_prim()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     x = paddle.static.data("x", [2])
        ...     x.stop_gradient = False
        ...     change = paddle.incubate.autograd.forward_grad(x * x, x)
        >>> paddle.static.Executor().run(main, feed={"x": np.ones(2, "float32")}, fetch_list=[change])[0].tolist()
        [2.0, 2.0]
        >>> paddle.incubate.autograd.disable_prim(); paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("forward_grad")
    if not prim_enabled():
        raise RuntimeError("`forward_grad` needs elementary operators. Expected enable_prim() before it. Received: a call without")
    for name, given in (("outputs", outputs), ("inputs", inputs), *((("grad_inputs", grad_inputs),) if grad_inputs is not None else ())):
        if not isinstance(given, Variable) and not (isinstance(given, (list, tuple)) and all(isinstance(v, Variable) for v in given)):
            raise type_error(name, "a Variable or a list of Variables", given, "forward_grad")
    starts = as_tensors(inputs)
    writer = composition.Writer(as_tensors(outputs)[0].block)
    ends = _apart(writer, as_tensors(outputs), starts)
    ways = as_tensors(grad_inputs) if grad_inputs is not None else [writer.filled_as(start, 1.0) for start in starts]
    weights = [writer.filled_as(end, 0.0) for end in ends]
    for weight in weights:
        weight.stop_gradient = False
    with _opened(ends[0].block, starts), composition.whole_primitive():
        back = gradients(list(ends), list(starts), weights) or [None]
        met = [(found, way) for found, way in zip(back, ways) if found is not None]
        changes = gradients([found for found, _ in met], weights, [way for _, way in met]) or [None]
    changes = [writer.assign(weight) if change is None else change for change, weight in zip(changes, weights)]
    return changes if isinstance(outputs, (list, tuple)) else changes[0]


def _apart(writer: composition.Writer, ends: Sequence[Variable], starts: Sequence[Variable]) -> list[Variable]:
    """The outputs, as copies where they are inputs or may make one another: `gradients` leaves out what such an output is to itself."""
    names = {start.name for start in starts}
    return [writer.assign(end) if len(ends) > 1 or end.name in names else end for end in ends]


@contextlib.contextmanager
def _opened(block: Block, starts: Sequence[Variable]) -> Iterator[None]:
    """Let gradients through inputs that stop them, and what was made of those: elementary operators do not ask."""
    reached = {var.name for var in starts if var.stop_gradient}
    for op in block.ops if reached else ():
        if not reached.isdisjoint(op.input_arg_names):
            reached.update(op.output_arg_names)
    stopped = [var for var in map(block._var_recursive, reached) if var.stop_gradient]
    for var in stopped:
        var.stop_gradient = False
    try:
        yield
    finally:
        for var in stopped:
            var.stop_gradient = True


def to_prim(
    blocks: Any,
    blacklist: frozenset[str] = frozenset(),
    whitelist: frozenset[str] = frozenset(),
    start_idx: int = -1,
    backward_length: int = -1,
) -> None:
    """Take forward operators of a Program apart into more elementary ones, where `core._set_prim_forward_enabled(True)` asks for it.

    Operators whose sizes are not all known stay as they are.

    Args:
        blocks: a Block, or a sequence of them.
        blacklist (frozenset): types of operators that stay whole, beside those of `core._set_prim_forward_blacklist`.
        whitelist (frozenset): types of operators; where it is not empty, all others stay whole.
        start_idx (int): how many operators at the start of a block to pass over.
        backward_length (int): how many at its end to pass over.
    Raises:
        TypeError: blocks, blacklist or whitelist are of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     y = paddle.nn.functional.relu(paddle.static.data("x", [2, 3]))
        >>> core._set_prim_forward_enabled(True)
        >>> paddle.incubate.autograd.primapi.to_prim(main.blocks)
        >>> core._set_prim_forward_enabled(False)
        >>> [op.type for op in main.global_block().ops]
        ['fill_constant', 'elementwise_max']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    if not composition.switches["forward"]:
        return
    given = [blocks] if isinstance(blocks, Block) else blocks
    if not isinstance(given, Sequence) or not all(isinstance(block, Block) for block in given):
        raise type_error("blocks", "a Block or a sequence of Blocks", blocks, "to_prim")
    for name, types in (("blacklist", blacklist), ("whitelist", whitelist)):
        if not isinstance(types, (set, frozenset)):
            raise type_error(name, "a set of operators' types", types, "to_prim")
    for block in given:
        window = block.ops[max(start_idx, 0) : len(block.ops) - max(backward_length, 0)]
        composition.decompose(block, [op for op in window if op.type not in blacklist and (not whitelist or op.type in whitelist)])


__all__ = ["forward_grad", "grad", "to_prim"]

__getattr__ = missing(__name__)

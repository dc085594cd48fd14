"""Gradients of Programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import composition
from paddle_compat.core.backward import gradients
from paddle_compat.core.errors import UnsupportedError, type_error
from paddle_compat.core.program import Block
from paddle_compat.incubate.autograd._prim import prim_enabled, static_only


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
    found = gradients(outputs, inputs, grad_outputs)
    return found if isinstance(inputs, (list, tuple)) or not found else found[0]


def forward_grad(outputs: Any, inputs: Any, grad_inputs: Any = None) -> Any:
    """Refused: Programs are differentiated backwards only.

    Args:
        outputs: a Variable, or a list of them.
        inputs: a Variable, or a list of them.
        grad_inputs: how the inputs change; None: by ones.
    Returns:
        Nothing.
    Raises:
        AssertionError: eager mode is on.
        RuntimeError: `enable_prim` was not called.
        UnsupportedError: it was.

    Example:
        >>> import paddle_compat as paddle
        >>> y, change = paddle.incubate.autograd.jvp(lambda x: x * x, paddle.to_tensor([3.0, 4.0]))
        >>> change.tolist()
        [6.0, 8.0]

    Follows Paddle 2.6.
    """
    static_only("forward_grad")
    if not prim_enabled():
        raise RuntimeError("`forward_grad` needs elementary operators. Expected enable_prim() before it. Received: a call without")
    raise UnsupportedError("paddle.incubate.autograd.forward_grad", instead="paddle.incubate.autograd.jvp in eager mode")


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
    whole = composition.prim_config["forward_blacklist"] | blacklist
    for block in given:
        window = block.ops[max(start_idx, 0) : len(block.ops) - max(backward_length, 0)]
        composition.decompose(block, [op for op in window if op.type not in whole and (not whitelist or op.type in whitelist)])


__all__ = ["forward_grad", "grad", "to_prim"]

__getattr__ = missing(__name__)

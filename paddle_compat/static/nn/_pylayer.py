"""`static_pylayer`: a part of a network with a gradient of one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.operator import GRAD_SUFFIX, OpRole
from paddle_compat.core.program import Block
from paddle_compat.core.variable import Variable
from paddle_compat.static.nn._arguments import layer, need_type, static_only
from paddle_compat.static.nn._blocks import assign_to, new_block
from paddle_compat.static.nn._structure import flatten, map_structure


def static_pylayer(forward_fn: Callable[..., Any], inputs: Sequence[Variable], backward_fn: Any = None, name: str | None = None) -> Any:
    """A part of a network whose gradient a function of one's own computes.

    Args:
        forward_fn: takes the inputs, returns Variables (nested; what else is among them stays) or None.
        inputs: Variables, a list or tuple.
        backward_fn: takes the gradients of the outputs, returns those of the inputs, as many; None: there is no gradient.
        name: prefix of the names.
    Returns:
        What `forward_fn` returns, as Variables outside of it; None where it returns None.
    Raises:
        ValueError: there is no `backward_fn`, but an input has a gradient.
        AssertionError: an argument is nothing of the kind, or `backward_fn` returns more or fewer gradients than there are inputs.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 5])
        >>> x.stop_gradient = False
        >>> y = paddle.static.nn.static_pylayer(lambda v: paddle.exp(v), [x], lambda dy: 2 * dy)
        >>> y.op.type, y.shape
        ('pylayer', (-1, 5))
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("static_pylayer")
    need_type(name, "name", "static_pylayer", str, type(None))
    if not isinstance(inputs, (list, tuple)):
        raise failed_assertion("inputs", "a list or tuple", inputs, "static_pylayer")
    if not callable(forward_fn):
        raise failed_assertion("forward_fn", "a function", forward_fn, "static_pylayer")
    if backward_fn is None:
        for given in inputs:
            if not given.stop_gradient:
                raise ValueError(
                    "Invalid value for argument `inputs` of `static_pylayer`. Expected Variables whose stop_gradient is True, as there "
                    f"is no backward_fn. Received: {given.name}, whose stop_gradient is False"
                )
    elif not callable(backward_fn):
        raise failed_assertion("backward_fn", "a function", backward_fn, "static_pylayer")
    helper = layer("static_pylayer", name=name)
    program = helper.main_program
    parent = program.current_block()
    with new_block(program) as body:
        returned = forward_fn(*inputs)
        results = None if returned is None else map_structure(lambda v: _handed_out(v, parent), returned)
    blocks = [body]
    scope = parent._add_var(type=VarType.STEP_SCOPES)
    outputs = [] if results is None else [each for each in flatten(results) if isinstance(each, Variable)]
    if backward_fn is not None:
        blocks.append(_gradient_block(program, backward_fn, inputs, outputs, body))
    parent.append_op(type="pylayer", inputs={"Input": list(inputs)}, outputs={"Out": outputs, "Scope": [scope]}, attrs={"blocks": blocks})
    scope.stop_gradient = False  # only results say whether gradients flow
    for result in outputs:
        result.stop_gradient = all(given.stop_gradient for given in inputs)
    return results


def _handed_out(value: Any, parent: Block) -> Any:
    """A Variable outside of the block that takes the value; what is none, itself."""
    if not isinstance(value, Variable):
        return value
    out = parent._add_var(shape=value.shape, dtype=value.dtype, type=value.type)
    assign_to(value, out)
    return out


def _gradient_block(program: Any, backward_fn: Any, inputs: Sequence[Variable], outputs: list[Variable], body: Block) -> Block:
    """The block that makes the inputs' gradients out of the outputs'."""
    former, program._op_role = program._op_role, OpRole.Backward
    try:
        with new_block(program) as block:
            block.forward_block_idx = body.idx
            given = []
            for out in outputs:
                # a variable that only the backward pass will make
                source = block._add_var(name=out.name + GRAD_SUFFIX, shape=out.shape, dtype=out.dtype, persistable=False)
                given.append(block._add_var(shape=out.shape, dtype=out.dtype))
                assign_to(source, given[-1])
                del block.vars[source.name]
            found = flatten(backward_fn(*given))
            assert len(found) == len(inputs), (
                "Invalid value for argument `backward_fn` of `static_pylayer`. Expected a function that returns "
                f"{len(inputs)} gradients, one for each input. Received: {len(found)}"
            )
            for value, source in zip(found, inputs):
                if value is not None:
                    _name_gradient(block, value, source.name + GRAD_SUFFIX)
    finally:
        program._op_role = former
    return block


def _name_gradient(block: Block, value: Variable, name: str) -> None:
    """Let a value that the block computes be the gradient of that name."""
    if value.name in block.vars and not value.name.endswith(GRAD_SUFFIX):
        block._rename_var(value.name, name)
    else:
        assign_to(value, block._add_var(name=name, shape=value.shape, dtype=value.dtype))


__all__ = ["static_pylayer"]

__getattr__ = missing(__name__)

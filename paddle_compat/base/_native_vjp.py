"""Names of `paddle.base.core` about gradients of single operators of a Program, and about taking operators apart."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from paddle_compat.core.backward import gradients
from paddle_compat.core.errors import type_error
from paddle_compat.core.op import find_op
from paddle_compat.core.operator import Operator
from paddle_compat.core.variable import Variable

# operators whose gradients Paddle 3.3 takes apart by rules of their own
_OWN_RULES = frozenset(
    """
    batch_norm dropout elu gelu group_norm hard_sigmoid hard_swish instance_norm layer_norm leaky_relu p_norm reduce_mean relu relu6 silu
    softmax softsign stack swish
""".split()
)


def has_vjp(op: Operator) -> bool:
    """Whether an operator of a Program has a gradient.

    Args:
        op (Operator): the operator.
    Returns:
        bool.
    Raises:
        TypeError: it is no operator.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2, 3])
        >>> [core.has_vjp(y.get_defining_op()) for y in (paddle.tanh(x), paddle.argmax(x))]
        [True, False]
        >>> paddle.disable_static()

    Follows Paddle 3.3.
    """
    definition = find_op(operator_of(op, "has_vjp").type)
    return definition is not None and definition.grad is not None


def has_custom_vjp(op: Operator) -> bool:
    """Whether the gradient of an operator is taken apart by a rule of its own.

    Args:
        op (Operator): of a Program.
    Returns:
        bool.
    Raises:
        TypeError: it is no operator.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2, 3])
        >>> [core.has_custom_vjp(y.get_defining_op()) for y in (paddle.nn.functional.gelu(x), paddle.tanh(x))]
        [True, False]
        >>> paddle.disable_static()

    Follows Paddle 3.3.
    """
    return operator_of(op, "has_custom_vjp").type in _OWN_RULES


def has_decomp(op: Operator) -> bool:
    """Whether an operator can be taken apart into more elementary ones.

    Args:
        op (Operator): of a Program.
    Returns:
        bool.
    Raises:
        TypeError: it is no operator.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> core.has_decomp(paddle.nn.functional.softmax(paddle.static.data("x", [2, 3])).get_defining_op())
        True
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    known: bool = import_module("paddle_compat.decomposition.decomp").has_decomp_rule(op)
    return known


def call_decomp(op: Operator) -> list[list[Variable]]:
    """Write what stands for an operator at the end of its block; the operator stays.

    Args:
        op (Operator): one that `has_decomp`.
    Returns:
        list of lists of Variable: for each of its outputs what stands for it.
    Raises:
        TypeError: there is no rule for the operator, or its sizes are not known.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> len(core.call_decomp(paddle.nn.functional.softmax(paddle.static.data("x", [2, 3])).get_defining_op()))
        1
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    written: list[list[Variable]] = import_module("paddle_compat.decomposition.decomp").call_decomp_rule(op)
    return written


def call_vjp(
    fwd_op: Operator,
    inputs: Sequence[Sequence[Variable]],
    outputs: Sequence[Sequence[Variable]],
    out_grads: Sequence[Sequence[Variable]],
    stop_gradients: Sequence[Sequence[bool]],
) -> list[list[Variable | None]]:
    """Write the gradient of one operator of a Program.

    Args:
        fwd_op (Operator): the operator.
        inputs, outputs (list of lists of Variable): what it reads and writes, slot after slot.
        out_grads (list of lists of Variable): the gradients of what it writes.
        stop_gradients (list of lists of bool): for each input, whether it needs none.
    Returns:
        list of lists of Variable: a gradient for each input, None where it needs none.
    Raises:
        TypeError: it is no operator, or has no gradient.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2, 3])
        >>> x.stop_gradient = False
        >>> y = paddle.tanh(x)
        >>> [[found]] = core.call_vjp(y.get_defining_op(), [[x]], [[y]], [[paddle.ones([2, 3])]], [[False]])
        >>> found.shape
        (2, 3)
        >>> paddle.disable_static()

    Follows Paddle 3.3.
    """
    if not has_vjp(fwd_op):
        raise type_error("fwd_op", "an operator with a gradient", fwd_op.type, "call_vjp")
    flat = [value for slot in inputs for value in slot]
    stops = [stop for slot in stop_gradients for stop in slot]
    wanted = list({value.name: value for value, stop in zip(flat, stops) if not stop}.values())
    targets, weights = ([value for slot in slots for value in slot] for slots in (outputs, out_grads))
    met = [(target, weight) for target, weight in zip(targets, weights) if isinstance(weight, Variable)]
    # an input may be made of another one, and its gradient is no part of that one's
    apart = [wanted] if all(value.op is None for value in wanted) else [[value] for value in wanted]
    by_name: dict[str, Variable | None] = {}
    for group in apart if wanted else []:
        names = {value.name for value in group}
        found = gradients([t for t, _ in met], group, [w for _, w in met], [value for value in flat if value.name not in names])
        by_name.update(zip((value.name for value in group), found))
    placed = iter([None if stop else by_name.get(value.name) for value, stop in zip(flat, stops)])
    return [[next(placed) for _ in slot] for slot in stop_gradients]


def operator_of(op: Any, api: str) -> Operator:
    """What a function of operators was given; TypeError if that is no operator."""
    if not isinstance(op, Operator):
        raise type_error("op", "an operator of a Program", op, api)
    return op


def _check_and_set_prim_vjp_skip_default_ops() -> bool:
    """Have gradients left whole that Paddle leaves whole by default; here, only those are that have no rule.

    Returns:
        bool: True.

    Example:
        >>> from paddle_compat.base import core
        >>> core._check_and_set_prim_vjp_skip_default_ops()
        True

    Follows Paddle 3.3.
    """
    return True


def _clear_prim_vjp_skip_default_ops() -> None:
    """Leave none of the gradients whole that Paddle leaves whole by default.

    Example:
        >>> from paddle_compat.base import core
        >>> core._clear_prim_vjp_skip_default_ops()

    Follows Paddle 3.3.
    """


def _enable_prim_dynamic_shape() -> bool:
    """Whether operators of unknown sizes are taken apart: only where their rules need no size.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core._enable_prim_dynamic_shape()
        False

    Follows Paddle 3.3.
    """
    return False


def _enable_prim_skip_dynamic_shape() -> bool:
    """Whether operators of unknown sizes stay whole where their rules need the sizes.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core._enable_prim_skip_dynamic_shape()
        True

    Follows Paddle 3.3.
    """
    return True


def _prim_return_log() -> bool:
    """Whether Paddle writes down what it took apart.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core._prim_return_log()
        False

    Follows Paddle 3.3.
    """
    return False

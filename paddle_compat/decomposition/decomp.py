"""`paddle.decomposition.decomp`: operators of a Program taken apart into more elementary ones, and who can be."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from paddle_compat._missing import missing
from paddle_compat.base._native_vjp import operator_of
from paddle_compat.core import composition
from paddle_compat.core.errors import type_error
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.core.variable import Variable
from paddle_compat.decomposition.rules import FORWARD
from paddle_compat.incubate.autograd import _composite_gradients  # noqa: F401 - fills the table of rules


def decompose(
    program: Program,
    src_vars: list[Variable],
    blacklist: frozenset[str] = frozenset(),
    whitelist: frozenset[str] = frozenset(),
    start_index: int = 0,
    end_index: int = -1,
) -> list[Variable]:
    """Take forward operators of a Program apart into more elementary ones, where `core._set_prim_forward_enabled(True)` asks for it.

    Operators whose sizes are not all known stay as they are.

    Args:
        program (Program): the Program.
        src_vars (list of Variable): values that are wanted afterwards.
        blacklist, whitelist (set of str): operators that stay whole; where the second is not empty, all others than these do. They are
            named as Paddle 3 names them ("pd_op.softmax"), or by their types.
        start_index, end_index (int): where the operators begin and end that are looked at, data counted; -1: at the last.
    Returns:
        list of Variable: what stands for the wanted values.
    Raises:
        TypeError: an argument is of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> core._set_prim_forward_enabled(True)
        >>> with paddle.static.program_guard(main):
        ...     y = paddle.nn.functional.relu(paddle.static.data("x", [2, 3]))
        ...     [y] = paddle.decomposition.decompose(main, [y])
        >>> core._set_prim_forward_enabled(False)
        >>> [op.type for op in main.global_block().ops]
        ['fill_constant', 'elementwise_max']
        >>> paddle.disable_static()

    Follows Paddle 3.3.
    """
    if not isinstance(program, Program):
        raise type_error("program", "a Program", program, "decompose")
    if not isinstance(src_vars, (list, tuple)) or not all(isinstance(var, Variable) for var in src_vars):
        raise type_error("src_vars", "a list of Variables", src_vars, "decompose")
    for name, given in (("blacklist", blacklist), ("whitelist", whitelist)):
        if not isinstance(given, (set, frozenset)):
            raise type_error(name, "a set of operators' names", given, "decompose")
    if not composition.switches["forward"]:
        return list(src_vars)
    whole = blacklist | composition.prim_config["forward_blacklist"]
    for number, block in enumerate(program.blocks):
        before = 0 if number else sum(var.is_data for var in block.vars.values())  # which Paddle 3 counts as operators
        start, end = max(start_index - before, 0), len(block.ops) if end_index < 0 or number else max(end_index - before, 0)
        wanted = [op for op in block.ops[start:end] if not _named(op, whole) and (not whitelist or _named(op, whitelist))]
        composition.decompose(block, wanted, FORWARD)
    return list(src_vars)


def _named(op: Operator, names: set[str] | frozenset[str]) -> bool:
    return op.type in names or op.name() in names  # type: ignore[attr-defined]  # `tensor` gives operators theirs


@contextlib.contextmanager
def prim_guard() -> Iterator[None]:
    """Inside, forward operators and gradients are taken apart.

    Returns:
        A context manager.

    Example:
        >>> from paddle_compat.base import core
        >>> from paddle_compat.decomposition.decomp import prim_guard
        >>> with prim_guard():
        ...     print(core._is_all_prim_enabled())
        True
        >>> core._is_all_prim_enabled()
        False

    Follows Paddle 3.3.
    """
    former = dict(composition.switches)
    composition.switches.update(dict.fromkeys(former, True))
    try:
        yield
    finally:
        composition.switches.update(former)


def has_decomp_rule(op: Operator) -> bool:
    """Whether `decompose` knows how to take an operator apart.

    Args:
        op (Operator): of a Program.
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.decomposition.decomp import has_decomp_rule
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2, 3])
        >>> [has_decomp_rule(y.get_defining_op()) for y in (paddle.nn.functional.softmax(x), paddle.tanh(x))]
        [True, False]
        >>> paddle.disable_static()

    Follows Paddle 3.3.
    """
    return operator_of(op, "has_decomp_rule").type in FORWARD


def has_decomp_vjp(op: Operator) -> bool:
    """Whether an operator is one of a backward pass that can be taken apart; gradients are written apart at once.

    Args:
        op (Operator): of a Program.
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.decomposition.decomp import has_decomp_vjp
        >>> paddle.enable_static()
        >>> has_decomp_vjp(paddle.tanh(paddle.static.data("x", [2, 3])).get_defining_op())
        False
        >>> paddle.disable_static()

    Follows Paddle 3.3.
    """
    return operator_of(op, "has_decomp_vjp").type in composition.GRADIENT


def call_decomp_rule(op: Operator) -> list[list[Variable]]:
    """Write what stands for an operator at the end of its block; the operator stays.

    Args:
        op (Operator): one that `has_decomp_rule`.
    Returns:
        list of lists of Variable: for each of its outputs what stands for it.
    Raises:
        TypeError: there is no rule for the operator, or its sizes are not known.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.decomposition.decomp import call_decomp_rule
        >>> paddle.enable_static()
        >>> y = paddle.nn.functional.softmax(paddle.static.data("x", [2, 3]))
        >>> [[value.shape for value in values] for values in call_decomp_rule(y.get_defining_op())]
        [[(2, 3)]]
        >>> paddle.disable_static()

    Follows Paddle 3.3.
    """
    rule = FORWARD.get(operator_of(op, "call_decomp_rule").type)
    found = None if rule is None else composition.beside(op, rule)
    if found is None:
        raise type_error("op", "an operator that there is a rule for, of known sizes", op.type, "call_decomp_rule")
    return found


__all__ = ["call_decomp_rule", "decompose", "has_decomp_rule", "has_decomp_vjp", "prim_guard"]

__getattr__ = missing(__name__)

"""`paddle.base.backward`: gradients of Programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base._grad_descriptions import (  # noqa: F401 - unit tests take them from here
    _addup_repetitive_outputs_,
    _all_in_set_,
    _create_op_desc_,
    _remove_no_grad_branch_,
    _rename_arg_,
    _some_in_set_,
)
from paddle_compat.core._grad_walk import path_between
from paddle_compat.core.backward import append_backward, gradients
from paddle_compat.core.errors import type_error
from paddle_compat.core.operator import GRAD_SUFFIX, Operator
from paddle_compat.core.program import Block, Program, program_guard
from paddle_compat.core.variable import Parameter, Variable


def calc_gradient(
    targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: Iterable[Any] | None = None
) -> Variable | list[Variable | None] | None:
    """Append the operators that compute gradients, as `gradients` does; of a single input it returns the gradient itself.

    Args:
        targets: a Variable or list of Variables; several are summed.
        inputs: a Variable or list of Variables.
        target_gradients: one Variable (or None: ones) for each target.
        no_grad_set: Variables or names through which no gradient flows.
    Returns:
        The gradient of a single input (None: there is none), or a list of them.
    Raises:
        AssertionError: eager mode is on.
        TypeError, ValueError: the lists do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program()):
        ...     x = paddle.static.data("x", [None, 2])
        ...     x.stop_gradient = False
        ...     g = paddle.base.backward.calc_gradient(paddle.tanh(x), x)
        >>> g.name
        'x@GRAD'
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    found = gradients(targets, inputs, target_gradients, no_grad_set)
    return found if len(found) > 1 else next(iter(found), None)


def _as_list(value: Any) -> list[Any]:
    """A list of what is given: nothing of None, one element of what is no list or tuple."""
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def _append_grad_suffix_(name: str) -> str:
    """The name of a variable's gradient."""
    return name + GRAD_SUFFIX


def _strip_grad_suffix_(name: str) -> str:
    """The name of the variable that a gradient, or a part of it, belongs to."""
    base, suffix, _ = name.partition(GRAD_SUFFIX)
    return base.rpartition("grad/")[2] if suffix else name


def _get_no_grad_set_name(no_grad_set: Any) -> set[str]:
    """The names of Variables, some of which may be names already."""
    if not isinstance(no_grad_set, (set, list, tuple, type(None))):
        raise type_error("no_grad_set", "a set, list or tuple", no_grad_set)
    for value in no_grad_set or ():
        if not isinstance(value, (str, Variable)):
            raise type_error("no_grad_set", "Variables or names", value)
    return {value if isinstance(value, str) else value.name for value in no_grad_set or ()}


def _get_stop_gradients_(program: Program) -> dict[int, set[str]]:
    """The gradients that no block writes, as their variables stop gradients: number of the block -> names."""
    assert isinstance(program, Program), f"Expected a Program. Received: {type(program).__name__}"
    return {block.idx: {_append_grad_suffix_(v.name) for v in block.vars.values() if v.stop_gradient} for block in program.blocks}


def _find_op_path_(
    block: Block, targets: list[Variable], inputs: list[Variable], no_grad_set: set[str], op_path_dict: Any = None, is_while: bool = False
) -> list[Operator]:
    """The operators between inputs (none given: anything) and targets, in order."""
    return path_between(block, [v.name for v in targets], set(no_grad_set), [v.name for v in inputs])


def _find_no_grad_vars(block: Block, op_path: list[Operator], targets: list[Variable], no_grad_set: set[str]) -> set[str]:
    """What operators of a path make and the targets do not depend on."""
    wanted = {v.name for v in targets}
    unasked: set[str] = set()
    for op in reversed(op_path):
        if "sub_block" not in op.attrs:
            loose = set(op.output_arg_names) - wanted - set(op.input_arg_names)
            unasked |= {name for name in loose if not block.vars[name].stop_gradient}
        wanted |= set(op.input_arg_names) - set(no_grad_set)
    return unasked


def gradients_with_optimizer(program: Program, optimizer: Any, inputs: Any = None, outputs: Any = None) -> tuple[Any, Any]:
    """Append gradients and updates to a Program that has neither.

    Args:
        program (Program): the Program.
        optimizer (Optimizer): what updates.
        inputs, outputs: Variables or lists of them; None: what the Program reads and does not make, makes and does not read.
    Returns:
        tuple: the operators that update, and pairs (parameter, gradient).
    Raises:
        TypeError: the program or the optimizer is none.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [4, 2]), 1))
        ...     sgd = paddle.optimizer.SGD(0.1)
        ...     ops, pairs = paddle.base.backward.gradients_with_optimizer(main, sgd)
        >>> [param.name for param, _ in pairs]
        ['fc_0.w_0', 'fc_0.b_0']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    from paddle_compat.optimizer import Optimizer

    if not isinstance(program, Program):
        raise type_error("program", "a Program", program, "gradients_with_optimizer")
    if not isinstance(optimizer, Optimizer):
        raise type_error("optimizer", "an Optimizer", optimizer, "gradients_with_optimizer")
    if inputs is None or outputs is None:
        block = program.global_block()
        read = dict.fromkeys(name for op in block.ops for name in op.input_arg_names)
        made = dict.fromkeys(name for op in block.ops for name in op.output_arg_names)
        inputs = [block.var(name) for name in read if name not in made]
        outputs = [block.var(name) for name in made if name not in read]
    found = gradients(outputs, inputs)
    inputs = inputs if isinstance(inputs, (list, tuple)) else [inputs]
    with program_guard(program):
        pairs = [(v, grad) for v, grad in zip(inputs, found) if isinstance(v, Parameter) and grad is not None]
        return optimizer.apply_gradients(pairs), pairs


__all__ = ["append_backward", "calc_gradient", "gradients", "gradients_with_optimizer"]

__getattr__ = missing(__name__)

"""Operators that own a sub-block. They have no function of their own: `engine.control_flow` lowers them."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import FatalError
from paddle_compat.core.op import op
from paddle_compat.core.operator import Operator
from paddle_compat.ops._grad_makers import Names


def _lowered(type_: str) -> Any:
    raise FatalError(f"operator {type_} runs through engine.control_flow, not by itself")


def _keep(*inputs: Any, **attrs: Any) -> tuple[()]:
    """The outputs are variables that stand already."""
    return ()


@op(
    name="while", inputs=("X*", "Condition"), outputs=("Out*", "StepScopes?"), grad=("X", "Out", "StepScopes", "Out@GRAD"),
    no_grad=("Condition",), infer=_keep, lod=None,
)  # fmt: skip
def while_(
    x: Any, condition: Any, *, sub_block: Any, is_test: bool = False,
    skip_eager_deletion_vars: list[str] = [],  # noqa: B006 - the default of the attribute, a list in every Program
) -> Any:  # fmt: skip
    """Run a block as long as a condition holds."""
    return _lowered("while")


@op(
    inputs=("Cond*", "Input*"), outputs=("Out*", "Scope?"), grad=("Cond", "Input", "Out", "Scope", "Out@GRAD"), no_grad=("Cond",),
    infer=_keep, lod=None,
)  # fmt: skip
def conditional_block(
    cond: Any,
    input: Any,
    *,
    sub_block: Any,
    is_scalar_condition: bool = False,
    skip_eager_deletion_vars: list[str] = [],  # noqa: B006
) -> Any:
    """Run a block if a condition holds."""
    return _lowered("conditional_block")


@op(
    inputs=("inputs*", "initial_states*", "parameters*"), outputs=("outputs*", "step_scopes?"),
    grad=("inputs", "initial_states", "parameters", "outputs", "step_scopes", "outputs@GRAD"), infer=_keep, lod=None,
)  # fmt: skip
def recurrent(
    inputs: Any, initial_states: Any, parameters: Any, *, sub_block: Any, ex_states: list[str] = [], states: list[str] = [],  # noqa: B006
    reverse: bool = False, has_states: bool = False, is_train: bool = True, skip_eager_deletion_vars: list[str] = [],  # noqa: B006
) -> Any:  # fmt: skip
    """Run a block once for every step of some sequences."""
    return _lowered("recurrent")


def _pylayer_grad(op: Operator, grad_outs: Names, grad_ins: Names) -> list[tuple[Any, ...]]:
    wanted = [n or "@EMPTY@" for n in grad_ins["Input"]]
    if len(op.attrs["blocks"]) < 2 or not any(grad_ins["Input"]):
        return []
    inputs = {"Input": op.input("Input"), "Scope": op.output("Scope"), "Out@GRAD": list(grad_outs["Out"])}
    return [("pylayer_grad", inputs, {"Input@GRAD": wanted}, {"backward_block": op.attrs["blocks"][1]})]


@op(inputs=("Input*",), outputs=("Out*", "Scope"), grad=("Input", "Scope", "Out@GRAD"), grad_maker=_pylayer_grad, infer=_keep, lod=None)
def pylayer(input: Any, *, blocks: list[Any]) -> Any:
    """Run a block whose gradient is another block."""
    return _lowered("pylayer")

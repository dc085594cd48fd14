"""Recording of sub-blocks: the bodies of loops and branches, in Paddle 1.8 and 2.6 alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from math import prod
from typing import Any

from paddle_compat.core import attribute_variables
from paddle_compat.core.dtype import VarType
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.op import definition_of
from paddle_compat.core.program import Block, Program
from paddle_compat.core.variable import Variable
from paddle_compat.static.nn._arguments import layer, need_variable


def call(type_: str, *inputs: Any, **options: Any) -> Any:
    """Call an operator by its type; its outputs are named after it."""
    return definition_of(type_)(*inputs, _helper=layer(type_), **options)


def assign_to(value: Variable, target: Variable) -> None:
    """Record `target = value`."""
    layer("assign").append_op(type="assign", inputs={"X": [value]}, outputs={"Out": [target]})


@contextmanager
def new_block(program: Program) -> Iterator[Block]:
    """Operators recorded inside go into a new block below the current one."""
    block = program._create_block()
    try:
        yield block
    finally:
        program._rollback()


@contextmanager
def outside(program: Program) -> Iterator[None]:
    """Record into the block around the current one."""
    inside = program.current_block_idx
    program.current_block_idx = program.current_block().parent_idx
    try:
        yield
    finally:
        program.current_block_idx = inside


def parent_of(program: Program) -> Block:
    """The block around the current one."""
    parent = program.current_block().parent
    assert parent is not None, "the current block is the global one"
    return parent


def interface(block: Block, age: int, written: tuple[str, ...] = ()) -> tuple[list[str], list[str]]:
    """Names that a block reads before it writes them, and all names that it writes.

    Args:
        age: since 2.x, tensor arrays that exist in the block only are not among the former.
        written: names that count as written from the start.
    """
    reads: dict[str, None] = {}
    writes = dict.fromkeys(written)
    for op in block.ops:
        reads.update((name, None) for name in attribute_variables.reads(op) if name not in writes)
        writes.update((name, None) for name in op.output_arg_names)
    parent = block.parent
    assert parent is not None
    if age > 1:
        own = block.vars
        for name in [n for n in reads if n in own and own[n].type == VarType.LOD_TENSOR_ARRAY]:
            if not parent.has_var_recursive(name):
                del reads[name]
    return list(reads), list(writes)


def _outer(parent: Block, names: list[str]) -> list[Variable]:
    found = [parent._find_var_recursive(name) for name in names]
    return [var for var in found if var is not None]


class While:
    """A loop whose body is the operators recorded inside ``with loop.block():``.

    Args:
        cond: a bool Variable of one element; the body must assign it anew.
        is_test: the loop runs for inference only.
        name: prefix of the names.
    Raises:
        TypeError: `cond` is no such Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers import While
        >>> with fluid.program_guard(fluid.Program()) as _:
        ...     cond = fluid.layers.data("go_on", [1], append_batch_size=False, dtype="bool")
        ...     with While(cond).block():
        ...         pass

    Follows Paddle 1.8 and 2.6.
    """

    BEFORE_WHILE_BLOCK = 0
    IN_WHILE_BLOCK = 1
    AFTER_WHILE_BLOCK = 2

    def __init__(self, cond: Variable, is_test: bool = False, name: str | None = None) -> None:
        self.helper: LayerHelper = layer("while", name=name)
        self.status = While.BEFORE_WHILE_BLOCK
        need_condition(cond, "cond", "While")
        self.cond_var = cond
        self.is_test = is_test

    def block(self) -> AbstractContextManager[None]:
        """Record the loop's body inside.

        Returns:
            A context manager.
        """
        return self._block()

    @contextmanager
    def _block(self) -> Iterator[None]:
        self.status = While.IN_WHILE_BLOCK
        with new_block(self.helper.main_program) as block:
            yield
            self.status = While.AFTER_WHILE_BLOCK
            self._complete(block)

    def _complete(self, block: Block) -> None:
        parent = block.parent
        assert parent is not None
        age = self.helper.main_program.age
        condition = self.cond_var.name
        reads, writes = interface(block, age, (condition,))
        outs = _outer(parent, writes)
        if age > 1:
            reads = [n for n in dict.fromkeys([*reads, *(v.name for v in outs)]) if n != condition]
        scope = parent._add_var(type=VarType.STEP_SCOPES)
        parent.append_op(
            type="while",
            inputs={"X": [parent._var_recursive(n) for n in reads], "Condition": [self.cond_var]},
            outputs={"Out": outs, "StepScopes": [scope]},
            attrs={"sub_block": block, "is_test": self.is_test},
        )


class ConditionalBlock:
    """Operators recorded inside ``with branch.block():`` run only if a condition holds.

    Args:
        inputs: the conditions: one bool, or Variables that must not be empty.
        is_scalar_condition: which of these it is.
        name: prefix of the names.
    Raises:
        TypeError: `inputs` are no Variables.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import ConditionalBlock
        >>> with fluid.program_guard(fluid.Program()) as _:
        ...     cond = fluid.layers.data("chosen", [1], append_batch_size=False, dtype="bool")
        ...     with ConditionalBlock([cond], is_scalar_condition=True).block():
        ...         pass

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, inputs: list[Variable], is_scalar_condition: bool = False, name: str | None = None) -> None:
        for each in inputs:
            need_variable(each, "inputs", "ConditionalBlock")
        self.inputs = inputs
        self.is_scalar_condition = is_scalar_condition
        self.helper: LayerHelper = layer("conditional_block", name=name)

    def block(self) -> AbstractContextManager[None]:
        """Record the branch inside.

        Returns:
            A context manager.
        """
        return self._block()

    @contextmanager
    def _block(self) -> Iterator[None]:
        with new_block(self.helper.main_program) as block:
            yield
            self._complete(block)

    def _complete(self, block: Block) -> None:
        parent = block.parent
        assert parent is not None
        reads, writes = interface(block, self.helper.main_program.age)
        scope = parent._add_var(type=VarType.STEP_SCOPES)
        parent.append_op(
            type="conditional_block",
            inputs={"Cond": self.inputs, "Input": [parent._var_recursive(n) for n in reads]},
            outputs={"Out": _outer(parent, writes), "Scope": [scope]},
            attrs={"sub_block": block, "is_scalar_condition": self.is_scalar_condition},
        )


class Switch:
    """The first case whose condition holds runs, else the default.

    Args:
        name: prefix of the names.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers import Switch
        >>> with fluid.program_guard(fluid.Program()) as _:
        ...     cond = fluid.layers.data("chosen", [1], append_batch_size=False, dtype="bool")
        ...     with Switch() as switch:
        ...         with switch.case(cond):
        ...             pass
        ...         with switch.default():
        ...             pass

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, name: str | None = None) -> None:
        self.helper: LayerHelper = layer("switch", name=name)
        self.inside_scope = False
        self.pre_not_conditions: list[Variable] = []

    def case(self, condition: Variable) -> AbstractContextManager[None]:
        """Operators recorded inside run if this condition is the first that holds.

        Args:
            condition (Variable): a bool of one element.
        Returns:
            A context manager.
        Raises:
            ValueError: it was called outside of `with Switch() as switch:`.
            TypeError: the condition is no Variable of bool.
        """
        if not self.inside_scope:
            raise ValueError("`Switch.case` was called outside. Expected a call inside `with Switch() as switch:`")
        need_variable(condition, "condition", "Switch.case", ("bool",))
        if not self.pre_not_conditions:
            branch = ConditionalBlock([condition], is_scalar_condition=True)
            self.pre_not_conditions.append(call("logical_not", condition))
        else:
            none_before = self.pre_not_conditions[-1]
            self.pre_not_conditions.append(call("logical_and", none_before, call("logical_not", condition)))
            branch = ConditionalBlock([call("logical_and", none_before, condition)], is_scalar_condition=True)
        return branch.block()

    def default(self) -> AbstractContextManager[None]:
        """Operators recorded inside run if no case's condition holds.

        Returns:
            A context manager.
        Raises:
            ValueError: there is no case before it.
        """
        if not self.pre_not_conditions:
            raise ValueError("`Switch.default` was called first. Expected at least one `case` before it")
        return ConditionalBlock([self.pre_not_conditions[-1]], is_scalar_condition=True).block()

    def __enter__(self) -> Switch:
        self.inside_scope = True
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        self.inside_scope = False


def need_condition(cond: Any, name: str, api: str) -> None:
    """TypeError, unless it is a bool Variable of one element."""
    need_variable(cond, name, api, ("bool",))
    if prod(cond.shape) != 1:
        raise TypeError(f"Invalid value for argument `{name}` of `{api}`. Expected one element. Received: {list(cond.shape)}")


__all__ = ["ConditionalBlock", "Switch", "While"]

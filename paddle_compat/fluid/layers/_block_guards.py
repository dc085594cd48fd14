"""The context managers that `fluid.layers.control_flow` has for those who write control flow of their own."""

from __future__ import annotations

from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from paddle_compat.core.errors import type_error
from paddle_compat.core.program import Program
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layers._filling import assign
from paddle_compat.fluid.layers._static_rnn import StaticRNN
from paddle_compat.static.nn._blocks import ConditionalBlock, While, parent_of


class BlockGuard:
    """Operators recorded inside stand in a new block of the Program; nothing runs the block yet.

    Args:
        main_program (Program): takes the block.
    Raises:
        TypeError: `main_program` is no Program.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import BlockGuard
        >>> main = fluid.Program()
        >>> with BlockGuard(main):
        ...     print(main.current_block().idx, main.current_block().parent_idx)
        1 0

    Follows Paddle 1.8.
    """

    def __init__(self, main_program: Program) -> None:
        if not isinstance(main_program, Program):
            raise type_error("main_program", "a Program", main_program, "BlockGuard")
        self.main_program = main_program

    def __enter__(self) -> None:
        self.main_program._create_block()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool | None:
        self.main_program._rollback()
        return None


class _Inside(BlockGuard):
    """A block that an object of control flow opens and ends itself."""

    def __init__(self, main_program: Program, opened: AbstractContextManager[Any]) -> None:
        super().__init__(main_program)
        self._opened = opened

    def __enter__(self) -> None:
        self._opened.__enter__()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool | None:
        return self._opened.__exit__(kind, error, trace)


class WhileGuard(_Inside):
    """The body of a loop; as `while_op.block()`.

    Args:
        while_op (While): the loop.
    Raises:
        TypeError: it is none.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import WhileGuard
        >>> with fluid.program_guard(fluid.Program()):
        ...     go_on = fluid.layers.fill_constant([1], "bool", True)
        ...     with WhileGuard(fluid.layers.While(go_on)):
        ...         _ = fluid.layers.logical_not(go_on, out=go_on)

    Follows Paddle 1.8.
    """

    def __init__(self, while_op: While) -> None:
        if not isinstance(while_op, While):
            raise type_error("while_op", "a While", while_op, "WhileGuard")
        super().__init__(while_op.helper.main_program, while_op.block())
        self.while_op = while_op


class ConditionalBlockGuard(_Inside):
    """The operators of a branch; as `block.block()`.

    Args:
        block (ConditionalBlock): the branch.
    Raises:
        TypeError: it is none.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import ConditionalBlock, ConditionalBlockGuard
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, chosen = fluid.layers.zeros([1], "float32"), fluid.layers.fill_constant([1], "bool", True)
        ...     with ConditionalBlockGuard(ConditionalBlock([chosen], is_scalar_condition=True)):
        ...         _ = fluid.layers.increment(x)

    Follows Paddle 1.8.
    """

    def __init__(self, block: ConditionalBlock) -> None:
        if not isinstance(block, ConditionalBlock):
            raise type_error("block", "a ConditionalBlock", block, "ConditionalBlockGuard")
        super().__init__(block.helper.main_program, block.block())
        self.block = block


class BlockGuardWithCompletion(_Inside):
    """The step of a StaticRNN; as `rnn.step()`.

    Args:
        rnn (StaticRNN): what takes the step.
    Raises:
        TypeError: it is none.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import BlockGuardWithCompletion
        >>> with fluid.program_guard(fluid.Program()):
        ...     rnn = fluid.layers.StaticRNN()
        ...     with BlockGuardWithCompletion(rnn):
        ...         rnn.step_output(rnn.step_input(fluid.data("x", [3, 2])) * 2.0)
        ...     rnn().shape
        (3, 2)

    Follows Paddle 1.8.
    """

    def __init__(self, rnn: StaticRNN) -> None:
        if not isinstance(rnn, StaticRNN):
            raise type_error("rnn", "a StaticRNN", rnn, "BlockGuardWithCompletion")
        super().__init__(rnn.helper.main_program, rnn.step())
        self.rnn = rnn


class StaticRNNMemoryLink:
    """What a StaticRNN knows of a memory: where it begins, what a step reads, and what the step makes of it.

    Args:
        init (Variable): the memory before the first step.
        pre_mem (Variable): the memory in a step.
        mem (Variable): the memory behind the step; None: not yet known.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import StaticRNNMemoryLink
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [2])
        >>> StaticRNNMemoryLink(x, x).mem is None
        True

    Follows Paddle 1.8.
    """

    def __init__(self, init: Variable, pre_mem: Variable, mem: Variable | None = None) -> None:
        self.init, self.pre_mem, self.mem = init, pre_mem, mem


def copy_var_to_parent_block(var: Variable | None, layer_helper: Any) -> Variable | None:
    """A variable of the block around the current one that takes a variable's value.

    Args:
        var: the variable; None gives None.
        layer_helper (LayerHelper): says which Program.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import BlockGuard, copy_var_to_parent_block
        >>> main = fluid.Program()
        >>> with fluid.program_guard(main), BlockGuard(main):
        ...     inside = fluid.layers.fill_constant([2], "float32", 1.0)
        ...     copy_var_to_parent_block(inside, fluid.layer_helper.LayerHelper("mine")).block.idx
        0

    Follows Paddle 1.8.
    """
    if var is None:
        return None
    parent = parent_of(layer_helper.main_program)
    copied = parent.create_var(dtype=var.dtype, shape=var.shape, type=var.type)
    assign(var, copied)
    return copied

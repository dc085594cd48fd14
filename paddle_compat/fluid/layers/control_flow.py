"""`fluid.layers.control_flow`: loops, branches, comparisons and tensor arrays, as Paddle 1.8 records them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.op import Op
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layers._arrays import (  # noqa: F401 - scripts import the rest from here, too
    array_length,
    array_read,
    array_to_lod_tensor,
    array_write,
    create_array,
    lod_rank_table,
    lod_tensor_to_array,
    max_sequence_len,
    merge_lod_tensor,
    reorder_lod_tensor_by_rank,
    shrink_memory,
    split_lod_tensor,
)
from paddle_compat.fluid.layers._block_guards import BlockGuard as BlockGuard
from paddle_compat.fluid.layers._block_guards import BlockGuardWithCompletion as BlockGuardWithCompletion
from paddle_compat.fluid.layers._block_guards import ConditionalBlockGuard as ConditionalBlockGuard
from paddle_compat.fluid.layers._block_guards import StaticRNNMemoryLink as StaticRNNMemoryLink
from paddle_compat.fluid.layers._block_guards import WhileGuard as WhileGuard
from paddle_compat.fluid.layers._block_guards import copy_var_to_parent_block as copy_var_to_parent_block
from paddle_compat.fluid.layers._dynamic_rnn import DynamicRNN
from paddle_compat.fluid.layers._record import run
from paddle_compat.fluid.layers._static_rnn import StaticRNN
from paddle_compat.ops import logic
from paddle_compat.static.nn._arguments import NUMBERS, layer, need_type, need_variable
from paddle_compat.static.nn._blocks import ConditionalBlock, Switch, While, assign_to, parent_of
from paddle_compat.static.nn.control_flow import (  # noqa: F401 - select_input as above
    branches,
    case,
    loop,
    select_input,
    show,
    switch_case,
)


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
    return_names: Any = None,
) -> Any:
    """The result of one of two functions, chosen when the Program runs.

    Args:
        pred: a bool Variable of one element.
        true_fn, false_fn: functions without arguments; both return equally nested Variables, or None.
        name: prefix of the names.
        return_names: kept; Paddle's converted functions name what they return.
    Returns:
        What the functions return.
    Raises:
        TypeError: `pred` is no bool, or a function cannot be called.
        ValueError: the functions' results do not fit each other.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import cond
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2])
        ...     pred = fluid.layers.data("pred", [1], append_batch_size=False, dtype="bool")
        ...     cond(pred, lambda: x, lambda: x).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    return branches(pred, true_fn, false_fn, name)


def while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, is_test: bool = False, name: str | None = None
) -> Any:
    """Apply `body` to variables as long as `cond` of them holds.

    Args:
        cond: takes the loop variables, returns a bool Variable of one element.
        body: takes the loop variables, returns as many.
        loop_vars: a list or tuple of (nested) Variables.
        is_test: the loop runs for inference only.
        name: prefix of the names.
    Returns:
        The loop variables after the last turn.
    Raises:
        TypeError: an argument is nothing of the kind.
        ValueError: there are no loop variables, or `body` returns others.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import while_loop
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2])
        ...     go = fluid.layers.data("go", [1], append_batch_size=False, dtype="bool")
        ...     while_loop(lambda x: go, lambda x: [x], [x])[0].shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    layer("while_loop", name=name)
    return loop(cond, body, loop_vars, is_test, name)


# ---- comparisons
def _compared(definition: Op, x: Any, y: Any, cond: Variable | None, **attrs: Any) -> Any:
    name = definition.type
    need_variable(x, "x", name, NUMBERS)
    need_variable(y, "y", name, NUMBERS)
    need_type(cond, "cond", name, Variable, Tensor, type(None))
    out = run(name, x, y, layer=name, outputs=None if cond is None else {"Out": cond}, **attrs)
    if cond is None:
        out.stop_gradient = True
        return out
    return cond


def less_than(x: Any, y: Any, force_cpu: bool | None = None, cond: Variable | None = None, name: str | None = None) -> Any:
    """Whether x < y, element by element.

    Args:
        x, y: Variables of numbers that broadcast.
        force_cpu: compute on the CPU; None for the operator's default.
        cond: a bool Variable that takes the result.
        name: kept.
    Returns:
        A bool Variable without gradient, or `cond`.
    Raises:
        TypeError: an argument is no Variable of numbers.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import less_than
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2])
        ...     less_than(x, x).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    need_type(force_cpu, "force_cpu", "less_than", bool, type(None))
    return _compared(logic.less_than, x, y, cond, **({} if force_cpu is None else {"force_cpu": force_cpu}))


def _comparison(definition: Op, sign: str) -> Callable[..., Any]:
    def compare(x: Any, y: Any, cond: Variable | None = None, name: str | None = None) -> Any:
        return _compared(definition, x, y, cond)

    name = definition.type
    compare.__name__ = compare.__qualname__ = name
    compare.__doc__ = f"""Whether x {sign} y, element by element.

    Args:
        x, y: Variables of numbers that broadcast.
        cond: a bool Variable that takes the result.
        name: kept.
    Returns:
        A bool Variable without gradient, or `cond`.
    Raises:
        TypeError: an argument is no Variable of numbers.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import {name}
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [2])
        ...     {name}(x, x).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    return compare


less_equal = _comparison(logic.less_equal, "<=")
greater_than = _comparison(logic.greater_than, ">")
greater_equal = _comparison(logic.greater_equal, ">=")
equal = _comparison(logic.equal, "==")
not_equal = _comparison(logic.not_equal, "!=")


def increment(x: Any, value: float = 1.0, in_place: bool = True) -> Any:
    """Add a number to a Variable of one element.

    Args:
        x: the Variable.
        value: the number.
        in_place: write the result to `x` itself.
    Returns:
        `x`, or a new Variable.
    Raises:
        TypeError: `x` is no Variable of numbers.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import increment
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [1], append_batch_size=False)
        ...     increment(x).name
        'x'

    Follows Paddle 1.8.
    """
    need_variable(x, "x", "increment", NUMBERS)
    outputs = {"Out": x} if in_place else None
    out = run("increment", x, outputs=outputs, step=float(value))
    return x if in_place else out


def is_empty(x: Any, cond: Variable | None = None, name: str | None = None) -> Any:
    """Whether a Variable has no elements.

    Args:
        x: the Variable.
        cond: a bool Variable that takes the result.
        name: kept.
    Returns:
        [1], bool, or `cond`.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import is_empty
        >>> with fluid.program_guard(fluid.Program()):
        ...     is_empty(fluid.layers.data("x", [2])).shape
        (1,)

    Follows Paddle 1.8.
    """
    need_variable(x, "x", "is_empty", NUMBERS)
    if cond is not None:
        need_variable(cond, "cond", "is_empty", ("bool",))
    outputs = None if cond is None else {"Out": cond}
    out = run("is_empty", x, outputs=outputs)
    if cond is None:
        out.stop_gradient = True
    return out if cond is None else cond


def Print(
    input: Any,
    first_n: int = -1,
    message: str | None = None,
    summarize: int = 20,
    print_tensor_name: bool = True,
    print_tensor_type: bool = True,
    print_tensor_shape: bool = True,
    print_tensor_lod: bool = True,
    print_phase: str = "both",
    print_tensor_layout: bool = True,
) -> Any:
    """Show a variable's value each time the Program computes it, and its gradient.

    Args:
        input: a Variable.
        first_n: show it that many times only; -1: always.
        message: goes with it.
        summarize: how many elements are shown; -1: all.
        print_tensor_name, print_tensor_type, print_tensor_shape, print_tensor_lod: what is shown.
        print_phase: "forward", "backward" or "both".
        print_tensor_layout: of no effect.
    Returns:
        A Variable of the same value. What uses it is computed after it was shown.
    Raises:
        TypeError: `input` is no Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import Print
        >>> with fluid.program_guard(fluid.Program()):
        ...     Print(fluid.layers.data("x", [2]), message="x is").name
        'print_x_0.tmp_0'

    Follows Paddle 1.8.
    """
    need_variable(input, "input", "Print", (*NUMBERS, "bool"))
    return show(
        input, True, f"print_{input.name}", first_n, message, print_phase,
        summarize=summarize, print_tensor_name=print_tensor_name, print_tensor_type=print_tensor_type,
        print_tensor_shape=print_tensor_shape, print_tensor_lod=print_tensor_lod,
    )  # fmt: skip


class IfElse:
    """Two networks for the rows of a batch: one for those where a condition holds, one for the others.

    Args:
        cond: [N, 1], bool.
        name: prefix of the names.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import IfElse, less_than
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [1])
        ...     chooser = IfElse(less_than(x, x))
        ...     with chooser.true_block():
        ...         chooser.output(chooser.input(x))
        ...     with chooser.false_block():
        ...         chooser.output(chooser.input(x))
        ...     chooser()[0].shape
        (-1, 1)

    Follows Paddle 1.8.
    """

    OUT_IF_ELSE_BLOCKS = 0
    IN_IF_ELSE_TRUE_BLOCKS = 1
    IN_IF_ELSE_FALSE_BLOCKS = 2

    def __init__(self, cond: Variable, name: str | None = None) -> None:
        need_variable(cond, "cond", "IfElse")
        need_type(name, "name", "IfElse", str, type(None))
        self.helper = layer("ifelse", name=name)
        self.cond = cond
        self.status = IfElse.OUT_IF_ELSE_BLOCKS
        self.conditional_true_block = ConditionalBlock([cond])
        self.conditional_false_block = ConditionalBlock([cond])
        self._inputs: dict[int, tuple[Variable, Variable]] = {}
        self._outputs: dict[int, list[Variable]] = {self.IN_IF_ELSE_TRUE_BLOCKS: [], self.IN_IF_ELSE_FALSE_BLOCKS: []}

    def _inside(self, what: str) -> None:
        if self.status == self.OUT_IF_ELSE_BLOCKS:
            raise ValueError(
                f"`IfElse.{what}` was called outside. Expected a call inside true_block() or false_block()"
            )

    def input(self, x: Variable) -> Variable:
        """The rows of `x` that belong to the block that is being recorded.

        Args:
            x (Variable): [batch, ...].
        Returns:
            Variable.
        """
        self._inside("input")
        if id(x) not in self._inputs:
            parent = parent_of(self.helper.main_program)
            key = "ifelse_input" + self.helper.name
            sides = [
                parent._add_var(name=unique_name.generate_with_ignorable_key(key), dtype=x.dtype) for _ in range(2)
            ]
            parent.append_op(
                type="split_lod_tensor",
                inputs={"X": x, "Mask": self.cond},
                outputs={"OutTrue": sides[0], "OutFalse": sides[1]},
                attrs={"level": 0},
            )
            self._inputs[id(x)] = sides[0], sides[1]
        return self._inputs[id(x)][self.status == self.IN_IF_ELSE_FALSE_BLOCKS]

    def true_block(self) -> AbstractContextManager[None]:
        """Record what happens to the rows where the condition holds.

        Returns:
            A context manager.
        """
        return self._block(self.IN_IF_ELSE_TRUE_BLOCKS, self.conditional_true_block)

    def false_block(self) -> AbstractContextManager[None]:
        """Record what happens to the other rows.

        Returns:
            A context manager.
        """
        return self._block(self.IN_IF_ELSE_FALSE_BLOCKS, self.conditional_false_block)

    @contextmanager
    def _block(self, status: int, block: ConditionalBlock) -> Iterator[None]:
        if self.status != self.OUT_IF_ELSE_BLOCKS:
            raise ValueError("A block of `IfElse` was opened inside another. Expected one after the other")
        with block.block():
            self.status = status
            yield
        if not self._outputs[status]:
            raise ValueError("A block of `IfElse` has no output. Expected a call of `output` inside")
        self.status = self.OUT_IF_ELSE_BLOCKS

    def output(self, *outs: Variable) -> None:
        """What comes out of the block that is being recorded.

        Args:
            outs (Variable): as many as of the other block.
        """
        self._inside("output")
        parent = parent_of(self.helper.main_program)
        for out in outs:
            need_variable(out, "outs", "IfElse.output")
            name = unique_name.generate_with_ignorable_key(self.helper.name + "_output")
            outside = parent._add_var(name=name, dtype=out.dtype)
            self._outputs[self.status].append(outside)
            assign_to(out, outside)

    def __call__(self) -> list[Variable]:
        """The outputs of both blocks, their rows in the order of the batch."""
        if self.status != self.OUT_IF_ELSE_BLOCKS:
            raise ValueError("`IfElse` was called inside a block. Expected a call after its blocks")
        true, false = self._outputs.values()
        if not true and not false:
            raise ValueError("`IfElse` was called first. Expected true_block() or false_block() before it")
        if not true or not false:
            return true or false
        if len(true) != len(false):
            raise ValueError(
                f"The blocks of `IfElse` differ. Expected equally many outputs. Received: {len(true)} and {len(false)}"
            )
        return [merge_lod_tensor(t, f, x=self.cond, mask=self.cond, level=0) for t, f in zip(true, false)]


class IfElseBlockGuard:
    """The operators of one side of an IfElse; as `true_block()` and `false_block()`.

    Args:
        is_true (bool): which side.
        ifelse (IfElse): whose.
    Raises:
        TypeError: it is none.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import IfElseBlockGuard
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [None, 1])
        ...     chosen = fluid.layers.IfElse(x > 0.0)
        ...     with IfElseBlockGuard(True, chosen):
        ...         chosen.output(chosen.input(x) * 2.0)

    Follows Paddle 1.8.
    """

    def __init__(self, is_true: bool, ifelse: IfElse) -> None:
        if not isinstance(ifelse, IfElse):
            raise type_error("ifelse", "an IfElse", ifelse, "IfElseBlockGuard")
        self._opened = ifelse.true_block() if is_true else ifelse.false_block()

    def __enter__(self) -> None:
        self._opened.__enter__()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool | None:
        return self._opened.__exit__(kind, error, trace)


def select_output(input: Variable, outputs: Any, mask: Variable) -> Any:
    """Hand a Variable out as number `mask` of several.

    Args:
        input: the Variable.
        outputs: a list or tuple of Variables that may take it.
        mask: int32, one element.
    Returns:
        `outputs`.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.control_flow import select_output
        >>> with fluid.program_guard(fluid.Program()) as _:
        ...     x = fluid.layers.data("x", [2])
        ...     mask = fluid.layers.data("mask", [1], append_batch_size=False, dtype="int32")
        ...     outs = [x.block.create_var(name=n, shape=[-1, 2], dtype="float32") for n in "ab"]
        ...     _ = select_output(x, outs, mask)

    Follows Paddle 1.8.
    """
    helper = layer("select_output")
    need_variable(input, "input", "select_output")
    need_variable(mask, "mask", "select_output", ("int32",))
    if not isinstance(outputs, (list, tuple)):
        raise type_error("outputs", "list or tuple", outputs, "select_output")
    attrs = {"_branches": len(outputs)}
    helper.append_op(type="select_output", inputs={"X": input, "Mask": mask}, outputs={"Out": outputs}, attrs=attrs)
    return outputs


__all__ = [
    "DynamicRNN", "IfElse", "Print", "StaticRNN", "Switch", "While", "array_length", "array_read", "array_write",
    "case", "cond", "create_array", "equal", "greater_equal", "greater_than", "increment", "is_empty", "less_equal",
    "less_than", "not_equal", "reorder_lod_tensor_by_rank", "switch_case", "while_loop",
]  # fmt: skip

__getattr__ = missing(__name__)

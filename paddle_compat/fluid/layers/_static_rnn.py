"""`fluid.layers.StaticRNN`: a recurrence written step by step, over sequences of one length."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.program import Block
from paddle_compat.core.variable import Variable
from paddle_compat.static.nn._arguments import layer, need_type, need_variable
from paddle_compat.static.nn._blocks import new_block, parent_of


@dataclass
class _Memory:
    """A state: where it starts, its name in a step, and what it is in the next."""

    init: Variable
    before: Variable
    after: Variable | None = None


class StaticRNN:
    """A recurrence whose step is the operators recorded inside ``with rnn.step():``.

    Args:
        name: prefix of the names.
    Raises:
        TypeError: `name` is no text.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers import StaticRNN
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [5, 4, 3], append_batch_size=False)  # steps, batch, features
        ...     start = fluid.layers.data("start", [4, 3], append_batch_size=False)
        ...     rnn = StaticRNN()
        ...     with rnn.step():
        ...         word = rnn.step_input(x)
        ...         state = rnn.memory(init=start)
        ...         rnn.update_memory(state, word)
        ...         rnn.step_output(state)
        ...     rnn().shape
        (5, 4, 3)

    Follows Paddle 1.8.
    """

    BEFORE_RNN_BLOCK = 0
    IN_RNN_BLOCK = 1
    AFTER_RNN_BLOCK = 2

    def __init__(self, name: str | None = None) -> None:
        need_type(name, "name", "StaticRNN", str, type(None))
        self.helper: LayerHelper = layer("static_rnn", name=name)
        self.memories: dict[str, _Memory] = {}
        self.inputs: list[Variable] = []
        self.outputs: list[Variable] = []
        self.status = StaticRNN.BEFORE_RNN_BLOCK
        self.seq_len: int | None = None

    def step(self) -> AbstractContextManager[None]:
        """Record one step inside.

        Returns:
            A context manager.
        """
        return self._step()

    @contextmanager
    def _step(self) -> Iterator[None]:
        self.status = StaticRNN.IN_RNN_BLOCK
        with new_block(self.helper.main_program) as block:
            yield
            self.status = StaticRNN.AFTER_RNN_BLOCK
            self._complete(block)

    def _inside(self, method: str) -> Block:
        if self.status != StaticRNN.IN_RNN_BLOCK:
            raise ValueError(f"`StaticRNN.{method}` was called outside. Expected a call inside `with rnn.step():`")
        return parent_of(self.helper.main_program)

    def memory(
        self,
        init: Variable | None = None,
        shape: Any = None,
        batch_ref: Variable | None = None,
        init_value: float = 0.0,
        init_batch_dim_idx: int = 0,
        ref_batch_dim_idx: int = 1,
    ) -> Variable:
        """A state that one step leaves to the next.

        Args:
            init: where it starts.
            shape: without `init`, its shape, with -1 for the batch.
            batch_ref: without `init`, a Variable that the batch's size is taken from.
            init_value: without `init`, the number it starts with.
            init_batch_dim_idx, ref_batch_dim_idx: where the batch stands in `shape` and in `batch_ref`.
        Returns:
            The state as the step finds it.
        Raises:
            ValueError: outside of a step, or neither `init` nor `shape` and `batch_ref` are there.
        """
        parent = self._inside("memory")
        need_type(init, "init", "StaticRNN.memory", Variable, type(None))
        need_type(shape, "shape", "StaticRNN.memory", list, tuple, type(None))
        need_type(batch_ref, "batch_ref", "StaticRNN.memory", Variable, type(None))
        if init is None:
            if shape is None or batch_ref is None:
                raise ValueError("Expected `init`, or `shape` and `batch_ref`, for `StaticRNN.memory`. Received: neither")
            name = unique_name.generate_with_ignorable_key(self.helper.name + "@memory_boot")
            init = parent._add_var(name=name, shape=shape, dtype=batch_ref.dtype, persistable=False)
            parent.append_op(
                type="fill_constant_batch_size_like",
                inputs={"Input": [batch_ref]},
                outputs={"Out": [init]},
                attrs={
                    "value": init_value,
                    "shape": list(init.shape),
                    "dtype": init.dtype,
                    "input_dim_idx": ref_batch_dim_idx,
                    "output_dim_idx": init_batch_dim_idx,
                },
            )
        name = unique_name.generate_with_ignorable_key(self.helper.name + "@mem")
        before = self.helper.create_variable(name=name, dtype=init.dtype, shape=init.shape)
        self.memories[before.name] = _Memory(init, before)
        return before

    def step_input(self, x: Variable) -> Variable:
        """One step of a sequence [steps, ...].

        Args:
            x (Variable): [steps, ...].
        Returns:
            Variable: without the first dimension.
        Raises:
            ValueError: it was called outside of `with rnn.step():`, or the sequences have other numbers of steps.
        """
        self._inside("step_input")
        need_variable(x, "x", "StaticRNN.step_input")
        if self.seq_len is None:
            self.seq_len = x.shape[0]
        elif x.shape[0] != -1 and self.seq_len != x.shape[0]:
            raise ValueError(f"Invalid value for argument `x`. Expected {self.seq_len} steps. Received: {x.shape[0]}")
        step = self.helper.create_variable(name=x.name, dtype=x.dtype, shape=list(x.shape[1:]), type=x.type)
        self.inputs.append(step)
        return step

    def step_output(self, o: Variable) -> None:
        """Collect a Variable of every step.

        Args:
            o (Variable): one step's.
        """
        parent = self._inside("step_output")
        need_variable(o, "o", "StaticRNN.step_output")
        out = self._through(o)
        assert self.seq_len is not None, "`StaticRNN.step_output` was called first. Expected `step_input` before it"
        self.outputs.append(parent._add_var(name=out.name, shape=[self.seq_len, *out.shape], dtype=out.dtype))

    def output(self, *outputs: Variable) -> None:
        """Collect Variables of every step.

        Args:
            outputs (Variable): one step's.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program()):
            ...     x, rnn = fluid.data("x", [5, 4, 3]), fluid.layers.StaticRNN()
            ...     with rnn.step():
            ...         word = rnn.step_input(x)
            ...         rnn.output(word * 2.0, word + 1.0)
            ...     [out.shape for out in rnn()]
            [(5, 4, 3), (5, 4, 3)]
        """
        for each in outputs:
            self.step_output(each)

    def update_memory(self, mem: Variable, var: Variable) -> None:
        """Say what a state is in the next step.

        Args:
            mem (Variable): what `memory` gave.
            var (Variable): the new value.
        """
        need_variable(mem, "mem", "StaticRNN.update_memory")
        need_variable(var, "var", "StaticRNN.update_memory")
        self.memories[mem.name].after = var

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The collected Variables, [steps, ...] each; a list when there are several."""
        if self.status != StaticRNN.AFTER_RNN_BLOCK:
            raise ValueError("`StaticRNN` was called first. Expected a call after `with rnn.step():`")
        if not self.outputs:
            raise ValueError("`StaticRNN` has no output. Expected a call of `step_output` in its step")
        return self.outputs[0] if len(self.outputs) == 1 else self.outputs

    def _through(self, value: Variable) -> Variable:
        out = self.helper.create_variable_for_type_inference(value.dtype)
        attrs = {"dtype": value.dtype}
        self.helper.append_op(type="rnn_memory_helper", inputs={"X": [value]}, outputs={"Out": out}, attrs=attrs)
        return out

    def _complete(self, block: Block) -> None:
        parent = block.parent
        assert parent is not None
        inside = {v.name for v in self.inputs} | set(self.memories)
        inside.update(name for op in block.ops for name in op.output_arg_names)
        outer = dict.fromkeys(n for op in block.ops for n in op.input_arg_names if n not in inside)
        scope = parent._add_var(type=VarType.STEP_SCOPES)
        after = []
        for memory in self.memories.values():
            if memory.after is None:
                raise ValueError(f"Memory `{memory.init.name}` is never updated. Expected a call of `update_memory`")
            after.append(self._through(block.var(memory.after.name)).name)
        parent.append_op(
            type="recurrent",
            inputs={
                "inputs": [parent._var_recursive(v.name) for v in self.inputs],
                "initial_states": [m.init for m in self.memories.values()],
                "parameters": [parent._var_recursive(name) for name in outer],
            },
            outputs={"outputs": self.outputs, "step_scopes": [scope]},
            attrs={
                "has_states": bool(self.memories),
                "ex_states": [m.before.name for m in self.memories.values()],
                "states": after,
                "sub_block": block,
            },
        )


__all__ = ["StaticRNN"]

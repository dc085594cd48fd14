"""`fluid.layers.DynamicRNN`: a recurrence written step by step, over LoD sequences of different lengths."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.op import definition_of
from paddle_compat.core.program import Block
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layers._arrays import array_to_lod_tensor, shrink_memory
from paddle_compat.ops.array import write_to_array
from paddle_compat.static.nn._arguments import layer, need_variable
from paddle_compat.static.nn._blocks import While, parent_of
from paddle_compat.tensor.array import array_read, array_write


class DynamicRNN:
    """A recurrence whose step is the operators recorded inside ``with rnn.block():``.

    The sequences are sorted by length; step t works on those that have a row t, which shrink as the shorter ones end.

    Args:
        name: prefix of the names.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers import DynamicRNN
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.layers.data("x", [3], lod_level=1)
        ...     rnn = DynamicRNN()
        ...     with rnn.block():
        ...         word = rnn.step_input(x)
        ...         state = rnn.memory(shape=[3])
        ...         rnn.update_memory(state, word)
        ...         rnn.output(state)
        ...     rnn().shape
        (-1, 3)

    Follows Paddle 1.8.
    """

    BEFORE_RNN = 0
    IN_RNN = 1
    AFTER_RNN = 2

    def __init__(self, name: str | None = None) -> None:
        self.helper: LayerHelper = layer("dynamic_rnn", name=name)
        self.status = DynamicRNN.BEFORE_RNN
        self.lod_rank_table: Variable | None = None
        self.max_seq_len: Variable | None = None
        self.step_idx: Variable | None = None
        self.zero_idx: Variable | None = None
        self.cond = self.helper.create_variable_for_type_inference("bool")
        self.while_op = While(self.cond)
        self.outputs: list[Variable] = []
        self._inputs: list[Variable] = []
        self._states: dict[str, Variable] = {}
        self._updates: list[tuple[Variable, Variable]] = []
        self._collected: list[Variable] = []

    def _inside(self, method: str) -> Block:
        if self.status != DynamicRNN.IN_RNN:
            raise ValueError(f"`DynamicRNN.{method}` was called outside. Expected a call inside `with rnn.block():`")
        return parent_of(self.helper.main_program)

    def _outer(self, parent: Block, key: str, dtype: DTypeLike | None, type: VarType = VarType.LOD_TENSOR) -> Variable:
        return parent._add_var(name=unique_name.generate(key), dtype=dtype, type=type)

    @contextmanager
    def block(self) -> Iterator[None]:
        """Record one step inside.

        Returns:
            A context manager.
        Raises:
            ValueError: it was called before.
        """
        if self.status != DynamicRNN.BEFORE_RNN:
            raise ValueError("`DynamicRNN.block` was called again. Expected one call")
        self.step_idx = _zero("fill_constant")
        self.step_idx.stop_gradient = False
        self.status = DynamicRNN.IN_RNN
        with self.while_op.block():
            yield
            layer("increment").append_op(
                type="increment", inputs={"X": [self.step_idx]}, outputs={"Out": [self.step_idx]}, attrs={"step": 1.0}
            )
            for new, array in self._updates:
                array_write(new, self.step_idx, array)
            layer("less_than").append_op(
                type="less_than",
                inputs={"X": [self.step_idx], "Y": [self.max_seq_len]},
                outputs={"Out": [self.cond]},
                attrs={"force_cpu": True},
            )
        self.status = DynamicRNN.AFTER_RNN
        assert self.lod_rank_table is not None
        self.outputs = [array_to_lod_tensor(array, self.lod_rank_table) for array in self._collected]

    def step_input(self, x: Variable, level: int = 0) -> Variable:
        """The rows of a step: one of every sequence of LoD level `level` of `x` that is long enough.

        Args:
            x (Variable): sequences.
            level (int): the LoD level of the sequences that are walked through.
        Returns:
            Variable [sequences that go on, ...].
        """
        parent = self._inside("step_input")
        need_variable(x, "x", "DynamicRNN.step_input")
        if self.lod_rank_table is None:
            self.lod_rank_table = self._outer(parent, "lod_rank_table", None, VarType.LOD_RANK_TABLE)
            self.lod_rank_table.stop_gradient = True
            parent.append_op(
                type="lod_rank_table", inputs={"X": x}, outputs={"Out": self.lod_rank_table}, attrs={"level": level}
            )
            self.max_seq_len = self._outer(parent, "dynamic_rnn_max_seq_len", "int64")
            self.max_seq_len.stop_gradient = False
            parent.append_op(
                type="max_sequence_len", inputs={"RankTable": self.lod_rank_table}, outputs={"Out": self.max_seq_len}
            )
            self.cond.stop_gradient = True
            parent.append_op(
                type="less_than",
                inputs={"X": self.step_idx, "Y": self.max_seq_len},
                outputs={"Out": self.cond},
                attrs={"force_cpu": True},
            )
        array = self._outer(parent, "dynamic_rnn_input_array", x.dtype, VarType.LOD_TENSOR_ARRAY)
        self._inputs.append(array)
        parent.append_op(
            type="lod_tensor_to_array", inputs={"X": x, "RankTable": self.lod_rank_table}, outputs={"Out": array}
        )
        return array_read(array, self.step_idx)

    def _reordered(self, parent: Block, x: Variable, key: str) -> Variable:
        out = self._outer(parent, key, x.dtype)
        inputs = {"X": [x], "RankTable": [self.lod_rank_table]}
        parent.append_op(type="reorder_lod_tensor_by_rank", inputs=inputs, outputs={"Out": [out]})
        return out

    def static_input(self, x: Variable) -> Variable:
        """The rows (or sequences) of `x` that belong to the sequences of a step.

        Args:
            x (Variable): a row, or a sequence, for each sequence.
        Returns:
            Variable.
        Raises:
            RuntimeError: `step_input` was not called before.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program()):
            ...     x, encoded = fluid.data("x", [None, 3], lod_level=1), fluid.data("encoded", [None, 3])
            ...     rnn = fluid.layers.DynamicRNN()
            ...     with rnn.block():
            ...         rnn.output(rnn.step_input(x) + rnn.static_input(encoded))
            ...     rnn().shape
            (-1, 3)
        """
        parent = self._inside("static_input")
        need_variable(x, "x", "DynamicRNN.static_input")
        if self.lod_rank_table is None:
            raise RuntimeError("`DynamicRNN.static_input` was called first. Expected `step_input` before it")
        assert self.step_idx is not None
        reordered = self._reordered(parent, x, "dynamic_rnn_static_input_reordered")
        return shrink_memory(reordered, self.step_idx, self.lod_rank_table)

    def memory(
        self,
        init: Variable | None = None,
        shape: Any = None,
        value: float = 0.0,
        need_reorder: bool = False,
        dtype: DTypeLike = "float32",
    ) -> Variable:
        """A state that one step leaves to the next.

        Args:
            init: where it starts, a row for each sequence.
            shape: without `init`, the state's dimensions after the batch.
            value: without `init`, the number it starts with.
            need_reorder: the rows of `init` stand in the order of the batch and must be sorted as the sequences are.
            dtype: without `init`, its data type.
        Returns:
            The state as the step finds it.
        Raises:
            ValueError: outside of a block, or `step_input` did not come before.
        """
        parent = self._inside("memory")
        if self.zero_idx is None:
            self.zero_idx = self._outer(parent, "zero_idx", "int64")
            _fill_zero(parent, self.zero_idx)
        if init is None:
            init = self._filled(parent, shape, value, dtype)
        else:
            need_variable(init, "init", "DynamicRNN.memory")
            if need_reorder:
                if self.lod_rank_table is None:
                    raise ValueError("`DynamicRNN.memory` must reorder. Expected `step_input` before it")
                init = self._reordered(parent, init, "dynamic_rnn_mem_init_reordered")
        assert self.step_idx is not None and self.lod_rank_table is not None
        array = self._outer(parent, "dynamic_rnn_mem_array", init.dtype, VarType.LOD_TENSOR_ARRAY)
        inputs = {"X": init, "I": self.zero_idx}
        parent.append_op(type=write_to_array.type, inputs=inputs, outputs={"Out": array})
        state = shrink_memory(array_read(array, self.step_idx), self.step_idx, self.lod_rank_table)
        self._states[state.name] = array
        return state

    def _filled(self, parent: Block, shape: Any, value: float, dtype: DTypeLike) -> Variable:
        if not self._inputs:
            raise ValueError("`DynamicRNN.memory` needs the batch's size. Expected `step_input` before it")
        init = self._outer(parent, "mem_init", dtype)
        first = self._outer(parent, "in0", self._inputs[0].dtype)
        inputs = {"X": [self._inputs[0]], "I": [self.zero_idx]}
        parent.append_op(type="read_from_array", inputs=inputs, outputs={"Out": [first]})
        parent.append_op(
            type="fill_constant_batch_size_like",
            inputs={"Input": [first]},
            outputs={"Out": [init]},
            attrs={"shape": [-1, *shape], "value": float(value), "dtype": init.dtype},
        )
        return init

    def update_memory(self, ex_mem: Variable, new_mem: Variable) -> None:
        """Say what a state is in the next step.

        Args:
            ex_mem (Variable): what `memory` gave.
            new_mem (Variable): the new value.
        Raises:
            ValueError: `memory` gave no such Variable.
        """
        self._inside("update_memory")
        need_variable(ex_mem, "ex_mem", "DynamicRNN.update_memory")
        need_variable(new_mem, "new_mem", "DynamicRNN.update_memory")
        array = self._states.get(ex_mem.name)
        if array is None:
            raise ValueError(
                f"Invalid value for argument `ex_mem`. Expected what `memory` gave. Received: {ex_mem.name}"
            )
        self._updates.append((new_mem, array))

    def output(self, *outputs: Variable) -> None:
        """Collect Variables of every step.

        Args:
            outputs (Variable): one step's.
        """
        parent = self._inside("output")
        for each in outputs:
            key = f"{self.helper.name}_output_array_{each.name}"
            name = unique_name.generate_with_ignorable_key(key)
            array = parent._add_var(name=name, type=VarType.LOD_TENSOR_ARRAY, dtype=each.dtype)
            array_write(each, self.step_idx, array)
            self._collected.append(array)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The collected Variables, with the LoD of the input; a list when there are several."""
        if self.status != DynamicRNN.AFTER_RNN:
            raise ValueError("`DynamicRNN` was called first. Expected a call after `with rnn.block():`")
        return self.outputs[0] if len(self.outputs) == 1 else self.outputs


def _fill_zero(block: Block, out: Variable) -> None:
    attrs = {"shape": [1], "dtype": out.dtype, "value": 0.0, "force_cpu": True}
    block.append_op(type="fill_constant", inputs={}, outputs={"Out": [out]}, attrs=attrs)


def _zero(helper_type: str) -> Variable:
    """What `fluid.layers.fill_constant([1], "int64", 0, force_cpu=True)` records."""
    definition = definition_of("fill_constant")
    attrs: dict[str, Any] = {"shape": [1], "dtype": convert_dtype("int64"), "value": 0.0, "str_value": "0"}
    out: Variable = definition(force_cpu=True, _helper=layer(helper_type), **attrs)
    return out


__all__ = ["DynamicRNN"]

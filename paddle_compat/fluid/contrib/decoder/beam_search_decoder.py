"""`paddle.fluid.contrib.decoder.beam_search_decoder`: one step, told once, for training and for beam search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.program import default_main_program
from paddle_compat.core.variable import Variable
from paddle_compat.fluid import layers as _layers
from paddle_compat.fluid.contrib.decoder._cells import InitState, StateCell
from paddle_compat.static.nn._blocks import parent_of

L: Any = _layers
BEFORE, IN, AFTER = range(3)  # where a decoder's block stands


class _Decoder:
    """What both decoders share: a block that is entered once."""

    _kind = 0

    def __init__(self, state_cell: StateCell) -> None:
        self._status = BEFORE
        self._state_cell = state_cell
        state_cell._enter(self)

    @property
    def type(self) -> int:
        """1 for training, 2 for beam search."""
        return self._kind

    @property
    def state_cell(self) -> StateCell:
        """The cell, inside the block."""
        self._inside("state_cell")
        return self._state_cell

    def _inside(self, method: str) -> None:
        if self._status != IN:
            raise ValueError(f"`{type(self).__name__}.{method}` belongs into `with decoder.block()`. Received: a call outside it")

    def _finished(self) -> None:
        if self._status != AFTER:
            name = type(self).__name__
            raise ValueError(f"The output of a {name} is there after `with decoder.block()`. Received: a call before or inside it")

    @contextmanager
    def _entered(self, block: AbstractContextManager[Any]) -> Iterator[None]:
        if self._status != BEFORE:
            raise ValueError("`decoder.block()` was called before. Expected one call")
        with block:
            self._status = IN
            yield
            self._end()
        self._status = AFTER
        self._state_cell._leave()

    def _end(self) -> None:
        """What closes a step."""


class _Remembered:
    """A state in a memory of a DynamicRNN."""

    def __init__(self, rnn: Any, start: InitState) -> None:
        self._rnn = rnn
        self._memory = rnn.memory(init=start.value, need_reorder=start.need_reorder)

    def read(self) -> Any:
        """The state that a step begins with."""
        return self._memory

    def write(self, value: Any) -> None:
        """The state that the next step begins with."""
        self._rnn.update_memory(self._memory, value)


class TrainingDecoder(_Decoder):
    """A decoder that is given what it shall say: a DynamicRNN with the states of a cell.

    Args:
        state_cell (StateCell): the step.
        name (str): has no effect.
    Raises:
        ValueError: the cell is in a decoder already.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.decoder import InitState, StateCell, TrainingDecoder
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     context, words = fluid.data("context", [None, 8]), fluid.data("words", [None, 4], lod_level=1)
        ...     cell = StateCell({"x": None}, {"h": InitState(context, need_reorder=True)}, "h")
        ...     @cell.state_updater
        ...     def update(cell):
        ...         cell.set_state("h", fluid.layers.fc([cell.get_state("h"), cell.get_input("x")], 8, act="tanh"))
        ...     decoder = TrainingDecoder(cell)
        ...     with decoder.block():
        ...         cell.compute_state({"x": decoder.step_input(words)})
        ...         decoder.output(cell.get_state("h") + decoder.static_input(context))
        ...         cell.update_states()
        ...     decoder().shape, decoder.type
        ((-1, 8), 1)

    Follows Paddle 1.8.
    """

    _kind = 1

    def __init__(self, state_cell: StateCell, name: str | None = None) -> None:
        super().__init__(state_cell)
        self._rnn: Any = L.DynamicRNN()

    def _memory(self, name: str, start: InitState) -> _Remembered:
        return _Remembered(self._rnn, start)

    def block(self) -> AbstractContextManager[None]:
        """Record a step inside.

        Returns:
            A context manager.
        """
        return self._entered(self._rnn.block())

    @property
    def dynamic_rnn(self) -> Any:
        """The DynamicRNN."""
        return self._rnn

    def step_input(self, x: Any) -> Any:
        """A sequence of which each step sees one row.

        Args:
            x (Variable): with a LoD.
        Returns:
            Variable: the rows of this step.
        """
        self._inside("step_input")
        return self._rnn.step_input(x)

    def static_input(self, x: Any) -> Any:
        """What each step sees as a whole.

        Args:
            x (Variable): a row or a sequence for each sample.
        Returns:
            Variable.
        """
        self._inside("static_input")
        return self._rnn.static_input(x)

    def output(self, *outputs: Any) -> None:
        """Say what the decoder gives.

        Args:
            outputs (Variable): of this step.
        """
        self._inside("output")
        self._rnn.output(*outputs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._finished()
        return self._rnn(*args, **kwargs)


class _Arrayed:
    """A state in an array of a loop: one entry for each step."""

    def __init__(self, array: Any, counter: Any) -> None:
        self._array, self._counter = array, counter
        self._now = L.array_read(array=array, i=counter)

    def read(self) -> Any:
        """The state that a step begins with."""
        return self._now

    def write(self, value: Any) -> None:
        """The state that the next step begins with."""
        L.increment(x=self._counter, value=1, in_place=True)
        L.array_write(value, array=self._array, i=self._counter)


class BeamSearchDecoder(_Decoder):
    """A decoder that keeps the best beginnings of what it says and goes on from each: a While loop with the states of a cell.

    Args:
        state_cell (StateCell): the step.
        init_ids, init_scores (Variable): the first word and its score for each sample, with a LoD of two levels.
        target_dict_dim (int), word_dim (int): how many words there are, and how wide their rows of the table.
        input_var_dict (dict): inputs of the cell beside the word -> Variable, expanded to the beginnings.
        topk_size (int): how many words are looked at for each beginning.
        sparse_emb (bool): the table's gradients are sparse.
        max_len (int): steps at most.
        beam_size (int): how many beginnings are kept.
        end_id (int): the word that ends.
        name (str): has no effect.
    Raises:
        ValueError: the cell is in a decoder already.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.contrib.decoder import BeamSearchDecoder, InitState, StateCell
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     ids = fluid.layers.data("ids", [1], dtype="int64", lod_level=2)
        ...     scores = fluid.layers.data("scores", [1], lod_level=2)
        ...     cell = StateCell({"x": None}, {"h": InitState(fluid.data("context", [None, 8]))}, "h")
        ...     @cell.state_updater
        ...     def update(cell):
        ...         cell.set_state("h", fluid.layers.fc([cell.get_state("h"), cell.get_input("x")], 8, act="tanh"))
        ...     decoder = BeamSearchDecoder(cell, ids, scores, target_dict_dim=20, word_dim=4, topk_size=5, beam_size=2)
        ...     decoder.decode()
        ...     found, values = decoder()
        ...     cell = StateCell({"x": None}, {"h": InitState(fluid.data("other", [None, 8]))}, "h")
        ...     by_hand = BeamSearchDecoder(cell, ids, scores, target_dict_dim=20, word_dim=4)
        ...     with by_hand.block():
        ...         now = by_hand.read_array(init=ids, is_ids=True)
        ...         by_hand.update_array(now, now)
        ...         by_hand.early_stop()

    Follows Paddle 1.8.
    """

    _kind = 2

    def __init__(
        self, state_cell: StateCell, init_ids: Any, init_scores: Any, target_dict_dim: int, word_dim: int,
        input_var_dict: dict[str, Any] = {}, topk_size: int = 50, sparse_emb: bool = True, max_len: int = 100, beam_size: int = 1,  # noqa: B006
        end_id: int = 1, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(state_cell)
        self._counter = L.zeros(shape=[1], dtype="int64")
        self._counter.stop_gradient = True
        self._max_len = L.fill_constant(shape=[1], dtype="int64", value=max_len)
        self._condition = L.less_than(x=self._counter, y=L.fill_constant(shape=[1], dtype="int64", value=max_len))
        self._loop: Any = L.While(self._condition)
        self._start = L.fill_constant(shape=[1], dtype="int64", value=0, force_cpu=True)
        self._init_ids, self._init_scores = init_ids, init_scores
        self._words, self._width = target_dict_dim, word_dim
        self._others, self._considered, self._sparse = input_var_dict, topk_size, sparse_emb
        self._beams, self._end_id = beam_size, end_id
        self._arrays: dict[str, tuple[Any, Any]] = {}  # what was read from an array -> that, and what it becomes
        self._ids: Any = None
        self._scores: Any = None

    def _memory(self, name: str, start: InitState) -> _Arrayed:
        parent = parent_of(default_main_program())
        counter = parent._add_var(name=unique_name.generate("array_state_counter"), dtype="int64", shape=(1,), stop_gradient=True)
        parent.append_op(
            type="fill_constant",
            inputs={},
            outputs={"Out": [counter]},
            attrs={"shape": [1], "dtype": int(VarType.INT64), "value": 0.0, "force_cpu": True},
        )
        return _Arrayed(self._begun(parent, "array_state_array", start.value, counter), counter)

    @staticmethod
    def _begun(parent: Any, key: str, first: Variable, at: Variable) -> Variable:
        """An array in front of the loop, with one entry."""
        array: Variable = parent._add_var(name=unique_name.generate(key), dtype=first.dtype, type=VarType.LOD_TENSOR_ARRAY)
        parent.append_op(type="write_to_array", inputs={"X": [first], "I": [at]}, outputs={"Out": [array]})
        return array

    def block(self) -> AbstractContextManager[None]:
        """Record a step inside.

        Returns:
            A context manager.
        """
        return self._entered(self._loop.block())

    def _end(self) -> None:
        with L.Switch() as switch, switch.case(self._condition):  # unless `early_stop` ran
            L.increment(x=self._counter, value=1.0, in_place=True)
            for array, value in self._arrays.values():
                L.array_write(x=value, array=array, i=self._counter)
            L.less_than(x=self._counter, y=self._max_len, cond=self._condition)

    def early_stop(self) -> None:
        """End the loop with this step."""
        L.fill_constant(shape=[1], value=0, dtype="bool", force_cpu=True, out=self._condition)

    def read_array(self, init: Any, is_ids: bool = False, is_scores: bool = False) -> Any:
        """What the step before left in an array.

        Args:
            init (Variable): what the first step reads.
            is_ids, is_scores (bool): the array is that of the words that were chosen, or of their scores.
        Returns:
            Variable.
        Raises:
            ValueError: it is both.
        """
        self._inside("read_array")
        if is_ids and is_scores:
            raise ValueError("Invalid value for argument `is_scores` of `read_array`. Expected False beside is_ids=True. Received: True")
        array = self._begun(parent_of(default_main_program()), "beam_search_decoder_array", init, self._start)
        if is_ids:
            self._ids = array
        elif is_scores:
            self._scores = array
        found = L.array_read(array=array, i=self._counter)
        self._arrays[found.name] = array, None
        return found

    def update_array(self, array: Any, value: Any) -> None:
        """Say what the next step reads from an array.

        Args:
            array (Variable): what `read_array` gave.
            value (Variable): the next value.
        Raises:
            ValueError: `read_array` did not give it.
        """
        self._inside("update_array")
        if array.name not in self._arrays:
            expected = "what `read_array` gave"
            raise ValueError(f"Invalid value for argument `array` of `update_array`. Expected {expected}. Received: {array.name}")
        self._arrays[array.name] = self._arrays[array.name][0], value

    def decode(self) -> None:
        """Record the usual step: look the words up, compute the states, choose the best words by a softmax.

        Raises:
            ValueError: `input_var_dict` names what is no input of the cell.
        """
        cell = self._state_cell
        for name in self._others:
            if name not in cell._inputs:
                raise ValueError(f"Invalid value for argument `input_var_dict`. Expected inputs of the cell. Received: {name!r}")
        with self.block():
            ids = self.read_array(init=self._init_ids, is_ids=True)
            scores = self.read_array(init=self._init_scores, is_scores=True)
            rows = L.embedding(input=ids, size=[self._words, self._width], dtype="float32", is_sparse=self._sparse)
            read = {name: self.read_array(init=value) for name, value in self._others.items()}
            fed = {name: L.sequence_expand(value, scores) for name, value in read.items()}
            for name in cell._first:
                cell.set_state(name, L.sequence_expand(cell.get_state(name), scores))
            cell.compute_state({name: fed.get(name, rows) for name in cell._inputs})
            state = L.lod_reset(x=cell.out_state(), y=scores)
            best, words = L.topk(L.fc(input=state, size=self._words, act="softmax"), k=self._considered)
            sums = L.elementwise_add(x=L.log(best), y=L.reshape(scores, shape=[-1]), axis=0)
            # `end_id` counts when the sentences are read, as in Paddle 1.8: while it searches, 1 ends them
            chosen, values = L.beam_search(ids, scores, words, sums, self._beams, end_id=1, level=0)
            with L.Switch() as switch:
                with switch.case(L.is_empty(chosen)):
                    self.early_stop()
                with switch.default():
                    cell.update_states()
                    self.update_array(ids, chosen)
                    self.update_array(scores, values)
                    for name, array in read.items():
                        self.update_array(array, fed[name])

    def __call__(self) -> Any:
        self._finished()
        return L.beam_search_decode(ids=self._ids, scores=self._scores, beam_size=self._beams, end_id=self._end_id)


__all__ = ["BeamSearchDecoder", "InitState", "StateCell", "TrainingDecoder"]

__getattr__ = missing(__name__)

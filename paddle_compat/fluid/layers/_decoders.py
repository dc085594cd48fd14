"""Decoders of `fluid.layers.rnn`: loops that feed back what they produced, for training, greedy and beam search."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from paddle_compat.core.dtype import VarType
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.fluid import layers as _layers
from paddle_compat.fluid.layers._cells import swap_batch_and_time
from paddle_compat.nn import decode
from paddle_compat.nn._decoding import LOWEST, BeamSteps, Steps
from paddle_compat.static.nn._arguments import need_variable
from paddle_compat.static.nn._blocks import outside
from paddle_compat.static.nn._structure import flatten, map_structure

L: Any = _layers


class Decoder(Steps):
    """What `dynamic_decode` runs: a decoder defines `initialize`, `step`, and perhaps `finalize`.

    Example:
        >>> from paddle_compat.fluid.layers.rnn import Decoder
        >>> Decoder().initialize(None)
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.UnsupportedError: `Decoder.initialize` is not supported ...

    Follows Paddle 1.8.
    """

    tracks_own_finished = False  # which eager mode asks for, as from Paddle 2 on


class BeamSearchDecoder(BeamSteps, Decoder):
    """Beam search over a cell's steps.

    Args:
        cell: an RNNCell.
        start_token, end_token: ids.
        beam_size: how many sentences are followed.
        embedding_fn: makes a cell's inputs of ids; None: the ids themselves.
        output_fn: makes scores of a cell's outputs; None: the outputs themselves.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     embedding = lambda ids: fluid.embedding(ids, [9, 4], param_attr=fluid.ParamAttr("words"))
        ...     output = lambda x: fluid.layers.fc(x, 9, num_flatten_dims=2)
        ...     decoder = fluid.layers.BeamSearchDecoder(fluid.layers.GRUCell(4), 0, 1, 2, embedding, output)
        ...     inputs, states, finished = decoder.initialize(fluid.data("state", [3, 4]))
        ...     time = fluid.layers.fill_constant([1], "int64", 0)
        ...     outputs, states, inputs, finished = decoder.step(time, inputs, states)
        ...     outputs.predicted_ids.shape, finished.shape
        ((3, 2), (3, 2))

    Follows Paddle 1.8.
    """

    tracks_own_finished = True

    @staticmethod
    def tile_beam_merge_with_batch(x: Any, beam_size: int) -> Any:
        """Every row of [B, ...] `beam_size` times, [B * beam_size, ...].

        Args:
            x (Variable): [B, ...].
            beam_size (int): how many beams.
        Returns:
            Variable [B * beam_size, ...].

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program()):
            ...     fluid.layers.BeamSearchDecoder.tile_beam_merge_with_batch(fluid.data("x", [3, 4]), 2).shape
            (6, 4)
        """
        need_variable(x, "x", "BeamSearchDecoder.tile_beam_merge_with_batch")
        x = L.unsqueeze(x, [1])
        x = L.expand(x, [1, beam_size, *[1] * (len(x.shape) - 2)])
        x = L.transpose(x, [*range(2, len(x.shape)), 0, 1])
        x = L.reshape(x, shape=[0] * (len(x.shape) - 2) + [-1])
        return L.transpose(x, [len(x.shape) - 1, *range(len(x.shape) - 1)])

    def _split_batch_beams(self, x: Any) -> Any:
        need_variable(x, "x", "BeamSearchDecoder")
        return L.reshape(x, shape=(-1, self.beam_size, *x.shape[1:]))

    def _merge_batch_beams(self, x: Any) -> Any:
        need_variable(x, "x", "BeamSearchDecoder")
        return L.reshape(x, shape=(-1, *x.shape[2:]))

    def _expand_to_beam_size(self, x: Any) -> Any:
        need_variable(x, "x", "BeamSearchDecoder")
        x = L.unsqueeze(x, [1])
        return L.expand(x, [1, self.beam_size, *[1] * (len(x.shape) - 2)])

    def _mask_probs(self, probs: Any, finished: Any) -> Any:
        """Sentences that have ended can only go on with the end token."""
        ended = L.cast(finished, dtype=probs.dtype)
        only_end = L.elementwise_mul(
            L.expand(L.unsqueeze(ended, [2]), [1, 1, self.vocab_size]), self.noend_mask_tensor, axis=-1
        )
        return only_end - L.elementwise_mul(probs, ended - 1, axis=0)

    def _gather(self, x: Any, indices: Any, batch_size: Any) -> Any:
        """For each sentence and beam, `x` at the beam (or word) in `indices`."""
        if batch_size.dtype != indices.dtype:
            batch_size = L.cast(batch_size, indices.dtype)
        batch_size.stop_gradient = True
        rows = L.unsqueeze(L.range(0, batch_size, 1, dtype=indices.dtype), [1])
        places = L.stack([L.expand(rows, [1, self.beam_size]), indices], axis=2)
        places.stop_gradient = True
        return L.gather_nd(x, places)

    def initialize(self, initial_cell_states: Any) -> Any:
        """First inputs, states and ends; of each sentence's beams only the first is possible.

        Args:
            initial_cell_states: the cell's states, [B, ...].
        Returns:
            Inputs [B, beams, ...], a StateWrapper, and which beams have ended.
        """
        self.kinf = LOWEST
        state = flatten(initial_cell_states)[0]
        self.batch_size = L.shape(state)[0]
        self.start_token_tensor = L.fill_constant(shape=[1], dtype="int64", value=self.start_token)
        self.end_token_tensor = L.fill_constant(shape=[1], dtype="int64", value=self.end_token)
        cell_states = map_structure(self._expand_to_beam_size, initial_cell_states)
        starts = L.unsqueeze(L.expand(self.start_token_tensor, [self.batch_size]), [1])
        inputs = L.expand(starts, [1, self.beam_size])
        first = np.array([[0.0] + [-self.kinf] * (self.beam_size - 1)], dtype="float32")
        log_probs = L.expand(L.assign(first), [self.batch_size, 1])
        finished = L.fill_constant_batch_size_like(
            input=state, shape=[-1, self.beam_size], dtype="bool", value=False, force_cpu=True
        )
        lengths = L.zeros_like(inputs)
        inputs = self.embedding_fn(inputs) if self.embedding_fn else inputs
        return inputs, self.StateWrapper(cell_states, log_probs, finished, lengths), finished

    def _beam_search_step(self, time: Any, logits: Any, next_cell_states: Any, beam_state: Any) -> Any:
        self.vocab_size = logits.shape[-1]
        self.vocab_size_tensor = L.fill_constant(shape=[1], dtype="int64", value=self.vocab_size)
        no_end = [-self.kinf] * self.vocab_size
        no_end[self.end_token] = 0
        self.noend_mask_tensor = L.assign(np.array(no_end, "float32"))
        step_log_probs = self._mask_probs(L.log(L.softmax(logits)), beam_state.finished)
        log_probs = L.elementwise_add(x=step_log_probs, y=beam_state.log_probs, axis=0)
        scores = L.reshape(log_probs, [-1, self.beam_size * self.vocab_size])
        top_scores, top_indices = L.topk(input=scores, k=self.beam_size)
        beams = L.elementwise_floordiv(top_indices, self.vocab_size_tensor)
        words = L.elementwise_mod(top_indices, self.vocab_size_tensor)
        flat = L.reshape(log_probs, [-1, self.beam_size * self.vocab_size])
        next_log_probs = self._gather(flat, top_indices, self.batch_size)
        next_cell_states = map_structure(lambda x: self._gather(x, beams, self.batch_size), next_cell_states)
        finished = self._gather(beam_state.finished, beams, self.batch_size)
        lengths = self._gather(beam_state.lengths, beams, self.batch_size)
        lengths = lengths + L.cast(L.logical_not(finished), beam_state.lengths.dtype)
        finished = L.logical_or(finished, L.equal(words, self.end_token_tensor))
        output = self.OutputWrapper(top_scores, words, beams)
        return output, self.StateWrapper(next_cell_states, next_log_probs, finished, lengths)

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> Any:
        """Whole sentences, [T, B, beams], and the last states.

        Args:
            outputs: an OutputWrapper, [T, B, beams].
            final_states: the last states.
            sequence_lengths: the lengths of the beams.
        Returns:
            Variable of int64 [T, B, beams], and the states.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
            ...     decoder = fluid.layers.BeamSearchDecoder(fluid.layers.GRUCell(4), 0, 1, 2)
            ...     ids, parents = fluid.data("ids", [5, 3, 2], "int64"), fluid.data("parents", [5, 3, 2], "int64")
            ...     decoder.finalize(decoder.OutputWrapper(None, ids, parents), None, None)[0].shape
            (5, 3, 2)
        """
        return L.gather_tree(outputs.predicted_ids, outputs.parent_ids), final_states


def _kept_where(state: Any, new_state: Any, step_mask: Any) -> Any:
    """The former state where the mask is true, the new one where it is not."""
    dtype = state.dtype
    if dtype == VarType.BOOL:
        state, new_state = L.cast(state, dtype="float32"), L.cast(new_state, dtype="float32")
    if step_mask.dtype != state.dtype:
        step_mask = L.cast(step_mask, dtype=state.dtype)
        step_mask.stop_gradient = True
    kept = L.elementwise_mul(state, step_mask, axis=0) - L.elementwise_mul(new_state, step_mask - 1, axis=0)
    return L.cast(kept, dtype=dtype) if dtype == VarType.BOOL else kept


def dynamic_decode(
    decoder: Any,
    inits: Any = None,
    max_step_num: int | None = None,
    output_time_major: bool = False,
    impute_finished: bool = False,
    is_test: bool = False,
    return_length: bool = False,
    **kwargs: Any,
) -> Any:
    """Run a decoder's steps until all sequences have ended.

    Args:
        decoder: a Decoder.
        inits: goes to its `initialize`.
        max_step_num: stop after that many steps more than 0; None: never.
        output_time_major: the outputs are [T, B, ...].
        impute_finished: sequences that have ended keep their states.
        is_test: inference only: states are not kept for gradients.
        return_length: return the sequences' lengths, too.
        kwargs: go to the decoder's steps.
    Returns:
        Outputs [B, T, ...] and last states, as the decoder nests them; with `return_length` lengths [B].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     state = fluid.data("state", [None, 4])
        ...     embedding = lambda ids: fluid.embedding(ids, [9, 4], param_attr=fluid.ParamAttr("words"))
        ...     scores = lambda x: fluid.layers.fc(x, 9, num_flatten_dims=len(x.shape) - 1)
        ...     cell = fluid.layers.GRUCell(4)
        ...     decoder = fluid.layers.BeamSearchDecoder(cell, 0, 1, 2, embedding_fn=embedding, output_fn=scores)
        ...     ids, _ = fluid.layers.dynamic_decode(decoder, inits=state, max_step_num=5)
        ...     ids.dtype
        VarType.INT64

    Follows Paddle 1.8.
    """
    first_inputs, first_states, finished = decoder.initialize(inits)
    if isinstance(finished, Tensor):  # as from Paddle 2 on
        progress = decode._Progress(decoder, finished, impute_finished, kwargs)
        final, final_states, lengths = decode._eager(progress, first_inputs, first_states, max_step_num)
    else:
        final, final_states, lengths = _recorded(
            decoder, first_inputs, first_states, finished, max_step_num, impute_finished, is_test, kwargs
        )
    if type(decoder).finalize is not Decoder.finalize:
        final, final_states = decoder.finalize(final, final_states, lengths)
    if not output_time_major:
        final = map_structure(swap_batch_and_time, final)
    return (final, final_states, lengths) if return_length else (final, final_states)


def _recorded(
    decoder: Any, first_inputs: Any, first_states: Any, finished: Any, max_step_num: int | None, impute_finished: bool, is_test: bool,
    kwargs: dict[str, Any],
) -> tuple[Any, Any, Any]:  # fmt: skip
    """The steps as a loop of the Program: outputs, last states and lengths."""
    finished.stop_gradient = True
    step = L.fill_constant(shape=[1], dtype="int64", value=0)
    going = L.logical_not(L.reduce_all(finished))
    limit = None if max_step_num is None else L.fill_constant(shape=[1], dtype="int64", value=max_step_num)
    loop = L.While(going, is_test=is_test)
    lengths = L.cast(L.zeros_like(finished), "int64")
    lengths.stop_gradient = True
    inputs, states = first_inputs, first_states
    kept: list[Any] = []
    if not is_test:
        kept = [map_structure(lambda x: L.array_write(x, step), nest) for nest in (first_inputs, first_states)]
    with loop.block():
        if not is_test:
            inputs, states = (map_structure(lambda a: L.array_read(a, step), arrays) for arrays in kept)
        outputs, next_states, next_inputs, next_finished = decoder.step(step, inputs, states, **kwargs)
        next_finished = L.logical_or(next_finished, finished)
        next_lengths = L.elementwise_add(lengths, L.cast(L.logical_not(finished), lengths.dtype))
        if impute_finished:
            next_states = map_structure(lambda old, new: _kept_where(old, new, finished), states, next_states)
        with outside(default_main_program()):
            collected = map_structure(lambda x: L.create_array(x.dtype), outputs)
        map_structure(lambda x, array: L.array_write(x, i=step, array=array), outputs, collected)
        L.increment(x=step, value=1.0, in_place=True)
        if is_test:
            map_structure(L.assign, next_inputs, first_inputs)
            map_structure(L.assign, next_states, first_states)
        else:
            for nest, arrays in zip((next_inputs, next_states), kept):
                map_structure(lambda x, array: L.array_write(x, i=step, array=array), nest, arrays)
        L.assign(next_finished, finished)
        L.assign(next_lengths, lengths)
        if limit is not None:
            L.logical_and(L.logical_not(L.reduce_all(finished)), L.less_equal(step, limit), going)
        else:
            L.logical_not(L.reduce_all(finished), going)
    final = map_structure(lambda a: L.tensor_array_to_tensor(a, axis=0, use_stack=True)[0], collected)
    return final, first_states if is_test else map_structure(lambda a: L.array_read(a, step), kept[1]), lengths


class DecodeHelper:
    """What a BasicDecoder asks for its inputs: `initialize`, `sample` and `next_inputs`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> class Same(fluid.layers.DecodeHelper):
        ...     def sample(self, time, outputs, states):
        ...         return fluid.layers.argmax(outputs, 1)
        ...     def next_inputs(self, time, outputs, states, sample_ids):
        ...         return sample_ids >= 0, outputs, states
        >>> with fluid.program_guard(fluid.Program()):
        ...     outputs, helper = fluid.data("outputs", [None, 9]), Same()
        ...     ids = helper.sample(None, outputs, None)
        ...     ended, inputs, states = helper.next_inputs(None, outputs, None, ids)
        ...     ids.shape, inputs is outputs
        ((-1,), True)
        >>> helper.initialize() is None  # a subclass says with what to begin
        True

    Follows Paddle 1.8.
    """

    def initialize(self) -> Any:
        """First inputs, and which sequences have ended before they begin.

        Returns:
            The inputs, and a Variable of bool [B].
        """

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """The ids that a step's outputs stand for.

        Args:
            time (Variable): the step's number.
            outputs (Variable): the step's outputs.
            states: the step's states.
        Returns:
            Variable of ids [B].
        """

    def next_inputs(self, time: Any, outputs: Any, states: Any, sample_ids: Any) -> Any:
        """Which sequences have ended, the next inputs and states.

        Args:
            time (Variable): the step's number.
            outputs (Variable): the step's outputs.
            states: the step's states.
            sample_ids (Variable): what `sample` gave.
        Returns:
            A Variable of bool [B], the inputs and the states.
        """


class TrainingHelper(DecodeHelper):
    """Feeds the given inputs, step by step.

    Args:
        inputs: (nested) Variables [B, T, ...].
        sequence_length: how many steps of each count, [B].
        time_major: the inputs are [T, B, ...].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, length = fluid.data("x", [None, 5, 8]), fluid.data("length", [None], "int32")
        ...     outputs, time = fluid.data("outputs", [None, 8]), fluid.layers.fill_constant([1], "int32", 0)
        ...     helper = fluid.layers.TrainingHelper(x, length)
        ...     first, ended = helper.initialize()
        ...     ids = helper.sample(time, outputs, outputs)
        ...     ended, second, states = helper.next_inputs(time, outputs, outputs, ids)
        ...     first.shape, ids.shape, second.shape
        ((-1, 8), (-1,), (-1, 8))

    Follows Paddle 1.8.
    """

    def __init__(self, inputs: Any, sequence_length: Variable, time_major: bool = False) -> None:
        self.inputs = inputs
        self.sequence_length = sequence_length
        self.time_major = time_major
        # one step more, for what would come after the last
        before = [] if time_major else [0, 0]
        self.inputs_ = map_structure(
            lambda x: L.pad(x, paddings=[*before, 0, 1] + [0, 0] * (len(x.shape) - 1 - len(before) // 2)), inputs
        )

    def initialize(self) -> Any:
        """The first step of the inputs; sequences of no steps have ended."""
        zero = L.fill_constant(shape=[1], dtype=self.sequence_length.dtype, value=0)
        ended = L.equal(self.sequence_length, zero)
        return map_structure(lambda x: x[0] if self.time_major else x[:, 0], self.inputs), ended

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """The best id of each row."""
        return L.argmax(outputs, axis=-1)

    def next_inputs(self, time: Any, outputs: Any, states: Any, sample_ids: Any) -> Any:
        """The next step of the inputs."""
        if time.dtype != VarType.INT32:
            time = L.cast(time, "int32")
        if self.sequence_length.dtype != time.dtype:
            self.sequence_length = L.cast(self.sequence_length, time.dtype)
        later = time + 1
        ended = L.less_equal(self.sequence_length, later)
        axes = [0 if self.time_major else 1]

        def at(x: Any) -> Any:
            return L.squeeze(L.slice(x, axes=axes, starts=[later], ends=[later + 1]), axes=axes)

        return ended, map_structure(at, self.inputs_), states


class GreedyEmbeddingHelper(DecodeHelper):
    """Feeds the best id of each step back.

    Args:
        embedding_fn: makes a cell's inputs of ids.
        start_tokens: first ids [B].
        end_token: the id that ends a sequence.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     start, outputs = fluid.data("start", [None], "int64"), fluid.data("outputs", [None, 9])
        ...     embedding = lambda ids: fluid.embedding(ids, [9, 4], param_attr=fluid.ParamAttr("words"))
        ...     helper = fluid.layers.GreedyEmbeddingHelper(embedding, start, end_token=1)
        ...     first, ended = helper.initialize()
        ...     ids = helper.sample(None, outputs, outputs)
        ...     ended, second, states = helper.next_inputs(None, outputs, outputs, ids)
        ...     first.shape, ids.shape, second.shape
        ((-1, 4), (-1,), (-1, 4))

    Follows Paddle 1.8.
    """

    def __init__(self, embedding_fn: Any, start_tokens: Variable, end_token: int) -> None:
        self.embedding_fn = embedding_fn
        self.start_tokens = start_tokens
        self.end_token = L.fill_constant(shape=[1], dtype="int64", value=end_token)

    def initialize(self) -> Any:
        """The first ids' embeddings; nothing has ended."""
        ended = L.fill_constant_batch_size_like(
            input=self.start_tokens, shape=[-1], dtype="bool", value=False, force_cpu=True
        )
        return self.embedding_fn(self.start_tokens), ended

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """The best id of each row."""
        return L.argmax(outputs, axis=-1)

    def next_inputs(self, time: Any, outputs: Any, states: Any, sample_ids: Any) -> Any:
        """The sampled ids' embeddings."""
        return L.equal(sample_ids, self.end_token), self.embedding_fn(sample_ids), states


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Feeds an id back that is drawn from each step's outputs.

    Args:
        embedding_fn: makes a cell's inputs of ids.
        start_tokens: first ids [B].
        end_token: the id that ends a sequence.
        softmax_temperature: divides the outputs before the softmax; None: 1.
        seed: of the draws; None: the program's.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     start, outputs = fluid.data("start", [None], "int64"), fluid.data("outputs", [None, 9])
        ...     embedding = lambda ids: fluid.embedding(ids, [9, 4], param_attr=fluid.ParamAttr("words"))
        ...     helper = fluid.layers.SampleEmbeddingHelper(embedding, start, end_token=1, seed=3)
        ...     helper.sample(None, outputs, outputs).shape
        (-1,)

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        embedding_fn: Any,
        start_tokens: Variable,
        end_token: int,
        softmax_temperature: float | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(embedding_fn, start_tokens, end_token)
        self.softmax_temperature = None
        if softmax_temperature is not None:
            self.softmax_temperature = L.fill_constant(shape=[1], dtype="float32", value=softmax_temperature)
        self.seed = seed

    def sample(self, time: Any, outputs: Any, states: Any) -> Any:
        """An id for each row, drawn with the softmax's probabilities."""
        logits = outputs if self.softmax_temperature is None else outputs / self.softmax_temperature
        chances = L.softmax(logits)
        chances.stop_gradient = True
        return L.sampling_id(chances, seed=self.seed, dtype=self.start_tokens.dtype)


class BasicDecoder(Decoder):
    """A cell whose inputs a DecodeHelper chooses.

    Args:
        cell: an RNNCell.
        helper: a DecodeHelper.
        output_fn: is applied to the cell's outputs; None: nothing is.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x, length = fluid.data("x", [None, 5, 8]), fluid.data("length", [None], "int32")
        ...     state = fluid.data("state", [None, 4])
        ...     decoder = fluid.layers.BasicDecoder(fluid.layers.GRUCell(4), fluid.layers.TrainingHelper(x, length))
        ...     inputs, states, finished = decoder.initialize(state)
        ...     time = fluid.layers.fill_constant([1], "int64", 0)
        ...     outputs, states, inputs, finished = decoder.step(time, inputs, states)
        ...     outputs.cell_outputs.shape, outputs.sample_ids.shape
        ((-1, 4), (-1,))

    Follows Paddle 1.8.
    """

    OutputWrapper = namedtuple("OutputWrapper", ("cell_outputs", "sample_ids"))

    def __init__(self, cell: Any, helper: DecodeHelper, output_fn: Any = None) -> None:
        self.cell = cell
        self.helper = helper
        self.output_fn = output_fn

    def initialize(self, initial_cell_states: Any) -> Any:
        """First inputs, states and ends.

        Args:
            initial_cell_states: the cell's states, [B, ...].
        Returns:
            Inputs, states, and which sequences have ended.
        """
        inputs, ended = self.helper.initialize()
        return inputs, initial_cell_states, ended

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> Any:
        """One step: the cell's outputs and ids, next states, next inputs, ends.

        Args:
            time (Variable): the step's number.
            inputs, states: as `initialize` or the step before gave them.
            kwargs: go to the cell.
        Returns:
            An OutputWrapper, the next states, the next inputs, and which sequences have ended.
        """
        outputs, states = self.cell(inputs, states, **kwargs)
        if self.output_fn is not None:
            outputs = self.output_fn(outputs)
        ids = self.helper.sample(time=time, outputs=outputs, states=states)
        ids.stop_gradient = True
        ended, next_inputs, next_states = self.helper.next_inputs(
            time=time, outputs=outputs, states=states, sample_ids=ids
        )
        return self.OutputWrapper(outputs, ids), next_states, next_inputs, ended


__all__ = [
    "BasicDecoder", "BeamSearchDecoder", "DecodeHelper", "Decoder", "GreedyEmbeddingHelper", "SampleEmbeddingHelper",
    "TrainingHelper", "dynamic_decode",
]  # fmt: skip

"""Decoding: loops that feed back what they produced."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.program import default_main_program
from paddle_compat.nn import functional as F
from paddle_compat.nn._decoding import LOWEST, BeamSteps, Steps
from paddle_compat.static.nn._blocks import While, assign_to, call, outside
from paddle_compat.static.nn._structure import flatten, map_structure


class ArrayWrapper:
    """A list that `map_structure` takes for one value.

    Args:
        x: its first item.

    Example:
        >>> import paddle_compat as paddle
        >>> steps = paddle.nn.decode.ArrayWrapper(1)
        >>> steps.append(2).array, steps[0]
        ([1, 2], 1)

    Follows Paddle 2.6.
    """

    def __init__(self, x: Any) -> None:
        self.array = [x]

    def append(self, x: Any) -> ArrayWrapper:
        """Put an item behind the others.

        Args:
            x: the item.
        Returns:
            The list itself.
        """
        self.array.append(x)
        return self

    def __getitem__(self, item: Any) -> Any:
        return self.array[item]


class Decoder(Steps):
    """What `dynamic_decode` runs: a decoder defines `initialize`, `step`, and perhaps `finalize`.

    Example:
        >>> from paddle_compat.nn.decode import Decoder
        >>> Decoder().tracks_own_finished
        False

    Follows Paddle 2.6.
    """

    @property
    def tracks_own_finished(self) -> bool:
        """Whether the decoder itself remembers which sequences have ended, and how long they are."""
        return False


class BeamSearchDecoder(BeamSteps, Decoder):
    """Beam search over a cell's steps.

    Args:
        cell: a recurrent cell, `nn.LSTMCell` for instance.
        start_token (int): the id that sentences begin with.
        end_token (int): the id that ends them.
        beam_size (int): how many sentences are followed.
        embedding_fn (optional): makes a cell's inputs of ids; None: the ids themselves.
        output_fn (optional): makes scores of a cell's outputs; None: the outputs themselves.

    Example:
        >>> import paddle_compat as paddle
        >>> decoder = paddle.nn.BeamSearchDecoder(paddle.nn.GRUCell(4, 4), start_token=0, end_token=1, beam_size=2)
        >>> decoder.beam_size
        2

    Follows Paddle 2.6.
    """

    @staticmethod
    def tile_beam_merge_with_batch(x: Any, beam_size: int) -> Any:
        """Every row of [B, ...] `beam_size` times, [B * beam_size, ...].

        Args:
            x: a tensor.
            beam_size: how often.
        Returns:
            [B * beams, ...].

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.BeamSearchDecoder.tile_beam_merge_with_batch(paddle.to_tensor([[1.0], [2.0]]), 2).tolist()
            [[1.0], [1.0], [2.0], [2.0]]
        """
        x = T.unsqueeze(x, [1])
        rest = len(x.shape) - 2
        x = T.tile(x, [1, beam_size, *[1] * rest])
        x = T.transpose(x, [*range(2, rest + 2), 0, 1])
        x = T.reshape(x, [0] * rest + [-1])
        return T.transpose(x, [rest, *range(rest)])

    def _split_batch_beams(self, x: Any) -> Any:
        return T.reshape(x, [-1, self.beam_size, *x.shape[1:]])

    def _merge_batch_beams(self, x: Any) -> Any:
        return T.reshape(x, [-1, *x.shape[2:]])

    def _expand_to_beam_size(self, x: Any) -> Any:
        x = T.unsqueeze(x, [1])
        return T.tile(x, [1, self.beam_size, *[1] * (len(x.shape) - 2)])

    def _mask_probs(self, probs: Any, finished: Any) -> Any:
        """Sentences that have ended can only go on with the end token."""
        ended = T.cast(finished, dtype=probs.dtype)
        only_end = T.multiply(T.tile(T.unsqueeze(ended, [2]), [1, 1, self.vocab_size]), self.noend_mask_tensor)
        return only_end - T.multiply(probs, T.unsqueeze(ended - 1, [2]))

    def _gather(self, x: Any, indices: Any, batch_size: Any) -> Any:
        """For each sentence and beam, `x` at the beam (or word) in `indices`."""
        if batch_size.dtype != indices.dtype:
            batch_size = T.cast(batch_size, indices.dtype)
        batch_size.stop_gradient = True
        rows = T.tile(T.unsqueeze(T.arange(0, batch_size, 1, dtype=indices.dtype), [1]), [1, self.beam_size])
        places = T.stack([rows, indices], axis=2)
        places.stop_gradient = True
        return T.gather_nd(x, places)

    def initialize(self, initial_cell_states: Any) -> Any:
        """First inputs, states and ends; of each sentence's beams only the first is possible.

        Args:
            initial_cell_states: where the cell starts, without beams.
        Returns:
            Inputs [B, beams, ...], a StateWrapper, and which beams have ended: bool [B, beams].

        Example:
            >>> import paddle_compat as paddle
            >>> decoder = paddle.nn.BeamSearchDecoder(paddle.nn.GRUCell(4, 8), 0, 1, 2, paddle.nn.Embedding(5, 4))
            >>> inputs, states, finished = decoder.initialize(paddle.zeros([3, 8]))
            >>> inputs.shape, states.cell_states.shape, finished.shape
            ([3, 2, 4], [3, 2, 8], [3, 2])
        """
        self.kinf = LOWEST
        state = flatten(initial_cell_states)[0]
        self.batch_size = T.shape(state)[0]
        self.start_token_tensor = T.full(shape=[1], dtype="int64", fill_value=self.start_token)
        self.end_token_tensor = T.full(shape=[1], dtype="int64", fill_value=self.end_token)
        cell_states = map_structure(self._expand_to_beam_size, initial_cell_states)
        start = self.start_token if in_dygraph_mode() else self.start_token_tensor
        inputs = T.full(shape=[self.batch_size, self.beam_size], fill_value=start, dtype="int64")
        first = np.array([[0.0] + [-self.kinf] * (self.beam_size - 1)], dtype="float32")
        log_probs = T.tile(T.assign(first), [self.batch_size, 1])
        finished = T.full(shape=[T.shape(state)[0], self.beam_size], fill_value=False, dtype="bool")
        lengths = T.zeros_like(inputs)
        inputs = self.embedding_fn(inputs) if self.embedding_fn else inputs
        return inputs, self.StateWrapper(cell_states, log_probs, finished, lengths), finished

    def _beam_search_step(self, time: Any, logits: Any, next_cell_states: Any, beam_state: Any) -> Any:
        self.vocab_size = logits.shape[-1]
        self.vocab_size_tensor = T.full(shape=[1], dtype="int64", fill_value=self.vocab_size)
        no_end = [-self.kinf] * self.vocab_size
        no_end[self.end_token] = 0
        self.noend_mask_tensor = T.assign(np.array(no_end, "float32"))
        step_log_probs = self._mask_probs(T.log(F.softmax(logits)), beam_state.finished)
        log_probs = T.add(step_log_probs, T.unsqueeze(beam_state.log_probs, [2]))
        scores = T.reshape(log_probs, [-1, self.beam_size * self.vocab_size])
        top_scores, top_indices = T.topk(x=scores, k=self.beam_size)
        beams = T.floor_divide(top_indices, self.vocab_size_tensor)
        words = T.remainder(top_indices, self.vocab_size_tensor)
        flat = T.reshape(log_probs, [-1, self.beam_size * self.vocab_size])
        next_log_probs = self._gather(flat, top_indices, self.batch_size)
        next_cell_states = map_structure(lambda x: self._gather(x, beams, self.batch_size), next_cell_states)
        finished = self._gather(beam_state.finished, beams, self.batch_size)
        lengths = self._gather(beam_state.lengths, beams, self.batch_size)
        lengths = lengths + T.cast(T.logical_not(finished), beam_state.lengths.dtype)
        finished = T.logical_or(finished, T.equal(words, self.end_token_tensor))
        output = self.OutputWrapper(top_scores, words, beams)
        return output, self.StateWrapper(next_cell_states, next_log_probs, finished, lengths)

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> Any:
        """Whole sentences, [T, B, beams], and the last states.

        Args:
            outputs: every step's words and beams.
            final_states: the last states.
            sequence_lengths: of no effect.
        Returns:
            int64 [T, B, beams], and the states.

        Example:
            >>> import paddle_compat as paddle
            >>> decoder = paddle.nn.BeamSearchDecoder(paddle.nn.GRUCell(4, 8), 0, 1, 2)
            >>> ids, parents = paddle.to_tensor([[[3, 4]], [[5, 6]]]), paddle.to_tensor([[[0, 0]], [[1, 0]]])
            >>> words, _ = decoder.finalize(decoder.OutputWrapper(None, ids, parents), None, None)
            >>> words.tolist()  # the second step's first beam goes on from the first step's second
            [[[4, 3]], [[5, 6]]]
        """
        return F.gather_tree(outputs.predicted_ids, outputs.parent_ids), final_states

    @property
    def tracks_own_finished(self) -> bool:
        """True: beams change places, and their ends and lengths with them."""
        return True


def _kept_where(state: Any, new_state: Any, step_mask: Any) -> Any:
    """The former state where the mask is true, the new one where it is not."""
    dtype = state.dtype
    if str(dtype).endswith("bool"):
        state, new_state = T.cast(state, dtype="float32"), T.cast(new_state, dtype="float32")
    if step_mask.dtype != state.dtype:
        step_mask = T.cast(step_mask, dtype=state.dtype)
        step_mask.stop_gradient = True
    wide = T.unsqueeze(step_mask, list(range(1, len(state.shape)))) if len(state.shape) > 1 else step_mask
    kept = T.multiply(state, wide) - T.multiply(new_state, wide - 1)
    return T.cast(kept, dtype=dtype) if str(dtype).endswith("bool") else kept


def _transposed(x: Any) -> Any:
    return T.transpose(x, [1, 0, *range(2, len(x.shape))])


class _Progress:
    """What a decoder's run knows after each step: how far it is, who has ended, how long the sequences are."""

    def __init__(self, decoder: Any, finished: Any, impute_finished: bool, more: dict[str, Any]) -> None:
        self.decoder, self.impute, self.more = decoder, impute_finished, more
        self.finished = finished

    def step(self, time: Any, inputs: Any, states: Any, finished: Any, lengths: Any) -> Any:
        """One step: outputs, next states, next inputs, who has ended, lengths."""
        outputs, next_states, next_inputs, next_finished = self.decoder.step(time, inputs, states, **self.more)
        if self.decoder.tracks_own_finished:
            return outputs, next_states, next_inputs, next_finished, getattr(next_states, "lengths", lengths)
        next_finished = T.logical_or(next_finished, finished)
        next_lengths = T.add(lengths, T.cast(T.logical_not(finished), lengths.dtype))
        if self.impute:
            next_states = map_structure(lambda old, new: _kept_where(old, new, finished), states, next_states)
        return outputs, next_states, next_inputs, next_finished, next_lengths


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
        max_step_num (int, optional): the number of the last step, from 0 on; None: there is none.
        output_time_major (bool): the outputs are [T, B, ...].
        impute_finished (bool): sequences that have ended keep their states, unless the decoder sees to that.
        is_test (bool): inference only: states are not kept for gradients.
        return_length (bool): return the sequences' lengths, too.
        kwargs: go to the decoder's steps.
    Returns:
        Outputs [B, T, ...] and last states, as the decoder nests them; with `return_length` the lengths.

    Example:
        >>> import paddle_compat as paddle
        >>> words, scores, cell = paddle.nn.Embedding(9, 4), paddle.nn.Linear(4, 9), paddle.nn.GRUCell(4, 4)
        >>> decoder = paddle.nn.BeamSearchDecoder(cell, 0, 1, beam_size=2, embedding_fn=words, output_fn=scores)
        >>> ids, states = paddle.nn.dynamic_decode(decoder, inits=paddle.ones([3, 4]), max_step_num=4)
        >>> ids.shape[0], ids.shape[2]
        (3, 2)

    Follows Paddle 2.6.
    """
    first_inputs, first_states, finished = decoder.initialize(inits)
    run = _Progress(decoder, finished, impute_finished, kwargs)
    found = _eager(run, first_inputs, first_states, max_step_num) if in_dygraph_mode() else _recorded(
        run, first_inputs, first_states, max_step_num, is_test
    )
    final, final_states, lengths = found
    if type(decoder).finalize is not Decoder.finalize:
        final, final_states = decoder.finalize(final, final_states, lengths)
    if not output_time_major:
        final = map_structure(_transposed, final)
    return (final, final_states, lengths) if return_length else (final, final_states)


def _eager(run: _Progress, inputs: Any, states: Any, max_step_num: int | None) -> Any:
    """The steps, one after the other."""
    finished, lengths = run.finished, T.cast(T.zeros_like(run.finished), "int64")
    collected: list[Any] = []
    while not bool(T.all(finished)) and (max_step_num is None or len(collected) <= max_step_num):
        time = T.full([1], len(collected), "int64")
        outputs, states, inputs, finished, lengths = run.step(time, inputs, states, finished, lengths)
        collected.append(outputs)
    return map_structure(lambda *steps: T.stack(steps, axis=0), *collected), states, lengths


def _recorded(run: _Progress, first_inputs: Any, first_states: Any, max_step_num: int | None, is_test: bool) -> Any:
    """The steps as a loop of the Program."""
    finished = run.finished
    finished.stop_gradient = True
    step = T.full(shape=[1], dtype="int64", fill_value=0)
    going = T.logical_not(T.all(finished))
    limit = None if max_step_num is None else T.full(shape=[1], dtype="int64", fill_value=max_step_num)
    loop = While(going, is_test=is_test)
    lengths = T.cast(T.zeros_like(finished), "int64")
    lengths.stop_gradient = True
    inputs, states = first_inputs, first_states
    kept: list[Any] = []
    if not is_test:
        kept = [map_structure(lambda x: T.array_write(x, step), nest) for nest in (first_inputs, first_states)]
    with loop.block():
        if not is_test:
            inputs, states = (map_structure(lambda a: T.array_read(a, step), arrays) for arrays in kept)
        outputs, next_states, next_inputs, next_finished, next_lengths = run.step(step, inputs, states, finished, lengths)
        with outside(default_main_program()):
            collected = map_structure(lambda x: T.create_array(x.dtype), outputs)
        map_structure(lambda x, array: T.array_write(x, i=step, array=array), outputs, collected)
        T.increment(x=step, value=1.0)
        assign_to(next_finished, finished)
        assign_to(next_lengths, lengths)
        if is_test:
            map_structure(assign_to, next_inputs, first_inputs)
            map_structure(assign_to, next_states, first_states)
        else:
            for nest, arrays in zip((next_inputs, next_states), kept):
                map_structure(lambda x, array: T.array_write(x, i=step, array=array), nest, arrays)
        if limit is not None:
            T.logical_and(T.logical_not(T.all(finished)), T.less_equal(step, limit), going)
        else:
            T.logical_not(T.all(finished), going)
    final = map_structure(lambda a: call("tensor_array_to_tensor", a, axis=0, use_stack=True)[0], collected)
    return final, first_states if is_test else map_structure(lambda a: T.array_read(a, step), kept[1]), lengths


__getattr__ = missing(__name__)
__all__ = ["BeamSearchDecoder", "dynamic_decode"]

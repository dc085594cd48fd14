"""What decoders of both ages of Paddle share: 1.8's record other operators, but take the same steps."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.static.nn._structure import map_structure

LOWEST = 1e9  # the log probability of what cannot be is minus this


class Steps:
    """What every decoder defines."""

    def initialize(self, inits: Any) -> Any:
        """First inputs, first states, and which sequences have ended before they begin.

        Args:
            inits: states to start from.
        Returns:
            First inputs, first states, and which sequences have ended before they begin.
        Raises:
            UnsupportedError: the subclass does not define it.

        Example:
            >>> from paddle_compat.nn.decode import Decoder
            >>> Decoder().initialize(None)  # doctest: +ELLIPSIS
            Traceback (most recent call last):
            ...
            paddle_compat.core.errors.UnsupportedError: `Decoder.initialize` is not supported ...
        """
        raise UnsupportedError(f"{type(self).__name__}.initialize", None, "a decoder that defines it")

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> Any:
        """One step: outputs, next states, next inputs, and which sequences have ended.

        Args:
            time: the step's number.
            inputs, states: as `initialize` or the step before gave them.
            kwargs: go to what the decoder calls.
        Returns:
            Outputs, next states, next inputs, and which sequences have ended.
        Raises:
            UnsupportedError: the subclass does not define it.

        Example:
            >>> from paddle_compat.nn.decode import Decoder
            >>> Decoder().step(0, None, None)  # doctest: +ELLIPSIS
            Traceback (most recent call last):
            ...
            paddle_compat.core.errors.UnsupportedError: `Decoder.step` is not supported ...
        """
        raise UnsupportedError(f"{type(self).__name__}.step", None, "a decoder that defines it")

    def finalize(self, outputs: Any, final_states: Any, sequence_lengths: Any) -> Any:
        """What becomes of all steps' outputs and the last states.

        Args:
            outputs: those of all steps, nested as one step's.
            final_states: the last states.
            sequence_lengths: the sequences' lengths.
        Returns:
            The outputs and the states to hand out.
        Raises:
            UnsupportedError: the subclass does not define it.

        Example:
            >>> from paddle_compat.nn.decode import Decoder
            >>> Decoder().finalize(None, None, None)  # doctest: +ELLIPSIS
            Traceback (most recent call last):
            ...
            paddle_compat.core.errors.UnsupportedError: `Decoder.finalize` is not supported ...
        """
        raise UnsupportedError(f"{type(self).__name__}.finalize", None, "a decoder that defines it")


class BeamSteps:
    """A beam search's step; how beams split, merge and are chosen is for the decoder to say."""

    OutputWrapper = namedtuple("OutputWrapper", ("scores", "predicted_ids", "parent_ids"))
    StateWrapper = namedtuple("StateWrapper", ("cell_states", "log_probs", "finished", "lengths"))
    _merge_batch_beams: Any
    _split_batch_beams: Any
    _beam_search_step: Any

    def __init__(
        self, cell: Any, start_token: int, end_token: int, beam_size: int, embedding_fn: Any = None, output_fn: Any = None
    ) -> None:
        self.cell = cell
        self.embedding_fn = embedding_fn
        self.output_fn = output_fn
        self.start_token = start_token
        self.end_token = end_token
        self.beam_size = beam_size

    def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> Any:
        """One step: chosen words with their scores and beams, next states, next inputs, ends.

        Args:
            time: the step's number.
            inputs: the cell's inputs, with beams.
            states: a StateWrapper.
            kwargs: go to the cell.
        Returns:
            An OutputWrapper, a StateWrapper, the next inputs, and which beams have ended.
        """
        inputs = map_structure(self._merge_batch_beams, inputs)
        cell_states = map_structure(self._merge_batch_beams, states.cell_states)
        outputs, next_states = self.cell(inputs, cell_states, **kwargs)
        outputs = map_structure(self._split_batch_beams, outputs)
        next_states = map_structure(self._split_batch_beams, next_states)
        if self.output_fn is not None:
            outputs = self.output_fn(outputs)
        output, state = self._beam_search_step(time=time, logits=outputs, next_cell_states=next_states, beam_state=states)
        words = output.predicted_ids
        words.stop_gradient = True
        return output, state, self.embedding_fn(words) if self.embedding_fn else words, state.finished

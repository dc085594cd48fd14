"""Beam search and other decoding with `paddle.nn` in static mode."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from nn_cases import normal

Case = Callable[[Any], Any]
START = normal(3, 4)


def flat(out: Any) -> Any:
    """The tensors of a nested result."""
    if isinstance(out, (list, tuple)):
        return [v for part in out for v in flat(part)]
    return [out]


def beams(make_cell: Any, words: int = 9, embed: bool = True, **options: Any) -> Case:
    """A beam search from a state that is fed."""

    def case(paddle: Any) -> Any:
        nn = paddle.nn
        cell = make_cell(nn)
        attr = nn.initializer.Normal(0.0, 1.0)
        embedding, scores = nn.Embedding(words, 4, weight_attr=attr), nn.Linear(4, words, weight_attr=attr)
        read = embedding if embed else lambda ids: embedding(ids) * 2.0
        decoder = nn.BeamSearchDecoder(cell, 0, 1, 2, embedding_fn=read, output_fn=scores)
        start = paddle.static.data("start", [None, 4])
        inits = (start, start * 0.5) if isinstance(cell, nn.LSTMCell) else start
        return {"start": START}, flat(nn.dynamic_decode(decoder, inits=inits, **options))

    return case


def own(**options: Any) -> Case:
    """A decoder of a script's own, with states of several kinds; each sequence ends at a step of its own."""

    def case(paddle: Any) -> Any:
        cell = paddle.nn.SimpleRNNCell(4, 4)

        class Counting(paddle.nn.decode.Decoder):
            def initialize(self, inits: Any) -> Any:
                rows = paddle.shape(inits)[0]
                ended = paddle.zeros([rows], "bool") if options.pop("ended", True) else None
                return inits, (inits, inits > 0.0), ended

            def step(self, time: Any, inputs: Any, states: Any, **kwargs: Any) -> Any:
                out, state = cell(inputs, states[0])
                ended = paddle.sum(out, axis=1) + paddle.cast(time, "float32") > 2.5
                return {"out": out, "time": out + paddle.cast(time, "float32")}, (state, state > 0.1), out, ended

        start = paddle.static.data("start", [3, 4])
        outputs, states, lengths = paddle.nn.dynamic_decode(Counting(), inits=start, return_length=True, **options)
        return {"start": START}, [outputs["out"], outputs["time"], *states, lengths]

    return case


def tiled(paddle: Any) -> Any:
    """What an attention's memory becomes."""
    x = paddle.static.data("x", [None, 2, 3])
    return {"x": np.arange(12, dtype="float32").reshape(2, 2, 3)}, [paddle.nn.BeamSearchDecoder.tile_beam_merge_with_batch(x, 2)]


CASES: dict[str, Case] = {
    "gru": beams(lambda nn: nn.GRUCell(4, 4), max_step_num=4),
    "gru_time_major": beams(lambda nn: nn.GRUCell(4, 4), max_step_num=5, output_time_major=True, impute_finished=True),
    "gru_is_test": beams(lambda nn: nn.GRUCell(4, 4), max_step_num=5, is_test=True, return_length=True),
    "lstm": beams(lambda nn: nn.LSTMCell(4, 4), 5, max_step_num=6, return_length=True),
    "simple": beams(lambda nn: nn.SimpleRNNCell(4, 4), 3, embed=False, return_length=True, max_step_num=20),
    "own": own(),
    "own_imputed": own(impute_finished=True, max_step_num=3),
    "own_is_test": own(impute_finished=True, is_test=True, output_time_major=True),
    "tiled": tiled,
}

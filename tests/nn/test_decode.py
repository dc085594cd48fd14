"""The decoders of `paddle.nn` against the wheel: Programs, and what they compute."""

from __future__ import annotations

import numpy as np
import program_replay

import paddle_compat as paddle


@program_replay.cases("decode")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("decode", name, rtol=1e-4, atol=2e-5)


def searched(static: bool) -> list[np.ndarray]:
    """What a beam search finds, either way; the same seed gives the same weights."""
    paddle.seed(7)
    start = np.random.RandomState(3).randn(3, 4).astype("float32")
    attr = paddle.nn.initializer.Normal(0.0, 1.0)
    cell, words, scores = paddle.nn.LSTMCell(4, 4), paddle.nn.Embedding(5, 4, weight_attr=attr), paddle.nn.Linear(4, 5, weight_attr=attr)
    decoder = paddle.nn.BeamSearchDecoder(cell, 0, 1, 2, embedding_fn=words, output_fn=scores)
    given = paddle.static.data("start", [None, 4]) if static else paddle.to_tensor(start)
    ids, states, lengths = paddle.nn.dynamic_decode(decoder, (given, given), max_step_num=6, return_length=True)
    found = [ids, states.log_probs, lengths]
    if not static:
        return [v.numpy() for v in found]
    executor = paddle.static.Executor()
    executor.run(paddle.static.default_startup_program())
    return executor.run(feed={"start": start}, fetch_list=found)


def test_eager_search_finds_what_a_program_finds() -> None:
    eager = searched(False)
    paddle.enable_static()
    for ours, recorded in zip(eager, searched(True)):
        np.testing.assert_allclose(ours, recorded, rtol=1e-5)

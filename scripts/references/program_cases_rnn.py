"""Recurrent layers of `paddle.nn` in static mode."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from nn_cases import normal

Case = Callable[[Any], Any]
X, LENGTHS = normal(3, 5, 4), np.array([5, 2, 3])


def flat(out: Any) -> Any:
    """The tensors of a nested result."""
    if isinstance(out, (list, tuple)):
        return [v for part in out for v in flat(part)]
    return [out]


def of(build: Any, array: Any = X, lengths: bool = False, batch: Any = None, **more: Any) -> Case:
    """A recurrent layer on fed sequences; outputs and states are fetched."""

    def case(paddle: Any) -> Any:
        x = paddle.static.data("x", [batch, *array.shape[1:]], str(array.dtype))
        feed, inputs = {"x": array}, {}
        if lengths:
            feed["lengths"] = LENGTHS
            inputs["sequence_length"] = paddle.static.data("lengths", [batch], "int64")
        return feed, flat(build(paddle.nn)(x, **inputs))

    return case


def with_states(paddle: Any) -> Any:
    """Initial states that are fed."""
    x, h, c = (paddle.static.data(n, s) for n, s in (("x", [3, 5, 4]), ("h", [1, 3, 6]), ("c", [1, 3, 6])))
    out = flat(paddle.nn.LSTM(4, 6)(x, (h, c)))
    return {"x": X, "h": normal(1, 3, 6), "c": normal(1, 3, 6, seed=1)}, out


CASES: dict[str, Case] = {
    "lstm": of(lambda nn: nn.LSTM(4, 6)),
    "lstm_two_way": of(lambda nn: nn.LSTM(4, 6, num_layers=2, direction="bidirect")),
    "lstm_lengths": of(lambda nn: nn.LSTM(4, 6, num_layers=2), lengths=True),
    "lstm_time_major": of(lambda nn: nn.LSTM(4, 6, time_major=True), normal(5, 3, 4), batch=5),
    "lstm_states": with_states,
    "gru": of(lambda nn: nn.GRU(4, 6)),
    "gru_two_way": of(lambda nn: nn.GRU(4, 6, direction="bidirectional"), lengths=True),
    "simple_rnn": of(lambda nn: nn.SimpleRNN(4, 6)),
    "simple_rnn_relu": of(lambda nn: nn.SimpleRNN(4, 6, num_layers=2, activation="relu")),
    "lstm_cell": of(lambda nn: nn.LSTMCell(4, 6), normal(3, 4)),
    "gru_cell": of(lambda nn: nn.GRUCell(4, 6), normal(3, 4)),
    "simple_cell": of(lambda nn: nn.SimpleRNNCell(4, 6, activation="relu"), normal(3, 4)),
    "rnn_of_cells": of(lambda nn: nn.RNN(nn.GRUCell(4, 6)), batch=3),
    "rnn_of_cells_lengths": of(lambda nn: nn.RNN(nn.LSTMCell(4, 6), is_reverse=True), lengths=True, batch=3),
    "birnn": of(lambda nn: nn.BiRNN(nn.SimpleRNNCell(4, 6), nn.SimpleRNNCell(4, 6)), batch=3),
}

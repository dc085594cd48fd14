"""Networks and functions with control flow, arrays and writes in place, which Paddle 3.3 saves as models."""

from __future__ import annotations

from typing import Any

import numpy as np

_draw = np.random.RandomState(9)


def _floats(*shape: int) -> np.ndarray:
    return _draw.randn(*shape).astype("float32")


def _numbers(*shape: int) -> np.ndarray:
    return _draw.randint(0, 20, shape).astype("int64")


def transformer(paddle: Any) -> Any:
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.embedding, self.body = paddle.nn.Embedding(20, 8), paddle.nn.Transformer(8, 2, 1, 1, 16)
            self.out = paddle.nn.Linear(8, 20)

        def forward(self, x):
            x = self.embedding(x)
            mask = paddle.tensor.triu(paddle.full([x.shape[1], x.shape[1]], -1e9), 1)
            return self.out(self.body(x, x, tgt_mask=mask))

    return Net()


def recurrent(paddle: Any) -> Any:
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.embedding = paddle.nn.Embedding(20, 6)
            self.lstm, self.gru = paddle.nn.LSTM(6, 4, 2, direction="bidirect"), paddle.nn.GRU(8, 4)

        def forward(self, x):
            x, (h, c) = self.lstm(self.embedding(x))
            x, _ = self.gru(x)
            return x[:, -1], h

    return Net()


def convolutions(paddle: Any) -> Any:
    nn = paddle.nn
    return nn.Sequential(
        nn.Conv2D(3, 4, 3, padding=1), nn.BatchNorm2D(4), nn.ReLU(), nn.MaxPool2D(2), nn.Conv2D(4, 4, 3, groups=4), nn.Hardswish(),
        nn.Dropout(0.3), nn.AdaptiveAvgPool2D(1), nn.Flatten(), nn.Linear(4, 3),
    )  # fmt: skip


def shuffled(paddle: Any) -> Any:
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.conv, self.norm = paddle.nn.Conv2D(4, 4, 1, groups=4), paddle.nn.LayerNorm(4)

        def forward(self, x):
            number, channels, height, width = x.shape
            x = paddle.transpose(paddle.reshape(x, [number, 2, channels // 2, height, width]), [0, 2, 1, 3, 4])
            x = self.conv(paddle.reshape(x, [number, channels, height, width]))
            return self.norm(paddle.transpose(paddle.reshape(x, [number, channels, -1]), [0, 2, 1]))

    return Net()


def trained(paddle: Any) -> Any:
    nn = paddle.nn
    return nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1D(6), nn.GELU(), nn.Linear(6, 5), nn.LayerNorm(5), nn.Linear(5, 2))


def branches(paddle: Any) -> Any:
    def call(x, y):
        if x.sum() > y.sum():
            x = x * 2
            if x.max() > 1.5:
                y = y - x
        else:
            y = paddle.concat([y, x])[: x.shape[0]]
        return x, y

    return call


def loops(paddle: Any) -> Any:
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.out = paddle.nn.Linear(4, 4)

        def forward(self, x):
            found = []
            for i in range(x.shape[0]):
                row = x[i : i + 1]
                while row.abs().sum() < 20:
                    row = row * 2
                    if row.max() > 15:
                        break
                else:
                    row = row + 1
                found.append(self.out(row) if row.mean() > 0 else row - 1)
            return paddle.concat(found)

    return Net()


def lists(paddle: Any) -> Any:
    def call(x):
        found = []
        for i in range(x.shape[0]):
            found.append(x[i] * i)
        return found[0] + found[-1] * 2 - found[1], paddle.stack(found)

    return call


def greedy(paddle: Any) -> Any:
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.embedding, self.cell = paddle.nn.Embedding(20, 6), paddle.nn.GRUCell(6, 6)
            self.out = paddle.nn.Linear(6, 20)

        def forward(self, token):
            state, step = paddle.zeros([token.shape[0], 6]), paddle.full([1], 0, "int64")
            found = paddle.zeros([token.shape[0], 0], "int64")
            while step < 5:
                hidden, state = self.cell(self.embedding(token), state)
                token = self.out(hidden).argmax(-1)
                found = paddle.concat([found, token.unsqueeze(1)], 1)
                step += 1
            return found

    return Net()


def writes(paddle: Any) -> Any:
    def call(x, index):
        y = x * 1
        y[0] = 5.0
        y[:, 1] = index.astype("float32")[0]
        y[index] = y[index] + 1
        y[y > 2] = -1.0
        i = paddle.zeros([1], "int32")
        paddle.increment(i, 3)
        return y, y[::-1], y[:, ::-2], i

    return call


def numbers(paddle: Any) -> Any:
    def call(x):
        return x.astype("int64") + 2**40, paddle.where(x > 0, x, paddle.to_tensor(2.0)), paddle.abs(paddle.complex(x, x) * 2), x < 0.1

    return call


def halves(paddle: Any) -> Any:
    def call(x):
        low = x.astype("float16")
        return (low * 2).astype("float32"), paddle.matmul(x.astype("bfloat16"), x.astype("bfloat16")).astype("float32")

    return call


def structures(paddle: Any) -> Any:
    def call(x):
        parts = paddle.split(x, 2, 1)
        values, places = paddle.topk(x, 2)
        return {"parts": [paddle.concat([*parts, values]), places], "shape": paddle.shape(x), "size": paddle.numel(x)}

    return call


NETWORKS = {
    "transformer": (transformer, {"x": _numbers(2, 5)}),
    "recurrent": (recurrent, {"x": _numbers(2, 5)}),
    "convolutions": (convolutions, {"x": _floats(2, 3, 8, 8)}),
    "trained": (trained, {"x": _floats(8, 4)}),
    "branches": (branches, {"x": _floats(3, 2), "y": _floats(3, 2)}),
    "branches_otherwise": (branches, {"x": -abs(_floats(3, 2)), "y": abs(_floats(3, 2))}),
    "branches_within": (branches, {"x": abs(_floats(3, 2)) + 1, "y": _floats(3, 2)}),
    "loops": (loops, {"x": _floats(4, 4)}),
    "lists": (lists, {"x": _floats(4, 3)}),
    "greedy": (greedy, {"x": _numbers(3)}),
    "writes": (writes, {"x": _floats(4, 3), "index": np.array([1, 2])}),
    "numbers": (numbers, {"x": _floats(2, 3)}),
    "halves": (halves, {"x": _floats(3, 3)}),
    "structures": (structures, {"x": _floats(3, 4)}),
    "shuffled": (shuffled, {"x": _floats(2, 4, 3, 3)}),
}

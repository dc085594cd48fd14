"""Control flow in `paddle.static`: while_loop, cond, case, switch_case, tensor arrays."""

from __future__ import annotations

from typing import Any

import datasets
import paddle
import paddle.nn.functional as F
from paddle import static
from static_training import StaticModel

FEATURES = 8


def inputs() -> Any:
    """Points and their classes."""
    x = static.data(name="x", shape=[None, FEATURES], dtype="float32")
    y = static.data(name="y", shape=[None, 1], dtype="int64")
    return x, y


def trained(hidden: Any, label: Any) -> Any:
    """A classifier on top of `hidden`, trained by SGD."""
    loss = F.cross_entropy(static.nn.fc(hidden, size=datasets.CLASSES), label)
    paddle.optimizer.SGD(learning_rate=0.1).minimize(loss)
    return loss


def while_and_cond() -> list[Any]:
    """A layer applied several times by while_loop, then one of two branches by cond; gradients pass through both."""
    x, y = inputs()
    hidden = static.nn.fc(x, size=FEATURES, activation="tanh")
    i = paddle.full(shape=[1], fill_value=0, dtype="int64")
    times = paddle.full(shape=[1], fill_value=3, dtype="int64")

    def go_on(i: Any, hidden: Any) -> Any:
        return paddle.less_than(i, times)

    def body(i: Any, hidden: Any) -> Any:
        attributes = {"weight_attr": paddle.ParamAttr("loop_w"), "bias_attr": paddle.ParamAttr("loop_b")}
        hidden = static.nn.fc(hidden, size=FEATURES, activation="tanh", **attributes)
        return [i + 1, hidden]

    i, hidden = static.nn.while_loop(go_on, body, [i, hidden])
    level = paddle.mean(hidden)
    out = static.nn.cond(level < 0.0, lambda: hidden * 2.0, lambda: paddle.tanh(hidden))
    return [trained(out, y), level, i]


def counting() -> list[Any]:
    """A loop without gradients that counts until a sum is large enough."""
    x, _ = inputs()
    total = paddle.sum(paddle.abs(x))
    i = paddle.zeros([1], dtype="int64")
    reached = paddle.ones([1])
    i, reached = static.nn.while_loop(
        cond=lambda i, reached: reached < total,
        body=lambda i, reached: (paddle.increment(i), reached * 2),
        loop_vars=(i, reached),
    )
    return [reached, i]


def arrays() -> list[Any]:
    """States written into a tensor array in a loop and read back."""
    x, y = inputs()
    i = paddle.zeros(shape=[1], dtype="int64")
    times = paddle.full(shape=[1], dtype="int64", fill_value=4)
    states = paddle.tensor.array_write(static.nn.fc(x, size=FEATURES), i)

    def body(i: Any, states: Any) -> Any:
        state = paddle.tensor.array_read(states, i=i)
        i = paddle.increment(i)
        states = paddle.tensor.array_write(paddle.tanh(state * 0.9 + 0.1), i=i, array=states)
        return i, states

    i, states = static.nn.while_loop(lambda i, states: i < times, body, [i, states])
    last = paddle.tensor.array_read(states, i=i)
    return [trained(last, y), paddle.tensor.array_length(states)]


def nested_cond() -> list[Any]:
    """cond inside cond, with several results."""
    x, y = inputs()
    hidden = static.nn.fc(x, size=FEATURES)
    level = paddle.mean(x)

    def low() -> Any:
        return static.nn.fc(hidden, size=FEATURES, weight_attr=paddle.ParamAttr("low_w")), level

    def high() -> Any:
        inner = static.nn.cond(level < 0.1, lambda: F.relu(hidden), lambda: F.sigmoid(hidden))
        return inner, level * 2.0

    out, value = static.nn.cond(level < 0.0, low, high)
    return [trained(out, y), value]


def case_and_switch() -> list[Any]:
    """case over predicates, then switch_case over a number taken from the data."""
    x, y = inputs()
    hidden = static.nn.fc(x, size=FEATURES)
    level = paddle.mean(x)
    out = static.nn.case(
        pred_fn_pairs=[(level < -0.05, lambda: paddle.tanh(hidden)), (level > 0.05, lambda: F.sigmoid(hidden))],
        default=lambda: F.relu(hidden),
    )
    turn = paddle.cast(paddle.sum(y) % 3, "int32")
    out = static.nn.switch_case(
        branch_index=turn,
        branch_fns={0: lambda: out * 1.5, 1: lambda: F.softsign(out)},
        default=lambda: out + 0.5,
    )
    return [trained(out, y), turn]


def loop_in_cond() -> list[Any]:
    """A while_loop in a branch, whose gradient is needed."""
    x, y = inputs()
    hidden = static.nn.fc(x, size=FEATURES)

    def looped() -> Any:
        i = paddle.zeros([1], dtype="int64")
        _, out = static.nn.while_loop(lambda i, h: i < 2, lambda i, h: [i + 1, paddle.tanh(h) + h], [i, hidden])
        return out

    out = static.nn.cond(paddle.mean(x) > 0, looped, lambda: paddle.scale(hidden, 0.5))
    return [trained(out, y)]


MODELS = {
    "while_and_cond": StaticModel(while_and_cond, datasets.points),
    "while_counting": StaticModel(counting, datasets.points, steps=5),
    "while_arrays": StaticModel(arrays, datasets.points),
    "nested_cond": StaticModel(nested_cond, datasets.points),
    "case_and_switch": StaticModel(case_and_switch, datasets.points),
    "loop_in_cond": StaticModel(loop_in_cond, datasets.points),
}

"""Control flow in `paddle.fluid`: While, while_loop, cond, case, switch_case, IfElse, Switch, tensor arrays."""

from __future__ import annotations

from typing import Any

import datasets
import paddle.fluid as fluid
from fluid_training import FluidModel

layers = fluid.layers
FEATURES = 8


def inputs() -> Any:
    """Points and their classes."""
    x = fluid.data(name="x", shape=[None, FEATURES], dtype="float32")
    y = fluid.data(name="y", shape=[None, 1], dtype="int64")
    return x, y


def trained(hidden: Any, label: Any, rate: float = 0.1) -> Any:
    """A classifier on top of `hidden`, trained by SGD."""
    loss = layers.mean(layers.softmax_with_cross_entropy(layers.fc(hidden, size=datasets.CLASSES), label))
    fluid.optimizer.SGD(learning_rate=rate).minimize(loss)
    return loss


def while_and_cond() -> list[Any]:
    """A layer applied several times by while_loop, then one of two branches by cond; gradients pass through both."""
    x, y = inputs()
    hidden = layers.fc(x, size=FEATURES, act="tanh")
    i = layers.fill_constant(shape=[1], dtype="int64", value=0)
    times = layers.fill_constant(shape=[1], dtype="int64", value=3)
    i.stop_gradient = True

    def go_on(i: Any, hidden: Any) -> Any:
        return layers.less_than(i, times)

    def body(i: Any, hidden: Any) -> Any:
        hidden = layers.fc(hidden, size=FEATURES, act="tanh", param_attr="loop_w", bias_attr="loop_b")
        return [layers.increment(i), hidden]

    i, hidden = layers.while_loop(go_on, body, [i, hidden])
    level = layers.reduce_mean(hidden)
    zero = layers.fill_constant(shape=[1], dtype="float32", value=0.0)
    out = layers.cond(
        layers.less_than(level, zero), lambda: layers.scale(hidden, scale=2.0), lambda: layers.tanh(hidden)
    )
    return [trained(out, y), level, i]


def while_block() -> list[Any]:
    """A While block that writes each state into a tensor array and reads the last one back."""
    x, y = inputs()
    i = layers.zeros(shape=[1], dtype="int64")
    times = layers.fill_constant(shape=[1], dtype="int64", value=4)
    i.stop_gradient = times.stop_gradient = True
    states = layers.array_write(layers.fc(x, size=FEATURES), i)
    condition = layers.less_than(x=i, y=times)
    loop = layers.While(cond=condition)
    with loop.block():
        state = layers.array_read(array=states, i=i)
        state = layers.tanh(layers.scale(state, scale=0.9, bias=0.1))
        layers.increment(x=i, value=1, in_place=True)
        layers.array_write(state, i=i, array=states)
        layers.less_than(x=i, y=times, cond=condition)
    last = layers.array_read(array=states, i=i)
    return [trained(last, y), layers.array_length(states)]


def counting() -> list[Any]:
    """A loop without gradients that counts until a sum is large enough."""
    x, _ = inputs()
    total = layers.reduce_sum(layers.abs(x))
    i = layers.fill_constant(shape=[1], dtype="int64", value=0)
    reached = layers.fill_constant(shape=[1], dtype="float32", value=1.0)
    out = layers.while_loop(
        cond=lambda i, reached: layers.less_than(reached, total),
        body=lambda i, reached: [layers.increment(i, in_place=False), layers.scale(reached, scale=2.0)],
        loop_vars=[i, reached],
    )
    return [out[1], out[0]]


def nested_cond() -> list[Any]:
    """cond inside cond, with several results."""
    x, y = inputs()
    hidden = layers.fc(x, size=FEATURES)
    level = layers.reduce_mean(x)
    zero = layers.fill_constant(shape=[1], dtype="float32", value=0.0)
    tenth = layers.fill_constant(shape=[1], dtype="float32", value=0.1)

    def low() -> Any:
        return layers.fc(hidden, size=FEATURES, param_attr="low_w"), level

    def high() -> Any:
        inner = layers.cond(layers.less_than(level, tenth), lambda: layers.relu(hidden), lambda: layers.sigmoid(hidden))
        return inner, level * 2.0

    out, value = layers.cond(layers.less_than(level, zero), low, high)
    return [trained(out, y), value]


def case_and_switch() -> list[Any]:
    """case over predicates, then switch_case over the number of the step."""
    x, y = inputs()
    hidden = layers.fc(x, size=FEATURES)
    level = layers.reduce_mean(x)
    low = layers.fill_constant(shape=[1], dtype="float32", value=-0.05)
    high = layers.fill_constant(shape=[1], dtype="float32", value=0.05)
    out = layers.case(
        pred_fn_pairs=[
            (layers.less_than(level, low), lambda: layers.tanh(hidden)),
            (layers.less_than(high, level), lambda: layers.sigmoid(hidden)),
        ],
        default=lambda: layers.relu(hidden),
    )
    counter = layers.autoincreased_step_counter(counter_name="@TURN@", begin=0)
    turn = layers.cast(layers.elementwise_mod(counter, layers.fill_constant([1], "int64", 3)), "int32")
    out = layers.switch_case(
        branch_index=turn,
        branch_fns={0: lambda: layers.scale(out, 1.5), 1: lambda: layers.softsign(out)},
        default=lambda: layers.scale(out, bias=0.5),
    )
    return [trained(out, y), turn]


def switch() -> list[Any]:
    """A learning rate that a Switch chooses by the step."""
    x, y = inputs()
    counter = layers.autoincreased_step_counter()
    rate = layers.create_global_var(shape=[1], value=0.0, dtype="float32", persistable=True, name="rate")
    five = layers.fill_constant(shape=[1], dtype="int64", value=5)
    with layers.Switch() as choice:
        with choice.case(layers.less_than(counter, five)):
            layers.assign(layers.fill_constant(shape=[1], dtype="float32", value=0.2), rate)
        with choice.default():
            layers.assign(layers.fill_constant(shape=[1], dtype="float32", value=0.05), rate)
    loss = layers.mean(layers.softmax_with_cross_entropy(layers.fc(x, size=datasets.CLASSES), y))
    fluid.optimizer.SGD(learning_rate=rate).minimize(loss)
    return [loss, rate]


def if_else() -> list[Any]:
    """IfElse sends the rows of a batch through different layers."""
    x, y = inputs()
    limit = layers.fill_constant_batch_size_like(input=y, dtype="int64", shape=[-1, 1], value=2)
    chooser = layers.IfElse(layers.less_than(x=y, y=limit))
    with chooser.true_block():
        rows = chooser.input(x)
        chooser.output(layers.fc(rows, size=datasets.CLASSES, act="softmax"))
    with chooser.false_block():
        rows = chooser.input(x)
        chooser.output(layers.fc(rows, size=datasets.CLASSES, act="softmax"))
    prediction = chooser()[0]
    loss = layers.mean(layers.cross_entropy(input=prediction, label=y))
    fluid.optimizer.SGD(learning_rate=0.2).minimize(loss)
    return [loss]


MODELS = {
    "while_and_cond": FluidModel(while_and_cond, datasets.points),
    "while_block": FluidModel(while_block, datasets.points),
    "while_counting": FluidModel(counting, datasets.points, steps=5),
    "nested_cond": FluidModel(nested_cond, datasets.points),
    "case_and_switch": FluidModel(case_and_switch, datasets.points),
    "switch_rate": FluidModel(switch, datasets.points),
    "if_else": FluidModel(if_else, datasets.points),
}

"""Forward and backward of single operators as scripts for Paddle 1.8: `paddle.fluid`, through Executor.run.

    python -m paddle_compat benchmarks/workloads/fluid_sequences.py lstm gru

Paddle 1.8's own wheel runs it too, on Python 3.7. One line of JSON for each operator: the least and the median milliseconds of
process CPU, and the loss.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import paddle
import paddle.fluid as fluid
from paddle.fluid import layers

SEQUENCES, SHORTEST, LONGEST, WIDTH, TAGS = 64, 20, 100, 128, 32


def rows(name: str, width: int, level: int = 1) -> Any:
    """A feed of `width` columns whose gradient is taken."""
    x = fluid.data(name, [None, width], "float32", lod_level=level)
    x.stop_gradient = False
    return x


def lstm(size: int, **options: Any) -> Callable[[], Any]:
    """An LSTM with peepholes unless the options say otherwise."""
    return lambda: layers.dynamic_lstm(rows(f"x{4 * size}", 4 * size), 4 * size, **options)[0]


def gru(size: int, **options: Any) -> Callable[[], Any]:
    """A GRU."""
    return lambda: layers.dynamic_gru(rows(f"x{3 * size}", 3 * size), size, **options)


def lstmp() -> Any:
    """An LSTM that recurs through a projection."""
    return layers.dynamic_lstmp(rows("x512", 512), 512, 64)[0]


def pool(kind: str) -> Callable[[], Any]:
    """One kind of pooling."""
    return lambda: layers.sequence_pool(rows("x128", WIDTH), kind)


def padded() -> Any:
    """Padding, and back."""
    out, length = layers.sequence_pad(rows("x128", WIDTH), layers.fill_constant([1], "float32", 0.0))
    return layers.sequence_unpad(out, length)


def gru_unit() -> Any:
    """Ten steps of a GRU cell."""
    x, h = rows("d384", 384, 0), rows("d128", 128, 0)
    for _ in range(10):
        h, _, _ = layers.gru_unit(x, h, 384, param_attr="gru_w", bias_attr="gru_b")
    return h


def lstm_unit() -> Any:
    """Ten steps of an LSTM cell."""
    x, h, c = rows("d128", 128, 0), rows("e128", 128, 0), rows("f128", 128, 0)
    for _ in range(10):
        h, c = layers.lstm_unit(x, h, c, param_attr="lstm_w", bias_attr="lstm_b")
    return h


def static_rnn() -> Any:
    """A simple network of 30 steps."""
    x = fluid.data("steps", [30, SEQUENCES, WIDTH], "float32")
    x.stop_gradient = False
    network = layers.StaticRNN()
    with network.step():
        word = network.step_input(x)
        before = network.memory(shape=[-1, WIDTH], batch_ref=word)
        after = layers.fc([word, before], WIDTH, act="tanh")
        network.update_memory(before, after)
        network.step_output(after)
    return network()


def dynamic_rnn() -> Any:
    """A simple network over the sequences."""
    network, x = layers.DynamicRNN(), rows("x128", WIDTH)
    with network.block():
        word = network.step_input(x)
        before = network.memory(shape=[WIDTH])
        after = layers.fc([word, before], WIDTH, act="tanh")
        network.update_memory(before, after)
        network.output(after)
    return network()


def click() -> Any:
    """Binary cross entropy of 512 logits."""
    return layers.sigmoid_cross_entropy_with_logits(rows("d1", 1, 0), fluid.data("click", [None, 1], "float32"))


def crf() -> Any:
    """How unlikely the tags of sequences are, whose neighbours depend on one another."""
    return layers.linear_chain_crf(rows("x32", TAGS), fluid.data("tags", [None, 1], "int64", lod_level=1))


def classes(ignore_index: int) -> Callable[[], Any]:
    """Cross entropy with a class index."""
    return lambda: layers.softmax_with_cross_entropy(
        rows("x128", WIDTH), fluid.data("label", [None, 1], "int64"), ignore_index=ignore_index
    )


OPERATORS: dict = {
    "lstm128": lstm(128),
    "lstm256": lstm(256),
    "lstm128_plain": lstm(128, use_peepholes=False),
    "gru128": gru(128),
    "gru256": gru(256),
    "lstmp": lstmp,
    "gru_unit": gru_unit,
    "lstm_unit": lstm_unit,
    "static_rnn": static_rnn,
    "dynamic_rnn": dynamic_rnn,
    **{"pool_" + kind: pool(kind) for kind in ("sum", "average", "sqrt", "max", "first", "last")},
    "softmax": lambda: layers.sequence_softmax(rows("x1", 1)),
    "conv": lambda: layers.sequence_conv(rows("x128", WIDTH), WIDTH, 3),
    "expand": lambda: layers.sequence_expand(rows("d128", WIDTH, 0), rows("x128", WIDTH)),
    "expand_as": lambda: layers.sequence_expand_as(rows("d128", WIDTH, 0), rows("x128", WIDTH)),
    "pad_unpad": padded,
    "reverse": lambda: layers.sequence_reverse(rows("x128", WIDTH)),
    "concat": lambda: layers.sequence_concat([rows("x128", WIDTH), rows("y128", WIDTH)]),
    "classes": classes(-100),
    "classes_ignore": classes(3),
    "click": click,
    "crf": crf,
}


def feeds(program: Any, lengths: list[int]) -> dict[str, Any]:
    """Values for what the program wants fed: LoD tensors unless the name says `d` (dense) or tells of a label."""
    found = {}
    for var in program.global_block().vars.values():
        if not var.is_data:
            continue
        random = np.random.RandomState(zlib.crc32(var.name.encode()))
        if var.name == "label":
            value = random.randint(0, WIDTH, (sum(lengths), 1)).astype("int64")
        elif var.name == "tags":
            value = random.randint(0, TAGS, (sum(lengths), 1)).astype("int64")
        elif var.name == "click":
            value = random.randint(0, 2, (512, 1)).astype("float32")
        else:
            count = sum(lengths) if var.lod_level else 512 if var.name == "d1" else SEQUENCES
            shape = [count if n < 0 else n for n in var.shape]
            value = (random.standard_normal(shape) * 0.5).astype("float32")
        found[var.name] = fluid.create_lod_tensor(value, [lengths], fluid.CPUPlace()) if var.lod_level else value
    return found


def measure(name: str, steps: int) -> dict[str, float]:
    """Figures of one operator; the weights are the same everywhere."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = layers.mean(OPERATORS[name]())
        fluid.backward.append_backward(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(scope):
        exe.run(startup)
        for parameter in main.all_parameters():
            random = np.random.RandomState(zlib.crc32(parameter.name.encode()))
            value = (random.standard_normal(parameter.shape) * 0.08).astype("float32")
            scope.find_var(parameter.name).get_tensor().set(value, fluid.CPUPlace())
        lengths = np.random.RandomState(7).randint(SHORTEST, LONGEST + 1, SEQUENCES).tolist()
        feed = feeds(main, lengths)
        figures, value = harness.repeated(lambda: exe.run(main, feed=feed, fetch_list=[loss]), steps, 0.4, 2000)
    return {**figures, "loss": float(np.asarray(value[0]).reshape(-1)[0])}


if __name__ == "__main__":
    harness.operators(paddle.__version__, list(OPERATORS), measure, 10)

"""Sequences of different lengths in `paddle.fluid`: LoD input, dynamic_lstm, dynamic_gru, DynamicRNN, StaticRNN."""

from __future__ import annotations

from typing import Any

import datasets
import numpy as np
import paddle.fluid as fluid
from fluid_training import FluidModel

WIDTH = 12


def words_and_label() -> Any:
    """The inputs of a sentiment net: word numbers of one LoD level, and a label."""
    data = fluid.data(name="words", shape=[None, 1], dtype="int64", lod_level=1)
    label = fluid.data(name="label", shape=[None, 1], dtype="int64")
    return data, label


def embedded(data: Any) -> Any:
    """The words as vectors."""
    return fluid.embedding(input=data, size=[datasets.VOCABULARY, WIDTH], is_sparse=True)


def loss_of(prediction: Any, label: Any) -> Any:
    """Mean cross entropy of a softmax."""
    return fluid.layers.mean(fluid.layers.cross_entropy(input=prediction, label=label))


def convolution_net() -> list[Any]:
    """sequence_conv and sequence_pool with windows of 3 and 4, Adagrad."""
    data = fluid.layers.data(name="words", shape=[1], dtype="int64", lod_level=1)
    label = fluid.layers.data(name="label", shape=[1], dtype="int64")
    emb = fluid.layers.embedding(input=data, size=[datasets.VOCABULARY, WIDTH], is_sparse=True)
    conv_3 = fluid.nets.sequence_conv_pool(input=emb, num_filters=16, filter_size=3, act="tanh", pool_type="sqrt")
    conv_4 = fluid.nets.sequence_conv_pool(input=emb, num_filters=16, filter_size=4, act="tanh", pool_type="sqrt")
    prediction = fluid.layers.fc(input=[conv_3, conv_4], size=2, act="softmax")
    avg_cost = loss_of(prediction, label)
    accuracy = fluid.layers.accuracy(input=prediction, label=label)
    fluid.optimizer.Adagrad(learning_rate=0.02).minimize(avg_cost)
    return [avg_cost, accuracy]


def stacked_lstm() -> list[Any]:
    """Three dynamic LSTMs in alternating directions, max-pooled, Adagrad."""
    data, label = words_and_label()
    emb = fluid.layers.squeeze(embedded(data), axes=[1])
    fc1 = fluid.layers.fc(input=emb, size=16)
    lstm1, cell1 = fluid.layers.dynamic_lstm(input=fc1, size=16)
    inputs = [fc1, lstm1]
    for i in range(2, 4):
        fc = fluid.layers.fc(input=inputs, size=16)
        lstm, cell = fluid.layers.dynamic_lstm(input=fc, size=16, is_reverse=(i % 2) == 0)
        inputs = [fc, lstm]
    fc_last = fluid.layers.sequence_pool(input=inputs[0], pool_type="max")
    lstm_last = fluid.layers.sequence_pool(input=inputs[1], pool_type="max")
    prediction = fluid.layers.fc(input=[fc_last, lstm_last], size=2, act="softmax")
    avg_cost = loss_of(prediction, label)
    fluid.optimizer.Adagrad(learning_rate=0.02).minimize(avg_cost)
    return [avg_cost, lstm1]


def bidirectional_gru() -> list[Any]:
    """dynamic_gru in both directions, first and last steps, the sequence softmax and expand as attention."""
    data, label = words_and_label()
    emb = fluid.layers.squeeze(embedded(data), axes=[1])
    projected = fluid.layers.fc(input=emb, size=3 * WIDTH)
    forward = fluid.layers.dynamic_gru(input=projected, size=WIDTH)
    backward = fluid.layers.dynamic_gru(input=projected, size=WIDTH, is_reverse=True)
    both = fluid.layers.concat([forward, backward], axis=1)
    last = fluid.layers.sequence_last_step(forward)
    first = fluid.layers.sequence_first_step(backward)
    summed = fluid.layers.sequence_expand(fluid.layers.elementwise_add(last, first), both)
    score = fluid.layers.fc(input=[both, summed], size=1, act="tanh", bias_attr=False)
    weight = fluid.layers.sequence_softmax(score)
    scaled = fluid.layers.elementwise_mul(x=both, y=fluid.layers.reshape(weight, shape=[-1]), axis=0)
    context = fluid.layers.sequence_pool(scaled, pool_type="sum")
    prediction = fluid.layers.fc(input=context, size=2, act="softmax")
    avg_cost = loss_of(prediction, label)
    fluid.optimizer.SGD(learning_rate=0.1).minimize(avg_cost)
    return [avg_cost, weight]


def dynamic_rnn() -> list[Any]:
    """A recurrence written with DynamicRNN over LoD input, with a memory and a static input."""
    data, label = words_and_label()
    emb = fluid.layers.squeeze(embedded(data), axes=[1])
    context = fluid.layers.sequence_pool(emb, pool_type="average")
    drnn = fluid.layers.DynamicRNN()
    with drnn.block():
        word = drnn.step_input(emb)
        prev = drnn.memory(shape=[WIDTH])
        mean = drnn.static_input(context)
        hidden = fluid.layers.fc(input=[word, prev, mean], size=WIDTH, act="tanh")
        drnn.update_memory(prev, hidden)
        drnn.output(hidden)
    last = fluid.layers.sequence_last_step(drnn())
    prediction = fluid.layers.fc(input=last, size=2, act="softmax")
    avg_cost = loss_of(prediction, label)
    fluid.optimizer.SGD(learning_rate=0.1).minimize(avg_cost)
    return [avg_cost]


def static_rnn() -> list[Any]:
    """A recurrence written with StaticRNN over sentences of one length."""
    words = fluid.data(name="words", shape=[None, datasets.LENGTH], dtype="int64")
    label = fluid.data(name="label", shape=[None, 1], dtype="int64")
    emb = fluid.embedding(input=words, size=[datasets.VOCABULARY, WIDTH])
    steps = fluid.layers.transpose(emb, perm=[1, 0, 2])
    rnn = fluid.layers.StaticRNN()
    with rnn.step():
        word = rnn.step_input(steps)
        prev = rnn.memory(shape=[-1, WIDTH], batch_ref=word)
        hidden = fluid.layers.fc(input=[word, prev], size=WIDTH, act="tanh")
        rnn.update_memory(prev, hidden)
        rnn.step_output(hidden)
    outs = rnn()
    last = fluid.layers.squeeze(fluid.layers.slice(outs, axes=[0], starts=[-1], ends=[datasets.LENGTH]), axes=[0])
    prediction = fluid.layers.fc(input=last, size=datasets.CLASSES, act="softmax")
    avg_cost = loss_of(prediction, label)
    fluid.optimizer.SGD(learning_rate=0.1).minimize(avg_cost)
    return [avg_cost]


def padded() -> list[Any]:
    """From LoD to padding and back: sequence_pad, a mask, sequence_unpad, every kind of pooling."""
    data, label = words_and_label()
    emb = fluid.layers.squeeze(embedded(data), axes=[1])
    zero = fluid.layers.fill_constant(shape=[1], dtype="float32", value=0.0)
    rows, length = fluid.layers.sequence_pad(emb, pad_value=zero)
    mask = fluid.layers.sequence_mask(length, dtype="float32")
    hidden = fluid.layers.fc(input=rows, size=WIDTH, num_flatten_dims=2, act="sigmoid")
    hidden = fluid.layers.elementwise_mul(hidden, fluid.layers.unsqueeze(mask, axes=[2]))
    back = fluid.layers.sequence_unpad(hidden, fluid.layers.reshape(length, shape=[-1]))
    reverse = fluid.layers.sequence_reverse(back)
    kinds = ["sum", "average", "sqrt", "max", "first", "last"]
    pooled = fluid.layers.concat([fluid.layers.sequence_pool(reverse, kind) for kind in kinds], axis=1)
    prediction = fluid.layers.fc(input=pooled, size=2, act="softmax")
    avg_cost = loss_of(prediction, label)
    fluid.optimizer.SGD(learning_rate=0.01).minimize(avg_cost)
    return [avg_cost, length, back]


def by_feeder(step: int) -> dict[str, Any]:
    """The feed that a DataFeeder makes of rows of words and labels."""
    data, label = [fluid.default_main_program().global_block().var(name) for name in ("words", "label")]
    rows, labels = datasets.ragged(step)
    feeder = fluid.DataFeeder(feed_list=[data, label], place=fluid.CPUPlace())
    return dict(feeder.feed([(row, int(c)) for row, c in zip(rows, labels[:, 0])]))


def by_tensor(step: int) -> dict[str, Any]:
    """The feed as a LoD tensor made by hand."""
    rows, labels = datasets.ragged(step)
    return {"words": lod_words(rows), "label": labels}


def encoder_decoder() -> list[Any]:
    """An LSTM's last step, reordered, starts a DynamicRNN over other sentences; a loss for each word, Adagrad with L2 decay."""
    source = fluid.layers.data(name="source", shape=[1], dtype="int64", lod_level=1)
    emb = fluid.layers.embedding(input=source, size=[datasets.VOCABULARY, WIDTH])
    encoded, _ = fluid.layers.dynamic_lstm(fluid.layers.fc(input=emb, size=4 * WIDTH, act="tanh"), size=4 * WIDTH)
    context = fluid.layers.fc(input=fluid.layers.sequence_last_step(encoded), size=WIDTH, act="tanh")
    target = fluid.layers.data(name="target", shape=[1], dtype="int64", lod_level=1)
    target_emb = fluid.layers.embedding(input=target, size=[datasets.VOCABULARY, WIDTH], is_sparse=True)
    decoder = fluid.layers.DynamicRNN()
    with decoder.block():
        word = decoder.step_input(target_emb)
        state = decoder.memory(init=context, need_reorder=True)
        new = fluid.layers.fc(input=[word, state], size=WIDTH, act="tanh")
        scores = fluid.layers.fc(input=new, size=datasets.VOCABULARY, act="softmax")
        decoder.update_memory(state, new)
        decoder.output(scores)
    following = fluid.layers.data(name="following", shape=[1], dtype="int64", lod_level=1)
    avg_cost = loss_of(decoder(), following)
    decay = fluid.regularizer.L2DecayRegularizer(regularization_coeff=0.1)
    fluid.optimizer.Adagrad(learning_rate=0.01, regularization=decay).minimize(avg_cost)
    return [avg_cost]


def by_pairs(step: int) -> dict[str, Any]:
    """Sentences, other sentences of other lengths in their place, and the word that follows each of these."""
    rows, _ = datasets.ragged(step)
    targets, _ = datasets.ragged(step + 100)
    following = [row[1:] + row[:1] for row in targets]
    return {name: lod_words(words) for name, words in (("source", rows), ("target", targets), ("following", following))}


def lod_words(rows: list[list[int]]) -> Any:
    """A LoD tensor of sentences."""
    flat = np.concatenate(rows).astype("int64").reshape(-1, 1)
    return fluid.create_lod_tensor(flat, [[len(row) for row in rows]], fluid.CPUPlace())


MODELS = {
    "sentiment_conv": FluidModel(convolution_net, by_feeder),
    "sentiment_lstm": FluidModel(stacked_lstm, by_tensor, return_numpy=False),
    "sentiment_gru": FluidModel(bidirectional_gru, by_tensor, return_numpy=False),
    "sequence_padding": FluidModel(padded, by_tensor, return_numpy=False),
    "dynamic_rnn": FluidModel(dynamic_rnn, by_tensor),
    "encoder_decoder": FluidModel(encoder_decoder, by_pairs),
    "static_rnn": FluidModel(static_rnn, datasets.sentences),
}

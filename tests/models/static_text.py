"""Words in `paddle.static`: a two-layer LSTM classifier, a transformer encoder, an N-gram model, click-through rate."""

from __future__ import annotations

from typing import Any

import datasets
import paddle
import paddle.nn.functional as F
from paddle import nn, static
from static_training import StaticModel, optimizer_model

WIDTH = 16


def words_and_label() -> Any:
    """The inputs of a classifier of sentences."""
    words = static.data(name="words", shape=[None, datasets.LENGTH], dtype="int64")
    label = static.data(name="label", shape=[None, 1], dtype="int64")
    return words, label


def recurrent(kind: Any, **options: Any) -> Any:
    """A classifier on the last state of a recurrent layer of `paddle.nn`."""

    def build(optimizer: Any) -> list[Any]:
        words, label = words_and_label()
        embedded = nn.Embedding(datasets.VOCABULARY, WIDTH)(words)
        layer = kind(WIDTH, WIDTH, num_layers=2, **options)
        outputs, _ = layer(embedded)
        logits = static.nn.fc(outputs[:, -1, :], size=datasets.CLASSES)
        loss = F.cross_entropy(logits, label)
        optimizer.minimize(loss)
        return [loss]

    return build


def lstm_cells(optimizer: Any) -> list[Any]:
    """Two LSTM layers as `nn.RNN` over `LSTMCell`."""
    words, label = words_and_label()
    hidden = static.nn.embedding(words, size=[datasets.VOCABULARY, WIDTH])
    state: Any = None
    for _ in range(2):
        hidden, state = nn.RNN(nn.LSTMCell(WIDTH, WIDTH))(hidden)
    loss = F.cross_entropy(nn.Linear(WIDTH, datasets.CLASSES)(state[0]), label)
    optimizer.minimize(loss)
    return [loss]


def transformer(scheduler: Any) -> list[Any]:
    """nn.TransformerEncoder with a padding mask, noam decay, clipping by the global norm, Adam."""
    words, label = words_and_label()
    embedding = nn.Embedding(
        datasets.VOCABULARY,
        WIDTH,
        padding_idx=0,
        weight_attr=paddle.ParamAttr(name="word_emb", initializer=nn.initializer.Normal(0.0, WIDTH**-0.5)),
    )
    position = nn.Embedding(datasets.LENGTH, WIDTH)
    x = embedding(words) * WIDTH**0.5 + position(paddle.arange(datasets.LENGTH, dtype="int64"))
    mask = paddle.unsqueeze((words == 0).astype("float32") * -1e9, axis=[1, 2])
    layer = nn.TransformerEncoderLayer(WIDTH, 2, 4 * WIDTH, dropout=0.0, activation="relu")
    encoded = nn.TransformerEncoder(layer, num_layers=2)(x, mask)
    logits = nn.Linear(WIDTH, datasets.CLASSES)(paddle.mean(encoded, axis=1))
    loss = F.cross_entropy(logits, F.label_smooth(F.one_hot(label.squeeze(-1), datasets.CLASSES)), soft_label=True)
    optimizer = paddle.optimizer.Adam(
        scheduler, beta1=0.9, beta2=0.98, epsilon=1e-9, grad_clip=nn.ClipGradByGlobalNorm(1.0)
    )
    optimizer.minimize(loss)
    return [loss]


def noam() -> Any:
    """The schedule of the transformer; at step 0 its rate is 0."""
    return paddle.optimizer.lr.NoamDecay(d_model=WIDTH, warmup_steps=10, learning_rate=0.05)


def word2vec(optimizer: Any) -> list[Any]:
    """The N-gram model of the book: four words through one shared table."""
    embedded = []
    for name in ["firstw", "secondw", "thirdw", "fourthw"]:
        word = static.data(name=name, shape=[None, 1], dtype="int64")
        table = paddle.ParamAttr(name="shared_w")
        row = static.nn.embedding(
            input=word, size=[datasets.VOCABULARY, WIDTH], is_sparse=True, dtype="float32", param_attr=table
        )
        embedded.append(paddle.squeeze(row, axis=[1]))
    next_word = static.data(name="nextw", shape=[None, 1], dtype="int64")
    hidden1 = static.nn.fc(paddle.concat(embedded, axis=1), size=32, activation="sigmoid")
    logits = static.nn.fc(hidden1, size=datasets.VOCABULARY)
    loss = F.cross_entropy(logits, next_word)
    optimizer.minimize(loss)
    return [loss]


def wide_deep(optimizer: Any, shared: bool = False) -> list[Any]:
    """26 embeddings with sparse gradients beside dense features; one table for each slot or one for all."""
    dense = static.data(name="dense", shape=[None, datasets.DENSE], dtype="float32")
    slots = [static.data(name=f"C{i}", shape=[None, 1], dtype="int64") for i in range(datasets.SLOTS)]
    label = static.data(name="click", shape=[None, 1], dtype="int64")

    def embedding(ids: Any, width: int, name: str) -> Any:
        attribute = paddle.ParamAttr(name=name, initializer=nn.initializer.Uniform(-0.1, 0.1))
        rows = static.nn.embedding(ids, size=[datasets.SLOT_ROWS, width], is_sparse=True, param_attr=attribute)
        return paddle.reshape(rows, [-1, width])

    deep = [embedding(ids, 4, "emb" if shared else f"emb_{i}") for i, ids in enumerate(slots)]
    wide = [embedding(ids, 1, "wide" if shared else f"wide_{i}") for i, ids in enumerate(slots)]
    hidden = paddle.concat(deep + [dense], axis=1)
    for size in (32, 16):
        weight = paddle.ParamAttr(initializer=nn.initializer.Normal(std=hidden.shape[1] ** -0.5))
        hidden = static.nn.fc(hidden, size=size, activation="relu", weight_attr=weight)
    both = paddle.concat([hidden, paddle.add_n(wide)], axis=1)
    predict = static.nn.fc(both, size=2, activation="softmax")
    cost = F.nll_loss(paddle.log(predict), paddle.flatten(label))
    auc_var, batch_auc_var, _ = static.auc(input=predict, label=label, num_thresholds=255, slide_steps=4)
    optimizer.minimize(cost)
    return [cost, auc_var, batch_auc_var]


def shared_table(optimizer: Any) -> list[Any]:
    """The same with one table that all slots look up in: the sparse gradients are summed."""
    return wide_deep(optimizer, shared=True)


def adam() -> Any:
    """The optimizer of the recurrent nets."""
    return paddle.optimizer.Adam(0.01)


def lazy_adam() -> Any:
    """Adam that only touches the rows that were looked up."""
    return paddle.optimizer.Adam(learning_rate=0.01, lazy_mode=True)


MODELS = {
    "lstm": optimizer_model(recurrent(nn.LSTM), adam, datasets.sentences),
    "lstm_bidirectional": optimizer_model(recurrent(nn.LSTM, direction="bidirect"), adam, datasets.sentences),
    "gru": optimizer_model(recurrent(nn.GRU), adam, datasets.sentences),
    "simple_rnn": optimizer_model(recurrent(nn.SimpleRNN), adam, datasets.sentences),
    "lstm_cells": optimizer_model(lstm_cells, adam, datasets.sentences),
    # softmax does not change when every score grows alike, so the bias of the keys has no gradient
    "transformer_noam": StaticModel(
        transformer, datasets.sentences, scheduler=noam, seed=92, loose=("linear_1.b_0", "linear_7.b_0")
    ),
    "word2vec": optimizer_model(word2vec, lambda: paddle.optimizer.SGD(0.3), datasets.ngrams),
    "wide_deep_sgd": optimizer_model(wide_deep, lambda: paddle.optimizer.SGD(0.1), datasets.clicks),
    "wide_deep_lazy_adam": optimizer_model(wide_deep, lazy_adam, datasets.clicks),
    "wide_deep_adam": optimizer_model(shared_table, adam, datasets.clicks),
    "wide_deep_adagrad": optimizer_model(shared_table, lambda: paddle.optimizer.Adagrad(0.05), datasets.clicks),
}

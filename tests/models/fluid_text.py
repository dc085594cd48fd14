"""Words in `paddle.fluid`: a two-layer LSTM classifier, a transformer encoder, an N-gram model."""

from __future__ import annotations

from typing import Any

import datasets
import paddle.fluid as fluid
from fluid_training import FluidModel

WIDTH = 16
HEADS = 2


def classified(logits: Any, label: Any) -> Any:
    """Mean cross entropy of logits."""
    return fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(logits, label))


def lstm_cells() -> list[Any]:
    """Two LSTM layers as `layers.rnn` over `LSTMCell`, Adam."""
    words = fluid.data(name="words", shape=[None, datasets.LENGTH], dtype="int64")
    label = fluid.data(name="label", shape=[None, 1], dtype="int64")
    hidden = fluid.embedding(input=words, size=[datasets.VOCABULARY, WIDTH])
    for layer in range(2):
        cell = fluid.layers.LSTMCell(hidden_size=WIDTH, name=f"lstm_{layer}")
        hidden, state = fluid.layers.rnn(cell=cell, inputs=hidden)
    logits = fluid.layers.fc(input=state[0], size=datasets.CLASSES)
    loss = classified(logits, label)
    fluid.optimizer.Adam(learning_rate=0.01).minimize(loss)
    return [loss]


def lstm_basic() -> list[Any]:
    """Two LSTM layers as `contrib.layers.basic_lstm`, the last hidden state classified, SGD."""
    words = fluid.data(name="words", shape=[None, datasets.LENGTH], dtype="int64")
    label = fluid.data(name="label", shape=[None, 1], dtype="int64")
    embedded = fluid.embedding(input=words, size=[datasets.VOCABULARY, WIDTH])
    rnn_out, last_hidden, last_cell = fluid.contrib.layers.basic_lstm(
        embedded, None, None, WIDTH, num_layers=2, batch_first=True, forget_bias=1.0
    )
    logits = fluid.layers.fc(input=last_hidden[-1], size=datasets.CLASSES)
    loss = classified(logits, label)
    fluid.optimizer.SGD(learning_rate=0.5).minimize(loss)
    return [loss]


def split_heads(x: Any) -> Any:
    """From [batch, time, width] to [batch, heads, time, width of a head]."""
    return fluid.layers.transpose(fluid.layers.reshape(x, shape=[0, 0, HEADS, WIDTH // HEADS]), perm=[0, 2, 1, 3])


def multi_head_attention(x: Any, bias: Any) -> Any:
    """Scaled dot-product attention of a sequence with itself."""
    q = split_heads(fluid.layers.fc(x, size=WIDTH, num_flatten_dims=2, bias_attr=False))
    k = split_heads(fluid.layers.fc(x, size=WIDTH, num_flatten_dims=2, bias_attr=False))
    v = split_heads(fluid.layers.fc(x, size=WIDTH, num_flatten_dims=2, bias_attr=False))
    product = fluid.layers.matmul(q, k, transpose_y=True, alpha=(WIDTH // HEADS) ** -0.5) + bias
    weights = fluid.layers.softmax(product)
    weights = fluid.layers.dropout(weights, dropout_prob=0.0, is_test=False)
    out = fluid.layers.transpose(fluid.layers.matmul(weights, v), perm=[0, 2, 1, 3])
    out = fluid.layers.reshape(out, shape=[0, 0, WIDTH])
    return fluid.layers.fc(out, size=WIDTH, num_flatten_dims=2, bias_attr=False)


def residual_norm(x: Any, branch: Any) -> Any:
    """Add and normalise."""
    return fluid.layers.layer_norm(fluid.layers.elementwise_add(x, branch), begin_norm_axis=2)


def transformer() -> list[Any]:
    """Two encoder layers, padding masked, noam decay, gradients clipped by their global norm, Adam."""
    words = fluid.data(name="words", shape=[None, datasets.LENGTH], dtype="int64")
    label = fluid.data(name="label", shape=[None, 1], dtype="int64")
    embedded = fluid.embedding(
        words,
        size=[datasets.VOCABULARY, WIDTH],
        padding_idx=0,
        param_attr=fluid.ParamAttr(name="word_emb", initializer=fluid.initializer.Normal(0.0, WIDTH**-0.5)),
    )
    embedded = fluid.layers.scale(embedded, scale=WIDTH**0.5)
    x = fluid.layers.add_position_encoding(embedded, alpha=1.0, beta=1.0)
    padding = fluid.layers.cast(fluid.layers.equal(words, fluid.layers.zeros_like(words)), "float32")
    bias = fluid.layers.unsqueeze(fluid.layers.scale(padding, scale=-1e9), axes=[1, 2])
    bias.stop_gradient = True
    for _ in range(2):
        x = residual_norm(x, multi_head_attention(x, bias))
        hidden = fluid.layers.fc(x, size=4 * WIDTH, num_flatten_dims=2, act="relu")
        x = residual_norm(x, fluid.layers.fc(hidden, size=WIDTH, num_flatten_dims=2))
    logits = fluid.layers.fc(fluid.layers.reduce_mean(x, dim=1), size=datasets.CLASSES)
    soft = fluid.layers.label_smooth(fluid.layers.one_hot(label, datasets.CLASSES), epsilon=0.1)
    loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(logits, soft, soft_label=True))
    learning_rate = fluid.layers.noam_decay(WIDTH, 10, learning_rate=0.05)
    clip = fluid.clip.GradientClipByGlobalNorm(clip_norm=1.0)
    optimizer = fluid.optimizer.Adam(learning_rate, beta1=0.9, beta2=0.997, epsilon=1e-9, grad_clip=clip)
    optimizer.minimize(loss)
    return [loss, learning_rate]


def word2vec() -> list[Any]:
    """The N-gram model of the book: four words through one shared table, SGD."""
    embedded = []
    for name in ["firstw", "secondw", "thirdw", "fourthw"]:
        word = fluid.layers.data(name=name, shape=[1], dtype="int64")
        table = fluid.ParamAttr(name="shared_w")
        embedded.append(
            fluid.layers.embedding(
                input=word, size=[datasets.VOCABULARY, WIDTH], dtype="float32", is_sparse=True, param_attr=table
            )
        )
    next_word = fluid.layers.data(name="nextw", shape=[1], dtype="int64")
    concat_embed = fluid.layers.concat(input=embedded, axis=1)
    hidden1 = fluid.layers.fc(input=concat_embed, size=32, act="sigmoid")
    predict_word = fluid.layers.fc(input=hidden1, size=datasets.VOCABULARY, act="softmax")
    cost = fluid.layers.cross_entropy(input=predict_word, label=next_word)
    avg_cost = fluid.layers.mean(cost)
    fluid.optimizer.SGD(learning_rate=0.3).minimize(avg_cost)
    return [avg_cost]


MODELS = {
    "lstm_cells": FluidModel(lstm_cells, datasets.sentences),
    "lstm_basic": FluidModel(lstm_basic, datasets.sentences),
    "transformer_noam": FluidModel(transformer, datasets.sentences),
    "word2vec": FluidModel(word2vec, datasets.ngrams),
}

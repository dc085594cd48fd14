"""Eager scripts in the manner of Paddle 1.8's own tests and model zoo: texts, actions, checkpoints; and those on images."""

from __future__ import annotations

from typing import Any, Dict

import dygraph_vision
import numpy as np
import paddle.fluid as fluid
from dygraph_training import EagerModel, numbers
from paddle.fluid.dygraph import BatchNorm, Embedding, GRUUnit, Layer, LayerNorm, Linear, to_variable

layers = fluid.layers


class PtbLstm(Layer):
    """A language model of plain LSTM steps, as Paddle's test unrolls it."""

    def __init__(self, hidden: int = 12, words: int = 30, depth: int = 2, length: int = 6, scale: float = 0.2) -> None:
        super(PtbLstm, self).__init__()
        self.hidden, self.words, self.depth, self.length = hidden, words, depth, length

        def start() -> Any:
            return fluid.ParamAttr(initializer=fluid.initializer.UniformInitializer(low=-scale, high=scale))

        self.embedding = Embedding(size=[words, hidden], dtype="float32", is_sparse=False, param_attr=start())
        self.weights, self.biases = [], []
        for i in range(depth):
            weight = self.create_parameter(attr=start(), shape=[hidden * 2, hidden * 4], dtype="float32")
            self.weights.append(self.add_parameter("w_%d" % i, weight))
            bias = self.create_parameter(
                attr=start(), shape=[hidden * 4], dtype="float32", default_initializer=fluid.initializer.Constant(0.0)
            )
            self.biases.append(self.add_parameter("b_%d" % i, bias))
        self.softmax_weight = self.create_parameter(attr=start(), shape=[hidden, words], dtype="float32")
        self.softmax_bias = self.create_parameter(attr=start(), shape=[words], dtype="float32")

    def forward(self, text: Any, label: Any, hidden: Any, cell: Any) -> Any:
        states = [layers.reshape(layers.slice(hidden, [0], [i], [i + 1]), [-1, self.hidden]) for i in range(self.depth)]
        cells = [layers.reshape(layers.slice(cell, [0], [i], [i + 1]), [-1, self.hidden]) for i in range(self.depth)]
        x = layers.reshape(self.embedding(text), shape=[-1, self.length, self.hidden])
        x = layers.dropout(x, dropout_prob=0.1, dropout_implementation="upscale_in_train")
        outs = []
        for t in range(self.length):
            step = layers.reshape(layers.slice(x, axes=[1], starts=[t], ends=[t + 1]), shape=[-1, self.hidden])
            for k in range(self.depth):
                gates = layers.matmul(x=layers.concat([step, states[k]], 1), y=self.weights[k])
                gates = layers.elementwise_add(gates, self.biases[k])
                i, j, f, o = layers.split(gates, num_or_sections=4, dim=-1)
                cells[k] = cells[k] * layers.sigmoid(f) + layers.sigmoid(i) * layers.tanh(j)
                states[k] = step = layers.tanh(cells[k]) * layers.sigmoid(o)
            outs.append(layers.reshape(step, shape=[1, -1, self.hidden]))
        out = layers.transpose(layers.concat(outs, 0), perm=[1, 0, 2])
        logits = layers.elementwise_add(layers.matmul(out, self.softmax_weight), self.softmax_bias)
        logits = layers.reshape(logits, shape=[-1, self.words])
        loss = layers.softmax_with_cross_entropy(logits=logits, label=label, soft_label=False)
        loss = layers.reduce_sum(layers.reduce_mean(layers.reshape(loss, shape=[-1, self.length]), dim=[0]))
        last = layers.reshape(layers.concat(states, 1), shape=[self.depth, -1, self.hidden])
        return loss, last, layers.reshape(layers.concat(cells, 1), shape=[self.depth, -1, self.hidden])


def ptb() -> Any:
    """Words after words; the state goes on from batch to batch; gradients are clipped."""
    net = PtbLstm()
    clip = fluid.clip.GradientClipByGlobalNorm(0.5)
    sgd = fluid.optimizer.SGD(learning_rate=0.5, parameter_list=net.parameters(), grad_clip=clip)
    state: Dict[str, Any] = {"h": to_variable(np.zeros((2, 4, 12), "float32")), "c": to_variable(np.zeros((2, 4, 12), "float32"))}

    def step(index: int) -> Any:
        x, y = numbers(index, 4, 6, high=30), numbers(50 + index, 24, 1, high=30)
        loss, hidden, cell = net(x, y, state["h"], state["c"])
        state["h"], state["c"] = hidden.detach(), cell.detach()
        loss.backward()
        sgd.minimize(loss)
        net.clear_gradients()
        return (loss,)

    return [net], step


class SkipGram(Layer):
    """Two tables whose rows are multiplied."""

    def __init__(self, words: int = 40, width: int = 8) -> None:
        super(SkipGram, self).__init__()

        def table() -> Any:
            start = fluid.initializer.UniformInitializer(low=-0.5 / width, high=0.5 / width)
            return Embedding(size=[words, width], dtype="float32", is_sparse=True, param_attr=fluid.ParamAttr(initializer=start))

        self.width, self.center, self.target = width, table(), table()

    def forward(self, center: Any, target: Any, label: Any) -> Any:
        both = layers.elementwise_mul(self.center(center), self.target(target))
        pred = layers.reshape(layers.reduce_sum(both, dim=-1), [-1])
        loss = layers.reduce_mean(layers.sigmoid_cross_entropy_with_logits(pred, label))
        return layers.sigmoid(pred), loss


def word2vec() -> Any:
    """Skip-gram with negative samples; the gradients of the tables are sparse."""
    net = SkipGram()
    adam = fluid.optimizer.Adam(learning_rate=0.01, parameter_list=net.parameters(), lazy_mode=True)

    def step(index: int) -> Any:
        label = to_variable(np.random.RandomState(index).randint(0, 2, 24).astype("float32"))
        _, loss = net(numbers(index, 24, high=40), numbers(99 + index, 24, high=40), label)
        loss.backward()
        adam.minimize(loss)
        net.clear_gradients()
        return (loss,)

    return [net], step


class Attention(Layer):
    """Attention with several heads, as the model zoo writes it."""

    def __init__(self, width: int, heads: int) -> None:
        super(Attention, self).__init__()
        self.heads, self.width = heads, width
        self.q, self.k, self.v, self.out = (Linear(width, width, bias_attr=False) for _ in range(4))

    def split(self, x: Any) -> Any:
        x = layers.reshape(x, shape=[0, 0, self.heads, self.width // self.heads])
        return layers.transpose(x, perm=[0, 2, 1, 3])

    def forward(self, queries: Any, keys: Any, bias: Any = None) -> Any:
        keys = queries if keys is None else keys
        q, k, v = self.split(self.q(queries)), self.split(self.k(keys)), self.split(self.v(keys))
        product = layers.matmul(x=q, y=k, transpose_y=True, alpha=(self.width // self.heads) ** -0.5)
        if bias is not None:
            product += bias
        weights = layers.dropout(layers.softmax(product), dropout_prob=0.1, dropout_implementation="upscale_in_train", is_test=False)
        out = layers.transpose(layers.matmul(weights, v), perm=[0, 2, 1, 3])
        return self.out(layers.reshape(x=out, shape=[0, 0, self.width]))


class Block(Layer):
    """Attention (to itself, and to a memory) and two linear layers, each with a residual and a norm."""

    def __init__(self, width: int, heads: int, memory: bool) -> None:
        super(Block, self).__init__()
        self.own = Attention(width, heads)
        self.memory = Attention(width, heads) if memory else None
        self.up, self.down = Linear(width, 2 * width, act="relu"), Linear(2 * width, width)
        self.norms = fluid.dygraph.LayerList([LayerNorm(width) for _ in range(3 if memory else 2)])

    def forward(self, x: Any, memory: Any = None, bias: Any = None) -> Any:
        x = self.norms[0](x + self.own(x, None, bias))
        if self.memory is not None:
            x = self.norms[2](x + self.memory(x, memory))
        return self.norms[1](x + self.down(self.up(x)))


class Transformer(Layer):
    """An encoder and a decoder of one block each."""

    def __init__(self, words: int = 20, width: int = 16, heads: int = 4) -> None:
        super(Transformer, self).__init__()
        self.width = width
        start = fluid.initializer.Normal(0.0, width**-0.5)
        self.words = Embedding([words, width], padding_idx=0, param_attr=fluid.ParamAttr(name="word_emb", initializer=start))
        places = np.sin(np.arange(10)[:, None] / 10.0 ** (np.arange(width)[None] / 4.0)).astype("float32")
        self.places = Embedding(
            [10, width],
            param_attr=fluid.ParamAttr(name="pos_emb", initializer=fluid.initializer.NumpyArrayInitializer(places), trainable=False),
        )
        self.encoder, self.decoder = Block(width, heads, False), Block(width, heads, True)

    def embed(self, ids: Any) -> Any:
        place = to_variable(np.tile(np.arange(ids.shape[1]), (ids.shape[0], 1)).astype("int64"))
        found = self.places(place)
        found.stop_gradient = True
        return layers.scale(self.words(ids), scale=self.width**0.5) + found

    def forward(self, source: Any, target: Any) -> Any:
        length = target.shape[1]
        ahead = to_variable(np.triu(np.full((length, length), -1e9, "float32"), 1).reshape(1, 1, length, length))
        memory = self.encoder(self.embed(source))
        out = self.decoder(self.embed(target), memory, ahead)
        return layers.matmul(out, self.words.weight, transpose_y=True)


def transformer() -> Any:
    """Translation with label smoothing, Adam and the Noam rate."""
    net = Transformer()
    rate = fluid.dygraph.NoamDecay(16, 8, learning_rate=0.5)
    adam = fluid.optimizer.Adam(learning_rate=rate, beta1=0.9, beta2=0.997, epsilon=1e-9, parameter_list=net.parameters())

    def step(index: int) -> Any:
        logits = net(numbers(index, 4, 7, high=20), numbers(33 + index, 4, 6, high=20))
        label = layers.label_smooth(layers.one_hot(numbers(66 + index, 24, 1, high=20), depth=20), epsilon=0.1)
        cost = layers.softmax_with_cross_entropy(layers.reshape(logits, [-1, 20]), label, soft_label=True)
        loss = layers.reduce_sum(cost) / 24.0
        loss.backward()
        adam.minimize(loss)
        net.clear_gradients()
        return (loss,)

    return [net], step


class Seq2Seq(Layer):
    """An encoder and a decoder of GRU units, with attention between them."""

    def __init__(self, words: int = 15, width: int = 6) -> None:
        super(Seq2Seq, self).__init__()
        self.width = width
        self.source, self.target = Embedding([words, width]), Embedding([words, width])
        self.into, self.encoder = Linear(width, 3 * width), GRUUnit(3 * width)
        self.mixed, self.decoder = Linear(2 * width, 3 * width), GRUUnit(3 * width)
        self.score, self.out = Linear(width, width, bias_attr=False), Linear(width, words)

    def attend(self, state: Any, memory: Any) -> Any:
        query = layers.unsqueeze(self.score(state), [1])
        weights = layers.softmax(layers.squeeze(layers.matmul(query, memory, transpose_y=True), [1]))
        return layers.reduce_sum(layers.elementwise_mul(memory, weights, axis=0), dim=1)

    def forward(self, source: Any, target: Any) -> Any:
        batch = source.shape[0]
        state = layers.fill_constant([batch, self.width], "float32", 0.0)
        states, embedded = [], self.into(self.source(source))
        for t in range(source.shape[1]):
            state, _, _ = self.encoder(embedded[:, t], state)
            states.append(state)
        memory, logits, words = layers.stack(states, axis=1), [], self.target(target)
        for t in range(target.shape[1]):
            x = self.mixed(layers.concat([words[:, t], self.attend(state, memory)], axis=1))
            state, _, _ = self.decoder(x, state)
            logits.append(self.out(state))
        return layers.stack(logits, axis=1)


def seq2seq() -> Any:
    """Translation with attention, masks, and clipped Adam."""
    net = Seq2Seq()
    clip = fluid.clip.GradientClipByGlobalNorm(1.0)
    adam = fluid.optimizer.Adam(0.01, parameter_list=net.parameters(), grad_clip=clip)

    def step(index: int) -> Any:
        logits = net(numbers(index, 3, 5, high=15), numbers(44 + index, 3, 4, high=15))
        cost = layers.softmax_with_cross_entropy(logits, numbers(88 + index, 3, 4, 1, high=15))
        mask = layers.sequence_mask(to_variable(np.array([4, 2, 3])), maxlen=4, dtype="float32")
        cost = layers.squeeze(cost, [2]) * mask
        loss = layers.reduce_sum(layers.reduce_mean(cost, dim=[0]))
        loss.backward()
        adam.minimize(loss)
        net.clear_gradients()
        return (loss,)

    return [net], step


class Policy(Layer):
    """States to chances of actions."""

    def __init__(self) -> None:
        super(Policy, self).__init__()
        self.first, self.second = Linear(4, 16), Linear(16, 2)

    def forward(self, x: Any) -> Any:
        x = layers.reshape(x, shape=[1, 4])
        x = layers.dropout(self.first(x), 0.3)
        return layers.softmax(self.second(layers.tanh(x)))


def policy() -> Any:
    """Policy gradients from rewards of a made-up game, with RMSProp."""
    net = Policy()
    optimizer = fluid.optimizer.RMSPropOptimizer(learning_rate=0.01, parameter_list=net.parameters())

    def step(index: int) -> Any:
        draw = np.random.RandomState(index)
        chances = []
        for _ in range(5):
            found = net(to_variable(draw.uniform(-1, 1, 4).astype("float32")))
            action = int(draw.uniform() > 0.5)
            mask = layers.one_hot(to_variable(np.array([[action]], "int64")), depth=2)
            chances.append(layers.log(layers.reduce_sum(layers.elementwise_mul(found, mask), dim=1)))
        rewards = draw.uniform(-1, 1, 5).astype("float32")
        rewards = (rewards - rewards.mean()) / (rewards.std() + np.finfo(np.float32).eps)
        losses = [-chance * float(reward) for chance, reward in zip(chances, rewards)]
        loss = layers.reduce_sum(layers.concat(losses))
        loss.backward()
        optimizer.minimize(loss)
        net.clear_gradients()
        return (loss,)

    return [net], step


class Sentiment(Layer):
    """A bidirectional GRU over words, the largest state of each, two linear layers."""

    def __init__(self, words: int = 50, width: int = 8) -> None:
        super(Sentiment, self).__init__()
        self.width = width
        self.table = Embedding([words + 1, width], padding_idx=words, is_sparse=False)
        self.gates = fluid.dygraph.LayerList([Linear(width, 3 * width) for _ in range(2)])
        self.units = fluid.dygraph.LayerList([
            GRUUnit(3 * width, param_attr=fluid.ParamAttr(regularizer=fluid.regularizer.L2DecayRegularizer(1e-3))) for _ in range(2)
        ])
        self.fc, self.out = Linear(2 * width, 10, act="tanh"), Linear(10, 2, act="softmax")

    def run(self, which: int, x: Any, turned: bool) -> Any:
        gates = self.gates[which](x)
        hidden, seen = layers.fill_constant([x.shape[0], self.width], "float32", 0.0), []
        for t in range(x.shape[1]):
            at = x.shape[1] - 1 - t if turned else t
            hidden, _, _ = self.units[which](layers.reshape(gates[:, at : at + 1, :], [-1, 3 * self.width]), hidden)
            seen = [layers.reshape(hidden, [-1, 1, self.width])] + seen if turned else seen + [layers.reshape(hidden, [-1, 1, self.width])]
        return layers.concat(seen, axis=1)

    def forward(self, ids: Any, label: Any) -> Any:
        x = self.table(ids)
        both = layers.concat([layers.tanh(self.run(0, x, False)), layers.tanh(self.run(1, x, True))], axis=2)
        pred = self.out(self.fc(layers.reduce_max(both, dim=1)))
        return layers.mean(layers.cross_entropy(input=pred, label=label)), layers.accuracy(input=pred, label=label)


def sentiment() -> Any:
    """Sentiment with Adagrad and decays of single parameters."""
    net = Sentiment()
    adagrad = fluid.optimizer.Adagrad(learning_rate=0.05, parameter_list=net.parameters())

    def step(index: int) -> Any:
        loss, acc = net(numbers(index, 6, 7, high=51), numbers(55 + index, 6, 1, high=2))
        loss.backward()
        adagrad.minimize(loss)
        net.clear_gradients()
        return loss, acc

    return [net], step


def saved() -> Any:
    """A run that goes on from a checkpoint in the middle, in new layers and a new optimizer."""
    import os
    import tempfile

    held: Dict[str, Any] = {}

    def make() -> None:
        held["net"] = fluid.dygraph.Sequential(Linear(4, 6, act="sigmoid"), BatchNorm(6), Linear(6, 1))
        rate = fluid.dygraph.ExponentialDecay(0.1, 5, 0.9)
        held["adam"] = fluid.optimizer.Adam(rate, parameter_list=held["net"].parameters())

    def step(index: int) -> Any:
        if index == 10:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "middle")
                fluid.save_dygraph(held["net"].state_dict(), path)
                fluid.save_dygraph(held["adam"].state_dict(), path)
                fluid.unique_name.switch()  # the names of a new process
                make()
                params, state = fluid.load_dygraph(path)
                held["net"].set_dict(params)
                held["adam"].set_dict(state)
        x = np.random.RandomState(index).uniform(-1, 1, (8, 4)).astype("float32")
        y = x.sum(1, keepdims=True) ** 2
        loss = layers.mean(layers.square_error_cost(held["net"](to_variable(x)), to_variable(y)))
        loss.backward()
        held["adam"].minimize(loss)
        held["net"].clear_gradients()
        return (loss,)

    make()
    return [held["net"]], step


MODELS = {
    **dygraph_vision.MODELS,
    "ptb": EagerModel(ptb),
    "word2vec": EagerModel(word2vec),
    "transformer": EagerModel(transformer),
    "seq2seq": EagerModel(seq2seq),
    "policy": EagerModel(policy),
    "sentiment": EagerModel(sentiment),
    "saved": EagerModel(saved),
}

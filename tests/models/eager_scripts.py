"""Eager scripts of Paddle 2.x that write by hand: attention, graphs, points, pictures, agents, averages, and recorded functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import paddle
import paddle.nn.functional as F
from eager_training import EagerModel, floats, numbers, trained_by
from paddle import nn


class _Attention(nn.Layer):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.qkv, self.out = heads, nn.Linear(width, 3 * width, bias_attr=False), nn.Linear(width, width)

    def forward(self, x: Any, mask: Any) -> Any:
        batch, length, width = x.shape
        q, k, v = self.qkv(x).reshape([batch, length, 3, self.heads, width // self.heads]).transpose([2, 0, 3, 1, 4]).unbind(0)
        scores = paddle.einsum("bhqd,bhkd->bhqk", q, k) * (width // self.heads) ** -0.5 + mask
        return self.out(paddle.einsum("bhqk,bhkd->bqhd", F.softmax(scores, axis=-1), v).flatten(2))


class _Position(nn.Layer):
    def __init__(self, width: int, length: int) -> None:
        super().__init__()
        table, places = paddle.zeros([length, width]), paddle.arange(length, dtype="float32").unsqueeze(1)
        rates = paddle.exp(paddle.arange(0, width, 2, dtype="float32") * (-math.log(10000.0) / width))
        table[:, 0::2] = paddle.sin(places * rates)
        table[:, 1::2] = paddle.cos(places * rates)
        self.register_buffer("table", table.unsqueeze(0), persistable=False)

    def forward(self, x: Any) -> Any:
        return x + self.table[:, : x.shape[1]]


def character_gpt() -> Any:
    """A small GPT with attention by einsum, a causal mask, and rates that warm up by a scheduler of one's own."""

    class Warm(paddle.optimizer.lr.LRScheduler):
        def get_lr(self) -> float:
            return self.base_lr * min(1.0, (self.last_epoch + 1) / 5)

    class Gpt(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.words, self.position, self.attention = nn.Embedding(12, 16), _Position(16, 20), _Attention(16, 4)
            self.norms = nn.LayerList([nn.LayerNorm(16) for _ in range(3)])
            self.mlp = nn.Sequential(("up", nn.Linear(16, 32)), ("act", nn.GELU(approximate=True)), ("down", nn.Linear(32, 16)))
            self.head = nn.Linear(16, 12)

        def forward(self, ids: Any) -> Any:
            mask = paddle.triu(paddle.full([ids.shape[1]] * 2, -1e9), 1)
            x = self.position(self.words(ids) * 4.0)
            x = x + self.attention(self.norms[0](x), mask)
            x = x + self.mlp(self.norms[1](x))
            return self.head(self.norms[2](x))

    net = Gpt()
    rate = Warm(0.02)
    optimizer = paddle.optimizer.AdamW(rate, parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(1.0))

    def loss_of(i: int) -> Any:
        ids = numbers(i, 4, 9, high=12)
        return F.cross_entropy(net(ids[:, :-1]), ids[:, 1:])

    return [net], trained_by(optimizer, loss_of, rate)


def graph_attention() -> Any:
    """Messages along edges, gathered and scattered, with a softmax over those that arrive, and a loss on some nodes."""
    nodes, edges = 7, 18
    source, target = numbers(1, edges, high=nodes), numbers(2, edges, high=nodes)
    known = paddle.to_tensor([True, True, False, True, False, True, True])

    class Gat(nn.Layer):
        def __init__(self, inputs: int, outputs: int) -> None:
            super().__init__()
            self.linear = nn.Linear(inputs, outputs, bias_attr=False)
            self.score = self.create_parameter([2 * outputs, 1], default_initializer=nn.initializer.XavierNormal())
            self.bias = self.create_parameter([outputs], is_bias=True)

        def forward(self, x: Any) -> Any:
            h = self.linear(x)
            sent = paddle.gather(h, source)
            score = paddle.exp(F.leaky_relu(paddle.matmul(paddle.concat([sent, h[target]], axis=1), self.score), 0.2))
            whole = paddle.scatter_nd_add(paddle.zeros([nodes, 1]), target.unsqueeze(1), score)
            weights = score / (paddle.index_select(whole, target) + 1e-9)
            return paddle.scatter_nd(target.unsqueeze(-1), sent * weights, [nodes, h.shape[1]]) + self.bias

    first, second = Gat(4, 8), Gat(8, 3)
    optimizer = paddle.optimizer.Momentum(0.1, parameters=[*first.parameters(), *second.parameters()])

    def loss_of(i: int) -> Any:
        out = second(F.elu(first(floats(i, nodes, 4))))
        return F.nll_loss(F.log_softmax(out, axis=1)[known], paddle.masked_select(numbers(3, nodes, high=3), known))

    return [first, second], trained_by(optimizer, loss_of)


def points() -> Any:
    """A PointNet: shared convolutions of one place, a learned rotation that is held near an orthogonal one, and a maximum over points."""

    class Point(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.shared = nn.Sequential(nn.Conv1D(3, 12, 1, bias_attr=False), nn.BatchNorm1D(12), nn.Tanh(), nn.Conv1D(12, 16, 1))
            start = paddle.ParamAttr(initializer=nn.initializer.Assign(np.eye(3).reshape([-1])))
            small = paddle.ParamAttr(initializer=nn.initializer.Normal(0.0, 0.02))
            self.rotation, self.head = nn.Linear(16, 9, weight_attr=small, bias_attr=start), nn.Linear(16, 4)

        def forward(self, x: Any) -> Any:
            turn = self.rotation(paddle.max(self.shared(x), axis=-1)).reshape((-1, 3, 3))
            return self.head(paddle.max(self.shared(paddle.bmm(turn, x)), 2)), turn

    net = Point()
    optimizer = paddle.optimizer.Adam(parameters=net.parameters(), learning_rate=2e-3, weight_decay=1e-3)

    def loss_of(i: int) -> Any:
        out, turn = net(floats(i, 6, 3, 10))
        apart = paddle.eye(3).unsqueeze(0) - paddle.bmm(turn, turn.transpose([0, 2, 1]))
        return F.cross_entropy(out, numbers(i, 6, high=4)) + 0.01 * paddle.norm(apart)

    return [net], trained_by(optimizer, loss_of)


def deep_q() -> Any:
    """Q-learning with a replayed memory, a network that follows slowly, and values looked up by gather_nd."""

    def make() -> Any:
        return nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 3))

    net, slow = make(), make()
    slow.set_state_dict(net.state_dict())
    for parameter in slow.parameters():
        parameter.stop_gradient = True
    rate = paddle.optimizer.lr.MultiStepDecay(0.05, [5, 10], 0.5)
    optimizer = paddle.optimizer.RMSProp(rate, parameters=net.parameters())

    def loss_of(i: int) -> Any:
        state, then, action = floats(i, 12, 5), floats(i + 1, 12, 5), numbers(i, 12, high=3)
        value = paddle.gather_nd(net(state), paddle.stack([paddle.arange(12), action], axis=-1))
        with paddle.no_grad():
            best = net(then).argmax(axis=-1, keepdim=True)
            wanted = state[:, 0] + 0.9 * paddle.take_along_axis(slow(then), best, 1).squeeze(1)
        return F.smooth_l1_loss(value, wanted, reduction="sum")

    train = trained_by(optimizer, loss_of, rate)

    def step(i: int) -> Any:
        losses = train(i)
        for old, new in zip(slow.parameters(), net.parameters()):
            old.set_value(0.8 * old + 0.2 * new)
        return losses

    return [net, slow], step


def cycle() -> Any:
    """Two translators of pictures that undo each other, with reflected borders, instance norm, and a rate that falls by LambdaDecay."""

    class Block(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            attr = paddle.ParamAttr(initializer=nn.initializer.Normal(0.0, 0.2))
            self.body = nn.Sequential(
                nn.Pad2D([1, 1, 1, 1], mode="reflect"),
                nn.Conv2D(4, 4, 3, weight_attr=attr, bias_attr=False),
                nn.InstanceNorm2D(4),
                nn.Swish(),
            )

        def forward(self, x: Any) -> Any:
            return x + self.body(x)

    def make() -> Any:
        return nn.Sequential(nn.Conv2D(3, 4, 3, padding="SAME"), Block(), nn.Conv2DTranspose(4, 3, 3, padding=1), nn.Tanh())

    there, back = make(), make()
    rate = paddle.optimizer.lr.LambdaDecay(5e-3, lambda epoch: 1.0 - max(0, epoch - 5) / 20)
    optimizer = paddle.optimizer.Adam(rate, beta1=0.5, parameters=there.parameters() + back.parameters())

    def loss_of(i: int) -> Any:
        one, other = floats(i, 2, 3, 6, 6), floats(i + 100, 2, 3, 6, 6)
        made, again = there(one), back(other)
        return F.mse_loss(back(made), one) + nn.MSELoss()(there(again), other) + 0.5 * F.mse_loss(there(other), other)

    return [there, back], trained_by(optimizer, loss_of, rate)


def quantiles() -> Any:
    """A forecast of quantiles by causal convolutions over windows of a sine, with an average of parameters kept by hand."""
    wave = np.sin(np.arange(120) / 5).astype("float32")
    net = nn.Sequential(
        nn.Pad1D([2, 0]),
        nn.Conv1D(1, 8, 3),
        nn.Silu(),
        nn.Pad1D([4, 0]),
        nn.Conv1D(8, 8, 3, dilation=2),
        nn.Silu(),
        nn.Flatten(),
        nn.Linear(96, 3),
    )
    copy = nn.Linear(96, 3)
    kept = {name: value.clone().detach() for name, value in net[7].named_parameters()}
    optimizer = paddle.optimizer.Adamax(0.01, parameters=net.parameters())

    def loss_of(i: int) -> Any:
        windows = paddle.to_tensor(np.stack([wave[i + j : i + j + 12] for j in range(16)])).unsqueeze(1)
        error = paddle.to_tensor(wave[i + 12 : i + 28]).unsqueeze(-1) - net(windows)
        shares = paddle.to_tensor([0.1, 0.5, 0.9])
        return paddle.maximum(shares * error, (shares - 1) * error).sum(axis=-1).mean()

    train = trained_by(optimizer, loss_of)

    def step(i: int) -> Any:
        losses = train(i)
        for name, value in net[7].named_parameters():
            kept[name] = 0.9 * kept[name] + 0.1 * value.detach()
        copy.set_state_dict(kept)
        return losses + [copy.weight.std(), copy.bias.max()]

    return [net, copy], step


def contrasted() -> Any:
    """Embeddings of one class pulled together: masked softmax of similarities, and a triplet loss."""
    net = nn.Sequential(nn.Linear(8, 16), nn.Softsign(), nn.Linear(16, 4))
    optimizer = paddle.optimizer.Lamb(0.02, parameters=net.parameters())

    def loss_of(i: int) -> Any:
        out, labels = F.normalize(net(floats(i, 10, 8)), axis=1), paddle.to_tensor([0, 1] * 5)
        same = paddle.eye(10).astype("bool")
        near = paddle.matmul(out, out, transpose_y=True) / 0.2
        near = paddle.where(same, paddle.full_like(near, -1e9), near)
        pairs = paddle.logical_and(labels.unsqueeze(0) == labels.unsqueeze(1), ~same).astype("float32")
        log = near - paddle.logsumexp(near, axis=1, keepdim=True)
        triplet = F.triplet_margin_loss(out[0:4:2], out[4:8:2], out[1:5:2], margin=2.0)
        return (
            -((log * pairs).sum(1) / pairs.sum(1)).mean() + triplet + F.cosine_embedding_loss(out[:2], out[2:4], paddle.to_tensor([1, -1]))
        )

    return [net], trained_by(optimizer, loss_of)


def by_hand() -> Any:
    """Parameters without a layer, gradients by paddle.grad, momentum by hand under no_grad."""
    layer = nn.Layer()
    layer.add_parameter("w", paddle.create_parameter([6, 8], "float32", default_initializer=nn.initializer.XavierUniform()))
    layer.add_parameter("b", paddle.create_parameter([8], "float32", is_bias=True))
    layer.add_parameter("v", paddle.create_parameter([8, 3], "float32", default_initializer=nn.initializer.KaimingUniform()))
    speeds = [paddle.zeros_like(value) for value in layer.parameters()]

    def step(i: int) -> Any:
        x, y = floats(i, 12, 6), numbers(i, 12, high=3)
        out = F.linear(F.tanh(F.linear(x, layer.w, layer.b)), layer.v)
        loss = F.cross_entropy(out, y) + 1e-2 * sum((value**2).sum() for value in layer.parameters())
        grads = paddle.grad(loss, layer.parameters())
        with paddle.no_grad():
            for value, grad, speed in zip(layer.parameters(), grads, speeds):
                speed.scale_(0.9)
                speed.add_(grad)
                value.subtract_(0.1 * speed)
        return [loss, grads[1].abs().max()]

    return [layer], step


def curved() -> Any:
    """A network that solves y'' = -y: derivatives of its output by its input, of second order, in the loss."""
    net = nn.Sequential(nn.Linear(1, 12), nn.Tanh(), nn.Linear(12, 12), nn.Tanh(), nn.Linear(12, 1))
    optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())

    def loss_of(i: int) -> Any:
        x = floats(i, 16, 1)
        x.stop_gradient = False
        y = net(x)
        (slope,) = paddle.grad(y, x, create_graph=True)
        (bend,) = paddle.grad(slope, x, create_graph=True)
        start = net(paddle.zeros([1, 1]))
        return ((bend + y) ** 2).mean() + ((start - 1.0) ** 2).sum()

    return [net], trained_by(optimizer, loss_of)


def recorded_net() -> Any:
    """A layer turned static by to_static, with a branch and a loop that look at Tensors."""

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second, self.head = nn.Linear(6, 6), nn.Linear(6, 6), nn.Linear(6, 3)

        def forward(self, x: Any) -> Any:
            if paddle.mean(x) > 0:
                y = F.tanh(self.first(x))
            else:
                y = F.sigmoid(self.second(x))
            i = paddle.zeros([1], "int32")
            while i < 3:
                y = y + 0.1 * F.tanh(self.first(y))
                i += 1
            return self.head(y)

    net = Net()
    run = paddle.jit.to_static(net, full_graph=True)
    optimizer = paddle.optimizer.Momentum(0.1, parameters=net.parameters(), use_nesterov=True)
    return [net], trained_by(optimizer, lambda i: F.cross_entropy(run(floats(i, 8, 6)), numbers(i, 8, high=3)))


def recommended() -> Any:
    """Towers of users and films: embeddings, a sum over categories that are padded, and a cosine."""

    class Towers(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            attr = paddle.ParamAttr(initializer=nn.initializer.TruncatedNormal(std=0.3))
            self.user, self.film = nn.Embedding(10, 8, weight_attr=attr), nn.Embedding(12, 8, weight_attr=attr)
            self.kind = nn.Embedding(5, 4, padding_idx=0)
            self.left, self.right = nn.Linear(8, 6), nn.Linear(12, 6)

        def forward(self, user: Any, film: Any, kinds: Any) -> Any:
            left = paddle.tanh(self.left(self.user(user)))
            right = paddle.tanh(self.right(paddle.concat([self.film(film), self.kind(kinds).sum(axis=1)], axis=-1)))
            return paddle.scale(F.cosine_similarity(left, right), scale=5.0).reshape([-1, 1])

    net = Towers()
    optimizer = paddle.optimizer.Adadelta(1.0, rho=0.9, parameters=net.parameters(), weight_decay=paddle.regularizer.L2Decay(1e-3))

    def loss_of(i: int) -> Any:
        out = net(numbers(i, 16, high=10), numbers(i + 20, 16, high=12), numbers(i + 40, 16, 3, high=5))
        return F.square_error_cost(out, numbers(i + 60, 16, 1, high=5).astype("float32")).mean()

    return [net], trained_by(optimizer, loss_of)


MODELS = {
    made.__name__: EagerModel(made)
    for made in (
        character_gpt, graph_attention, points, deep_q, cycle, quantiles, contrasted, by_hand, curved, recorded_net, recommended,
    )
}  # fmt: skip

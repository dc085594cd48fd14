"""Eager scripts of Paddle 2.x whose training loops are out of the ordinary."""

from __future__ import annotations

from typing import Any

import paddle
import paddle.nn.functional as F
from eager_training import EagerModel, floats, numbers, trained_by
from paddle import nn


def _mlp(inputs: int, outputs: int, act: Any = nn.Tanh) -> Any:
    return nn.Sequential(nn.Linear(inputs, 16), act(), nn.Linear(16, outputs))


def gan() -> Any:
    """Two networks against each other, with one optimizer each."""
    made, judge = _mlp(4, 6), _mlp(6, 1, nn.LeakyReLU)
    of_made = paddle.optimizer.Adam(0.01, 0.5, parameters=made.parameters())
    of_judge = paddle.optimizer.Adam(0.01, 0.5, parameters=judge.parameters())
    loss = nn.BCEWithLogitsLoss()

    def step(i: int) -> Any:
        noise, real = floats(i, 8, 4), floats(i + 100, 8, 6) * 0.3 + 0.5
        fake = made(noise)
        judged = loss(judge(real), paddle.ones([8, 1])) + loss(judge(fake.detach()), paddle.zeros([8, 1]))
        of_judge.clear_grad()
        judged.backward()
        of_judge.step()
        fooled = loss(judge(fake), paddle.ones([8, 1]))
        of_made.clear_grad()
        fooled.backward()
        of_made.step()
        return [judged, fooled]

    return [made, judge], step


class _Critic(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.hidden, self.out = nn.Conv2D(1, 4, 3), nn.Linear(4 * 4 * 4, 8), nn.Linear(8, 1)

    def forward(self, x: Any) -> Any:
        return self.out(paddle.tanh(self.hidden(F.leaky_relu(self.conv(x)).reshape([4, -1]))))


def gradient_penalty() -> Any:
    """A critic whose gradient is held to norm 1: gradients of gradients."""
    critic = _Critic()
    optimizer = paddle.optimizer.RMSProp(1e-3, parameters=critic.parameters())

    def loss_of(i: int) -> Any:
        real, fake, mix = floats(i, 4, 1, 6, 6), floats(i + 50, 4, 1, 6, 6), (floats(i, 4, 1, 1, 1) + 1) / 2
        between = real * mix + fake * (1 - mix)
        between.stop_gradient = False
        (grad,) = paddle.grad(critic(between).sum(), [between], create_graph=True, retain_graph=True)
        penalty = ((paddle.sqrt(grad.square().reshape([4, -1]).sum(1)) - 1) ** 2).mean()
        return critic(fake).mean() - critic(real).mean() + 10 * penalty

    return [critic], trained_by(optimizer, loss_of)


def accumulation() -> Any:
    """Gradients of four small batches make one update."""
    net = _mlp(6, 3)
    optimizer = paddle.optimizer.Momentum(0.1, parameters=net.parameters())

    def step(i: int) -> Any:
        losses = [F.cross_entropy(net(floats(4 * i + k, 4, 6)), numbers(4 * i + k, 4, high=3)) / 4 for k in range(4)]
        for loss in losses:
            loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return losses

    return [net], step


def recomputed() -> Any:
    """Blocks whose activations are computed again in the backward pass, dropout too."""
    from paddle.distributed.fleet.utils import recompute

    blocks = nn.LayerList([nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Dropout(0.3), nn.Linear(16, 8)) for _ in range(3)])
    out = nn.Linear(8, 3)
    optimizer = paddle.optimizer.Adam(0.01, parameters=[*blocks.parameters(), *out.parameters()])

    def loss_of(i: int) -> Any:
        x = floats(i, 8, 8)
        x.stop_gradient = False
        for block in blocks:
            x = x + recompute(block, x)
        return F.cross_entropy(out(x), numbers(i, 8, high=3))

    return [blocks, out], trained_by(optimizer, loss_of)


def variational() -> Any:
    """An autoencoder that draws its code."""
    coder, decoder = _mlp(8, 6), _mlp(3, 8)
    optimizer = paddle.optimizer.Adam(0.01, parameters=[*coder.parameters(), *decoder.parameters()])

    def loss_of(i: int) -> Any:
        x = floats(i, 8, 8)
        mean, spread = paddle.split(coder(x), 2, axis=-1)
        code = mean + paddle.exp(0.5 * spread) * paddle.randn([8, 3])
        divergence = -0.5 * paddle.sum(1 + spread - mean**2 - paddle.exp(spread), axis=-1)
        return (F.mse_loss(decoder(code), x, reduction="none").sum(-1) + divergence).mean()

    return [coder, decoder], trained_by(optimizer, loss_of)


def dropped() -> Any:
    """Dropout of every kind, as the wheel draws it."""
    net = nn.Sequential(
        nn.Conv2D(2, 4, 3), nn.Dropout2D(0.3), nn.SELU(), nn.AlphaDropout(0.2), nn.Flatten(), nn.Dropout(0.4, mode="downscale_in_infer"),
        nn.Linear(4 * 4 * 4, 3),
    )  # fmt: skip
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    return [net], trained_by(optimizer, lambda i: F.cross_entropy(net(floats(i, 4, 2, 6, 6)), numbers(i, 4, high=3)))


def policy() -> Any:
    """A policy gradient with rewards to come, and entropy."""
    net = _mlp(4, 3, nn.ReLU)
    optimizer = paddle.optimizer.Adam(0.02, parameters=net.parameters())

    def loss_of(i: int) -> Any:
        logs = F.log_softmax(net(floats(i, 10, 4)), axis=-1)
        taken = paddle.take_along_axis(logs, numbers(i, 10, 1, high=3), 1).squeeze(1)
        rewards = paddle.flip(paddle.cumsum(paddle.flip(floats(i, 10), [0])), [0])
        entropy = -(logs.exp() * logs).sum(-1)
        return -(taken * rewards.detach() + 0.01 * entropy).mean()

    return [net], trained_by(optimizer, loss_of)


def siamese() -> Any:
    """One network for three inputs, a triplet loss, and a memory of running means that is no parameter."""
    net = _mlp(6, 4)
    net.register_buffer("centre", paddle.zeros([4]))
    optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters(), weight_decay=1e-3)

    def loss_of(i: int) -> Any:
        anchor, near, far = (F.normalize(net(floats(i + k, 8, 6))) for k in (0, 0, 50))
        with paddle.no_grad():
            net.centre.set_value(0.9 * net.centre + 0.1 * anchor.mean(0))
        near = near + 0.1 * net.centre
        return F.triplet_margin_loss(anchor, near, far, margin=0.5) + F.cosine_similarity(near, far).mean()

    return [net], trained_by(optimizer, loss_of)


def frozen() -> Any:
    """A backbone that is frozen first and trained later, with hooks on gradients and forward passes."""
    backbone, head = _mlp(6, 8), nn.Linear(8, 3)
    seen = []
    head.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 1.5,))
    backbone.register_forward_post_hook(lambda layer, inputs, output: seen.append(float(output.square().sum())))
    head.weight.register_hook(lambda grad: grad * 0.5)
    optimizer = paddle.optimizer.SGD(0.2, parameters=[*backbone.parameters(), *head.parameters()])
    train = trained_by(optimizer, lambda i: F.cross_entropy(head(backbone(floats(i, 8, 6))), numbers(i, 8, high=3)))

    def step(i: int) -> Any:
        for param in backbone.parameters():
            param.stop_gradient = i < 5
        return [*train(i), seen[-1]]

    return [backbone, head], step


class _Cube(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any, scale: float) -> Any:
        ctx.save_for_backward(x)
        ctx.scale = scale
        return scale * x * x * x

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return grad * 3.0 * ctx.scale * x * x


def own_operator() -> Any:
    """A layer with a gradient of one's own, parameters made by hand, and an assignment into a tensor."""

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            attr = paddle.ParamAttr(initializer=nn.initializer.Uniform(-0.5, 0.5), learning_rate=0.5)
            self.weight = self.create_parameter([6, 3], attr=attr)
            self.shift = paddle.create_parameter([3], "float32", is_bias=True)

        def forward(self, x: Any) -> Any:
            out = paddle.matmul(_Cube.apply(x, 0.5), self.weight) + self.shift
            out[:, 0] = out[:, 0] * 2
            out[out > 1.0] = 1.0
            return out

    net = Net()
    optimizer = paddle.optimizer.Adam(0.02, parameters=net.parameters(), grad_clip=nn.ClipGradByValue(0.1))
    return [net], trained_by(optimizer, lambda i: F.cross_entropy(net(floats(i, 8, 6)), numbers(i, 8, high=3)))


def checkpointed() -> Any:
    """Training that stops, saves, and goes on with another network and optimizer that load."""
    nets: list[Any] = [_mlp(6, 3)]
    rate = paddle.optimizer.lr.ExponentialDecay(0.05, 0.9)
    optimizers = [paddle.optimizer.Adam(rate, parameters=nets[0].parameters())]

    def step(i: int) -> Any:
        if i == 7:
            nets.append(_mlp(6, 3))
            again = paddle.optimizer.Adam(rate, parameters=nets[1].parameters())
            state = optimizers[0].state_dict()
            names = {old.name: new.name for old, new in zip(nets[0].parameters(), nets[1].parameters())}
            renamed = {}
            for key, value in state.items():
                old = next((name for name in names if key.startswith(name)), None)
                renamed[key.replace(old, names[old], 1) if old else key] = value
            nets[1].set_state_dict(nets[0].state_dict())
            again.set_state_dict(renamed)
            optimizers.append(again)
        loss = F.cross_entropy(nets[-1](floats(i, 8, 6)), numbers(i, 8, high=3))
        loss.backward()
        optimizers[-1].step()
        optimizers[-1].clear_grad()
        rate.step()
        return [loss, optimizers[-1].get_lr()]

    return nets, step


MODELS = {
    made.__name__: EagerModel(made)
    for made in (
        gan, gradient_penalty, accumulation, variational, policy, siamese, frozen, own_operator, checkpointed,
    )
}  # fmt: skip
MODELS["recomputed"] = EagerModel(recomputed, exact=True)
MODELS["dropped"] = EagerModel(dropped, exact=True)

"""Every optimizer of `paddle.optimizer` in static mode: weight decay, clips, averages, learning-rate schedules."""

from __future__ import annotations

from typing import Any, Callable

import datasets
import numpy as np
import paddle
import paddle.nn.functional as F
from paddle import static
from static_training import StaticModel, optimizer_model

lr = paddle.optimizer.lr
STEPS = 10


def network(weight_attr: Any = None) -> Any:
    """Two layers over clustered points, and the loss."""
    x = static.data(name="x", shape=[None, 8], dtype="float32")
    y = static.data(name="y", shape=[None, 1], dtype="int64")
    hidden = static.nn.fc(x, size=16, activation="tanh", weight_attr=weight_attr)
    return F.cross_entropy(static.nn.fc(hidden, size=datasets.CLASSES), y)


def trained(optimizer: Any) -> list[Any]:
    """The network under an optimizer."""
    loss = network()
    optimizer.minimize(loss)
    return [loss]


def in_two_parts(optimizer: Any) -> list[Any]:
    """The same as backward and apply_gradients, with one gradient left out."""
    loss = network()
    gradients = optimizer.backward(loss)
    optimizer.apply_gradients([pair for pair in gradients if pair[0].name != "fc_0.b_0"])
    return [loss, gradients[0][1]]


def own_attributes() -> list[Any]:
    """A parameter with a learning rate and a regularizer of its own; the optimizer's decay for the others."""
    attribute = paddle.ParamAttr(name="own", learning_rate=0.5, regularizer=paddle.regularizer.L1Decay(0.05))
    loss = network(attribute)
    paddle.optimizer.Momentum(0.1, 0.9, weight_decay=paddle.regularizer.L2Decay(0.01)).minimize(loss)
    return [loss]


def frozen() -> list[Any]:
    """A parameter that is not trained, and one left out by no_grad_set."""
    loss = network(paddle.ParamAttr(name="fixed", trainable=False))
    paddle.optimizer.Adam(0.01).minimize(loss, no_grad_set={"fc_1.b_0"})
    return [loss]


def weight_norm(dim: Any) -> list[Any]:
    """A weight split in direction and length by WeightNormParamAttr."""
    loss = network(static.WeightNormParamAttr(dim=dim, name="normed"))
    paddle.optimizer.SGD(0.1).minimize(loss)
    return [loss]


class MovingAverage(StaticModel):
    """Training with an exponential moving average, which is applied for one evaluation and taken back."""

    def network(self) -> list[Any]:
        """The network under SGD and the average."""
        loss = network()
        self.test = static.default_main_program().clone(for_test=True)
        paddle.optimizer.SGD(0.1).minimize(loss)
        self.average = static.ExponentialMovingAverage(0.9)
        self.average.update()
        return [loss]

    def __init__(self) -> None:
        super().__init__(self.network, datasets.points, steps=STEPS)

    def more_programs(self, session: Any) -> dict[str, Any]:
        """The test program, and those that the average holds."""
        return {"test": self.test, "apply": self.average.apply_program, "restore": self.average.restore_program}

    def step(self, session: Any, fetch: list[Any], i: int) -> list[Any]:
        """A training step, then the loss with averaged parameters on another batch."""
        outs = super().step(session, fetch, i)
        with self.average.apply(session.executor):
            averaged = session.executor.run(self.test, feed=datasets.points(100), fetch_list=fetch)
        again = session.executor.run(self.test, feed=datasets.points(100), fetch_list=fetch)
        return [*outs, np.array([averaged[0], again[0]])]


def scheduled(scheduler: Any) -> list[Any]:
    """Linear regression by SGD at a scheduled rate, which is fetched by its name."""
    x = static.data(name="x", shape=[None, 13], dtype="float32")
    y = static.data(name="y", shape=[None, 1], dtype="float32")
    loss = paddle.mean(F.square_error_cost(static.nn.fc(x, size=1), y))
    paddle.optimizer.SGD(learning_rate=scheduler).minimize(loss)
    return [loss, "learning_rate_0"]


def clipped(clip: Callable[[], Any]) -> Callable[[], Any]:
    """SGD with a gradient clip."""
    return lambda: paddle.optimizer.SGD(0.3, grad_clip=clip())


def adamw_without_biases() -> Any:
    """AdamW that does not decay biases."""
    return paddle.optimizer.AdamW(0.05, weight_decay=0.1, apply_decay_param_fun=lambda name: name.endswith("w_0"))


def lamb_without_biases() -> Any:
    """Lamb that does not decay biases."""
    return paddle.optimizer.Lamb(
        0.02, lamb_weight_decay=0.1, exclude_from_weight_decay_fn=lambda p: p.name.endswith("b_0")
    )


optimizers = paddle.optimizer
OPTIMIZERS: dict[str, Callable[[], Any]] = {
    "sgd": lambda: optimizers.SGD(0.2),
    "momentum": lambda: optimizers.Momentum(0.1, 0.9),
    "nesterov": lambda: optimizers.Momentum(0.1, 0.9, use_nesterov=True),
    "momentum_rescaled": lambda: optimizers.Momentum(0.1, 0.9, weight_decay=0.02, rescale_grad=0.5),
    "adagrad": lambda: optimizers.Adagrad(0.1, initial_accumulator_value=0.1),
    "adam": lambda: optimizers.Adam(0.05, epsilon=1e-3),
    "adam_decay": lambda: optimizers.Adam(0.05, weight_decay=0.01),
    "adamw": lambda: optimizers.AdamW(0.05, epsilon=1e-3),
    "adamw_some": adamw_without_biases,
    "adamax": lambda: optimizers.Adamax(0.05),
    "adadelta": lambda: optimizers.Adadelta(1.0, epsilon=1e-3),
    "rmsprop": lambda: optimizers.RMSProp(0.02, epsilon=1e-3),
    "rmsprop_centered": lambda: optimizers.RMSProp(0.02, momentum=0.5, centered=True, epsilon=1e-3),
    "lamb": lamb_without_biases,
    "lookahead": lambda: paddle.incubate.LookAhead(optimizers.SGD(0.2), alpha=0.5, k=3),
    "l1_decay": lambda: optimizers.SGD(0.1, weight_decay=paddle.regularizer.L1Decay(0.02)),
    "float_decay": lambda: optimizers.SGD(0.1, weight_decay=0.02),
    "clip_value": clipped(lambda: paddle.nn.ClipGradByValue(0.05, -0.02)),
    "clip_norm": clipped(lambda: paddle.nn.ClipGradByNorm(0.1)),
    "clip_global_norm": clipped(lambda: paddle.nn.ClipGradByGlobalNorm(0.2)),
}

SCHEDULES: dict[str, Callable[[], Any]] = {
    "noam": lambda: lr.NoamDecay(32, 5, learning_rate=0.5),
    "piecewise": lambda: lr.PiecewiseDecay([3, 6], [0.05, 0.02, 0.01]),
    "natural_exp": lambda: lr.NaturalExpDecay(0.05, gamma=0.1),
    "inverse_time": lambda: lr.InverseTimeDecay(0.05, gamma=0.1),
    "polynomial": lambda: lr.PolynomialDecay(0.05, decay_steps=5, end_lr=0.01, power=2.0, cycle=True),
    "warmup": lambda: lr.LinearWarmup(lr.CosineAnnealingDecay(0.05, T_max=6), 4, 0.001, 0.05),
    "exponential": lambda: lr.ExponentialDecay(0.05, gamma=0.9),
    "multi_step": lambda: lr.MultiStepDecay(0.05, milestones=[3, 6], gamma=0.5),
    "step": lambda: lr.StepDecay(0.05, step_size=3, gamma=0.5),
    "lambda": lambda: lr.LambdaDecay(0.05, lambda epoch: 0.9**epoch),
    "multiplicative": lambda: lr.MultiplicativeDecay(0.05, lambda epoch: 0.95),
    "cosine": lambda: lr.CosineAnnealingDecay(0.05, T_max=5, eta_min=0.001),
    "one_cycle": lambda: lr.OneCycleLR(0.05, total_steps=12),
    "cyclic": lambda: lr.CyclicLR(0.01, 0.05, step_size_up=3, mode="triangular2"),
    "linear": lambda: lr.LinearLR(0.05, total_steps=8),
    "warm_restarts": lambda: lr.CosineAnnealingWarmRestarts(0.05, T_0=4, T_mult=2),
}

MODELS = {name: optimizer_model(trained, make, datasets.points, steps=STEPS) for name, make in OPTIMIZERS.items()}
MODELS.update(
    {
        "rate_" + name: StaticModel(scheduled, datasets.houses, scheduler=make, steps=12)
        for name, make in SCHEDULES.items()
    }
)
MODELS.update(
    apply_gradients=optimizer_model(in_two_parts, OPTIMIZERS["momentum"], datasets.points, steps=STEPS),
    own_attributes=StaticModel(own_attributes, datasets.points, steps=STEPS),
    frozen=StaticModel(frozen, datasets.points, steps=STEPS),
    weight_norm=StaticModel(lambda: weight_norm(None), datasets.points, steps=STEPS),
    # the wheel builds this one and then fails to run it
    weight_norm_of_columns=StaticModel(lambda: weight_norm(1)),
    moving_average=MovingAverage(),
)

"""Every optimizer of `paddle.fluid` on one small network, with regularizers, clips and averages of parameters."""

from __future__ import annotations

from typing import Any, Callable

import datasets
import numpy as np
import paddle.fluid as fluid
from fluid_training import FluidModel, optimizer_model

STEPS = 10


def network(param_attr: Any = None) -> Any:
    """Two layers over clustered points, and the loss."""
    x = fluid.data(name="x", shape=[None, 8], dtype="float32")
    y = fluid.data(name="y", shape=[None, 1], dtype="int64")
    hidden = fluid.layers.fc(x, size=16, act="tanh", param_attr=param_attr)
    logits = fluid.layers.fc(hidden, size=datasets.CLASSES)
    return fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(logits, y))


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
    """A parameter with a learning rate and a regularizer of its own; the optimizer's regularizer for the others."""
    attribute = fluid.ParamAttr(name="own", learning_rate=0.5, regularizer=fluid.regularizer.L1Decay(0.05))
    loss = network(attribute)
    fluid.optimizer.Momentum(0.1, 0.9, regularization=fluid.regularizer.L2Decay(0.01)).minimize(loss)
    return [loss]


def frozen() -> list[Any]:
    """A parameter that is not trained, and a second one left out by no_grad_set."""
    loss = network(fluid.ParamAttr(name="fixed", trainable=False))
    fluid.optimizer.Adam(0.01).minimize(loss, no_grad_set={"fc_1.b_0"})
    return [loss]


def weight_norm(dim: Any) -> list[Any]:
    """A weight split in direction and length by WeightNormParamAttr."""
    loss = network(fluid.WeightNormParamAttr(dim=dim, name="normed"))
    fluid.optimizer.SGD(0.1).minimize(loss)
    return [loss]


def chosen() -> list[Any]:
    """Only the parameters of the last layer, named in parameter_list."""
    loss = network()
    fluid.optimizer.Adagrad(0.1).minimize(loss, parameter_list=["fc_1.w_0", "fc_1.b_0"])
    return [loss]


def clipped_by_set_gradient_clip() -> list[Any]:
    """The older way to clip: set_gradient_clip on the program."""
    loss = network()
    fluid.clip.set_gradient_clip(fluid.clip.GradientClipByGlobalNorm(clip_norm=0.2))
    fluid.optimizer.SGD(0.3).minimize(loss)
    return [loss]


def two_groups() -> list[Any]:
    """Two optimizers over one loss, each with some of the parameters."""
    loss = network()
    fluid.optimizer.SGD(0.1).minimize(loss, parameter_list=["fc_0.w_0", "fc_0.b_0"])
    fluid.optimizer.Momentum(0.1, 0.9).minimize(loss, parameter_list=["fc_1.w_0", "fc_1.b_0"])
    return [loss]


class Averaged(FluidModel):
    """Training with an average of the parameters, which is applied for one evaluation and taken back.

    Args:
        average: makes the object that has `apply` once the loss is minimised.
    """

    def __init__(self, average: Callable[[], Any], **options: Any) -> None:
        self.average = average
        super().__init__(self.network, datasets.points, **options)

    def network(self) -> list[Any]:
        """The network under SGD and the average."""
        loss = network()
        self.test = fluid.default_main_program().clone(for_test=True)
        fluid.optimizer.SGD(0.1).minimize(loss)
        self.averager = self.average()
        return [loss]

    def more_programs(self, session: Any) -> dict[str, Any]:
        """The test program, and those that the average holds."""
        return {"test": self.test, "apply": self.averager.apply_program, "restore": self.averager.restore_program}

    def step(self, session: Any, fetch: list[Any], i: int) -> list[Any]:
        """A training step, then the loss with averaged parameters on another batch."""
        outs = super().step(session, fetch, i)
        with self.averager.apply(session.executor):
            averaged = session.executor.run(self.test, feed=datasets.points(100), fetch_list=fetch)
        again = session.executor.run(self.test, feed=datasets.points(100), fetch_list=fetch)
        return [*outs, np.concatenate([averaged[0], again[0]])]


def moving_average() -> Any:
    """An exponential moving average, updated by each run of the main program."""
    average = fluid.optimizer.ExponentialMovingAverage(0.9)
    average.update()
    return average


def scheduled_average() -> Any:
    """The same, with a decay that grows with the number of the step."""
    average = fluid.optimizer.ExponentialMovingAverage(
        0.999, thres_steps=fluid.layers.learning_rate_scheduler._decay_step_counter()
    )
    average.update()
    return average


def by_global_norm() -> Any:
    """SGD that clips by the global norm of its gradients."""
    return fluid.optimizer.SGD(0.3, grad_clip=fluid.clip.GradientClipByGlobalNorm(0.2))


def by_norm() -> Any:
    """Momentum that clips each gradient by its norm."""
    return fluid.optimizer.Momentum(0.3, 0.9, grad_clip=fluid.clip.GradientClipByNorm(0.1))


def by_value() -> Any:
    """Adam with L2 decay that clips each element."""
    return fluid.optimizer.Adam(
        0.05, regularization=fluid.regularizer.L2Decay(0.02), grad_clip=fluid.clip.GradientClipByValue(0.05, -0.02)
    )


def not_the_biases() -> Any:
    """SGD that clips only what `need_clip` chooses."""
    clip = fluid.clip.GradientClipByGlobalNorm(0.2, need_clip=lambda p: p.name.endswith("w_0"))
    return fluid.optimizer.SGD(0.3, grad_clip=clip)


def l1() -> Any:
    """SGD with L1 decay."""
    return fluid.optimizer.SGD(0.1, regularization=fluid.regularizer.L1Decay(0.02))


def lamb_without_biases() -> Any:
    """Lamb that does not decay biases."""
    return fluid.optimizer.Lamb(
        0.02, lamb_weight_decay=0.1, exclude_from_weight_decay_fn=lambda p: p.name.endswith("b_0")
    )


OPTIMIZERS: dict[str, Callable[[], Any]] = {
    "sgd": lambda: fluid.optimizer.SGD(0.2),
    "momentum": lambda: fluid.optimizer.Momentum(0.1, 0.9),
    "nesterov": lambda: fluid.optimizer.Momentum(0.1, 0.9, use_nesterov=True),
    "adagrad": lambda: fluid.optimizer.Adagrad(0.1, initial_accumulator_value=0.1),
    "decayed_adagrad": lambda: fluid.optimizer.DecayedAdagrad(0.05),
    "adam": lambda: fluid.optimizer.Adam(0.05, epsilon=1e-3),
    "adamax": lambda: fluid.optimizer.Adamax(0.05),
    "adadelta": lambda: fluid.optimizer.Adadelta(1.0, epsilon=1e-3),
    "rmsprop": lambda: fluid.optimizer.RMSProp(0.02, epsilon=1e-3),
    "rmsprop_centered": lambda: fluid.optimizer.RMSProp(0.02, momentum=0.5, centered=True, epsilon=1e-3),
    "ftrl": lambda: fluid.optimizer.Ftrl(0.1, l1=0.01, l2=0.01),
    "lamb": lamb_without_biases,
    "lars": lambda: fluid.optimizer.LarsMomentum(0.5, 0.9, lars_coeff=0.01),
    "dpsgd": lambda: fluid.optimizer.Dpsgd(0.1, clip=10.0, batch_size=16.0, sigma=0.0),
    "lookahead": lambda: fluid.optimizer.LookaheadOptimizer(fluid.optimizer.SGD(0.2), alpha=0.5, k=3),
    "l1_decay": l1,
    "clip_value": by_value,
    "clip_norm": by_norm,
    "clip_global_norm": by_global_norm,
    "clip_some": not_the_biases,
}

MODELS = {name: optimizer_model(trained, make, batch=datasets.points, steps=STEPS) for name, make in OPTIMIZERS.items()}
MODELS.update(
    apply_gradients=optimizer_model(
        in_two_parts, lambda: fluid.optimizer.Momentum(0.1, 0.9), batch=datasets.points, steps=STEPS
    ),
    own_attributes=FluidModel(own_attributes, datasets.points, STEPS),
    frozen=FluidModel(frozen, datasets.points, STEPS),
    weight_norm=FluidModel(lambda: weight_norm(None), datasets.points, STEPS),
    weight_norm_of_columns=FluidModel(lambda: weight_norm(1), datasets.points, STEPS),
    parameter_list=FluidModel(chosen, datasets.points, STEPS),
    set_gradient_clip=FluidModel(clipped_by_set_gradient_clip, datasets.points, STEPS),
    two_optimizers=FluidModel(two_groups, datasets.points, STEPS),
    moving_average=Averaged(moving_average, steps=STEPS),
    scheduled_average=Averaged(scheduled_average, steps=STEPS),
    model_average=Averaged(
        lambda: fluid.optimizer.ModelAverage(0.15, min_average_window=2, max_average_window=4), steps=STEPS
    ),
)

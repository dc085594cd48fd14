"""Every learning-rate schedule of `paddle.fluid`, computed inside the program; the rate is fetched beside the loss."""

from __future__ import annotations

from typing import Any, Callable

import datasets
import paddle.fluid as fluid
from fluid_training import FluidModel

layers = fluid.layers


def scheduled(schedule: Callable[[], Any]) -> FluidModel:
    """Linear regression by SGD at a scheduled rate."""

    def build() -> list[Any]:
        x = fluid.data(name="x", shape=[None, 13], dtype="float32")
        y = fluid.data(name="y", shape=[None, 1], dtype="float32")
        loss = layers.mean(layers.square_error_cost(input=layers.fc(input=x, size=1), label=y))
        rate = schedule()
        fluid.optimizer.SGD(learning_rate=rate).minimize(loss)
        return [loss, rate]

    return FluidModel(build, datasets.houses, steps=12)


def warmed(rate: Any) -> Any:
    """Linear warm-up to a rate, which may itself be scheduled."""
    return layers.linear_lr_warmup(rate, warmup_steps=4, start_lr=0.001, end_lr=0.05)


def two_rates() -> list[Any]:
    """A scheduled rate multiplied for one parameter, and a schedule that a test program must not carry."""
    x = fluid.data(name="x", shape=[None, 13], dtype="float32")
    y = fluid.data(name="y", shape=[None, 1], dtype="float32")
    attribute = fluid.ParamAttr(name="slow", learning_rate=0.1)
    predicted = layers.fc(input=layers.fc(input=x, size=4, param_attr=attribute), size=1)
    loss = layers.mean(layers.square_error_cost(input=predicted, label=y))
    rate = layers.exponential_decay(0.05, decay_steps=3, decay_rate=0.5, staircase=True)
    optimizer = fluid.optimizer.Momentum(learning_rate=rate, momentum=0.9)
    optimizer.minimize(loss)
    return [loss, rate]


SCHEDULES: dict[str, Callable[[], Any]] = {
    "noam": lambda: layers.noam_decay(32, 5, learning_rate=0.5),
    "exponential": lambda: layers.exponential_decay(0.05, decay_steps=3, decay_rate=0.5),
    "exponential_stairs": lambda: layers.exponential_decay(0.05, decay_steps=3, decay_rate=0.5, staircase=True),
    "natural_exp": lambda: layers.natural_exp_decay(0.05, decay_steps=3, decay_rate=0.5),
    "natural_exp_stairs": lambda: layers.natural_exp_decay(0.05, decay_steps=3, decay_rate=0.5, staircase=True),
    "inverse_time": lambda: layers.inverse_time_decay(0.05, decay_steps=3, decay_rate=0.5),
    "inverse_time_stairs": lambda: layers.inverse_time_decay(0.05, decay_steps=3, decay_rate=0.5, staircase=True),
    "polynomial": lambda: layers.polynomial_decay(0.05, decay_steps=6, end_learning_rate=0.01, power=2.0),
    "polynomial_cycle": lambda: layers.polynomial_decay(0.05, decay_steps=5, end_learning_rate=0.01, cycle=True),
    "piecewise": lambda: layers.piecewise_decay(boundaries=[3, 6], values=[0.05, 0.02, 0.01]),
    "cosine": lambda: layers.cosine_decay(0.05, step_each_epoch=3, epochs=4),
    "warmup": lambda: warmed(0.05),
    "warmup_cosine": lambda: warmed(layers.cosine_decay(0.05, step_each_epoch=3, epochs=4)),
}

MODELS = {"rate_" + name: scheduled(make) for name, make in SCHEDULES.items()}
MODELS["rate_of_a_parameter"] = FluidModel(two_rates, datasets.houses, steps=12)

"""The fluid optimizers: wrong use, and what the wrappers do to parameters.

That Programs and numbers are those of Paddle 1.8 is tested with the model scripts and with the operators.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
import paddle_compat.fluid as fluid
from paddle_compat.core import mode
from paddle_compat.nn.initializer import Constant

RATE = 0.5


@pytest.fixture(autouse=True)
def static() -> None:
    mode.set_static(True)


def slope(size: int = 1) -> Any:
    """A loss whose gradient is 1 for every input of its parameter `w`, which starts at 0."""
    x = fluid.data(name="x", shape=[None, 2], dtype="float32")
    attr = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(0.0))
    return fluid.layers.mean(fluid.layers.fc(x, size=size, param_attr=attr, bias_attr=False))


FEED = {"x": np.ones((4, 2), "float32")}


def ready() -> Any:
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(fluid.default_startup_program())
    return executor


def weight() -> float:
    return float(np.array(fluid.global_scope().find_var("w").get_tensor())[0, 0])


def test_model_average_is_the_mean_of_the_window() -> None:
    loss = slope()
    fluid.optimizer.SGD(RATE).minimize(loss)
    average = fluid.optimizer.ModelAverage(1.0, min_average_window=2, max_average_window=100)
    executor, seen = ready(), []
    for _ in range(4):
        executor.run(feed=FEED)
        seen.append(weight())
    assert seen == [-RATE, -2 * RATE, -3 * RATE, -4 * RATE]
    with average.apply(executor):
        np.testing.assert_allclose(weight(), np.mean(seen), rtol=1e-6)
    assert weight() == seen[-1]
    with average.apply(executor, need_restore=False):
        pass
    np.testing.assert_allclose(weight(), np.mean(seen), rtol=1e-6)
    average.restore(executor)
    assert weight() == seen[-1]


def test_exponential_moving_average() -> None:
    loss = slope()
    fluid.optimizer.SGD(RATE).minimize(loss)
    average = fluid.optimizer.ExponentialMovingAverage(0.9)
    average.update()
    executor, expected = ready(), 0.0
    for _ in range(3):
        executor.run(feed=FEED)
        expected = 0.9 * expected + 0.1 * weight()
    with average.apply(executor):
        np.testing.assert_allclose(weight(), expected / (1 - 0.9**3), rtol=1e-5)
    assert weight() == -3 * RATE


def test_lookahead_goes_back_every_k_steps() -> None:
    loss = slope()
    fluid.optimizer.LookaheadOptimizer(fluid.optimizer.SGD(RATE), alpha=0.5, k=2).minimize(loss)
    executor, seen = ready(), []
    for _ in range(4):
        executor.run(feed=FEED)
        seen.append(weight())
    # two steps down, half of them back
    assert seen == [-RATE, -RATE, -2 * RATE, -2 * RATE]


def test_recompute_trains_as_the_inner_optimizer() -> None:
    loss = slope()
    recompute = fluid.optimizer.RecomputeOptimizer(fluid.optimizer.SGD(RATE))
    with pytest.raises(AssertionError, match="_set_checkpoints"):
        recompute.minimize(loss)
    recompute._set_checkpoints([loss])
    recompute.minimize(loss)
    ready().run(feed=FEED)
    assert weight() == -RATE


def test_a_scheduled_rate_belongs_to_its_program() -> None:
    rate = fluid.layers.create_global_var([1], RATE, "float32", persistable=True, name="rate")
    sgd = fluid.optimizer.SGD(rate)
    sgd.minimize(slope())
    assert fluid.default_main_program().global_block().ops[-1].input("LearningRate") == ["rate"]
    ready().run(feed=FEED)
    assert weight() == -RATE
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(TypeError, match="another Program"):
        sgd.minimize(slope())


def test_dpsgd_repeats_with_a_seed() -> None:
    loss = slope()
    noisy = fluid.optimizer.Dpsgd(RATE, clip=10.0, batch_size=16.0, sigma=1.0)
    noisy._seed = 7
    noisy.minimize(loss)
    executor = ready()
    executor.run(feed=FEED)
    first = weight()
    executor.run(feed=FEED)
    assert first != -RATE
    np.testing.assert_allclose(weight(), 2 * first, rtol=1e-6)


def test_error_clip_bounds_a_gradient_on_its_way() -> None:
    x = fluid.data(name="x", shape=[None, 2], dtype="float32")
    attr = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(0.0))
    hidden = fluid.layers.fc(x, size=1, param_attr=attr, bias_attr=False)
    loss = fluid.layers.mean(fluid.layers.scale(hidden, scale=100.0))
    hidden.error_clip = fluid.clip.ErrorClipByValue(max=0.25)
    fluid.optimizer.SGD(RATE).minimize(loss)
    ready().run(feed=FEED)
    # the gradient of each of the four rows is clipped from 25 to 0.25
    assert weight() == -RATE


@pytest.mark.parametrize("trains", ["run", "train_from_dataset"])
def test_sections_of_a_pipeline_train_as_one_network(trains: str, tmp_path: Path) -> None:
    x = fluid.data(name="x", shape=[None, 1], dtype="float32")
    attr = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(1.0))
    hidden = fluid.layers.fc(x, size=1, param_attr=attr, bias_attr=False)
    loss = fluid.layers.mean(hidden)
    places = [fluid.CPUPlace()] * 3
    optimizer = fluid.optimizer.PipelineOptimizer(fluid.optimizer.SGD(0.25), [[hidden], [loss]], places, [1, 1, 1], queue_size=1)
    assert optimizer.minimize(loss) is None
    if trains == "run":
        ready().run(feed={"x": np.full([2, 1], 2.0, "float32")})
    else:
        file = tmp_path / "samples"
        file.write_text("1 2.0\n1 2.0\n")
        dataset = fluid.DatasetFactory().create_dataset("QueueDataset")
        dataset.set_use_var([x])
        dataset.set_batch_size(2)
        dataset.set_filelist([str(file)])
        ready().train_from_dataset(fluid.default_main_program(), dataset)
    assert weight() == 0.5


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: fluid.optimizer.SGD(1), TypeError, "learning_rate"),
    (lambda: fluid.optimizer.SGD(None), AssertionError, "learning_rate"),
    (lambda: fluid.optimizer.SGD(0.1, grad_clip=1.0), TypeError, "grad_clip"),
    (lambda: fluid.optimizer.Momentum(0.1, None), AssertionError, "momentum"),
    (lambda: fluid.optimizer.RMSProp(0.1, rho=None), ValueError, "rho"),
    (lambda: fluid.optimizer.Adadelta(0.1, epsilon=None), ValueError, "epsilon"),
    (lambda: fluid.optimizer.SGD(0.1).minimize(3.0), AssertionError, "loss"),
    (lambda: fluid.optimizer.SGD(0.1).minimize(fluid.data("y", [None, 2])), AssertionError, "loss"),
    (lambda: fluid.optimizer.LookaheadOptimizer(None), AssertionError, "inner_optimizer"),
    (lambda: fluid.optimizer.LookaheadOptimizer(fluid.optimizer.SGD(0.1), alpha=2.0), AssertionError, "alpha"),
    (lambda: fluid.optimizer.LookaheadOptimizer(fluid.optimizer.SGD(0.1), k=0), AssertionError, "k"),
]


@pytest.mark.parametrize(("call", "error", "argument"), WRONG)
def test_wrong_arguments(call: Callable[[], Any], error: type[Exception], argument: str) -> None:
    with pytest.raises(error, match=f"`{argument}`.*Expected.*Received"):
        call()


def test_recompute_writes_operators_again_between_its_checkpoints() -> None:
    x = fluid.data(name="x", shape=[None, 2], dtype="float32")
    hidden = fluid.layers.fc(x, size=3, act="tanh")
    middle = fluid.layers.fc(hidden, size=3, act="tanh")
    recompute = fluid.optimizer.RecomputeOptimizer(fluid.optimizer.SGD(RATE))
    recompute._set_checkpoints([middle])
    _, pairs = recompute.minimize(fluid.layers.mean(middle))
    again = [n for op in fluid.default_main_program().global_block().ops for n in op.output_arg_names if "subprog" in n]
    assert again == [f"{hidden.name.replace('2', str(i))}.subprog_0" for i in range(3)] + [
        f"{middle.name.replace('2', str(i))}.subprog_0" for i in range(2)
    ]
    assert len(pairs) == 4


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda: fluid.optimizer.Momentum(RATE, 0.9), {"_velocity_acc_str": "velocity"}),
        (
            lambda: fluid.optimizer.Adam(RATE),
            {
                "_moment1_acc_str": "moment1",
                "_moment2_acc_str": "moment2",
                "_beta1_pow_acc_str": "beta1_pow_acc",
                "_beta2_pow_acc_str": "beta2_pow_acc",
            },
        ),
        (
            lambda: fluid.optimizer.Adamax(RATE),
            {"_moment_acc_str": "moment", "_inf_norm_acc_str": "inf_norm", "_beta1_pow_acc_str": "beta1_pow_acc"},
        ),
        (lambda: fluid.optimizer.Ftrl(RATE), {"_squared_acc_str": "squared", "_linear_acc_str": "linear"}),
        (
            lambda: fluid.optimizer.RMSProp(RATE),
            {"_momentum_acc_str": "momentum", "_mean_square_acc_str": "mean_square", "_mean_grad_acc_str": "mean_grad"},
        ),
        (
            lambda: fluid.optimizer.Adadelta(RATE),
            {"_avg_squared_grad_acc_str": "_avg_squared_grad", "_avg_squared_update_acc_str": "_avg_squared_update"},
        ),
    ],
    ids=["momentum", "adam", "adamax", "ftrl", "rmsprop", "adadelta"],
)
def test_accumulators_are_found_by_the_names_that_subclasses_ask_for(make: Callable[[], Any], names: dict[str, str]) -> None:
    optimizer = make()
    optimizer.minimize(slope())
    assert {name: getattr(optimizer, name) for name in names} == names
    assert all("w" in optimizer._accumulators[name] for name in names.values())


# scripts of 2.0 to 2.4 hand these over; the numbers are those of 2.6.2's paddle.incubate.optimizer.LarsMomentumOptimizer
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, (0.356777, 0.1377)),
        ({"exclude_from_weight_decay": ["_b"]}, (0.469977, -1.735829)),
        ({"epsilon": 0.5}, (0.361848, 0.146202)),
        ({"rescale_grad": 0.5}, (0.35602, 0.1377)),
    ],
)
def test_lars_as_from_paddle_2_on(given: dict[str, Any], expected: tuple[float, float]) -> None:
    paddle.disable_static()
    w, b = (
        paddle.create_parameter(
            shape, "float32", attr=paddle.ParamAttr(paddle.utils.unique_name.generate(name)), default_initializer=Constant(value)
        )
        for shape, name, value in (([2, 3], "fc_w", 0.5), ([3], "fc_b", 0.25))
    )
    rate = paddle.optimizer.lr.StepDecay(1.0, 2)
    optimizer = fluid.optimizer.LarsMomentum(rate, 0.9, lars_coeff=0.1, lars_weight_decay=0.1, parameter_list=[w, b], **given)
    for _ in range(3):
        loss = ((paddle.to_tensor([[1.0, 2.0]]) @ w + b) ** 2).sum()
        loss.backward()
        optimizer.minimize(loss)
        optimizer.clear_gradients()
        rate.step()
    optimizer.set_state_dict(optimizer.state_dict())
    np.testing.assert_allclose([float(w[0, 0]), float(b[0])], expected, atol=2e-6)

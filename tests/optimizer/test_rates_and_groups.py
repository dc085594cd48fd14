"""Which learning rate counts in eager mode, parameter groups of one Tensor, and settings refused at the first step."""

from __future__ import annotations

from typing import Any

import pytest

import paddle_compat as paddle


def parameter(value: float = 4.0) -> Any:
    return paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(value))


def moved(optimizer: Any, weight: Any) -> float:
    """How far a step takes a weight whose gradient is 1."""
    before = weight.item()
    weight.sum().backward()
    optimizer.step()
    optimizer.clear_grad()
    return before - weight.item()


def test_after_the_first_step_only_set_lr_changes_a_rate() -> None:
    """As Paddle 2.6.2: `get_lr` tells the new attribute, updates do not read it."""
    weight = parameter()
    sgd = paddle.optimizer.SGD(0.125, parameters=[weight])
    sgd._learning_rate = 0.25
    assert moved(sgd, weight) == 0.25
    sgd._learning_rate = 0.5
    assert (moved(sgd, weight), sgd.get_lr()) == (0.25, 0.5)
    sgd.set_lr(0.5)
    assert moved(sgd, weight) == 0.5
    sgd.set_lr_scheduler(paddle.optimizer.lr.StepDecay(1.0, 1, 0.5))
    assert moved(sgd, weight) == 1.0
    sgd._learning_rate.step()
    assert moved(sgd, weight) == 0.5


@pytest.mark.parametrize("set_to_zero", [True, False])
def test_clear_grad_reaches_a_group_of_one_tensor(set_to_zero: bool) -> None:
    first, second = parameter(), parameter()
    clip = paddle.nn.ClipGradByNorm(10.0)
    sgd = paddle.optimizer.SGD(0.5, parameters=[{"params": first, "grad_clip": clip}, {"params": [second]}])
    for _ in range(2):
        (first + second).sum().backward()
        sgd.step()
        sgd.clear_grad(set_to_zero)
    assert (first.item(), second.item()) == (3.0, 3.0)
    assert all((g is None) is not set_to_zero for g in (first.grad, second.grad))


def test_lbfgs_knows_one_line_search() -> None:
    weight = parameter()
    lbfgs = paddle.optimizer.LBFGS(line_search_fn="armijo", parameters=[weight])

    def closure() -> Any:
        loss = (weight * weight).sum()
        loss.backward()
        return loss

    with pytest.raises(RuntimeError, match="only 'strong_wolfe' is supported"):
        lbfgs.step(closure)


def test_model_average_wants_its_windows_in_order() -> None:
    weight = parameter()
    average = paddle.incubate.ModelAverage(0.15, parameters=[weight], min_average_window=4, max_average_window=2)
    weight.sum().backward()
    with pytest.raises(ValueError, match="min_average_window is 4, max_average_window is 2"):
        average.step()


@pytest.mark.parametrize(("decay", "group", "expected"), [
    (0.5, {"weight_decay": None}, -2.0), (0.5, {}, -1.0), (0.5, {"weight_decay": 0.05}, -1.9), ("l1", {"weight_decay": 0.05}, -1.7),
    ("l1", {"weight_decay": "l1"}, -1.8), ("l1", {"weight_decay": None}, -1.8), ("l2", {"weight_decay": None}, -2.0),
])  # fmt: skip
def test_momentum_decays_a_group_in_its_update(decay: object, group: dict[str, object], expected: float) -> None:
    rules = {"l1": paddle.regularizer.L1Decay(0.2), "l2": paddle.regularizer.L2Decay(0.3)}
    w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(-2.0))
    groups = [{"params": [w], **{k: rules.get(v, v) for k, v in group.items()}}]  # type: ignore[call-overload]
    momentum = paddle.optimizer.Momentum(1.0, parameters=groups, weight_decay=rules.get(decay, decay))  # type: ignore[call-overload]
    (w * 0).sum().backward()
    momentum.step()
    assert w.tolist() == pytest.approx([expected])  # 2.6.2's


@pytest.mark.parametrize("decay", [paddle.regularizer.L1Decay(0.1), paddle.regularizer.L2Decay(0.1), "0.1"])
def test_lamb_decays_by_a_number(decay: object) -> None:
    w = paddle.create_parameter([2], "float32")
    lamb = paddle.optimizer.Lamb(0.1, lamb_weight_decay=decay, parameters=[w])  # type: ignore[arg-type]
    (w * 2).sum().backward()
    for error in (ValueError, TypeError):  # 2.6.2's and 3.3.1's
        with pytest.raises(error, match="Invalid type for argument `lamb_weight_decay` of `Lamb`. Expected a float"):
            lamb.step()


def test_groups_of_sets_are_refused() -> None:
    with pytest.raises(TypeError, match="ordered collections"):
        paddle.optimizer.Adam(parameters=[{"params": {parameter(), parameter()}}])


def test_minimize_leaves_frozen_parameters_alone() -> None:
    trained, frozen = parameter(), parameter()
    sgd = paddle.optimizer.SGD(0.5, parameters=[trained, frozen], weight_decay=0.5)
    loss = (trained * frozen).sum()
    loss.backward()
    frozen.stop_gradient = True
    _, pairs = sgd.minimize(loss)
    assert [weight.name for weight, _ in pairs] == [trained.name]
    assert (trained.item(), frozen.item()) == (1.0, 4.0)


def test_minimize_takes_no_groups() -> None:
    weight = parameter()
    loss = weight.sum()
    loss.backward()
    with pytest.raises(ValueError, match="groups"):
        paddle.optimizer.SGD(0.5, parameters=[{"params": [weight]}]).minimize(loss)

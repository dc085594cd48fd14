"""Optimizers of a script's own that derive from Paddle's and change how one parameter is updated, or only look on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle

KINDS = ["SGD", "Momentum", "Adagrad", "RMSProp", "Adadelta", "Adam", "AdamW", "Adamax", "Lamb"]


def trained(kind: type, parameters: Any) -> list[list[float]]:
    """Two weights after three steps of an optimizer."""
    weights = [paddle.create_parameter([3], "float32", default_initializer=paddle.nn.initializer.Constant(x)) for x in (1.0, -2.0)]
    optimizer = kind(learning_rate=0.25, parameters=parameters(weights))
    for _ in range(3):
        (weights[0] * weights[1] + weights[0] ** 2).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
    return [weight.tolist() for weight in weights]


def watched(kind: type, seen: list[tuple[Any, Any]]) -> type:
    """One that updates as its base does, and keeps what it was given."""

    class Own(kind):  # type: ignore[misc, valid-type]
        def _append_optimize_op(self, block: Any, param_and_grad: Any) -> Any:
            seen.append((block, param_and_grad))
            return super()._append_optimize_op(block, param_and_grad)

    return Own


@pytest.mark.parametrize("name", KINDS)
def test_it_may_leave_the_update_to_its_base(name: str) -> None:
    seen: list[tuple[Any, Any]] = []
    kind = getattr(paddle.optimizer, name)
    np.testing.assert_allclose(trained(watched(kind, seen), list), trained(kind, list), rtol=1e-6)
    assert len(seen) == 6
    assert all(isinstance(block, paddle.base.framework.Block) and isinstance(pair, tuple) for block, pair in seen)


def test_parameters_of_groups_come_within_their_settings() -> None:
    def groups(weights: list[Any]) -> list[dict[str, Any]]:
        return [{"params": [weights[0]], "beta1": 0.5, "weight_decay": 0.125}, {"params": [weights[1]], "learning_rate": 0.5}]

    seen: list[tuple[Any, Any]] = []
    kind = paddle.optimizer.Adam
    np.testing.assert_allclose(trained(watched(kind, seen), groups), trained(kind, groups), rtol=1e-6)
    first, second = (settings for _, settings in seen[:2])
    assert (first["beta1"], first["weight_decay"], second["learning_rate"]) == (0.5, 0.125, 0.5) and "beta1" not in second
    assert [len(settings["params"]) for _, settings in seen] == [2] * 6


def test_its_own_update_reads_the_settings_of_a_group() -> None:
    """As libraries write it: `_update_param_group` takes the settings over, and gives the pair."""

    class Signs(paddle.optimizer.Momentum):
        def _append_optimize_op(self, block: Any, param_and_grad: Any) -> None:
            if isinstance(param_and_grad, dict):
                param_and_grad = self._update_param_group(param_and_grad)
            param, grad = param_and_grad
            velocity = self._get_accumulator("velocity", param)
            paddle.assign(velocity * self._momentum + paddle.sign(grad), velocity)
            paddle.assign(param - velocity * self._create_param_lr(param_and_grad), param)

    weights = [paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(4.0)) for _ in range(2)]
    signs = Signs(0.5, parameters=[{"params": weights[:1], "momentum": 0.25}, {"params": weights[1:], "learning_rate": 0.5}])
    for _ in range(2):
        (weights[0] + 3 * weights[1]).sum().backward()
        signs.step()
        signs.clear_grad()
    # the first moves by 0.5 and 0.5 * 1.25, the second by half of 0.5 and of 0.5 * 1.9
    assert [weight.tolist() for weight in weights] == [[2.875] * 2, [pytest.approx(3.275)] * 2]


def test_its_own_learning_rate_of_a_parameter_counts() -> None:
    class Half(paddle.optimizer.Momentum):
        def _create_param_lr(self, param_and_grad: Any) -> Any:
            return super()._create_param_lr(param_and_grad) * 0.5

        def get_lr(self) -> float:
            return 1e9  # what it tells, which no update reads

    weight = paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(4.0))
    half = Half(0.5, momentum=0.0, parameters=[weight])
    for rate, left in ((0.5, 3.75), (1.0, 3.25), (1.0, 2.75)):
        half.set_lr(rate)
        weight.sum().backward()
        half.step()
        half.clear_grad()
        assert weight.tolist() == [left] * 2


def test_it_sees_the_block_and_all_pairs_where_it_prepares_and_finishes() -> None:
    seen: list[tuple[str, bool, int]] = []

    class Watching(paddle.optimizer.Adam):
        def _create_accumulators(self, block: Any, parameters: Any) -> None:
            seen.append(("prepares", isinstance(block, paddle.base.framework.Block), len(parameters)))
            super()._create_accumulators(block, parameters)

        def _finish_update(self, block: Any, parameters_and_grads: Any) -> None:
            assert all(grad.shape == param.shape for param, grad in parameters_and_grads)
            seen.append(("finishes", isinstance(block, paddle.base.framework.Block), len(parameters_and_grads)))

    np.testing.assert_allclose(trained(Watching, list), trained(paddle.optimizer.Adam, list), rtol=1e-6)
    assert seen == [("prepares", True, 2), ("finishes", True, 2)] * 3


@pytest.mark.parametrize("kept", ["_already_create_accumulater", "_already_create_accumulator"])
def test_it_may_note_which_parameters_have_accumulators(kept: str) -> None:
    """As the adaptive optimizers of libraries do, in 2.6's spelling and in 3.3's."""

    class Heavy(paddle.optimizer.Optimizer):
        def _create_accumulators(self, block: Any, parameters: Any) -> None:
            for parameter in parameters:
                if parameter.name not in getattr(self, kept):
                    self._add_accumulator("speed", parameter, fill_value=1.0)
                    getattr(self, kept).add(parameter.name)

        def _append_optimize_op(self, block: Any, param_and_grad: Any) -> None:
            parameter, grad = param_and_grad
            speed = self._get_accumulator("speed", parameter)
            paddle.assign(speed * 0.5 + grad, speed)
            paddle.assign(parameter - speed, parameter)

    weight = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(8.0))
    heavy = Heavy(0.5, parameters=[weight])
    for left in (6.5, 4.75):
        weight.sum().backward()
        heavy.step()
        heavy.clear_grad()
        assert weight.tolist() == [left]
    assert getattr(heavy, kept) == {weight.name} and len(heavy.state_dict()) == 1

"""Eager optimizers get where the wheel's get."""

from __future__ import annotations

import gzip
import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle

HERE = Path(__file__).resolve().parent
_spec = importlib.util.spec_from_file_location("eager_steps", HERE / "eager_steps.py")
assert _spec is not None and _spec.loader is not None
eager_steps = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(eager_steps)
with gzip.open(HERE.parent / "references/optimizer_eager_2.6.2.json.gz", "rt") as _file:
    REAL: dict[str, Any] = json.load(_file)
NAMES = sorted(REAL.keys() - {"searches"})


@pytest.fixture(autouse=True)
def at_once() -> None:
    paddle.disable_static()


def test_every_case_is_recorded() -> None:
    assert sorted(eager_steps.cases(paddle)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_steps_are_the_wheels(name: str) -> None:
    ours, real = eager_steps.train(paddle, tag="_0_", **eager_steps.cases(paddle)[name]), REAL[name]
    near = 1e-12 if "float64" in name else 2e-6
    for own, wheels in zip(ours["ends"], real["ends"], strict=True):
        np.testing.assert_allclose(own, wheels, rtol=near, atol=near)
    assert list(ours["state"]) == list(real["state"])
    for key, value in real["state"].items():
        np.testing.assert_allclose(ours["state"][key], value, rtol=1e-5, atol=1e-6, err_msg=key)
    assert ours["rate"] == pytest.approx(real["rate"]) and ours["scheduler"] == pytest.approx(real["scheduler"])


def test_lbfgs_searches_as_the_wheel() -> None:
    for name, steps in eager_steps.searches(paddle).items():
        for ours, real in zip(steps, REAL["searches"][name], strict=True):
            assert ours[1] == real[1], name
            np.testing.assert_allclose([ours[0], *ours[2]], [real[0], *real[2]], rtol=1e-6, atol=1e-9, err_msg=name)


def test_lbfgs_goes_on_from_a_state(tmp_path: Path) -> None:
    def run(split: bool) -> list[float]:
        x = paddle.create_parameter([2], "float64")
        x.set_value(np.array([-1.2, 1.0]))

        def make() -> Any:
            return paddle.optimizer.LBFGS(max_iter=3, line_search_fn="strong_wolfe", parameters=[x])

        optimizer = make()
        for _ in range(2):

            def closure(optimizer: Any = optimizer) -> Any:
                optimizer.clear_grad()
                loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
                loss.backward()
                return loss

            optimizer.step(closure)
            if split:
                paddle.save(optimizer.state_dict(), str(tmp_path / "opt.pdopt"))
                optimizer = make()
                optimizer.set_state_dict(paddle.load(str(tmp_path / "opt.pdopt")))
        ends: list[float] = x.numpy().tolist()
        return ends

    assert run(True) == run(False)


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs_counts_frozen_parameters(search: str | None) -> None:
    """Figures of 2.6.2: a batch norm's statistics and a frozen weight have zeros in the state; a search puts statistics back."""
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.BatchNorm1D(4), paddle.nn.Linear(4, 1))
    numbers = np.random.RandomState(0)
    for param in net.parameters():
        if not param.stop_gradient:
            param.set_value(numbers.rand(*param.shape).astype("float32") - 0.4)
    net[2].weight.stop_gradient = True
    x, y = (paddle.to_tensor(numbers.rand(6, n).astype("float32")) for n in (3, 1))
    optimizer = paddle.optimizer.LBFGS(0.5, max_iter=4, line_search_fn=search, parameters=net.parameters())

    def closure() -> Any:
        optimizer.clear_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        return loss

    losses = [float(optimizer.step(closure)) for _ in range(3)]
    np.testing.assert_allclose(losses, [0.1199924, 0.0371820, 0.0357066], atol=1e-6)
    state = optimizer.state_dict()["state"]
    assert state["d"].shape == state["prev_flat_grad"].shape == [37]
    mean = [0.309642, 0.594130, -0.014966, 0.058254] if search is None else [0.118751, 0.226139, -0.007635, 0.022927]
    np.testing.assert_allclose(net[1]._mean.numpy(), mean, atol=1e-5)


def test_lbfgs_wants_a_closure() -> None:
    x = paddle.create_parameter([2], "float32")
    optimizer = paddle.optimizer.LBFGS(parameters=[x])
    with pytest.raises(TypeError, match="closure"):
        optimizer.step()
    with pytest.raises(NotImplementedError, match="LBFGS"):
        optimizer.minimize(x.sum())


@pytest.mark.parametrize(
    ("name", "first", "last"),  # the first number of both weights after three steps, as 2.6.2 has them
    [
        ("SGD", -2.4317, -1.9414),
        ("Momentum", -3.3934, 1.2829),
        ("Adam", 0.4510, 0.7288),
        ("AdamW", 0.4462, 0.7259),
        ("Adamax", 0.4657, 0.7833),
        ("Adagrad", 0.5244, 0.7121),
        ("Adadelta", 0.9952, 0.9981),
        ("RMSProp", -0.9592, 0.1849),
        ("Lamb", -0.1522, 0.7478),
    ],
)
def test_a_parameter_that_is_listed_twice_is_updated_twice(name: str, first: float, last: float) -> None:
    paddle.seed(1)
    below, above = paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2)
    below.weight.set_value(np.array([[1, 2], [3, -1]], "float32"))
    above.weight.set_value(np.array([[1, 0.5], [0.3, -1]], "float32"))
    listed = below.parameters() + above.parameters() + [below.weight, above.bias]
    optimizer = getattr(paddle.optimizer, name)(0.1, parameters=listed)
    for i in range(3):
        (above(below(paddle.ones([1, 2]) * (i + 0.5))) ** 2).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
    assert [float(below.weight[0, 0]), float(above.weight[0, 0])] == pytest.approx([first, last], abs=6e-5)

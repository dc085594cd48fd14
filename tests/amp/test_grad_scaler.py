"""GradScaler: its steps are the wheel's, and where it has no effect."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.amp import _support
from paddle_compat.amp._casting import amp_global_state

_spec = importlib.util.spec_from_file_location("scaling", Path(__file__).with_name("scaling.py"))
assert _spec is not None and _spec.loader is not None
scaling = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(scaling)

REAL = json.loads((ROOT / "tests/references/amp_scaler_2.6.2.json").read_text())


@pytest.fixture
def in_half_precision(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As on a GPU, after an `auto_cast` to float16."""
    paddle.disable_static()
    monkeypatch.setattr(_support, "accelerated", lambda: True)
    monkeypatch.setattr(amp_global_state(), "amp_dtype", "float16")
    yield


def test_steps_are_the_wheels(in_half_precision: None) -> None:
    scaler = paddle.amp.GradScaler(init_loss_scaling=5.0, incr_every_n_steps=3, decr_every_n_nan_or_inf=2)
    for ours, real in zip(scaling.steps(paddle, scaler), REAL["steps"], strict=True):
        np.testing.assert_allclose(ours[0], real[0], atol=2e-5)
        assert ours[2:] == real[2:]
        if "inf" not in ours[1] and "nan" not in real[1]:  # of a step that is left out, the wheel's CPU kernel makes zeros and NaN
            assert ours[1] == real[1]


def test_scaled_losses_are_the_wheels(in_half_precision: None) -> None:
    for case, (shape, kind, values) in REAL["losses"].items():
        name, _, dims = case.partition(" ")
        scaled = paddle.amp.GradScaler(init_loss_scaling=4.0).scale(paddle.full(json.loads(dims), 2.0, name))
        assert scaled.shape == shape and scaled.dtype == getattr(paddle, kind), case
        assert scaled.astype("float32").numpy().tolist() == values


@pytest.mark.parametrize("case", REAL["refusals"])
def test_refusals_are_the_wheels(in_half_precision: None, case: str) -> None:
    ours = scaling.refusals(paddle, paddle.amp.GradScaler)[case]
    assert ours.startswith(REAL["refusals"][case]), ours


def test_a_state_goes_into_another_scaler(in_half_precision: None) -> None:
    first = paddle.amp.GradScaler(init_loss_scaling=8.0, incr_every_n_steps=7)
    second = paddle.amp.GradScaler()
    second.load_state_dict(first.state_dict())
    assert second.state_dict() == first.state_dict() and second.get_init_loss_scaling() == 8.0


@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
def test_dynamic_scaling_is_for_float16(in_half_precision: None, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(amp_global_state(), "amp_dtype", kind)
    scaler, loss = paddle.amp.GradScaler(), paddle.ones([1])
    with pytest.warns(UserWarning, match=f"dynamic loss scaling for {kind}"):
        assert scaler.scale(loss) is loss
    assert not scaler.is_enable() and not scaler.is_use_dynamic_loss_scaling()
    fixed = paddle.amp.GradScaler(init_loss_scaling=4.0, use_dynamic_loss_scaling=False)
    assert fixed.scale(loss).tolist() == [4.0]


def test_it_has_no_effect_on_a_cpu() -> None:
    paddle.disable_static()
    with pytest.warns(UserWarning, match="makes no effect"):
        scaler: Any = paddle.amp.GradScaler()
    w = paddle.create_parameter([2], "float32")
    sgd = paddle.optimizer.SGD(0.5, parameters=[w])
    before, loss = w.numpy(), (w * 2.0).sum()
    assert scaler.scale(loss) is loss
    paddle.autograd.backward([loss])
    scaler.step(sgd)
    scaler.update()
    np.testing.assert_allclose(w.numpy(), before - 1.0, rtol=1e-6)
    assert scaler.state_dict() == {} and scaler.is_enable() is False


@pytest.mark.parametrize("way", ["step", "minimize"])
@pytest.mark.parametrize("kind", ["Momentum", "Adam", "Adamax", "RAdam"])
def test_a_step_left_out_makes_accumulators(in_half_precision: None, kind: str, way: str) -> None:
    w = paddle.create_parameter([2], "float32")
    before = w.numpy()
    with paddle.utils.unique_name.guard():
        optimizer = getattr(paddle.optimizer, kind)(0.1, parameters=[w])
        scaler = paddle.amp.GradScaler(init_loss_scaling=4.0)
        loss = scaler.scale((w * paddle.to_tensor([1.0, float("inf")])).sum())
        paddle.autograd.backward([loss])
        if way == "step":
            scaler.step(optimizer)
            assert scaler._optimizer_states[id(optimizer)]["state"] is paddle.amp.OptimizerState.STEPPED
            scaler.update()
        else:
            operators, pairs = scaler.minimize(optimizer, loss)
            assert operators == [] and pairs[0][0] is w
    assert scaler._cache_founf_inf is True and w.numpy().tolist() == before.tolist()
    # every one is as it began, but Adamax ends a step that was left out, too
    state = {name.removeprefix(w.name + "_"): value.tolist() for name, value in optimizer.state_dict().items()}
    assert {name: np.round(value, 6).tolist() for name, value in state.items()} == {
        "Momentum": {"velocity_0": [0.0, 0.0]},
        "Adam": {"moment1_0": [0.0, 0.0], "moment2_0": [0.0, 0.0], "beta1_pow_acc_0": [0.9], "beta2_pow_acc_0": [0.999]},
        "RAdam": {"moment1_0": [0.0] * 2, "moment2_0": [0.0] * 2, "beta1_pow_0": [1.0] * 2, "beta2_pow_0": [1.0] * 2, "rho_0": [1.0] * 2},
        "Adamax": {"moment_0": [0.0, 0.0], "inf_norm_0": [0.0, 0.0], "beta1_pow_acc_0": [0.81]},
    }[kind]

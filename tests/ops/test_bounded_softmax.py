"""Softmax and what is made of it take no logit further than 64 below the largest, as the CPU wheels 1.8.5 and 2.6.2."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from paddle_compat.core.op import find_op

LOGITS = np.array([[0.0, -63.0, -65.0, -100.0], [0.0, -80.0, -90.0, -1.0]])
LABEL = np.array([[3], [1]])
TARGET = np.array([[0.1, 0.2, 0.3, 0.4], [0.0, 0.5, 0.5, 0.0]])
GRAD = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])
ONE_HOT = np.eye(4)[LABEL[:, 0]]


def bounded(axis: int) -> tuple[np.ndarray, np.ndarray]:
    """The softmax of the bounded logits, and its logarithm."""
    below = np.maximum(LOGITS - LOGITS.max(axis, keepdims=True), -64.0)
    logs = below - np.log(np.exp(below).sum(axis, keepdims=True))
    return np.exp(logs), logs


def run(type_: str, grad: np.ndarray, *inputs: Any, output: int | None = None, **attrs: Any) -> tuple[np.ndarray, np.ndarray]:
    """The operator's output and the gradient of its first input."""
    definition = find_op(type_)
    assert definition is not None
    x = torch.tensor(LOGITS, requires_grad=True)
    out = definition.fn(x, *inputs, **attrs)
    out = out if output is None else out[output]
    (found,) = torch.autograd.grad(out, x, torch.tensor(grad))
    return out.detach().numpy(), found.numpy()


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax(axis: int) -> None:
    soft, _ = bounded(axis)
    out, grad = run("softmax", GRAD, axis=axis)
    np.testing.assert_allclose(out, soft, rtol=1e-12)
    np.testing.assert_allclose(grad, soft * (GRAD - (soft * GRAD).sum(axis, keepdims=True)), rtol=1e-9, atol=1e-40)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_log_softmax(axis: int) -> None:
    soft, logs = bounded(axis)
    out, grad = run("log_softmax", GRAD, axis=axis)
    np.testing.assert_allclose(out, logs, rtol=1e-12)
    np.testing.assert_allclose(grad, GRAD - soft * GRAD.sum(axis, keepdims=True), rtol=1e-9)


def test_the_loss_of_a_class_still_has_its_gradient() -> None:
    soft, logs = bounded(1)
    loss, grad = run("softmax_with_cross_entropy", np.ones((2, 1)), torch.tensor(LABEL), output=1)
    np.testing.assert_allclose(loss, -np.take_along_axis(logs, LABEL, 1), rtol=1e-12)
    np.testing.assert_allclose(loss[0], [64.0], rtol=1e-12)
    np.testing.assert_allclose(grad, soft - ONE_HOT, rtol=1e-9)


def test_the_loss_of_probabilities() -> None:
    soft, logs = bounded(1)
    loss, grad = run("softmax_with_cross_entropy", np.ones((2, 1)), torch.tensor(TARGET), output=1, soft_label=True)
    np.testing.assert_allclose(loss, -(TARGET * logs).sum(1, keepdims=True), rtol=1e-12)
    np.testing.assert_allclose(grad, soft - TARGET, rtol=1e-9, atol=1e-40)


def test_sequence_softmax_is_not_bounded() -> None:
    definition = find_op("sequence_softmax")
    assert definition is not None
    out = definition.fn(torch.tensor(LOGITS[0]).reshape(4, 1), x_lod=[torch.tensor([0, 4])])
    out = out[0] if isinstance(out, tuple) else out
    np.testing.assert_allclose(out.reshape(-1).numpy(), np.exp(LOGITS[0]) / np.exp(LOGITS[0]).sum(), rtol=1e-12)


@pytest.mark.parametrize(("values", "expected"), [([0.0, -np.inf, -200.0], [0.0, -64.0, -64.0]), ([0.0, np.nan, 1.0], [np.nan] * 3)])
def test_what_is_no_number(values: list[float], expected: list[float]) -> None:
    definition = find_op("log_softmax")
    assert definition is not None
    np.testing.assert_allclose(definition.fn(torch.tensor([values])).numpy()[0], expected)


@pytest.mark.parametrize("many", [0, 1 << 30])
@pytest.mark.parametrize("spread", [0.1, 1.0, 10.0])
def test_the_mean_loss_of_logits(monkeypatch: pytest.MonkeyPatch, many: int, spread: float) -> None:
    """However the logits are looked at, what is out of bounds is bounded; with its gradient, and with a class left out."""
    from paddle_compat.engine import peephole

    monkeypatch.setattr(peephole, "MANY", many)
    values = torch.randn(16, 5, generator=torch.Generator().manual_seed(1), dtype=torch.float64) * 8 * spread
    label = torch.arange(16).remainder(5).unsqueeze(1)
    softmax_with_cross_entropy = find_op("softmax_with_cross_entropy")
    assert softmax_with_cross_entropy is not None
    found = []
    for whole in (True, False):
        logits = values.clone().requires_grad_()
        if whole:
            loss = peephole.mean_nll_of_logits(logits, label, 2)
        else:
            loss = softmax_with_cross_entropy.fn(logits, label, ignore_index=2)[1].mean()
        found.append((loss, *torch.autograd.grad(loss, logits)))
    torch.testing.assert_close(*found, rtol=1e-9, atol=1e-12)

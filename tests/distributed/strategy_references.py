"""What strategies do to the parameters of the workers of `strategy_job`: the algorithms written out in numpy."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from distributed.strategy_job import CASES, INFINITE, LARS, RATE, ROWS, STEPS, batch, start

MOMENTUM, RANKS = 0.5, 2
Rows = list[np.ndarray]


def gradient(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Of the mean of the squares of x @ weight."""
    return 2 * x.T @ (x @ weight) / (ROWS * weight.shape[1])


def loss(x: np.ndarray, weight: np.ndarray) -> float:
    return float(np.mean(np.square(x @ weight)))


def batches(case: str, step: int) -> Rows:
    return [batch(case, step, rank).astype("float64") for rank in range(RANKS)]


def mean_gradient(case: str, step: int, weight: np.ndarray) -> np.ndarray:
    return np.mean([gradient(x, weight) for x in batches(case, step)], axis=0)


def in_half(grads: Rows) -> np.ndarray:
    """The sum of gradients that travel as float16."""
    low = [grad.astype("float16") for grad in grads]
    return (low[0] + low[1]).astype("float64")


def momentum(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    velocity = np.zeros_like(weight)
    for step in range(STEPS):
        velocity = MOMENTUM * velocity + mean_gradient(case, step, weight)
        weight = weight - RATE["momentum"] * velocity
        yield weight


def plain(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    for step in range(STEPS):
        weight = weight - RATE["sgd"] * mean_gradient(case, step, weight)
        yield weight


def summed(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    for step in range(STEPS):
        weight = weight - RATE["sgd"] * RANKS * mean_gradient(case, step, weight)
        yield weight


def merged(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    velocity, total = np.zeros_like(weight), np.zeros_like(weight)
    for step in range(STEPS):
        total = total + mean_gradient(case, step, weight)
        if step % 3 == 2:
            velocity = MOMENTUM * velocity + total / 3
            weight = weight - RATE["momentum"] * velocity
            total = np.zeros_like(weight)
        yield weight


def merged_in_half(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    totals = [np.zeros_like(weight) for _ in range(RANKS)]
    for step in range(STEPS):
        totals = [total + gradient(x, weight) / RANKS for total, x in zip(totals, batches(case, step))]
        if step % 2 == 1:
            weight = weight - RATE["sgd"] * in_half(totals)
            totals = [np.zeros_like(weight) for _ in range(RANKS)]
        yield weight


def halved(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    for step in range(STEPS):
        weight = weight - RATE["sgd"] * in_half([gradient(x, weight) / RANKS for x in batches(case, step)])
        yield weight


def trusted(grad: np.ndarray, weight: np.ndarray) -> float:
    """The learning rate of LARS."""
    norm = float(np.linalg.norm(weight))
    return RATE["momentum"] * 0.1 * norm / (float(np.linalg.norm(grad)) + 0.01 * norm)


def lars(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    velocity = np.zeros_like(weight)
    for step in range(STEPS):
        grad = mean_gradient(case, step, weight)
        velocity = MOMENTUM * velocity + trusted(grad, weight) * (grad + 0.01 * weight)
        weight = weight - velocity
        yield weight


def lamb(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    first, second = np.zeros_like(weight), np.zeros_like(weight)
    for step in range(STEPS):
        grad = mean_gradient(case, step, weight)
        first, second = 0.9 * first + 0.1 * grad, 0.999 * second + 0.001 * grad**2
        move = first / (1 - 0.9 ** (step + 1)) / (np.sqrt(second / (1 - 0.999 ** (step + 1))) + 1e-8) + 0.02 * weight
        weight = weight - RATE["adam"] * np.linalg.norm(weight) / np.linalg.norm(move) * move
        yield weight


def mixed(case: str) -> Iterator[np.ndarray]:
    weight = start(case).astype("float64")
    for step in range(STEPS):
        if step != INFINITE:
            weight = weight - RATE["sgd"] * mean_gradient(case, step, weight)
        yield weight


REFERENCES: dict[str, Callable[[str], Iterator[np.ndarray]]] = {
    "plain": momentum, "recompute": momentum, "sum": summed, "customized": summed, "built": summed,
    "merge": merged, "merge_half": merged_in_half,
    "half": halved, "lars": lars, "lamb": lamb, "mixed": mixed, "merge_mixed": merged, "lamb_mixed": lamb, "lars_mixed": lars,
    "merge_mixed_recompute": merged, "bfloat16": plain, "unused": plain, "merge_bfloat16_recompute": merged,
}  # fmt: skip


def local_steps(case: str, meets: Callable[[int, float], bool]) -> list[Rows]:
    """Each worker's parameter after each step; `meets` is told the step (from 1) and the mean loss."""
    kept = MOMENTUM if CASES[case][1] == "momentum" else 0.0
    weights = [start(case).astype("float64") for _ in range(RANKS)]
    velocities = [np.zeros_like(weights[0]) for _ in range(RANKS)]
    found: list[Rows] = [[] for _ in range(RANKS)]
    for step in range(STEPS):
        data = batches(case, step)
        mean_loss = float(np.mean([loss(x, weight) for x, weight in zip(data, weights)]))
        for rank, x in enumerate(data):
            grad, weight = gradient(x, weights[rank]), weights[rank]
            move = trusted(grad, weight) * (grad + 0.01 * weight) if LARS.keys() <= CASES[case][0].keys() else RATE["sgd"] * grad
            if np.isfinite(grad).all():
                velocities[rank] = kept * velocities[rank] + move
                weights[rank] = weight - velocities[rank]
        if meets(step + 1, mean_loss):
            weights = [np.mean(weights, axis=0)] * RANKS
        for rank in range(RANKS):
            found[rank].append(weights[rank])
    return found

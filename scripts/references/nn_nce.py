"""Cases of noise contrastive estimation; the seed is fixed, without one the wheels draw different classes each time."""

from __future__ import annotations

from typing import Any

import numpy as np
from nn_cases import case, integers, normal, uniform

UNIFORM, LOG_UNIFORM, CUSTOM = range(3)
CHANCES = uniform(50, low=0.1, seed=3)


def alias_table(chances: Any) -> dict[str, Any]:
    """Walker's table in float32: the classes above average give to those below."""
    share = chances / chances.sum() * len(chances)
    alias = np.full(len(chances), -1, "int32")
    low, high = [i for i, s in enumerate(share) if s < 1], [i for i, s in enumerate(share) if s >= 1]
    while low and high:
        needy, giver = low.pop(), high[-1]
        alias[needy] = giver
        share[giver] -= 1 - share[needy]
        if share[giver] < 1:
            low.append(high.pop())
    return {"CustomDistAlias": alias, "CustomDistAliasProbs": share, "CustomDistProbs": chances / chances.sum()}


def sampled(true: int = 1, weighted: bool = False, bias: bool = True, inputs: Any = None, **attrs: Any) -> Any:
    """8 samples against classes drawn out of 50."""
    given = {"Input": normal(8, 3), "Label": integers(8, true, high=50), "Weight": normal(50, 3, seed=1)}
    if bias:
        given["Bias"] = normal(50, 1, seed=2)
    if weighted:
        given["SampleWeight"] = uniform(8, 1)
    given.update(inputs or {})
    settings = {"num_total_classes": 50, "num_neg_samples": 10, "seed": 7, "sampler": UNIFORM}
    settings.update({"is_sparse": False, "remote_prefetch": False}, **attrs)
    grads = [slot for slot in ("Input", "Weight", "Bias") if slot in given]
    return case("nce", given, settings, grads, ("Cost", "SampleLogits", "SampleLabels"), upstream=("Cost",))


CASES = {
    "uniform": sampled(),
    "uniform_weighted": sampled(weighted=True, true=3, seed=11),
    "uniform_plain": sampled(bias=False, num_neg_samples=4),
    "log_uniform": sampled(sampler=LOG_UNIFORM, true=2, num_neg_samples=40),
    "custom": sampled(sampler=CUSTOM, inputs=alias_table(CHANCES), num_neg_samples=40, weighted=True),
}

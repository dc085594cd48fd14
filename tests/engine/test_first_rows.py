"""First values of rows: those of Paddle 1.8's whole table where its seed decides, else random numbers that do not depend on the order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.op import find_op
from paddle_compat.engine.first_rows import first_rows, uniform_rows

HEIGHT, WIDTH = 40_000, 5
OLD = {"_engine": "minstd"}
OPERATORS: dict[str, tuple[str, dict[str, Any]]] = {
    "uniform": ("uniform_random", {"min": -0.3, "max": 0.4, "seed": 7}),
    "uniform float64": ("uniform_random", {"min": -0.3, "max": 0.4, "seed": 7, "dtype": 6}),
    "uniform without a seed": ("uniform_random", {"min": -0.3, "max": 0.4, "seed": 0, **OLD}),
    "normal": ("gaussian_random", {"mean": 1.5, "std": 0.5, "seed": 3, **OLD}),
    "cut normal": ("truncated_gaussian_random", {"mean": 1.5, "std": 0.5, "seed": 3, **OLD}),
}


def whole(type_: str, attrs: dict[str, Any]) -> torch.Tensor:
    definition = find_op(type_)
    assert definition is not None
    return torch.as_tensor(definition.fn(shape=[HEIGHT, WIDTH], **attrs))


@pytest.mark.parametrize("dtype", [5, 6])
@pytest.mark.parametrize("seed", [1, 90, 2**31])
def test_a_seeded_table_of_paddle_1_8_begins_as_the_whole_does(seed: int, dtype: int) -> None:
    attrs = {"min": -0.3, "max": 0.4, "seed": seed, "dtype": dtype, **OLD}
    ids = torch.from_numpy(np.random.default_rng(0).permutation(HEIGHT)[:3000])
    found = first_rows("uniform_random", attrs, WIDTH)(ids)
    assert torch.equal(found, whole("uniform_random", attrs)[ids])


def test_any_row_of_a_seeded_table_is_made_at_once() -> None:
    """Its numbers come round after 2^31 - 2."""
    rows = first_rows("uniform_random", {"min": 0.0, "max": 1.0, "seed": 5, **OLD}, 2)
    assert torch.equal(rows(torch.tensor([10])), rows(torch.tensor([10 + 2**30 - 1])))


@pytest.mark.parametrize("name", OPERATORS)
def test_random_rows_are_spread_as_the_operator_spreads_them(name: str) -> None:
    type_, attrs = OPERATORS[name]
    initial, ids = first_rows(type_, attrs, WIDTH, "table"), torch.arange(HEIGHT)
    found, real = initial(ids), whole(type_, attrs)
    assert found.dtype == real.dtype and found.shape == real.shape
    assert torch.equal(found.flip(0), initial(ids.flip(0)))  # whoever comes first
    assert abs(found.mean() - real.mean()) < 0.005 and abs(found.std() - real.std()) < 0.005
    if type_ != "gaussian_random":
        assert abs(found.min() - real.min()) < 0.01 and abs(found.max() - real.max()) < 0.01
    assert abs(torch.corrcoef(found.T.double()) - torch.eye(WIDTH)).max() < 0.03


def test_tables_without_a_seed_differ_by_name() -> None:
    one, two = (first_rows("uniform_random", {"seed": 0}, WIDTH, name)(torch.arange(9)) for name in "ab")
    assert not torch.equal(one, two)
    assert math.isclose(len(torch.cat([one, two]).unique()), 2 * 9 * WIDTH)


def test_constants_and_listed_values() -> None:
    assert first_rows("fill_constant", {"value": 2.5}, 3)(torch.tensor([7, 2])).tolist() == [[2.5] * 3] * 2
    values = {"fp32_values": list(range(12)), "shape": [4, 3], "dtype": 5}
    assert first_rows("assign_value", values, 3)(torch.tensor([3, 0])).tolist() == [[9.0, 10.0, 11.0], [0.0, 1.0, 2.0]]


def test_what_fills_otherwise_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="the initializer's operator `range`"):
        first_rows("range", {}, 3)


def test_rows_of_another_seed_are_others() -> None:
    initial = uniform_rows(16, -0.25, 0.75, seed=3)
    rows = initial(torch.arange(4000))
    assert not torch.equal(rows, uniform_rows(16, -0.25, 0.75, seed=4)(torch.arange(4000)))
    assert rows.min() >= -0.25 and rows.max() < 0.75
    assert len(rows.unique()) > 63_500  # of 64,000 floats

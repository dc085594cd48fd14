"""Short static scripts, as the documentation and the unit tests of Paddle 2.6 have them, print and fetch what the wheel does"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path[:0] = [str(ROOT / "scripts/references")]

import static_scripts  # noqa: E402

pytestmark = pytest.mark.usefixtures("exact_random")


@cache
def recorded() -> dict[str, Any]:
    """What the wheel gave, by case."""
    found: dict[str, Any] = json.loads((ROOT / "tests/references/static_scripts_2.6.2.json").read_text())
    return found


def test_every_recorded_script_is_still_there() -> None:
    assert sorted(recorded()) == sorted(static_scripts.CASES)


@pytest.mark.parametrize("name", list(static_scripts.CASES))
def test_as_the_wheel(name: str) -> None:
    ours, real = static_scripts.observe(paddle, name), recorded()[name]
    values, expected = ours.pop("values", []), real.get("values", [])
    assert ours == {key: value for key, value in real.items() if key != "values"}
    assert [v[:2] for v in values] == [v[:2] for v in expected]
    for (_, _, got), (_, _, want) in zip(values, expected):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("sizes", [(3, 4), (-1, 4)], ids=str)
def test_sizes_known_at_run_time_only(sizes: tuple[int, int]) -> None:
    """The wheel counts with -1 here."""
    paddle.enable_static()
    a = paddle.static.data("a", sizes)
    k = paddle.static.data("k", [5], "int64")
    out = [paddle.linalg.cov(a, rowvar=False, ddof=False), *(paddle.take(a, k, mode=mode) for mode in ("wrap", "clip", "raise"))]
    fed = {"a": np.random.RandomState(1).rand(3, 4).astype("float32"), "k": np.array([-5, 3, 11, 0, -12])}
    got = paddle.static.Executor().run(feed=fed, fetch_list=out)
    expected = np.cov(fed["a"], rowvar=False, ddof=0), *(fed["a"].take(fed["k"], mode=mode) for mode in ("wrap", "clip", "raise"))
    for one, other in zip(got, expected):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)

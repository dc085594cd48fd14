"""Outputs that operators write for their gradients: the wheels' values where somebody reads them, and no cost elsewhere."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.engine.lowering import lower
from paddle_compat.errors import UnsupportedError

pytestmark = pytest.mark.usefixtures("exact_random")

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("1.8.5", "2.6.2")


def _cases() -> ModuleType:
    spec = importlib.util.spec_from_file_location("described_outputs", ROOT / "scripts/references/described_outputs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


cases = _cases()


@lru_cache
def recorded(version: str) -> dict[str, Any]:
    with np.load(ROOT / f"tests/references/described_outputs_{version}.npz") as file:
        return dict(file)


def front(version: str) -> Any:
    """The module that Programs of this version are written with."""
    if version == "1.8.5":
        return fluid
    paddle.enable_static()
    return paddle.static


@pytest.mark.parametrize(("version", "name"), [(v, n) for n, case in cases.CASES.items() for v in VERSIONS if v in case.versions])
def test_all_outputs_can_be_fetched(version: str, name: str) -> None:
    case = cases.CASES[name]
    for slot, value in zip(case.outputs, cases.fetch_all(front(version), fluid.core, case)):
        expected = recorded(version)[f"{name}.{slot}"]
        if slot == "Eigenvectors":  # each is one up to its sign
            value, expected = abs(value), abs(expected)
        assert value.shape == expected.shape, slot
        assert value.dtype == expected.dtype, slot
        np.testing.assert_allclose(value, expected, rtol=2e-5, atol=2e-6, err_msg=slot)


def _network() -> tuple[Any, Any, Any]:
    """A layer norm and a dropout with their backward pass: (Program, the layer norm, the dropout)."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [3, 4])
        x.stop_gradient = False
        hidden = fluid.layers.dropout(fluid.layers.layer_norm(x, scale=False, shift=False), 0.5, seed=3)
        fluid.gradients(fluid.layers.mean(fluid.layers.square(hidden)), x)
    kinds = {op.type: op for op in main.global_block().ops}
    return main, kinds["layer_norm"], kinds["dropout"]


def _targets(main: Any, fetches: list[str]) -> list[str]:
    lowered = lower(main, ["x"], [], fetches, lambda name: False, lambda name: False)
    return [getattr(node.target, "__name__", "") for node in lowered.module.graph.nodes if node.op == "call_function"]


def test_nothing_is_computed_when_nobody_asks() -> None:
    main, norm, dropout = _network()
    without = _targets(main, ["x@GRAD"])
    assert "_layer_mean" not in without
    assert "_dropout_and_mask" not in without
    mean, mask = norm.output("Mean")[0], dropout.output("Mask")[0]
    asked = _targets(main, ["x@GRAD", mean, mask])
    assert asked.count("_layer_mean") == 1
    assert "_layer_variance" not in asked
    assert asked.count("_dropout_and_mask") == 1
    assert "dropout" not in asked


def test_fetching_changes_no_other_value() -> None:
    main, norm, dropout = _network()
    mean, mask, out = norm.output("Mean")[0], dropout.output("Mask")[0], dropout.output("Out")[0]
    feed = {"x": cases.numbers(3, 4)}
    exe = fluid.Executor(fluid.CPUPlace())
    grad, dropped = exe.run(main, feed=feed, fetch_list=["x@GRAD", out])
    again, same, centre, kept = exe.run(main, feed=feed, fetch_list=["x@GRAD", out, mean, mask])
    np.testing.assert_array_equal(again, grad)
    np.testing.assert_array_equal(same, dropped)
    np.testing.assert_array_equal(kept == 1, dropped != 0)
    np.testing.assert_allclose(centre, feed["x"].mean(1), rtol=1e-6)


def test_an_operator_may_read_one() -> None:
    main, norm, _ = _network()
    block = main.global_block()
    doubled = block.create_var(name="doubled", dtype="float32")
    block.append_op(type="scale", inputs={"X": norm.output("Mean")}, outputs={"Out": [doubled]}, attrs={"scale": 2.0})
    feed = {"x": cases.numbers(3, 4)}
    (value,) = fluid.Executor(fluid.CPUPlace()).run(main, feed=feed, fetch_list=[doubled])
    np.testing.assert_allclose(value, 2 * feed["x"].mean(1), rtol=1e-6)


@pytest.mark.parametrize("attrs", [{"is_test": True}, {"use_global_stats": True}])
def test_a_batch_that_is_not_measured_has_no_statistics(attrs: dict[str, Any]) -> None:
    case = cases.CASES["batch_norm"]._replace(attrs=attrs)
    assert [value.size > 0 for value in cases.fetch_all(fluid, fluid.core, case)] == [True, True, True, False, False]


def test_what_cannot_be_derived_says_so() -> None:
    case = cases.Case("rrelu", {"X": cases.ROWS}, {}, ("Out", "Noise"))
    with pytest.raises(UnsupportedError, match="rrelu.*Noise"):
        cases.fetch_all(front("2.6.2"), fluid.core, case)

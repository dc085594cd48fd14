"""Build and run the calls of scripts/references/fluid_cases_sequence.py and compare with what the wheel recorded."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import fluid_cases_sequence
import fluid_recording
import numpy as np
import pytest

from paddle_compat import fluid

ROOT = Path(__file__).resolve().parents[3]
RECURRENT = ("dynamic_", "gru_", "lstm", "rnn", "basic_", "beam_", "Beam", "Training", "Greedy")
# where the wheel also writes gradients of integer counters, which nobody reads
INTEGER_GRADIENTS = ("TrainingHelper",)
# Paddle collects these names in sets: their order is that of Python's hashes, another in every run.
UNORDERED = {
    "while": ("X", "Out"),
    "while_grad": ("X", "Out", "Out@GRAD", "X@GRAD"),
    "conditional_block": ("Input", "Out"),
    "conditional_block_grad": ("Cond", "Input", "Out", "Out@GRAD", "Input@GRAD"),
    "recurrent": ("parameters",),
    "recurrent_grad": ("parameters", "parameters@GRAD"),
}
# attributes of kernels, and what later releases added
UNCOMPARED = (
    "use_cudnn",
    "use_mkldnn",
    "mkldnn_data_type",
    "use_quantizer",
    "skip_eager_deletion_vars",
    "with_quant_attr",
    "@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@",
)


@cache
def recorded() -> dict[str, Any]:
    """What the wheel gave, by case."""
    with gzip.open(ROOT / "tests/references/ops_seq_layers.json.gz") as file:
        return json.load(file)  # type: ignore[no-any-return]


def cases(*beginnings: str) -> Any:
    """A `pytest.mark.parametrize` over the cases whose names start so."""
    return pytest.mark.parametrize("name", [n for n in recorded() if n.split("/")[0].startswith(beginnings)])


def _slots(kind: str, slots: dict[str, list[str]]) -> dict[str, list[str]]:
    loose = UNORDERED.get(kind, ())
    return {slot: sorted(set(names)) if slot in loose else names for slot, names in slots.items() if names}


def _compare_program(got: list[Any], expected: list[Any], which: str) -> None:
    assert len(got) == len(expected), which
    for number, (ours, real) in enumerate(zip(got, expected)):
        where = f"{which}, block {number}"
        assert ours["parent"] == real["parent"], where
        assert [op["type"] for op in ours["ops"]] == [op["type"] for op in real["ops"]], where
        for a, b in zip(ours["ops"], real["ops"]):
            for side in ("inputs", "outputs"):
                assert _slots(a["type"], a[side]) == _slots(b["type"], b[side]), f"{where}, {a['type']}, {side}"
            for name, value in b["attrs"].items():
                if name not in UNCOMPARED:
                    assert name in a["attrs"], f"{where}, {a['type']}, {name}"
                    close = value if not isinstance(value, float) else pytest.approx(value, rel=1e-6)
                    assert a["attrs"][name] == close, f"{where}, {a['type']}, {name}"
        for side in (ours, real) if which == "startup" else ():
            for variable in side["vars"].values():
                variable.pop("stop_gradient", None)  # nothing is differentiated there
        assert ours["vars"] == real["vars"], where


def _compare_value(got: dict[str, Any], expected: dict[str, Any], which: str, parts: tuple[str, ...]) -> None:
    for part in parts:
        assert got[part] == expected[part], f"{which}, {part}"
    np.testing.assert_allclose(got["data"], expected["data"], 2e-5, 2e-6, err_msg=which)


def replay(name: str) -> None:
    """Compare Programs, gradient operators, values and gradients of a case."""
    expected = recorded()[name]
    differentiable, runs = "backward" in expected, "values" in expected
    code = fluid_cases_sequence.CASES[name]
    with fluid.unique_name.guard():
        got = json.loads(json.dumps(fluid_recording.observe(fluid, code, differentiable, runs)))
    compare(got, expected, name not in INTEGER_GRADIENTS)


def compare(got: dict[str, Any], expected: dict[str, Any], with_backward: bool = True) -> None:
    """Compare what was observed of a case with what the wheel gave."""
    for which in ("startup", "main"):
        _compare_program(got[which], expected[which], which)
    assert got["out"] == expected["out"]
    if "backward" in expected and with_backward:
        ours, real = ([(t, _slots(t, i), _slots(t, o)) for t, i, o in side["backward"]] for side in (got, expected))
        assert ours == real
    for i, value in enumerate(expected.get("values", ())):
        if value is not None:
            _compare_value(got["values"][i], value, expected["out"][i], ("dtype", "shape", "lod"))
    for variable, value in expected.get("grads", {}).items():
        _compare_value(got["grads"][variable], value, variable + "@GRAD", ("dtype", "shape"))

"""Pieces of static scripts show what they show under Paddle 1.8.5: names, values, texts and errors."""

from __future__ import annotations

import json
import sys
import warnings
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import ROOT

from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "scripts/references"))

import fluid_scripts

REAL = json.loads((ROOT / "tests/references/fluid_scripts.json").read_text())


def close(value: Any, rel: float) -> Any:
    """A value to compare with, but for rounding."""
    if isinstance(value, list):
        return [close(item, rel) for item in value]
    if isinstance(value, dict):
        return {key: close(item, rel) for key, item in value.items()}
    if isinstance(value, str) and value.startswith("OrderedDict("):  # which Python 3.12 and later write in another way
        return repr(eval(value, {"OrderedDict": OrderedDict}))
    return pytest.approx(value, rel=rel, abs=1e-7, nan_ok=True) if isinstance(value, float) else value


@pytest.mark.parametrize("case", fluid_scripts.CASES)
def test_answers(case: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # the wheel's CPU cuts the digits off that half precision has not
        rel = 1e-3 if case.startswith("half/") else 1e-5
        assert fluid_scripts.answer(fluid, case) == close(REAL[case], rel)


def test_scopes_of_one_name_are_numbered() -> None:
    """The counts are those of the whole process, so the case cannot be a recorded one."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [None, 3])
        for _ in range(2):
            with fluid.name_scope("numbered"):
                x = fluid.layers.relu(x)
                with fluid.name_scope("numbered"):
                    x = fluid.layers.relu(x)
    scopes = [op.attr("op_namescope") for op in main.global_block().ops]
    assert scopes == ["/numbered/", "/numbered/numbered/", "/numbered_1/", "/numbered_1/numbered/"]


def test_a_layer_loads_a_file(tmp_path: Path) -> None:
    """1.8.5 itself cannot run the layer: it names no output."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        block = main.global_block()
        y = fluid.layers.fill_constant([2, 3], "float32", 5.0)
        block.append_op(type="save", inputs={"X": [y]}, attrs={"file_path": str(tmp_path / "y")})
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(main)
    reading = fluid.Program()
    with fluid.program_guard(reading, fluid.Program()):
        out = fluid.layers.create_tensor("float32", name="out")
        fluid.layers.load(out, str(tmp_path / "y"))
    assert exe.run(reading, fetch_list=[out])[0].tolist() == [[5.0] * 3] * 2


def test_a_tensor_of_2_x_prints_its_lines() -> None:
    main = fluid.Program()
    main.age = 2
    tensor = fluid.core.LoDTensor()
    assert "uninited" in str(tensor)
    former = fluid.framework.switch_main_program(main)
    try:
        tensor.set(np.arange(4.0).reshape(2, 2), fluid.CPUPlace())
        tensor.set_lod([[0, 1, 2]])
        lines = ["lod: {{0, 1, 2}}", "shape: [2, 2]", "layout: NCHW", "place: Place(cpu)", "dtype: float64", "data: [0 1 2 3]"]
        assert str(tensor) == "\n".join("  - " + line for line in lines)
    finally:
        fluid.framework.switch_main_program(former)

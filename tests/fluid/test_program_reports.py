"""Listings, drawings and counts of Programs are those of Paddle 1.8.5."""

from __future__ import annotations

import json
import sys

import pytest
from processes import ROOT

from paddle_compat import fluid

sys.path.insert(0, str(ROOT / "scripts/references"))

import program_reports

REAL = json.loads((ROOT / "tests/references/program_reports_1.8.5.json").read_text())


@pytest.fixture(scope="module")
def ours() -> dict[str, object]:
    return json.loads(json.dumps(program_reports.answers(fluid)))


@pytest.mark.parametrize("case", program_reports.CASES)
def test_reports(ours: dict[str, object], case: str) -> None:
    assert ours[case] == REAL[case]


def test_frequencies_count_operators_and_who_reads_whom() -> None:
    """1.8.5 itself fails here under Python 3."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.layers.fc(fluid.data("x", [None, 3]), 3, act="relu")
        fluid.layers.fc(x, 2, act="relu")
    single, pairs = fluid.contrib.op_freq_statistic(main)
    assert single == [("mul", 2), ("elementwise_add", 2), ("relu", 2)]
    assert pairs == [("mul->elementwise_add", 2), ("elementwise_add->relu", 2), ("relu->mul", 1)]


def test_the_table_of_costs_is_also_a_name_of_contrib() -> None:
    assert fluid.contrib.summary is fluid.contrib.model_stat.summary


def test_places_that_are_not_there_are_refused() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        with pytest.raises(ValueError, match="device_type"):
            fluid.layers.device.get_places(device_type="abacus")


def test_an_empty_default_program_is_of_paddle_1() -> None:
    for program in (fluid.default_main_program(), fluid.default_startup_program()):
        assert str(program.block(0)) == "idx: 0\nparent_idx: -1\n"
        assert str(program.current_block().create_var(name="x", shape=[1], dtype="float32").dtype) == "VarType.FP32"


def test_descriptions_take_bools_only_and_have_the_shape_of_an_array() -> None:
    with fluid.program_guard(fluid.Program()), fluid.unique_name.guard():
        x, first = fluid.data("x", [None, 2]), fluid.layers.fill_constant([1], "int64", 0)
        array = fluid.layers.create_array("float32")
        assert "dims" not in str(array)
        fluid.layers.array_write(x, first, array)
        assert "      data_type: FP32\n      dims: -1\n      dims: 2\n" in str(array)
        for described in (x, fluid.default_main_program().global_block(), fluid.default_main_program()):
            for wrong in ((1,), (True, "yes")):
                with pytest.raises(AssertionError, match="Expected bool"):
                    described.to_string(*wrong)


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "Adamax", "Adagrad", "RMSProp", "Ftrl", "Lamb"])
def test_levels_are_shown_where_operators_set_them(optimizer: str) -> None:
    """Neither an update nor the operators that give the first gradient and those of weights set one in Paddle 1.8.5."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 13]), 10))
        getattr(fluid.optimizer, optimizer)(0.1).minimize(loss)
    shown = {var.name for var in main.list_vars() if "lod_level" in str(var) and "_pow_acc" not in var.name}
    made = {"fc_0.tmp_0", "fc_0.tmp_1"}
    assert shown == {"x", "fc_0.b_0@GRAD", *made, *(f"{name}@GRAD" for name in made)}

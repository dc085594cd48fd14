"""FleetUtil: what is said once, figures over all workers, and Programs in files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from processes import ROOT

from paddle_compat import fluid
from paddle_compat.errors import UnsupportedError
from paddle_compat.fluid.incubate.fleet.collective import fleet
from paddle_compat.fluid.incubate.fleet.utils.fleet_util import FleetUtil

sys.path.insert(0, str(ROOT / "scripts/references"))

import fleet_util_cases

REAL = json.loads((ROOT / "tests/references/fleet_util_2.6.2.json").read_text())


@pytest.fixture
def util() -> FleetUtil:
    fleet.init()
    return FleetUtil()


def test_as_the_wheel_answers(util: FleetUtil, tmp_path: Path) -> None:
    found = fleet_util_cases.answers(util, fluid.Scope(), fluid.Program(), fluid.CPUPlace(), str(tmp_path))
    assert json.loads(json.dumps(found)) == REAL


def test_hours_that_begin_later(util: FleetUtil) -> None:  # the wheel fails
    assert util.get_online_pass_interval("20190720", "{22..23}", 30, 3, False) == [["2200", "2230", "2300"]]
    assert util.get_online_pass_interval("20190720", "5", 30, 1, False) == [["0500"], ["0530"]]
    with pytest.raises(ValueError, match="hours"):
        util.get_online_pass_interval("20190720", "0 1", 30, 1, False)


def net(size: int) -> Any:
    main = fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, fluid.Program()):
        fluid.layers.fc(fluid.data("x", [None, 2]), size)
    return main


def test_a_pruned_program_is_compared_and_drawn(util: FleetUtil, tmp_path: Path) -> None:
    for name, size in (("trained", 1), ("pruned", 1), ("other", 3)):
        (tmp_path / name).write_bytes(net(size).desc.serialize_to_string())

    def same(pruned: str, draw: bool = False) -> bool:
        paths = {"train_prog_path": str(tmp_path / "trained"), "pruned_prog_path": str(tmp_path / pruned)}
        kinds = {"is_text_train_program": False, "is_text_pruned_program": False}
        return util.check_two_programs(SimpleNamespace(**paths, **kinds, draw=draw, draw_out_name="drawn"))

    assert same("pruned", draw=True) and not same("other")
    assert "fc_0.w_0" in (tmp_path / "drawn.dot").read_text()


def test_what_needs_pslib_says_so(util: FleetUtil) -> None:
    for name in ("save_xbox_base_model", "write_model_donefile", "get_global_metrics", "load_fleet_model"):
        with pytest.raises(UnsupportedError, match=name):
            getattr(util, name)
    with pytest.raises(ValueError, match="mode"):
        FleetUtil("other")

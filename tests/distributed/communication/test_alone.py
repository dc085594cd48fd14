"""`paddle.distributed` in one process: what Paddle 2.6.2 refuses there, and the operators that its calls record."""

from __future__ import annotations

import json
from typing import Any

import collectives
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.core.mode import set_static
from paddle_compat.distributed.collective import Group

REFERENCES = ROOT / "tests" / "references"
ALONE = json.loads((REFERENCES / "collectives_alone.json").read_text())
RECORDED = json.loads((REFERENCES / "collectives_recorded.json").read_text())


def alike(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    text = ours.pop("text", "")
    if "raises" in theirs:
        assert theirs.pop("raises")[0] in ours.pop("raises"), text
    assert ours == theirs, text


@pytest.mark.parametrize("piece", collectives.ALONE)
def test_alone(piece: str) -> None:
    (ours,) = collectives.answers({piece: collectives.ALONE[piece]}).values()
    alike(ours, dict(ALONE[piece]))


# Of a list of Tensors one for each process is made, where the wheel fails; a tensor of another type than NCCL's meets by gloo.
TAKEN = ("int16",)


@pytest.mark.parametrize("piece", collectives.RECORDED)
def test_recorded(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("ID", "0"), ("S_NUM", "2"), ("_ENDPOINTS", "127.0.0.1:6170,127.0.0.1:6171")):
        monkeypatch.setenv(f"PADDLE_TRAINER{'_' * (name == 'ID')}{name}", value)
    former = set_static(True)
    try:
        (ours,) = collectives.recorded({piece: collectives.RECORDED[piece]}).values()
    finally:
        set_static(former)
    if piece in TAKEN:
        assert [op[0] for op in ours["operators"]] == ["c_allreduce_sum"]
    else:
        alike(ours, dict(RECORDED[piece]))


def test_settings_of_nccl_are_none_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Paddle 3.3.1, which asks for no settings by name."""
    create = paddle.distributed.create_nccl_config
    assert [create(), create({}), create({"commName": "tp", "nchannels": 4}), create({"none": 3})] == [None] * 4
    monkeypatch.setattr("paddle_compat.distributed.fleet.base.topology.current_place", lambda: paddle.CUDAPlace(0))
    assert create() is None
    with pytest.raises(paddle.errors.UnsupportedError, match="create_nccl_config.*NCCL's environment variables"):
        create({"nchannels": 4})


def test_groups_that_are_not_needed_for_a_while() -> None:
    """As in Paddle 3.3.1, whose gloo has none of this: calls go on."""
    group = paddle.distributed.new_group([0])
    for which in (None, group):
        assert paddle.distributed.shutdown_process_group(which) is None and paddle.distributed.restart_process_group(which) is None
    with pytest.raises(TypeError, match="a Group"):
        paddle.distributed.shutdown_process_group(3)  # type: ignore[arg-type]


def test_what_later_work_has_is_refused_by_name() -> None:
    with pytest.raises(paddle.errors.UnsupportedError, match="`paddle.distributed.auto_tuner` is not supported"):
        _ = paddle.distributed.auto_tuner


def test_numbers_of_a_groups_processes_in_the_job() -> None:
    """As in Paddle 3.3."""
    group, outside = Group(1, 7, [3, 5], None), Group(-1, 8, [3, 5], None)
    assert [group.get_global_rank(rank) for rank in (0, 1, -1)] == [3, 5, 5]
    assert [outside.get_global_rank(rank) for rank in (0, 9)] == [-1, -1]
    with pytest.raises(IndexError):
        group.get_global_rank(2)

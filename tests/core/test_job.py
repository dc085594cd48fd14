"""The job that the environment names, in torchrun's spelling and in Paddle's."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from paddle_compat.core.errors import EnforceNotMet
from paddle_compat.core.job import Job, complete_environment, has_servers, job

TORCHRUN = {
    "RANK": "3", "WORLD_SIZE": "4", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "10.0.0.1", "MASTER_PORT": "29500",
}  # fmt: skip
PADDLE = {
    "PADDLE_TRAINER_ID": "2", "PADDLE_TRAINERS_NUM": "4", "PADDLE_CURRENT_ENDPOINT": "10.0.0.2:6170",
    "PADDLE_TRAINER_ENDPOINTS": "10.0.0.1:6170,10.0.0.1:6171,10.0.0.2:6170,10.0.0.2:6171",
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_job() -> Iterator[None]:
    former = dict(os.environ)
    starts = ("PADDLE_", "POD_", "MASTER_", "LOCAL_", "TRAINING_", "FLAGS_selected", "RANK", "WORLD_SIZE")
    for name in former:
        if name.startswith(starts):
            del os.environ[name]
    yield
    os.environ.clear()
    os.environ.update(former)


def completed(given: dict[str, str]) -> dict[str, str]:
    """What the environment has after completion that it did not have."""
    os.environ.update(given)
    before = dict(os.environ)
    complete_environment()
    return {name: value for name, value in os.environ.items() if name not in before and name != "PADDLE_COMPAT_DERIVED"}


def test_no_job() -> None:
    assert job() == Job(0, 1, 0, 1, (), "")
    assert completed({}) == {}


def test_paddle_from_torchrun() -> None:
    endpoints = tuple(f"10.0.0.1:{port}" for port in range(29500, 29504))
    written = completed(TORCHRUN)
    assert written == {
        "PADDLE_TRAINER_ID": "3", "PADDLE_GLOBAL_RANK": "3", "PADDLE_TRAINERS_NUM": "4", "PADDLE_GLOBAL_SIZE": "4",
        "PADDLE_RANK_IN_NODE": "1", "PADDLE_LOCAL_RANK": "1", "PADDLE_LOCAL_SIZE": "2", "PADDLE_NNODES": "2",
        "PADDLE_MASTER": "10.0.0.1:29500", "FLAGS_selected_gpus": "1",
        "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints), "PADDLE_CURRENT_ENDPOINT": endpoints[3],
    }  # fmt: skip
    assert job() == Job(3, 4, 1, 2, endpoints, endpoints[3])


def test_torchrun_from_paddle() -> None:
    written = completed(PADDLE)
    names = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "PADDLE_RANK_IN_NODE", "PADDLE_NNODES")
    assert [written[name] for name in names] == ["2", "4", "0", "2", "10.0.0.1", "6170", "0", "2"]
    endpoints = tuple(PADDLE["PADDLE_TRAINER_ENDPOINTS"].split(","))
    assert job() == Job(2, 4, 0, 2, endpoints, "10.0.0.2:6170")


def test_endpoints_alone_say_everything() -> None:
    os.environ.update({name: PADDLE[name] for name in ("PADDLE_CURRENT_ENDPOINT", "PADDLE_TRAINER_ENDPOINTS")})
    assert job()[:4] == (2, 4, 0, 2)


def test_the_launchers_master_is_where_processes_meet() -> None:
    written = completed({**PADDLE, "PADDLE_MASTER": "10.0.0.1:7000"})
    assert (written["MASTER_ADDR"], written["MASTER_PORT"]) == ("10.0.0.1", "7000")


def test_ports_end_at_the_last() -> None:
    os.environ.update(TORCHRUN, MASTER_PORT="65533")
    assert job().endpoints == tuple(f"10.0.0.1:{port}" for port in (65533, 65532, 65531, 65530))


def test_completion_neither_repeats_nor_binds() -> None:
    completed(TORCHRUN)
    assert completed({}) == {}
    os.environ.update(PADDLE_TRAINER_ID="1", PADDLE_TRAINERS_NUM="4")  # contradicts what torchrun itself said
    with pytest.raises(EnforceNotMet, match="PADDLE_TRAINER_ID"):
        job()


def test_a_child_process_may_be_given_another_place() -> None:
    completed(PADDLE)
    os.environ.update(PADDLE_TRAINER_ID="3", PADDLE_CURRENT_ENDPOINT="10.0.0.2:6171")  # RANK=2 was derived, not said
    assert job()[:4] == (3, 4, 1, 2)
    complete_environment()
    assert (os.environ["RANK"], os.environ["LOCAL_RANK"], os.environ["PADDLE_GLOBAL_RANK"]) == ("3", "1", "3")


SERVERS = {"TRAINING_ROLE": "TRAINER", "PADDLE_PSERVERS_IP_PORT_LIST": "127.0.0.1:6170", "PADDLE_TRAINERS_NUM": "2", "POD_IP": "127.0.0.1"}


def test_trainers_of_servers_make_no_group() -> None:
    assert completed({**SERVERS, "PADDLE_TRAINER_ID": "1", "PADDLE_PORT": "6170"}) == {}
    assert job() == Job(1, 2, 1, 2, (), "") and has_servers()


def test_a_server() -> None:
    assert completed({**SERVERS, "TRAINING_ROLE": "PSERVER", "PADDLE_PORT": "6171"}) == {}
    assert job() == Job(0, 2, 0, 1, (), "127.0.0.1:6171") and has_servers()


@pytest.mark.parametrize(
    ("changed", "variable", "text"),
    [
        ({**PADDLE, "PADDLE_TRAINERS_NUM": "3"}, "PADDLE_TRAINER_ENDPOINTS", "3 endpoints, as PADDLE_TRAINERS_NUM says. Received: 4"),
        ({**PADDLE, "PADDLE_TRAINER_ID": "4"}, "PADDLE_TRAINER_ID", "from 0 to 3.*Received: 4"),
        ({**PADDLE, "PADDLE_TRAINER_ID": "-1"}, "PADDLE_TRAINER_ID", "from 0 to 3.*Received: -1"),
        ({**PADDLE, "PADDLE_TRAINER_ID": "one"}, "PADDLE_TRAINER_ID", "a number.*Received: one"),
        ({**PADDLE, "PADDLE_TRAINER_ID": "1"}, "PADDLE_CURRENT_ENDPOINT", "10.0.0.1:6171, which is number 1.*Received: 10.0.0.2:6170"),
        ({"PADDLE_TRAINER_ENDPOINTS": "a:1,a:1"}, "PADDLE_TRAINER_ENDPOINTS", "differ. Received: a:1,a:1"),
        ({**TORCHRUN, "WORLD_SIZE": "0"}, "WORLD_SIZE", "a positive number. Received: 0"),
        ({**TORCHRUN, "LOCAL_RANK": "2"}, "LOCAL_RANK", "from 0 to 1. Received: 2"),
        ({**TORCHRUN, "MASTER_PORT": "99999"}, "MASTER_PORT", "a port. Received: 99999"),
        ({**TORCHRUN, "PADDLE_TRAINER_ID": "0"}, "PADDLE_TRAINER_ID", "3, as RANK says. Received: 0"),
        ({**TORCHRUN, "PADDLE_TRAINERS_NUM": "2"}, "PADDLE_TRAINERS_NUM", "4, as WORLD_SIZE says. Received: 2"),
    ],
)
def test_wrong_use(changed: dict[str, str], variable: str, text: str) -> None:
    assert completed(changed) == {}  # the import goes on
    with pytest.raises(EnforceNotMet, match=f"variable `{variable}`. Expected .*{text}"):
        job()

"""The small tools of fleet: stopwatches, a server of values, processes that meet by files, words of sparse tables."""

from __future__ import annotations

import functools
import importlib
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import ROOT

from paddle_compat._missing import alternative
from paddle_compat.distributed import fleet
from paddle_compat.distributed.fleet.base.role_maker import Gloo, Role
from paddle_compat.distributed.fleet.utils import timer_helper
from paddle_compat.distributed.utils import find_free_ports
from paddle_compat.errors import UnsupportedError

sys.path.insert(0, str(ROOT / "scripts/references"))

import fleet_tool_cases

REAL = json.loads((ROOT / "tests/references/fleet_tools_2.6.2.json").read_text())


@functools.cache
def found() -> Any:
    timer_helper._GLOBAL_TIMERS = None  # as in a process in which nobody has asked for them
    with tempfile.TemporaryDirectory() as folder:
        answers = fleet_tool_cases.answers(lambda path: importlib.import_module(f"paddle_compat.{path}".rstrip(".")), folder)
    return json.loads(json.dumps(answers))


@pytest.mark.parametrize("case", REAL)
def test_as_the_wheel_answers(case: str) -> None:
    assert found()[case] == REAL[case]


def several(kind: int, options: dict[str, Any]) -> list[Any]:
    """What two workers and a server, in threads, hear of each other."""
    gloos = [Gloo() for _ in range(3)]

    def one(number: int) -> Any:
        gloo, role = gloos[number], Role.SERVER if number == 2 else Role.WORKER
        given = {**options, "start_http_server": number == 0}
        gloo.init(kind, role, number % 2, 2, 1, need_init_all=True, kwargs=given)
        gloo.barrier("all")
        everybody = gloo.all_gather(number, "all")
        if number == 2:
            return everybody, gloo.all_gather("alone", "server")
        for _ in range(3):
            total = gloo.all_reduce(np.full((2, 2), number + 1.0), "sum")
        return everybody, total.tolist(), gloo.all_reduce([number, -number], "max").tolist(), gloo.all_gather([number])

    with ThreadPoolExecutor(3) as pool:
        return list(pool.map(one, range(3)))


@pytest.mark.parametrize("kind", ["FILE", "HTTP"])
def test_processes_meet(kind: str, tmp_path: Path) -> None:
    by_http = {"http.host": "127.0.0.1", "http.port": str(min(find_free_ports(1)))}
    first, second, server = several(getattr(Gloo.RENDEZVOUS, kind), by_http if kind == "HTTP" else {"dfs.path": str(tmp_path)})
    assert first == second == ([0, 1, 2], [[3.0, 3.0], [3.0, 3.0]], [1, 0], [[0], [1]])
    assert server == ([0, 1, 2], ["alone"])


def test_other_shapes_are_an_error(tmp_path: Path) -> None:
    def one(number: int) -> Any:
        gloo = Gloo()
        gloo.init(Gloo.RENDEZVOUS.FILE, Role.WORKER, number, 2, 0, kwargs={"dfs.path": str(tmp_path)})
        with pytest.raises(ValueError, match="one shape"):
            gloo.all_reduce([0] * (number + 1))
        with pytest.raises(AttributeError, match="server"):
            gloo.barrier("server")
        return gloo.all_gather(number)

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(one, range(2))) == [[0, 1], [0, 1]]


def test_hdfs_is_no_place_to_meet() -> None:
    with pytest.raises(UnsupportedError, match="HDFS"):
        Gloo().init(Gloo.RENDEZVOUS.HDFS, Role.WORKER, 0, 1, 0, kwargs={"dfs.name": "hdfs://host", "dfs.ugi": "a,b", "dfs.path": "/p"})


def test_a_server_of_values_takes_no_deeper_paths() -> None:
    from http.client import HTTPConnection

    server = fleet.utils.http_server.KVServer(0)
    server.start()
    client = HTTPConnection("127.0.0.1", server.http_server.server_port, timeout=10)
    client.request("PUT", "/a/b/c", b"x")
    assert client.getresponse().status == 400 and server.http_server.kv == {} and server.should_stop()
    server.stop()


def test_elastic_jobs_are_the_launchers() -> None:
    with pytest.raises(UnsupportedError, match="launch_elastic.*--nnodes MIN:MAX"):
        fleet.elastic.launch_elastic(None, 0)


def test_missing_modules_say_what_is_there() -> None:
    for path, instead in (
        ("fleet.meta_parallel.pp_utils", "torch.distributed.tensor.parallel"), ("auto_parallel", "torch.distributed.tensor"),
    ):  # fmt: skip
        assert instead in str(alternative(f"paddle.distributed.{path}"))

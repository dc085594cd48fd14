"""Clients of a Hadoop file system, against a `hadoop` command whose file system is a folder of this machine."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import ROOT

from paddle_compat.distributed.fleet.utils import fs
from paddle_compat.distributed.fs_wrapper import BDFS
from paddle_compat.fluid.contrib.utils import hdfs_utils as contrib
from paddle_compat.fluid.incubate.fleet.utils.hdfs import HDFSClient as FluidClient

sys.path.insert(0, str(ROOT / "scripts/references"))

import hadoop_cases

HOME = str(hadoop_cases.HOME)


@pytest.fixture
def top(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder with files `here` and `there`."""
    monkeypatch.setenv("FAKE_HDFS", "")  # so that it is put back
    yield Path(hadoop_cases.folders())


@pytest.fixture
def client(top: Path) -> fs.HDFSClient:
    return fs.HDFSClient(HOME, hadoop_cases.CONFIGS, time_out=20_000, sleep_inter=1)


def commands(top: Path) -> list[str]:
    return [line.replace(str(top), "") for line in (top / "there.log").read_text().splitlines()]


def recorded(version: str, client: Any, calls: Any) -> tuple[Any, Any]:
    real = json.loads((ROOT / f"tests/references/hdfs_{version}.json").read_text())
    return json.loads(json.dumps(hadoop_cases.answers(client, calls))), real


def test_as_the_wheel_answers(client: fs.HDFSClient) -> None:
    found, real = recorded("2.6.2", client, hadoop_cases.CALLS)
    assert found == real


def test_as_the_wheel_of_fluid_answers(top: Path) -> None:
    found, real = recorded("1.8.5", FluidClient(HOME, hadoop_cases.CONFIGS), hadoop_cases.FLUID_CALLS)
    split = [name for name in real if name.endswith("split_files")]  # where the wheel divides as Python 2 did
    assert [found.pop(name) for name in split] == [["a", "b", "c"], ["d", "e"]] and all(real.pop(name) for name in split)
    assert found == real


def test_what_a_folder_holds(client: fs.HDFSClient) -> None:  # the wheel fails here
    assert client.ls_dir("/d") == (["t"], ["a"]) and client.list_dirs("/d") == ["t"]


def test_a_folder_is_fetched_as_it_is_sent(client: fs.HDFSClient, top: Path) -> None:
    client.upload(f"{top}/here/tree", "/sent", multi_processes=2)
    client.download("/sent", f"{top}/back", multi_processes=2)
    names = [sorted(path.relative_to(at) for path in at.rglob("*")) for at in (top / "here/tree", top / "back")]
    assert names[0] == names[1] and (top / "back/sub/z").read_text() == "z"
    assert sum(" -put " in line for line in commands(top)) == 2 == sum(" -get " in line for line in commands(top))
    with pytest.raises(ValueError, match="multi_processes"):
        client.upload(f"{top}/here/tree", "/sent", multi_processes=0)


def test_what_is_there_is_not_written_over(client: fs.HDFSClient, top: Path) -> None:
    with pytest.raises(fs.FSFileExistsError, match="/d/a"):
        client.upload(f"{top}/here/b", "/d/a")
    with pytest.raises(fs.FSFileExistsError, match="here/b"):
        client.download("/d/a", f"{top}/here/b")
    client.download("/d/a", f"{top}/here/b", overwrite=True)
    assert (top / "here/b").read_text() == "one\n"


def test_the_configuration_goes_with_each_command(client: fs.HDFSClient, top: Path) -> None:
    client.is_exist("/d")
    assert commands(top) == ["fs -Dfs.default.name=hdfs://host:1 -Dhadoop.job.ugi=user,password -test -e /d"]


def test_no_answer_is_no_no(client: fs.HDFSClient, top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_FAILURES", f"{top}/failures")
    (top / "failures").write_text("the next command cannot reach the file system")
    assert client.is_exist("/d") and len(commands(top)) == 2  # tried again
    (top / "failures").write_text("again")
    impatient = fs.HDFSClient(HOME, hadoop_cases.CONFIGS, time_out=2000, sleep_inter=5000)
    with pytest.raises(fs.FSTimeOut, match="Connection refused"):
        impatient.is_exist("/d")


def test_what_fails_for_good_is_not_tried_again(client: fs.HDFSClient, top: Path) -> None:
    with pytest.raises(fs.ExecuteError, match="No such file"):
        client.mv("/none", "/d/none", test_exists=False)
    assert len(commands(top)) == 1


def test_a_command_that_hangs_is_ended(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/hadoop").write_text("#!/bin/sh\nexec sleep 100\n")
    (tmp_path / "bin/hadoop").chmod(0o755)
    with pytest.raises(fs.FSTimeOut, match="no answer"):
        fs.HDFSClient(str(tmp_path), None, time_out=100).is_exist("/d")


def test_without_hadoop_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HADOOP_HOME", "/no/hadoop")
    with pytest.raises(fs.ExecuteError, match="/no/hadoop/bin/hadoop"):
        fs.HDFSClient("$HADOOP_HOME", {}).is_exist("/d")


def test_lists_of_fluid(top: Path) -> None:
    client = FluidClient(HOME, hadoop_cases.CONFIGS)
    assert client.ls("/d") == ["/d/a", "/d/t"] and client.lsr("/d") == ["/d/a", "/d/t/b", "/d/t/u/v"]
    assert client.lsr("/d", excludes=["b"]) == ["/d/a", "/d/t/u/v"]
    client.upload("/d/b", f"{top}/here/b")
    assert client.cat("/d/b") == "two\nlines"
    assert client.download("/d/t", f"{top}/got") == [f"{top}/got/b", f"{top}/got/u/v"]
    assert client.rename("/d/b", "/d/a", overwrite=True) and client.cat("/d/a") == "two\nlines"


def test_the_client_of_checkpoints(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{HOME}/bin:{os.environ['PATH']}")
    client = BDFS("hdfs://host:1", "user,password", time_out=20_000, sleep_inter=1)
    client.mkdir("/d/new")
    client.upload(f"{top}/here/tree", "/d/new")
    client.mv("/d/new/tree", "/d/moved")
    assert client.stat("/d/moved") and client.is_dir("/d/moved") and not client.stat("/d/new/tree")
    assert client.list_dirs("/d") == ["moved", "new", "t"] and sorted(client.ls_dir("/d/moved")) == ["sub", "x", "y"]
    client.rm("/d/moved/x")
    client.rmr("/d/new")
    client.delete("/d/moved/y")
    client.download("/d/moved", f"{top}/back")
    assert os.listdir(top / "back") == ["sub"] and client.need_upload_download()


def test_the_client_of_contrib(top: Path) -> None:
    """What Paddle 1.8.5's client answers; of its lists, which it cannot make under Python 3, what they were under Python 2."""
    client = contrib.HDFSClient(HOME, hadoop_cases.CONFIGS)
    assert client.lsr("/d") == ["/d/a", "/d/t/b", "/d/t/u/v"] and client.lsr("/n") == []
    assert set(client.lsr("/d", only_file=False, sort=False)) - set(client.lsr("/d")) == {"/d/t", "/d/t/u"}
    assert client.makedirs("/m") and client.makedirs("/d") is None
    assert client.rename("/m", "/k") and not client.rename("/none", "/k2")
    assert client.upload("/up", f"{top}/here/a") and not client.upload("/up", f"{top}/here/a")
    assert client.upload("/up", f"{top}/here/b") and client.upload("/up", f"{top}/here/a", overwrite=True)
    assert sorted(client.ls("/up")) == ["/up/a", "/up/b"] and not client.upload("/up", f"{top}/here/tree")
    assert client.download("/up/b", f"{top}/got") and (top / "got/b").read_text() == "two\nlines\n"
    assert not client.download("/up/b", f"{top}/got") and client.download("/up/b", f"{top}/got", overwrite=True)
    assert client.download("/d/t", f"{top}/got") and (top / "got/t/u/v").exists() and not client.download("/none", f"{top}/got")
    assert client.delete("/up/a") and client.delete("/none")
    with pytest.raises(AssertionError, match="local_path"):
        client.upload("/up", f"{top}/none")


def test_several_files_at_a_time(top: Path) -> None:
    """Paddle 1.8.5 deals files out in turn."""
    client = contrib.HDFSClient(HOME, hadoop_cases.CONFIGS)
    assert contrib.multi_download(client, "/d", f"{top}/one", 0, 2) == [f"{top}/one/a", f"{top}/one/t/u/v"]
    assert contrib.multi_download(client, "/d", f"{top}/two", 1, 2, multi_processes=1) == [f"{top}/two/t/b"]
    assert (top / "one/t/u/v").read_text() == "v\n" and (top / "two/t/b").read_text() == "b\n"
    contrib.multi_upload(client, "/sent", f"{top}/here/tree", multi_processes=1)
    contrib.multi_upload(client, "/sent", f"{top}/here/tree", multi_processes=1, overwrite=True)
    assert {os.path.normpath(path) for path in client.lsr("/sent")} == {"/sent/x", "/sent/y", "/sent/sub/z"}
    for call in (contrib.multi_upload, contrib.multi_download):
        with pytest.raises(AssertionError, match="client"):
            call("client", "/d", str(top), 0, 1)

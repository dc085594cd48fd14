"""The launcher's command line: what its options mean together, and what it refuses."""

from __future__ import annotations

import os
from typing import Any

import pytest
import torch

from paddle_compat.core.errors import EnforceNotMet, UnsupportedError
from paddle_compat.distributed.launch import _addresses
from paddle_compat.distributed.launch._collective import run
from paddle_compat.distributed.launch._options import parse, read_servers, servers_of
from paddle_compat.distributed.launch.main import launch

NO_GPU = pytest.mark.skipif(torch.cuda.is_available(), reason="there are GPUs")


@pytest.fixture(autouse=True)
def no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith(("PADDLE_", "POD_", "CUDA_VISIBLE")):
            monkeypatch.delenv(name)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("t.py", {"nodes": (1, 1), "restarts": 0, "log_dir": "log", "follow": True, "devices": (), "has_servers": False}),
        ("t.py --nnodes 3", {"nodes": (1, 1), "arguments": ("--nnodes", "3")}),
        ("--gpus 0,2 --nnodes 2:4 t.py", {"devices": ("0", "2"), "nodes": (2, 4), "restarts": 3}),
        ("--selected_gpus 0,2 t.py", {"devices": ("0", "2"), "log_dir": None, "follow": False}),
        (
            "--cluster_node_ips a,b --node_ip b --log_dir l t.py",
            {"ips": ("a", "b"), "host": "b", "start_port": 6170, "log_dir": "l", "nodes": (2, 2)},
        ),
        ("--ips a,b --start_port 7000 t.py", {"ips": ("a", "b"), "start_port": 7000, "nodes": (2, 2), "follow": True}),
        ("--max_restart 2 t.py", {"restarts": 2}),
        ("--elastic_level 1 t.py", {"restarts": 3}),
        ("--log_level 10 --print_config False -m t", {"log_level": "DEBUG", "module": True}),
        ("--server_num 2 --worker_num 3 t.py", {"server_num": 2, "trainer_num": 3, "has_servers": True}),
        ("--servers a:1 --workers a:2,a:3 t.py", {"servers": ("a:1",), "trainers": ("a:2", "a:3"), "has_servers": True}),
    ],
)
def test_options(line: str, expected: dict[str, Any]) -> None:
    options = parse(line.split())
    assert {name: getattr(options, name) for name in expected} == expected


def test_variables_stand_for_options(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PADDLE_NNODES": "2", "PADDLE_MASTER": "h:1", "PADDLE_TRAINER_ID": "1", "POD_IP": "10.0.0.9"}.items():
        monkeypatch.setenv(name, value)
    options = parse(["--nnodes", "4", "t.py"])  # as in the wheel, they win
    assert (options.nodes, options.master, options.rank, options.host) == ((2, 2), "h:1", 1, "10.0.0.9")


def test_the_cloud_of_paddle_18(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PADDLE_TRAINERS": "10.0.0.1,10.0.0.2", "POD_IP": "10.0.0.2", "PADDLE_PORT": "7100"}.items():
        monkeypatch.setenv(name, value)
    options = parse(["--use_paddlecloud", "t.py"])
    assert (options.ips, options.host, options.start_port, options.log_dir) == (("10.0.0.1", "10.0.0.2"), "10.0.0.2", 7100, None)


def test_devices_are_numbers_among_the_visible_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,5,7")
    assert parse(["--gpus", "7,4", "t.py"]).devices == ("2", "0")
    with pytest.raises(EnforceNotMet, match="CUDA_VISIBLE_DEVICES=4,5,7. Received: 0"):
        parse(["--gpus", "0", "t.py"])


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        ("--nproc_per_node 0 t.py", EnforceNotMet, "--nproc_per_node.*from 1 on. Received: 0"),
        ("--nproc_per_node two t.py", EnforceNotMet, "--nproc_per_node.*Received: two"),
        ("--nnodes 3:2 t.py", EnforceNotMet, "--nnodes.*from 3 on. Received: 2"),
        ("--log_level loud t.py", EnforceNotMet, "--log_level.*DEBUG.*Received: loud"),
        ("--log_overwrite maybe t.py", EnforceNotMet, "--log_overwrite.*Received: maybe"),
        ("--run_mode ps t.py", EnforceNotMet, "--server_num"),
        ("--server_num 1 t.py", EnforceNotMet, "--trainer_num"),
        ("--run_mode collective --server_num 1 --trainer_num 1 t.py", EnforceNotMet, "--run_mode.*Received: collective"),
        ("--run_mode ps-heter t.py", UnsupportedError, "ps-heter"),
        ("--auto_tuner_json f t.py", UnsupportedError, "auto_tuner_json"),
        ("--sort_ip True t.py", UnsupportedError, "sort_ip.*--rank"),
        ("--master etcd://h:1 t.py", UnsupportedError, "address:port"),
        ("--heter_workers a:1 t.py", UnsupportedError, "heter_workers.*--trainers"),
        ("--elastic_server h:1 t.py", UnsupportedError, "elastic_server.*--nnodes MIN:MAX"),
        ("--backend heter t.py", UnsupportedError, "--backend heter.*gloo"),
    ],
)
def test_wrong_options(line: str, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        parse(line.split())


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("--nnodes 2 t.py", "--master.*where 2 machines meet"),
        ("--nnodes 2 --master h:1 --rank 2 t.py", "--rank.*below --nnodes"),
        ("--ips 10.0.0.1,10.0.0.2 --host 10.0.0.3 t.py", "--host.*10.0.0.1,10.0.0.2.*Received: 10.0.0.3"),
        pytest.param("--backend nccl t.py", "--backend.*gloo", marks=NO_GPU),
        ("--gpus 0,1,2 --nproc_per_node 2 t.py", "--devices.*2 numbers.*Received: 0,1,2"),
    ],
)
def test_machines_that_do_not_fit(line: str, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EnforceNotMet, match=text):
        run(parse(line.split()))


def test_several_machines_of_launch_ps() -> None:
    with pytest.raises(UnsupportedError, match="--servers and --trainers"):
        servers_of(read_servers(["--cluster_node_ips", "a,b", "t.py"]))


def test_a_wrong_option_leaves_with_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["--nope", "t.py"], ["--nproc_per_node", "0", "t.py"]):
        with pytest.raises(SystemExit) as end:
            launch(line)
        assert end.value.code == 2
    assert "--nope" in (shown := capsys.readouterr().err) and "from 1 on" in shown


def test_ports_are_none_that_the_system_gives_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """What asks for any port between the choice and its use gets another one."""
    below = _addresses._first_given()
    ports = _addresses.free_ports(8)
    assert len(set(ports)) == 8 and (not below or max(ports) < below)
    with _addresses._bound([]) as taken, _addresses._bound([taken.getsockname()[1]]) as other:
        assert taken.getsockname()[1] != other.getsockname()[1]
    monkeypatch.setattr(_addresses, "_first_given", lambda: 0)
    assert len(set(_addresses.free_ports(3))) == 3

"""Processes that call each other, die and come back: nobody waits for ever, every call is answered, strangers are refused."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from jobs import free_ports, run_together

STEPS = 40
JOB = """
import json, os, signal, socket, sys, time
from paddle_compat.core import errors
from paddle_compat.engine.members import Member
from paddle_compat.engine.transport import Promise, RpcTransport

name, registry, kept = sys.argv[1:4]
NAMES = ["server0", "server1", "trainer0", "trainer1"]
KILLED = {"trainer1": 6, "server1": 30, "server0": 60}  # at which call their first lives end


def body(life):
    calls, promises, seen = 0, [], []

    def die(at):
        if life == 0 and KILLED.get(name) == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def answer(method, *arguments):
        nonlocal calls
        calls += 1
        die(calls)
        if method == "wrong":
            raise errors.InvalidArgumentError("no such table")
        if method == "broken":
            raise KeyError("a bug")
        if method == "later":
            promises.append(Promise())
            return promises[-1]
        if method == "now":
            while not promises:  # calls of one process may overtake each other
                time.sleep(0.01)
            for promise in promises:
                promise.give(("said", *arguments))
        return name, arguments

    def interrupt():
        for promise in promises:
            promise.again()

    transport = RpcTransport(
        name, NAMES, 2, registry, answer=answer, interrupt=interrupt, token="secret", deadline=40, patience=30, awaits=30,
        kept=__import__("pathlib").Path(kept) if name == "server0" else None,
    )
    transport.join()
    first = transport.member.generation
    said = {"name": name, "life": life, "first": first, "peers": list(transport.peers)}
    if name.startswith("server"):
        while not transport.over:
            time.sleep(0.01)
    else:
        lost, answers = set(), []
        for step in range(STEPS):
            die(step)
            both = [transport.call_async(each, "add", step) for each in ("server0", "server1")]
            answers.append([each.result() for each in both])
            lost |= transport.lost
            time.sleep(0.02)
        said.update(answers=answers, lost=sorted(lost))
        if name == "trainer0":
            while life == 0 and transport.member.generation < 4:  # until all have come back
                time.sleep(0.01)
            promise = transport.call_async("server1", "later")
            transport.call("server1", "now", 7)
            said["later"] = promise.result()
            for method in ("wrong", "broken"):
                try:
                    transport.call("server0", method)
                except Exception as error:
                    said[method] = [type(error).__name__, str(error)]
            said["strangers"] = strangers()
    said["last"] = transport.member.generation if not name.startswith("server") else 0
    transport.leave()
    with open(f"{name}.{life}.json", "w") as out:
        json.dump(said, out)


ODD = (b'{"name": "trainer0", "proof": "\\xc3\\xa9"}\\n', b'{"name": "\\\\ud800", "proof": ""}\\n', b"[" * 60000 + b"\\n")


def strangers():
    refused = []
    for who, token in (("trainer1", "guess"), ("trainer7", "secret"), ("server1", "secret")):
        member = Member(who, registry, None, None, token=token, patience=5)
        try:
            member.wait()
        except errors.EnforceNotMet as error:
            refused.append([type(error).__name__, str(error).partition(": ")[2]])
        member.finish()
    host, _, port = registry.rpartition(":")
    for words in (b"GET / HTTP/1.1\\r\\n\\r\\n", b"[1]\\n", b'{"name": "trainer0"}\\n', b"x" * 100000, *ODD):
        with socket.create_connection((host, int(port))) as sock:
            sock.settimeout(5)
            heard = b""
            try:
                sock.sendall(words)
                while True:
                    more = sock.recv(1000)
                    if not more:
                        break
                    heard += more
            except ConnectionError:
                pass
            refused.append("enter" not in heard.decode() and "generation" not in heard.decode())
    return refused


for life in range(3):
    child = os.fork()
    if child == 0:
        try:
            body(life)
        except BaseException:
            import traceback
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("transport")
    (folder / "job.py").write_text(f"STEPS = {STEPS}\n{JOB}")
    registry = f"127.0.0.1:{free_ports(1)[0]}"
    names = ["server0", "server1", "trainer0", "trainer1"]
    words = [[str(folder / "job.py"), name, registry, str(folder / "registry.json")] for name in names]
    for status, text in run_together(words, [{}] * 4, folder):
        assert status == 0, text
    assert not list(folder.glob(".*.part"))
    return {path.stem: json.loads(path.read_text()) for path in Path(folder).glob("*.[0-9].json")}


def test_who_dies_comes_back_in_a_new_generation(told: dict[str, dict[str, Any]]) -> None:
    assert sorted(told) == ["server0.1", "server1.1", "trainer0.0", "trainer1.1"]  # the first lives of three were ended
    assert told["trainer0.0"]["first"] == 1 and told["trainer0.0"]["last"] == 4
    assert sorted(told[name]["first"] for name in ("server0.1", "server1.1", "trainer1.1")) == [2, 3, 4]
    assert all(set(said["peers"]) <= {"server0", "server1", "trainer0", "trainer1"} for said in told.values())


@pytest.mark.parametrize("name", ["trainer0.0", "trainer1.1"])
def test_every_call_is_answered_by_whom_it_was_made_to(told: dict[str, dict[str, Any]], name: str) -> None:
    assert told[name]["answers"] == [[["server0", [step]], ["server1", [step]]] for step in range(STEPS)]


def test_an_answer_may_come_later(told: dict[str, dict[str, Any]]) -> None:
    assert told["trainer0.0"]["later"] == ["said", 7]


def test_what_the_callee_raises_comes_back(told: dict[str, dict[str, Any]]) -> None:
    assert told["trainer0.0"]["wrong"] == ["InvalidArgumentError", "no such table"]
    assert told["trainer0.0"]["broken"] == ["ExternalError", "KeyError: 'a bug'"]


def test_strangers_are_refused(told: dict[str, dict[str, Any]]) -> None:
    assert told["trainer0.0"]["strangers"] == [
        ["PermissionDeniedError", "its token (PADDLE_COMPAT_PS_TOKEN) is not the job's"],
        ["PermissionDeniedError", "the job has 2 trainers and 2 servers, and no trainer7"],
        ["PermissionDeniedError", "there is a server1 already"],
        *[True] * 7,
    ]


# The first server dies twice in the moment in which all have met but nobody has been told: once it has the trainer wait for its word, deaf
# to the registry, and once it has not even answered.
DIES_ON_ITS_WAY = """
import os, signal, sys, time
from torch.distributed.rpc import api
from paddle_compat.engine.transport import RpcTransport

name, registry = sys.argv[1:3]
patience = {"server0": 9, "trainer0": 12}[name]


def body(life):
    if name == "server0" and life < 2:
        api.rpc_async = lambda *call, **how: time.sleep(0.5 * (life == 0)) or os.kill(os.getpid(), signal.SIGKILL)
    waits = {"deadline": patience, "patience": patience, "awaits": patience}
    transport = RpcTransport(name, ["server0", "trainer0"], 1, registry, answer=print, **waits)
    transport.join()
    if name == "trainer0":
        transport.call("server0", "hears this")
    while name == "server0" and not transport.over:
        time.sleep(0.01)
    transport.leave()


for life in range(3):
    child = os.fork()
    if child == 0:
        body(life)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
"""


def test_a_server_that_dies_while_all_meet_is_met_again_within_its_patience(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(DIES_ON_ITS_WAY)
    registry = f"127.0.0.1:{free_ports(1)[0]}"
    words = [[str(tmp_path / "job.py"), name, registry] for name in ("server0", "trainer0")]
    server, trainer = run_together(words, [{}] * 2, tmp_path)
    assert server[0] == trainer[0] == 0, (server[1], trainer[1])
    assert "hears this" in server[1]


def test_replicas_of_a_trainer_join_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from paddle_compat.core.job import Servers
    from paddle_compat.engine import trainer
    from paddle_compat.engine.transport import RpcTransport

    joined: list[threading.Thread] = []

    class Recorder:
        def join(self) -> None:
            joined.append(threading.current_thread())
            if len(joined) == 1:  # another replica asks meanwhile
                other.start()
                other.join(0.2)

    here = trainer.Trainer(Servers((), 1, 0))
    other = threading.Thread(target=lambda: here.transport)
    monkeypatch.setattr(RpcTransport, "of_job", lambda *job: Recorder())
    monkeypatch.setattr(trainer.atexit, "register", lambda call: None)
    assert isinstance(here.transport, Recorder)
    other.join()
    assert joined == [threading.current_thread()]

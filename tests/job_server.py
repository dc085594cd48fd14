"""Starts Pythons that have torch already, as forks of this one: for `jobs.py`, whose many jobs would spend their time on importing it.

Reads a job from each line of standard input, runs it, and writes the statuses of its processes; `null` for one that had to be ended.
A process is what `python WORDS` is otherwise: `paddle_compat` is imported in it, under its own environment. Its standard input, output
and errors are files.

STAND_IN, a program in a Python without anything, is `python WORDS` for those who start Pythons themselves, such as launchers: it asks at
a door for a fork, hands signals on to it, and ends as that does.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import runpy
import select
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from types import ModuleType
from typing import Any, NoReturn

_ON_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG
_TO_WRITE = os.O_WRONLY | os.O_APPEND | os.O_CREAT

STAND_IN = """#!{python} -IS
import json, os, signal, socket, sys
asked = (signal.SIGINT, signal.SIGTERM)
signal.pthread_sigmask(signal.SIG_BLOCK, asked)  # the fork comes first
line = socket.socket(socket.AF_UNIX)
line.connect({door!r})
job = [[*{words!r}, *sys.argv[1:]], dict(os.environ), os.getcwd()]
socket.send_fds(line, [b" "], [0, 1, 2])
line.sendall(json.dumps(job).encode() + b"\\n")
def hand_on(number, frame):
    try:
        line.send(bytes([number]))
    except OSError:  # it has ended, and its status is on the way
        pass
for number in asked:
    signal.signal(number, hand_on)
signal.pthread_sigmask(signal.SIG_UNBLOCK, asked)
status = int(line.recv(8))
if status < 0:
    signal.signal(-status, signal.SIG_DFL) if -status != signal.SIGKILL else None
    os.kill(os.getpid(), -status)
os._exit(status)
"""


def serve(door: str) -> list[str]:
    """Run jobs until there are no more, and fork for whoever comes to the door; comes back in each fork, with its words."""
    answers = os.dup(1)
    os.dup2(2, 1)
    began: dict[int, int | None] | None = None  # the processes of the job that runs, and their statuses
    companions: list[int] = []
    end = 0.0
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(door)
        sock.listen(64)
        while True:
            companions = [pid for pid in companions if not os.waitpid(pid, os.WNOHANG)[0]]
            ready = select.select([sock, 0] if began is None else [sock], [], [], None if began is None else 0.01)[0]
            if sock in ready:
                line, _ = sock.accept()
                companions.append(os.fork())
                if companions[-1] == 0:
                    os.close(answers)
                    sock.close()
                    return forked_for(line)
                line.close()
            if began is not None and _have_ended(began, end):
                os.write(answers, json.dumps(list(began.values())).encode() + b"\n")
                began = None
            elif 0 in ready:
                asked = sys.stdin.buffer.readline()
                if not asked:
                    shutil.rmtree(os.path.dirname(door))
                    sys.exit()
                job: dict[str, Any] = json.loads(asked)
                began, end = {}, time.monotonic() + job["seconds"]
                for each in job["processes"]:
                    pid = os.fork()
                    if pid == 0:
                        os.close(answers)
                        sock.close()
                        _become(each["environment"], job["folder"])
                        _take(os.open(file, _TO_WRITE if number else os.O_RDONLY) for number, file in enumerate(each["files"]))
                        return each["words"]
                    began[pid] = None


def _have_ended(began: dict[int, int | None], end: float) -> bool:
    """Whether a job's processes have ended by themselves, or have had their time; then nothing of them is left."""
    for pid, status in began.items():
        ended, said = (0, 0) if status is not None else os.waitpid(pid, os.WNOHANG)
        if ended:
            began[pid] = os.waitstatus_to_exitcode(said)
    if None in began.values() and time.monotonic() < end:
        return False
    for pid, status in began.items():
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # with what it has started
        if status is None:
            os.waitpid(pid, 0)
    return True


def forked_for(line: socket.socket) -> list[str]:
    """In a fork of its own for whoever came through a door: another fork, which comes back with the words; this one accompanies it."""
    _, files, _, _ = socket.recv_fds(line, 1, 3)
    with line.makefile("rb", buffering=0) as asked:  # what comes behind the line are signals
        words, environment, folder = json.loads(asked.readline())
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    child = os.fork()
    if child == 0:
        line.close()
        _become(environment, folder)
        _take(files)
        return words
    for file in files:
        os.close(file)
    _accompany(child, line)
    os._exit(0)


def _accompany(child: int, line: socket.socket) -> None:
    """Hand signals on to a fork until it ends; it does when whoever asked for it does."""
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            with suppress(OSError):
                line.send(str(os.waitstatus_to_exitcode(status)).encode())
            return
        if select.select([line], [], [], 0.02)[0]:
            asked = line.recv(1)
            os.kill(child, asked[0] if asked else signal.SIGKILL)
            if not asked:
                os.waitpid(child, 0)
                return


def _become(environment: dict[str, str], folder: str) -> None:
    """A process of its own, and of a session of its own, as the environment would have made it."""
    ctypes.CDLL(None).prctl(_ON_PARENTS_DEATH, signal.SIGKILL)
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)


def _take(files: Iterable[int]) -> None:
    """Make files standard input, output and errors."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)


def run_to_the_end(words: list[str]) -> NoReturn:
    """What `python WORDS` does, and end as it does; but what a fork shares with others is not taken apart, which takes half a second."""
    status: Any = 0
    interrupted = False
    try:
        _run(words)
    except SystemExit as end:
        status = end.code
        if status is not None and not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
    except BaseException as error:
        sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
        sys.excepthook(type(error), error, error.__traceback__)
        status, interrupted = 1, isinstance(error, KeyboardInterrupt)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    vars(sys.modules["__main__"]).clear()  # and its files closed
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # there is none, nobody reads it, it is closed
            stream.flush()
    if interrupted:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit((status or 0) & 0xFF)


def _run(words: list[str]) -> None:
    import numpy

    numpy.random.seed()
    sys.stdin = open(0)
    if words[0] == "-u":
        words = words[1:]
        sys.stdout = open(1, "w", buffering=1, closefd=False)
    sys.orig_argv[:] = [sys.executable, *words]
    sys.path[:] = [each for each in os.environ["PYTHONPATH"].split(os.pathsep) if each] + sys.path[1:]
    sys.modules["__main__"] = ModuleType("__main__")
    if words[0] == "-m":
        sys.argv[:] = ["-m", *words[2:]]
        sys.path.insert(0, os.getcwd())
        runpy._run_module_as_main(words[1], alter_argv=True)  # type: ignore[attr-defined]
    elif words[0] == "-c":
        sys.argv[:] = ["-c", *words[2:]]
        sys.path.insert(0, "")
        exec(words[1], vars(sys.modules["__main__"]))
    else:
        sys.argv[:] = words
        sys.path.insert(0, os.path.dirname(words[0]))
        runpy.run_path(words[0], run_name="__main__")


if __name__ == "__main__":
    import torch._dynamo
    import torch.distributed.tensor  # noqa: F401 - what jobs on meshes would import, in more time than they run

    gc.freeze()  # forks leave it in memory that they share
    run_to_the_end(serve(sys.argv[1]))

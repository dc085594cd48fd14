"""Starts Pythons that have torch already, as forks of this one: for `jobs.py`, whose many jobs would spend their time on importing it.

Reads a job from each line of standard input, runs it, and writes the statuses of its processes; `null` for one that had to be ended.
A process is what `python WORDS` is otherwise: `paddle_compat` is imported in it, under its own environment. Its standard input, output
and errors are files.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import runpy
import signal
import sys
import time
from contextlib import suppress
from types import ModuleType
from typing import Any

_ON_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG


def serve() -> list[str]:
    """Run jobs until there are no more; comes back in each process of a job, with its words."""
    answers = os.dup(1)
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        job: dict[str, Any] = json.loads(line)
        began: list[int] = []
        for each in job["processes"]:
            pid = os.fork()
            if pid == 0:
                os.close(answers)
                _become(each["environment"], job["folder"], each["files"])
                return each["words"]
            began.append(pid)
        os.write(answers, json.dumps(_statuses(began, job["seconds"])).encode() + b"\n")
    sys.exit()


def _statuses(began: list[int], seconds: float) -> list[int | None]:
    """How the processes end by themselves; then nothing of them is left."""
    statuses: dict[int, int] = {}
    end = time.monotonic() + seconds
    while len(statuses) < len(began) and time.monotonic() < end:
        time.sleep(0.01)
        for pid in began:
            ended, status = (0, 0) if pid in statuses else os.waitpid(pid, os.WNOHANG)
            if ended:
                statuses[pid] = os.waitstatus_to_exitcode(status)
    for pid in began:
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # with what it has started
        if pid not in statuses:
            os.waitpid(pid, 0)
    return [statuses.get(pid) for pid in began]


def _become(environment: dict[str, str], folder: str, files: list[str]) -> None:
    """A process of its own, and of a session of its own, as the environment would have made it."""
    ctypes.CDLL(None).prctl(_ON_PARENTS_DEATH, signal.SIGKILL)
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, file in enumerate(files):
        opened = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT if number else os.O_RDONLY)
        os.dup2(opened, number)
        os.close(opened)


def run(words: list[str]) -> None:
    """What `python WORDS` does."""
    import numpy

    numpy.random.seed()
    sys.stdin = open(0)
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
    run(serve())

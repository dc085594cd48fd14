"""Starts Pythons that have torch already for a launcher under test: `fork_server.py DOOR`.

The launcher runs STAND_IN, in a Python without anything: it asks at the door for a fork, hands signals on to it, and ends as that does.
A fork has the package already, too, and what a transpiled Program is written with: it reads variables that are read at the import no more.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress

from job_server import _become, run

STAND_IN = """
import json, os, signal, socket, sys
asked = (signal.SIGINT, signal.SIGTERM)
signal.pthread_sigmask(signal.SIG_BLOCK, asked)  # the fork comes first
line = socket.socket(socket.AF_UNIX)
line.connect({door!r})
words = ["-m", "paddle_compat", *sys.argv[1:]]
job = [words, dict(os.environ), os.getcwd(), os.readlink("/proc/self/fd/1")]
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
    """Fork for whoever comes; comes back in each fork, with its words."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how the companions below end
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(door)
        sock.listen(64)
        print(flush=True)
        while True:
            line, _ = sock.accept()
            if os.fork() == 0:
                break
            line.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with line.makefile("rb", buffering=0) as asked:  # what comes behind the line are signals
        words, environment, folder, log = json.loads(asked.readline())
    child = os.fork()
    if child == 0:
        line.close()
        _become(environment, folder, [os.devnull, log, log])
        return words
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


def _warm_up() -> None:
    """Load what jobs with servers load."""
    import torch.distributed.rpc  # noqa: F401

    import paddle_compat.engine.serving  # noqa: F401
    from paddle_compat import fluid

    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1))
        fluid.optimizer.SGD(1.0).minimize(loss)
        transpiler = fluid.DistributeTranspiler()
        transpiler.transpile(0, pservers="127.0.0.1:1", trainers=2)
        exe = fluid.Executor(fluid.CPUPlace())
        with fluid.scope_guard(fluid.Scope()):
            exe.run(transpiler.get_pserver_programs("127.0.0.1:1")[1])


if __name__ == "__main__":
    _warm_up()
    gc.freeze()  # forks leave it in memory that they share
    run(serve(sys.argv[1]))

"""Starts Pythons that have torch already for a launcher under test: `fork_server.py DOOR`.

The launcher runs the program of `job_server.py` that asks at a door. A fork has the package already, too, and what a transpiled Program
is written with: it reads variables that are read at the import no more.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys

from job_server import forked_for, run_to_the_end


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
                sock.close()
                return forked_for(line)
            line.close()


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
    run_to_the_end(serve(sys.argv[1]))

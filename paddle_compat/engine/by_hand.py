"""A server whose Program was written by hand, with `ListenAndServ`: the only one of its job, as the Program knows no others."""

from __future__ import annotations

import socket

import torch

from paddle_compat.core.clone import copy_program
from paddle_compat.core.job import Servers
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.engine import serving
from paddle_compat.engine.executor import prepare

_CPU = torch.device("cpu")


def serve(program: Program, scope: Scope) -> None:
    """Run what stands before a server's last operator, and serve until all trainers are done.

    Args:
        program: its last operator is a `listen_and_serv` of `ListenAndServ`.
        scope: keeps all variables, also those that are not persistable.
    """
    whole = copy_program(program)
    block = whole.global_block()
    for var in block.vars.values():
        var.persistable = True  # trainers may ask for any of them
    listener = block.ops.pop()
    whole._touch()
    if block.ops:
        prepare(whole, (), (), (), scope).run([], (), _CPU, False)
    listener.attrs["endpoint"] = endpoint = _with_a_port(listener.attrs["endpoint"])
    block.ops.append(listener)
    whole._touch()
    serving.serve(whole, listener, Servers((endpoint,), listener.attrs["Fanin"]), scope)


def _with_a_port(endpoint: str) -> str:
    """An endpoint whose port, if it is 0, has become a free one."""
    host, _, port = endpoint.rpartition(":")
    if port == "0":
        with socket.create_server((host, 0)) as door:
            port = str(door.getsockname()[1])
    return f"{host}:{port}"

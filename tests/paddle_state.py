"""A fresh Paddle state: what a script meets when it starts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from paddle_compat.core import direct, eager, lod, mode, unique_name
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.scope import Scope, scope_guard


@contextmanager
def fresh_state() -> Iterator[None]:
    """Default Programs, scope, names and mode as at the start, inside the block."""
    former = mode.restart()
    try:
        with program_guard(Program(), Program()), scope_guard(Scope()), unique_name.guard():
            yield
    finally:
        mode.restart(former)
        if houses := sys.modules.get("paddle_compat.dataset.uci_housing"):  # the module keeps what it read first
            houses.__dict__.update(UCI_TRAIN_DATA=None, UCI_TEST_DATA=None)
        if meshes := sys.modules.get("paddle_compat.distributed.auto_parallel.interface"):  # a mesh of processes that the next has not
            meshes.set_mesh(None)


def no_dist_tensors() -> None:
    """Undo what the first dist tensor of a process does to all operators: they take another way from then on, which differs in bits."""
    if eager.spread is not None:
        from paddle_compat.engine import eager_backward, moves

        eager.spread = lod.whole = None
        eager_backward.around.remove(moves.guarded_pass)
        direct.hold(False, "dist tensors")

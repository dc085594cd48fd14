"""What processes tell one another before they make a collective call."""

from __future__ import annotations

import datetime
import gc
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

from paddle_compat.engine.agreements import Agreements, Call


class Group:
    """What is asked of a process group."""

    group_name = "group"
    _device_types = ("cpu",)

    def _get_backend(self, device: Any) -> Any:
        return SimpleNamespace(options=SimpleNamespace(_timeout=datetime.timedelta(seconds=5)))


def asked(agreements: Agreements, group: Any) -> Any:
    """Say a call, as what comes through many functions that hold its group."""
    return agreements.submit(group, Call("sum", "all_reduce"), "the same", lambda: group, (0, 1))


def test_a_call_that_failed_keeps_no_group() -> None:
    """A group whose call finds the others gone ends with what asked for it: its threads must not outlive Python."""
    agreements, group = Agreements(0, lambda rank, word: None), Group()
    agreements.lose(1)
    turn, seen = asked(agreements, group), weakref.ref(group)
    gc.disable()
    try:
        del group
        assert seen() is None
    finally:
        gc.enable()
    with pytest.raises(RuntimeError, match="the line to process 1 is broken"):
        agreements.result(turn)

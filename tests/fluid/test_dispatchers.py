"""`fluid.transpiler`'s names, and where scripts import them from."""

from __future__ import annotations

import pytest

from paddle_compat import fluid
from paddle_compat.fluid.transpiler import HashName, RoundRobin, memory_optimization_transpiler, ps_dispatcher


class Described:
    """A variable as a description has it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        return self._name


def test_servers_get_variables_in_turn() -> None:
    servers = RoundRobin(["a:1", "b:2", "c:3"])
    assert servers.dispatch(list("xyzw")) == ["a:1", "b:2", "c:3", "a:1"] and servers.dispatch(["x"]) == ["b:2"]
    assert servers.reset() is None and servers.dispatch("xy") == ["a:1", "b:2"] and servers.eps == ["a:1", "b:2", "c:3"]


def test_a_name_stays_with_its_server() -> None:
    servers = HashName(["a:1", "b:2", "c:3"])
    names = [Described(f"w_{n}") for n in range(20)]
    assert servers.dispatch(names) == servers.dispatch(names) and set(servers.dispatch(names)) == {"a:1", "b:2", "c:3"}
    assert isinstance(servers, ps_dispatcher.PSDispatcher)


def test_memory_passes_are_the_same_ones() -> None:
    assert memory_optimization_transpiler.memory_optimize is fluid.memory_optimize is fluid.transpiler.memory_optimize
    with pytest.warns(UserWarning, match="no effect"):
        memory_optimization_transpiler.release_memory(fluid.Program())

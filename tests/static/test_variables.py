"""Variables: what makes the first value of global ones, and what tools note about them and their operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_compat import _missing, errors, fluid, nn, static
from paddle_compat.base import core
from paddle_compat.core import mode


@pytest.mark.parametrize(("front", "make"), [(static, static.create_global_var), (fluid, fluid.layers.create_global_var)])
def test_first_values_come_from_a_constant(front: Any, make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody reads the list of all of Paddle's names, which takes longer than making a small Program."""

    def read() -> None:
        raise AssertionError("the list of names is for errors")

    monkeypatch.setattr(_missing, "known_names", read)
    monkeypatch.setattr(mode, "_static", True)
    main, startup = front.Program(), front.Program()
    with front.program_guard(main, startup):
        var = make([1], 0.5, "float32", persistable=True, force_cpu=True)
    (op,) = startup.global_block().ops
    assert op.type == "fill_constant" and op.output("Out") == [var.name]
    assert op.attr("value") == 0.5 and op.attr("force_cpu") is True


@pytest.mark.parametrize("value", [[1.0, 2.0], (1.0, 2.0), 3.0, "a", None])
def test_values_that_are_no_arrays_are_refused(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Paddle 2.6.2 does."""
    monkeypatch.setattr(mode, "_static", True)
    with static.program_guard(static.Program(), static.Program()), static.scope_guard(static.Scope()):
        weight = static.create_parameter([2], "float32")
        static.Executor().run(static.default_startup_program())
        with pytest.raises(TypeError, match="numpy array or tensor"):
            weight.set_value(value)


def test_notes_about_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes are 2.6.2's."""
    monkeypatch.setattr(mode, "_static", True)
    main = static.Program()
    with static.program_guard(main, static.Program()):
        x = static.data("x", [2, 2])
    assert x.attr_names == [] and not x._has_attr("k") and x.is_view_var is False
    x._set_attr("k", (1, 2))
    x._set_attr("s", "q")
    x._set_attr("i", 7)
    x._set_attr("b", True)
    assert (x.attr("k"), x.attr("s"), x.attr("b"), sorted(x.attr_names)) == ([1, 2], "q", 1, ["b", "i", "k", "s"])
    x._remove_attr("b")
    x._remove_attr("nothing")
    assert x.desc.serialize_to_string().endswith(b':\x07\n\x01i\x10\x00\x18\x07:\t\n\x01k\x10\x03(\x01(\x02:\x08\n\x01s\x10\x02"\x01q')
    others = main.clone(), main.clone(for_test=True), static.Program.parse_from_string(main.desc.serialize_to_string())
    x._remove_attr("i")
    for other in others:
        twin = other.global_block().var("x")
        assert {name: twin.attr(name) for name in twin.attr_names} == {"i": 7, "k": [1, 2], "s": "q"}
    assert sorted(x.attr_names) == ["k", "s"] and x._has_attr("k")
    for value in (1.5, ["a"], 2**40, None):
        with pytest.raises(ValueError, match="an int, a string or a list of ints"):
            x._set_attr("k", value)
    with pytest.raises(errors.NotFoundError, match="has no attribute `zz`. It has: k, s"):
        x.attr("zz")


def test_attributes_of_all_operators_can_be_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in 2.6.2, and copies have them no more either."""
    monkeypatch.setattr(mode, "_static", True)
    main = static.Program()
    with static.program_guard(main, static.Program()):
        nn.functional.relu(static.data("x", [2, 2]))
    (op,) = main.global_block().ops
    before = set(op.attr_names)
    op._remove_attr("op_device")
    op._remove_attr("op_role")
    assert before - set(op.attr_names) == {"op_device", "op_role"} and not op.has_attr("op_device")
    (twin,) = main.clone().global_block().ops
    assert twin.attr_names == op.attr_names
    op._set_attr("op_device", "cpu")
    assert op.has_attr("op_device") and op.attr("op_device") == "cpu" and "op_role" not in op.attr_names


def test_texts_have_no_level() -> None:
    """As in Paddle 2.6.2."""
    var = static.Program().global_block().create_var(dtype=core.VarDesc.VarType.STRINGS, shape=[1])
    assert var.type == core.VarDesc.VarType.STRINGS and var.lod_level is None


def test_what_nobody_set_is_left_out_of_a_description() -> None:
    """As Paddle 2.6.2 serializes Programs."""
    program = static.Program()
    block = program.global_block()
    for name, settings in {"x": {}, "w": {"persistable": True}, "n": {"persistable": False, "lod_level": 0}}.items():
        block.create_var(name=name, shape=[2, 3], dtype="float32", **settings)
    text = program.to_string(True)
    assert text.count("persistable") == 2 and text.count("lod_level") == 1
    assert static.Program.parse_from_string(program.desc.serialize_to_string()).to_string(True) == text


def test_prunings_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paddle's unit tests put a function of theirs in the place of the one that prunes."""
    called: list[Any] = []

    def prune(self: Any, program: Any, feed: Any, fetch: Any, optimize_ops: Any) -> Any:
        called.append((list(feed), fetch, optimize_ops))
        return program

    monkeypatch.setattr(static.Executor, "_prune_program", prune)
    monkeypatch.setattr(mode, "_static", True)
    with static.program_guard(static.Program(), static.Program()):
        x = static.data("x", [None, 2])
        first, second = x + 1, x + 2
        executor, feed = static.Executor(), {"x": np.ones((1, 2), np.float32)}
        for fetched in (first, first, second, first):
            executor.run(feed=feed, fetch_list=[fetched], use_prune=True)
    assert called == [(["x"], [first.name], []), (["x"], [second.name], [])]

"""Variables: what makes the first value of global ones, and what tools note about them and their operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import _missing, errors, fluid, nn, static
from paddle_compat.base import core
from paddle_compat.core import mode, unique_name


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


def test_names_that_nobody_gave_are_counted_by_each_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Paddle 2.6.2: neither new counters nor another Program have them begin anew, or go on."""
    monkeypatch.setattr(mode, "_static", True)
    first, second = static.Program(), static.Program()
    with unique_name.guard("before_"):
        names = [block.create_var().name for block in map(static.Program.global_block, (first, first, second))]
    assert names == ["_generated_var_0", "_generated_var_1", "_generated_var_0"]
    with unique_name.guard(), static.program_guard(first, static.Program()):
        assert unique_name.generate("_generated_var") == "_generated_var_0"
        assert static.create_global_var([1], 1.0, "float32").name == "_generated_var_2"
    assert first.clone().global_block().create_var().name == "_generated_var_0"


def test_only_appended_operators_look_whether_gradients_stop() -> None:
    """As in Paddle 2.6.2."""
    block = static.Program().global_block()
    given = {"type": "fill_constant", "attrs": {"shape": [2], "dtype": 5, "value": 1.0}}
    appended, inserted, first = (block.create_var(name=name) for name in "abc")
    block.append_op(outputs={"Out": [appended]}, **given)
    block._insert_op(1, outputs={"Out": [inserted]}, **given)
    block._prepend_op(outputs={"Out": [first]}, **given)
    assert [var.stop_gradient for var in (appended, inserted, first)] == [True, False, False]


def test_copies_and_gradients_of_what_is_no_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Paddle 2.6.2."""
    monkeypatch.setattr(mode, "_static", True)
    main, scope = static.Program(), core.Scope()
    with unique_name.guard(), static.program_guard(main, static.Program()):
        kept = static.create_global_var([1], 1.0, "float32", persistable=True)
        assert kept.detach().persistable and kept.detach().stop_gradient
        x = static.data("x", [2, 3], "float32")
        x.stop_gradient = False
        count = len(main.global_block().ops)
        assert paddle.assign(x, x) is x and len(main.global_block().ops) == count
        made = static.nn.static_pylayer(lambda v: v * 2, [kept], lambda g: g * 3)
        assert made.stop_gradient and not main.global_block().ops[-1].output("Scope")[0] == made.name
        assert not main.global_block().var(main.global_block().ops[-1].output("Scope")[0]).stop_gradient
        loss = (x * x).sum()
        static.append_backward(loss, parameter_list=["x"])
        assert main.global_block().ops[-1].attr("op_role_var") == ["x", "x@GRAD"]
        assert [len(main._prune([v]).global_block().ops) for v in (x, kept)] == [0, 0]
        several = x * 3
        static.gradients(several, several)
        static.append_backward(several)
        assert main.global_block().var(several.name + "@GRAD_0").shape == (1,)
    main.global_block().create_var(name="unwritten", shape=[2], dtype="float32", persistable=True)
    static.Executor().run(main, feed={"x": np.ones((2, 3), np.float32), kept.name: np.ones(1, np.float32)}, scope=scope)
    assert not scope.find_var("unwritten").get_tensor()._is_initialized()


def test_hooks_of_variables_see_what_later_readers_give(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Paddle 2.6.2, whose Programs hold a py_func where the hook was registered."""
    monkeypatch.setattr(mode, "_static", True)
    main, startup, scope = static.Program(), static.Program(), core.Scope()
    with unique_name.guard(), static.program_guard(main, startup):
        x = static.data("x", [2, 3], "float32")
        x.stop_gradient = False
        w = static.create_parameter([3], "float32", name="w", default_initializer=paddle.nn.initializer.Constant(2.0))
        y = x * w
        w.register_hook(lambda grad: grad * 10)
        z = y * w
        y.register_hook(lambda grad: grad * 5)
        loss = (z + y * y).sum()
        assert [op.type for op in main.global_block().ops[:4]] == ["elementwise_mul", "py_func", "elementwise_mul", "py_func"]
        assert main.global_block().ops[1].attr("backward_skip_vars") == ["w"]
        static.append_backward(loss)
    executor = static.Executor()
    executor.run(startup, scope=scope)
    total, of_w, of_x = executor.run(main, feed={"x": np.ones((2, 3), np.float32)}, fetch_list=[loss, "w@GRAD", "x@GRAD"], scope=scope)
    assert total == 48 and of_w.tolist() == [84.0] * 3 and of_x.tolist() == [[44.0] * 3] * 2


def test_what_a_run_has_made_room_for_is_there_and_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Paddle 2.6.2."""
    monkeypatch.setattr(mode, "_static", True)
    main, scope = static.Program(), core.Scope()
    with static.program_guard(main, static.Program()), static.scope_guard(scope):
        w = static.create_parameter([2], "float32")
        for refused in (w.get_value, main.state_dict):
            with pytest.raises(ValueError, match="in the [sS]cope"):
                refused()
        static.Executor().run(main.clone())
        assert not w.get_value()._is_initialized()
        assert [tensor._is_initialized() for tensor in main.state_dict().values()] == [False]
        for value, kind in ((w.get_value(), RuntimeError), (np.ones(2, np.float32), ValueError)):
            with pytest.raises(kind):
                w.set_value(value)


def test_copies_for_tests_have_no_gradients_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Paddle 2.6.2."""
    monkeypatch.setattr(mode, "_static", True)
    main = static.Program()
    with static.program_guard(main, static.Program()):
        x = static.data("x", [2, 3], "float32")
        x.stop_gradient = False
        y = static.nn.static_pylayer(lambda v: v * 2, [x], lambda grad: grad * 3)
        loss = static.nn.cond(y.sum() > 0, lambda: y, lambda: x).mean()
        assert [main.clone(for_test=on).num_blocks for on in (False, True)] == [5, 4]
        static.append_backward(loss)
        copy = main.clone(for_test=True)
        assert [len(block.ops) for block in copy.blocks] == [10, 2, 1, 1]


def test_shapes_of_sums_renamed_data_and_copies_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Paddle 2.6.2: the first one with dimensions says which are open, and nothing renamed is data."""
    monkeypatch.setattr(mode, "_static", True)
    main = static.Program()
    with unique_name.guard(), static.program_guard(main, static.Program()):
        a, b, c = static.data("a", [-1, 3]), static.data("b", [2, -1]), static.data("c", [2, 3])
        assert [paddle.add_n(list(given)).shape for given in ((a, c, b), (b, a), (c, a))] == [(-1, 3), (2, -1), (2, 3)]
        assert not static.create_parameter([3], "float32").cpu().persistable
        main.global_block()._rename_var("a", "z")
        assert not main.global_block().var("z").is_data
        with pytest.raises(ValueError):
            static.amp.decorate(paddle.optimizer.SGD(0.1)).minimize((c * 2).mean())

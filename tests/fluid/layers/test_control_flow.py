"""Loops, branches, tensor arrays and comparisons of `fluid.layers` against the wheel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sequence_layers_replay as layers

from paddle_compat import fluid

OTHERS = {name.split("/")[0] for name in layers.recorded() if not name.startswith(("sequence_", *layers.RECURRENT))}


@layers.cases(*OTHERS)
def test_as_the_wheel(name: str) -> None:
    layers.replay(name)


def flag() -> Any:
    return fluid.data("flag", [1], "bool")


def number(shape: tuple[int, ...] = (1,), dtype: str = "float32") -> Any:
    return fluid.data(f"number_{dtype}_{len(shape)}", list(shape), dtype)


def outside_of_a_step() -> None:
    fluid.layers.StaticRNN().step_input(number((3, 2)))


def never_updated() -> None:
    rnn = fluid.layers.StaticRNN()
    with rnn.step():
        rnn.memory(init=number((3, 2)))


def called_too_early() -> None:
    fluid.layers.DynamicRNN()()


def without_input() -> None:
    rnn = fluid.layers.DynamicRNN()
    with rnn.block():
        rnn.memory(shape=[2])


def static_input_first() -> None:
    rnn = fluid.layers.DynamicRNN()
    with rnn.block():
        rnn.static_input(number())


def a_block_without_output() -> None:
    chooser = fluid.layers.IfElse(flag())
    with chooser.true_block():
        pass


def a_default_without_case() -> None:
    with fluid.layers.Switch() as switch:
        switch.default()


def no_such_branch() -> None:
    index = fluid.data("index", [1], "int32")
    fluid.layers.switch_case(index, [(1, number), (1, number)])


L = fluid.layers
WRONG: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "cond on a number": (lambda: L.cond(number(), number, number), TypeError, "bool"),
    "cond with no function": (lambda: L.cond(flag(), 3, number), TypeError, "true_fn"),
    "cond that returns None once": (lambda: L.cond(flag(), lambda: None, number), ValueError, "Incompatible"),
    "cond of two shapes": (
        lambda: L.cond(flag(), lambda: [number(), number()], lambda: [number()]),
        ValueError,
        "Incompatible",
    ),
    "while_loop over nothing": (lambda: L.while_loop(flag, number, []), ValueError, "at least one"),
    "while_loop over a Variable": (lambda: L.while_loop(flag, number, number()), TypeError, "loop_vars"),
    "while_loop that returns more": (
        lambda: L.while_loop(lambda x: flag(), lambda x: [x, x], [number()]),
        ValueError,
        "loop_vars",
    ),
    "While on a number": (lambda: L.While(number()), TypeError, "bool"),
    "While on many conditions": (lambda: L.While(fluid.data("f", [2], "bool")), TypeError, "one element"),
    "switch_case of one number twice": (no_such_branch, ValueError, "twice"),
    "case of something else": (lambda: L.case([number()]), TypeError, "tuples"),
    "Switch.case outside": (lambda: L.Switch().case(flag()), ValueError, "inside"),
    "Switch.default first": (a_default_without_case, ValueError, "at least one"),
    "IfElse without output": (a_block_without_output, ValueError, "no output"),
    "IfElse.input outside": (lambda: L.IfElse(flag()).input(number()), ValueError, "outside"),
    "IfElse called first": (lambda: L.IfElse(flag())(), ValueError, "called first"),
    "StaticRNN.step_input outside": (outside_of_a_step, ValueError, "outside"),
    "StaticRNN without update": (never_updated, ValueError, "never updated"),
    "StaticRNN called first": (lambda: L.StaticRNN()(), ValueError, "called first"),
    "DynamicRNN called first": (called_too_early, ValueError, "called first"),
    "DynamicRNN without input": (without_input, ValueError, "step_input"),
    "DynamicRNN.static_input first": (static_input_first, RuntimeError, "step_input"),
    "array_write of a number": (lambda: L.array_write(3.0, number(dtype="int64")), TypeError, "`x`"),
    "array_write at a float": (lambda: L.array_write(number(), number()), TypeError, "`i`"),
    "array_read of a tensor": (lambda: L.array_read(number(), fluid.data("i", [1], "int64")), TypeError, "array"),
    "less_than of bools": (lambda: L.less_than(flag(), flag()), TypeError, "`x`"),
    "increment of bools": (lambda: L.increment(flag()), TypeError, "`x`"),
    "a LoD layer on integers": (lambda: L.sequence_softmax(number(dtype="int64")), TypeError, "`input`"),
    "dynamic_lstm without bias": (
        lambda: L.dynamic_lstm(fluid.data("x", [None, 8], lod_level=1), 8, bias_attr=False),
        AssertionError,
        "bias_attr",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_use(name: str) -> None:
    call, error, message = WRONG[name]
    number()  # from here on the mode is static
    with pytest.raises(error, match=message):
        call()
    assert fluid.default_main_program().current_block_idx == 0


def test_arrays_begin_a_script_and_are_fetched_as_numpy_arrays() -> None:
    array = L.create_array("float32")
    assert str(array.dtype) == "VarType.FP32"
    x = fluid.data("x", [None, 1], "float32", lod_level=1)
    L.array_write(x, L.zeros([1], "int64"), array)
    exe, ones = fluid.Executor(fluid.CPUPlace()), np.ones((2, 1), "float32")
    (fetched,) = exe.run(feed={"x": ones}, fetch_list=[array])
    assert isinstance(fetched[0], np.ndarray) and fetched[0].tolist() == [[1.0], [1.0]]
    (kept,) = exe.run(feed={"x": ones}, fetch_list=[array], return_numpy=False)
    assert isinstance(kept[0], fluid.LoDTensor)
    with pytest.raises(RuntimeError, match="LoD"):
        exe.run(feed={"x": fluid.create_lod_tensor(ones, [[1, 1]], fluid.CPUPlace())}, fetch_list=[array])


def test_sides_of_a_choice_have_the_shape_of_what_was_split() -> None:  # seen on 1.8.5
    x = fluid.data("x", [4, 3])
    few = L.less_than(L.reduce_sum(x, 1, keep_dim=True), L.fill_constant([4, 1], "float32", 20.0))
    chooser = L.IfElse(few)
    with chooser.true_block():
        assert chooser.input(x).shape == (4, 3)
        chooser.output(L.fc(chooser.input(x), 2))
    with chooser.false_block():
        chooser.output(L.fc(chooser.input(x), 2))
    (out,) = chooser()
    assert out.shape == (4, 2)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    assert exe.run(feed={"x": np.arange(12, dtype="float32").reshape(4, 3)}, fetch_list=[out])[0].shape == (4, 2)

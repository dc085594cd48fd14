"""py_func hands sequences to the user's functions and takes sequences from them; the figures are Paddle 1.8.5's."""

from __future__ import annotations

from typing import Any

import numpy as np

import paddle_compat.fluid as fluid

ROWS = np.arange(20, dtype="float32").reshape(5, 4)


def sequences(rows: np.ndarray) -> fluid.LoDTensor:
    return fluid.create_lod_tensor(rows, [[2, 3]], fluid.CPUPlace())


def variable(name: str, lod_level: int = 0) -> Any:
    return fluid.default_main_program().current_block().create_var(name=name, dtype="float32", shape=[-1, 4], lod_level=lod_level)


def test_sequences_go_in_and_come_out() -> None:
    seen = []

    def cut(rows: Any, marks: Any) -> Any:
        seen.append((rows.lod(), marks.recursive_sequence_lengths()))
        first = fluid.LoDTensor()
        first.set(np.array(rows)[:3], fluid.CPUPlace())
        first.set_lod([[0, 1, 3]])
        return first, np.array(rows) * 2

    with fluid.program_guard(fluid.Program(), fluid.Program()):
        rows = fluid.data("rows", [None, 4], lod_level=1)
        marks = fluid.data("marks", [None, 1], "int64", lod_level=1)
        first, twice = variable("first", 1), variable("twice")
        fluid.layers.py_func(cut, [rows, marks], [first, twice])
        fetches = [first, twice, fluid.layers.sequence_pool(first, "sum")]
        feed = {"rows": sequences(ROWS), "marks": sequences(np.arange(5).reshape(5, 1))}
        found = fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=fetches, return_numpy=False)
    assert seen == [([[0, 2, 5]], [[2, 3]])]
    assert [value.lod() for value in found] == [[[0, 1, 3]], [], []]  # an array has no sequences
    assert np.array(found[2]).tolist() == [[0, 1, 2, 3], [12, 14, 16, 18]]


def test_the_backward_function_sees_sequences() -> None:
    seen = []

    def doubled(rows: Any) -> Any:
        out = fluid.LoDTensor()
        out.set(np.array(rows) * 2, fluid.CPUPlace())
        out.set_lod(rows.lod())
        return out

    def backward(rows: Any, out: Any, gradient: Any) -> Any:
        seen.append([value.lod() for value in (rows, out, gradient)])
        return np.array(gradient) * 2

    with fluid.program_guard(fluid.Program(), fluid.Program()):
        rows = fluid.data("rows", [None, 4], lod_level=1)
        rows.stop_gradient = False
        out = variable("out", 1)
        fluid.layers.py_func(doubled, [rows], [out], backward_func=backward)
        loss = fluid.layers.mean(fluid.layers.square(fluid.layers.sequence_pool(out, "sum")))
        fetches = [loss, *fluid.gradients(loss, rows)]
        found = fluid.Executor(fluid.CPUPlace()).run(feed={"rows": sequences(ROWS)}, fetch_list=fetches, return_numpy=False)
    assert seen == [[[[0, 2, 5]]] * 3]
    assert np.array(found[0]).tolist() == [3411]
    assert np.array(found[1]).tolist() == [[4, 6, 8, 10]] * 2 + [[36, 39, 42, 45]] * 3


def test_the_gradient_of_a_py_func_names_no_variables_to_skip() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        hidden = fluid.layers.fc(fluid.layers.data("x", [6]), 4)
        out = main.global_block().create_var(name="out", dtype="float32", shape=hidden.shape)
        fluid.layers.py_func(lambda v: v, hidden, out, backward_func=lambda v, w, g: g)
        fluid.optimizer.SGD(0.1).minimize(fluid.layers.mean(out))
    assert [op.has_attr("backward_skip_vars") for op in main.global_block().ops if op.type == "py_func"] == [True, False]

"""Running Programs: values, state, errors, and what a failed run leaves behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
import paddle_compat.fluid as fluid
from paddle_compat.core.backward import append_backward, gradients
from paddle_compat.core.lod import to_numpy
from paddle_compat.core.op import find_op
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.scope import Scope, global_scope, scope_guard
from paddle_compat.static.executor import Executor


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    from paddle_compat.core import mode, unique_name

    former = mode.set_static(True)
    main, startup = Program(), Program()
    with program_guard(main, startup), scope_guard(Scope()), unique_name.guard():
        yield
    mode.set_static(former)


def op(name: str) -> Any:
    found = find_op(name)
    assert found is not None
    return found


def data(name: str = "x", shape: tuple[int, ...] = (-1, 3), dtype: str = "float32", **kwargs: Any) -> Any:
    block = paddle.static.default_main_program().global_block()
    return block.create_var(
        name=name, shape=shape, dtype=dtype, is_data=True, need_check_feed=True, stop_gradient=True, **kwargs
    )


def parameter(name: str, value: Any) -> Any:
    value = np.asarray(value, "float32")
    param = (
        paddle.static.default_main_program()
        .global_block()
        .create_parameter(name=name, shape=value.shape, dtype="float32")
    )
    global_scope().var(name).get_tensor().set(value)
    return param


def run(fetch: Any, **feed: Any) -> list[Any]:
    return Executor(paddle.CPUPlace()).run(feed=feed, fetch_list=fetch)


X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "float32")


def test_runs_and_fetches_in_order() -> None:
    x = data()
    y, z = x * 2, x + 1
    got = run([z, "x", y], x=X)
    for value, expected in zip(got, (X + 1, X, X * 2)):
        np.testing.assert_array_equal(value, expected)


def test_another_batch_size_needs_no_new_graph() -> None:
    x = data()
    y = x * 2
    run([y], x=X)
    program = paddle.static.default_main_program()
    before = program.to_fx(["x"], [y])
    assert run([y], x=X[:1])[0].shape == (1, 3)
    assert program.to_fx(["x"], [y]) is before


def test_code_reads_like_the_network() -> None:
    x = data()
    h = op("tanh")(x, _helper="hidden")
    code = paddle.static.default_main_program().to_fx(["x"], [h]).code
    assert "hidden_0_tmp_0 = " in code and "tanh" in code


@pytest.mark.parametrize(
    ("feed", "words"),
    [
        ({"x": X.astype("float64")}, ("x", "float32", "float64")),
        ({"x": X[:, :2]}, ("x", "[-1, 3]", "[2, 2]")),
        ({"x": X[0, 0]}, ("x", "[-1, 3]", "[]")),
        ({"x": X[None]}, ("x", "[-1, 3]", "[1, 2, 3]")),
        ({}, ("x", "none")),
    ],
)
def test_a_wrong_feed_is_refused(feed: dict[str, Any], words: tuple[str, ...]) -> None:
    x = data()
    w = parameter("w", [1.0])
    block = paddle.static.default_main_program().global_block()
    block.append_op(type="increment", inputs={"X": w}, outputs={"Out": w}, attrs={"step": 1.0})
    with pytest.raises(ValueError) as info:
        run([x * w], **feed)
    assert all(word in str(info.value) for word in words), str(info.value)
    assert global_scope().find_var("w").get_tensor().numpy()[0] == 1.0  # type: ignore[union-attr]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_feed_of_fewer_dimensions_passes_as_in_both_wheels(size: int) -> None:
    values = np.arange(size, dtype="float32")
    np.testing.assert_array_equal(run([data() * 2], x=values)[0], values * 2)


def test_a_fed_list_or_number_takes_the_data_type_of_its_variable() -> None:
    fetches = [data("x", (-1, 2), "int64") * 2, data("n", (), "float32") * 2]
    doubled, number = run(fetches, x=[[1.5, 2.0]], n=3)
    assert doubled.dtype == np.int64 and doubled.tolist() == [[2, 4]]
    assert number.dtype == np.float32 and number == 6


def test_a_fed_number_has_one_dimension_in_programs_of_1_8() -> None:
    paddle.static.default_main_program().age = 1
    result = run([data("n", (1,)) * 2], n=3)[0]
    assert result.dtype == np.float32 and result.tolist() == [6]


def test_unknown_fetch_names_itself() -> None:
    data()
    with pytest.raises(RuntimeError, match="nobody"):
        run(["nobody"], x=X)


def test_uninitialized_parameter_names_itself() -> None:
    x = data()
    w = paddle.static.default_main_program().global_block().create_parameter(name="w", shape=[3], dtype="float32")
    with pytest.raises(RuntimeError, match="`w` is not initialized"):
        run([x * w], x=X)


def test_state_is_written_and_read() -> None:
    w = parameter("w", [1.0])
    block = paddle.static.default_main_program().global_block()
    block.append_op(type="increment", inputs={"X": w}, outputs={"Out": w}, attrs={"step": 1.0})
    assert [run([w])[0][0] for _ in range(3)] == [2.0, 3.0, 4.0]


def test_a_failed_run_changes_nothing() -> None:
    ids = data("ids", (-1,), "int64")
    w, table = parameter("w", [1.0]), parameter("table", np.ones((4, 2)))
    block = paddle.static.default_main_program().global_block()
    block.append_op(type="increment", inputs={"X": w}, outputs={"Out": w}, attrs={"step": 1.0})
    row = op("lookup_table_v2")(*(ids, table) if op("lookup_table_v2").inputs[0].name == "Ids" else (table, ids))
    with pytest.raises(ValueError) as info:
        run([row], ids=np.array([1, 9]))
    assert "lookup_table_v2" in str(info.value) and __file__ in str(info.value)
    assert global_scope().find_var("w").get_tensor().numpy()[0] == 1.0  # type: ignore[union-attr]


def test_a_run_without_its_parameters_makes_what_is_kept() -> None:
    """As in the wheels the states are in the scope then, still empty; what the run would have written is not. A later startup run helps."""
    main, startup = Program(), Program()
    with program_guard(main, startup):
        loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 3]), 2))
        paddle.optimizer.Adam(0.1).minimize(loss)
    scope, exe = Scope(), Executor(paddle.CPUPlace())
    for _ in range(2):
        with pytest.raises(RuntimeError, match="is not initialized.*run the startup program"):
            exe.run(main, feed={"x": X}, fetch_list=[loss], scope=scope)
        assert {*scope.local_var_names()} == {var.name for var in main.list_vars() if var.persistable}
        assert not scope.find_var("fc_0.w_0").get_tensor()._is_initialized()  # type: ignore[union-attr]
    exe.run(startup, scope=scope)
    assert np.isfinite(exe.run(main, feed={"x": X}, fetch_list=[loss], scope=scope)[0])


@pytest.mark.parametrize("use_prune", [True, False])
def test_what_is_kept_is_there_after_a_failed_run(use_prune: bool) -> None:
    """Of a pruned Program only what is left of it. Answers of 1.8.5 and 2.6.2."""
    main, startup = Program(), Program()
    with program_guard(main, startup):
        out = paddle.static.nn.fc(paddle.static.data("x", [None, 3]), 2)
        loss, other = paddle.mean(out), paddle.mean(out * 2)
        loss.persistable = other.persistable = True
        paddle.optimizer.SGD(0.1).minimize(loss)
    scope, exe = Scope(), Executor(paddle.CPUPlace())
    exe.run(startup, scope=scope)
    with pytest.raises(ValueError):
        exe.run(main, feed={out.name: X[:, :2]}, fetch_list=[loss], scope=scope, use_prune=use_prune)
    there = [scope.find_var(var.name) is not None for var in (loss, other, out)]
    assert there == [True, not use_prune, False]


def test_a_failed_run_leaves_the_scheduled_rate() -> None:
    main, startup = Program(), Program()
    with program_guard(main, startup):
        loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 3]), 2))
        scheduler = paddle.optimizer.lr.ExponentialDecay(0.5, 0.1)
        paddle.optimizer.SGD(scheduler).minimize(loss)
    exe = Executor(paddle.CPUPlace())
    exe.run(startup)
    exe.run(main, feed={"x": X}, fetch_list=[loss])
    scheduler.step()
    [rate] = [v.name for v in main.list_vars() if v.name.startswith("learning_rate")]

    def held() -> float:
        return float(np.array(global_scope().find_var(rate).get_tensor()))  # type: ignore[union-attr]

    with pytest.raises(ValueError, match="feed"):
        exe.run(main, feed={"x": X[:, :2]}, fetch_list=[loss])
    assert held() == pytest.approx(0.5)
    exe.run(main, feed={"x": X}, fetch_list=[loss])
    assert held() == pytest.approx(0.05)


def test_a_fed_parameter_is_trained_and_the_fed_array_is_not() -> None:
    """What is fed for a parameter takes its place in the scope, as in Paddle; the update does not reach into the fed array."""
    x = data()
    weight = paddle.create_parameter([3, 2], "float32", name="fed_weight")
    loss = paddle.mean(paddle.matmul(x, weight))
    paddle.optimizer.SGD(0.5).minimize(loss)
    exe = Executor(paddle.CPUPlace())
    exe.run(paddle.static.default_startup_program())
    fed = np.zeros((3, 2), "float32")
    exe.run(feed={"x": np.ones((2, 3), "float32"), "fed_weight": fed}, fetch_list=[loss])
    held = np.array(global_scope().find_var("fed_weight").get_tensor())  # type: ignore[union-attr]
    np.testing.assert_allclose(held, np.full((3, 2), -0.25), rtol=1e-6)
    assert not fed.any()


def test_a_fed_array_is_not_written_to_by_an_update() -> None:
    """Both wheels copy what is fed as an array, also for a variable that is no parameter."""
    main = paddle.static.Program()
    block = main.global_block()
    given = {"param": np.ones(2, "float32"), "grad": np.ones(2, "float32"), "rate": np.array([0.5], "float32")}
    for name, value in given.items():
        block.create_var(name=name, shape=value.shape, dtype="float32")
    block.append_op("sgd", {"Param": ["param"], "Grad": ["grad"], "LearningRate": ["rate"]}, {"ParamOut": ["param"]})
    for _ in range(2):  # the second feed goes another way
        (result,) = paddle.static.Executor().run(main, given, ["param"])
        assert result.tolist() == [0.5, 0.5] and given["param"].tolist() == [1.0, 1.0]


def test_an_array_is_fetched_as_numpy_arrays() -> None:
    x, at = data(), paddle.zeros([1], "int64")
    array = paddle.tensor.array_write(x * 2, at + 1, paddle.tensor.array_write(x, at))
    exe = Executor(paddle.CPUPlace())
    (found,) = exe.run(feed={"x": X}, fetch_list=[array])
    assert [type(value) for value in found] == [np.ndarray] * 2
    np.testing.assert_array_equal(found, [X, X * 2])
    (raw,) = exe.run(feed={"x": X}, fetch_list=[array], return_numpy=False)
    np.testing.assert_array_equal(np.array(raw[1]), X * 2)


def test_what_had_no_value_has_one_when_something_wrote_it() -> None:
    """A parameter that is fetched before the startup program has run is None, and its value afterwards."""
    paddle.create_parameter([2], "float32", name="late", default_initializer=paddle.nn.initializer.Constant(3.0))
    exe = Executor(paddle.CPUPlace())
    assert exe.run(fetch_list=["late"]) == [None]
    exe.run(paddle.static.default_startup_program())
    assert exe.run(fetch_list=["late"])[0].tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ({"fetch_list": 5}, AssertionError, "fetch_list.*list of Variables or names.*5"),
        ({"scope": 5}, TypeError, "scope.*a Scope or None.*int"),
        ({"feed": {"x": "abc"}}, ValueError, r"feed\['x'\].*numbers of one shape.*abc"),
        ({"feed": {"x": [[1, 2], [3]]}}, ValueError, r"feed\['x'\].*numbers of one shape.*\[3\]"),
    ],
)
def test_arguments_of_wrong_types_are_named(arguments: dict[str, Any], kind: type[Exception], words: str) -> None:
    fetch = data() * 2
    with pytest.raises(kind, match=words):
        Executor(paddle.CPUPlace()).run(**{"feed": {"x": X}, "fetch_list": [fetch], **arguments})


def test_messages_speak_of_unknown_sizes_and_indices() -> None:
    """What stands for an unknown size while recording is in no message; an index that fails a run is."""
    x = data()
    with pytest.raises(ValueError) as info:
        paddle.sum(paddle.mv(x, paddle.ones([4])))
    assert "5040" not in str(info.value) and "-1" in str(info.value)
    with pytest.raises(ValueError, match=r"-2 to 1, as x has shape \[-1, 3\].*Received: 9"):
        paddle.sum(x, axis=9)
    k = data("k", (1,), "int64")
    with pytest.raises(IndexError, match=r"k: expected \[1\] int64, received \[1\] int64 from 50 to 50"):
        run([paddle.gather(x, k)], x=X, k=np.array([50]))


def test_nan_is_found_and_the_update_undone() -> None:
    paddle.set_flags({"FLAGS_check_nan_inf": True})
    try:
        x = data()
        w, rate = parameter("w", np.ones(3)), parameter("rate", [0.1])
        loss = op("mean")(x * w)
        pairs = append_backward(loss, parameter_list=["w"])
        block = paddle.static.default_main_program().global_block()
        for _, grad in pairs:
            block.append_op(
                type="sgd",
                inputs={"Param": w, "Grad": grad, "LearningRate": rate},
                outputs={"ParamOut": w},
                attrs={"op_role": 2},
            )
        after = op("log")(op("mean")(w) - 100.0)
        with pytest.raises(RuntimeError, match="NAN or INF.*log"):
            run([after], x=X)
        np.testing.assert_array_equal(global_scope().find_var("w").get_tensor().numpy(), np.ones(3))  # type: ignore[union-attr]
    finally:
        paddle.set_flags({"FLAGS_check_nan_inf": False})


def test_gradients_of_leaves_and_of_values_between() -> None:
    x = data()
    w = parameter("w", [[1.0, 2.0, 3.0]])
    h = x * w
    y = op("tanh")(h)
    loss = op("reduce_sum")(y * y, reduce_all=True)
    append_backward(loss)
    got_w, got_h, got_loss = run(["w@GRAD", h.name + "@GRAD", loss.name + "@GRAD"], x=X / 10)
    t = np.tanh(X / 10 * [[1, 2, 3]])
    expected = 2 * t * (1 - t * t)
    np.testing.assert_allclose(got_h, expected, rtol=1e-5)
    np.testing.assert_allclose(got_w, (expected * X / 10).sum(0, keepdims=True), rtol=1e-5)
    assert got_loss == 1.0


def test_stop_gradient_cuts_one_branch() -> None:
    x = data()
    w = parameter("w", [1.0, 1.0, 1.0])
    h = x * w
    stopped = h * 3
    stopped.stop_gradient = True
    loss = op("reduce_sum")(h + stopped * h, reduce_all=True)
    append_backward(loss)
    [grad] = run(["w@GRAD"], x=X)
    np.testing.assert_allclose(grad, (X + 3 * X * X).sum(0), rtol=1e-5)


def test_no_grad_set_on_a_value_between() -> None:
    x = data()
    w = parameter("w", [1.0, 1.0, 1.0])
    h = x * w
    s = op("square")(h)
    loss = op("reduce_sum")(s + h, reduce_all=True)
    append_backward(loss, no_grad_set={s.name})
    [grad] = run(["w@GRAD"], x=X)
    np.testing.assert_allclose(grad, X.sum(0), rtol=1e-5)


def test_an_edited_backward_pass_runs_operator_by_operator() -> None:
    x = data()
    w = parameter("w", [1.0, 1.0, 1.0])
    h = x * w
    y = op("tanh")(h)
    loss = op("reduce_sum")(y, reduce_all=True)
    append_backward(loss)
    block = paddle.static.default_main_program().global_block()
    index = next(i for i, o in enumerate(block.ops) if o.type == "tanh_grad")
    block._insert_op(
        index,
        type="scale",
        inputs={"X": [y.name + "@GRAD"]},
        outputs={"Out": [y.name + "@GRAD"]},
        attrs={"scale": 2.0, "op_role": 1},
    )
    [grad] = run(["w@GRAD"], x=X / 10)
    np.testing.assert_allclose(grad, (2 * (1 - np.tanh(X / 10) ** 2) * X / 10).sum(0), rtol=1e-5)


def test_gradient_of_a_gradient() -> None:
    x = data()
    x.stop_gradient = False
    y = x * x * x
    [first] = gradients(y, x)
    assert first is not None
    [second] = gradients(first, x)
    got = run([first, second], x=X)
    np.testing.assert_allclose(got[0], 3 * X**2, rtol=1e-5)
    np.testing.assert_allclose(got[1], 6 * X, rtol=1e-5)


def test_two_losses_in_one_program() -> None:
    x = data()
    a, b = parameter("a", [2.0, 2.0, 2.0]), parameter("b", [3.0, 3.0, 3.0])
    h = x * a
    append_backward(op("reduce_sum")(h * b, reduce_all=True), parameter_list=["b"])
    append_backward(op("reduce_sum")(h, reduce_all=True), parameter_list=["a"])
    block = paddle.static.default_main_program().global_block()
    ours = [n for n in block.vars if n.endswith("a@GRAD")]
    got = run(["b@GRAD", ours[-1]], x=X)
    np.testing.assert_allclose(got[0], (2 * X).sum(0), rtol=1e-5)
    np.testing.assert_allclose(got[1], X.sum(0), rtol=1e-5)


def test_clone_for_test_has_no_backward_and_shares_parameters() -> None:
    x = data()
    w = parameter("w", [1.0, 2.0, 3.0])
    y = op("dropout")(x * w, dropout_prob=0.5)
    out = y[0] if isinstance(y, tuple) else y
    loss = op("mean")(out)
    test = paddle.static.default_main_program().clone(for_test=True)
    append_backward(loss)
    assert not any(o.type.endswith("_grad") for o in test.global_block().ops)
    assert [o.attr("is_test") for o in test.global_block().ops if o.type == "dropout"] == [True]
    again = paddle.static.default_main_program().clone(for_test=True)
    assert [o.type for o in again.global_block().ops] == [o.type for o in test.global_block().ops]
    [value] = Executor(paddle.CPUPlace()).run(test, feed={"x": X}, fetch_list=[out.name])
    np.testing.assert_allclose(value, X * [1, 2, 3] * 0.5, rtol=1e-6)


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.tensor([1 + 2j, 3j]).conj(),
        lambda: torch.tensor([1 + 2j, 3j]).conj().imag,
        lambda: torch._efficientzerotensor(3),
        lambda: torch.eye(2).to_sparse(),
        lambda: torch.ones(2, 3).t(),
        lambda: torch.ones(2, requires_grad=True),
        lambda: torch.tensor(1.5),
    ],
)
def test_values_that_numpy_does_not_take_as_they_are_are_fetched(make: Any) -> None:
    value = make()
    array = to_numpy(value)
    dense = (value.to_dense() if value.is_sparse else value).detach().clone()
    assert array.flags.c_contiguous and array.flags.owndata and array.tolist() == dense.tolist()


def test_bfloat16_is_fetched_as_bits() -> None:
    array = to_numpy(torch.tensor([1.0, -2.0], dtype=torch.bfloat16))
    assert array.dtype == np.uint16 and array.tolist() == [0x3F80, 0xC000]


def test_a_run_asks_its_program_for_nothing_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attribute that a Program lacks costs an error with the caller's line: a fifth of a small network's run."""
    asked: list[str] = []
    monkeypatch.setattr(Program, "__getattr__", lambda self, name: asked.append(name) or object.__getattribute__(self, name))
    out = op("scale")(data(), scale=2.0)
    exe = Executor(paddle.CPUPlace())
    for _ in range(2):
        exe.run(feed={"x": np.ones((2, 3), "float32")}, fetch_list=[out])
    assert not asked


def test_return_numpy_false_gives_lod_tensors() -> None:
    x = data(lod_level=1)
    tensor = fluid.create_lod_tensor(X, [[1, 1]], fluid.CPUPlace())
    exe = Executor(paddle.CPUPlace())
    [got] = exe.run(feed={"x": tensor}, fetch_list=[x * 2], return_numpy=False)
    assert got.lod() == [[0, 1, 2]]
    with pytest.raises(RuntimeError, match="return_numpy"):
        exe.run(feed={"x": tensor}, fetch_list=[x * 2])


def test_an_operator_that_is_not_there_says_so() -> None:
    block = paddle.static.default_main_program().global_block()
    with pytest.raises(ValueError, match='"warp_drive" has not been registered'):
        block.append_op(type="warp_drive")
    assert not hasattr(paddle, "warp_drive")


def test_a_closed_executor_does_not_run() -> None:
    exe = Executor(paddle.CPUPlace())
    exe.close()
    with pytest.raises(RuntimeError, match="closed"):
        exe.run()


def test_constants_nobody_reads_are_not_made() -> None:
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3))
        paddle.static.append_backward(loss)
        read = paddle.full([2], 7.0)
    assert any(op.type == "fill_constant" and op.output("Out") == [loss.name + "@GRAD"] for op in main.global_block().ops)
    assert "fill_constant" not in main.to_fx(["x"], [loss]).code
    assert main.to_fx(["x"], [loss, read]).code.count("fill_constant(") == 1


def test_workspace_of_a_kernel_needs_no_value() -> None:
    """`fluid.layers.lstm` hands its operator a RAW variable that only a GPU kernel of Paddle's uses."""
    main, startup = Program(), Program()
    with fluid.program_guard(main, startup):
        x = fluid.data("x", [5, 2, 4])
        state = fluid.layers.fill_constant([1, 2, 6], "float32", 0.0)
        out, _, _ = fluid.layers.lstm(x, state, state, 5, 6, 1)
        loss = fluid.layers.mean(out)
        fluid.optimizer.SGD(0.1).minimize(loss)
    exe = Executor(paddle.CPUPlace())
    exe.run(startup)
    losses = [exe.run(main, feed={"x": np.ones([5, 2, 4], "float32")}, fetch_list=[loss, out]) for _ in range(3)]
    assert losses[0][1].shape == (5, 2, 6)
    assert losses[2][0] < losses[1][0] < losses[0][0]


def test_gradients_start_from_an_implicit_one() -> None:
    x = data(shape=(2, 3))
    x.stop_gradient = False
    total = paddle.mean(x * x)
    (grad,) = gradients([total], [x])
    assert "fill_any_like" not in paddle.static.default_main_program().to_fx(["x"], [grad]).code
    value = np.arange(6, dtype="float32").reshape(2, 3)
    np.testing.assert_allclose(run([grad], x=value)[0], value / 3, rtol=1e-6)

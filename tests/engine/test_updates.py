"""Updates of optimizers in Programs: undone when a run fails behind them, without copies where none can, and in as few calls as can be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.scope import Scope, scope_guard
from paddle_compat.static.executor import Executor


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    from paddle_compat.core import mode, unique_name

    former = mode.set_static(True)
    main, startup = Program(), Program()
    with program_guard(main, startup), scope_guard(Scope()), unique_name.guard():
        yield
    mode.set_static(former)


def test_operator_that_fails_behind_an_update_leaves_parameters() -> None:
    """An operator appended after minimize runs before the update when it does not need it: its error changes nothing."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", [None, 4])
        ids = paddle.static.data("ids", [None, 1], "int64")
        loss = paddle.mean(paddle.static.nn.fc(x, 3))
        paddle.optimizer.SGD(0.5).minimize(loss)
        rows = paddle.static.nn.embedding(ids, [5, 3])
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(startup)
    name = main.all_parameters()[0].name
    before = np.array(paddle.static.global_scope().find_var(name).get_tensor())
    ones = np.ones([2, 4], "float32")
    with pytest.raises(Exception, match="Received: ids from 7 to 7"):
        exe.run(main, feed={"x": ones, "ids": np.full([2, 1], 7)}, fetch_list=[loss, rows])
    np.testing.assert_array_equal(np.array(paddle.static.global_scope().find_var(name).get_tensor()), before)
    exe.run(main, feed={"x": ones, "ids": np.full([2, 1], 3)}, fetch_list=[loss, rows])
    assert not np.array_equal(np.array(paddle.static.global_scope().find_var(name).get_tensor()), before)


def test_operator_that_reads_an_updated_parameter_and_fails_leaves_it() -> None:
    """It has to run after the update; when it fails the update is undone."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        ids = paddle.static.data("ids", [None, 1], "int64")
        later = paddle.static.data("later", [None, 1], "int64")
        rows = paddle.static.nn.embedding(ids, [5, 3], param_attr="table")
        loss = paddle.mean(paddle.static.nn.fc(rows, 3))
        paddle.optimizer.Adam(0.5).minimize(loss)
        again = paddle.static.nn.embedding(later, [5, 3], param_attr="table")
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(startup)
    scope = paddle.static.global_scope()
    names = [v.name for v in main.list_vars() if v.persistable]
    before = {n: np.array(scope.find_var(n).get_tensor()) for n in names}
    feed = {"ids": np.full([2, 1], 1), "later": np.full([2, 1], 9)}
    with pytest.raises(Exception, match="Received: ids from 9 to 9"):
        exe.run(main, feed=feed, fetch_list=[loss, again])
    for name in names:
        np.testing.assert_array_equal(np.array(scope.find_var(name).get_tensor()), before[name], err_msg=name)
    exe.run(main, feed={**feed, "later": np.full([2, 1], 4)}, fetch_list=[loss, again])
    assert not np.array_equal(np.array(scope.find_var("table").get_tensor()), before["table"])


@pytest.mark.parametrize("wrapper", ["none", "average", "lookahead"])
def test_usual_programs_keep_no_copy_of_their_states(wrapper: str) -> None:
    """Nothing behind the updates of an ordinary Program can fail, so that no step copies its parameters."""
    from paddle_compat.engine.lowering import lower

    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3))
        clip = paddle.nn.ClipGradByGlobalNorm(1.0)
        optimizer = paddle.optimizer.Adam(0.5, grad_clip=clip, weight_decay=0.1)
        if wrapper == "lookahead":
            optimizer = paddle.incubate.LookAhead(optimizer, k=2)
        optimizer.minimize(loss)
        if wrapper == "average":
            paddle.static.ExponentialMovingAverage(0.9).update()
    lowered = lower(main, ["x"], [], [loss.name], lambda name: True, lambda name: False)
    assert lowered.mutated
    assert not lowered.fails_late


@pytest.mark.parametrize("sparse_at", [0, 1, 2])
def test_updates_are_fused_around_a_sparse_one(sparse_at: int) -> None:
    """A sparse gradient between dense ones does not cut their fused update in two."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", [None, 4])
        ids = paddle.static.data("ids", [None, 1], "int64")
        parts = []
        for i in range(3):
            if i == sparse_at:
                rows = paddle.static.nn.embedding(ids, [5, 3], is_sparse=True, param_attr=f"p{i}_table")
                parts.append(paddle.reshape(rows, [-1, 3]))
            else:
                parts.append(paddle.static.nn.fc(x, 3, weight_attr=f"p{i}_w", bias_attr=f"p{i}_b"))
        loss = paddle.mean(paddle.add_n(parts) ** 2)
        paddle.optimizer.SGD(0.01).minimize(loss)
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(startup)
    feed = {"x": np.ones([2, 4], "float32"), "ids": np.full([2, 1], 1)}
    losses = [float(exe.run(main, feed=feed, fetch_list=[loss])[0]) for _ in range(3)]
    assert losses[2] < losses[1] < losses[0]
    assert main.to_fx(list(feed), [loss]).code.count("sgd_fused = paddle") == 1


def test_powers_of_beta_advance_in_one_call() -> None:
    main, startup, scope = Program(), Program(), Scope()
    with program_guard(main, startup), scope_guard(scope):
        params = [paddle.static.create_parameter([i + 1], "float32") for i in range(3)]
        paddle.optimizer.Adamax(0.1).minimize(paddle.add_n([(p * p).sum() for p in params]))
        powers = [name for name in main.global_block().vars if "beta1_pow" in name]
        exe = Executor()
        exe.run(startup)
        assert main.to_fx({}, []).code.count("scale(") == 1
        for step in (2, 3):
            for value in exe.run(main, fetch_list=powers):
                np.testing.assert_allclose(value, [0.9**step], rtol=1e-6)

"""What an Executor leaves out and gives back: pruned runs, updates that are asked for, Programs that fetch by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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


@pytest.mark.parametrize("how", ["use_prune", "minimize"])
def test_a_pruned_program_has_no_scheduler(how: str) -> None:
    """Neither where `use_prune` prunes nor where what `minimize` returned is fetched. Answers of 2.6.2; 3.3.1 renews the rate."""
    main, startup = Program(), Program()
    with program_guard(main, startup):
        w = paddle.static.create_parameter([3, 1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        loss = paddle.mean(paddle.matmul(paddle.static.data("x", [None, 3]), w) ** 2)
        scheduler = paddle.optimizer.lr.StepDecay(0.1, 1, 0.5)
        updates = paddle.optimizer.SGD(scheduler).minimize(loss)
    exe, ones = Executor(paddle.CPUPlace()), np.ones((4, 3), "float32")
    exe.run(startup)
    losses = []
    for _ in range(3):
        if how == "use_prune":
            got = exe.run(main, feed={"x": ones}, fetch_list=[loss], use_prune=True)
        else:
            got = exe.run(main, feed={"x": ones}, fetch_list=[loss, updates])
        losses.append(float(got[0]))
        scheduler.step()
    assert losses == pytest.approx([9.0, 1.44, 0.2304])
    assert not hasattr(main._prune([loss]), "lr_scheduler") and main.lr_scheduler is scheduler  # type: ignore[attr-defined]


PRUNED_UPDATES = {  # losses of runs that fetch what `minimize` returned; those of 2.6.2
    "plain": [1.2117, 0.0485, 0.0019],
    "clip": [1.2117, 0.0485, 0.0019],
    "decay": [1.2117, 0.0485, 0.0019],
    "scaled": [1.2117, 35.3337, 1030.3296],
    "scaled branch": [1.2117, 35.3337, 1030.3296],
}


@pytest.mark.parametrize("kind", PRUNED_UPDATES)
def test_updates_that_are_fetched_run_without_what_prepares_their_gradients(kind: str) -> None:
    """As in Paddle 1.8 and 2.6: clips, decays and the check of scaled gradients belong to updates, and nobody asks for them."""
    main, startup = Program(), Program()
    paddle.seed(1)
    with program_guard(main, startup):
        x, y = paddle.static.data("x", [None, 3]), paddle.static.data("y", [None, 1])
        if "branch" in kind:
            out = paddle.static.nn.cond(x.sum() > 0, lambda: paddle.static.nn.fc(x, 1), lambda: x.sum(1, keepdim=True))
        else:
            out = paddle.static.nn.fc(x, 1)
        loss = paddle.mean((out - y) ** 2)
        clip = paddle.nn.ClipGradByGlobalNorm(0.1) if kind == "clip" else None
        sgd = paddle.optimizer.SGD(0.1, grad_clip=clip, weight_decay=0.3 if kind == "decay" else None)
        if "scaled" in kind:
            sgd = paddle.static.amp.decorate(sgd, init_loss_scaling=8.0, use_dynamic_loss_scaling=True)
        updates = sgd.minimize(loss)
    exe, ones = Executor(paddle.CPUPlace()), np.ones((4, 3), "float32")
    exe.run(startup)
    runs = [exe.run(main, feed={"x": ones, "y": ones[:, :1]}, fetch_list=[loss, updates]) for _ in range(3)]
    assert [float(run[0]) for run in runs] == pytest.approx(PRUNED_UPDATES[kind], rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("kind", ["clone", "compiled", "fused"])
def test_copies_take_the_updates_of_their_originals(kind: str) -> None:
    """What `minimize` returned stands for the operators in its places; where there are none, nothing runs. Answers of 2.6.2."""
    main, startup = Program(), Program()
    with program_guard(main, startup):
        w = paddle.static.create_parameter([3, 1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        loss = paddle.mean(paddle.matmul(paddle.static.data("x", [None, 3]), w) ** 2)
        test = main.clone(for_test=True)
        scheduler = paddle.optimizer.lr.StepDecay(0.1, 1, 0.5)
        updates = paddle.optimizer.SGD(scheduler).minimize(loss)
    strategy = paddle.static.BuildStrategy()
    strategy.fuse_all_optimizer_ops = True
    copy = main.clone() if kind == "clone" else paddle.static.CompiledProgram(main, strategy if kind == "fused" else None)
    exe, feed = Executor(paddle.CPUPlace()), {"x": np.ones((4, 3), "float32")}
    exe.run(startup)
    losses = []
    for asked, prune in (([loss, updates], False), ([loss], True), ([loss], False)):
        name_of = [getattr(value, "name", value) for value in asked]
        losses.append(float(exe.run(copy, feed=feed, fetch_list=name_of, use_prune=prune)[0]))
        scheduler.step()
    assert losses == pytest.approx([9.0, 1.44, 0.2304])  # of a rate of 0.1 in both pruned runs
    with pytest.raises(IndexError):
        exe.run(test, feed=feed, fetch_list=[loss.name, updates])


def test_compiled_programs_prune_what_their_program_is_now() -> None:
    """Not what it was when it was compiled, which other runs take. Answers of 2.6.2."""
    main, startup = Program(), Program()
    with program_guard(main, startup):
        w = paddle.static.create_parameter([3, 1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        loss = paddle.mean(paddle.matmul(paddle.static.data("x", [None, 3]), w) ** 2)
        compiled = paddle.static.CompiledProgram(main)
        updates = paddle.optimizer.SGD(0.1).minimize(loss)
    exe, feed = Executor(paddle.CPUPlace()), {"x": np.ones((4, 3), "float32")}
    exe.run(startup)
    asked: list[list[Any]] = [[loss, updates], [loss], [loss]]
    losses = [float(exe.run(compiled, feed=feed, fetch_list=each)[0]) for each in asked]
    assert losses == pytest.approx([9.0, 1.44, 1.44])


def test_programs_that_fetch_by_themselves_give_that_back() -> None:
    """What is asked for is written over it. Answers of 2.6.2; with nothing asked for 3.3.1's are the same."""
    main, startup = Program(), Program()
    with program_guard(main, startup):
        x = paddle.static.data("x", [None, 3])
        first = paddle.static.nn.fc(x, 2, weight_attr=paddle.nn.initializer.Constant(0.5))
        second = first * 10
    exe = Executor(paddle.CPUPlace())
    exe.run(startup)
    own = paddle.static.normalize_program(main, [x], [first, second])
    feed = {"x": np.ones((1, 3), "float32")}

    def found(program: Any, *asked: Any, **options: bool) -> list[float]:
        return [float(value[0, 0]) for value in exe.run(program, feed=feed, fetch_list=list(asked), **options)]

    for program in (own, paddle.static.CompiledProgram(own)):
        assert found(program) == found(program, first) == [1.5, 15]
        assert found(program, second) == [15, 15] and found(program, second, first) == [15, 1.5]
    assert found(own, second, use_prune=True) == [15] and found(own, use_prune=True) == found(main) == []

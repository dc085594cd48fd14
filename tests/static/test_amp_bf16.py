"""Programs that compute in bfloat16 as a whole, and how many operators of a Program compute in what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle


@pytest.fixture(autouse=True)
def static() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


@contextmanager
def programs() -> Iterator[tuple[Any, Any]]:
    """A main and a startup Program to record into."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        yield main, startup


def described(main: Any) -> list[Any]:
    """Types of operators, and the data types of what they read and give."""
    block = main.global_block()

    def kinds(names: list[str]) -> list[str]:
        return [block.var(name).dtype.name for name in names]

    return [[op.type, kinds(op.input_arg_names), kinds(op.output_arg_names)] for op in block.ops]


@pytest.mark.parametrize(
    ("guarded", "lists", "names", "operators"),
    [
        (True, {}, ["x"], [["matmul_v2", ["BF16", "BF16"], ["BF16"]], ["relu", ["BF16"], ["BF16"]], ["cast", ["BF16"], ["FP32"]],
                           ["softmax", ["FP32"], ["FP32"]]]),
        (False, {}, ["x"], [["matmul_v2", ["BF16", "BF16"], ["BF16"]], ["relu", ["BF16"], ["BF16"]], ["softmax", ["BF16"], ["BF16"]]]),
        (False, {"custom_fp32_list": {"relu"}}, ["relu_0.tmp_0", "x"],
         [["matmul_v2", ["BF16", "BF16"], ["BF16"]], ["cast", ["BF16"], ["FP32"]], ["relu", ["FP32"], ["FP32"]],
          ["cast", ["FP32"], ["BF16"]], ["softmax", ["BF16"], ["BF16"]]]),
    ],
)  # fmt: skip
def test_all_in_bf16(guarded: bool, lists: dict[str, Any], names: list[str], operators: list[Any]) -> None:
    bf16 = paddle.static.amp.bf16
    with programs() as (main, startup):
        x = paddle.static.data("x", [2, 2])
        with bf16.bf16_guard():
            hidden = paddle.nn.functional.relu(paddle.nn.Linear(2, 2, bias_attr=False)(x))
        paddle.nn.functional.softmax(hidden)
        asked = bf16.AutoMixedPrecisionListsBF16(**lists)
        assert sorted(bf16.cast_model_to_bf16(main, startup, asked, guarded)) == names
    assert described(main) == operators


def test_training_with_all_in_bf16() -> None:
    bf16, exe, scope = paddle.static.amp.bf16, paddle.static.Executor(), paddle.static.Scope()
    with programs() as (main, startup), paddle.static.scope_guard(scope):
        x = paddle.static.data("x", [2, 2])
        loss = paddle.nn.Linear(2, 2, weight_attr=paddle.nn.initializer.Normal())(x).square().mean()
        test = main.clone(for_test=True)
        sgd = bf16.decorate_bf16(paddle.optimizer.SGD(0.1), use_pure_bf16=True, use_bf16_guard=False)
        sgd.minimize(loss)
        exe.run(startup)
        sgd.amp_init(paddle.CPUPlace(), test_program=test)
        kinds = [scope.find_var(p.name).get_tensor()._dtype().name for p in main.all_parameters()]
        assert kinds == ["BF16", "BF16"]
        feed = {"x": bf16.convert_float_to_uint16(np.ones([2, 2], "float32"))}
        wide = next(op for op in main.global_block().ops if op.type == "cast" and op.input("X") == [loss.name]).output("Out")
        losses = [float(exe.run(main, feed=feed, fetch_list=wide)[0]) for _ in range(5)]
        assert losses == sorted(losses, reverse=True) and losses[-1] < losses[0]
        after = exe.run(test, feed=feed, fetch_list=[loss.name], return_numpy=False)[0]
        assert after._dtype().name == "BF16"


def test_how_many_operators_compute_in_what(capsys: pytest.CaptureFixture[str]) -> None:
    amp = paddle.static.amp
    with programs() as (main, _):
        x, flag = paddle.static.data("x", [2, 2]), paddle.static.data("flag", [1], "bool")
        half = paddle.matmul(x.astype("bfloat16"), x.astype("bfloat16"))
        paddle.static.nn.cond(flag, lambda: half * 2.0, lambda: half + x.astype("bfloat16"))
        paddle.nn.functional.embedding(paddle.static.data("ids", [3], "int64"), x)
        amp.debugging.collect_operator_stats()
        whole = capsys.readouterr().out
        amp.debugging.collect_operator_stats(main, print_subblocks=True)
    each = capsys.readouterr().out
    assert each.endswith(whole) and [f"op list of block {n} " in each for n in range(4)] == [True, True, True, False]
    merged = amp.debugging._merge_op_stats(amp.debugging._get_op_stats_list(main))
    asked = ("cast", "elementwise_add", "logical_not", "lookup_table_v2", "matmul_v2")
    assert {name: merged[name].convert_to_list() for name in asked} == {
        "cast": [0, 0, 3, 1], "elementwise_add": [0, 1, 0, 0], "logical_not": [0, 0, 0, 1],
        "lookup_table_v2": [0, 0, 1, 0], "matmul_v2": [0, 1, 0, 0],
    }  # fmt: skip
    with pytest.raises(AssertionError):
        amp.debugging.collect_operator_stats(3)


@pytest.mark.parametrize("kwargs", [{"level": "O1", "dtype": "bfloat16"}, {"use_bf16": True}])
def test_bfloat16_needs_no_factor_that_changes(kwargs: dict[str, Any]) -> None:
    with pytest.warns(UserWarning, match="Dynamic loss scaling for bfloat16"):
        sgd = paddle.static.amp.decorate(paddle.optimizer.SGD(0.1), use_dynamic_loss_scaling=True, **kwargs)
    with programs() as (main, startup):
        sgd.minimize(paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [2, 2]), 1)))
    assert not {"check_finite_and_unscale", "update_loss_scaling"} & {op.type for op in main.global_block().ops}


def test_lists_of_float16_keep_all_in_float32() -> None:
    """On a CPU no operator has a kernel in float16: as Paddle 2.6.2 reads the lists that its documentation gives."""
    bf16 = paddle.static.amp.bf16
    lists = paddle.static.amp.CustomOpLists(custom_black_list=["pool2d"])
    with programs() as (main, startup):
        loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [2, 2]), 1))
        bf16.decorate_bf16(paddle.optimizer.Momentum(0.1), lists, use_pure_bf16=True, use_bf16_guard=False).minimize(loss)
    assert {str(var.dtype) for var in main.list_vars() if var.dtype is not None} == {str(paddle.float32)}

"""Backward passes with checkpoints: the operators of the wheels, their numbers, and less memory."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
import paddle_compat.fluid as fluid
from paddle_compat.core import mode

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts/references"))

import recompute_cases  # noqa: E402

HOMES = {"1.8.5": fluid, "2.6.2": paddle}
EACH = pytest.mark.parametrize(("version", "case"), [(v, c) for v in HOMES for c in recompute_cases.CASES])


@pytest.fixture(autouse=True)
def static() -> None:
    mode.set_static(True)


def recorded(version: str, case: str) -> Any:
    with gzip.open(ROOT / f"tests/references/recompute_{version}.json.gz", "rt") as file:
        return json.load(file)[case]


@EACH
def test_operators_are_those_of_the_wheel(version: str, case: str) -> None:
    main, _, _, found = recompute_cases.build(HOMES[version], case)
    expected = recorded(version, case)
    assert recompute_cases.operators(main) == expected["operators"]
    assert (found[1] if isinstance(found, tuple) else None) == expected["returned"]
    assert recompute_cases.stopped(main) == expected["stopped"]


@EACH
def test_numbers_are_those_of_the_wheel(version: str, case: str) -> None:
    expected = recorded(version, case)["numbers"]
    found = recompute_cases.numbers(HOMES[version], case)
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        np.testing.assert_allclose(found[key], value, rtol=1e-4, atol=1e-6)


def deep(checkpoints: list[int] | None) -> tuple[Any, Any, list[Any]]:
    """A network with dropouts and random weights, its backward pass, and what to fetch."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, startup):
        y, layers = paddle.static.data("x", [16, 32]), []
        for seed in range(1, 7):
            weights = paddle.nn.initializer.Assign(np.random.RandomState(seed).randn(32, 32).astype("float32") / 6)
            y = paddle.static.nn.fc(y, 32, weight_attr=paddle.ParamAttr(initializer=weights), activation="tanh")
            y = fluid.layers.dropout(y, 0.25, seed=seed, dropout_implementation="upscale_in_train")
            layers.append(y)
        loss = paddle.mean(y)
        chosen = None if checkpoints is None else [layers[i] for i in checkpoints]
        found: Any = paddle.static.append_backward(loss, checkpoints=chosen)
    return main, startup, [loss, *(grad for _, grad in (found[0] if isinstance(found, tuple) else found))]


def train(checkpoints: list[int] | None, also: list[str] | None = None) -> tuple[list[Any], int]:
    """Values fetched, and the bytes that autograd keeps for the backward pass."""
    main, startup, fetches = deep(checkpoints)
    executor, kept = paddle.static.Executor(), 0

    def keep(value: torch.Tensor) -> torch.Tensor:
        nonlocal kept
        kept += value.numel() * value.element_size()
        return value

    with paddle.static.scope_guard(paddle.static.Scope()):
        executor.run(startup)
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda value: value):
            found = executor.run(main, feed={"x": np.ones((16, 32), "float32")}, fetch_list=[*fetches, *(also or [])])
    return found, kept


@pytest.mark.parametrize("checkpoints", [[1, 3], [4], [0, 1, 2, 3, 4]])
def test_checkpoints_save_memory_and_change_no_number(checkpoints: list[int]) -> None:
    expected, whole = train(None)
    found, kept = train(checkpoints)
    assert kept < whole * (0.9 if len(checkpoints) > 4 else 0.75)
    for value, other in zip(found, expected):
        np.testing.assert_allclose(value, other, rtol=1e-6, atol=1e-8)


def test_inner_values_and_gradients_can_be_fetched() -> None:
    names = ["fc_1.tmp_2", "fc_1.tmp_2@GRAD", "dropout_1.tmp_1"]
    expected, _ = train(None, names[:2])
    found, _ = train([3], names[:2])
    for value, other in zip(found, expected):
        np.testing.assert_allclose(value, other, rtol=1e-6, atol=1e-8)


def test_values_computed_again_can_be_fetched() -> None:
    found, _ = train([1, 3], ["fc_1.tmp_2", "fc_1.tmp_2.subprog_1"])
    np.testing.assert_array_equal(found[-1], found[-2])
    assert np.abs(found[-1]).max() > 0


def test_a_copy_of_the_program_saves_memory_too_and_one_for_tests_has_no_backward_part() -> None:
    main, _, _ = deep([1, 3])
    assert [op.attrs.get("_recompute") for op in main.clone().global_block().ops] == [
        op.attrs.get("_recompute") for op in main.global_block().ops
    ]
    assert not any("subprog" in name for op in main.clone(for_test=True).global_block().ops for name in op.output_arg_names)


@pytest.mark.parametrize("version", HOMES)
def test_a_dropout_whose_seed_an_operator_gives_says_none_itself(version: str) -> None:
    home = HOMES[version]
    data, fc, dropout, sgd = {
        "1.8.5": lambda: (fluid.data, fluid.layers.fc, fluid.layers.dropout, fluid.optimizer.SGD),
        "2.6.2": lambda: (paddle.static.data, paddle.static.nn.fc, paddle.nn.functional.dropout, paddle.optimizer.SGD),
    }[version]()
    program = fluid.Program if version == "1.8.5" else paddle.static.Program
    guard = fluid.program_guard if version == "1.8.5" else paddle.static.program_guard
    main = program()
    main.random_seed = 7
    with guard(main, program()):
        first = fc(data("x", [4, 6]), 8)
        last = fc(dropout(first, 0.3), 8)
        wrap = home.optimizer.RecomputeOptimizer if version == "1.8.5" else home.incubate.optimizer.RecomputeOptimizer
        optimizer = wrap(sgd(0.1))
        optimizer._set_checkpoints([first, last])
        optimizer.minimize(home.mean(last) if version == "2.6.2" else fluid.layers.mean(last))
    found = [(op.type, op.has_attr("seed"), op.has_attr("fix_seed")) for op in main.global_block().ops if op.type.startswith("dropout")]
    copied = version == "2.6.2"  # where the copy has the defaults
    assert found == [("dropout", False, False), ("dropout", copied, copied), ("dropout_grad", False, False)]
    assert [op.attr("seed") for op in main.global_block().ops if op.type == "seed"] == [7]


def test_blocks_that_the_wheels_collect_operators_in_are_left_behind() -> None:
    """Seen in 1.8.5 and 2.6.2: gradients behind the last checkpoint and the operators of the segments; those that compute again."""
    main = paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, paddle.static.Program()):
        h = paddle.nn.functional.dropout(paddle.static.nn.fc(paddle.static.data("x", [4, 4]), 4, activation="tanh"), 0.3)
        last = paddle.static.nn.fc(h, 4)
        paddle.static.append_backward(paddle.mean(last), checkpoints=[h, last])
    assert [(block.idx, block.parent_idx) for block in main.blocks] == [(0, -1), (1, 0), (2, 1)]
    types = [[op.type for op in block.ops] for block in main.blocks[1:]]
    assert types[0] == ["reduce_mean_grad", "mul", "elementwise_add", "mul", "elementwise_add", "tanh", "seed", "dropout"]
    assert types[1] == ["mul", "mul", "elementwise_add", "tanh", "dropout"]
    assert main.blocks[2].ops[1].output_arg_names == ["fc_0.tmp_0.subprog_1"] and main.blocks[1].ops[3].output_arg_names == ["fc_0.tmp_0"]
    assert main.current_block_idx == 0 and all(op.attr("op_role") == 1 for block in main.blocks[1:] for op in block.ops)


def test_copies_say_no_more_than_the_operators_in_1_8() -> None:
    """Seen in 1.8.5."""
    main = fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, fluid.Program()):
        h = fluid.layers.fc(fluid.data("x", [4, 4]), 4)
        last = fluid.layers.fc(fluid.layers.scale(fluid.layers.dropout(h, 0.3, seed=3), 2.0, 1.0), 3)
        for op in main.global_block().ops[2:4]:
            op._remove_attr("bias" if op.type == "scale" else "dropout_implementation")
        fluid.backward.append_backward(fluid.layers.mean(last), checkpoints=[h, last])
    copies = {op.type: op for op in main.global_block().ops if op.attr("op_role") == 1 and "_grad" not in op.type}
    assert not copies["dropout"].has_attr("dropout_implementation") and not copies["dropout"].has_attr("seed")
    assert copies["dropout"].attr("dropout_prob") == pytest.approx(0.3)
    assert "bias" not in main.blocks[2].ops[1].attr_names
    assert [op.type for op in main.blocks[1].ops][-3:] == ["mul", "elementwise_add", "seed"]

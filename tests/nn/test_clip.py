"""The 2.x gradient clips: what they do to gradients in static and eager mode, and wrong use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat.core import mode
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.nn import clip
from paddle_compat.nn.initializer import Constant

GRADS = {"a": [3.0, 0.0], "b": [0.0, -4.0]}
Values = dict[str, list[float]]


def clipped_statically(how: Any, dtype: str = "float32", unclipped: tuple[str, ...] = ()) -> Values:
    """The gradients that SGD takes in a Program, given those above."""
    mode.set_static(True)
    main, startup = paddle.static.default_main_program(), paddle.static.default_startup_program()
    pairs = []
    for name in GRADS:
        need = name not in unclipped
        param = main.global_block().create_parameter(name=name, shape=[2], dtype=dtype, need_clip=need)
        startup.global_block().create_parameter(name=name, shape=[2], dtype=dtype, initializer=Constant(0.0))
        pairs.append((param, main.global_block().create_var(name=name + "@GRAD", shape=[2], dtype=dtype, is_data=True)))
    paddle.optimizer.SGD(1.0, grad_clip=how).apply_gradients(pairs)
    executor = paddle.static.Executor(paddle.CPUPlace())
    executor.run(startup)
    feed = {name + "@GRAD": np.array(grad, dtype) for name, grad in GRADS.items()}
    return {n: (0 - v).tolist() for n, v in zip(GRADS, executor.run(main, feed=feed, fetch_list=list(GRADS)))}


def clipped_eagerly(how: Any, dtype: str = "float32", unclipped: tuple[str, ...] = ()) -> Values:
    """The gradients that come out of the clip in eager mode."""
    mode.set_static(False)
    pairs = []
    for name, grad in GRADS.items():
        param = EagerParamBase(torch.zeros(2), name=name, need_clip=name not in unclipped)
        pairs.append((param, Tensor(torch.tensor(grad, dtype=getattr(torch, dtype)))))
    return {p.name: g.numpy().tolist() for p, g in how(pairs)}


CASES = [
    (clip.ClipGradByValue(2.0, -1.0), (), [2.0, 0.0, 0.0, -1.0]),
    (clip.ClipGradByValue(2.5), ("a",), [3.0, 0.0, 0.0, -2.5]),
    (clip.ClipGradByNorm(3.5), (), [3.0, 0.0, 0.0, -3.5]),
    (clip.ClipGradByGlobalNorm(1.0), (), [0.6, 0.0, 0.0, -0.8]),
    (clip.ClipGradByGlobalNorm(6.0), (), [3.0, 0.0, 0.0, -4.0]),
    (clip.ClipGradByGlobalNorm(1.0), ("b",), [1.0, 0.0, 0.0, -4.0]),
    (clip.ClipGradByGlobalNorm(1.0), ("a", "b"), [3.0, 0.0, 0.0, -4.0]),
    (clip.ClipGradByGlobalNorm(6.0, auto_skip_clip=True), (), [3.0, 0.0, 0.0, -4.0]),
]


@pytest.mark.parametrize("run", [clipped_statically, clipped_eagerly])
@pytest.mark.parametrize(("how", "unclipped", "expected"), CASES, ids=lambda value: str(value))
def test_clip(run: Any, how: Any, unclipped: tuple[str, ...], expected: list[float]) -> None:
    got = run(how, unclipped=unclipped)
    np.testing.assert_allclose([*got["a"], *got["b"]], expected, rtol=1e-6)


@pytest.mark.parametrize("run", [clipped_statically, clipped_eagerly])
def test_global_norm_of_doubles(run: Any) -> None:
    got = run(clip.ClipGradByGlobalNorm(1.0), dtype="float64")
    np.testing.assert_allclose([*got["a"], *got["b"]], [0.6, 0.0, 0.0, -0.8], rtol=1e-12)


@pytest.mark.filterwarnings("ignore:'set_gradient_clip'")
def test_set_gradient_clip() -> None:
    mode.set_static(True)
    block = paddle.static.default_main_program().global_block()
    pairs = []
    for name in GRADS:
        param = block.create_parameter(name=name, shape=[2], dtype="float32")
        pairs.append((param, block.create_var(name=name + "@GRAD", shape=[2], dtype="float32")))
    clip.set_gradient_clip(clip.ClipGradByNorm(1.0))
    assert [g.name for _, g in clip.append_gradient_clip_ops(pairs)] == [
        "clip_by_norm_0.tmp_0", "clip_by_norm_1.tmp_0",
    ]  # fmt: skip
    assert [op.attr("op_role_var") for op in block.ops] == [
        ["a", "clip_by_norm_0.tmp_0"], ["b", "clip_by_norm_1.tmp_0"],
    ]  # fmt: skip
    with pytest.warns(UserWarning, match="will be ineffective"):
        clip.ClipGradByValue(1.0)(pairs)


def test_a_parameter_without_clip_leaves_all_alone() -> None:
    mode.set_static(True)
    block = paddle.static.default_main_program().global_block()
    param = block.create_parameter(name="a", shape=[2], dtype="float32")
    pairs = [(param, block.create_var(name="a@GRAD", shape=[2], dtype="float32"))]
    assert clip.append_gradient_clip_ops(pairs) is pairs
    assert block.ops == []


@pytest.mark.filterwarnings("ignore:'set_gradient_clip'")
def test_wrong_use() -> None:
    with pytest.raises(AssertionError, match="`max`.*positive"):
        clip.ClipGradByValue(-1.0)
    with pytest.raises(AssertionError, match="`auto_skip_clip`.*Expected bool"):
        clip.ClipGradByGlobalNorm(1.0, auto_skip_clip=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`clip`.*Expected a clip"):
        clip.set_gradient_clip(1.0)

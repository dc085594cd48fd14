"""The fluid gradient clips: what they do to gradients, and wrong use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat.fluid as fluid
from paddle_compat.core import mode

GRADS = {"a": [3.0, 0.0], "b": [0.0, -4.0]}


@pytest.fixture(autouse=True)
def static() -> None:
    mode.set_static(True)


def clipped(clip: Any = None) -> dict[str, list[float]]:
    """The gradients that SGD takes, given those above."""
    loss = 0.0
    for name, grad in GRADS.items():
        attr = fluid.ParamAttr(name=name, initializer=fluid.initializer.Constant(0.0))
        param = fluid.layers.create_parameter([2], "float32", attr=attr)
        loss = fluid.layers.reduce_sum(param * fluid.layers.assign(np.array(grad, "float32"))) + loss
    fluid.optimizer.SGD(1.0, grad_clip=clip).minimize(loss)
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(fluid.default_startup_program())
    executor.run(fluid.default_main_program())
    scope = fluid.global_scope()
    return {name: (0 - np.array(scope.find_var(name).get_tensor())).tolist() for name in GRADS}


def test_by_value() -> None:
    assert clipped(fluid.clip.GradientClipByValue(2.0, -1.0)) == {"a": [2.0, 0.0], "b": [0.0, -1.0]}


def test_by_norm() -> None:
    got = clipped(fluid.clip.GradientClipByNorm(3.5))
    np.testing.assert_allclose([*got["a"], *got["b"]], [3.0, 0.0, 0.0, -3.5], rtol=1e-6)


def test_by_global_norm() -> None:
    got = clipped(fluid.clip.GradientClipByGlobalNorm(1.0))
    np.testing.assert_allclose([*got["a"], *got["b"]], [0.6, 0.0, 0.0, -0.8], rtol=1e-6)


def test_global_norm_within_the_bound_stays() -> None:
    assert clipped(fluid.clip.GradientClipByGlobalNorm(6.0)) == GRADS


def test_only_what_need_clip_chooses() -> None:
    got = clipped(fluid.clip.GradientClipByGlobalNorm(1.0, need_clip=lambda p: p.name == "b"))
    np.testing.assert_allclose([*got["a"], *got["b"]], [3.0, 0.0, 0.0, -1.0], rtol=1e-6)


def test_set_gradient_clip_before_minimize() -> None:
    with pytest.warns(UserWarning, match="not recommended"):
        fluid.layers.create_parameter([2], "float32", name="c")
        fluid.clip.set_gradient_clip(fluid.clip.GradientClipByNorm(1.0), param_list=["c"])
    assert fluid.default_main_program().global_block().var("c").gradient_clip_attr.clip_norm == 1.0


@pytest.mark.filterwarnings("ignore:'set_gradient_clip'")
def test_wrong_use() -> None:
    with pytest.raises(AssertionError, match="`max`.*positive"):
        fluid.clip.GradientClipByValue(-1.0)
    with pytest.raises(TypeError, match="`need_clip`.*Expected a function"):
        fluid.clip.GradientClipByNorm(1.0, need_clip=True)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`clip`.*Expected a clip"):
        fluid.clip.set_gradient_clip(1.0)
    with pytest.raises(TypeError, match="`param_list`.*Expected Parameters"):
        fluid.clip.set_gradient_clip(fluid.clip.GradientClipByNorm(1.0), param_list=[3])

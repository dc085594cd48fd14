"""Passes by name, in the orders that Paddle 2.6.2 applies them in; what they leave of a Program trains as it did."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.distributed.passes import PassContext, PassManager, new_pass
from paddle_compat.distributed.passes.pass_base import PassBase, PassType, register_pass

FUSIONS = ["fuse_gemm_epilogue", "fuse_bn_act", "fuse_bn_add_act", "fuse_elewise_add_act", "fuse_optimizer", "fuse_relu_depthwise_conv"]


class Noting(PassBase):
    """Counts how often it was applied, in the context."""

    def _check_self(self) -> bool:
        return bool(self.get_attr("fits", True))

    def _check_conflict(self, other_pass: PassBase) -> bool:
        return bool(self.get_attr("agrees", True))

    def _apply_single_impl(self, main_program: Any, startup_program: Any, context: PassContext) -> None:
        context.set_attr("count", context.get_attr("count", 0) + 1)


@register_pass("noting_a")
class NotingA(Noting):
    pass


@register_pass("noting_b")
class NotingB(Noting):
    pass


@register_pass("noting_fusion")
class NotingFusion(Noting):
    def _type(self) -> int:
        return PassType.FUSION_OPT


def programs() -> tuple[list[Any], list[Any]]:
    return [paddle.static.Program()], [paddle.static.Program()]


def names(context: PassContext) -> list[str | None]:
    return [each.name for each in context.passes]


def test_a_pass_by_its_name() -> None:
    made = new_pass("noting_a", {"fits": 1})
    assert isinstance(made, NotingA) and NotingA.name == "noting_a"
    assert made.get_attr("fits") == 1 and made.get_attr("other", 5) == 5 and made.get_attr("other") is None
    assert made.set_attr("other", 2) is made and made.get_attr("other") == 2
    with pytest.raises(AssertionError, match="the name of a registered pass"):
        new_pass("nobody")
    with pytest.raises(TypeError, match="abstract"):
        PassBase()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("build_cinn", "BuildStrategy.build_cinn_pass"),
        ("auto_parallel_amp", "paddle.static.amp.decorate"),
        ("auto_parallel_gradient_merge_pass", "GradientMergeOptimizer"),
        ("pipeline_scheduler_1F1B", "strategy.pipeline"),
        ("append_send_ops_pass", "parameter servers"),
        ("split_trainer_ops_pass", "parameter servers"),
    ],
)
def test_passes_of_paddles_own_engines_are_refused(name: str, instead: str) -> None:
    with pytest.raises(paddle.errors.UnsupportedError, match=instead):
        new_pass(name)


def test_what_is_applied() -> None:
    """2.6.2: a pass once in a context, none without anything to do or that another one forbids, and after fusions only later fusions."""
    mains, startups = programs()
    first = new_pass("noting_a")
    context = first.apply(mains, startups)
    assert context.passes == [first] and context.get_attr("count") == 1
    assert new_pass("noting_a").apply(mains, startups, context) is context and context.get_attr("count") == 1
    assert new_pass("noting_a", {"fits": False}).apply(mains, startups).passes == []
    new_pass("noting_b", {"agrees": False}).apply(mains, startups, context)
    assert names(context) == ["noting_a"]
    new_pass("noting_b").apply(mains * 2, startups * 2, context)
    assert names(context) == ["noting_a", "noting_b"] and context.get_attr("count") == 3
    context = new_pass("fuse_bn_act").apply(mains, startups)
    for name in ("noting_a", "fuse_bn_add_act", "fuse_optimizer", "noting_fusion"):
        new_pass(name).apply(mains, startups, context)
    assert names(context) == ["fuse_bn_act", "fuse_optimizer", "noting_fusion"]


@pytest.mark.parametrize("given", [(1, [1]), ([1], 1), ((1,), (1,)), ([1], []), ([1, 1], [1])])
def test_as_many_programs(given: Any) -> None:
    with pytest.raises(AssertionError, match="_programs"):
        new_pass("noting_a").apply(*given)


def test_orders() -> None:
    def order(*passes: Any, **kwargs: Any) -> list[str | None]:
        return PassManager([new_pass(p) if isinstance(p, str) else p for p in passes], **kwargs).names

    assert order("fuse_bn_act", "noting_a") == ["noting_a", "fuse_bn_act"]
    assert order("fuse_bn_act", "noting_a", auto_solve_conflict=False) == ["fuse_bn_act", "noting_a"]
    assert order("fuse_optimizer", "fuse_bn_act", "fuse_bn_add_act") == ["fuse_bn_add_act", "fuse_bn_act", "fuse_optimizer"]
    assert order("fuse_all_reduce", new_pass("noting_a", {"fits": False})) == []
    assert order("noting_a", new_pass("noting_b", {"agrees": False})) == ["noting_b", "noting_a"]
    assert order(new_pass("noting_a", {"agrees": False}), new_pass("noting_b", {"agrees": False})) == ["noting_a"]
    assert order("noting_a", "noting_a") == ["noting_a"]


def test_a_manager_goes_on_with_a_context() -> None:
    mains, startups = programs()
    context = new_pass("noting_a").apply(mains, startups)
    manager = PassManager([new_pass("noting_b")], context)
    assert manager.context is context and manager.apply(mains, startups) is context
    assert names(context) == ["noting_a", "noting_b"] and isinstance(manager.passes, tuple)


def test_fusions_train_as_before() -> None:
    x = np.random.RandomState(0).rand(4, 3, 6, 6).astype("float32")

    def losses(fused: bool) -> list[float]:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
            paddle.seed(1)
            hidden = paddle.static.nn.conv2d(paddle.static.data("x", [4, 3, 6, 6]), 4, 3, bias_attr=False)
            hidden = paddle.static.nn.batch_norm(hidden, act="relu")
            loss = paddle.mean(paddle.static.nn.fc(paddle.static.nn.fc(hidden, 8, activation="relu"), 1) ** 2)
            paddle.optimizer.Momentum(0.1).minimize(loss)
        if fused:
            manager = PassManager([new_pass(name) for name in FUSIONS])
            assert names(manager.apply([main], [startup])) == manager.names and len(manager.names) == len(FUSIONS)
        scope, executor = paddle.static.Scope(), paddle.static.Executor()
        with paddle.static.scope_guard(scope):
            executor.run(startup)
            return [float(executor.run(main, feed={"x": x}, fetch_list=[loss])[0]) for _ in range(3)]

    paddle.enable_static()
    try:
        assert losses(True) == losses(False)
    finally:
        paddle.disable_static()

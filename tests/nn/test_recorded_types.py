"""Data types that the functions of `paddle.nn.functional` refuse where a Program is recorded, as Paddle 2.6 and 3.3 do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import paddle_compat as paddle

F = paddle.nn.functional
WHOLE = ["int32", "int64", "bool"]


def data(kind: str, *shape: int) -> Any:
    names = paddle.static.default_main_program().global_block().vars
    return paddle.static.data(f"x{len(names)}", list(shape), kind)


ONE: dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]] = {
    "conv2d": (lambda x: F.conv2d(x, data("float32", 3, 2, 3, 3)), (1, 2, 4, 4)),
    "Conv2D": (lambda x: paddle.nn.Conv2D(2, 1, 1)(x), (1, 2, 4, 4)),
    "conv2d_transpose": (lambda x: F.conv2d_transpose(x, data("float32", 2, 3, 3, 3)), (1, 2, 4, 4)),
    "max_pool1d": (lambda x: F.max_pool1d(x, 2), (1, 2, 4)),
    "max_pool2d": (lambda x: F.max_pool2d(x, 2, return_mask=True), (1, 2, 4, 4)),
    "avg_pool3d": (lambda x: F.avg_pool3d(x, 2), (1, 2, 4, 4, 4)),
    "adaptive_avg_pool2d": (lambda x: F.adaptive_avg_pool2d(x, 2), (1, 2, 4, 4)),
    "adaptive_max_pool3d": (lambda x: F.adaptive_max_pool3d(x, 2), (1, 2, 4, 4, 4)),
    "BatchNorm2D": (lambda x: paddle.nn.BatchNorm2D(2)(x), (1, 2, 4, 4)),
    "LayerNorm": (lambda x: paddle.nn.LayerNorm(4)(x), (1, 2, 4, 4)),
    "local_response_norm": (lambda x: F.local_response_norm(x, 3), (1, 2, 4, 4)),
    "unfold": (lambda x: F.unfold(x, 2), (1, 2, 4, 4)),
    "fold": (lambda x: F.fold(x, [3, 3], 2), (1, 8, 4)),
    "pixel_shuffle": (lambda x: F.pixel_shuffle(x, 2), (1, 4, 4, 4)),
    "pixel_unshuffle": (lambda x: F.pixel_unshuffle(x, 2), (1, 4, 4, 4)),
    "channel_shuffle": (lambda x: F.channel_shuffle(x, 2), (1, 4, 4, 4)),
    "temporal_shift": (lambda x: F.temporal_shift(x, 1), (1, 4, 4, 4)),
    "grid_sample": (lambda x: F.grid_sample(x, data("float32", 1, 3, 3, 2)), (1, 2, 4, 4)),
    "bilinear": (lambda x: F.bilinear(x, x, data("float32", 2, 3, 3)), (4, 3)),
    "nll_loss": (lambda x: F.nll_loss(x, data("int64", 4)), (4, 3)),
    "multi_margin_loss": (lambda x: F.multi_margin_loss(x, data("int64", 4)), (4, 3)),
    "margin_cross_entropy": (lambda x: F.margin_cross_entropy(x, data("int64", 4)), (4, 3)),
    "hsigmoid_loss": (lambda x: F.hsigmoid_loss(x, data("int64", 4, 1), 5, data("float32", 4, 3)), (4, 3)),
    "npair_loss": (lambda x: F.npair_loss(x, x, data("int64", 4)), (4, 3)),
    "triplet_margin_loss": (lambda x: F.triplet_margin_loss(x, x, x), (4, 3)),
}
PAIRS: dict[str, Callable[[Any, Any], Any]] = {
    "mse_loss": F.mse_loss,
    "l1_loss": F.l1_loss,
    "smooth_l1_loss": F.smooth_l1_loss,
    "kl_div": F.kl_div,
    "log_loss": F.log_loss,
    "square_error_cost": F.square_error_cost,
    "hinge_embedding_loss": F.hinge_embedding_loss,
    "poisson_nll_loss": F.poisson_nll_loss,
    "cosine_similarity": F.cosine_similarity,
    "pairwise_distance": F.pairwise_distance,
}


@pytest.fixture
def recording() -> Any:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        yield
    paddle.disable_static()


@pytest.mark.parametrize("name", ONE)
def test_a_tensor_without_floats_is_not_recorded(recording: None, name: str) -> None:
    function, shape = ONE[name]
    for kind in WHOLE:
        with pytest.raises(TypeError, match=f"Received: .*{kind}"):
            function(data(kind, *shape))
    assert function(data("float32", *shape)) is not None


@pytest.mark.parametrize("name", PAIRS)
def test_a_pair_without_floats_is_not_recorded(recording: None, name: str) -> None:
    for kind in WHOLE:
        with pytest.raises(TypeError, match=f"Received: .*{kind}"):
            PAIRS[name](data(kind, 4, 1), data(kind, 4, 1))
    assert PAIRS[name](data("float32", 4, 1), data("float32", 4, 1)).dtype == paddle.float32


def test_whole_numbers_have_differences_without_a_mean(recording: None) -> None:
    assert F.l1_loss(data("int64", 4), data("int64", 4), reduction="sum").dtype == paddle.int64


def test_what_is_no_variable_is_not_recorded(recording: None) -> None:
    with pytest.raises(TypeError, match="Expected a tensor"):
        F.mse_loss(1.0, data("float32", 4))


def test_dice_of_whole_numbers_is_refused() -> None:
    with pytest.raises(AssertionError, match="float32 or float64"):
        F.dice_loss(paddle.ones([2, 3, 2], "int32"), paddle.ones([2, 3, 1], "int64"))

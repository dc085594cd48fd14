"""Layers take the tensors of a call by the names that Paddle 3.3.1 has for them, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import paddle_compat as paddle

nn = paddle.nn


def _images(rank: int) -> paddle.Tensor:
    return paddle.arange(2.0 * 3 * 6**rank).reshape([2, 3, *[6] * rank]) / 100


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_what_layers_of_images_are_given(rank: int) -> None:
    x = _images(rank)
    kinds = [("Pad", (1,)), ("ConstantPad", (1, 0.5)), ("CircularPad", (1,)), ("ReflectionPad", (1,)), ("ReplicationPad", (1,))]
    kinds += [("ZeroPad", (1,)), ("Conv", (3, 4, 3)), *[("LPPool", (2.0, 2))] * (rank < 3)]
    kinds += [("AdaptiveAvgPool", (2,)), ("AdaptiveMaxPool", (2,))]
    for kind, settings in kinds:
        layer = getattr(nn, f"{kind}{rank}D")(*settings)
        assert paddle.equal_all(layer(input=x), layer(x)), kind


@pytest.mark.parametrize(
    "layer",
    [
        lambda: nn.GLU(),
        lambda: nn.Hardshrink(0.3),
        lambda: nn.Softshrink(0.3),
        lambda: nn.UpsamplingBilinear2D([4, 4]),
        lambda: nn.UpsamplingNearest2D([4, 4]),
    ],
)
def test_what_other_layers_are_given(layer: Callable[[], Any]) -> None:
    made = layer()
    assert paddle.equal_all(made(input=_images(2)), made(_images(2)))


def test_rows_of_a_table() -> None:
    table = nn.Embedding(5, 3)
    ids = paddle.to_tensor([1, 3])
    assert paddle.equal_all(table(input=ids), table(ids))


def test_targets_and_pairs() -> None:
    x, y, labels = paddle.to_tensor([[1.0, 2.0], [3.0, 5.0]]), paddle.to_tensor([[1.5, 2.0], [3.0, 4.0]]), paddle.to_tensor([0, 1])
    assert nn.SmoothL1Loss()(x, target=y).item() == nn.HuberLoss()(input=x, target=y).item() == nn.SmoothL1Loss()(x, y).item()
    assert nn.CrossEntropyLoss()(input=x, target=labels).item() == nn.CrossEntropyLoss()(x, labels).item()
    assert nn.PairwiseDistance()(x1=x, x2=y).tolist() == nn.PairwiseDistance()(x, y).tolist()


def test_a_size_for_one_call() -> None:
    pooled, places = nn.MaxPool2D(2, return_mask=True)(paddle.arange(16.0).reshape([1, 1, 4, 4]))
    shapes = [
        nn.MaxUnPool2D(2)(pooled, places, output_size=[5, 5]).shape,
        nn.MaxUnPool2D(2, output_size=[5, 5])(pooled, places, [4, 4]).shape,
        nn.MaxUnPool2D(2, output_size=[5, 5])(input=pooled, indices=places).shape,
    ]
    assert shapes == [[1, 1, 5, 5], [1, 1, 4, 4], [1, 1, 5, 5]]


def test_one_argument_has_one_name_at_a_time() -> None:
    layer, x = nn.Conv2D(3, 4, 3), _images(2)
    with pytest.raises(TypeError, match="multiple values for argument 'x'"):
        layer(x, input=x)
    with pytest.raises(TypeError, match="no_such_word"):
        layer(no_such_word=x)


def test_a_forward_of_a_scripts_own_keeps_its_names() -> None:
    class Mine(nn.Conv2D):
        def forward(self, image: Any, **more: Any) -> Any:
            return more

    assert list(Mine(3, 4, 3)(image=1, input=2)) == ["input"]


def test_older_initializers_take_the_settings_of_newer_ones() -> None:
    """Paddle 3.3.1's numbers for a seed."""
    initializer = nn.initializer
    drawn = []
    for each in (
        initializer.TruncatedNormalInitializer(0.0, 1.0, 0, -1.0, 1.0),
        initializer.XavierInitializer(gain=2.0),
        initializer.MSRAInitializer(uniform=False, mode="fan_out"),
    ):
        paddle.seed(3)
        drawn.append(paddle.create_parameter([2, 3], "float32", default_initializer=each)[0].numpy().round(4).tolist())
    expected = [[-0.3439, 0.2606, -0.3869], [-0.8635, 0.6597, -0.9666], [0.8302, -1.0866, 0.6295]]
    for ours, theirs in zip(drawn, expected):
        assert ours == pytest.approx(theirs, abs=1e-4)


def test_low_precision_moments_are_refused() -> None:
    paddle.optimizer.AdamW(parameters=[paddle.ones([1])], use_lowprecision_moment=False)
    with pytest.raises(NotImplementedError, match="use_lowprecision_moment"):
        paddle.optimizer.AdamW(use_lowprecision_moment=True)

"""Sizes that functions read out of `paddle.shape`, and do sums with, stay open in the programs that are written down."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat.migrate import eject

F = paddle.nn.functional


def positions(x: Any) -> Any:
    """As language models number words."""
    ones = paddle.ones(paddle.shape(x)[:-1], dtype="int64")
    return paddle.cumsum(ones, axis=1) - ones + x.sum(-1)


def heads(x: Any) -> Any:
    batch, length, width = paddle.shape(x)
    query = paddle.reshape(x, [batch, length, 2, width // 2]).transpose([0, 2, 1, 3])
    seen = paddle.triu(paddle.full((length, length), -1e4), 1)
    weights = F.softmax(paddle.matmul(query, query, transpose_y=True) + seen)
    return paddle.matmul(weights, query).transpose([0, 2, 1, 3]).reshape(paddle.shape(x))


def written_over(x: Any) -> Any:
    sizes = paddle.shape(x)
    sizes[0] = 5
    return x.sum() + sizes[0].astype("float32")


def coordinates(x: Any) -> Any:
    rows, columns = paddle.meshgrid(paddle.arange(x.shape[0]), paddle.arange(x.shape[1]))
    return paddle.gather_nd(x, paddle.stack([rows, columns], -1)) + paddle.index_select(x, paddle.arange(x.shape[1]), 1)


FUNCTIONS = {
    "positions": positions,
    "heads": heads,
    "written over": written_over,
    "coordinates": coordinates,
    "products": lambda x: (lambda s: x.reshape([s[0] * s[1], -1]))(paddle.shape(x)),
    "the last": lambda x: x.reshape((-1, paddle.shape(x)[-1])),
    "quotients": lambda x: (lambda s: x.reshape([s[0], (s[1] * 4 + s[1] % 1) // s[2], -1]))(paddle.shape(x)),
    "all of them": lambda x: x.flatten(1).reshape([paddle.prod(paddle.shape(x)[:2]), 4]),
    "ranges": lambda x: paddle.arange(paddle.shape(x)[1]) + paddle.arange(2, x.shape[1] + 2, dtype="float32") + x.sum(-1),
    "spread": lambda x: paddle.arange(x.shape[1]).unsqueeze(0).expand([paddle.shape(x)[0], x.shape[1]]) + x.sum(-1),
    "repeats": lambda x: paddle.tile(paddle.ones([1, 3]), [paddle.shape(x)[0], 1]) + x.sum([1, 2]).unsqueeze(-1),
    "parts": lambda x: (lambda n: x[:, : n - 1] + x[:, 1:n] + paddle.slice(x, [1], [0], [n - 1]))(paddle.shape(x)[1]),
    "parts of others": lambda x: paddle.ones([64, 4])[: paddle.shape(x)[1]] + x,
    "joined": lambda x: paddle.concat([paddle.zeros([paddle.shape(x)[0], 1, 4]), x], 1),
    "a joined shape": lambda x: x[:, :1].reshape(paddle.concat([paddle.shape(x)[:1], paddle.full([1], 4, "int32")])),
    "a stacked shape": lambda x: x.reshape(paddle.stack([paddle.shape(x)[0], paddle.shape(x)[2], paddle.shape(x)[1]])),
    "lists": lambda x: x.reshape([paddle.shape(x).tolist()[0], -1]) + x.reshape([paddle.shape(x).numpy()[0], -1]),
    "asked": lambda x: x * 2 if paddle.shape(x)[1] > 1 and paddle.shape(x)[2] == 4 else x,
    "pixels": lambda x: F.interpolate(x.unsqueeze(1), size=[paddle.shape(x)[1] * 2, 8], mode="bilinear"),
    "as many pixels": lambda x: F.interpolate(x.unsqueeze(1), size=paddle.shape(x)[1:], mode="nearest"),
    "a mask": lambda x: paddle.where(
        paddle.tril(paddle.ones([x.shape[1], x.shape[1]], "bool")), paddle.matmul(x, x, transpose_y=True), paddle.to_tensor(-1.0)
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    function = FUNCTIONS[name]
    program = eject(function, [paddle.static.InputSpec([None, None, 4])])
    assert len(program.range_constraints) == 2 and all(
        size.upper > 10**9 or name == "parts of others" for size in program.range_constraints.values()
    )
    for shape in ((6, 6, 4), (3, 5, 4), (2, 9, 4)):
        x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        expected = function(paddle.to_tensor(x)).numpy()
        np.testing.assert_allclose(program.module()(torch.from_numpy(x)), expected, 1e-5, 1e-5)


def warped(x: Any) -> Any:
    """An image at places of its own, as networks align features."""
    rows, columns = (paddle.linspace(-1.0, 1.0, size).reshape(shape) for size, shape in zip(paddle.shape(x)[2:], ([-1, 1], [1, -1])))
    grid = paddle.stack(paddle.broadcast_tensors([columns * 0.5, rows]), -1).unsqueeze(0)
    moved = F.affine_grid(paddle.eye(2, 3).unsqueeze(0).tile([x.shape[0], 1, 1]), [x.shape[0], 3, 8, 8])
    return F.grid_sample(x, grid.expand([x.shape[0], -1, -1, -1])).mean([2, 3]) + F.grid_sample(x, moved).mean([2, 3])


IMAGES = {
    "warped": warped,
    "halved and doubled": lambda x: F.interpolate(F.max_pool2d(x, 2, 2), scale_factor=2, mode="nearest") + x,
    "one and a half times": lambda x: F.interpolate(x, scale_factor=1.5, mode="bilinear", align_mode=1),
    "a pyramid": lambda x: F.interpolate(F.adaptive_avg_pool2d(x, 2), paddle.shape(x)[2:], mode="bilinear", align_corners=True) + x,
    "windows": lambda x: (
        x.reshape([x.shape[0], 3, x.shape[2] // 8, 8, x.shape[3] // 8, 8]).transpose([0, 2, 4, 3, 5, 1]).reshape([-1, 64, 3])
    ),
    "stages": lambda x: F.conv2d(F.avg_pool2d(F.max_pool2d(x, 3, 2, 1), 3, 2, 1), paddle.ones([2, 3, 3, 3]), stride=2, padding=1).mean(
        [2, 3]
    ),
}


@pytest.mark.parametrize("name", IMAGES)
def test_images(name: str) -> None:
    """Height and width are open as well."""
    program = eject(IMAGES[name], [paddle.static.InputSpec([None, 3, None, None])])
    assert all(size.upper > 10**9 for size in program.range_constraints.values())
    for shape in ((1, 3, 64, 64), (2, 3, 40, 72)):
        x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        expected = IMAGES[name](paddle.to_tensor(x)).numpy()
        np.testing.assert_allclose(program.module()(torch.from_numpy(x)), expected, 1e-4, 1e-4)


def test_sizes_are_numbers_elsewhere() -> None:
    sizes = paddle.shape(paddle.ones([2, 3]))
    assert [int(n) for n in sizes] == [2, 3] and [*range(sizes[0])] == [0, 1]
    assert paddle.zeros([sizes[0], 1]).shape == [2, 1]

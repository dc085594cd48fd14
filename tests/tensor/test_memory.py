"""Which results have memory of their own, as Paddle 2.6.2 and 3.3.1 show."""

from __future__ import annotations

import pytest

import paddle_compat as paddle


@pytest.mark.parametrize("sizes", [(3,), (3, 1), (1, 3), (3, 2)])
def test_grids_are_no_views(sizes: tuple[int, ...]) -> None:
    given = [paddle.arange(size, dtype="float32") for size in sizes]
    before = [x.tolist() for x in given]
    for grid in paddle.meshgrid(*given):
        grid.add_(paddle.ones(grid.shape))
    assert [x.tolist() for x in given] == before

"""Which look-ups may fetch rows ahead from servers, as Paddle 2.6.2 marks them: sparse ones whose table is not distributed."""

from __future__ import annotations

import pytest

import paddle_compat as paddle


@pytest.mark.parametrize(
    ("sparse", "distributed", "expected"), [(False, False, False), (True, False, True), (False, True, False), (True, True, False)]
)
def test_sparse_lookups_prefetch(sparse: bool, distributed: bool, expected: bool) -> None:
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        ids = paddle.static.data("ids", [3], "int64")
        paddle.static.nn.embedding(ids, [5, 2], is_sparse=sparse, is_distributed=distributed)
        if not distributed:
            paddle.nn.Embedding(5, 2, sparse=sparse)(ids)
    paddle.disable_static()
    assert [op.attr("remote_prefetch") for op in main.global_block().ops] == [expected] * (1 if distributed else 2)

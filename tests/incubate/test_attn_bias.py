"""Masks of `paddle.incubate.nn.attn_bias` are those that Paddle 2.6.2 writes out, and attention takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.incubate.nn import attn_bias as M
from paddle_compat.incubate.nn.memory_efficient_attention import memory_efficient_attention

NO = float("-inf")
PADDED = M.BlockDiagonalCausalWithOffsetPaddedKeysMask


def places(*numbers: int) -> Any:
    return paddle.to_tensor(numbers, dtype="int32")


BLOCKS, UNEQUAL = M.BlockDiagonalMask.from_seqlens([2, 1]), M.BlockDiagonalMask.from_seqlens([2, 1], [1, 3])
WRITTEN: dict[str, tuple[Any, list[list[float]]]] = {
    "triangle": (M.LowerTriangularMask(), [[0.0, NO, NO], [0.0, 0.0, NO]]),
    "triangle and bias": (M.LowerTriangularMask().add_bias(paddle.full([2, 2], 0.5)), [[0.5, NO], [0.5, 0.5]]),
    "blocks": (BLOCKS, [[0.0, 0.0, NO], [0.0, 0.0, NO], [NO, NO, 0.0]]),
    "unequal blocks": (UNEQUAL, [[0.0, NO, NO, NO], [0.0, NO, NO, NO], [NO, 0.0, 0.0, 0.0]]),
    "causal": (BLOCKS.make_causal(), [[0.0, NO, NO], [0.0, 0.0, NO], [NO, NO, 0.0]]),
    "unequal causal": (UNEQUAL.make_causal(), [[0.0, NO, NO, NO], [0.0, NO, NO, NO], [NO, 0.0, NO, NO]]),
    "padded": (PADDED.from_seqlens([2, 1], 3, [3, 2]), [[0.0, NO, NO, NO, NO, NO], [0.0, 0.0, NO, NO, NO, NO], [NO, NO, NO, 0.0, NO, NO]]),
    "padded, more": (
        PADDED.from_seqlens([2, 1], 3, [3, 2], places(1, 0)),
        [[0.0, 0.0, NO, NO, NO, NO], [0.0, 0.0, 0.0, NO, NO, NO], [NO, NO, NO, 0.0, NO, NO]],
    ),
    "padded, fewer": (
        PADDED.from_seqlens([2, 1], 3, [3, 2], places(-1, 1)),
        [[NO, NO, NO, NO, NO, NO], [0.0, NO, NO, NO, NO, NO], [NO, NO, NO, 0.0, 0.0, NO]],
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_written_out(name: str) -> None:
    mask, wanted = WRITTEN[name]
    shape = [len(wanted), len(wanted[0])]
    assert mask.materialize(shape).tolist() == wanted
    whole = mask.materialize([3, 2, *shape], dtype="float64")
    assert whole.shape == [3, 2, *shape] and str(whole.dtype) == "paddle.float64" and whole[2, 1].tolist() == wanted


def test_sequences_put_together_and_taken_apart() -> None:
    parts = [paddle.arange(8).reshape([1, 2, 4]), paddle.arange(8).reshape([2, 1, 4])]
    mask, joined = M.BlockDiagonalMask.from_tensor_list(parts)
    assert joined.shape == [1, 4, 4] and mask.q_seqinfo.seqstart.tolist() == [0, 2, 3, 4] and mask.q_seqinfo.max_seqlen == 2
    assert [x.tolist() for x in mask.split(joined)] == [x.tolist() for x in parts]
    q, k = [paddle.ones([1, 2, 4])], [paddle.ones([1, 3, 4])]
    mask, *joined = M.BlockDiagonalMask.from_tensor_lists_qkv(q, k, k)
    assert [x.shape for x in joined] == [[1, 2, 4], [1, 3, 4], [1, 3, 4]] and M.BlockDiagonalMask.from_tensor_lists_qkv(q, k)[3] is None
    assert [x.shape for x in mask.split_queries(joined[0]) + mask.split_kv(joined[1])] == [[1, 2, 4], [1, 3, 4]]
    assert list(M.PaddedSeqLenInfo.from_seqlens_padded([2, 1], 3).intervals()) == [(0, 2), (3, 4)]


REFUSED: dict[str, Callable[[], Any]] = {
    "other keys": lambda: UNEQUAL.materialize([3, 5]),
    "other queries": lambda: UNEQUAL.materialize([4, 4]),
    "fewer sequences": lambda: M.BlockDiagonalMask.from_seqlens([2, 1], [1]),
    "more padded sequences": lambda: PADDED.from_seqlens([2, 1], 3, [3, 2, 1]),
    "longer sequences": lambda: M.PaddedSeqLenInfo.from_seqlens_padded([4, 1], 3),
    "other positions": lambda: BLOCKS.split(paddle.ones([1, 4, 2])),
    "keys of other lengths": lambda: UNEQUAL.split(paddle.ones([1, 3, 2])),
    "keys of other batches": lambda: M.BlockDiagonalMask.from_tensor_lists_qkv([paddle.ones([1, 2, 4])], [paddle.ones([2, 3, 4])]),
    "other values": lambda: M.BlockDiagonalMask.from_tensor_lists_qkv(*([paddle.ones([1, n, 4])] for n in (2, 3, 4))),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises(AssertionError, match="Expected"):
        REFUSED[name]()


def test_what_has_no_meaning_is_not_there() -> None:
    with pytest.raises(TypeError):
        M.AttentionBias()  # type: ignore[abstract]
    for call in (M.PaddedSeqLenInfo.from_seqlens, M.PaddedSeqLenInfo.from_seqlens_padded([2, 1], 3).split):
        with pytest.raises(NotImplementedError, match="PaddedSeqLenInfo"):
            call([2, 1])


def test_attention_of_sequences_side_by_side() -> None:
    x = [paddle.to_tensor(np.random.RandomState(n).rand(1, n, 2, 8).astype("float32")) for n in (3, 2)]
    mask, joined = M.BlockDiagonalMask.from_tensor_list(x)
    for bias, alone in ((mask, None), (mask.make_causal(), M.LowerTriangularMask())):
        found = mask.split(memory_efficient_attention(joined, joined, joined, bias))
        for part, own in zip(found, x):
            np.testing.assert_allclose(part.numpy(), memory_efficient_attention(own, own, own, alone).numpy(), rtol=1e-5)

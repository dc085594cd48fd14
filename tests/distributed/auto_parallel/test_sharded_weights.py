"""Parts of Tensors, with where they lie in the whole, as checkpoints of Paddle 3.3 describe them."""

from __future__ import annotations

import pytest

import paddle_compat as paddle
from paddle_compat.distributed.flex_checkpoint.dcp import sharded_weight as parts


def where(part: parts.ShardedWeight) -> tuple[tuple[int, ...], ...]:
    return part.local_shape, part.global_shape, part.global_offset


def test_another_tensor_in_the_same_place() -> None:
    part = parts.ShardedWeight("w", paddle.ones([2, 3]), (2, 3), (4, 3), (2, 0), True, slice(1, 3))
    other = parts.create_sharded_weight_with_new_local("moment", paddle.zeros([2, 3]), part)
    assert (other.key, where(other), other.is_flattened, other.flattened_range) == ("moment", where(part), True, slice(1, 3))
    assert other.local_tensor.tolist() == [[0.0] * 3] * 2
    with pytest.raises(ValueError, match=r"`new_local_tensor`.*\[2, 3\].*Received: \[1, 3\]"):
        parts.create_sharded_weight_with_new_local("moment", paddle.zeros([1, 3]), part)


def test_the_whole_of_a_tensor() -> None:
    assert where(parts.make_replicated_sharded_weight("w", paddle.ones([2, 3]))) == ((2, 3), (2, 3), (0, 0))


def test_a_part_of_a_job_of_one_process() -> None:
    """Its group says -1 for its rank, which is the first nevertheless."""
    paddle.distributed.fleet.init(is_collective=True)
    state = paddle.distributed.build_sharded_state_dict({"w": paddle.ones([2, 3]), "b": paddle.ones([3])}, {"w": 1}, "fc.")
    assert [(name, where(part)) for name, part in state.items()] == [
        ("fc.w", ((2, 3), (2, 3), (0, 0))), ("fc.b", ((3,), (3,), (0,))),
    ]  # fmt: skip
    with pytest.raises(ValueError, match=r"`axis`.*Received: 5"):
        parts.make_tp_sharded_weight_for_checkpoint("w", paddle.ones([4, 3]), 5)


def test_what_is_shown() -> None:
    shown = str(paddle.nn.Linear(2, 3).sharded_state_dict()["bias"])
    assert "local_tensor=EagerParamBase(shape=[3])" in shown and "global_offset=(0,)" in shown
    described = parts.ShardedWeightDesc("w", (2,), (4,), (2,))
    assert described == parts.ShardedWeightDesc("w", (2,), (4,), (2,), None) and len({described, described}) == 1

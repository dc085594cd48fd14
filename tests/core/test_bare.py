"""Torch's own functions take Tensors, in whatever holds them, and give torch tensors."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple

import torch

import paddle_compat as paddle
from paddle_compat.core.bare import bare


class Pair(NamedTuple):
    """What a function of torch may be given."""

    left: Any
    right: Any


def test_tensors_in_what_holds_them() -> None:
    x, y = paddle.ones([2]), torch.zeros(2)
    found = bare(paddle.Tensor, [x, (y, {"a": x, "b": [3, None]}), Pair(x, "text"), OrderedDict(c=x), slice(1), torch.float32])
    assert found[0] is x._t and found[1][0] is y and found[1][1] == {"a": x._t, "b": [3, None]}
    assert type(found[2]) is Pair and found[2].left is x._t and type(found[3]) is OrderedDict and found[3]["c"] is x._t
    assert found[4:] == [slice(1), torch.float32]


def test_functions_of_torch() -> None:
    x, size = paddle.ones([2, 3]), paddle.to_tensor(3)
    assert type(torch.add(x, 1, alpha=2)) is torch.Tensor  # type: ignore[call-overload]
    assert torch.stack([x, x]).shape == (2, 2, 3)  # type: ignore[list-item]
    assert torch.reshape(x, [size, -1]).shape == (3, 2)  # type: ignore[arg-type]
    assert paddle.reshape(x, [size, 2]).shape == paddle.reshape(x, paddle.to_tensor([3, 2])).shape == [3, 2]

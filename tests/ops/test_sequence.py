"""Sequence operators against the wheel."""

from __future__ import annotations

import pytest
import sequence_replay
import torch

from paddle_compat import fluid
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.lod import lod_from_lengths
from paddle_compat.ops import ctc, sequence


@sequence_replay.cases("sequence")
def test_as_the_wheel(family: str, name: str) -> None:
    sequence_replay.replay(family, name)


LOD = lod_from_lengths([[2, 1]])
X = torch.arange(6.0).view(3, 2)
WRONG = {
    "no LoD": (lambda: sequence.sequence_pool.fn(X), "a LoD tensor"),
    "an unknown kind of pooling": (lambda: sequence.sequence_pool.fn(X, pooltype="MEDIAN", x_lod=LOD), "MEDIAN"),
    "too many levels": (
        lambda: sequence.sequence_reverse.fn(X, x_lod=lod_from_lengths([[2], [2, 1]])),
        "1 level.*Received: 2",
    ),
    "a stride": (
        lambda: sequence.sequence_conv.fn(X, None, X, contextLength=1, contextStride=2, x_lod=LOD),
        "contextStride",
    ),
    "as many sequences as rows": (lambda: sequence.sequence_expand_as.fn(X, X, y_lod=LOD), "3 sequences"),
    "too short a padding": (
        lambda: sequence.sequence_pad.fn(X, torch.zeros(1), padded_length=1, x_lod=LOD),
        "at least 2",
    ),
    "sequences of sequences to pad": (
        lambda: sequence.sequence_pad.fn(X, torch.zeros(1), x_lod=lod_from_lengths([[1, 1], [2, 1]])),
        "3 rows in all.*Received: 2",
    ),
    "a slice past the end": (
        lambda: sequence.sequence_slice.fn(X, torch.tensor([1, 0]), torch.tensor([2, 1]), x_lod=LOD),
        "inside their sequences",
    ),
    "a width that does not divide": (lambda: sequence.sequence_reshape.fn(X, new_dim=3, x_lod=LOD), "new_dim"),
    "offsets of another end": (lambda: sequence.lod_reset.fn(X, target_lod=[0, 2]), "end at 3"),
    "falling offsets": (lambda: sequence.lod_reset.fn(X, target_lod=[0, 4, 3]), "do not fall"),
    "unequal numbers of sequences": (
        lambda: sequence.sequence_concat.fn([X, X], xs_lod=[LOD, lod_from_lengths([[3]])]),
        "equally many",
    ),
    "an empty reference": (
        lambda: ctc.edit_distance.fn(X.long(), X.long(), normalized=True, hyps_lod=LOD, refs_lod=lod_from_lengths([[3, 0]])),
        "not empty",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_use(name: str) -> None:
    call, message = WRONG[name]
    with pytest.raises(InvalidArgumentError, match=message):
        call()


def test_a_mask_has_no_sequences() -> None:
    with fluid.program_guard(fluid.Program()), fluid.scope_guard(fluid.Scope()):
        x = fluid.data("x", [None, 1], "int64", lod_level=1)
        mask = fluid.layers.sequence_mask(x, maxlen=3)
        fed = fluid.create_lod_tensor(torch.tensor([[2], [1], [3]]).numpy(), [[2, 1]], fluid.CPUPlace())
        found = fluid.Executor(fluid.CPUPlace()).run(feed={"x": fed}, fetch_list=[mask], return_numpy=False)[0]
    assert found.lod() == [] and mask.lod_level == 0  # as in 1.8.5


@pytest.mark.parametrize("lengths", [[3, 1, 4, 2], [0, 3, 5, 0, 4, 0], [40, 1, 0, 1, 2, 1]], ids=str)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16], ids=str)
@pytest.mark.parametrize("shape", [(), (5,), (2, 3)], ids=str)
def test_first_maximum_learns(lengths: list[int], dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    torch.manual_seed(3)
    x = torch.randint(-2, 3, (sum(lengths), *shape)).to(dtype)  # many equal ones
    x[0] = float("-inf")
    x[-1] = float("inf")
    x.requires_grad_()
    out, _ = sequence.sequence_pool.fn(x, pooltype="MAX", pad_value=7.0, x_lod=lod_from_lengths([lengths]))
    weight = torch.arange(1, out.numel() + 1, dtype=dtype).view_as(out)
    out.backward(weight)
    grad = torch.zeros_like(x)
    for row, piece in enumerate(x.detach().split(lengths)):
        if not len(piece):
            assert (out[row] == 7.0).all()
            continue
        assert torch.equal(out[row], piece.amax(0))
        first = (piece == piece.amax(0)).int().argmax(0, keepdim=True) + sum(lengths[:row])
        grad.scatter_(0, first, weight[row : row + 1])
    assert torch.equal(x.grad, grad)

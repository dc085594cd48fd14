"""Transforms of signals, messages in graphs and what stands beside them, in static mode: operators, shapes and numbers as the wheel's."""

from __future__ import annotations

import numpy as np
import program_replay
import pytest
import torch

import paddle_compat as paddle


@program_replay.cases("fourier")
def test_program(name: str) -> None:
    program_replay.replay("fourier", name, rtol=1e-4, atol=2e-5)


def matrix(*shape: int, dtype: str = "float32") -> paddle.Tensor:
    return paddle.to_tensor(np.arange(int(np.prod(shape))).reshape(shape), dtype)


# the kinds of the wheel's errors
REFUSED = {
    "fft/n": (lambda: paddle.fft.fft(matrix(4, 6), 0), ValueError, "`n`"),
    "fft/n, no int": (lambda: paddle.fft.fft(matrix(4, 6), 2.5), ValueError, "`n`"),
    "fft/axis": (lambda: paddle.fft.fft(matrix(4, 6), axis=3), ValueError, "`axis`"),
    "fft/axis, no int": (lambda: paddle.fft.fft(matrix(4, 6), axis="a"), ValueError, "`axis`"),
    "fft/norm": (lambda: paddle.fft.ifftn(matrix(4, 6), norm=None), ValueError, "`norm`"),
    "fft/sizes": (lambda: paddle.fft.fftn(matrix(4, 6), [2, 3, 4]), ValueError, "`s`"),
    "fft/sizes and axes": (lambda: paddle.fft.fftn(matrix(4, 6), [2], [0, 1]), ValueError, "`s`"),
    "fft/size": (lambda: paddle.fft.fftn(matrix(4, 6), [-1], [0]), ValueError, "above 0"),
    "fft/no list": (lambda: paddle.fft.fftn(matrix(4, 6), 3), ValueError, "sequence"),
    "fft/twice": (lambda: paddle.fft.fftn(matrix(4, 6), axes=[0, 0]), ValueError, "each axis once"),
    "fft/two sizes": (lambda: paddle.fft.fft2(matrix(4, 6), (3,)), ValueError, "2 ints"),
    "fft/two axes": (lambda: paddle.fft.fft2(matrix(4, 6), axes=(0, 1, 1)), ValueError, "2 ints"),
    "fft/rank": (lambda: paddle.fft.rfft2(matrix(4)), ValueError, "two dimensions"),
    "fft/complex": (lambda: paddle.fft.rfft(matrix(4, dtype="complex64")), RuntimeError, "real numbers"),
    "fft/ints": (lambda: paddle.fft.irfft(matrix(4, dtype="int64")), RuntimeError, "int64"),
    "fft/frequencies": (lambda: paddle.fft.fftfreq(0), ValueError, "not 0"),
    "fft/spacing": (lambda: paddle.fft.rfftfreq(4, 0.0), ValueError, "not 0"),
    "fft/shift": (lambda: paddle.fft.fftshift(matrix(4, 6), 5), IndexError, "`axes`"),
    "stft/onesided": (lambda: paddle.signal.stft(matrix(2, 32, dtype="complex64"), 8, onesided=True), AssertionError, "onesided"),
    "stft/rank": (lambda: paddle.signal.stft(matrix(1, 2, 32), 8), AssertionError, "dimensions"),
    "stft/n_fft": (lambda: paddle.signal.stft(matrix(2, 32), 80), AssertionError, "n_fft"),
    "stft/hop": (lambda: paddle.signal.stft(matrix(2, 32), 8, 0), AssertionError, "hop_length"),
    "stft/length": (lambda: paddle.signal.stft(matrix(2, 32), 8, win_length=9), AssertionError, "win_length"),
    "stft/window": (lambda: paddle.signal.stft(matrix(2, 32), 8, window=matrix(7)), AssertionError, "window"),
    "stft/pad": (lambda: paddle.signal.stft(matrix(2, 32), 8, pad_mode="edge"), AssertionError, "pad_mode"),
    "istft/frequencies": (lambda: paddle.signal.istft(matrix(2, 5, 9, dtype="complex64"), 12), AssertionError, "7 frequencies"),
    "istft/complex": (lambda: paddle.signal.istft(matrix(5, 9, dtype="complex64"), 8, return_complex=True), AssertionError, "onesided"),
    "istft/hop": (lambda: paddle.signal.istft(matrix(5, 9, dtype="complex64"), 8, 9), AssertionError, "hop_length"),
    "istft/zeros": (lambda: paddle.signal.istft(matrix(5, 9, dtype="complex64"), 8, window=paddle.zeros([8])), ValueError, "nowhere 0"),
    "frame/long": (lambda: paddle.signal.frame(matrix(2, 32), 80, 4), ValueError, "frame_length"),
    "frame/axis": (lambda: paddle.signal.frame(matrix(2, 32), 8, 4, 1), ValueError, "axis"),
    "frame/length": (lambda: paddle.signal.frame(matrix(2, 32), 0, 4), ValueError, "frame_length"),
    "frame/hop": (lambda: paddle.signal.frame(matrix(2, 32), 8, 0), ValueError, "hop_length"),
    "overlap_add/rank": (lambda: paddle.signal.overlap_add(matrix(8), 4), ValueError, "dimensions"),
    "send/reduction": (lambda: paddle.geometric.send_u_recv(*[matrix(2, dtype="int64")] * 3, "prod"), ValueError, "reduce_op"),
    "send/message": (lambda: paddle.geometric.send_uv(*[matrix(2, dtype="int64")] * 4, "pow"), ValueError, "message_op"),
    "send/pool": (lambda: paddle.incubate.graph_send_recv(*[matrix(2, dtype="int64")] * 3, "prod"), ValueError, "pool_type"),
    "send/edges": (
        lambda: paddle.geometric.send_u_recv(matrix(4, 3), matrix(3, dtype="int64"), matrix(2, dtype="int64")), ValueError, "Src_index",
    ),
    "send/types": (
        lambda: paddle.geometric.send_u_recv(matrix(4, 3), matrix(2, dtype="int64"), matrix(2, dtype="int32")), ValueError, "data type",
    ),
    "segment/falls": (lambda: paddle.geometric.segment_sum(matrix(2, 3), paddle.to_tensor([1, 0])), ValueError, "never fall"),
    "segment/rows": (lambda: paddle.geometric.segment_sum(matrix(3, 3), paddle.to_tensor([0, 1])), ValueError, "3 rows"),
    "segment/floats": (lambda: paddle.geometric.segment_sum(matrix(2, 3), matrix(2)), ValueError, "int32 or int64"),
    "sample/edges": (lambda: paddle.geometric.sample_neighbors(*[matrix(3, dtype="int64")] * 3, return_eids=True), ValueError, "eids"),
    "identity_loss": (lambda: paddle.incubate.identity_loss(matrix(2), "most"), RuntimeError, "reduction"),
    "to_dlpack": (lambda: paddle.utils.dlpack.to_dlpack(3), TypeError, "paddle.Tensor"),
    "from_dlpack twice": (lambda: list(map(paddle.from_dlpack, [paddle.to_dlpack(paddle.ones([2]))] * 2)), ValueError, "used"),
    "from_dlpack": (lambda: paddle.utils.dlpack.from_dlpack(3), TypeError, "PyCapsule"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    call, kind, text = REFUSED[name]
    with pytest.raises(kind, match=text):
        call()


def test_sampled_neighbours_are_neighbours() -> None:
    row, pointers = paddle.to_tensor([3, 7, 0, 9, 1]), paddle.to_tensor([0, 2, 4, 5])
    nodes, edges = paddle.to_tensor([0, 2, 1]), paddle.to_tensor([50, 51, 52, 53, 54])
    heavy = paddle.to_tensor([0.0, 1.0, 0.0, 1.0, 1.0])
    for take in (
        lambda: paddle.geometric.sample_neighbors(row, pointers, nodes, 1, edges, True),
        lambda: paddle.geometric.weighted_sample_neighbors(row, pointers, heavy, nodes, 1, edges, True),
    ):
        found, counts, numbers = take()
        assert counts.tolist() == [1, 1, 1] and found.tolist() == [row[n - 50].item() for n in numbers.tolist()]
        assert [n - 50 in own for n, own in zip(numbers.tolist(), ((0, 1), (4,), (2, 3)))] == [True] * 3
    assert found.tolist() == [7, 1, 9]  # those of no weight are never taken


def test_upper_triangle() -> None:
    x = np.random.RandomState(0).randn(1, 2, 4, 4).astype("float32")
    found = paddle.incubate.softmax_mask_fuse_upper_triangle(paddle.to_tensor(x)).numpy()
    power = np.exp(x) * np.tri(4)
    np.testing.assert_allclose(found, power / power.sum(-1, keepdims=True), rtol=1e-5)


def test_capsules_share() -> None:
    first = paddle.zeros([3])
    second = paddle.utils.dlpack.from_dlpack(paddle.utils.dlpack.to_dlpack(first))
    second[1] = 5.0
    assert first.tolist() == [0.0, 5.0, 0.0]
    torch.as_tensor(first)[2] = 3.0
    assert first.tolist() == torch.from_dlpack(first).tolist() == torch.tensor(first).tolist() == [0.0, 5.0, 3.0]


@pytest.mark.parametrize("win_length", [None, 5, 4, 3])
def test_spectra_of_short_windows_go_back(win_length: int | None) -> None:
    """From frame to frame is a quarter of the spectrum, not of the window."""
    x = matrix(2, 32)
    back = paddle.signal.istft(paddle.signal.stft(x, 8, win_length=win_length), 8, win_length=win_length)
    np.testing.assert_allclose(back, x, atol=1e-4)

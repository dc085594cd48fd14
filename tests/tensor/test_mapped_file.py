"""`paddle.MmapStorage` gives the bytes of a file as Paddle 3.3 does (whose process ends where such Tensors do)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import paddle_compat as paddle


def test_parts(tmp_path: Path) -> None:
    path = str(tmp_path / "numbers")
    np.arange(8, dtype="float32").tofile(path)
    held = paddle.MmapStorage(path, 32)
    assert held.get_slice().tolist() == [0] and held.get_slice().dtype == paddle.uint8
    assert held.get_slice("float32", 4, 16, 4).tolist() == [1, 2, 3]
    assert held.get_slice("int32", 2, 6, 2).tolist() == [0, 16256]  # from the third byte on
    assert held.get_slice(paddle.uint8, 4, 8).tolist() == [0, 0, 128, 63] and held.get_slice("int64", 0, 32, 8).shape == [4]
    del held
    part = paddle.MmapStorage(path, 32).get_slice("float32", 28, 32, 4)
    part += 1.0  # the file stays as it is
    assert part.tolist() == [8] and np.fromfile(path, "float32")[7] == 7


def test_wrong_use(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_bytes(b"1234")
    for wrong, size in ((path, 5), (tmp_path / "none", 1)):
        with pytest.raises(RuntimeError, match="nbytes|can be read"):
            paddle.MmapStorage(str(wrong), size)
    with pytest.raises(IndexError, match="4 bytes"):
        paddle.MmapStorage(str(path), 4).get_slice("float32", 0, 8, 4)

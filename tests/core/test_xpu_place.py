"""`paddle.XPUPlace` is a class that scripts may compare with, and says that no such place is served."""

from __future__ import annotations

import pytest

import paddle_compat as paddle


def test_there_is_no_such_place() -> None:
    assert paddle.XPUPlace is paddle.device.XPUPlace is paddle.framework.XPUPlace is paddle.base.XPUPlace
    assert not isinstance(paddle.CPUPlace(), paddle.XPUPlace)
    with pytest.raises(paddle.errors.UnsupportedError, match="paddle.XPUPlace"):
        paddle.XPUPlace(0)

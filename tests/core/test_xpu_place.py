"""`paddle.XPUPlace` is a class that scripts may compare with, and says that no such place is served."""

from __future__ import annotations

import pytest

import paddle_compat as paddle


def test_there_is_no_such_place() -> None:
    assert paddle.XPUPlace is paddle.device.XPUPlace is paddle.framework.XPUPlace is paddle.base.XPUPlace
    assert not isinstance(paddle.CPUPlace(), paddle.XPUPlace)
    with pytest.raises(paddle.errors.UnsupportedError, match="paddle.XPUPlace"):
        paddle.XPUPlace(0)


def test_there_are_no_others() -> None:
    core = paddle.base.core
    assert core.IPUPlace is paddle.IPUPlace is paddle.device.IPUPlace and core.CustomPlace is paddle.CustomPlace
    assert not isinstance(paddle.CPUPlace(), (core.IPUPlace, core.CustomPlace)) and core.XPUPlace is paddle.XPUPlace
    with pytest.raises(paddle.errors.UnsupportedError, match="IPUPlace"):
        core.IPUPlace()
    with pytest.raises(paddle.errors.UnsupportedError, match="CustomPlace"):
        core.CustomPlace("some", 0)

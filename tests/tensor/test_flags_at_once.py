"""FLAGS_check_nan_inf in eager mode: the operator that makes what is no number raises."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import paddle_compat as paddle
from paddle_compat.core import eager


@pytest.fixture
def checked() -> Iterator[None]:
    paddle.set_flags({"FLAGS_check_nan_inf": True})
    yield
    paddle.set_flags({"FLAGS_check_nan_inf": False})


def test_operators_raise(checked: None) -> None:
    with pytest.raises(RuntimeError, match=r"NAN or INF .* `log`.*1 NaN and 0 infinite of 2"):
        paddle.log(paddle.to_tensor([-1.0, 1.0]))
    with pytest.raises(RuntimeError, match=r"NAN or INF .* `scale`.*0 NaN and 1 infinite"):
        paddle.to_tensor([1.0]) / 0
    with pytest.raises(RuntimeError, match="`elementwise_div`"):
        paddle.to_tensor([1.0]) / paddle.to_tensor([0.0])
    assert paddle.split(paddle.to_tensor([1.0, 2.0]), 2)[1].tolist() == [2.0]


def test_watchers_stay(checked: None) -> None:
    seen: list[str] = []
    former = eager.set_watch(lambda name, args, out: seen.append(name))
    try:
        paddle.exp(paddle.to_tensor([1.0]))
        with pytest.raises(RuntimeError, match="`sqrt`"):
            paddle.sqrt(paddle.to_tensor([-1.0]))
        paddle.set_flags({"FLAGS_check_nan_inf": False})
        paddle.sqrt(paddle.to_tensor([-1.0]))
    finally:
        eager.set_watch(former)
    assert seen == ["exp", "sqrt", "sqrt"]


def test_nothing_is_checked_without_it() -> None:
    assert eager.watch is None
    assert paddle.log(paddle.to_tensor([0.0])).tolist() == [float("-inf")]

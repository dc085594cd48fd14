"""`paddle.distributed.io`: persistable variables of Programs in files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import static
from paddle_compat.distributed import io


@pytest.fixture
def net() -> Iterator[tuple[Any, Any, Any, Any]]:
    """A layer's input and output, its Executor and its weight's value."""
    paddle.enable_static()
    with static.scope_guard(static.Scope()), static.program_guard(static.Program(), static.Program()), paddle.utils.unique_name.guard():
        x = static.data("x", [None, 4])
        y = static.nn.fc(x, 2)
        paddle.optimizer.Adam(0.1).minimize(paddle.mean(y))
        exe = static.Executor()
        exe.run(static.default_startup_program())
        yield x, y, exe, lambda: np.array(static.global_scope().find_var("fc_0.w_0").get_tensor())
    paddle.disable_static()


@pytest.mark.parametrize("filename", [None, "all"])
def test_what_is_saved_is_loaded(net: tuple[Any, Any, Any, Any], filename: str | None, tmp_path: Path) -> None:
    _, _, exe, weight = net
    before = weight()
    io.save_persistables(exe, str(tmp_path / "a"), filename=filename)
    exe.run(feed={"x": np.ones([3, 4], "float32")})
    assert not np.array_equal(weight(), before)
    io.load_persistables(exe, str(tmp_path / "a"), filename=filename)
    assert np.array_equal(weight(), before)
    accumulators = [f"{p}_{k}_0" for p in ("fc_0.b_0", "fc_0.w_0") for k in ("beta1_pow_acc", "beta2_pow_acc", "moment1", "moment2")]
    each = sorted(["fc_0.b_0", "fc_0.w_0", "learning_rate_0", *accumulators])
    assert sorted(os.listdir(tmp_path / "a")) == ([filename] if filename else each)


def test_a_model_for_inference(net: tuple[Any, Any, Any, Any], tmp_path: Path) -> None:
    x, y, exe, weight = net
    static.save_inference_model(str(tmp_path / "m"), [x], [y], exe)
    program, feeds, fetches = io.load_inference_model_distributed(str(tmp_path), exe, "m.pdmodel", "m.pdiparams")
    (found,) = exe.run(program, {feeds[0]: np.ones([1, 4], "float32")}, fetches)
    assert np.allclose(found, weight().sum(0))
    with pytest.raises(ValueError, match="existing folder"):
        io.load_inference_model_distributed(str(tmp_path / "nowhere"), exe)
    with pytest.raises(FileNotFoundError):
        io.load_inference_model_distributed(str(tmp_path), exe)
    with pytest.raises(paddle.errors.UnsupportedError, match="pserver_endpoints"):
        io.load_inference_model_distributed(str(tmp_path), exe, pserver_endpoints=["127.0.0.1:1"])


def test_eager_mode_is_refused(tmp_path: Path) -> None:
    for call in (io.save_persistables, io.load_persistables):
        with pytest.raises(AssertionError, match=call.__name__), static.scope_guard(static.Scope()):
            paddle.disable_static()
            call(None, str(tmp_path))

"""`static_pylayer` against the wheel: Programs, what they compute, and wrong use."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import static
from paddle_compat.static.nn import static_pylayer

sys.path.insert(0, str(ROOT / "tests/nn"))

import program_replay


@program_replay.cases("pylayer")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("pylayer", name, rtol=1e-5, atol=1e-6)


@pytest.fixture
def x() -> Any:
    """A Variable with a gradient."""
    paddle.enable_static()
    var = static.data("x", [2, 3])
    var.stop_gradient = False
    return var


def test_wrong_use(x: Any) -> None:
    with pytest.raises(ValueError, match="backward_fn"):
        static_pylayer(lambda v: v + 1.0, [x])
    with pytest.raises(AssertionError, match="2 gradients"):
        static_pylayer(lambda v, w: v + w, [x, x], lambda g: g)
    with pytest.raises(AssertionError, match="forward_fn"):
        static_pylayer(3, [x], lambda g: g)
    with pytest.raises(AssertionError, match="inputs"):
        static_pylayer(lambda v: v, x, lambda g: g)
    with pytest.raises(AssertionError, match="backward_fn"):
        static_pylayer(lambda v: v, [x], 3)


def test_what_is_no_variable_stays(x: Any) -> None:
    out, number = static_pylayer(lambda v: (v * 2.0, 5), [x], lambda g: g)
    assert number == 5 and list(out.shape) == [2, 3]


def test_copies_and_files_keep_the_blocks(x: Any) -> None:
    """A clone, and a Program read from its bytes, run the same blocks, of their own."""
    out = static_pylayer(lambda v: paddle.exp(v) * 2.0, [x], lambda g: g)
    (grad,) = static.gradients([out], [x])
    main = static.default_main_program()
    feed = {"x": np.arange(6, dtype="float32").reshape(2, 3)}
    real = static.Executor().run(main, feed=feed, fetch_list=[out, grad])
    np.testing.assert_allclose(real[0], 2 * np.exp(feed["x"]), rtol=1e-6)
    np.testing.assert_array_equal(real[1], np.ones((2, 3)))
    for other in (main.clone(), static.Program.parse_from_string(main.desc.serialize_to_string())):
        first = other.global_block().ops[0]
        assert first.type == "pylayer" and all(block.program is other for block in first.attrs["blocks"])
        again = static.Executor().run(other, feed=feed, fetch_list=[out.name, grad.name])
        np.testing.assert_array_equal(again, real)
    pruned = main._prune([out])
    assert [op.type for op in pruned.global_block().ops] == ["pylayer"]

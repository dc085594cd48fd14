"""`paddle.utils.run_check` leaves mode, random numbers and Programs as they were."""

from __future__ import annotations

import pytest

import paddle_compat as paddle
from paddle_compat.core import mode


@pytest.mark.parametrize("static", [None, False, True])
def test_a_check_leaves_nothing_behind(static: bool | None, capsys: pytest.CaptureFixture[str]) -> None:
    former = mode.set_static(static)
    try:
        program = paddle.static.default_main_program()
        paddle.seed(5)
        state = paddle.get_rng_state("cpu")[0]
        with paddle.utils.unique_name.guard():
            paddle.utils.run_check()
            assert paddle.utils.unique_name.generate("linear") == "linear_1"  # as in the 2.6.2 wheel
        assert mode.is_static() is static and paddle.static.default_main_program() is program and not program.global_block().ops
        assert (paddle.get_rng_state("cpu")[0]._engine == state._engine).all()
        assert capsys.readouterr().out.startswith("paddle_compat works on")
    finally:
        mode.set_static(former)

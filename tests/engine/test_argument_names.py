"""Variables that are called like each other's numbered names keep their own values."""

from __future__ import annotations

import numpy as np
from paddle_state import fresh_state

import paddle_compat as paddle


def test_numbered_states_do_not_mix() -> None:
    """The graph's own counting makes `s_4` of a second `s_2`; that must not hide the argument `s_4`."""
    with fresh_state():
        paddle.enable_static()
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            states = [paddle.static.create_global_var([1], i, "float32", True, name=f"s_{i}") for i in range(8)]
            block = main.global_block()
            for state in states:
                block.append_op(type="scale", inputs={"X": state}, outputs={"Out": state}, attrs={"scale": 10.0})
            executor = paddle.static.Executor()
            executor.run(startup)
            got = executor.run(main, fetch_list=states)
    np.testing.assert_array_equal(np.concatenate(got), 10.0 * np.arange(8))

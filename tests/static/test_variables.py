"""Global variables: what makes their first value."""

from __future__ import annotations

from typing import Any

import pytest

from paddle_compat import _missing, fluid, static
from paddle_compat.core import mode


@pytest.mark.parametrize(("front", "make"), [(static, static.create_global_var), (fluid, fluid.layers.create_global_var)])
def test_first_values_come_from_a_constant(front: Any, make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody reads the list of all of Paddle's names, which takes longer than making a small Program."""

    def read() -> None:
        raise AssertionError("the list of names is for errors")

    monkeypatch.setattr(_missing, "known_names", read)
    monkeypatch.setattr(mode, "_static", True)
    main, startup = front.Program(), front.Program()
    with front.program_guard(main, startup):
        var = make([1], 0.5, "float32", persistable=True, force_cpu=True)
    (op,) = startup.global_block().ops
    assert op.type == "fill_constant" and op.output("Out") == [var.name]
    assert op.attr("value") == 0.5 and op.attr("force_cpu") is True


@pytest.mark.parametrize("value", [[1.0, 2.0], (1.0, 2.0), 3.0, "a", None])
def test_values_that_are_no_arrays_are_refused(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Paddle 2.6.2 does."""
    monkeypatch.setattr(mode, "_static", True)
    with static.program_guard(static.Program(), static.Program()), static.scope_guard(static.Scope()):
        weight = static.create_parameter([2], "float32")
        static.Executor().run(static.default_startup_program())
        with pytest.raises(TypeError, match="numpy array or tensor"):
            weight.set_value(value)

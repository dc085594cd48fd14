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

"""Where the wheel's optimizers get in twenty eager steps, and what they keep."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "optimizer"))

WHEELS = ("2.6.2",)


def content() -> dict[str, Any]:
    """All cases."""
    import eager_steps
    import paddle

    paddle.disable_static()
    found: dict[str, Any] = {
        name: eager_steps.train(paddle, tag=f"_{i}_", **case) for i, (name, case) in enumerate(eager_steps.cases(paddle).items())
    }
    found["searches"] = eager_steps.searches(paddle)
    return found


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file of this module."""
    return {f"optimizer_eager_{version}.json.gz": content}

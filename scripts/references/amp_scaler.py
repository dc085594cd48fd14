"""What the wheel's GradScaler does, step by step.

The wheel made for CPUs switches it off there, so it is told that it is on a GPU; its operators run on the CPU.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "amp"))

WHEELS = ("2.6.2",)


class _Gpu:
    def is_gpu_place(self) -> bool:
        return True


class _Tracer:
    _expected_place = _Gpu()


def content() -> dict[str, Any]:
    """Steps, refusals, and shapes and types of scaled losses."""
    import paddle
    import scaling

    paddle.disable_static()
    module = sys.modules["paddle.amp.grad_scaler"]
    module._dygraph_tracer = _Tracer  # type: ignore[attr-defined]
    module.amp_global_state().amp_dtype = "float16"  # type: ignore[attr-defined]
    make = paddle.amp.GradScaler
    losses = {
        f"{kind} {shape}": [scaled.shape, str(scaled.dtype).replace("paddle.", ""), scaled.astype("float32").numpy().tolist()]
        for kind in ("float16", "float32", "float64")
        for shape in ([], [1], [2, 1])
        for scaled in [make(init_loss_scaling=4.0).scale(paddle.full(shape, 2.0, kind))]
    }
    return {
        "steps": scaling.steps(paddle, make(init_loss_scaling=5.0, incr_every_n_steps=3, decr_every_n_nan_or_inf=2)),
        "refusals": scaling.refusals(paddle, make),
        "losses": losses,
    }


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file of this module."""
    return {f"amp_scaler_{version}.json": content}

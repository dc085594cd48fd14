"""What the wheels do where a gradient is merged over steps or compressed: operators, Programs and numbers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable, Dict

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "optimizer"))

WHEELS = ("1.8.5", "2.6.2")


def gradient_merge() -> dict[str, Any]:
    """`GradientMergeOptimizer` around several optimizers."""
    import paddle
    from merging_cases import MERGES, merged

    paddle.enable_static()
    return {"_".join(map(str, case)): merged(paddle, *case) for case in MERGES}


def dgc_operators() -> list[Dict[str, Any]]:
    """The operators of deep gradient compression that the CPU wheels have."""
    import paddle
    from merging_cases import dgc_cases

    if hasattr(paddle, "enable_static"):
        paddle.enable_static()
    return dgc_cases(paddle.base if hasattr(paddle, "base") else paddle.fluid)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The files of a wheel."""
    files: dict[str, Callable[[], Any]] = {f"dgc_operators_{version}.json": dgc_operators}
    if version.startswith("2"):
        files[f"gradient_merge_{version}.json.gz"] = gradient_merge
    return files

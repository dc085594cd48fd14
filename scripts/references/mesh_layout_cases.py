"""How Paddle 3.3.1 lays tensors on two processes that meet by gloo.

mesh_layouts.json and mesh_moves.json: {case of tests/models/mesh_layouts.py: [each process's answer]}; mesh_surface.json and
mesh_refusals.json: those of tests/models/mesh_surface.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

from mesh_optimizer_cases import answered

WHEELS = ("3.3.1",)
MODELS = Path(__file__).resolve().parents[2] / "tests" / "models"
SCRIPT, SURFACE = MODELS / "mesh_layouts.py", MODELS / "mesh_surface.py"


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    return {
        "mesh_layouts.json": lambda: answered(2, "layouts", SCRIPT),
        "mesh_moves.json": lambda: answered(2, "moves", SCRIPT),
        "mesh_surface.json": lambda: answered(2, "found", SURFACE),
        "mesh_refusals.json": lambda: answered(2, "refused", SURFACE),
    }

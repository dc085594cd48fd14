"""Which model scripts there are for each version of Paddle."""

from __future__ import annotations

import importlib

from training import Model

SCRIPTS = {
    "1.8.5": (
        "fluid_basics",
        "fluid_vision",
        "fluid_text",
        "fluid_ctr",
        "fluid_lod",
        "fluid_control",
        "fluid_optimizers",
        "fluid_schedules",
        "fluid_graphs",
    ),
    "2.6.2": (
        "static_basics",
        "static_vision",
        "static_text",
        "static_control",
        "static_optimizers",
        "static_graphs",
    ),
}


def models(version: str) -> dict[str, Model]:
    """The models written for a version of Paddle, by name; the version's `paddle` must be importable."""
    found: dict[str, Model] = {}
    for script in SCRIPTS[version]:
        for name, model in importlib.import_module(script).MODELS.items():
            if name in found:
                raise ValueError(f"two scripts for {version} define {name!r}")
            found[name] = model
    return found

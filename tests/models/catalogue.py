"""Which model scripts there are for each version of Paddle; a model is called "script.model"."""

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
        "fluid_gradients",
    ),
    "2.6.2": (
        "static_basics",
        "static_vision",
        "static_text",
        "static_control",
        "static_optimizers",
        "static_graphs",
        "static_gradients",
    ),
}


def model(name: str) -> Model:
    """One model; its version's `paddle` must be importable."""
    script, _, entry = name.partition(".")
    found: Model = importlib.import_module(script).MODELS[entry]
    return found


def models(version: str) -> dict[str, Model]:
    """All models written for a version of Paddle."""
    names = [f"{script}.{entry}" for script in SCRIPTS[version] for entry in importlib.import_module(script).MODELS]
    return {name: model(name) for name in names}

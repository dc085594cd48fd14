"""The eager scripts of tests/models/eager_models.py: their losses, and their parameters before and after.

eager_models_2.6.2.json.gz: {model: what `EagerModel.run` returns}.
"""

from __future__ import annotations

from typing import Any, Callable

WHEELS = ("2.6.2",)


def runs() -> dict[str, Any]:
    """What every model gives under the wheel that runs this; each runs twice and must repeat itself."""
    import eager_models

    first = {name: model.run() for name, model in eager_models.MODELS.items()}
    for name, model in eager_models.MODELS.items():
        if model.run() != first[name]:
            raise SystemExit(name + " gives other numbers when it is run again")
    return first


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file."""
    return {f"eager_models_{version}.json.gz": runs}

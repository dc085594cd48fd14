"""The eager scripts of tests/models/dygraph_models.py: their losses, and their parameters before and after.

dygraph_models_1.8.5.json.gz: {model: what `EagerModel.run` returns}.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

WHEELS = ("1.8.5",)


def runs() -> Dict[str, Any]:
    """What every model gives under the wheel that runs this; each runs twice and must repeat itself."""
    import dygraph_models
    import paddle.fluid as fluid

    first = {name: model.run(fluid) for name, model in dygraph_models.MODELS.items()}
    for name, model in dygraph_models.MODELS.items():
        if model.run(fluid) != first[name]:
            raise SystemExit(name + " gives other numbers when it is run again")
    return first


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """The data file."""
    return {f"dygraph_models_{version}.json.gz": runs}

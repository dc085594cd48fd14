"""What the transforms of `paddle.incubate.hapi.vision` make of a small image."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

WHEELS = ("1.8.5",)
CASES = (
    ("BrightnessTransform", 0.4), ("BrightnessTransform", 0), ("BrightnessTransform", -1), ("ContrastTransform", 0.4),
    ("ContrastTransform", -1),
    ("SaturationTransform", 1.4), ("SaturationTransform", -1), ("HueTransform", 0.4), ("HueTransform", 0.6),
    ("ColorJitter", 0.1, 0.2, 0.3, 0.4), ("ColorJitter", 0.3), ("ColorJitter",),
)  # fmt: skip


def answers(module: Any) -> dict[str, Any]:
    """Pixels and the next random numbers, or the error."""
    found: dict[str, Any] = {}
    for name, *values in CASES:
        for dtype in ("uint8", "float32"):
            random.seed(5)
            np.random.seed(5)
            image = np.random.RandomState(3).randint(0, 256, (3, 4, 3)).astype(dtype)
            try:
                out = getattr(module, name)(*values)(image)
                answer = [str(out.dtype), out.astype("float64").ravel().tolist(), random.random(), np.random.rand()]
            except ValueError as error:
                answer = [type(error).__name__, str(error)]
            found[f"{name} {values} {dtype}"] = answer
    return found


def recordings(version: str) -> dict[str, Any]:
    """The data files of a wheel."""

    def content() -> dict[str, Any]:
        import paddle.incubate.hapi.vision.transforms as module

        return answers(module)

    return {f"hapi_colours_{version}.json": content}

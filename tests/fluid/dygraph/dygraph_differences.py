"""How two observations of eager scripts differ."""

from __future__ import annotations

from typing import Any

import numpy as np


def differences(ours: Any, real: Any, where: str) -> list[str]:
    """How two observations differ; numbers may do so by rounding."""
    if isinstance(real, dict) and "data" in real and isinstance(ours, dict):
        whole = not str(real["dtype"]).startswith("float")  # which has no gradient to stop
        for key in ("dtype", "shape", "stop"):
            if not (key == "stop" and whole) and ours.get(key) != real.get(key):
                return [f"{where}, {key}: expected {real.get(key)}, received {ours.get(key)}"]
        return differences(ours["data"], real["data"], where)
    if isinstance(real, dict) and isinstance(ours, dict) and list(real) == list(ours):
        return [found for key in real for found in differences(ours[key], real[key], f"{where}, {key}")]
    if isinstance(real, list) and isinstance(ours, list) and len(real) == len(ours):
        if real and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in real + ours):
            scale = float(np.abs(real).max())
            close = np.allclose(ours, real, rtol=2e-5, atol=2e-6 * max(scale, 1e-3))
            return [] if close else [f"{where}: expected {real}, received {ours}"]
        return [found for n, (a, b) in enumerate(zip(ours, real)) for found in differences(a, b, f"{where}[{n}]")]
    if isinstance(real, float) and isinstance(ours, (int, float)):
        return [] if np.isclose(ours, real, rtol=2e-5, atol=1e-9) else [f"{where}: expected {real}, received {ours}"]
    return [] if ours == real else [f"{where}: expected {real!r}, received {ours!r}"]

"""The Programs that 1.8's transpiler writes for trainers and servers: transpiled_1.8.5.json.gz has `transpiled.observe` of every case."""

from __future__ import annotations

from typing import Any, Callable, Dict

WHEELS = ("1.8.5",)


def record() -> Dict[str, Any]:
    """Every case."""
    import transpiled
    from paddle import fluid

    return {name: transpiled.observe(fluid, said) for name, said in transpiled.CASES.items()}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file."""
    return {"transpiled_%s.json.gz" % version: record}

"""The Programs of 1.8's layers for servers and trainers that are written by hand: by_hand_1.8.5.json has `hand_written.observe`."""

from __future__ import annotations

from typing import Any, Callable, Dict

WHEELS = ("1.8.5",)


def programs() -> Dict[str, Any]:
    """All of them."""
    import hand_written
    from paddle import fluid

    return hand_written.observe(fluid)


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """The data file of a version."""
    return {"by_hand_%s.json" % version: programs}

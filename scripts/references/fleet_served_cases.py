"""What 1.8's Fleet of parameter servers says: the Programs of each strategy, and the answers of strategies to good and bad settings."""

from __future__ import annotations

from typing import Any, Callable, Dict

WHEELS = ("1.8.5",)


def programs() -> Dict[str, Any]:
    """Every case of `fleet_served`."""
    import fleet_served
    from paddle import fluid

    return {name: fleet_served.observe(fluid, said) for name, said in fleet_served.CASES.items()}


def strategies() -> Dict[str, Any]:
    """`fleet_served.answers`."""
    import fleet_served
    from paddle import fluid

    return fleet_served.answers(fluid)


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """Programs, and strategies."""
    return {"fleet_served_%s.json.gz" % version: programs, "fleet_strategies_%s.json" % version: strategies}

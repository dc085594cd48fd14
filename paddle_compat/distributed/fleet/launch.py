"""`python -m paddle.distributed.fleet.launch`, and `fleetrun`: the launcher under the name that it had in Paddle 2.0."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.distributed.launch.main import launch

__all__ = ["launch"]

__getattr__ = missing(__name__)

if __name__ == "__main__":
    launch()

"""Workers that hand Python values and arrays to each other through a server, outside of Programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core.job import Servers
from paddle_compat.distributed.fleet.base import _meeting


class Meeting:
    """What workers of a job with servers do together.

    Args:
        servers: the job, and this worker's number.
    """

    def __init__(self, servers: Servers) -> None:
        self.servers = servers

    def gathered(self, value: Any) -> list[Any]:
        """What each worker gave, in their order."""
        from paddle_compat.engine.trainer import trainer_of  # loads rpc when it joins

        return trainer_of(self.servers, "send").meet(value)

    def reduced(self, value: Any, mode: str) -> Any:
        """The sum, greatest or least of the workers' values, element by element."""
        return _meeting.combined_as(value, self.gathered(np.asarray(value)), mode)

    def wait(self) -> None:
        """Wait for all workers."""
        self.gathered(None)

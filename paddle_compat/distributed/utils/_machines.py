"""A job's machines and processes, as both modules `launch_utils` have them."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import failed_assertion


class Plain:
    """What compares by its attributes and may be changed."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


class Process(Plain):
    """One process of a job: its `endpoint` and its `rank`."""

    def __init__(self) -> None:
        self.endpoint: str | None = None
        self.rank: int | None = None

    def get_rank(self) -> int | None:
        """Its number in the job.

        Returns:
            int.
        """
        return self.rank


class Machine(Plain):
    """One machine of a job: its `rank`, `id`, `addr` and `port`, and the processes on it."""

    def __init__(self) -> None:
        self.rank: int | None = None
        self.id: str | None = None
        self.addr: str | None = None
        self.port: int | None = None
        self.trainers: list[Any] = []

    def _listed(self, kind: str) -> str:
        """The numbers of its devices, separated by commas."""
        numbers = getattr(self, kind)
        if not numbers:
            raise failed_assertion(kind, f"some of this pod's, which can't see any {kind}", numbers, f"Pod.get_visible_{kind}")
        return ",".join(map(str, numbers))

"""`paddle.distributed.parallel_with_gloo`: a barrier of processes that meet at an address, whatever the job is."""

from __future__ import annotations

import datetime
import time
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import ExecutionTimeoutError, failed_assertion

_PATIENCE = datetime.timedelta(minutes=15)


class _Place:
    """Where processes wait for each other: a store that process 0 holds."""

    def __init__(self, rank: int, size: int, host: str, port: int) -> None:
        self.rank, self.size, self.turn = rank, size, 0
        self.store: Any = torch.distributed.TCPStore(host, port, size, is_master=rank == 0, timeout=_PATIENCE)

    def meet(self) -> None:
        """Wait until all have come here as often as this one."""
        self.turn += 1
        word = f"here/{self.turn}"
        if self.store.add(word, 1) == self.size:
            self.store.set(f"{word}/all", "1")
        self.store.wait([f"{word}/all"])

    def leave(self) -> None:
        """Go; process 0 stays until all others have."""
        gone = self.store.add("gone", 1)
        end = time.monotonic() + _PATIENCE.total_seconds()
        while self.rank == 0 and gone < self.size:
            if time.monotonic() > end:
                raise ExecutionTimeoutError(f"{self.size - gone} of {self.size} processes did not call gloo_release.")
            time.sleep(0.01)
            gone = self.store.add("gone", 0)


_place: _Place | None = None


def gloo_init_parallel_env(rank_id: int, rank_num: int, server_endpoint: str) -> None:
    """Meet other processes on the CPU, at an address that process 0 listens on.

    Args:
        rank_id (int): the number of this process.
        rank_num (int): how many there are: at least 2.
        server_endpoint (str): "host:port" of process 0.
    Raises:
        AssertionError: there are fewer than two, or the number is none of theirs, or the address is none.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> try:
        ...     dist.gloo_init_parallel_env(0, 1, "127.0.0.1:6170")
        ... except AssertionError:
        ...     print("one cannot meet")
        one cannot meet

    Follows Paddle 2.6.
    """
    global _place
    if rank_num < 2:
        raise failed_assertion("rank_num", "at least 2 processes", rank_num, "gloo_init_parallel_env")
    if not 0 <= rank_id < rank_num:
        raise failed_assertion("rank_id", f"a number from 0 to {rank_num - 1}", rank_id, "gloo_init_parallel_env")
    host, _, port = str(server_endpoint).rpartition(":")
    if not host or not port.isdigit():
        raise failed_assertion("server_endpoint", "host:port", repr(server_endpoint), "gloo_init_parallel_env")
    _place = _Place(rank_id, rank_num, host, int(port))
    _place.meet()


def gloo_barrier() -> None:
    """Wait until all processes of `gloo_init_parallel_env` have come here.

    Raises:
        AssertionError: gloo_init_parallel_env was not called.

    Example:
        >>> import paddle_compat as paddle
        >>> try:
        ...     paddle.distributed.gloo_barrier()
        ... except AssertionError:
        ...     print("nobody to wait for")
        nobody to wait for

    Follows Paddle 2.6.
    """
    if _place is None:
        raise failed_assertion("gloo", "gloo_init_parallel_env() before", "nobody to wait for", "gloo_barrier")
    _place.meet()


def gloo_release() -> None:
    """Leave the processes of `gloo_init_parallel_env`; nothing where it was not called.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.gloo_release()

    Follows Paddle 2.6.
    """
    global _place
    if _place is not None:
        place, _place = _place, None
        place.leave()


__all__ = ["gloo_barrier", "gloo_init_parallel_env", "gloo_release"]
__getattr__ = missing(__name__)

"""Whole numbers that Paddle counts as it runs: `paddle.base.core.get_int_stats`."""

from __future__ import annotations

IN_MEMORY = "STAT_total_feasign_num_in_mem"
_counts = {**{f"STAT_gpu{n}_mem_size": 0 for n in range(16)}, "STAT_epoch_finish": 0, IN_MEMORY: 0}


def add(name: str, count: int) -> None:
    """Count more of something."""
    _counts[name] += count


def get_int_stats() -> dict[str, int]:
    """What was counted since the process began: values of samples that datasets loaded. Memory of GPUs is not counted here.

    Returns:
        Dict of name and number.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.base.core.get_int_stats()["STAT_gpu0_mem_size"]
        0

    Follows Paddle 2.6.
    """
    return dict(_counts)


__all__ = ["IN_MEMORY", "add", "get_int_stats"]

"""`paddle.distributed.auto_parallel.random`: where the random numbers of models on meshes begin."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.framework.random import seed as begin_at

_enabled = False
_seed: int | None = None


def parallel_manual_seed(seed: int, name: str = "") -> None:
    """Say where the random numbers of models on meshes begin. Those of eager mode go on as they were.

    Args:
        seed (int): `paddle.seed` gets it when a DistModel or an Engine first enters a mode.
        name (str): of no effect: one generator of each process makes all numbers.

    Example:
        >>> from paddle_compat.distributed.auto_parallel import parallel_manual_seed, random
        >>> parallel_manual_seed(2024)
        >>> random.is_enable_auto_rand_ctrl()
        True

    Follows Paddle 2.6 and 3.3.
    """
    global _seed
    enable_auto_rand_ctrl()
    _seed = seed


def enable_auto_rand_ctrl() -> None:
    """Have `is_enable_auto_rand_ctrl` say True from now on.

    Example:
        >>> from paddle_compat.distributed.auto_parallel import random
        >>> random.enable_auto_rand_ctrl()

    Follows Paddle 2.6 and 3.3.
    """
    global _enabled
    _enabled = True


def is_enable_auto_rand_ctrl() -> bool:
    """Whether `parallel_manual_seed` or `enable_auto_rand_ctrl` was called.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.distributed.auto_parallel import random
        >>> random.enable_auto_rand_ctrl()
        >>> random.is_enable_auto_rand_ctrl()
        True

    Follows Paddle 2.6 and 3.3.
    """
    return _enabled


def _begin() -> None:
    """Begin, as a model enters a mode."""
    if _seed is not None:
        begin_at(_seed)


__all__ = ["enable_auto_rand_ctrl", "is_enable_auto_rand_ctrl", "parallel_manual_seed"]
__getattr__ = missing(__name__)

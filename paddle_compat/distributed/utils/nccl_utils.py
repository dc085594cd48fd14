"""`paddle.distributed.utils.nccl_utils`: the version of NCCL."""

from __future__ import annotations

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import PreconditionNotMetError


def get_nccl_version_str(ver: int) -> str:
    """A version as people write it.

    Args:
        ver (int): as NCCL itself says it.
    Returns:
        str.

    Example:
        >>> from paddle_compat.distributed.utils.nccl_utils import get_nccl_version_str
        >>> get_nccl_version_str(2804), get_nccl_version_str(21003)
        ('2.8.4', '2.10.3')

    Follows Paddle 2.6.
    """
    thousands = 10_000 if ver >= 10_000 else 1000  # from 2.9 on, NCCL counts the major version in ten thousands
    return f"{ver // thousands}.{ver % thousands // 100}.{ver % 100}"


def check_nccl_version_for_p2p() -> None:
    """Whether NCCL can send to and receive from one process; where it is not there, there is nothing to check.

    Raises:
        PreconditionNotMetError: it is older than 2.8.4.

    Example:
        >>> from paddle_compat.distributed.utils.nccl_utils import check_nccl_version_for_p2p
        >>> check_nccl_version_for_p2p()

    Follows Paddle 2.6.
    """
    found = _version()
    if found is not None and found < (2, 8, 4):
        raise PreconditionNotMetError(f"Sending between two processes expects NCCL 2.8.4 or newer. Received: {'.'.join(map(str, found))}")


def check_nccl_version_for_bf16() -> bool:
    """Whether NCCL can add bfloat16.

    Returns:
        bool: it is 2.10 or newer.

    Example:
        >>> from paddle_compat.distributed.utils.nccl_utils import check_nccl_version_for_bf16
        >>> check_nccl_version_for_bf16() in (True, False)
        True

    Follows Paddle 2.6.
    """
    found = _version()
    return found is not None and found >= (2, 10)


def _version() -> tuple[int, ...] | None:
    if not torch.cuda.is_available() or not torch.distributed.is_nccl_available():
        return None
    return tuple(torch.cuda.nccl.version()[:3])


__all__ = ["check_nccl_version_for_bf16", "check_nccl_version_for_p2p", "get_nccl_version_str"]
__getattr__ = missing(__name__)

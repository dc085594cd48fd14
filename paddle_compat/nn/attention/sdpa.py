"""What `paddle.nn.attention` has: the ways of computing attention, and a context that allows some of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from enum import IntEnum
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error


class SDPBackend(IntEnum):
    """The ways of computing `scaled_dot_product_attention`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.attention.SDPBackend.MATH
        <SDPBackend.MATH: 0>

    Follows Paddle 3.3.
    """

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2


_allowed: tuple[SDPBackend, ...] = tuple(SDPBackend)


@contextlib.contextmanager
def sdpa_kernel(backends: Any, set_priority: bool = False) -> Iterator[dict[str, Any]]:
    """Allow `scaled_dot_product_attention` some ways of computing only, of which a CPU has `MATH`; the results are the same.

    Args:
        backends (SDPBackend|list[SDPBackend]): what is allowed.
        set_priority (bool): whether they are named in the order of preference; kept.
    Returns:
        A context, or what decorates a function.
    Raises:
        AssertionError: backends is nothing of the kind.
        TypeError: one of them is none.
        ValueError: there is none.

    Example:
        >>> import paddle_compat as paddle
        >>> q = paddle.rand([1, 8, 2, 4])
        >>> with paddle.nn.attention.sdpa_kernel(paddle.nn.attention.SDPBackend.MATH):
        ...     paddle.nn.functional.scaled_dot_product_attention(q, q, q).shape
        [1, 8, 2, 4]

    Follows Paddle 3.3.
    """
    global _allowed
    if not isinstance(backends, (SDPBackend, list)):
        raise failed_assertion("backends", "a SDPBackend or a list of SDPBackend", backends, "sdpa_kernel")
    chosen = backends if isinstance(backends, list) else [backends]
    for each in chosen:
        if not isinstance(each, SDPBackend):
            raise type_error("backends", "a SDPBackend or a list of SDPBackend", each, "sdpa_kernel")
    if not chosen:
        raise invalid_argument("backends", "one backend at least", backends, "sdpa_kernel")
    before, _allowed = _allowed, tuple(chosen)
    try:
        yield {}
    finally:
        _allowed = before


def check_backends() -> None:
    """Refuse attention where all that is allowed needs a GPU, and there is none."""
    if SDPBackend.MATH not in _allowed and (_allowed == (SDPBackend.ERROR,) or not torch.cuda.is_available()):
        raise RuntimeError(
            "No backend for scaled_dot_product_attention is available. Expected SDPBackend.MATH among those that sdpa_kernel allows. "
            f"Received: {list(_allowed)}"
        )


__getattr__ = missing(__name__)

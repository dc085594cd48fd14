"""`paddle.decomposition`: operators rewritten as primitive ones, which Paddle does for its compiler."""

from __future__ import annotations

from typing import Any, NoReturn

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError


def decompose(
    program: Any, src_vars: Any, blacklist: frozenset[str] = frozenset(), whitelist: frozenset[str] = frozenset()
) -> NoReturn:
    """Rewrite a Program of the new IR in primitive operators: not here, torch's compiler does so for itself.

    Args:
        program: the Program.
        src_vars: the values to follow.
        blacklist, whitelist: names of operators.
    Raises:
        UnsupportedError: always.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.decomposition.decompose(None, [])
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.UnsupportedError: ...

    Follows Paddle 2.6.
    """
    raise UnsupportedError("paddle.decomposition.decompose", instead="build_strategy.build_cinn_pass, which compiles by torch")


__all__ = ["decompose"]

__getattr__ = missing(__name__)

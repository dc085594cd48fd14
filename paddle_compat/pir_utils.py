"""`paddle.pir_utils`: what Paddle's own tests use to run in its new IR. Programs have one IR here, which serves both."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode


class IrGuard:
    """Static mode within a `with` block, as Paddle has it where it records its new IR.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.pir_utils.IrGuard():
        ...     paddle.in_dynamic_mode()
        False

    Follows Paddle 2.6.
    """

    def __enter__(self) -> None:
        self._eager = mode.in_dygraph_mode()
        if self._eager:
            mode.enable_static()

    def __exit__(self, *error: object) -> None:
        if self._eager:
            mode.disable_static()


OldIrGuard = IrGuard  # of Paddle 3, as are those that leave the mode alone
DygraphPirGuard = DygraphOldIrGuard = contextlib.nullcontext


def test_with_pir_api(func: Callable[..., Any]) -> Callable[..., None]:
    """A test that Paddle runs in both of its IRs: here once, as there is one.

    Args:
        func: the test.
    Returns:
        The test; it gives nothing.

    Example:
        >>> import paddle_compat as paddle
        >>> @paddle.pir_utils.test_with_pir_api
        ... def test():
        ...     print("ran")
        >>> test()
        ran

    Follows Paddle 2.6.
    """

    @functools.wraps(func)
    def test(*args: Any, **kwargs: Any) -> None:
        func(*args, **kwargs)

    return test


# pytest takes functions of such names for tests wherever they are imported
test_with_pir_api.__test__ = False  # type: ignore[attr-defined]

__all__ = ["IrGuard", "test_with_pir_api"]

__getattr__ = missing(__name__)

"""`paddle.complex`: a package of functions in Paddle 1.8, in Paddle 2 the function `complex(real, imag)`. Ours is both."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from paddle_compat._lazy import lazy
from paddle_compat.tensor._from_data import complex as _from_parts


class _Both(ModuleType):
    """A module that can be called."""

    def __call__(self, real: Any, imag: Any, name: str | None = None, *, out: Any = None) -> Any:
        return _from_parts(real, imag, name, out=out)  # type: ignore[call-arg]  # Paddle 3's keyword


sys.modules[__name__].__class__ = _Both

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "tensor": (
            "elementwise_add", "elementwise_div", "elementwise_mul", "elementwise_sub", "kron", "matmul", "reshape", "sum", "trace",
            "transpose",
        ),
    },
)  # fmt: skip

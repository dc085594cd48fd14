"""`paddle.batch`: a reader of batches from a reader of samples."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.reader._batch import batch


class _Callable(ModuleType):
    """`paddle.batch` is the function, also where a script has imported the module, which then has the function's name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return batch(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable

__all__ = ["batch"]

__getattr__ = missing(__name__)

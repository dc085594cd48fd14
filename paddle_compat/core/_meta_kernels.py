"""PyTorch's kernels for meta tensors, without the import of `torch._dynamo`.

Many of them are Python functions, wrapped in `torch._dynamo.disable`, which matters to code that dynamo looks at and is imported at the
first call: nearly two seconds of a script's start. Nobody looks while shapes are inferred.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

_NAME = "torch._dynamo"
_CACHE = "__dynamo_disable"  # where PyTorch keeps what `disable` gave for a function


class _StandIn(ModuleType):
    """Leaves functions as they are; who asks for more gets the module itself."""

    def __init__(self) -> None:
        super().__init__(_NAME)
        self.seen: list[Any] = []

    def disable(self, fn: Callable[..., Any], recursive: bool = True, *, wrapping: bool = True) -> Callable[..., Any]:
        self.seen.append(fn)
        return fn

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(_NAME) is self:
            del sys.modules[_NAME]
        return getattr(importlib.import_module(_NAME), name)


@contextmanager
def without_dynamo() -> Iterator[None]:
    """Within the block, meta kernels do without `torch._dynamo`, unless it is imported already."""
    if _NAME in sys.modules:
        yield
        return
    stand_in = sys.modules[_NAME] = _StandIn()
    try:
        yield
    finally:
        if sys.modules.get(_NAME) is stand_in:
            del sys.modules[_NAME]
        for fn in stand_in.seen:
            vars(fn).pop(_CACHE, None)

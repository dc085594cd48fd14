"""`paddle.fluid.core_avx`: the compiled library behind `paddle.fluid.core`, by the name that it has on today's processors."""

from typing import Any

from paddle_compat.fluid import core


def __getattr__(name: str) -> Any:
    """What `paddle.fluid.core` has."""
    return getattr(core, name)


def __dir__() -> list[str]:
    return dir(core)

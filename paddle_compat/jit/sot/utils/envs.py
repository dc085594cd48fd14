"""`paddle.jit.sot.utils.envs`: settings of recordings in parts.

They are kept, and children inherit them, but functions are recorded whole or not at all here, so no result depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.utils.environments import (
    BooleanEnvironmentVariable,
    EnvironmentVariable,
    EnvironmentVariableGuard,
    IntegerEnvironmentVariable,
    StringEnvironmentVariable,
)

ENV_CLEAN_CODE = BooleanEnvironmentVariable("CLEAN_CODE", False)
ENV_COST_MODEL = BooleanEnvironmentVariable("COST_MODEL", False)
ENV_MIN_GRAPH_SIZE = IntegerEnvironmentVariable("MIN_GRAPH_SIZE", 10)
ENV_SHOW_TRACKERS = StringEnvironmentVariable("SHOW_TRACKERS", "")
ENV_SOT_LOG_LEVEL = IntegerEnvironmentVariable("SOT_LOG_LEVEL", 0)
ENV_STRICT_MODE = BooleanEnvironmentVariable("STRICT_MODE", False)
# of Paddle 3
ENV_ENABLE_SOT_STEP_PROFILER = BooleanEnvironmentVariable("ENABLE_SOT_STEP_PROFILER", False)
ENV_SOT_ALLOW_DYNAMIC_SHAPE = BooleanEnvironmentVariable("SOT_ALLOW_DYNAMIC_SHAPE", True)
ENV_SOT_ENABLE_0_SIZE_FALLBACK = BooleanEnvironmentVariable("SOT_ENABLE_0_SIZE_FALLBACK", True)
ENV_SOT_ENABLE_FASTER_GUARD = BooleanEnvironmentVariable("SOT_ENABLE_FASTER_GUARD", False)
ENV_SOT_ENABLE_GUARD_TREE = BooleanEnvironmentVariable("SOT_ENABLE_GUARD_TREE", False)
ENV_SOT_EXPORT = StringEnvironmentVariable("SOT_EXPORT", "")
ENV_SOT_SPECIALIZED_DIM_NUMBERS = StringEnvironmentVariable("SOT_SPECIALIZED_DIM_NUMBERS", "0")
ENV_SOT_WITH_CONTROL_FLOW = BooleanEnvironmentVariable("SOT_WITH_CONTROL_FLOW", True)


def _guard(variable: EnvironmentVariable[Any]) -> Callable[[Any], AbstractContextManager[None]]:
    @contextmanager
    def guard(value: Any) -> Iterator[None]:
        """The setting inside the block."""
        with EnvironmentVariableGuard(variable, value):
            yield

    return guard


cost_model_guard = _guard(ENV_COST_MODEL)
min_graph_size_guard = _guard(ENV_MIN_GRAPH_SIZE)
strict_mode_guard = _guard(ENV_STRICT_MODE)
allow_dynamic_shape_guard = _guard(ENV_SOT_ALLOW_DYNAMIC_SHAPE)
enable_0_size_fallback_guard = _guard(ENV_SOT_ENABLE_0_SIZE_FALLBACK)
export_guard = _guard(ENV_SOT_EXPORT)
faster_guard_guard = _guard(ENV_SOT_ENABLE_FASTER_GUARD)
guard_tree_guard = _guard(ENV_SOT_ENABLE_GUARD_TREE)
sot_step_profiler_guard = _guard(ENV_ENABLE_SOT_STEP_PROFILER)
specialized_dim_numbers_guard = _guard(ENV_SOT_SPECIALIZED_DIM_NUMBERS)
with_control_flow_guard = _guard(ENV_SOT_WITH_CONTROL_FLOW)

__all__: list[str] = []

__getattr__ = missing(__name__)

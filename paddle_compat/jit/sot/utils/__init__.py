"""`paddle.jit.sot.utils`: settings of recordings in parts, and their errors."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.jit.sot.utils.envs import (
    ENV_COST_MODEL,
    ENV_MIN_GRAPH_SIZE,
    ENV_SOT_LOG_LEVEL,
    ENV_STRICT_MODE,
    allow_dynamic_shape_guard,
    cost_model_guard,
    export_guard,
    min_graph_size_guard,
    specialized_dim_numbers_guard,
    strict_mode_guard,
    with_control_flow_guard,
)
from paddle_compat.jit.sot.utils.exceptions import (
    BreakGraphError,
    ConditionalFallbackError,
    FallbackError,
    HasNoAttributeError,
    InnerError,
)


def is_strict_mode() -> bool:
    """Whether errors of recordings are raised."""
    return ENV_STRICT_MODE.get()


__all__: list[str] = []

__getattr__ = missing(__name__)

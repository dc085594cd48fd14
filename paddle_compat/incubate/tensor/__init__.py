"""`paddle.incubate.tensor`: sums over groups of rows, and Tensors that are brought to and from the CPU meanwhile."""

from paddle_compat._lazy import lazy, modules

_SEGMENTS = ("segment_max", "segment_mean", "segment_min", "segment_sum")
__getattr__, __dir__, __all__ = lazy(__name__, {".incubate._operators": _SEGMENTS, "manipulation": ()}, starred=())
modules(__name__, {"math": _SEGMENTS})

"""`fluid.layers.detection`: the object detection layers of Paddle 1.8."""

from paddle_compat._lazy import lazy
from paddle_compat.fluid.layers._homes import DETECTION, absolute

__getattr__, __dir__, __all__ = lazy(
    __name__, {**absolute(DETECTION), ".fluid.layers._detection_map": ("detection_map",)}
)

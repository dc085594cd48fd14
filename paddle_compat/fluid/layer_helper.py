"""`paddle.fluid.layer_helper`: the LayerHelper that writes Programs as Paddle 1.8 does."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.layer_helper import LayerHelper as _LayerHelper


class LayerHelper(_LayerHelper):
    """Names and places what one layer call creates (see `core.layer_helper`), as Paddle 1.8 does."""

    def __init__(self, layer_type: str, **kwargs: Any) -> None:
        super().__init__(layer_type, age=1, **kwargs)


__all__ = ["LayerHelper"]

__getattr__ = missing(__name__)

"""`paddle.base.layer_helper`: what a layer function needs to name variables and append operators."""

from paddle_compat.core.layer_helper import LayerHelper

__all__ = ["LayerHelper"]

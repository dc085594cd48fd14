"""`paddle.base.layer_helper`: what a layer function needs to name variables and append operators."""

from paddle_compat._missing import missing
from paddle_compat.core.layer_helper import LayerHelper

__all__ = ["LayerHelper"]

__getattr__ = missing(__name__)

"""`paddle.base.layer_helper_base`: the base of LayerHelper, which is one class here."""

from paddle_compat._missing import missing
from paddle_compat.core.layer_helper import LayerHelper as LayerHelperBase

__all__ = ["LayerHelperBase"]

__getattr__ = missing(__name__)

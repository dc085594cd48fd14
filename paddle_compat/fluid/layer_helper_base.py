"""`paddle.fluid.layer_helper_base`: the base of LayerHelper, which is one class here."""

from paddle_compat._missing import missing
from paddle_compat.fluid.layer_helper import LayerHelper as LayerHelperBase  # noqa: F401 - scripts take it from here

__all__: list[str] = []

__getattr__ = missing(__name__)

"""`paddle.fluid.layers.utils`: nested lists, tuples and dicts."""

from paddle_compat._missing import missing
from paddle_compat.utils.layers_utils import *  # noqa: F403
from paddle_compat.utils.layers_utils import __all__ as __all__

__getattr__ = missing(__name__)

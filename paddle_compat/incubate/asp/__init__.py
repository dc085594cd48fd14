"""`paddle.incubate.asp`: weights of which two of every four neighbours are zero, for processors that skip these."""

from paddle_compat._missing import missing
from paddle_compat.incubate.asp.asp import ASPHelper as ASPHelper
from paddle_compat.incubate.asp.asp import decorate, prune_model, reset_excluded_layers, set_excluded_layers
from paddle_compat.incubate.asp.supported_layer_list import add_supported_layer
from paddle_compat.incubate.asp.utils import CheckMethod as CheckMethod
from paddle_compat.incubate.asp.utils import MaskAlgo as MaskAlgo
from paddle_compat.incubate.asp.utils import calculate_density

__all__ = ["calculate_density", "decorate", "prune_model", "set_excluded_layers", "reset_excluded_layers", "add_supported_layer"]

__getattr__ = missing(__name__)

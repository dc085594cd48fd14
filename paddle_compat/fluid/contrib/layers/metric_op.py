"""`paddle.fluid.contrib.layers.metric_op`: sums that metrics of click rates are made of."""

from paddle_compat._missing import missing
from paddle_compat.static.metric import ctr_metric_bundle

__all__ = ["ctr_metric_bundle"]

__getattr__ = missing(__name__)

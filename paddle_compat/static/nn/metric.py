"""`paddle.static.nn.metric`: where Paddle 2.6 keeps the metrics of Programs."""

from paddle_compat._missing import missing
from paddle_compat.static.metric import accuracy, auc, ctr_metric_bundle

__all__ = ["accuracy", "auc", "ctr_metric_bundle"]

__getattr__ = missing(__name__)

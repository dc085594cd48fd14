"""`paddle.metric`: how good predictions are."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "metrics": ("Accuracy", "Auc", "Metric", "Precision", "Recall", "accuracy"),
    },
)  # fmt: skip

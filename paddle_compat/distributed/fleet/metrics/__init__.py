"""`paddle.distributed.fleet.metrics`: figures over the data of all workers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"metric": ("acc", "auc", "mae", "max", "min", "mse", "rmse", "sum")})

"""`paddle.callbacks`: what a `Model` calls while it trains, evaluates and predicts."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".hapi.callbacks": (
            "Callback", "EarlyStopping", "LRScheduler", "ModelCheckpoint", "ProgBarLogger", "ReduceLROnPlateau", "VisualDL",
            "WandbCallback",
        ),
    },
)  # fmt: skip

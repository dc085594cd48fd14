"""`paddle.distributed.fleet.data_generator`: scripts that turn lines into samples of named slots."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__, {"data_generator": ("DataGenerator", "MultiSlotDataGenerator", "MultiSlotStringDataGenerator")}
)

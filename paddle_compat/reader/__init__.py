"""`paddle.reader`: readers, which are functions that give a new generator of samples, made from other readers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "decorator": (
            "ComposeNotAligned", "buffered", "cache", "chain", "compose", "firstn", "map_readers", "multiprocess_reader", "shuffle",
            "xmap_readers",
        ),
    },
)  # fmt: skip

"""`paddle.distributed.communication.stream`: collective calls that say what waits for them on a GPU."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_functions": (
            "all_gather", "all_reduce", "alltoall", "alltoall_single", "broadcast", "gather", "recv", "reduce", "reduce_scatter",
            "scatter", "send",
        ),
    },
)  # fmt: skip

"""`paddle.distributed.communication.stream`: collective calls that say what waits for them on a GPU."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_functions": (
            "all_gather", "all_reduce", "alltoall", "alltoall_single", "broadcast", "gather", "recv", "reduce", "reduce_scatter",
            "scatter", "send",
        ),
    },
)  # fmt: skip
_ALONE = ("all_gather", "all_reduce", "broadcast", "gather", "recv", "reduce", "reduce_scatter", "scatter", "send")
modules(__name__, {"all_to_all": ("alltoall", "alltoall_single"), **{name: (name,) for name in _ALONE}})

"""`paddle.distributed.communication`: collective calls."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_functions": (
            "P2POp", "_coalescing_manager", "all_gather", "all_reduce", "alltoall", "alltoall_single", "batch_isend_irecv", "broadcast",
            "gather", "irecv", "isend", "recv", "reduce", "reduce_scatter", "scatter", "send",
        ),
        "_objects": ("all_gather_object", "broadcast_object_list", "recv_object_list", "scatter_object_list", "send_object_list"),
        "_reductions": ("ReduceOp", "_get_reduce_op"),
        "group": ("barrier", "destroy_process_group", "get_backend", "get_group", "is_initialized", "wait"),
        "stream": (),
    },
)  # fmt: skip
modules(
    __name__,
    {
        "all_gather": ("all_gather", "all_gather_object"),
        "all_reduce": ("all_reduce",),
        "all_to_all": ("alltoall", "alltoall_single"),
        "batch_isend_irecv": ("P2POp", "_coalescing_manager", "batch_isend_irecv"),
        "broadcast": ("broadcast", "broadcast_object_list"),
        "gather": ("gather",),
        "recv": ("irecv", "recv", "recv_object_list"),
        "reduce": ("ReduceOp", "_get_reduce_op", "reduce"),
        "reduce_scatter": ("reduce_scatter",),
        "scatter": ("scatter", "scatter_object_list"),
        "send": ("isend", "send", "send_object_list"),
    },
)

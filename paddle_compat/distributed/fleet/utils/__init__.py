"""`paddle.distributed.fleet.utils`: files, recomputation, and what fleet says."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".distributed.fleet.recompute._recompute": ("recompute",),
        "fs": ("HDFSClient", "LocalFS"),
        "http_server": (),
        "hybrid_parallel_inference": (),
        "hybrid_parallel_util": (),
        "log_util": (),
        "mix_precision_utils": (),
        "ps_util": ("DistributedInfer",),
        "sequence_parallel_utils": (),
        "timer_helper": (),
    },
)

"""`paddle.incubate`: what Paddle tries out."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_operators": (
            "graph_khop_sampler", "graph_reindex", "graph_sample_neighbors", "graph_send_recv", "identity_loss", "segment_max",
            "segment_mean", "segment_min", "segment_sum", "softmax_mask_fuse", "softmax_mask_fuse_upper_triangle",
        ),
        "asp": (),
        "autograd": (),
        "autotune": (),
        "distributed": (),
        "hapi": (),
        "jit": (),
        "jit.inference_decorator": ("inference",),
        "layers": (),
        "multiprocessing": (),
        "nn": (),
        "optimizer": ("LookAhead", "ModelAverage"),
    },
    starred=(),
)  # fmt: skip

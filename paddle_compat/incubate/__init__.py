"""`paddle.incubate`: what Paddle tries out."""

from paddle_compat._lazy import lazy, modules

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
        "framework": (),
        "framework.random": ("get_rng_state", "register_rng_state_as_index", "set_rng_state"),
        "hapi": (),
        "jit": (),
        "jit.inference_decorator": ("inference",),
        "layers": (),
        "multiprocessing": (),
        "nn": (),
        "optimizer": ("LookAhead", "ModelAverage"),
        "tensor": (),
    },
    starred=(),
)  # fmt: skip

_GRAPHS = ("graph_khop_sampler", "graph_reindex", "graph_sample_neighbors", "graph_send_recv")
_MASKED = ("softmax_mask_fuse", "softmax_mask_fuse_upper_triangle")
modules(
    __name__,
    {
        "operators": (*_GRAPHS, *_MASKED),
        **{f"operators.{name}": (name,) for name in (*_GRAPHS, *_MASKED)},
    },
)

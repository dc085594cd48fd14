"""`paddle.distributed.auto_parallel`: tensors and models over meshes of processes."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "api": (),
        "intermediate": (),
        "interface": ("create_mesh", "exclude_ops_in_recompute", "fetch", "get_mesh", "recompute", "set_mesh", "shard_op", "shard_tensor"),
        "pipelining": (),
        "placement_type": (),
        "process_mesh": ("ProcessMesh",),
        "random": ("parallel_manual_seed",),
        "static": (),
        "static.engine": ("Engine",),
        "strategy": ("Strategy",),
    },
)

"""`paddle.distributed.auto_parallel`: tensors and models over meshes of processes."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "api": (),
        "intermediate": (),
        "interface": ("create_mesh", "get_mesh", "set_mesh", "shard_tensor"),
        "placement_type": (),
        "process_mesh": ("ProcessMesh",),
        "static": (),
        "static.engine": ("Engine",),
        "strategy": ("Strategy",),
    },
)

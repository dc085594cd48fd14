"""`paddle.distributed.fleet.meta_parallel.sharding`: what `group_sharded_parallel` is made of, piece by piece."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {"group_sharded_optimizer_stage2": (), "group_sharded_stage2": (), "group_sharded_stage3": (), "group_sharded_utils": ()},
)

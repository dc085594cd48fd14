"""`paddle.distributed.sharding`: processes that share out what one model's training keeps."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"group_sharded": ("group_sharded_parallel", "save_group_sharded_model")})

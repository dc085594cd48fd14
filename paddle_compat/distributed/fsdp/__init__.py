"""`paddle.distributed.fsdp`: fully sharded data parallel training."""

from paddle_compat._missing import missing

from .fully_shard import fully_shard as fully_shard

__all__ = ["fully_shard"]
__getattr__ = missing(__name__)

"""`paddle.distributed.auto_parallel.api`: dist tensors, and training with them."""

from paddle_compat._missing import missing
from paddle_compat.distributed.auto_parallel._layers import shard_layer as shard_layer
from paddle_compat.distributed.auto_parallel._loaders import ShardDataloader as ShardDataloader
from paddle_compat.distributed.auto_parallel._loaders import shard_dataloader as shard_dataloader
from paddle_compat.distributed.auto_parallel._strategies import Strategy as Strategy
from paddle_compat.distributed.auto_parallel._tensors import dtensor_from_fn as dtensor_from_fn
from paddle_compat.distributed.auto_parallel._tensors import dtensor_from_local as dtensor_from_local
from paddle_compat.distributed.auto_parallel._tensors import dtensor_to_local as dtensor_to_local
from paddle_compat.distributed.auto_parallel._tensors import reshard as reshard
from paddle_compat.distributed.auto_parallel._tensors import shard_tensor as shard_tensor
from paddle_compat.distributed.auto_parallel._tensors import unshard_dtensor as unshard_dtensor

__all__ = [
    "ShardDataloader",
    "Strategy",
    "dtensor_from_fn",
    "dtensor_from_local",
    "dtensor_to_local",
    "reshard",
    "shard_dataloader",
    "shard_layer",
    "shard_tensor",
    "unshard_dtensor",
]
__getattr__ = missing(__name__)

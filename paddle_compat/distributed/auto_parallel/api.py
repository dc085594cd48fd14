"""`paddle.distributed.auto_parallel.api`: dist tensors, and training with them."""

from paddle_compat._missing import missing
from paddle_compat.distributed.auto_parallel._attributes import DistAttr as DistAttr
from paddle_compat.distributed.auto_parallel._dist_model import DistModel as DistModel
from paddle_compat.distributed.auto_parallel._dist_model import to_static as to_static
from paddle_compat.distributed.auto_parallel._experts import moe_global_mesh_tensor as moe_global_mesh_tensor
from paddle_compat.distributed.auto_parallel._experts import moe_sub_mesh_tensors as moe_sub_mesh_tensors
from paddle_compat.distributed.auto_parallel._layers import shard_layer as shard_layer
from paddle_compat.distributed.auto_parallel._loaders import ShardDataloader as ShardDataloader
from paddle_compat.distributed.auto_parallel._loaders import shard_dataloader as shard_dataloader
from paddle_compat.distributed.auto_parallel._optimizers import ShardingStage1 as ShardingStage1
from paddle_compat.distributed.auto_parallel._optimizers import ShardingStage2 as ShardingStage2
from paddle_compat.distributed.auto_parallel._optimizers import ShardingStage3 as ShardingStage3
from paddle_compat.distributed.auto_parallel._optimizers import shard_optimizer as shard_optimizer
from paddle_compat.distributed.auto_parallel._optimizers import shard_scaler as shard_scaler
from paddle_compat.distributed.auto_parallel._strategies import Strategy as Strategy
from paddle_compat.distributed.auto_parallel._strategies import in_auto_parallel_align_mode as in_auto_parallel_align_mode
from paddle_compat.distributed.auto_parallel._tensors import dtensor_from_fn as dtensor_from_fn
from paddle_compat.distributed.auto_parallel._tensors import dtensor_from_local as dtensor_from_local
from paddle_compat.distributed.auto_parallel._tensors import dtensor_to_local as dtensor_to_local
from paddle_compat.distributed.auto_parallel._tensors import is_dist_tensor as is_dist_tensor
from paddle_compat.distributed.auto_parallel._tensors import reshard as reshard
from paddle_compat.distributed.auto_parallel._tensors import shard_tensor as shard_tensor
from paddle_compat.distributed.auto_parallel._tensors import unshard_dtensor as unshard_dtensor

__all__ = [
    "DistAttr",
    "DistModel",
    "ShardDataloader",
    "ShardingStage1",
    "ShardingStage2",
    "ShardingStage3",
    "Strategy",
    "dtensor_from_fn",
    "dtensor_from_local",
    "dtensor_to_local",
    "in_auto_parallel_align_mode",
    "is_dist_tensor",
    "moe_global_mesh_tensor",
    "moe_sub_mesh_tensors",
    "reshard",
    "shard_dataloader",
    "shard_layer",
    "shard_optimizer",
    "shard_scaler",
    "shard_tensor",
    "to_static",
    "unshard_dtensor",
]
__getattr__ = missing(__name__)

"""`paddle.distributed.fleet`: training by many processes."""

from paddle_compat._lazy import lazy, modules
from paddle_compat.distributed import auto_parallel as auto
from paddle_compat.distributed.fleet import _fleet

__getattr__, __dir__, _ = lazy(
    __name__,
    {
        "_fleet": ("Fleet", "fleet", "nranks", "rank", "rank_in_node", "util", "world_size", *_fleet.FUNCTIONS),
        "base": (),
        "base.distributed_strategy": ("DistributedStrategy",),
        "base.role_maker": ("PaddleCloudRoleMaker", "Role", "UserDefinedRoleMaker"),
        "base.topology": ("CommunicateTopology", "HybridCommunicateGroup"),
        "base.util_factory": ("UtilBase",),
        "data_generator": (),
        "data_generator.data_generator": ("MultiSlotDataGenerator", "MultiSlotStringDataGenerator"),
        "dataset": ("BoxPSDataset", "DatasetBase", "FileInstantDataset", "InMemoryDataset", "QueueDataset"),
        "meta_optimizers": (),
        "metrics": (),
        "recompute": (),
        "runtime": (),
        "utils": (),
        "utils.log_util": ("get_log_level_code", "get_log_level_name", "set_log_level"),
    },
)
__all__ = [
    "CommunicateTopology", "DistributedStrategy", "Fleet", "HybridCommunicateGroup", "MultiSlotDataGenerator",
    "MultiSlotStringDataGenerator", "PaddleCloudRoleMaker", "Role", "UserDefinedRoleMaker", "UtilBase",
]  # fmt: skip
modules(
    __name__,
    {
        "fleet": ("Fleet",),
        "optimizer": ("distributed_optimizer",),
        "scaler": ("distributed_scaler",),
    },
)

"""`paddle.distributed`: processes that train together."""

from paddle_compat._lazy import lazy

from .launch.main import launch as launch  # in place of the modules of their names
from .spawn import spawn as spawn

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_environment": ("ParallelEnv",),
        "_modes": ("ParallelMode",),
        "auto_parallel.api": (
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
            "reshard",
            "shard_dataloader",
            "shard_layer",
            "shard_optimizer",
            "shard_scaler",
            "shard_tensor",
            "to_static",
            "unshard_dtensor",
        ),
        "auto_parallel.high_level_api": ("to_distributed",),
        "auto_parallel.intermediate.context_parallel": ("ContextParallel", "PrepareContextParallel"),
        "auto_parallel.intermediate.parallelize": ("parallelize",),
        "auto_parallel.intermediate.pipeline_parallel": ("SplitPoint",),
        "flex_checkpoint.dcp.sharded_weight": ("ShardedStateDict", "ShardedWeight", "build_sharded_state_dict", "shard_weight"),
        "auto_parallel.intermediate.tensor_parallel": (
            "ColWiseParallel", "ConvParallel", "PrepareLayerInput", "PrepareLayerOutput", "RowWiseParallel", "SequenceParallelBegin",
            "SequenceParallelDisable", "SequenceParallelEnable", "SequenceParallelEnd",
        ),
        "auto_parallel.interface": ("get_mesh", "set_mesh"),
        "auto_parallel.local_layer": ("LocalLayer",),
        "auto_parallel.local_map": ("local_map",),
        "auto_parallel.placement_type": ("Partial", "Placement", "ReduceType", "Replicate", "Shard"),
        "auto_parallel.process_mesh": ("ProcessMesh",),
        "checkpoint": (),
        "checkpoint.load_state_dict": ("load_merged_state_dict", "load_state_dict"),
        "checkpoint.save_state_dict": ("save_state_dict",),
        "collective": ("is_available", "new_group", "restart_process_group", "shutdown_process_group", "split"),
        "communication": (
            "P2POp", "ReduceOp", "all_gather", "all_gather_object", "all_reduce", "alltoall", "alltoall_single", "barrier",
            "batch_isend_irecv", "broadcast", "broadcast_object_list", "destroy_process_group", "gather", "get_backend", "get_group",
            "irecv", "is_initialized", "isend", "recv", "recv_object_list", "reduce", "reduce_scatter", "scatter", "scatter_object_list",
            "send", "send_object_list", "stream", "wait",
        ),
        "entry_attr": ("CountFilterEntry", "ProbabilityEntry", "ShowClickEntry"),
        "fleet": (),
        "fleet.base.topology": ("create_nccl_config",),
        "fleet.dataset": ("BoxPSDataset", "InMemoryDataset", "QueueDataset"),
        "flex_checkpoint": (),
        "io": (),
        "launch.main": ("launch",),
        "models": (),
        "parallel": ("get_rank", "get_world_size", "init_parallel_env"),
        "parallel_with_gloo": ("gloo_barrier", "gloo_init_parallel_env", "gloo_release"),
        "sharding": (),
        "sharding.group_sharded": ("group_sharded_parallel", "save_group_sharded_model"),
        "spawn": ("spawn",),
        "utils": (),
    },
    starred=("io",),
)  # fmt: skip
__all__.remove("stream")  # a module, too

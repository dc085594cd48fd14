"""`paddle.distributed.utils`: what scripts need that start a job's processes themselves, and loggers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "launch_utils": (  # 1.8 and the first 2.x have these here
            "Cluster", "Hdfs", "JobServer", "Pod", "Trainer", "TrainerProc", "add_arguments", "find_free_ports", "get_cluster",
            "get_host_name_ip", "start_local_trainers", "terminate_local_procs", "watch_local_trainers",
        ),
        "log_utils": ("get_logger",),
        "moe_utils": ("global_gather", "global_scatter"),  # where 2.3 has them
    },
)  # fmt: skip

"""`paddle.distributed.rpc`: calls of functions in other processes, over torch.distributed.rpc."""

from paddle_compat._lazy import lazy

_NAMES = ("get_all_worker_infos", "get_current_worker_info", "get_worker_info", "init_rpc", "rpc_async", "rpc_sync", "shutdown")

__getattr__, __dir__, __all__ = lazy(__name__, {"rpc": _NAMES})

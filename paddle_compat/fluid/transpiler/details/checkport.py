"""`fluid.transpiler.details.checkport`: waiting for servers."""

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.base.private_helper_function import wait_server_ready

__getattr__ = missing(__name__)
__all__ = ["wait_server_ready"]

"""`paddle.distributed.flex_checkpoint.dcp.utils`: what `paddle.distributed.checkpoint.utils` has."""

from paddle_compat._missing import missing
from paddle_compat.distributed.checkpoint.utils import flatten_state_dict

__all__ = ["flatten_state_dict"]
__getattr__ = missing(__name__)

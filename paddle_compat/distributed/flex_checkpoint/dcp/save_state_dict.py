"""`paddle.distributed.flex_checkpoint.dcp.save_state_dict`: what `paddle.distributed.checkpoint.save_state_dict` has."""

from paddle_compat._missing import missing
from paddle_compat.distributed.checkpoint.save_state_dict import save_state_dict

__all__ = ["save_state_dict"]
__getattr__ = missing(__name__)

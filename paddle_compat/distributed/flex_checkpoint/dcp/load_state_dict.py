"""`paddle.distributed.flex_checkpoint.dcp.load_state_dict`: what `paddle.distributed.checkpoint.load_state_dict` has."""

from paddle_compat._missing import missing
from paddle_compat.distributed.checkpoint.load_state_dict import load_merged_state_dict, load_state_dict, merge_sharded_state_dict

__all__ = ["load_merged_state_dict", "load_state_dict", "merge_sharded_state_dict"]
__getattr__ = missing(__name__)

"""`paddle.distributed.flex_checkpoint.dcp.utils`: what `paddle.distributed.checkpoint.utils` has."""

from paddle_compat._missing import missing
from paddle_compat.distributed.checkpoint.utils import (
    compute_local_shape_and_global_offset,
    flatten_state_dict,
    get_coordinator,
    get_max_id,
    minimal_nd_slice,
    ravel_index,
    unflatten_state_dict,
    unravel_index,
)

__all__ = [
    "compute_local_shape_and_global_offset", "flatten_state_dict", "get_coordinator", "get_max_id", "minimal_nd_slice", "ravel_index",
    "unflatten_state_dict", "unravel_index",
]  # fmt: skip
__getattr__ = missing(__name__)

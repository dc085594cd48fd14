"""`paddle.fluid.dygraph.parallel_helper`: whether the processes of a job have met, and the same parameters for all of them."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.distributed.parallel_helper import _broadcast_parameters, _is_data_parallel_mode  # noqa: F401 - layers ask here

__getattr__ = missing(__name__)

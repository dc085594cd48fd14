"""`paddle.distributed.fleet.meta_parallel.pp_utils`: how the stages of a pipeline hand on what they make."""

from paddle_compat._missing import missing

__getattr__ = missing(__name__)

"""`paddle.distributed.fleet.base`: roles, strategies and the parts of fleet."""

from paddle_compat._missing import missing

__getattr__ = missing(__name__)

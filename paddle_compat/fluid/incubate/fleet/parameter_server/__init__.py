"""`paddle.fluid.incubate.fleet.parameter_server`: trainers that train together through servers."""

from paddle_compat._missing import missing

__getattr__ = missing(__name__)

"""`paddle.fluid.incubate`: training by many processes, and data generators."""

from paddle_compat._missing import missing

__getattr__ = missing(__name__)

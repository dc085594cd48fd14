"""`paddle.fluid.incubate.fleet`: training by many processes."""

from paddle_compat._missing import missing

__getattr__ = missing(__name__)

"""`paddle.fluid.incubate.fleet.base`: roles, and what all kinds of fleets have in common."""

from paddle_compat._missing import missing

__getattr__ = missing(__name__)

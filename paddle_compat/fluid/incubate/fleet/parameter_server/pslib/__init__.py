"""`paddle.fluid.incubate.fleet.parameter_server.pslib`: servers that are a binary of Baidu's, which nobody else has."""

from paddle_compat._missing import missing

__getattr__ = missing(__name__)

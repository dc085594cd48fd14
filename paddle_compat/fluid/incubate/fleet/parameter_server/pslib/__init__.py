"""`paddle.fluid.incubate.fleet.parameter_server.pslib`: servers that are a binary of Baidu's, which nobody else has."""

from paddle_compat._lazy import modules
from paddle_compat._missing import missing

__getattr__ = missing(__name__)
modules(__name__, {"node": (), "optimizer_factory": (), "ps_pb2": ()})

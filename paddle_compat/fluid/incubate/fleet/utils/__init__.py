"""`paddle.fluid.incubate.fleet.utils`: looking at Programs of a job, and files elsewhere."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"fleet_util": (), "hdfs": (), "utils": ()})

"""`paddle.distributed.auto_parallel.pipelining`: layers as the stages of a pipeline, that small batches go through."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"microbatch": (), "schedules": (), "stage": (), "utils": ()})

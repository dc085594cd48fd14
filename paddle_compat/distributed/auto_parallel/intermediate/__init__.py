"""`paddle.distributed.auto_parallel.intermediate`: models divided by plans."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"context_parallel": (), "parallelize": (), "tensor_parallel": ()})

"""`paddle.distributed.ps.utils`: what 2.6 writes Programs of servers and workers with."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(__name__, {"collective_transpiler": (), "public": ()})
modules(__name__, {"ps_factory": (), "ps_infer_utils": (), "ps_program_builder": ()})

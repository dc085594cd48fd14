"""`paddle.distributed.ps`: parameter servers; fleet's and DistributeTranspiler's Programs are planned and written for servers here."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(__name__, {"the_one_ps": (), "utils": ()})
modules(__name__, {"coordinator": ()})

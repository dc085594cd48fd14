"""`paddle.distributed.ps`: parameter servers; fleet's and DistributeTranspiler's Programs are planned and written for servers here."""

from paddle_compat._missing import missing

__all__: list[str] = []
__getattr__ = missing(__name__)

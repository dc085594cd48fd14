"""`paddle.jit.sot.opcode_translator.executor`: what is kept of recorded functions."""

from paddle_compat._missing import missing

__all__: list[str] = []

__getattr__ = missing(__name__)

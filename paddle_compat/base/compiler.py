"""`paddle.base.compiler`: Programs with strategies."""

from paddle_compat._missing import missing
from paddle_compat.static.build_strategy import BuildStrategy
from paddle_compat.static.compiled_program import CompiledProgram
from paddle_compat.static.execution_strategy import ExecutionStrategy

__all__ = ["BuildStrategy", "CompiledProgram", "ExecutionStrategy"]

__getattr__ = missing(__name__)

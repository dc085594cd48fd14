"""`paddle.base.framework`: Programs and what belongs to them."""

from paddle_compat.core.mode import in_dygraph_mode as in_dynamic_mode
from paddle_compat.core.mode import in_dygraph_mode as in_dynamic_or_pir_mode
from paddle_compat.core.program import (
    Block,
    Operator,
    OpRole,
    Parameter,
    Program,
    Variable,
    default_main_program,
    default_startup_program,
    device_guard,
    name_scope,
    program_guard,
    switch_main_program,
    switch_startup_program,
)
from paddle_compat.framework.dtype import convert_np_dtype_to_dtype_

__all__ = [
    "Block", "OpRole", "Operator", "Parameter", "Program", "Variable", "convert_np_dtype_to_dtype_", "default_main_program",
    "default_startup_program", "device_guard", "in_dynamic_mode", "in_dynamic_or_pir_mode", "name_scope", "program_guard",
    "switch_main_program", "switch_startup_program",
]  # fmt: skip

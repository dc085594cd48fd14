"""`paddle.pir.core`: the Programs that Paddle's new IR is recorded into; Programs have one IR here, so they are `paddle.static`'s."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.base.framework import (
    convert_np_dtype_to_dtype_,
    default_main_program,
    default_startup_program,
    program_guard,
    switch_main_program,
    switch_startup_program,
)

__all__ = [
    "convert_np_dtype_to_dtype_", "default_main_program", "default_startup_program", "program_guard", "switch_main_program",
    "switch_startup_program",
]  # fmt: skip

__getattr__ = missing(__name__)

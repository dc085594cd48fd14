"""`paddle.base.unique_name`: unique variable names."""

from paddle_compat._missing import missing
from paddle_compat.core.unique_name import (
    DygraphParameterNameChecker,
    UniqueNameGenerator,
    generate,
    generate_with_ignorable_key,
    guard,
    switch,
)  # fmt: skip

__all__ = ["DygraphParameterNameChecker", "UniqueNameGenerator", "generate", "generate_with_ignorable_key", "guard", "switch"]

__getattr__ = missing(__name__)

"""`paddle.fluid.unique_name`: unique variable names."""

from paddle_compat._missing import missing
from paddle_compat.core.unique_name import DygraphParameterNameChecker as DygraphParameterNameChecker
from paddle_compat.core.unique_name import UniqueNameGenerator, generate, generate_with_ignorable_key, guard, switch

__all__ = ["UniqueNameGenerator", "generate", "generate_with_ignorable_key", "guard", "switch"]

__getattr__ = missing(__name__)

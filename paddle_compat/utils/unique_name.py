"""`paddle.utils.unique_name`: unique variable names."""

from paddle_compat._missing import missing
from paddle_compat.core.unique_name import generate, guard, switch
from paddle_compat.core.unique_name import generate_with_ignorable_key as generate_with_ignorable_key

__all__ = ["generate", "guard", "switch"]

__getattr__ = missing(__name__)

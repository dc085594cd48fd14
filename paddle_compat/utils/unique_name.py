"""`paddle.utils.unique_name`: unique variable names."""

from paddle_compat.core.unique_name import generate, guard, switch

__all__ = ["generate", "guard", "switch"]

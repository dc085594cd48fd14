"""`paddle.framework.io_utils`: which variables belong into files."""

from paddle_compat._missing import missing
from paddle_compat.static._files import is_belong_to_optimizer, is_parameter, is_persistable

__all__ = ["is_belong_to_optimizer", "is_parameter", "is_persistable"]

__getattr__ = missing(__name__)

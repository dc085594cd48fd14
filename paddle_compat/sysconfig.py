"""`paddle.sysconfig`: where files for C++ would lie."""

from __future__ import annotations

import os

from paddle_compat._missing import missing

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def get_include() -> str:
    """The folder of Paddle's headers. There are none here: custom operators are written with torch.utils.cpp_extension.

    Returns:
        str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.sysconfig.get_include().endswith("include")
        True

    Follows Paddle 1.8 and 2.6.
    """
    return os.path.join(_PACKAGE, "include")


def get_lib() -> str:
    """The folder of Paddle's libraries. There are none here.

    Returns:
        str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.sysconfig.get_lib().endswith("libs")
        True

    Follows Paddle 1.8 and 2.6.
    """
    return os.path.join(_PACKAGE, "libs")


__all__ = ["get_include", "get_lib"]

__getattr__ = missing(__name__)

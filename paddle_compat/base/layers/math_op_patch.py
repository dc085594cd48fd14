"""`paddle.base.layers.math_op_patch`: the function that gives Variables their operators in Paddle."""

from paddle_compat._missing import missing


def monkey_patch_variable() -> None:
    """Give Variables their operators and methods, which they have from the start here.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.layers.math_op_patch import monkey_patch_variable
        >>> monkey_patch_variable()
        >>> paddle.enable_static()
        >>> (paddle.static.data("x", [2]) + 1).shape
        (2,)

    Follows Paddle 2.6.
    """


__all__ = ["monkey_patch_variable"]

__getattr__ = missing(__name__)

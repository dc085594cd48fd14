"""`paddle.pir`: the kinds of Paddle's new IR, which libraries tell apart. Programs have one IR here, so no value is of any of them."""

from __future__ import annotations

from paddle_compat._missing import missing


class Value:
    """A value of a Program in Paddle's new IR: no value here is one, as none is in Paddle 2.6.

    Example:
        >>> import paddle_compat as paddle
        >>> isinstance(paddle.ones([2]), paddle.pir.Value)
        False

    Follows Paddle 2.6.
    """


class OpResult(Value):
    """What an operator of Paddle's new IR gives: no value here is one.

    Example:
        >>> import paddle_compat as paddle
        >>> isinstance(paddle.ones([2]), (paddle.pir.OpResult, paddle.Tensor))
        True

    Follows Paddle 2.6.
    """


class Operation:
    """An operator of a Program in Paddle's new IR: no operator here is one.

    Example:
        >>> import paddle_compat as paddle
        >>> [isinstance(op, paddle.pir.Operation) for op in paddle.static.Program().global_block().ops]
        []

    Follows Paddle 2.6.
    """


class Block:
    """A block of a Program in Paddle's new IR: no block here is one, as none is in Paddle 2.6.

    Example:
        >>> import paddle_compat as paddle
        >>> isinstance(paddle.static.default_main_program().global_block(), paddle.pir.Block)
        False

    Follows Paddle 2.6.
    """


__getattr__ = missing(__name__)

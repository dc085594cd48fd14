"""`paddle.nn.functional`: distances."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.nn.functional._apply import check_recorded, constant, helper_for, paddle
from paddle_compat.ops.reduction import p_norm
from paddle_compat.tensor._calls import plain_at_once


@paddle3(x1="x", x2="y", eps="epsilon")
def pairwise_distance(x: Any, y: Any, p: float = 2.0, epsilon: float = 1e-6, keepdim: bool = False, name: str | None = None) -> Any:
    """The p-norm of the difference of vectors.

    Args:
        x, y (Tensor): [N, D] or [D].
        p (float): the norm's exponent.
        epsilon (float): added to the difference.
        keepdim (bool): whether the dimension of the vectors stays, with size 1.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N] or [], with a dimension of size 1 behind if `keepdim`.
    Raises:
        TypeError: p is no number.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.pairwise_distance(paddle.rand([2, 3]), paddle.rand([2, 3])).shape
        [2]

    Follows Paddle 2.6.
    """
    check_recorded("PairwiseDistance", x=x, y=y)
    p = plain_at_once(p)
    if not isinstance(p, (float, int)):
        raise type_error("p", "float or int", p, "pairwise_distance")
    difference = paddle.subtract(x, y)
    if epsilon != 0.0:
        difference = paddle.add(difference, constant(epsilon, difference))
    helper = helper_for("PairwiseDistance", x, name)
    return p_norm(difference, axis=-1, porder=float(p), keepdim=keepdim, epsilon=0.0, _helper=helper)


__getattr__ = missing(__name__)

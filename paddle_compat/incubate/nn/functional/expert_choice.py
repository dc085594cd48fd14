"""A layer of experts that choose their tokens; Paddle itself computes it on GPUs only."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.nn.functional._apply import paddle


def check_activation(act_type: str) -> None:
    """Refuse what neither wheel has."""
    if act_type not in ("gelu", "relu"):
        raise UnimplementedError(
            f"Invalid value for argument `act_type` of `fused_ec_moe`. Expected 'gelu' or 'relu'. Received: {act_type!r}"
        )


def fused_ec_moe(x: Any, gate: Any, bmm0_weight: Any, bmm0_bias: Any, bmm1_weight: Any, bmm1_bias: Any, act_type: str) -> Any:
    """x, and what experts make of the tokens that they choose: each expert takes a sixteenth of every sequence.

    Args:
        x (Tensor): [N, length, width], float.
        gate (Tensor): [N, length, experts]: the experts take the tokens of which they have most, and weigh them by its softmax.
        bmm0_weight (Tensor): [experts, width, hidden]; bmm0_bias (Tensor): [experts, 1, hidden].
        bmm1_weight (Tensor): [experts, hidden, width]; bmm1_bias (Tensor): [experts, 1, width].
        act_type (str): "gelu" or "relu".
    Returns:
        Tensor: of x's shape.
    Raises:
        NotImplementedError: act_type is another.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedEcMoe(8, 16, 4, act_type="gelu")
        >>> layer(paddle.rand([2, 32, 8]), paddle.rand([2, 32, 4])).shape
        [2, 32, 8]

    Follows Paddle 2.6.
    """
    check_activation(act_type)
    experts, taken, width = gate.shape[2], x.shape[1] // 16, x.shape[2]
    if not taken:
        return x
    by_expert = paddle.transpose(gate, [0, 2, 1])
    places = paddle.topk(by_expert, taken)[1]  # [N, experts, taken]
    weights = paddle.take_along_axis(paddle.nn.functional.softmax(by_expert, axis=1), places, 2)
    rows = paddle.tile(paddle.reshape(places, [0, experts * taken, 1]), [1, 1, width])
    tokens = paddle.reshape(paddle.take_along_axis(x, rows, 1), [0, experts, taken, width])
    hidden = getattr(paddle.nn.functional, act_type)(paddle.matmul(tokens, bmm0_weight) + bmm0_bias)
    made = (paddle.matmul(hidden, bmm1_weight) + bmm1_bias) * paddle.unsqueeze(weights, -1)
    return paddle.put_along_axis(x, rows, paddle.reshape(made, [0, experts * taken, width]), 1, "add")


__all__ = ["fused_ec_moe"]

__getattr__ = missing(__name__)

"""A layer of experts that choose their tokens."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.incubate.nn.functional.expert_choice import check_activation, fused_ec_moe
from paddle_compat.nn.layer.layers import Layer


class FusedEcMoe(Layer):
    """Its input, and what experts make of the tokens that they choose, a sixteenth of every sequence each.

    Args:
        hidden_size, inter_size: the width, and that between an expert's two products.
        num_experts: how many there are.
        act_type: "gelu" or "relu".
        weight_attr, bias_attr: of the products.
    Raises:
        NotImplementedError: act_type is another.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedEcMoe(8, 16, 4, act_type="gelu")
        >>> layer(paddle.rand([2, 32, 8]), paddle.rand([2, 32, 4])).shape
        [2, 32, 8]

    Follows Paddle 2.6.
    """

    def __init__(
        self, hidden_size: int, inter_size: int, num_experts: int, act_type: str, weight_attr: Any = None, bias_attr: Any = None
    ) -> None:
        super().__init__()
        self.bmm_weight0 = self.create_parameter(shape=[num_experts, hidden_size, inter_size], attr=weight_attr)
        self.bmm_bias0 = self.create_parameter(shape=[num_experts, 1, inter_size], attr=bias_attr, is_bias=True)
        self.bmm_weight1 = self.create_parameter(shape=[num_experts, inter_size, hidden_size], attr=weight_attr)
        self.bmm_bias1 = self.create_parameter(shape=[num_experts, 1, hidden_size], attr=bias_attr, is_bias=True)
        self.act_type = act_type
        check_activation(act_type)

    def forward(self, x: Any, gate: Any) -> Any:
        """Apply it.

        Args:
            x: [N, length, hidden_size].
            gate: [N, length, num_experts], as of `fused_ec_moe`.
        Returns:
            A tensor like `x`.
        """
        return fused_ec_moe(x, gate, self.bmm_weight0, self.bmm_bias0, self.bmm_weight1, self.bmm_bias1, self.act_type)


__all__ = ["FusedEcMoe"]

__getattr__ = missing(__name__)

"""Batch normalization and its activation in one operator."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import op
from paddle_compat.ops.norm import batch_norm

Tensor = torch.Tensor


@op(
    inputs=("X", "Scale", "Bias", "Mean", "Variance", "MomentumTensor?"),
    outputs=("Y", "MeanOut", "VarianceOut", "SavedMean~", "SavedVariance~", "ReserveSpace~?"),
    grad=("Y", "Scale", "Bias", "SavedMean", "SavedVariance"),
    no_grad=("Mean", "Variance", "MomentumTensor"),
    describe=batch_norm.describe,
    derive=batch_norm.derive,
)
def inplace_abn(
    x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    momentum_tensor: Tensor | None = None,
    *,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_layout: str = "NCHW",
    use_global_stats: bool = False,
    trainable_statistics: bool = False,
    fuse_with_relu: bool = False,
    activation: str = "",
    alpha: float = 0.1,
    use_sync_bn: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """As batch_norm, and then an activation: none, "identity", "leaky_relu" or "elu"."""
    y, mean_out, variance_out = batch_norm.fn(
        x, scale, bias, mean, variance, momentum_tensor, is_test=is_test, momentum=momentum, epsilon=epsilon, data_layout=data_layout,
        use_global_stats=use_global_stats, trainable_statistics=trainable_statistics,
    )  # fmt: skip
    if activation == "leaky_relu":
        y = F.leaky_relu(y, alpha)
    elif activation == "elu":
        y = F.elu(y, alpha)
    elif activation not in ("", "identity"):
        raise invalid_argument("activation", "'identity', 'leaky_relu' or 'elu'", activation, "inplace_abn")
    return y, mean_out, variance_out

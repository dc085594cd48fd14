"""`paddle.static.nn.common`: where Paddle 2.6 keeps most layers of Programs."""

from paddle_compat._missing import missing
from paddle_compat.static.ema import ExponentialMovingAverage
from paddle_compat.static.nn import (
    batch_norm,
    bilinear_tensor_product,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
    data_norm,
    deform_conv2d,
    embedding,
    fc,
    group_norm,
    instance_norm,
    layer_norm,
    prelu,
    py_func,
    row_conv,
    sparse_embedding,
    spectral_norm,
)

__all__ = [
    "ExponentialMovingAverage", "batch_norm", "bilinear_tensor_product", "conv2d", "conv2d_transpose", "conv3d",
    "conv3d_transpose", "data_norm", "deform_conv2d", "embedding", "fc", "group_norm", "instance_norm", "layer_norm",
    "prelu", "py_func", "row_conv", "sparse_embedding", "spectral_norm",
]  # fmt: skip

__getattr__ = missing(__name__)

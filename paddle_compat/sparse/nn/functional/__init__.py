"""`paddle.sparse.nn.functional`: functions over sparse Tensors that networks are made of."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "activation": ("leaky_relu", "relu", "relu6", "softmax"),
        "conv": ("conv2d", "conv3d", "subm_conv2d", "subm_conv2d_igemm", "subm_conv3d", "subm_conv3d_igemm"),
        "pooling": ("max_pool3d",),
        "transformer": ("attention",),
    },
)

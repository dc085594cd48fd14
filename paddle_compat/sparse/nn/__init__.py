"""`paddle.sparse.nn`: layers over sparse Tensors."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "functional": (),
        "layer.activation": ("LeakyReLU", "ReLU", "ReLU6", "Softmax"),
        "layer.conv": ("Conv2D", "Conv3D", "SubmConv2D", "SubmConv3D"),
        "layer.norm": ("BatchNorm", "SyncBatchNorm"),
        "layer.pooling": ("MaxPool3D",),
    },
    starred=(),
)

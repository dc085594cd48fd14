"""`paddle.sparse`: Tensors of which only some values are there."""

from paddle_compat._lazy import lazy
from paddle_compat.sparse import _methods

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "binary": ("add", "divide", "is_same_shape", "mask_as", "masked_matmul", "matmul", "multiply", "mv", "subtract"),
        "creation": ("sparse_coo_tensor", "sparse_csr_tensor"),
        "multiary": ("addmm",),
        "nn": (),
        "unary": (
            "abs", "asin", "asinh", "atan", "atanh", "cast", "coalesce", "deg2rad", "expm1", "isnan", "log1p", "neg", "pca_lowrank",
            "pow", "rad2deg", "reshape", "sin", "sinh", "slice", "sqrt", "square", "sum", "tan", "tanh", "transpose",
        ),
    },
    starred=(),
)  # fmt: skip
_methods.install()

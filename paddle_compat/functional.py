"""`paddle.functional`: functions of `paddle` under a name that Paddle 3 has for some of them."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        ".compat": ("split",),  # which takes the size of the parts, as torch's
        ".tensor": ("atleast_1d", "atleast_2d", "atleast_3d", "broadcast_shapes", "einsum", "meshgrid", "norm", "unique_consecutive"),
    },
)  # fmt: skip

"""`paddle.utils.cpp_extension`: operators written in C++ for Paddle's own headers, which cannot run here; libraries import its names."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "cpp_extension": ("BuildExtension", "CUDAExtension", "CppExtension", "load", "setup"),
        "extension_utils": ("get_build_directory", "load_op_meta_info_and_register_op"),
    },
)

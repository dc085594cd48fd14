"""What `paddle.inference` tells of TensorRT, which it is built without."""

from __future__ import annotations


def get_trt_compile_version() -> tuple[int, int, int]:
    """The version of TensorRT that Paddle was built with.

    Returns:
        tuple: zeros: none.

    Example:
        >>> from paddle_compat import inference
        >>> inference.get_trt_compile_version()
        (0, 0, 0)

    Follows Paddle 2.6.
    """
    return 0, 0, 0


def get_trt_runtime_version() -> tuple[int, int, int]:
    """The version of TensorRT that is installed.

    Returns:
        tuple: zeros: none.

    Example:
        >>> from paddle_compat import inference
        >>> inference.get_trt_runtime_version()
        (0, 0, 0)

    Follows Paddle 2.6.
    """
    return 0, 0, 0


__all__ = ["get_trt_compile_version", "get_trt_runtime_version"]

"""What `paddle.inference` tells of TensorRT, which it is built without."""

from __future__ import annotations

from typing import Any


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


class InternalUtils:
    """Switches of TensorRT's engines, which change nothing here.

    Example:
        >>> from paddle_compat import inference
        >>> inference.InternalUtils.disable_tensorrt_half_ops({"conv2d"})

    Follows Paddle 2.6.
    """

    @staticmethod
    def disable_tensorrt_half_ops(ops: set[str]) -> None:
        """Let these operators run in float32 in TensorRT's engines.

        Args:
            ops (set): their types.
        """

    @staticmethod
    def set_transformer_posid(config: Any, tensor_name: str) -> None:
        """Name the input of positions of TensorRT's transformers.

        Args:
            config (Config): of the predictor.
            tensor_name (str): the input.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.inference.InternalUtils.set_transformer_posid(paddle.inference.Config(), "ids")
        """

    @staticmethod
    def set_transformer_maskid(config: Any, tensor_name: str) -> None:
        """Name the input of masks of TensorRT's transformers.

        Args:
            config (Config): of the predictor.
            tensor_name (str): the input.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.inference.InternalUtils.set_transformer_maskid(paddle.inference.Config(), "ids")
        """


__all__ = ["InternalUtils", "get_trt_compile_version", "get_trt_runtime_version"]

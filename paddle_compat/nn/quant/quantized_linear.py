"""`paddle.nn.quant.quantized_linear`: products with weights of 8 or 4 bits."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import convert_dtype
from paddle_compat.core.errors import failed_assertion
from paddle_compat.ops import weight_only as ops


def _checked_arch(arch: int | None, api: str) -> int:
    if arch is None:
        return ops.architecture()
    if arch not in ops.ARCHITECTURES:
        raise failed_assertion("arch", f"one of {ops.ARCHITECTURES}", arch, api)
    return arch


def _get_arch_info() -> int:
    """The kind of this machine's GPU, such as 90; 0 where there is none."""
    if not torch.cuda.is_available():
        return 0
    major, minor = torch.cuda.get_device_capability()
    return 10 * major + minor


def _checked_group(group_size: int, api: str) -> int:
    if group_size not in (-1, 64, 128):
        raise failed_assertion("group_size", "-1, 64 or 128", group_size, api)
    return group_size


def weight_quantize(x: Any, algo: str = "weight_only_int8", arch: int | None = None, group_size: int = -1) -> tuple[Any, Any]:
    """A weight as few bits, in the layout in which a kind of GPU reads it.

    Args:
        x (Tensor): shape [K, N], K a multiple of 64 and N of 16; float16 or bfloat16.
        algo (str): "weight_only_int8", "weight_only_int4" or "llm.int8".
        arch (int): the kind of GPU: 70, 75, 80, 86, 89, 90 or 100; None: this machine's, or 80 where there is none.
        group_size (int): how many rows have a scale of their own: 64 or 128; -1: all have one.
    Returns:
        tuple of Tensor: int8 of shape [N, K], or [N / 2, K] for 4 bits; the scales, shape [N] or [K / group_size, N], x's data type.
    Raises:
        AssertionError: there is no such GPU or group.
        ValueError: K or N does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> weight = paddle.ones([64, 32], "float16")
        >>> kept, scale = paddle.nn.quant.weight_quantize(weight, algo="weight_only_int4", arch=80)
        >>> kept.shape, kept.dtype == paddle.int8, scale.shape, scale.dtype == paddle.float16
        ([16, 64], True, [32], True)

    Follows Paddle 2.6 and 3.3.
    """
    if algo not in ops.ALGORITHMS:
        raise failed_assertion("algo", f"one of {ops.ALGORITHMS}", algo, "weight_quantize")
    arch, group_size = _checked_arch(arch, "weight_quantize"), _checked_group(group_size, "weight_quantize")
    result: tuple[Any, Any] = ops.weight_quantize(x, algo=algo, arch=arch, _group_size=group_size)
    return result


def weight_dequantize(x: Any, scale: Any, algo: str = "weight_only_int8", out_dtype: Any = "float16", group_size: int = -1) -> Any:
    """What a weight of few bits stands for; the weight's layout is that of this machine's GPU, or of `arch=80` where there is none.

    Args:
        x (Tensor): int8, as of `weight_quantize`.
        scale (Tensor): its scales.
        algo (str): as it was for `weight_quantize`.
        out_dtype (str): the data type of the result.
        group_size (int): as it was for `weight_quantize`.
    Returns:
        Tensor, shape [K, N].
    Raises:
        AssertionError: there is no such group.

    Example:
        >>> import paddle_compat as paddle
        >>> weight = paddle.arange(64.0).astype("float16").reshape([64, 1]).expand([64, 32])
        >>> back = paddle.nn.quant.weight_dequantize(*paddle.nn.quant.weight_quantize(weight), out_dtype="float32")
        >>> back.shape, round(float((back - weight.astype("float32")).abs().max()), 2) <= 0.25
        ([64, 32], True)

    Follows Paddle 2.6 and 3.3.
    """
    group_size = _checked_group(group_size, "weight_dequantize")
    return ops.weight_dequantize(x, scale, algo=algo, out_dtype=convert_dtype(out_dtype), _group_size=group_size)


def weight_only_linear(
    x: Any, weight: Any, bias: Any = None, weight_scale: Any = None, weight_dtype: Any = "int8", arch: int | None = None,
    group_size: int = -1,
) -> Any:  # fmt: skip
    """Multiply with a weight of few bits.

    Args:
        x (Tensor): shape [..., K]; float16 or bfloat16.
        weight (Tensor): int8, as of `weight_quantize`.
        bias (Tensor): shape [N]; None: nothing is added.
        weight_scale (Tensor): the weight's scales.
        weight_dtype (str): "int8" or "int4".
        arch (int): as it was for `weight_quantize`.
        group_size (int): as it was for `weight_quantize`.
    Returns:
        Tensor, shape [..., N], x's data type.
    Raises:
        AssertionError: there is no such GPU or group.

    Example:
        >>> import paddle_compat as paddle
        >>> weight, scale = paddle.nn.quant.weight_quantize(paddle.ones([64, 32], "float16"))
        >>> out = paddle.nn.quant.weight_only_linear(paddle.ones([2, 64], "float16"), weight, weight_scale=scale)
        >>> out.shape, round(float(out[0, 0]))
        ([2, 32], 64)

    Follows Paddle 2.6 and 3.3.
    """
    kind = str(weight_dtype).rpartition(".")[2]
    if kind not in ("int8", "int4"):
        raise failed_assertion("weight_dtype", "'int8' or 'int4'", weight_dtype, "weight_only_linear")
    arch, group_size = _checked_arch(arch, "weight_only_linear"), _checked_group(group_size, "weight_only_linear")
    return ops.weight_only_linear(x, weight, bias, weight_scale, weight_dtype=kind, arch=arch, _group_size=group_size)


def llm_int8_linear(x: Any, weight: Any, bias: Any = None, weight_scale: Any = None, threshold: float = 6.0) -> Any:
    """Multiply with a weight of 8 bits, as whole numbers but for the columns of x that have a large one.

    Args:
        x (Tensor): shape [..., K]; float16 or bfloat16.
        weight (Tensor): int8, as `weight_quantize(..., algo="llm.int8")` gives it.
        bias (Tensor): shape [N]; None: nothing is added.
        weight_scale (Tensor): the weight's scales.
        threshold (float): which numbers are large.
    Returns:
        Tensor, shape [..., N], x's data type.

    Example:
        >>> import paddle_compat as paddle
        >>> weight, scale = paddle.nn.quant.weight_quantize(paddle.ones([64, 32], "float16"), algo="llm.int8")
        >>> out = paddle.nn.quant.llm_int8_linear(paddle.ones([2, 64], "float16"), weight, weight_scale=scale)
        >>> out.shape, round(float(out[0, 0]))
        ([2, 32], 64)

    Follows Paddle 2.6 and 3.3.
    """
    return ops.llm_int8_linear(x, weight, bias, weight_scale, threshold=threshold)


def apply_per_channel_scale(x: Any, scales: Any) -> Any:
    """Each channel of a tensor multiplied with a number of its own.

    Args:
        x (Tensor): shape [..., K]; float16 or bfloat16.
        scales (Tensor): shape [K], x's data type.
    Returns:
        Tensor, x's shape and data type.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([1, 2], "float16")
        >>> paddle.nn.quant.apply_per_channel_scale(x, paddle.to_tensor([2.0, 3.0], "float16")).tolist()
        [[2.0, 3.0]]

    Follows Paddle 3.3, whose builds for the CPU refuse it.
    """
    return x * scales


__getattr__ = missing(__name__)

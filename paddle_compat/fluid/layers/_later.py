"""`fluid.layers.nn`: what Paddle 2 added to it, and has under another name elsewhere."""

from __future__ import annotations

from typing import Any

from paddle_compat.nn.functional import interpolate


def resize_linear(
    input: Any,
    out_shape: Any = None,
    scale: Any = None,
    name: str | None = None,
    actual_shape: Any = None,
    align_corners: bool = True,
    align_mode: int = 1,
    data_format: str = "NCW",
) -> Any:
    """Rows of another length, interpolated between two elements.

    Args:
        input: [N, C, W] or [N, W, C].
        out_shape, scale, actual_shape, align_corners, align_mode: as in image_resize.
        name: the layer's name.
        data_format: "NCW" or "NWC".
    Returns:
        Tensor or Variable.

    Example:
        >>> import paddle_compat as paddle, paddle_compat.fluid as fluid
        >>> fluid.layers.resize_linear(paddle.to_tensor([[[1.0, 3.0]]]), out_shape=[3]).tolist()
        [[[1.0, 2.0, 3.0]]]

    Follows Paddle 2.4.
    """
    size = out_shape if actual_shape is None else actual_shape
    return interpolate(input, size, None if size is not None else scale, "linear", align_corners, align_mode, data_format, name=name)


__all__ = ["resize_linear"]

"""Cases of the convolution operators."""

from __future__ import annotations

from typing import Any

from nn_cases import case, normal, uniform

BOTH = ("Input", "Filter")


def conv(x: Any, w: Any, type_: str = "conv2d", **attrs: Any) -> Any:
    """A convolution of some kind with the attributes that differ from nothing special."""
    nd = 3 if "3d" in type_ else 2
    layout = "NCHW" if nd == 2 or "transpose" in type_ else "NCDHW"
    full = {"strides": [1] * nd, "paddings": [0] * nd, "dilations": [1] * nd, "groups": 1, "data_format": layout}
    return case(type_, {"Input": x, "Filter": w}, dict(full, **attrs), BOTH)


def deformable(type_: str, masked: bool, **attrs: Any) -> Any:
    """A deformable convolution of a (2, 4, 6, 7) image with 3x3 filters."""
    full = {"strides": [1, 1], "paddings": [1, 1], "dilations": [1, 1], "groups": 1}
    full.update(deformable_groups=1, im2col_step=1)
    full.update(attrs)
    height = (6 + 2 * full["paddings"][0] - 2 * full["dilations"][0] - 1) // full["strides"][0] + 1
    width = (7 + 2 * full["paddings"][1] - 2 * full["dilations"][1] - 1) // full["strides"][1] + 1
    points = 9 * full["deformable_groups"]
    inputs = {
        "Input": normal(2, 4, 6, 7),
        "Offset": normal(2, 2 * points, height, width, seed=1),
        "Filter": normal(6, 4 // full["groups"], 3, 3, seed=2),
    }
    if masked:
        inputs["Mask"] = uniform(2, points, height, width, seed=3)
    return case(type_, inputs, full, list(inputs))


X, W = normal(2, 3, 7, 8), normal(4, 3, 3, 3, seed=1)
X4, W4 = normal(2, 4, 7, 8), normal(6, 2, 3, 3, seed=1)
T = normal(4, 3, 3, 2, seed=1)
X3, W3 = normal(2, 2, 4, 5, 6), normal(3, 2, 2, 3, 3, seed=1)
T3 = normal(2, 3, 2, 3, 3, seed=1)

CASES: dict[str, Any] = {
    "conv2d": conv(X, W),
    "conv2d_strided": conv(X, W, strides=[2, 3], paddings=[1, 2]),
    "conv2d_dilated": conv(X, W, dilations=[2, 1], paddings=[2, 0]),
    "conv2d_uneven_padding": conv(X, W, paddings=[1, 0, 2, 1]),
    "conv2d_same": conv(X, W, padding_algorithm="SAME", strides=[2, 2], paddings=[0, 0]),
    "conv2d_same_dilated": conv(X, W, padding_algorithm="SAME", dilations=[2, 2]),
    "conv2d_valid": conv(X, W, padding_algorithm="VALID", paddings=[1, 1]),
    "conv2d_groups": conv(X4, W4, groups=2),
    "conv2d_nhwc": conv(normal(2, 7, 8, 3), W, data_format="NHWC", paddings=[1, 0, 0, 2]),
    "depthwise_conv2d": conv(
        X4, normal(8, 1, 3, 3, seed=1), "depthwise_conv2d", groups=4, strides=[2, 1], paddings=[1, 1]
    ),
    "conv2d_transpose": conv(X4, T, "conv2d_transpose"),
    "conv2d_transpose_strided": conv(X4, T, "conv2d_transpose", strides=[2, 3], paddings=[1, 0]),
    "conv2d_transpose_uneven": conv(X4, T, "conv2d_transpose", strides=[2, 2], paddings=[1, 0, 0, 2], dilations=[1, 2]),
    "conv2d_transpose_size": conv(X4, T, "conv2d_transpose", strides=[2, 2], output_size=[16, 17]),
    "conv2d_transpose_same": conv(X4, T, "conv2d_transpose", strides=[2, 2], padding_algorithm="SAME"),
    "conv2d_transpose_same1": conv(X4, T, "conv2d_transpose", padding_algorithm="SAME", dilations=[2, 2]),
    "conv2d_transpose_groups": conv(X4, normal(4, 3, 3, 3, seed=1), "conv2d_transpose", groups=2, strides=[2, 2]),
    "conv2d_transpose_nhwc": conv(normal(2, 4, 5, 4), T, "conv2d_transpose", data_format="NHWC", strides=[2, 1]),
    "depthwise_conv2d_transpose": conv(
        X4, normal(4, 1, 3, 3, seed=1), "depthwise_conv2d_transpose", groups=4, strides=[2, 2]
    ),
    "conv3d": conv(X3, W3, "conv3d", strides=[1, 2, 2], paddings=[1, 0, 1]),
    "conv3d_same": conv(X3, W3, "conv3d", strides=[2, 2, 2], padding_algorithm="SAME"),
    "conv3d_ndhwc": conv(normal(2, 4, 5, 6, 2), W3, "conv3d", data_format="NDHWC", paddings=[1, 0, 0, 1, 2, 0]),
    "conv3d_transpose": conv(X3, T3, "conv3d_transpose", strides=[2, 1, 2], paddings=[0, 1, 1]),
    "conv3d_transpose_size": conv(X3, T3, "conv3d_transpose", strides=[2, 2, 2], output_size=[9, 11, 13]),
    "deformable_conv": deformable("deformable_conv", True),
    "deformable_conv_groups": deformable(
        "deformable_conv", True, groups=2, deformable_groups=2, strides=[2, 1], dilations=[1, 2]
    ),
    "deformable_conv_v1": deformable("deformable_conv_v1", False, paddings=[0, 1]),
    "row_conv": case("row_conv", {"X": normal(2, 5, 3), "Filter": normal(3, 3, seed=1)}, grads=("X", "Filter")),
    "conv_shift": case(
        "conv_shift", {"X": normal(3, 7), "Y": normal(3, 3, seed=1)}, grads=("X", "Y"), wheels=("1.8.5",)
    ),
    "conv2d_transpose_output_padding": dict(
        conv(X4, T, "conv2d_transpose", strides=[3, 3], output_padding=[1, 2]), wheels=("2.6.2",)
    ),
}

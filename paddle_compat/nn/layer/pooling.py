"""Pooling layers, and others that only rearrange."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.layer._calls import REQUIRED, make

_K: dict[str, Any] = {"kernel_size": REQUIRED, "stride": None, "padding": 0}
_TABLE: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "AdaptiveAvgPool1D": ("adaptive_avg_pool1d", {"output_size": REQUIRED}, "Average to a fixed length.", "4"),
    "AdaptiveAvgPool2D": ("adaptive_avg_pool2d", {"output_size": REQUIRED, "data_format": "NCHW"}, "Average to a fixed size.", "4"),
    "AdaptiveAvgPool3D": ("adaptive_avg_pool3d", {"output_size": REQUIRED, "data_format": "NCDHW"}, "Average to a fixed size.", "4"),
    "AdaptiveMaxPool1D": ("adaptive_max_pool1d", {"output_size": REQUIRED, "return_mask": False}, "Maximum to a fixed length.", "4"),
    "AdaptiveMaxPool2D": ("adaptive_max_pool2d", {"output_size": REQUIRED, "return_mask": False}, "Maximum to a fixed size.", "4"),
    "AdaptiveMaxPool3D": ("adaptive_max_pool3d", {"output_size": REQUIRED, "return_mask": False}, "Maximum to a fixed size.", "4"),
    "AvgPool1D": ("avg_pool1d", {**_K, "exclusive": True, "ceil_mode": False}, "Average over windows.", "2"),
    "AvgPool2D": (
        "avg_pool2d", {**_K, "ceil_mode": False, "exclusive": True, "divisor_override": None, "data_format": "NCHW"},
        "Average over windows.", "2",
    ),
    "AvgPool3D": (
        "avg_pool3d", {**_K, "ceil_mode": False, "exclusive": True, "divisor_override": None, "data_format": "NCDHW"},
        "Average over windows.", "2",
    ),
    "MaxPool1D": ("max_pool1d", {**_K, "return_mask": False, "ceil_mode": False}, "Maximum over windows.", "2"),
    "MaxPool2D": (
        "max_pool2d", {**_K, "return_mask": False, "ceil_mode": False, "data_format": "NCHW"}, "Maximum over windows.", "2",
    ),
    "MaxPool3D": (
        "max_pool3d", {**_K, "return_mask": False, "ceil_mode": False, "data_format": "NCDHW"}, "Maximum over windows.", "2",
    ),
    "MaxUnPool1D": ("max_unpool1d", {**_K, "data_format": "NCL", "output_size": None}, "Puts maxima back in their places.", "2"),
    "MaxUnPool2D": ("max_unpool2d", {**_K, "data_format": "NCHW", "output_size": None}, "Puts maxima back in their places.", "2"),
    "MaxUnPool3D": ("max_unpool3d", {**_K, "data_format": "NCDHW", "output_size": None}, "Puts maxima back in their places.", "2"),
    "ChannelShuffle": ("channel_shuffle", {"groups": REQUIRED, "data_format": "NCHW"}, "Mixes the channels of groups.", "2"),
    "PixelShuffle": ("pixel_shuffle", {"upscale_factor": REQUIRED, "data_format": "NCHW"}, "Channels become pixels.", "2"),
    "PixelUnshuffle": ("pixel_unshuffle", {"downscale_factor": REQUIRED, "data_format": "NCHW"}, "Pixels become channels.", "2"),
    "Unfold": (
        "unfold", {"kernel_sizes": REQUIRED, "dilations": 1, "paddings": 0, "strides": 1}, "Windows become columns.", "2",
    ),
    "Fold": (
        "fold", {"output_sizes": REQUIRED, "kernel_sizes": REQUIRED, "dilations": 1, "paddings": 0, "strides": 1},
        "Columns become windows, overlaps summed.", "[4, 4], 2",
    ),
    "LocalResponseNorm": (
        "local_response_norm", {"size": REQUIRED, "alpha": 0.0001, "beta": 0.75, "k": 1.0, "data_format": "NCHW"},
        "Normalizes over neighbouring channels.", "5",
    ),
    "PairwiseDistance": ("pairwise_distance", {"p": 2.0, "epsilon": 1e-6, "keepdim": False}, "Distance of vectors in pairs.", ""),
}  # fmt: skip

for _name, (_function, _settings, _what, _arguments) in _TABLE.items():
    globals()[_name] = make(__name__, _name, _function, dict(_settings), _what, f"{_name}({_arguments})")

__all__ = sorted(_TABLE)

__getattr__ = missing(__name__)

"""Pooling layers, and others that only rearrange."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.nn.layer._calls import REQUIRED, CallLayer, make

_K: dict[str, Any] = {"kernel_size": REQUIRED, "stride": None, "padding": 0}
_FRACTIONAL: dict[str, Any] = {"output_size": REQUIRED, "kernel_size": None, "random_u": None, "return_mask": False}
# class: (function, settings, first line of the docstring, what its example makes it with)
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
    "LPPool1D": ("lp_pool1d", {"norm_type": REQUIRED, **_K, "ceil_mode": False, "data_format": "NCL"}, "Norms of windows.", "2, 2"),
    "LPPool2D": ("lp_pool2d", {"norm_type": REQUIRED, **_K, "ceil_mode": False, "data_format": "NCHW"}, "Norms of windows.", "2, 2"),
    "FractionalMaxPool2D": ("fractional_max_pool2d", dict(_FRACTIONAL), "Maximum over windows of changing size.", "4"),
    "FractionalMaxPool3D": ("fractional_max_pool3d", dict(_FRACTIONAL), "Maximum over windows of changing size.", "4"),
    "PairwiseDistance": ("pairwise_distance", {"p": 2.0, "epsilon": 1e-6, "keepdim": False}, "Distance of vectors in pairs.", ""),
}  # fmt: skip

def _example(name: str, arguments: str) -> tuple[str, str]:
    """What shows a layer at work: its shapes, or for those that move numbers the numbers."""
    sizes = int(name[-2]) if name.endswith("D") else 2
    made = f"paddle.nn.{name}({arguments})"
    if name.startswith("MaxUnPool"):
        ones = ", 1" * sizes
        indices = f"paddle.zeros([1, 1{ones}], 'int32')"
        return f"{made}(paddle.ones([1, 1{ones}]), {indices}).shape", str([1, 1] + [2] * sizes)
    if name in _EXAMPLES:
        return f"{made}({_EXAMPLES[name][0]}", _EXAMPLES[name][1]
    return f"{made}(paddle.ones([1, 3{', 8' * sizes}])).shape", str([1, 3] + [4] * sizes)


# class: what its example calls it with, and what Python shows; the others halve 8 in every direction
_EXAMPLES = {
    "ChannelShuffle": ("paddle.reshape(paddle.arange(4.0), [1, 4, 1, 1])).flatten().tolist()", "[0.0, 2.0, 1.0, 3.0]"),
    "PixelShuffle": ("paddle.ones([1, 4, 3, 3])).shape", "[1, 1, 6, 6]"),
    "PixelUnshuffle": ("paddle.ones([1, 1, 6, 6])).shape", "[1, 4, 3, 3]"),
    "Unfold": ("paddle.ones([1, 3, 4, 4])).shape", "[1, 12, 9]"),
    "Fold": ("paddle.ones([1, 12, 9])).shape", "[1, 3, 4, 4]"),
    "LocalResponseNorm": ("paddle.ones([1, 3, 2, 2])).shape", "[1, 3, 2, 2]"),
    "PairwiseDistance": ("paddle.to_tensor([[3.0, 4.0]]), paddle.to_tensor([[3.0, 0.0]])).shape", "[1]"),
}



class _Shuffle(CallLayer):
    """Takes whole numbers only."""

    def _check(self, settings: dict[str, Any]) -> None:
        key = next(iter(settings))
        if not isinstance(settings[key], int):
            raise type_error(key, "int", settings[key], type(self).__name__)
        if settings[key] <= 0 and key != "upscale_factor":
            raise invalid_argument(key, "a number above 0", settings[key], type(self).__name__)
        super()._check(settings)


class _Norm(CallLayer):
    """Holds its exponent as a float."""

    def _check(self, settings: dict[str, Any]) -> None:
        settings["norm_type"] = float(settings["norm_type"])


_SPELLINGS: dict[str, dict[str, str]] = {
    **dict.fromkeys((f"AdaptiveMaxPool{rank}D" for rank in (1, 2, 3)), {"return_indices": "return_mask"}),
    "Fold": {
        "output_size": "output_sizes", "kernel_size": "kernel_sizes", "dilation": "dilations", "padding": "paddings", "stride": "strides",
    },
    "PairwiseDistance": {"eps": "epsilon"},
}  # fmt: skip

for _name, (_function, _settings, _what, _arguments) in _TABLE.items():
    _base = _Shuffle if "huffle" in _name else _Norm if _name.startswith("LP") else CallLayer
    _spellings = _SPELLINGS.get(_name)
    _shows = _example(_name, _arguments)
    globals()[_name] = make(__name__, _name, _function, dict(_settings), _what, _shows, base=_base, spellings=_spellings)

# Paddle 3's names: the same layers, spelled otherwise
_TORCHS = {
    **{f"Adaptive{way}Pool{rank}d": f"Adaptive{way}Pool{rank}D" for way in ("Avg", "Max") for rank in (1, 2, 3)},
    **{f"MaxUnpool{rank}d": f"MaxUnPool{rank}D" for rank in (1, 2, 3)},
    **{f"LPPool{rank}d": f"LPPool{rank}D" for rank in (1, 2)},
}
globals().update({name: globals()[mine] for name, mine in _TORCHS.items()})

__all__ = sorted([*_TABLE, *_TORCHS])

__getattr__ = missing(__name__)

"""Cases of the operators on images."""

from __future__ import annotations

from typing import Any

import numpy as np
from nn_cases import case, normal, uniform

OLD, NEW = ("1.8.5",), ("2.6.2",)
X, X3, X5 = normal(2, 3, 5, 6), normal(2, 3, 5), normal(2, 2, 3, 4, 5)
IMAGES = {"linear": X3, "bilinear": X, "nearest": X, "bicubic": X, "trilinear": X5}


def resize(method: str, version: str, wheels: Any, inputs: Any = None, grads: Any = ("X",), **attrs: Any) -> Any:
    """An interpolation."""
    x = IMAGES[method]
    full = {"interp_method": method, "align_corners": True, "align_mode": 1, "data_layout": "NCHW"}
    full.update(attrs)
    if full["data_layout"].endswith("C"):
        x = np.moveaxis(x, 1, -1).copy()
    return case(method + "_interp" + version, dict({"X": x}, **(inputs or {})), full, grads, wheels=wheels)


SIZES = {
    "linear": {"out_w": 8},
    "bilinear": {"out_h": 7, "out_w": 4},
    "nearest": {"out_h": 7, "out_w": 4},
    "bicubic": {"out_h": 7, "out_w": 4},
    "trilinear": {"out_d": 5, "out_h": 3, "out_w": 7},
}
MODES = {
    "corners": {"align_corners": True},
    "half": {"align_corners": False, "align_mode": 0},
    "mode1": {"align_corners": False, "align_mode": 1},
}
CASES: dict[str, Any] = {}
for method, sizes in SIZES.items():
    for mode, attrs in MODES.items():
        if mode == "mode1" and method in ("nearest", "bicubic"):
            continue
        if method != "linear":
            CASES["_".join((method, "interp", mode))] = resize(method, "", ("1.8.5", "2.6.2"), **attrs, **sizes)
        CASES["_".join((method, "interp_v2", mode))] = resize(method, "_v2", NEW, **attrs, **sizes)
        scale = [1.7, 0.6, 2.3][: len(sizes)]
        CASES["_".join((method, "interp_v2_scale", mode))] = resize(method, "_v2", NEW, scale=scale, **attrs)
CASES.update(
    bilinear_interp_scale=resize("bilinear", "", ("1.8.5", "2.6.2"), scale=1.7, align_corners=False, align_mode=0),
    bilinear_interp_nhwc=resize("bilinear", "", ("1.8.5", "2.6.2"), data_layout="NHWC", out_h=3, out_w=9),
    bilinear_interp_outsize=resize(
        "bilinear", "", ("1.8.5", "2.6.2"), {"OutSize": np.array([4, 9], "int32")}, out_h=4, out_w=9
    ),
    nearest_interp_v2_nhwc=resize("nearest", "_v2", NEW, data_layout="NHWC", out_h=3, out_w=9, align_corners=False),
    bilinear_interp_v2_sizes=resize(
        "bilinear", "_v2", NEW, {"SizeTensor": [np.array([4], "int32"), np.array([9], "int32")]}, (), out_h=-1, out_w=-1
    ),
)
for mode in ("constant", "reflect", "edge"):
    CASES["pad2d_" + mode] = case(
        "pad2d",
        {"X": X},
        {"paddings": [1, 2, 0, 3], "mode": mode, "pad_value": 0.5, "data_format": "NCHW"},
        ("X",),
        wheels=OLD,
    )
CASES["pad2d_nhwc"] = case(
    "pad2d", {"X": X}, {"paddings": [1, 2, 0, 3], "mode": "reflect", "data_format": "NHWC"}, ("X",), wheels=OLD
)
for mode in ("constant", "reflect", "replicate", "circular"):
    CASES["pad3d_" + mode] = case(
        "pad3d",
        {"X": X5},
        {"paddings": [1, 2, 0, 3, 2, 1], "mode": mode, "value": 0.5, "data_format": "NCDHW"},
        ("X",),
        wheels=NEW,
    )
CASES["pad3d_ndhwc"] = case(
    "pad3d", {"X": X5}, {"paddings": [1, 2, 0, 1, 1, 1], "mode": "constant", "data_format": "NDHWC"}, ("X",), wheels=NEW
)
GRID, GRID3 = uniform(2, 4, 3, 2, low=-1.3, high=1.3), uniform(2, 2, 3, 4, 3, low=-1.3, high=1.3)
CASES["grid_sampler"] = case(
    "grid_sampler", {"X": X, "Grid": uniform(2, 5, 6, 2, low=-1.3, high=1.3)}, {}, ("X", "Grid")
)
for mode in ("bilinear", "nearest"):
    for padding in ("zeros", "border", "reflection"):
        for corners in (True, False):
            attrs = {"mode": mode, "padding_mode": padding, "align_corners": corners}
            name = "_".join(("grid_sampler", mode, padding, "corners" if corners else "centres"))
            CASES[name] = case("grid_sampler", {"X": X, "Grid": GRID}, attrs, ("X", "Grid"), wheels=NEW)
CASES["grid_sampler_3d"] = case("grid_sampler", {"X": X5, "Grid": GRID3}, {}, ("X", "Grid"), wheels=NEW)
CASES.update(
    affine_grid=case("affine_grid", {"Theta": normal(2, 2, 3)}, {"output_shape": [2, 3, 4, 5]}, ("Theta",)),
    affine_grid_tensor=case(
        "affine_grid", {"Theta": normal(2, 2, 3), "OutputShape": np.array([2, 3, 4, 5], "int32")}, {}, wheels=OLD
    ),
    affine_grid_centres=case(
        "affine_grid",
        {"Theta": normal(2, 2, 3)},
        {"output_shape": [2, 3, 4, 5], "align_corners": False},
        ("Theta",),
        wheels=NEW,
    ),
    affine_grid_3d=case(
        "affine_grid", {"Theta": normal(2, 3, 4)}, {"output_shape": [2, 3, 4, 5, 2]}, ("Theta",), wheels=NEW
    ),
    pixel_shuffle=case("pixel_shuffle", {"X": normal(2, 8, 3, 2)}, {"upscale_factor": 2}, ("X",)),
    pixel_shuffle_nhwc=case(
        "pixel_shuffle", {"X": normal(2, 3, 2, 8)}, {"upscale_factor": 2, "data_format": "NHWC"}, ("X",), wheels=NEW
    ),
    pixel_unshuffle=case("pixel_unshuffle", {"X": normal(2, 3, 4, 6)}, {"downscale_factor": 2}, ("X",), wheels=NEW),
    pixel_unshuffle_nhwc=case(
        "pixel_unshuffle", {"X": normal(2, 4, 6, 3)}, {"downscale_factor": 2, "data_format": "NHWC"}, ("X",), wheels=NEW
    ),
    channel_shuffle=case(
        "channel_shuffle", {"X": normal(2, 6, 2, 3)}, {"groups": 3, "data_format": "NCHW"}, ("X",), wheels=NEW
    ),
    channel_shuffle_nhwc=case(
        "channel_shuffle", {"X": normal(2, 2, 3, 6)}, {"groups": 3, "data_format": "NHWC"}, ("X",), wheels=NEW
    ),
    shuffle_channel=case("shuffle_channel", {"X": normal(2, 6, 2, 3)}, {"group": 2}, ("X",)),
    space_to_depth=case("space_to_depth", {"X": normal(2, 4, 4, 6)}, {"blocksize": 2}, ("X",), wheels=OLD),
    unfold=case(
        "unfold",
        {"X": X},
        {"kernel_sizes": [3, 2], "strides": [2, 1], "paddings": [1, 0, 2, 1], "dilations": [1, 2]},
        ("X",),
    ),
    fold=case(
        "fold",
        {"X": normal(2, 12, 12)},
        {
            "output_sizes": [4, 5],
            "kernel_sizes": [2, 2],
            "strides": [1, 1],
            "paddings": [0, 0, 0, 0],
            "dilations": [1, 1],
        },
        ("X",),
        wheels=NEW,
    ),
    temporal_shift=case("temporal_shift", {"X": normal(6, 8, 2, 2)}, {"seg_num": 3, "shift_ratio": 0.25}, ("X",)),
    temporal_shift_nhwc=case(
        "temporal_shift",
        {"X": normal(6, 2, 2, 8)},
        {"seg_num": 3, "shift_ratio": 0.25, "data_format": "NHWC"},
        ("X",),
        wheels=NEW,
    ),
)

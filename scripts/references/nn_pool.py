"""Cases of the pooling operators."""

from __future__ import annotations

from typing import Any

import numpy as np
from nn_cases import case, normal


def pool(x: Any, type_: str = "pool2d", **attrs: Any) -> Any:
    """A pooling with windows of 3 unless said otherwise."""
    nd = 3 if "3d" in type_ else 2
    full = {"ksize": [3] * nd, "strides": [1] * nd, "paddings": [0] * nd, "global_pooling": False, "adaptive": False}
    if "index" not in type_:
        full.update(pooling_type="max", ceil_mode=False, exclusive=True, data_format="NCDHW" if nd == 3 else "NCHW")
    full.update(attrs)
    return case(type_, {"X": x}, full, ["X"])


X, X3 = normal(2, 3, 7, 8), normal(2, 2, 5, 6, 7)
WINDOWS = {
    "plain": {},
    "strided": {"strides": [2, 3], "paddings": [1, 1]},
    "ceil": {"strides": [2, 3], "paddings": [1, 0], "ceil_mode": True},
    "ceil_far": {"ksize": [2, 2], "strides": [3, 3], "paddings": [1, 1], "ceil_mode": True},
    "uneven_padding": {"paddings": [1, 0, 0, 2]},
    "wide_padding": {"ksize": [3, 3], "paddings": [2, 2]},
    "same": {"strides": [2, 2], "padding_algorithm": "SAME"},
    "valid": {"strides": [2, 2], "padding_algorithm": "VALID", "paddings": [1, 1]},
    "global": {"global_pooling": True, "ksize": [2, 2], "paddings": [1, 1]},
    "adaptive": {"adaptive": True, "ksize": [3, 5]},
    "inclusive": {"exclusive": False, "paddings": [1, 1], "strides": [2, 2]},
    "inclusive_ceil": {"exclusive": False, "paddings": [1, 1], "strides": [2, 2], "ceil_mode": True},
    "inclusive_uneven": {"exclusive": False, "paddings": [1, 0, 0, 2]},
}
# What has no exclusive mean, what never reaches this operator, and windows that lie wholly in the padding.
SKIPPED = [("max", name) for name in WINDOWS if name.startswith("inclusive")] + [
    ("max", "adaptive"),
    ("avg", "ceil_far"),
]
CASES: dict[str, Any] = {
    "_".join(("pool2d", kind, name)): pool(X, pooling_type=kind, **attrs)
    for name, attrs in WINDOWS.items()
    for kind in ("max", "avg")
    if (kind, name) not in SKIPPED
}
CASES.update(
    {
        "pool2d_max_nhwc": pool(normal(2, 7, 8, 3), data_format="NHWC", paddings=[1, 1]),
        "pool2d_avg_nhwc": pool(normal(2, 7, 8, 3), pooling_type="avg", data_format="NHWC", paddings=[1, 1]),
        "pool3d_max": pool(X3, "pool3d", strides=[2, 2, 1], paddings=[1, 0, 1]),
        "pool3d_avg": pool(X3, "pool3d", pooling_type="avg", strides=[2, 2, 1], paddings=[1, 0, 1]),
        "pool3d_adaptive": pool(X3, "pool3d", pooling_type="avg", adaptive=True, ksize=[2, 3, 4]),
        "pool3d_global": pool(X3, "pool3d", pooling_type="avg", global_pooling=True),
        "max_pool2d_with_index": pool(X, "max_pool2d_with_index", strides=[2, 2], paddings=[1, 1]),
        "max_pool2d_with_index_adaptive": pool(X, "max_pool2d_with_index", adaptive=True, ksize=[3, 5]),
        "max_pool2d_with_index_global": pool(X, "max_pool2d_with_index", global_pooling=True),
        "max_pool3d_with_index": pool(X3, "max_pool3d_with_index", strides=[2, 1, 2]),
        "max_pool3d_with_index_adaptive": pool(X3, "max_pool3d_with_index", adaptive=True, ksize=[3, 2, 4]),
        "unpool": case(
            "unpool",
            {"X": normal(1, 2, 2, 2), "Indices": np.array([[[[5, 2], [9, 15]], [[0, 7], [8, 11]]]], "int32")},
            {"ksize": [2, 2], "strides": [2, 2], "paddings": [0, 0], "unpooling_type": "max", "output_size": [4, 4]},
            ("X",),
            wheels=("2.6.2",),
        ),
        "unpool3d": case(
            "unpool3d",
            {"X": normal(1, 1, 1, 2, 2), "Indices": np.array([[[[[5, 2], [9, 31]]]]], "int32")},
            {"ksize": [2, 2, 2], "strides": [2, 2, 2], "paddings": [0, 0, 0], "output_size": [2, 4, 4]},
            ("X",),
            wheels=("2.6.2",),
        ),
    }
)

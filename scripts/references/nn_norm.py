"""Cases of the normalization operators."""

from __future__ import annotations

from typing import Any

from nn_cases import case, normal, uniform

IN_PLACE = {"MeanOut": "Mean", "VarianceOut": "Variance"}


def batch(x: Any, channels: int, **attrs: Any) -> Any:
    """A batch norm; in training the gradient comes into Y only."""
    inputs = {
        "X": x,
        "Scale": uniform(channels, low=0.5, high=2.0),
        "Bias": normal(channels, seed=1),
        "Mean": normal(channels, seed=2),
        "Variance": uniform(channels, low=0.5, high=2.0, seed=3),
    }
    full = {"momentum": 0.9, "epsilon": 1e-5, "is_test": False, "use_global_stats": False, "data_layout": "NCHW"}
    full.update(attrs)
    trained = not full["is_test"]
    outputs = ["Y", "MeanOut", "VarianceOut"]
    grads = ["X", "Scale", "Bias"] if trained else []
    if full["use_global_stats"] and trained:
        outputs = ["Y"]
    return case("batch_norm", inputs, full, grads, outputs, upstream=["Y"], inplace=IN_PLACE)


def affine(type_: str, x: Any, size: int, names: Any = ("Mean", "Variance"), scaled: bool = True, **attrs: Any) -> Any:
    """A norm with scale and bias of some size."""
    inputs = {"X": x}
    if scaled:
        inputs.update(Scale=uniform(size, low=0.5, high=2.0), Bias=normal(size, seed=1))
    return case(type_, inputs, attrs, list(inputs), ["Y", *names], upstream=["Y"])


SAVED = ("SavedMean", "SavedVariance")
X, X2, X3 = normal(3, 4, 5, 6), normal(6, 4), normal(2, 4, 3, 4, 5)
COUNTS = {
    "BatchSize": uniform(4, low=50, high=90),
    "BatchSum": normal(4, seed=1) * 10,
    "BatchSquareSum": uniform(4, low=50, high=90, seed=2),
}
CASES: dict[str, Any] = {
    "batch_norm": batch(X, 4),
    "batch_norm_2d": batch(X2, 4, momentum=0.7, epsilon=1e-3),
    "batch_norm_5d": batch(X3, 4),
    "batch_norm_nhwc": batch(normal(3, 5, 6, 4), 4, data_layout="NHWC"),
    "batch_norm_test": batch(X, 4, is_test=True),
    "batch_norm_global": batch(X, 4, use_global_stats=True),
    "layer_norm": affine("layer_norm", X2, 4, begin_norm_axis=1, epsilon=1e-5),
    "layer_norm_deep": affine("layer_norm", X, 30, begin_norm_axis=2, epsilon=1e-3),
    "layer_norm_plain": affine("layer_norm", X, 120, begin_norm_axis=1, epsilon=1e-5, scaled=False),
    "instance_norm": affine("instance_norm", X, 4, SAVED, epsilon=1e-5),
    "instance_norm_3d": affine("instance_norm", X3, 4, SAVED, epsilon=1e-3),
    "group_norm": affine("group_norm", X, 4, groups=2, epsilon=1e-5, data_layout="NCHW"),
    "group_norm_nhwc": affine("group_norm", normal(3, 5, 6, 4), 4, groups=2, epsilon=1e-5, data_layout="NHWC"),
    "group_norm_plain": affine("group_norm", X, 4, groups=4, epsilon=1e-5, data_layout="NCHW", scaled=False),
    "group_norm_no_bias": case(
        "group_norm",
        {"X": X, "Scale": uniform(4, low=0.5, high=2.0)},
        {"groups": 2, "epsilon": 1e-5, "data_layout": "NCHW"},
        ("X", "Scale"),
        ("Y",),
    ),
    "group_norm_no_scale": case(
        "group_norm",
        {"X": X, "Bias": normal(4)},
        {"groups": 2, "epsilon": 1e-5, "data_layout": "NCHW"},
        ("X", "Bias"),
        ("Y",),
    ),
    "group_norm_nhwc_no_bias": case(
        "group_norm",
        {"X": normal(3, 5, 6, 4), "Scale": uniform(4, low=0.5, high=2.0)},
        {"groups": 2, "epsilon": 1e-5, "data_layout": "NHWC"},
        ("X", "Scale"),
        ("Y",),
    ),
    "data_norm": case(
        "data_norm", dict(COUNTS, X=X2), {"epsilon": 1e-4}, ("X",), ("Y", "Means", "Scales"), upstream=["Y"]
    ),
    "data_norm_shift": case(
        "data_norm",
        dict(COUNTS, X=X2, scale_w=uniform(4, seed=4), bias=normal(4, seed=5)),
        {"epsilon": 1e-4, "enable_scale_and_shift": True},
        ("X", "scale_w", "bias"),
        ("Y", "Means", "Scales"),
        upstream=["Y"],
    ),
    "spectral_norm": case(
        "spectral_norm",
        {"Weight": normal(4, 3, 2), "U": normal(4, seed=1), "V": normal(6, seed=2)},
        {"dim": 0, "power_iters": 2, "eps": 1e-12},
        ("Weight",),
    ),
    "spectral_norm_dim1": case(
        "spectral_norm",
        {"Weight": normal(4, 3, 2), "U": normal(3, seed=1), "V": normal(8, seed=2)},
        {"dim": 1, "power_iters": 1, "eps": 1e-12},
        ("Weight",),
    ),
    "spectral_norm_still": case(
        "spectral_norm",
        {"Weight": normal(4, 3), "U": normal(4, seed=1), "V": normal(3, seed=2)},
        {"dim": 0, "power_iters": 0, "eps": 1e-12},
        ("Weight",),
    ),
    "lrn": case(
        "lrn", {"X": X}, {"n": 3, "k": 1.5, "alpha": 0.1, "beta": 0.75, "data_format": "NCHW"}, ("X",), upstream=["Out"]
    ),
    "lrn_nhwc": case(
        "lrn", {"X": X}, {"n": 5, "k": 2.0, "alpha": 0.2, "beta": 0.5, "data_format": "NHWC"}, ("X",), upstream=["Out"]
    ),
    "affine_channel": case(
        "affine_channel",
        {"X": X, "Scale": normal(4, seed=1), "Bias": normal(4, seed=2)},
        {"data_layout": "NCHW"},
        ("X", "Scale", "Bias"),
    ),
    "affine_channel_nhwc": case(
        "affine_channel",
        {"X": X, "Scale": normal(6, seed=1), "Bias": normal(6, seed=2)},
        {"data_layout": "NHWC"},
        ("X", "Scale", "Bias"),
    ),
    "dropout_down_test": case(
        "dropout",
        {"X": X2},
        {"dropout_prob": 0.3, "is_test": True, "dropout_implementation": "downgrade_in_infer"},
        (),
        ("Out",),
    ),
    "dropout_up_test": case(
        "dropout",
        {"X": X2},
        {"dropout_prob": 0.3, "is_test": True, "dropout_implementation": "upscale_in_train"},
        (),
        ("Out",),
    ),
    "dropout_down": case(
        "dropout",
        {"X": normal(20, 30)},
        {"dropout_prob": 0.3, "fix_seed": True, "seed": 11, "dropout_implementation": "downgrade_in_infer"},
        ("X",),
    ),
    "dropout_up": case(
        "dropout",
        {"X": normal(20, 30)},
        {"dropout_prob": 0.3, "fix_seed": True, "seed": 11, "dropout_implementation": "upscale_in_train"},
        ("X",),
    ),
    "dropout_none": case(
        "dropout", {"X": X2}, {"dropout_prob": 0.0, "dropout_implementation": "upscale_in_train"}, ("X",)
    ),
    "dropout_all": case(
        "dropout", {"X": X2}, {"dropout_prob": 1.0, "dropout_implementation": "upscale_in_train"}, ("X",)
    ),
}

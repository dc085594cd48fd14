"""`paddle.nn.functional` but for losses: what every function records, and computes."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from nn_cases import integers, normal, uniform

Case = Callable[[Any], Any]
X, IMAGE, LINE, VOLUME = normal(4, 6), normal(2, 4, 6, 7), normal(2, 4, 9), normal(2, 2, 4, 5, 6)


def of(build: Any, *arrays: Any) -> Case:
    """Functions of fed variables, the first with an unknown batch; every output is fetched."""

    def case(paddle: Any) -> Any:
        feed = {"x%d" % i: a for i, a in enumerate(arrays)}
        made = [
            paddle.static.data(k, [None, *a.shape[1:]] if k == "x0" else list(a.shape), str(a.dtype))
            for k, a in feed.items()
        ]
        out = build(paddle.nn.functional, *made)
        return feed, list(out) if isinstance(out, (list, tuple)) else [out]

    return case


def fixed(build: Any, *arrays: Any) -> Case:
    """As `of`, with every dimension known."""

    def case(paddle: Any) -> Any:
        feed = {"x%d" % i: a for i, a in enumerate(arrays)}
        made = [paddle.static.data(k, list(a.shape), str(a.dtype)) for k, a in feed.items()]
        out = build(paddle.nn.functional, *made)
        return feed, list(out) if isinstance(out, (list, tuple)) else [out]

    return case


def unrun(build: Any, array: Any, known: bool = False) -> Case:
    """As `of` (or `fixed`), without running: the numbers are random."""
    whole = fixed(build, array) if known else of(build, array)

    def case(paddle: Any) -> None:
        whole(paddle)

    return case


ACTIVATIONS: dict[str, Any] = {
    "celu": lambda F, x: F.celu(x, 1.5),
    "elu": lambda F, x: F.elu(x, 0.2),
    "gelu": lambda F, x: [F.gelu(x), F.gelu(x, approximate=True)],
    "glu": lambda F, x: F.glu(x),
    "hardshrink": lambda F, x: F.hardshrink(x, 0.3),
    "hardsigmoid": lambda F, x: [F.hardsigmoid(x), F.hardsigmoid(x, 0.2, 0.4)],
    "hardswish": lambda F, x: F.hardswish(x),
    "hardtanh": lambda F, x: F.hardtanh(x, -0.5, 0.7),
    "leaky_relu": lambda F, x: [F.leaky_relu(x), F.leaky_relu(x, 0.2)],
    "log_sigmoid": lambda F, x: F.log_sigmoid(x),
    "log_softmax": lambda F, x: [F.log_softmax(x), F.log_softmax(x, 0, dtype="float64")],
    "mish": lambda F, x: F.mish(x),
    "relu": lambda F, x: F.relu(x),
    "relu_": lambda F, x: F.relu_(x),
    "relu6": lambda F, x: F.relu6(x),
    "selu": lambda F, x: F.selu(x),
    "sigmoid": lambda F, x: F.sigmoid(x),
    "silu": lambda F, x: F.silu(x),
    "softmax": lambda F, x: [F.softmax(x), F.softmax(x, 0, dtype="float64")],
    "softplus": lambda F, x: F.softplus(x, 2, 5),
    "softshrink": lambda F, x: F.softshrink(x, 0.4),
    "softsign": lambda F, x: F.softsign(x),
    "swish": lambda F, x: F.swish(x),
    "tanh": lambda F, x: F.tanh(x),
    "tanhshrink": lambda F, x: F.tanhshrink(x),
    "thresholded_relu": lambda F, x: F.thresholded_relu(x, 0.3),
    "rrelu_test": lambda F, x: F.rrelu(x, 0.1, 0.3, training=False),
}
CASES: dict[str, Case] = {name: of(build, X) for name, build in ACTIVATIONS.items()}
CASES.update(
    maxout=of(lambda F, x: F.maxout(x, 2), IMAGE),
    prelu=of(lambda F, x, w: F.prelu(x, w), IMAGE, normal(4)),
    prelu_all=of(lambda F, x, w: F.prelu(x, w), IMAGE, normal(1)),
    rrelu=unrun(lambda F, x: F.rrelu(x), IMAGE),
    gumbel_softmax=unrun(lambda F, x: [F.gumbel_softmax(x), F.gumbel_softmax(x, 0.5, hard=True)], X),
    # ---- common
    linear=of(lambda F, x, w, b: F.linear(x, w, b), X, normal(6, 3), normal(3)),
    linear_plain=of(lambda F, x, w: F.linear(x, w), normal(2, 4, 6), normal(6, 3)),
    bilinear=of(lambda F, x, y, w, b: F.bilinear(x, y, w, b), X, normal(4, 5), normal(3, 6, 5), normal(1, 3)),
    dropout=unrun(lambda F, x: [F.dropout(x, 0.3), F.dropout(x, 0.3, mode="downscale_in_infer")], X),
    dropout_test=of(lambda F, x: [F.dropout(x, 0.3, training=False), F.dropout(x, 0)], X),
    dropout_down_test=of(lambda F, x: F.dropout(x, 0.3, training=False, mode="downscale_in_infer"), X),
    dropout_axis=unrun(lambda F, x: [F.dropout(x, 0.3, axis=0), F.dropout(x, 0.4, axis=[0, 1])], X),
    dropout_axis_down=unrun(lambda F, x: F.dropout(x, 0.3, axis=1, mode="downscale_in_infer"), X),
    dropout_axis_test=of(lambda F, x: F.dropout(x, 0.3, axis=1, mode="downscale_in_infer", training=False), X),
    dropout2d=unrun(lambda F, x: [F.dropout2d(x), F.dropout2d(x, data_format="NHWC")], IMAGE),
    dropout3d=unrun(lambda F, x: F.dropout3d(x, 0.2), VOLUME),
    alpha_dropout=unrun(lambda F, x: F.alpha_dropout(x, 0.3), X, True),
    alpha_dropout_test=of(lambda F, x: F.alpha_dropout(x, 0.3, training=False), X),
    pad_1d=of(lambda F, x: [F.pad(x, [1, 2], data_format="NCL"), F.pad(x, [1, 2], "reflect", data_format="NLC")], LINE),
    pad_2d=of(
        lambda F, x: [F.pad(x, [1, 2, 0, 3], value=0.5), F.pad(x, [1, 2, 0, 3], "replicate", data_format="NHWC")], IMAGE
    ),
    pad_3d=of(lambda F, x: F.pad(x, [1, 1, 0, 2, 1, 0], "circular", data_format="NCDHW"), VOLUME),
    pad_all=of(lambda F, x: [F.pad(x, [0, 0, 0, 0, 1, 2, 3, 0]), F.pad(x, [1, 1, 1, 1], "reflect")], IMAGE),
    pad_matrix=of(lambda F, x: F.pad(x, [0, 0, 1, 2], value=1.5), X),
    zeropad2d=of(lambda F, x: F.zeropad2d(x, [1, 2, 3, 0]), IMAGE),
    interpolate=of(lambda F, x: [F.interpolate(x, [8, 9]), F.interpolate(x, scale_factor=2, mode="bilinear")], IMAGE),
    interpolate_modes=of(
        lambda F, x: [
            F.interpolate(x, [8, 9], mode="bilinear", align_corners=True),
            F.interpolate(x, scale_factor=[1.5, 2.0], mode="bicubic"),
            F.interpolate(x, [3, 4], mode="area"),
            F.interpolate(x, [8, 9], mode="bilinear", align_mode=1),
            F.upsample(x, [8, 9], data_format="NHWC"),
        ],
        IMAGE,
    ),
    interpolate_1d=of(lambda F, x: F.interpolate(x, [5], mode="linear", data_format="NCW"), LINE),
    interpolate_3d=of(lambda F, x: F.interpolate(x, [5, 6, 7], mode="trilinear", data_format="NCDHW"), VOLUME),
    unfold=of(lambda F, x: [F.unfold(x, 3), F.unfold(x, [3, 2], 2, [1, 0], [1, 2])], IMAGE),
    fold=of(lambda F, x: F.fold(x, [4, 5], 2, strides=1), normal(2, 12, 12)),
    cosine_similarity=of(
        lambda F, x, y: [F.cosine_similarity(x, y), F.cosine_similarity(x, y, axis=0)], X, normal(4, 6, seed=1)
    ),
    label_smooth=of(lambda F, x: F.label_smooth(x), uniform(4, 6)),
    label_smooth_prior=of(lambda F, x, p: F.label_smooth(x, p, 0.2), uniform(4, 6), uniform(1, 6)),
    # ---- convolutions
    conv1d=of(lambda F, x, w, b: F.conv1d(x, w, b, padding=1), LINE, normal(3, 4, 3), normal(3)),
    conv1d_uneven=of(lambda F, x, w: F.conv1d(x, w, padding=[1, 2]), LINE, normal(3, 4, 3)),
    conv1d_nlc=of(
        lambda F, x, w: F.conv1d(x, w, stride=2, padding="SAME", data_format="NLC"), normal(2, 9, 4), normal(3, 4, 3)
    ),
    conv2d=of(lambda F, x, w, b: F.conv2d(x, w, b, 2, 1), IMAGE, normal(3, 4, 3, 3), normal(3)),
    conv2d_plain=of(lambda F, x, w: F.conv2d(x, w, padding=[1, 0, 2, 1], groups=2), IMAGE, normal(6, 2, 3, 3)),
    conv2d_depthwise=of(lambda F, x, w: F.conv2d(x, w, groups=4, padding="VALID"), IMAGE, normal(8, 1, 3, 3)),
    conv2d_nhwc=of(
        lambda F, x, w, b: F.conv2d(x, w, b, data_format="NHWC"), normal(2, 6, 7, 4), normal(3, 4, 3, 3), normal(3)
    ),
    conv3d=of(lambda F, x, w, b: F.conv3d(x, w, b, padding=1), VOLUME, normal(3, 2, 3, 3, 3), normal(3)),
    conv1d_transpose=of(lambda F, x, w, b: F.conv1d_transpose(x, w, b, 2), LINE, normal(4, 3, 3), normal(3)),
    conv2d_transpose=of(lambda F, x, w, b: F.conv2d_transpose(x, w, b, 2, 1, 1), IMAGE, normal(4, 3, 3, 3), normal(3)),
    conv2d_transpose_size=of(
        lambda F, x, w: F.conv2d_transpose(x, w, stride=2, output_size=[14, 16]), IMAGE, normal(4, 3, 3, 3)
    ),
    conv2d_transpose_depthwise=of(lambda F, x, w: F.conv2d_transpose(x, w, groups=4), IMAGE, normal(4, 1, 3, 3)),
    conv3d_transpose=of(lambda F, x, w, b: F.conv3d_transpose(x, w, b, 2), VOLUME, normal(2, 3, 2, 2, 2), normal(3)),
    # ---- pooling
    max_pool1d=of(lambda F, x: [F.max_pool1d(x, 2), *F.max_pool1d(x, 3, 1, 1, return_mask=True)], LINE),
    avg_pool1d=of(lambda F, x: [F.avg_pool1d(x, 2), F.avg_pool1d(x, 3, 1, 1, exclusive=False)], LINE),
    max_pool2d=of(lambda F, x: [F.max_pool2d(x, 2), F.max_pool2d(x, 3, 2, 1, ceil_mode=True)], IMAGE),
    max_pool2d_mask=of(lambda F, x: F.max_pool2d(x, 2, return_mask=True), IMAGE),
    max_pool2d_nhwc=of(lambda F, x: F.max_pool2d(x, [3, 2], padding="SAME", data_format="NHWC"), IMAGE),
    avg_pool2d=of(lambda F, x: [F.avg_pool2d(x, 2), F.avg_pool2d(x, 3, 2, [1, 0], exclusive=False)], IMAGE),
    avg_pool2d_divisor=of(lambda F, x: F.avg_pool2d(x, 2, divisor_override=3), IMAGE),
    max_pool3d=of(lambda F, x: [F.max_pool3d(x, 2), *F.max_pool3d(x, 2, return_mask=True)], VOLUME),
    avg_pool3d=of(lambda F, x: F.avg_pool3d(x, 2, 1, "VALID"), VOLUME),
    adaptive_avg_pool1d=of(lambda F, x: F.adaptive_avg_pool1d(x, 4), LINE),
    adaptive_avg_pool2d=of(lambda F, x: [F.adaptive_avg_pool2d(x, 3), F.adaptive_avg_pool2d(x, [None, 2])], IMAGE),
    adaptive_avg_pool3d=of(lambda F, x: F.adaptive_avg_pool3d(x, [2, 3, None]), VOLUME),
    adaptive_max_pool1d=of(lambda F, x: [F.adaptive_max_pool1d(x, 4), *F.adaptive_max_pool1d(x, 4, True)], LINE),
    adaptive_max_pool2d=of(lambda F, x: [F.adaptive_max_pool2d(x, 3), *F.adaptive_max_pool2d(x, [3, 2], True)], IMAGE),
    adaptive_max_pool3d=of(lambda F, x: F.adaptive_max_pool3d(x, 2), VOLUME),
    max_unpool2d=of(lambda F, x: F.max_unpool2d(*F.max_pool2d(x, 2, return_mask=True), 2), normal(2, 4, 6, 8)),
    max_unpool1d=of(lambda F, x: F.max_unpool1d(*F.max_pool1d(x, 2, return_mask=True), 2), normal(2, 4, 8)),
    max_unpool3d=of(lambda F, x: F.max_unpool3d(*F.max_pool3d(x, 2, return_mask=True), 2), normal(2, 2, 4, 4, 6)),
    # ---- norms
    batch_norm=of(
        lambda F, x, m, v, w, b: F.batch_norm(x, m, v, w, b), IMAGE, normal(4), uniform(4), normal(4), normal(4)
    ),
    layer_norm=fixed(lambda F, x, w, b: F.layer_norm(x, [7], w, b), IMAGE, normal(7), normal(7)),
    layer_norm_plain=of(lambda F, x: F.layer_norm(x, [6, 7]), IMAGE),
    instance_norm=fixed(lambda F, x, w, b: F.instance_norm(x, weight=w, bias=b), IMAGE, normal(4), normal(4)),
    instance_norm_plain=of(lambda F, x: F.instance_norm(x), IMAGE),
    local_response_norm=of(lambda F, x: F.local_response_norm(x, 3), IMAGE),
    local_response_norm_nhwc=of(lambda F, x: F.local_response_norm(x, 3, data_format="NHWC"), IMAGE),
    local_response_norm_1d=of(lambda F, x: F.local_response_norm(x, 2), LINE),
    local_response_norm_3d=of(lambda F, x: F.local_response_norm(x, 3, data_format="NDHWC"), VOLUME),
    normalize=of(lambda F, x: [F.normalize(x), F.normalize(x, p=1.5, axis=0)], X),
    # ---- inputs, vision, extensions
    embedding=of(lambda F, i, w: [F.embedding(i, w), F.embedding(i, w, 2, True)], integers(4, 3, high=6), normal(6, 5)),
    one_hot=of(lambda F, i: F.one_hot(i, 6), integers(4, 3, high=6)),
    affine_grid=fixed(lambda F, t: F.affine_grid(t, [2, 3, 4, 5]), normal(2, 2, 3)),
    grid_sample=fixed(lambda F, x, g: F.grid_sample(x, g), IMAGE, uniform(2, 3, 4, 2)),
    pixel_shuffle=of(lambda F, x: F.pixel_shuffle(x, 2), IMAGE),
    pixel_unshuffle=of(lambda F, x: F.pixel_unshuffle(x, 2), normal(2, 3, 4, 6)),
    channel_shuffle=of(lambda F, x: F.channel_shuffle(x, 2), IMAGE),
    temporal_shift=of(lambda F, x: F.temporal_shift(x, 2), IMAGE),
    sequence_mask=of(lambda F, x: [F.sequence_mask(x, 5), F.sequence_mask(x, dtype="float32")], np.array([1, 3, 2])),
    gather_tree=fixed(lambda F, i, p: F.gather_tree(i, p), integers(3, 2, 2, high=5), integers(3, 2, 2, high=2)),
    pairwise_distance=of(
        lambda F, x, y: [F.pairwise_distance(x, y), F.pairwise_distance(x, y, 1, keepdim=True)], X, normal(4, 6, seed=1)
    ),
    attention=of(
        lambda F, q, k, v: F.scaled_dot_product_attention(q, k, v),
        normal(2, 3, 2, 4),
        normal(2, 5, 2, 4),
        normal(2, 5, 2, 4, seed=1),
    ),
)

"""Layers of `paddle.static.nn`, and `paddle.static.{accuracy, auc, data}`."""

from __future__ import annotations

from typing import Any, Callable

from nn_cases import integers, normal, uniform

Case = Callable[[Any], Any]
X, IDS, PAIRS = normal(4, 6), integers(4, 3, high=9), integers(4, 2, high=9)
IMAGE, VOLUME = normal(2, 4, 6, 7), normal(2, 2, 4, 5, 6)


def data(paddle: Any, name: str, array: Any) -> Any:
    """A feed whose first dimension is unknown."""
    return paddle.static.data(name, [None, *array.shape[1:]], str(array.dtype))


def of(array: Any, build: Any, **more: Any) -> Case:
    """A layer (or several) of one input."""

    def case(paddle: Any) -> Any:
        out = build(paddle.static.nn, data(paddle, "x", array))
        return {"x": array}, list(out) if isinstance(out, (list, tuple)) else [out]

    return case


def fc_many(paddle: Any) -> Any:
    """Two inputs, each with weights of its own."""
    inputs = [data(paddle, "x", X), data(paddle, "y", IMAGE)]
    out = paddle.static.nn.fc(inputs, 3, activation="softmax", weight_attr=["wa", "wb"])
    return {"x": X, "y": normal(4, 4, 6, 7)}, [out]


def fc_alpha(paddle: Any) -> Any:
    """The spelling of 2.6 twice, so that names go on counting."""
    x = data(paddle, "x", X)
    hidden = paddle.static.nn.fc(x, 4, activation="tanh")
    return {"x": X}, [paddle.static.nn.fc(hidden, 2, bias_attr=False, name="out")]


def fc_attrs(paddle: Any) -> Any:
    """Attributes of parameters."""
    attr = paddle.ParamAttr(name="w", initializer=paddle.nn.initializer.Constant(0.1), learning_rate=0.5)
    out = paddle.static.nn.fc(data(paddle, "x", X), 4, weight_attr=attr, bias_attr=paddle.ParamAttr(name="b"))
    return {"x": X}, [out]


def weight_norm(paddle: Any) -> Any:
    """A parameter that is split into direction and length."""
    attr = paddle.static.WeightNormParamAttr(dim=1, name="w")
    other = paddle.static.WeightNormParamAttr()
    x = data(paddle, "x", X)
    return {"x": X}, [paddle.static.nn.fc(x, 4, weight_attr=attr), paddle.static.nn.fc(x, 3, weight_attr=other)]


def weight_norms(paddle: Any) -> Any:
    """Lengths along other dimensions, of a bias, and of weights that stay as they are."""
    nn, norm = paddle.static.nn, paddle.static.WeightNormParamAttr
    x, image = data(paddle, "x", X), data(paddle, "image", IMAGE)
    outs = [
        nn.fc(x, 4, weight_attr=norm(dim=0, name="still", trainable=False), bias_attr=norm(dim=None)),
        nn.fc(x, 4, bias_attr=norm(dim=0, initializer=paddle.nn.initializer.Constant(0.5))),
        nn.conv2d(image, 3, 3, param_attr=norm(dim=0)),
        nn.conv2d(image, 3, 3, param_attr=norm(dim=1)),
        nn.conv2d(image, 3, 3, param_attr=norm(dim=-1)),
    ]
    return {"x": X, "image": IMAGE}, outs


def noise(paddle: Any) -> Any:
    """Noise contrastive estimation, with seeds: each sampler, weighted samples, two true classes."""
    x, label, pair = data(paddle, "x", X), data(paddle, "label", integers(4, 1, high=9)), data(paddle, "pair", PAIRS)
    weight = data(paddle, "weight", uniform(4, 1))
    nce = paddle.static.nn.nce
    chances = [0.05, 0.1, 0.15, 0.3, 0.05, 0.05, 0.1, 0.15, 0.05]
    outs = [
        nce(x, label, 9, seed=3),
        nce(x, pair, 9, sample_weight=weight, num_neg_samples=20, sampler="log_uniform", seed=4, is_sparse=True),
        nce(x, label, 9, bias_attr=False, sampler="custom_dist", custom_dist=chances, seed=5, name="own"),
    ]
    return {"x": X, "label": integers(4, 1, high=9), "pair": PAIRS, "weight": uniform(4, 1)}, outs


def table_on_servers(paddle: Any) -> None:
    """Sparse tables, which live on parameter servers: one process alone cannot run them."""
    ids = data(paddle, "ids", IDS[:, :1])
    paddle.static.nn.sparse_embedding(ids, [9, 4], padding_idx=1, is_test=True, slot=3, param_attr="rows")
    paddle.static.nn.sparse_embedding(ids, [9, 4])


def clicks(paddle: Any) -> None:
    """The sums behind the metrics of click-through models; the wheel does not run them with labels in whole numbers."""
    label, chance = paddle.static.data("label", [None, 1], "int64"), paddle.static.data("chance", [None, 1])
    assert len(paddle.static.ctr_metric_bundle(chance, label)) == 6
    paddle.static.ctr_metric_bundle(chance, label, paddle.static.data("weight", [None, 1]))


def clicks_of_floats(paddle: Any) -> Any:
    """The same with labels in floats, which run."""
    label, chance = uniform(4, 1, seed=1).round(), uniform(4, 1, seed=2)
    sums = paddle.static.ctr_metric_bundle(data(paddle, "chance", chance), data(paddle, "label", label))
    return {"label": label, "chance": chance}, list(sums)


def aucs(paddle: Any) -> Any:
    """Areas of all batches, of one and of several, with few thresholds."""
    scores, labels = uniform(6, 2, seed=1), integers(6, 1, high=2)
    x, label = data(paddle, "x", scores), data(paddle, "label", labels)
    found = [
        paddle.static.auc(x, label, num_thresholds=7, slide_steps=0),
        paddle.static.auc(x, label, curve="PR", num_thresholds=7, slide_steps=3),
        paddle.static.auc(x, label, ins_tag_weight=paddle.static.data("weight", [None, 1])),
    ]
    return {"x": scores, "label": labels}, [v for total, batch, states in found[:2] for v in (total, batch, *states)]


def classifier(paddle: Any) -> Any:
    """Accuracy and area under the curve of a classifier."""
    x, label = data(paddle, "x", X), data(paddle, "label", integers(4, 1, high=2))
    predict = paddle.static.nn.fc(x, 2, activation="softmax")
    accuracy = paddle.static.accuracy(predict, label, k=1)
    auc, batch_auc, states = paddle.static.auc(predict, label, num_thresholds=15, slide_steps=2)
    return {"x": X, "label": integers(4, 1, high=2)}, [predict, accuracy, auc, batch_auc, *states]


def auc_plain(paddle: Any) -> Any:
    """The defaults of auc, and a top-2 accuracy with counts."""
    x, label = data(paddle, "x", X), data(paddle, "label", integers(4, 1, high=2))
    predict = paddle.nn.functional.softmax(x)
    total = paddle.static.create_global_var([1], 0, "int64")
    correct = paddle.static.create_global_var([1], 0, "int64")
    accuracy = paddle.static.accuracy(predict, label, k=2, correct=correct, total=total)
    return {"x": X, "label": integers(4, 1, high=2)}, [accuracy]


def embeddings(paddle: Any) -> Any:
    """Tables: dense, sparse, padded, shared."""
    ids = data(paddle, "ids", IDS)
    nn = paddle.static.nn
    outs = [
        nn.embedding(ids, [9, 4]),
        nn.embedding(ids, [9, 4], is_sparse=True, param_attr=paddle.ParamAttr(name="table")),
        nn.embedding(ids, [9, 4], padding_idx=-2, param_attr="padded"),
        nn.embedding(ids, [9, 4], is_sparse=True, param_attr=paddle.ParamAttr(name="table")),
    ]
    return {"ids": IDS}, outs


def batch_norm_named(paddle: Any) -> Any:
    """Statistics with names, fetched after a step."""
    out = paddle.static.nn.batch_norm(
        data(paddle, "x", IMAGE), act="relu", momentum=0.8, moving_mean_name="bn_mean", moving_variance_name="bn_var"
    )
    return {"x": IMAGE}, [out, "bn_mean", "bn_var"]


def product(paddle: Any) -> Any:
    """x W y."""
    x, y = data(paddle, "x", X), data(paddle, "y", normal(4, 5))
    return {"x": X, "y": normal(4, 5)}, [paddle.static.nn.bilinear_tensor_product(x, y, 3, act="tanh")]


def deform(paddle: Any) -> Any:
    """Deformable convolutions with and without mask."""
    x = data(paddle, "x", IMAGE)
    offset, mask = normal(2, 18, 4, 5) * 0.1, uniform(2, 9, 4, 5)
    offsets, masks = data(paddle, "offset", offset), data(paddle, "mask", mask)
    nn = paddle.static.nn
    outs = [nn.deform_conv2d(x, offsets, masks, 3, 3), nn.deform_conv2d(x, offsets, None, 3, 3, bias_attr=False)]
    return {"x": IMAGE, "offset": offset, "mask": mask}, outs


def spectral(paddle: Any) -> Any:
    """The norm of a fed weight."""
    weight = paddle.static.data("w", [3, 4], "float32")
    return {"w": normal(3, 4)}, [paddle.static.nn.spectral_norm(weight, dim=1, power_iters=2)]


def feeds(paddle: Any) -> Any:
    """static.data in several spellings."""
    made = [
        paddle.static.data("a", [None, 3]),
        paddle.static.data("b", (-1, 2), dtype="int64"),
        paddle.static.data("c", [2], "float64", lod_level=1),
        paddle.static.data(name="d", shape=[], dtype="bool"),
    ]
    assert [v.stop_gradient for v in made] == [True] * 4


def training(paddle: Any) -> Any:
    """A small convolutional network with loss and gradients."""
    x, label = data(paddle, "x", IMAGE), data(paddle, "label", integers(2, 1, high=5))
    hidden = paddle.static.nn.conv2d(x, 6, 3, padding=1, act="relu")
    hidden = paddle.static.nn.batch_norm(hidden)
    logits = paddle.static.nn.fc(hidden, 5)
    loss = paddle.mean(paddle.nn.functional.cross_entropy(logits, label))
    grads = paddle.static.append_backward(loss)
    return {"x": IMAGE, "label": integers(2, 1, high=5)}, [loss] + [grad for _, grad in grads]


CASES: dict[str, Case] = {
    "fc": of(X, lambda nn, x: nn.fc(x, 4)),
    "fc_flatten": of(IMAGE, lambda nn, x: nn.fc(x, 4, num_flatten_dims=2, activation="relu", name="named")),
    "fc_deep": of(IMAGE, lambda nn, x: nn.fc(x, 4, num_flatten_dims=-1)),
    "fc_many": fc_many,
    "fc_alpha": fc_alpha,
    "fc_attrs": fc_attrs,
    "weight_norm": weight_norm,
    "weight_norms": weight_norms,
    "noise": noise,
    "table_on_servers": table_on_servers,
    "clicks": clicks,
    "clicks_of_floats": clicks_of_floats,
    "aucs": aucs,
    "conv2d": of(IMAGE, lambda nn, x: nn.conv2d(x, 6, 3, act="relu")),
    "conv2d_same": of(IMAGE, lambda nn, x: nn.conv2d(x, 6, (3, 2), stride=2, padding="SAME", bias_attr=False)),
    "conv2d_pads": of(
        IMAGE, lambda nn, x: nn.conv2d(x, 6, 3, padding=[[0, 0], [0, 0], [1, 2], [0, 1]], dilation=(2, 1))
    ),
    "conv2d_pads4": of(IMAGE, lambda nn, x: nn.conv2d(x, 6, 3, padding=[1, 2, 0, 1], groups=2)),
    "conv2d_valid": of(IMAGE, lambda nn, x: nn.conv2d(x, 6, 3, padding="valid", name="conv")),
    "conv2d_depthwise": of(IMAGE, lambda nn, x: nn.conv2d(x, 8, 3, groups=4)),
    "conv2d_nhwc": of(normal(2, 6, 7, 4), lambda nn, x: nn.conv2d(x, 3, 3, data_format="NHWC")),
    "conv2d_transpose": of(IMAGE, lambda nn, x: nn.conv2d_transpose(x, 3, filter_size=3, stride=2, act="tanh")),
    "conv2d_transpose_size": of(
        IMAGE, lambda nn, x: nn.conv2d_transpose(x, 3, output_size=[13, 15], stride=2, padding=1)
    ),
    "conv2d_transpose_both": of(
        IMAGE, lambda nn, x: nn.conv2d_transpose(x, 3, output_size=14, filter_size=[3, 2], stride=2)
    ),
    "conv2d_transpose_groups": of(
        IMAGE, lambda nn, x: nn.conv2d_transpose(x, 4, filter_size=3, groups=2, padding="SAME")
    ),
    "conv2d_transpose_depthwise": of(IMAGE, lambda nn, x: nn.conv2d_transpose(x, 4, filter_size=3, groups=4)),
    "conv3d": of(VOLUME, lambda nn, x: nn.conv3d(x, 3, 2, padding=1)),
    "conv3d_groups": of(VOLUME, lambda nn, x: nn.conv3d(x, 4, [1, 2, 3], (1, 2, 1), "SAME", groups=2, bias_attr=False)),
    "conv3d_ndhwc": of(normal(2, 4, 5, 6, 2), lambda nn, x: nn.conv3d(x, 3, 2, act="relu", data_format="NDHWC")),
    "conv3d_transpose_size": of(VOLUME, lambda nn, x: nn.conv3d_transpose(x, 2, [9, 11, 13], stride=2, groups=2)),
    "conv2d_transpose_nhwc": of(
        normal(2, 6, 7, 4), lambda nn, x: nn.conv2d_transpose(x, 3, filter_size=2, data_format="NHWC", padding=[1, 0])
    ),
    "conv2d_slow": of(IMAGE, lambda nn, x: nn.conv2d(x, 8, 3, groups=4, use_cudnn=False)),
    "conv3d_transpose": of(VOLUME, lambda nn, x: nn.conv3d_transpose(x, 3, filter_size=2, stride=2)),
    "batch_norm": of(IMAGE, lambda nn, x: nn.batch_norm(x)),
    "batch_norm_2d": of(X, lambda nn, x: nn.batch_norm(x, momentum=0.7, epsilon=1e-3)),
    "batch_norm_3d": of(normal(2, 3, 5), lambda nn, x: nn.batch_norm(x, param_attr="scale", bias_attr="shift")),
    "batch_norm_unscaled": of(IMAGE, lambda nn, x: nn.batch_norm(x, param_attr=False)),
    "batch_norm_test": of(IMAGE, lambda nn, x: nn.batch_norm(x, is_test=True)),
    "batch_norm_nhwc": of(IMAGE, lambda nn, x: nn.batch_norm(x, data_layout="NHWC", use_global_stats=True)),
    "batch_norm_named": batch_norm_named,
    "layer_norm": of(IMAGE, lambda nn, x: nn.layer_norm(x, act="relu")),
    "layer_norm_axis": of(IMAGE, lambda nn, x: nn.layer_norm(x, begin_norm_axis=2, shift=False)),
    "layer_norm_plain": of(IMAGE, lambda nn, x: nn.layer_norm(x, scale=False, shift=False)),
    "group_norm": of(IMAGE, lambda nn, x: nn.group_norm(x, 2, act="relu")),
    "group_norm_named": of(X, lambda nn, x: nn.group_norm(x, 3, param_attr="scale", bias_attr="shift")),
    "instance_norm_named": of(X, lambda nn, x: nn.instance_norm(x, 1e-3, param_attr="scale", bias_attr="shift")),
    "group_norm_nhwc": of(IMAGE, lambda nn, x: nn.group_norm(x, 7, data_layout="NHWC", bias_attr=False)),
    "instance_norm": of(IMAGE, lambda nn, x: nn.instance_norm(x)),
    "instance_norm_plain": of(IMAGE, lambda nn, x: nn.instance_norm(x, param_attr=False, bias_attr=False)),
    "data_norm": of(X, lambda nn, x: nn.data_norm(x, name="dn")),
    "data_norm_shift": of(
        X,
        lambda nn, x: nn.data_norm(
            x, act="relu", enable_scale_and_shift=True, param_attr={"bias": 0.1, "batch_size": 100}
        ),
    ),
    "prelu_all": of(IMAGE, lambda nn, x: nn.prelu(x, "all")),
    "prelu_channel": of(IMAGE, lambda nn, x: nn.prelu(x, "channel", param_attr="alpha")),
    "prelu_last": of(IMAGE, lambda nn, x: nn.prelu(x, "channel", data_format="NHWC", name="slopes")),
    "prelu_element": of(IMAGE, lambda nn, x: nn.prelu(x, "element")),
    "row_conv": of(normal(2, 5, 3), lambda nn, x: nn.row_conv(x, 2, act="relu")),
    "embeddings": embeddings,
    "product": product,
    "deform": deform,
    "spectral": spectral,
    "classifier": classifier,
    "auc_plain": auc_plain,
    "feeds": feeds,
    "training": training,
}

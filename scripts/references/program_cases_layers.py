"""Layers of `paddle.nn` in static mode: parameters, names, operators, numbers."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from nn_cases import integers, normal

Case = Callable[[Any], Any]
X, IMAGE, LINE, VOLUME = normal(4, 6), normal(2, 4, 6, 7), normal(2, 4, 9), normal(2, 2, 4, 5, 6)
IDS = integers(4, 3, high=9)
SEQUENCE = normal(2, 5, 8)


def of(build: Any, *arrays: Any) -> Case:
    """A layer made and called on fed variables, the first with an unknown batch; every output is fetched."""

    def case(paddle: Any) -> Any:
        feed = {"x%d" % i: a for i, a in enumerate(arrays)}
        made = [paddle.static.data(k, [None, *a.shape[1:]] if k == "x0" else list(a.shape), str(a.dtype)) for k, a in feed.items()]
        out = build(paddle.nn)(*made)
        return feed, list(out) if isinstance(out, (list, tuple)) else [out]

    return case


def still(build: Any, *arrays: Any) -> Case:
    """As `of`, in inference mode."""
    return of(lambda nn: [layer for layer in (build(nn),) if layer.eval() in (None, layer)][0], *arrays)


def names(paddle: Any) -> Any:
    """Names of layers, parameters and sublayers."""
    nn = paddle.nn

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Linear(6, 4)
            self.rest = nn.Sequential(nn.ReLU(), nn.Linear(4, 3), nn.Sequential(("last", nn.BatchNorm1D(3))))
            self.scale = self.create_parameter([3], default_initializer=nn.initializer.Constant(2.0))
            self.shift = self.create_parameter([3], is_bias=True)

        def forward(self, x: Any) -> Any:
            return self.rest(self.first(x)) * self.scale + self.shift

    net = Net()
    found = {
        "full_name": net.full_name(),
        "parameters": [n for n, _ in net.named_parameters()],
        "parameter_names": [p.name for p in net.parameters()],
        "sublayers": [n for n, _ in net.named_sublayers()],
        "state": list(net.state_dict()),
        "children": [n for n, _ in net.named_children()],
        "repr": repr(net),
    }
    return {"x": X}, [net(paddle.static.data("x", [None, 6]))], found


def hooks(paddle: Any) -> Any:
    """Hooks before and after forward."""
    layer = paddle.nn.Linear(6, 4)
    before = layer.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 2,))
    after = layer.register_forward_post_hook(lambda layer, inputs, output: output + 1)
    x = paddle.static.data("x", [None, 6])
    first = layer(x)
    before.remove()
    after.remove()
    return {"x": X}, [first, layer(x)]


def shared(paddle: Any) -> Any:
    """One layer called twice, a parameter with a given name, one without bias."""
    nn = paddle.nn
    layer = nn.Linear(6, 6, weight_attr=paddle.ParamAttr(name="w", learning_rate=0.1), bias_attr=False)
    x = paddle.static.data("x", [None, 6])
    return {"x": X}, [layer(layer(x))]


def batch_norm_steps(paddle: Any) -> Any:
    """Running statistics after a step."""
    layer = paddle.nn.BatchNorm2D(4, momentum=0.7, weight_attr=False)
    out = layer(paddle.static.data("x", [None, 4, 6, 7]))
    return {"x": IMAGE}, [out, layer._mean, layer._variance]


def transformer(paddle: Any) -> Any:
    """Encoder and decoder, without dropout."""
    nn = paddle.nn
    net = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0)
    mask = net.generate_square_subsequent_mask(4)
    source = paddle.static.data("s", [2, 5, 8])
    target = paddle.static.data("t", [2, 4, 8])
    return {"s": SEQUENCE, "t": normal(2, 4, 8)}, [net(source, target, tgt_mask=mask)]


def hsigmoid(paddle: Any) -> Any:
    """A tree of classes."""
    layer = paddle.nn.HSigmoidLoss(6, 5)
    out = layer(paddle.static.data("x", [4, 6]), paddle.static.data("label", [4, 1], "int64"))
    return {"x": X, "label": integers(4, 1, high=5)}, [out]


CASES: dict[str, Case] = {
    "linear": of(lambda nn: nn.Linear(6, 4), X),
    "linear_plain": of(lambda nn: nn.Linear(6, 4, bias_attr=False, name="named"), X),
    "conv1d": of(lambda nn: nn.Conv1D(4, 3, 3, padding=1), LINE),
    "conv2d": of(lambda nn: nn.Conv2D(4, 6, 3, stride=2, padding=1), IMAGE),
    "conv2d_groups": of(lambda nn: nn.Conv2D(4, 8, (3, 2), groups=4, bias_attr=False), IMAGE),
    "conv2d_reflect": of(lambda nn: nn.Conv2D(4, 3, 3, padding=1, padding_mode="reflect"), IMAGE),
    "conv3d": of(lambda nn: nn.Conv3D(2, 3, 2, padding="SAME"), VOLUME),
    "conv1d_transpose": of(lambda nn: nn.Conv1DTranspose(4, 3, 3, stride=2), LINE),
    "conv2d_transpose": of(lambda nn: nn.Conv2DTranspose(4, 3, 3, stride=2, output_padding=1), IMAGE),
    "conv3d_transpose": of(lambda nn: nn.Conv3DTranspose(2, 3, 2, stride=2), VOLUME),
    "batch_norm": of(lambda nn: nn.BatchNorm(4, act="relu"), IMAGE),
    "batch_norm1d": of(lambda nn: nn.BatchNorm1D(6), X),
    "batch_norm2d_test": still(lambda nn: nn.BatchNorm2D(4), IMAGE),
    "batch_norm3d": of(lambda nn: nn.BatchNorm3D(2, epsilon=1e-3), VOLUME),
    "batch_norm_steps": batch_norm_steps,
    "layer_norm": of(lambda nn: nn.LayerNorm([6, 7]), IMAGE),
    "layer_norm_plain": of(lambda nn: nn.LayerNorm(6, weight_attr=False, bias_attr=False), X),
    "group_norm": of(lambda nn: nn.GroupNorm(2, 4), IMAGE),
    "group_norm_plain": of(lambda nn: nn.GroupNorm(2, 4, weight_attr=False, bias_attr=False), IMAGE),
    "instance_norm1d": of(lambda nn: nn.InstanceNorm1D(4), LINE),
    "instance_norm2d": of(lambda nn: nn.InstanceNorm2D(4), IMAGE),
    "instance_norm3d": of(lambda nn: nn.InstanceNorm3D(2, weight_attr=False, bias_attr=False), VOLUME),
    "local_response_norm": of(lambda nn: nn.LocalResponseNorm(3), IMAGE),
    "spectral_norm": of(lambda nn: nn.SpectralNorm([4, 6], dim=1, power_iters=2), X),
    "embedding": of(lambda nn: nn.Embedding(9, 4), IDS),
    "embedding_padding": of(lambda nn: nn.Embedding(9, 4, padding_idx=2, sparse=True), IDS),
    "dropout_test": still(lambda nn: nn.Dropout(0.3), X),
    "prelu": of(lambda nn: nn.PReLU(4, 0.1), IMAGE),
    "bilinear": of(lambda nn: nn.Bilinear(6, 5, 3), X, normal(4, 5)),
    "flatten": of(lambda nn: nn.Flatten(), IMAGE),
    "unflatten": of(lambda nn: nn.Unflatten(1, [2, 3]), X),
    "activations": of(
        lambda nn: nn.Sequential(
            nn.CELU(),
            nn.ELU(),
            nn.GELU(),
            nn.Hardshrink(),
            nn.Hardsigmoid(),
            nn.Hardswish(),
            nn.Hardtanh(),
            nn.LeakyReLU(),
            nn.LogSigmoid(),
            nn.Mish(),
            nn.ReLU6(),
            nn.SELU(),
            nn.Silu(),
            nn.Softplus(),
            nn.Softshrink(),
            nn.Softsign(),
            nn.Swish(),
            nn.Tanh(),
            nn.Tanhshrink(),
            nn.ThresholdedReLU(-1.0),
            nn.Softmax(),
            nn.LogSoftmax(),
            nn.GLU(),
            nn.Identity(3),
        ),
        X,
    ),
    "image_layers": of(
        lambda nn: nn.Sequential(
            nn.MaxPool2D(2, 1),
            nn.AvgPool2D(2, 1),
            nn.Pad2D([1, 0, 2, 1]),
            nn.ZeroPad2D(1),
            nn.Softmax2D(),
            nn.Maxout(2),
            nn.Upsample(size=[8, 10], mode="bilinear"),
            nn.UpsamplingNearest2D(scale_factor=2),
            nn.UpsamplingBilinear2D(size=[8, 8]),
            nn.PixelUnshuffle(2),
            nn.ChannelShuffle(2),
            nn.PixelShuffle(2),
            nn.AdaptiveAvgPool2D(6),
            nn.AdaptiveMaxPool2D(4),
            nn.Unfold(2, strides=2),
            nn.Fold(4, 2, strides=2),
        ),
        IMAGE,
    ),
    "line_layers": of(
        lambda nn: nn.Sequential(
            nn.MaxPool1D(2, 1), nn.AvgPool1D(2, 1), nn.Pad1D([1, 1]), nn.AdaptiveAvgPool1D(6), nn.AdaptiveMaxPool1D(3)
        ),
        LINE,
    ),
    "volume_layers": of(
        lambda nn: nn.Sequential(nn.MaxPool3D(2, 1), nn.AvgPool3D(2, 1), nn.Pad3D(1), nn.AdaptiveAvgPool3D(3), nn.AdaptiveMaxPool3D(2)),
        VOLUME,
    ),
    "cosine_similarity": of(lambda nn: nn.CosineSimilarity(), X, normal(4, 6, seed=1)),
    "pairwise_distance": of(lambda nn: nn.PairwiseDistance(), X, normal(4, 6, seed=1)),
    "losses": of(
        lambda nn: lambda x, y: [nn.CrossEntropyLoss()(x, y), nn.NLLLoss()(nn.functional.log_softmax(x), y)],
        X,
        integers(4, high=6),
    ),
    "regressions": of(
        lambda nn: (
            lambda x, y: [
                nn.MSELoss()(x, y),
                nn.L1Loss()(x, y),
                nn.SmoothL1Loss()(x, y),
                nn.KLDivLoss()(x, y),
                nn.BCEWithLogitsLoss()(x, y),
            ]
        ),
        X,
        np.abs(normal(4, 6, seed=1)),
    ),
    "hsigmoid": hsigmoid,
    "attention": of(lambda nn: nn.MultiHeadAttention(8, 2), SEQUENCE),
    "attention_weights": of(
        lambda nn: lambda q, m: nn.MultiHeadAttention(8, 2, need_weights=True)(q, q, q, m), SEQUENCE, normal(2, 2, 5, 5)
    ),
    "encoder_layer": of(lambda nn: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), SEQUENCE),
    "encoder_dropout": still(lambda nn: nn.TransformerEncoderLayer(8, 2, 16, activation="gelu", normalize_before=True), SEQUENCE),
    "encoder": of(
        lambda nn: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), 2, nn.LayerNorm(8)),
        SEQUENCE,
    ),
    "transformer": transformer,
    "names": names,
    "hooks": hooks,
    "shared": shared,
}

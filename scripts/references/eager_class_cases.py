"""Layers of `paddle.nn` called eagerly: results, gradients, random masks, states, modes and wrong use.

eager_classes_2.6.2.json is {case: answer}. Most layers are in program_cases_layers.py; here is what Programs do not show.
"""

# ruff: noqa: B023  # functions made in loops are called in the same turn

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from eager_answers import Case, answer, plain, refused
from eager_programs import flat, weights
from nn_cases import integers, normal, uniform

WHEELS = ("2.6.2",)
X, Y, IMAGE, LINE, VOLUME = normal(4, 6), normal(4, 6, seed=1), normal(2, 4, 6, 8), normal(2, 4, 8), normal(2, 2, 4, 4, 6)
P, COIN = uniform(4, 6, low=0.05, high=0.95), integers(4, 6, high=2).astype("float32")
SEQUENCE = normal(2, 5, 8)


def trained(paddle: Any, layer: Any, *arrays: Any, **more: Any) -> Any:
    """Outputs of one call, and the gradients of inputs and parameters."""
    given = [a if a is None else paddle.to_tensor(a, stop_gradient=a.dtype.kind != "f") for a in arrays]
    outputs = [o for o in flat(layer(*given, **more)) if hasattr(o, "stop_gradient")]
    losses = [(o * weights(paddle, o)).sum() for o in outputs if not o.stop_gradient and "float" in str(o.dtype)]
    if losses:
        paddle.autograd.backward(losses)
    parameters = [[p.name, list(p.shape), plain(p.grad)] for p in layer.parameters()] if hasattr(layer, "parameters") else []
    return [outputs, [plain(x.grad) for x in given if x is not None], parameters]


def of(build: Callable[[Any], Any], *arrays: Any, **more: Any) -> Case:
    """A layer that is made, called and differentiated."""
    return lambda paddle: trained(paddle, build(paddle.nn), *arrays, **more)


def modes(build: Callable[[Any], Any], array: Any) -> Case:
    """A layer in training and inference."""

    def case(paddle: Any) -> Any:
        layer = build(paddle.nn)
        first = trained(paddle, layer, array)
        layer.eval()
        return [first, trained(paddle, layer, array)]

    return case


def refusals(*calls: Callable[[Any, Any], Any]) -> Case:
    """What the wheel raises for each of some calls of (paddle, nn)."""
    return lambda paddle: [refused(lambda: call(paddle, paddle.nn)) for call in calls]


def reductions(build: Callable[[Any, str], Any], *arrays: Any) -> Case:
    """A loss with each of its reductions."""
    return lambda paddle: [trained(paddle, build(paddle.nn, how), *arrays) for how in ("mean", "sum", "none")]


def norm_steps(build: Callable[[Any], Any], array: Any) -> Case:
    """Running statistics over three steps, then inference."""

    def case(paddle: Any) -> Any:
        layer, found = build(paddle.nn), []
        for factor in (1.0, 2.0, -1.0):
            found.append([layer(paddle.to_tensor(array * np.float32(factor))), layer._mean, layer._variance])
            found[-1] = [found[-1][0].numpy(), found[-1][1].numpy(), found[-1][2].numpy()]
        layer.eval()
        return [found, trained(paddle, layer, array), [n for n, _ in layer.named_parameters()], [n for n, _ in layer.named_buffers()]]

    return case


def unpooled(paddle: Any) -> Any:
    nn, found = paddle.nn, []
    for rank, array in ((1, LINE), (2, IMAGE), (3, VOLUME)):
        x = paddle.to_tensor(array, stop_gradient=False)
        out, places = getattr(nn, f"MaxPool{rank}D")(2, return_mask=True)(x)
        back = getattr(nn, f"MaxUnPool{rank}D")(2)(out, places)
        paddle.autograd.backward([(back * weights(paddle, back)).sum()])
        found.append([out, places, back, x.grad])
    return found


def distances(paddle: Any) -> Any:
    nn = paddle.nn
    layers = (nn.TripletMarginWithDistanceLoss(), nn.TripletMarginWithDistanceLoss(nn.PairwiseDistance(1.0), 0.5, True, "sum"))
    return [trained(paddle, layer, X, Y, normal(4, 6, seed=2)) for layer in layers]


def beams(paddle: Any) -> Any:
    """A beam search with a cell, eagerly."""
    nn = paddle.nn
    cell, embed, out = nn.GRUCell(4, 4), nn.Embedding(7, 4), nn.Linear(4, 7)
    decoder = nn.BeamSearchDecoder(cell, start_token=0, end_token=1, beam_size=2, embedding_fn=embed, output_fn=out)
    start = paddle.to_tensor(normal(3, 4))
    ids, states, lengths = nn.dynamic_decode(decoder, inits=start, max_step_num=4, return_length=True)
    return [ids, lengths, flat(states), nn.BeamSearchDecoder.tile_beam_merge_with_batch(start, 2)]


def own_cell(paddle: Any) -> Any:
    """A recurrent layer around a cell of the user's."""

    class Cell(paddle.nn.RNNCellBase):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.step = paddle.nn.Linear(6, 2)

        @property
        def state_shape(self) -> Any:
            return (2,)

        def forward(self, inputs: Any, states: Any = None) -> Any:
            if states is None:
                states = self.get_initial_states(inputs, self.state_shape)
            new = paddle.tanh(self.step(paddle.concat([inputs, states], -1)))
            return new, new

    return [
        trained(paddle, paddle.nn.RNN(Cell()), normal(3, 5, 4)),
        trained(paddle, paddle.nn.RNN(Cell(), is_reverse=True, time_major=True), normal(5, 3, 4)),
    ]


def recurrent(kind: str, **how: Any) -> Case:
    """A recurrent layer with lengths and first states."""

    def case(paddle: Any) -> Any:
        layer = getattr(paddle.nn, kind)(4, 6, **how)
        x = normal(5, 3, 4) if how.get("time_major") else normal(3, 5, 4)
        many = how.get("num_layers", 1) * (2 if "bi" in how.get("direction", "") else 1)
        h, c = normal(many, 3, 6), normal(many, 3, 6, seed=1)
        first = trained(paddle, layer, x, sequence_length=paddle.to_tensor([5, 2, 3]))
        states = (paddle.to_tensor(h), paddle.to_tensor(c)) if kind == "LSTM" else paddle.to_tensor(h)
        layer.clear_gradients()
        second = trained(paddle, layer, x, initial_states=states)
        return [first, second, list(layer.state_dict()), [n for n, _ in layer.named_sublayers()]]

    return case


def attention_caches(paddle: Any) -> Any:
    """Attention step by step, with the caches of self- and cross-attention."""
    nn = paddle.nn
    layer = nn.MultiHeadAttention(8, 2)
    layer.eval()
    x, memory = paddle.to_tensor(SEQUENCE), paddle.to_tensor(normal(2, 3, 8))
    static = layer.gen_cache(memory, memory, nn.MultiHeadAttention.StaticCache)
    split = paddle.to_tensor(normal(2, 2, 2, 4))
    growing = layer.gen_cache(split, split)
    empty = layer.gen_cache(x)
    out, after = layer(x[:, 2:3], cache=growing)
    second, more = layer(x[:, 3:4], cache=empty)
    third = layer(x[:, :1], memory, memory, cache=static)
    shapes = [list(c.k.shape) for c in (static, growing, empty, after, more)]
    return [out, second, third[0], [type(c).__name__ for c in (static, growing, empty, third[1])], shapes]


def decoder_caches(paddle: Any) -> Any:
    """An encoder and a decoder step by step."""
    nn = paddle.nn
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, 0.0), 2)
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, 0.0, normalize_before=True), 2, nn.LayerNorm(8))
    memory = encoder(paddle.to_tensor(SEQUENCE))
    cache = decoder.gen_cache(memory)
    found = []
    for step in range(3):
        out, cache = decoder(paddle.to_tensor(normal(2, 3, 8)[:, step : step + 1]), memory, cache=cache)
        found.append(out)
    enc_out, enc_cache = encoder(paddle.to_tensor(SEQUENCE[:, :1]), cache=encoder.gen_cache(memory))
    zipped = decoder.gen_cache(memory, do_zip=True)
    return [memory, found, enc_out, len(cache), len(enc_cache), len(zipped), [len(z) for z in zipped]]


def masks(paddle: Any) -> Any:
    """Attention with masks of each data type."""
    layer = paddle.nn.MultiHeadAttention(8, 2, kdim=6, vdim=4)
    q, k, v = (paddle.to_tensor(a) for a in (SEQUENCE, normal(2, 3, 6), normal(2, 3, 4)))
    keep = np.array([[1, 1, 0], [1, 0, 1]])[:, None, None, :].repeat(5, 2)
    found = [layer(q, k, v, paddle.to_tensor(m)) for m in (keep.astype(bool), keep.astype("int64"), (keep * 1e4 - 1e4).astype("float32"))]
    return [found, paddle.nn.Transformer(8, 2, 1, 1, 8).generate_square_subsequent_mask(3)]


def transformer(paddle: Any) -> Any:
    """A whole one, trained, with dropout drawn as the wheel does."""
    net = paddle.nn.Transformer(8, 2, 1, 1, 16, dropout=0.1, normalize_before=True, activation="gelu")
    found = trained(paddle, net, SEQUENCE, normal(2, 4, 8))
    net.eval()
    return [found, trained(paddle, net, SEQUENCE, normal(2, 4, 8)), [n for n, _ in net.named_parameters()]]


def spectral(paddle: Any) -> Any:
    """Spectral norm over several steps."""
    layer = paddle.nn.SpectralNorm([4, 6], dim=0, power_iters=1)
    weight = paddle.to_tensor(X)
    found = [layer(weight).numpy() for _ in range(3)]
    return [found, trained(paddle, layer, X), [n for n, _ in layer.named_parameters()], [n for n, _ in layer.named_buffers()]]


def synchronised(paddle: Any) -> Any:
    """Batch norms turned into synchronised ones; the wheel's CPU has no kernel for them."""
    nn = paddle.nn
    net = nn.Sequential(nn.Conv2D(4, 3, 1), nn.BatchNorm2D(3, momentum=0.7), nn.Sequential(nn.BatchNorm1D(2)))
    turned = nn.SyncBatchNorm.convert_sync_batchnorm(net)
    alone = nn.SyncBatchNorm.convert_sync_batchnorm(nn.BatchNorm2D(3))
    kinds = [type(layer).__name__ for layer in turned.sublayers()]
    return [kinds, turned is net, type(alone).__name__, list(turned.state_dict()), turned[1]._momentum, repr(turned)]


def sparse_embedding(paddle: Any) -> Any:
    """A sparse gradient of an embedding, summed up."""
    layer = paddle.nn.Embedding(5, 3, sparse=True)
    out = layer(paddle.to_tensor([[1, 3], [1, 0]]))
    paddle.autograd.backward([(out * weights(paddle, out)).sum()])
    return [out, layer.weight.grad is None, layer.weight.numpy()]


def in_place(paddle: Any) -> Any:
    """Functions that overwrite their argument: a result, a leaf, and a leaf where nothing is remembered."""
    functional, found = paddle.nn.functional, []
    for name in ("elu_", "hardtanh_", "leaky_relu_", "relu_", "softmax_", "tanh_", "thresholded_relu_"):
        function = getattr(functional, name)
        leaf = paddle.to_tensor(X, stop_gradient=False)
        x = leaf * 2.0
        out = function(x)
        paddle.autograd.backward([(out * weights(paddle, out)).sum()])
        found.append([out, x, leaf.grad, refused(lambda: function(leaf))])
        other = paddle.to_tensor(X, stop_gradient=False)
        with paddle.no_grad():
            function(other)
        found.append([other, other.stop_gradient])
    return found


CASES: dict[str, Case] = {
    "in_place": in_place,
    "dropout": modes(lambda nn: nn.Dropout(0.3), X),
    "dropout_down": modes(lambda nn: nn.Dropout(0.4, mode="downscale_in_infer"), X),
    "dropout_axis": modes(lambda nn: nn.Dropout(0.5, axis=0), X),
    "dropout_axes": modes(lambda nn: nn.Dropout(0.5, axis=[0, 1]), IMAGE),
    "dropout_edges": lambda paddle: [trained(paddle, paddle.nn.Dropout(p), X) for p in (0, 0.0, 1, 1.0)],
    "dropout_double": modes(lambda nn: nn.Dropout(0.3), X.astype("float64")),
    "dropout2d": modes(lambda nn: nn.Dropout2D(0.5), IMAGE),
    "dropout2d_last": modes(lambda nn: nn.Dropout2D(0.5, data_format="NHWC"), IMAGE),
    "dropout3d": modes(lambda nn: nn.Dropout3D(0.5), VOLUME),
    "alpha_dropout": modes(lambda nn: nn.AlphaDropout(0.3), X),
    "dropouts_in_a_row": lambda paddle: [paddle.nn.functional.dropout(paddle.to_tensor(X), 0.5) for _ in range(3)],
    "rrelu": modes(lambda nn: nn.RReLU(0.1, 0.4), X),
    "gumbel_softmax": lambda paddle: [
        trained(paddle, lambda x: paddle.nn.functional.gumbel_softmax(x, 0.5, hard), X) for hard in (False, True)
    ],
    "dropout_wrongly": refusals(
        lambda paddle, nn: nn.Dropout(-0.1)(paddle.ones([2])),
        lambda paddle, nn: nn.Dropout(1.1)(paddle.ones([2])),
        lambda paddle, nn: nn.Dropout("a")(paddle.ones([2])),
        lambda paddle, nn: nn.Dropout(0.5, mode="none")(paddle.ones([2])),
        lambda paddle, nn: nn.Dropout(0.5, axis=3)(paddle.ones([2])),
        lambda paddle, nn: nn.Dropout(0.5, axis="a")(paddle.ones([2])),
        lambda paddle, nn: nn.Dropout2D(0.5)(paddle.ones([2])),
        lambda paddle, nn: nn.Dropout2D(0.5, data_format="NCDHW")(paddle.ones([2, 2, 2, 2])),
        lambda paddle, nn: nn.AlphaDropout(2.0)(paddle.ones([2])),
    ),
    "sigmoid": of(lambda nn: nn.Sigmoid(), X),
    "rnn_cell_base": own_cell,
    "max_unpool": unpooled,
    "bce": reductions(lambda nn, how: nn.BCELoss(reduction=how), P, COIN),
    "ctc": reductions(
        lambda nn, how: nn.CTCLoss(blank=0, reduction=how),
        normal(5, 2, 4),
        np.array([[1, 2], [3, 1]], "int32"),
        np.array([5, 4]),
        np.array([2, 1]),
    ),
    "rnnt": reductions(
        lambda nn, how: nn.RNNTLoss(reduction=how),
        normal(2, 4, 3, 5),
        np.array([[1, 2], [3, 1]], "int32"),
        np.array([4, 3], "int32"),
        np.array([2, 1], "int32"),
    ),
    "cosine_embedding": reductions(lambda nn, how: nn.CosineEmbeddingLoss(0.1, how), X, Y, np.array([1, -1, 1, -1])),
    "gaussian_nll": reductions(lambda nn, how: nn.GaussianNLLLoss(True, reduction=how), X, Y, P),
    "hinge_embedding": reductions(lambda nn, how: nn.HingeEmbeddingLoss(0.8, how), X, COIN * 2 - 1),
    "margin_ranking": reductions(lambda nn, how: nn.MarginRankingLoss(0.1, how), X, Y, COIN * 2 - 1),
    "multi_label_soft_margin": reductions(lambda nn, how: nn.MultiLabelSoftMarginLoss(reduction=how), X, COIN),
    "multi_margin": reductions(lambda nn, how: nn.MultiMarginLoss(reduction=how), X, integers(4, high=6)),
    "poisson_nll": reductions(lambda nn, how: nn.PoissonNLLLoss(full=True, reduction=how), X, P),
    "soft_margin": reductions(lambda nn, how: nn.SoftMarginLoss(how), X, COIN * 2 - 1),
    "triplet_margin": reductions(lambda nn, how: nn.TripletMarginLoss(reduction=how), X, Y, normal(4, 6, seed=2)),
    "triplet_margin_with_distance": distances,
    "batch_norm1d": norm_steps(lambda nn: nn.BatchNorm1D(6), X),
    "batch_norm1d_of_lines": norm_steps(lambda nn: nn.BatchNorm1D(4, data_format="NCL"), LINE),
    "batch_norm2d": norm_steps(lambda nn: nn.BatchNorm2D(4, momentum=0.6, epsilon=1e-3), IMAGE),
    "batch_norm2d_last": norm_steps(lambda nn: nn.BatchNorm2D(8, data_format="NHWC"), IMAGE),
    "batch_norm3d": norm_steps(lambda nn: nn.BatchNorm3D(2), VOLUME),
    "batch_norm_global": norm_steps(lambda nn: nn.BatchNorm2D(4, use_global_stats=True), IMAGE),
    "batch_norm_local": norm_steps(lambda nn: nn.BatchNorm2D(4, use_global_stats=False), IMAGE),
    "batch_norm_plain": norm_steps(lambda nn: nn.BatchNorm2D(4, weight_attr=False, bias_attr=False), IMAGE),
    "batch_norm_old": norm_steps(lambda nn: nn.BatchNorm(4, act="sigmoid", momentum=0.8), IMAGE),
    "batch_norm_training_gradients": of(lambda nn: nn.BatchNorm2D(4), IMAGE),
    "batch_norm_wrongly": refusals(
        lambda paddle, nn: nn.BatchNorm2D(4)(paddle.ones([2, 4])),
        lambda paddle, nn: nn.BatchNorm1D(4)(paddle.ones([2, 4, 3, 3])),
        lambda paddle, nn: nn.BatchNorm3D(4)(paddle.ones([2, 4, 3, 3])),
        lambda paddle, nn: nn.BatchNorm2D(4)(paddle.ones([2, 3, 4, 4])),
        lambda paddle, nn: nn.LayerNorm(4)(paddle.ones([2, 3])),
        lambda paddle, nn: nn.LayerNorm("a"),
        lambda paddle, nn: nn.GroupNorm(3, 4)(paddle.ones([2, 4, 2, 2])),
        lambda paddle, nn: nn.InstanceNorm2D(4)(paddle.ones([2, 4])),
        lambda paddle, nn: nn.InstanceNorm1D(4)(paddle.ones([2, 4, 2, 2])),
        lambda paddle, nn: nn.InstanceNorm2D(4, weight_attr=False),
    ),
    "sync_batch_norm": synchronised,
    "group_norm_last": of(lambda nn: nn.GroupNorm(4, 8, data_format="NHWC"), IMAGE),
    "group_norm_of_lines": of(lambda nn: nn.GroupNorm(2, 4), LINE),
    "instance_norm_still": modes(lambda nn: nn.InstanceNorm2D(4), IMAGE),
    "spectral_norm": spectral,
    "simple_rnn": recurrent("SimpleRNN", num_layers=2, activation="relu"),
    "simple_rnn_both": recurrent("SimpleRNN", direction="bidirect"),
    "gru": recurrent("GRU", num_layers=2, time_major=True),
    "gru_both": recurrent("GRU", num_layers=2, direction="bidirectional"),
    "gru_dropped": recurrent("GRU", num_layers=3, dropout=0.4),
    "lstm": recurrent("LSTM", num_layers=2),
    "lstm_both": recurrent("LSTM", num_layers=2, direction="bidirect", time_major=True),
    "lstm_dropped": recurrent("LSTM", num_layers=2, direction="bidirect", dropout=0.4),
    "recurrent_wrongly": refusals(
        lambda paddle, nn: nn.LSTM(4, 6, direction="both"),
        lambda paddle, nn: nn.SimpleRNN(4, 6, activation="gelu"),
        lambda paddle, nn: nn.LSTM(4, 6)(paddle.ones([2, 3, 5])),
        lambda paddle, nn: nn.LSTMCell(4, 0),
        lambda paddle, nn: nn.GRUCell(4, -1),
        lambda paddle, nn: nn.LSTMCell(4, 6)(paddle.ones([2, 3])),
        lambda paddle, nn: nn.SimpleRNNCell(4, 6, activation="gelu"),
        lambda paddle, nn: nn.BiRNN(nn.GRUCell(4, 6), nn.GRUCell(3, 6)),
    ),
    "attention_caches": attention_caches,
    "decoder_caches": decoder_caches,
    "attention_masks": masks,
    "transformer": transformer,
    "attention_wrongly": refusals(
        lambda paddle, nn: nn.MultiHeadAttention(8, 3),
        lambda paddle, nn: nn.MultiHeadAttention(0, 1),
        lambda paddle, nn: nn.TransformerEncoderLayer(8, 2, 0),
        lambda paddle, nn: nn.TransformerEncoderLayer(8, 2, 4, activation="none"),
        lambda paddle, nn: nn.MultiHeadAttention(8, 2)(paddle.ones([2, 3, 7])),
        lambda paddle, nn: nn.Transformer(8, 2, 1, 1, 16)(paddle.ones([2, 3, 8]), paddle.ones([3, 3, 8])),
    ),
    "beam_search": beams,
    "sparse_embedding": sparse_embedding,
    "wrong_inputs": refusals(
        lambda paddle, nn: nn.Linear(3, 4)(paddle.ones([2, 5])),
        lambda paddle, nn: nn.Linear(3, 4)([1.0, 2.0]),
        lambda paddle, nn: nn.Linear(3, 4)(np.ones([2, 3], "float32")),
        lambda paddle, nn: nn.Linear(3, 4)(None),
        lambda paddle, nn: nn.Conv2D(3, 4, 3)(paddle.ones([2, 4, 5, 5])),
        lambda paddle, nn: nn.Conv2D(3, 4, 3)(paddle.ones([2, 3, 5])),
        lambda paddle, nn: nn.Conv2D(3, 4, 3, groups=2),
        lambda paddle, nn: nn.Conv2D(3, 4, 3, padding_mode="wrap"),
        lambda paddle, nn: nn.Conv2D(3, 4, 3, stride=0)(paddle.ones([2, 3, 5, 5])),
        lambda paddle, nn: nn.Conv2D(3, 4, [3])(paddle.ones([2, 3, 5, 5])),
        lambda paddle, nn: nn.Conv2D(3, 4, 3, data_format="NCL"),
        lambda paddle, nn: nn.Embedding(0, 3),
        lambda paddle, nn: nn.Embedding(3, 3, padding_idx=3),
        lambda paddle, nn: nn.Embedding(3, 3)(paddle.to_tensor([5])),
        lambda paddle, nn: nn.Embedding(3, 3)(paddle.ones([1])),
        lambda paddle, nn: nn.MaxPool2D(2)(paddle.ones([2, 3, 4])),
        lambda paddle, nn: nn.AvgPool2D(2, divisor_override=0)(paddle.ones([1, 1, 4, 4])),
        lambda paddle, nn: nn.PReLU(3)(paddle.ones([2, 4, 2, 2])),
        lambda paddle, nn: nn.Softmax(5)(paddle.ones([2, 3])),
        lambda paddle, nn: nn.Flatten(2, 1)(paddle.ones([2, 3, 4])),
        lambda paddle, nn: nn.PixelShuffle(3)(paddle.ones([2, 4, 2, 2])),
        lambda paddle, nn: nn.PixelShuffle(2.5),
        lambda paddle, nn: nn.Upsample(size=[2, 2], scale_factor=2)(paddle.ones([1, 1, 2, 2])),
        lambda paddle, nn: nn.Upsample()(paddle.ones([1, 1, 2, 2])),
        lambda paddle, nn: nn.Pad2D(3, mode="reflect")(paddle.ones([1, 1, 2, 2])),
        lambda paddle, nn: nn.CrossEntropyLoss(reduction="all")(paddle.ones([2, 3]), paddle.to_tensor([0, 1])),
        lambda paddle, nn: nn.CrossEntropyLoss()(paddle.ones([2, 3]), paddle.to_tensor([0, 5])),
        lambda paddle, nn: nn.CrossEntropyLoss()(paddle.ones([2, 3]), paddle.to_tensor([0, 1, 1])),
        lambda paddle, nn: nn.MSELoss(reduction="all"),
        lambda paddle, nn: nn.MSELoss()(paddle.ones([2, 3]), paddle.ones([4, 5])),
        lambda paddle, nn: nn.BCELoss()(paddle.ones([2, 3]), paddle.ones([2, 4])),
        lambda paddle, nn: nn.NLLLoss(reduction="all"),
        lambda paddle, nn: nn.KLDivLoss("all")(paddle.ones([2]), paddle.ones([2])),
        lambda paddle, nn: nn.HSigmoidLoss(3, 1),
        lambda paddle, nn: nn.Bilinear(3, 4, 2)(paddle.ones([2, 3]), paddle.ones([2, 3])),
        lambda paddle, nn: nn.Fold(4, 2)(paddle.ones([1, 3, 9])),
        lambda paddle, nn: nn.SpectralNorm([4, 6])(paddle.ones([3, 6])),
        lambda paddle, nn: nn.GLU()(paddle.ones([2, 3])),
        lambda paddle, nn: nn.Maxout(3)(paddle.ones([1, 4, 2, 2])),
        lambda paddle, nn: nn.ChannelShuffle(3)(paddle.ones([1, 4, 2, 2])),
        lambda paddle, nn: nn.Softmax2D()(paddle.ones([2, 3])),
        lambda paddle, nn: nn.LocalResponseNorm(3)(paddle.ones([2])),
        lambda paddle, nn: nn.Unflatten(1, [4, 2])(paddle.ones([2, 6])),
    ),
}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"eager_classes_{version}.json.gz": record}


def record() -> dict[str, Any]:
    """What the wheel answers."""
    import paddle

    return {name: answer(paddle, function) for name, function in CASES.items()}

"""Eager scripts of Paddle 2.x: networks that classify, translate and generate, each with the optimizer that it is known for."""

from __future__ import annotations

from typing import Any

import eager_loops
import eager_scripts
import paddle
import paddle.nn.functional as F
from eager_training import EagerModel, floats, numbers, trained_by
from paddle import nn


def _mlp(inputs: int = 8, classes: int = 4, act: Any = nn.Tanh) -> Any:
    return nn.Sequential(nn.Linear(inputs, 16), act(), nn.Linear(16, 16), act(), nn.Linear(16, classes))


def _classified(net: Any, inputs: int = 8, classes: int = 4) -> Any:
    return lambda i: F.cross_entropy(net(floats(i, 16, inputs)), numbers(i, 16, 1, high=classes))


def mlp_sgd() -> Any:
    """A multilayer perceptron with SGD and a schedule of steps."""
    net = _mlp()
    rate = paddle.optimizer.lr.StepDecay(0.5, 5, 0.5)
    return [net], trained_by(paddle.optimizer.SGD(rate, parameters=net.parameters()), _classified(net), rate)


def mlp_momentum() -> Any:
    """Momentum with decay of weights, warm-up, and clipping by the global norm."""
    net = _mlp(act=nn.GELU)
    rate = paddle.optimizer.lr.LinearWarmup(paddle.optimizer.lr.CosineAnnealingDecay(0.2, 15), 4, 0.0, 0.2)
    optimizer = paddle.optimizer.Momentum(
        rate, 0.9, net.parameters(), use_nesterov=True, weight_decay=paddle.regularizer.L2Decay(1e-2),
        grad_clip=nn.ClipGradByGlobalNorm(0.5),
    )  # fmt: skip
    return [net], trained_by(optimizer, _classified(net), rate)


def mlp_adamw() -> Any:
    """AdamW that spares biases, with a schedule of its own."""
    net = _mlp(act=nn.Swish)
    rate = paddle.optimizer.lr.NoamDecay(16, 5)
    kept = [p.name for name, p in net.named_parameters() if "bias" not in name]
    optimizer = paddle.optimizer.AdamW(rate, parameters=net.parameters(), weight_decay=0.1, apply_decay_param_fun=lambda n: n in kept)
    return [net], trained_by(optimizer, _classified(net), rate)


def parameter_groups() -> Any:
    """Groups of parameters with rates, decays and names of their own."""
    net = _mlp(act=nn.Softplus)
    groups = [
        {"params": net[0].parameters(), "learning_rate": 0.1},
        {"params": net[2].parameters(), "weight_decay": 0.05},
        {"params": net[4].parameters()},
    ]
    return [net], trained_by(paddle.optimizer.Adam(0.02, parameters=groups, weight_decay=0.01), _classified(net))


def lenet() -> Any:
    """LeNet of paddle.vision with Adam."""
    net = paddle.vision.models.LeNet()
    optimizer = paddle.optimizer.Adam(1e-3, parameters=net.parameters())
    return [net], trained_by(optimizer, lambda i: F.cross_entropy(net(floats(i, 8, 1, 28, 28)), numbers(i, 8, 1, high=10)))


def conv_norm() -> Any:
    """Convolutions with batch norm, of which a part looks at a frozen copy of itself; the last loss is of inference."""
    net = nn.Sequential(
        nn.Conv2D(3, 8, 3, padding=1, bias_attr=False), nn.BatchNorm2D(8), nn.ReLU(), nn.MaxPool2D(2),
        nn.Conv2D(8, 16, 3, groups=2, padding_mode="reflect", padding=1), nn.BatchNorm2D(16, momentum=0.7), nn.LeakyReLU(0.1),
        nn.AdaptiveAvgPool2D(1), nn.Flatten(), nn.Linear(16, 5),
    )  # fmt: skip
    optimizer = paddle.optimizer.Momentum(0.02, parameters=net.parameters())
    train = trained_by(optimizer, lambda i: F.cross_entropy(net(floats(i, 8, 3, 12, 12)), numbers(i, 8, high=5)))

    def step(index: int) -> Any:
        losses = train(index)
        net.eval()
        with paddle.no_grad():
            losses.append(F.softmax(net(floats(99, 4, 3, 12, 12))).max())
        net.train()
        return losses

    return [net], step


def norms() -> Any:
    """Layer, group and instance norm, PReLU, and average pools."""
    net = nn.Sequential(
        nn.Conv2D(3, 8, 3), nn.GroupNorm(4, 8), nn.PReLU(8), nn.AvgPool2D(2, 1), nn.Conv2D(8, 6, 3), nn.InstanceNorm2D(6), nn.ELU(),
        nn.Flatten(), nn.LayerNorm(6 * 7 * 7), nn.Linear(6 * 7 * 7, 3),
    )  # fmt: skip
    optimizer = paddle.optimizer.RMSProp(1e-3, centered=True, momentum=0.5, parameters=net.parameters())
    return [net], trained_by(optimizer, lambda i: F.cross_entropy(net(floats(i, 4, 3, 12, 12)), numbers(i, 4, high=3)))


class _Unet(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.down1, self.down2 = nn.Conv2D(3, 8, 3, padding=1), nn.Conv2D(8, 16, 3, stride=2, padding=1)
        self.middle = nn.Conv2D(16, 16, 3, padding=2, dilation=2)
        self.up = nn.Conv2DTranspose(16, 8, 2, stride=2)
        self.resize = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)
        self.out = nn.Conv2D(24 + 8, 2, 1)

    def forward(self, x: Any) -> Any:
        high = F.relu(self.down1(x))
        low = F.sigmoid(self.middle(F.relu(self.down2(high))))
        return self.out(paddle.concat([high, self.up(low), self.resize(low)], axis=1))


def segmentation() -> Any:
    """A small U-Net on a cross entropy of pixels and a dice loss."""
    net = _Unet()
    optimizer = paddle.optimizer.Adam(2e-3, parameters=net.parameters())

    def loss_of(i: int) -> Any:
        logits, label = net(floats(i, 2, 3, 8, 8)), numbers(i, 2, 8, 8, 1, high=2)
        scores = paddle.transpose(logits, [0, 2, 3, 1])
        return F.cross_entropy(scores, label) + F.dice_loss(F.softmax(scores), label)

    return [net], trained_by(optimizer, loss_of)


class _Tagger(nn.Layer):
    """Words, a recurrent net that knows their number, and a linear layer."""

    def __init__(self, recurrent: Any, width: int) -> None:
        super().__init__()
        self.words = nn.Embedding(30, 6, padding_idx=0)
        self.recurrent = recurrent
        self.out = nn.Linear(width, 4)

    def forward(self, words: Any, lengths: Any) -> Any:
        states, last = self.recurrent(self.words(words), sequence_length=lengths)
        last = last[0] if isinstance(last, tuple) else last
        return self.out(states).mean(1) + last.sum()


def _tagger(recurrent: Any, width: int) -> Any:
    net = _Tagger(recurrent, width)
    optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())

    def loss_of(i: int) -> Any:
        return F.cross_entropy(net(numbers(i, 5, 7, high=30), numbers(i, 5, high=7) + 1), numbers(i, 5, high=4))

    return [net], trained_by(optimizer, loss_of)


def lstm() -> Any:
    """Two layers of LSTM in both directions, over sequences of different lengths."""
    return _tagger(nn.LSTM(6, 5, num_layers=2, direction="bidirect"), 10)


def gru() -> Any:
    """A GRU over sequences of different lengths."""
    return _tagger(nn.GRU(6, 5, num_layers=2), 5)


def simple_rnn() -> Any:
    """A plain recurrent net with ReLU, in both directions."""
    return _tagger(nn.SimpleRNN(6, 5, direction="bidirectional", activation="relu"), 10)


def cells() -> Any:
    """Cells run by nn.RNN and nn.BiRNN, and by hand."""
    forward, both, hand = nn.RNN(nn.GRUCell(6, 5)), nn.BiRNN(nn.LSTMCell(6, 5), nn.LSTMCell(6, 5)), nn.SimpleRNNCell(6, 5)
    layers = [forward, both, hand]
    optimizer = paddle.optimizer.Adagrad(0.05, parameters=[p for layer in layers for p in layer.parameters()])

    def loss_of(i: int) -> Any:
        x = floats(i, 3, 4, 6)
        out, state = forward(x)[0].mean(), None
        for t in range(4):
            y, state = hand(x[:, t], state)
            out = out + (y * y).mean()
        return out + both(x)[0].square().mean()

    return layers, trained_by(optimizer, loss_of)


class _Seq2Seq(nn.Layer):
    """A GRU that reads, and a cell that writes while it attends to what was read."""

    def __init__(self, words: int, width: int) -> None:
        super().__init__()
        self.source, self.target = nn.Embedding(words, width), nn.Embedding(words, width)
        self.encoder, self.cell = nn.GRU(width, width), nn.GRUCell(2 * width, width)
        self.query, self.key, self.score = nn.Linear(width, width), nn.Linear(width, width, bias_attr=False), nn.Linear(width, 1)
        self.out = nn.Linear(width, words)

    def forward(self, source: Any, target: Any) -> Any:
        memory, state = self.encoder(self.source(source))
        keys, state, outs = self.key(memory), state[0], []
        for t in range(target.shape[1]):
            weights = F.softmax(self.score(paddle.tanh(keys + self.query(state).unsqueeze(1))), axis=1)
            context = (weights * memory).sum(axis=1)
            _, state = self.cell(paddle.concat([self.target(target[:, t]), context], -1), state)
            outs.append(self.out(state))
        return paddle.stack(outs, axis=1)


def seq2seq() -> Any:
    """Translation with additive attention, teacher forcing and a mask."""
    net = _Seq2Seq(20, 8)
    optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters(), grad_clip=nn.ClipGradByNorm(1.0))

    def loss_of(i: int) -> Any:
        target = numbers(i + 50, 4, 6, high=20)
        losses = F.cross_entropy(net(numbers(i, 4, 5, high=20), target[:, :-1]), target[:, 1:], reduction="none").squeeze(-1)
        mask = (target[:, 1:] != 0).astype("float32")
        return (losses * mask).sum() / mask.sum()

    return [net], trained_by(optimizer, loss_of)


class _Translator(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(20, 8), nn.Embedding(10, 8)
        self.transformer = nn.Transformer(8, 2, 2, 2, 16, dropout=0.0, normalize_before=True)
        self.out = nn.Linear(8, 20)

    def _embedded(self, words: Any) -> Any:
        return self.words(words) * 8**0.5 + self.places(paddle.arange(words.shape[1]))

    def forward(self, source: Any, target: Any) -> Any:
        mask = nn.Transformer.generate_square_subsequent_mask(self.transformer, target.shape[1])
        padding = (source == 0).astype("float32").unsqueeze([1, 2]) * -1e9
        return self.out(self.transformer(self._embedded(source), self._embedded(target), padding, mask, padding))


def transformer() -> Any:
    """nn.Transformer with masks and smoothed labels."""
    net = _Translator()
    optimizer = paddle.optimizer.Adam(1e-3, 0.9, 0.98, 1e-9, parameters=net.parameters())

    def loss_of(i: int) -> Any:
        target = numbers(i + 50, 4, 6, high=20)
        smooth = F.label_smooth(F.one_hot(target[:, 1:], 20), epsilon=0.1)
        return F.cross_entropy(net(numbers(i, 4, 5, high=20), target[:, :-1]), smooth, soft_label=True)

    return [net], trained_by(optimizer, loss_of)


def encoder() -> Any:
    """A transformer encoder with dropout, as for classification of text, with Lamb."""
    words, out = nn.Embedding(30, 8, sparse=False), nn.Linear(8, 3)
    stack = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.2, activation="gelu"), 2)
    layers = [words, stack, out]
    optimizer = paddle.optimizer.Lamb(0.01, parameters=[p for layer in layers for p in layer.parameters()])

    def loss_of(i: int) -> Any:
        return F.cross_entropy(out(stack(words(numbers(i, 4, 6, high=30))).mean(1)), numbers(i, 4, high=3))

    return layers, trained_by(optimizer, loss_of)


def word2vec() -> Any:
    """Skip-gram with negative samples and sparse gradients."""
    centre, around = nn.Embedding(50, 6, sparse=True), nn.Embedding(50, 6, sparse=True)
    optimizer = paddle.optimizer.SGD(0.5, parameters=[*centre.parameters(), *around.parameters()])

    def loss_of(i: int) -> Any:
        words, others = centre(numbers(i, 8, 1, high=50)), around(numbers(i + 7, 8, 5, high=50))
        logits = paddle.matmul(words, others, transpose_y=True).squeeze(1)
        return F.binary_cross_entropy_with_logits(logits, F.one_hot(numbers(i, 8, high=5), 5))

    return [centre, around], trained_by(optimizer, loss_of)


def ctr() -> Any:
    """DeepFM: sparse features in a factorization machine and a deep part, lazy Adam, and an AUC of its own."""
    first, second, deep = nn.Embedding(40, 1, sparse=True), nn.Embedding(40, 4, sparse=True), _mlp(16, 1, nn.ReLU)
    layers = [first, second, deep]
    optimizer = paddle.optimizer.Adam(0.01, parameters=[p for layer in layers for p in layer.parameters()], lazy_mode=True)

    def loss_of(i: int) -> Any:
        ids = numbers(i, 16, 4, high=40)
        rows = second(ids)
        pairs = (rows.sum(1).square() - rows.square().sum(1)).sum(1, keepdim=True) * 0.5
        logit = first(ids).sum(1) + pairs + deep(rows.flatten(1))
        return F.log_loss(F.sigmoid(logit), numbers(i, 16, 1, high=2).astype("float32")).mean()

    return layers, trained_by(optimizer, loss_of)


def speech() -> Any:
    """Features of sound, a recurrent net in both directions, and the CTC loss."""
    front, recurrent, out = nn.Conv1D(6, 8, 3, padding=1), nn.GRU(8, 5, direction="bidirect"), nn.Linear(10, 7)
    layers = [front, recurrent, out]
    optimizer = paddle.optimizer.Adamax(0.01, parameters=[p for layer in layers for p in layer.parameters()])
    loss = nn.CTCLoss(blank=0)

    def loss_of(i: int) -> Any:
        sound = F.hardtanh(front(floats(i, 3, 6, 12)))
        logits = out(recurrent(sound.transpose([0, 2, 1]))[0]).transpose([1, 0, 2])
        lengths = paddle.to_tensor([12, 10, 11]), paddle.to_tensor([4, 3, 2])
        return loss(logits, (numbers(i, 3, 4, high=6) + 1).astype("int32"), *lengths)

    return layers, trained_by(optimizer, loss_of)


def super_resolution() -> Any:
    """Pixel shuffle, weights of a given norm, and a smooth L1 loss."""
    net = nn.Sequential(
        nn.utils.weight_norm(nn.Conv2D(1, 8, 5, padding=2)), nn.Tanh(), nn.Conv2D(8, 4, 3, padding=1), nn.PixelShuffle(2)
    )
    optimizer = paddle.optimizer.Adadelta(0.5, parameters=net.parameters())
    return [net], trained_by(optimizer, lambda i: F.smooth_l1_loss(net(floats(i, 2, 1, 6, 6)), floats(i + 50, 2, 1, 12, 12)))


MODELS = {
    made.__name__: EagerModel(made)
    for made in (
        mlp_sgd, mlp_momentum, mlp_adamw, parameter_groups, lenet, conv_norm, norms, segmentation, lstm, gru, simple_rnn, cells, seq2seq,
        transformer, word2vec, ctr, speech, super_resolution,
    )
}  # fmt: skip
MODELS["encoder"] = EagerModel(encoder, exact=True)
# parameters whose gradients are 0 but for rounding, as a norm or a softmax takes out what they add
for _name, _loose in {
    "conv_norm": ("4.bias",), "norms": ("4.bias",), "seq2seq": ("score.bias",), "transformer": ("k_proj.bias",),
    "encoder": ("k_proj.bias",),
}.items():
    MODELS[_name].loose = _loose
MODELS.update(eager_loops.MODELS)
MODELS.update(eager_scripts.MODELS)

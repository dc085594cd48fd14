"""Retrieval with a frozen shift in its neck; then shifted windows, a state-space scan, low-rank adapters and Fourier layers."""

import math

import numpy as np
import paddle
import paddle.nn as nn
import paddle.nn.functional as F
from paddle.nn.initializer import Constant, KaimingNormal, TruncatedNormal

paddle.set_default_dtype("float64")
paddle.seed(77)
rng = np.random.RandomState(77)


def show(title, tensors):
    for name, t in tensors:
        print(title, name, t.shape, "%.6f" % float((t.astype("float64") ** 2).sum()), t.stop_gradient)


class BNNeck(nn.Layer):
    def __init__(self, features, classes):
        super().__init__()
        shift = paddle.ParamAttr(initializer=Constant(0.0), trainable=False)
        self.bn = nn.BatchNorm1D(features, weight_attr=paddle.ParamAttr(initializer=Constant(1.0)), bias_attr=shift)
        self.fc = nn.Linear(features, classes, weight_attr=paddle.ParamAttr(initializer=KaimingNormal()), bias_attr=False)

    def forward(self, x):
        after = self.bn(x)
        return x, after, self.fc(F.normalize(after, epsilon=1e-2))


def hardest(features, labels, margin=0.3):
    n = features.shape[0]
    square = paddle.pow(features, 2).sum(axis=1, keepdim=True).expand([n, n])
    distance = paddle.addmm(square + square.t(), features, features.t(), alpha=-2.0, beta=1.0).clip(min=1e-12).sqrt()
    same = paddle.equal(labels.expand([n, n]), labels.expand([n, n]).t())
    far = paddle.where(same, distance, paddle.zeros_like(distance)).max(axis=1)
    near = paddle.where(same, paddle.full_like(distance, 1e9), distance).min(axis=1)
    return F.margin_ranking_loss(near, far, paddle.ones_like(near), margin=margin)


body, neck = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 8, bias_attr=False)), BNNeck(8, 4)
opt = paddle.optimizer.Adam(
    paddle.optimizer.lr.LinearWarmup(0.02, 3, 0.002, 0.02), parameters=body.parameters() + neck.parameters(), weight_decay=5e-4
)
images, labels = paddle.to_tensor(rng.randn(12, 6)), paddle.to_tensor(np.repeat(np.arange(4), 3))
for step in range(8):
    before, after, logits = neck(body(images))
    each = F.cross_entropy(logits, labels, label_smoothing=0.1, reduction="none")
    kept = paddle.topk(each.flatten(), 8)[0].mean()
    ignoring = F.cross_entropy(logits, labels, label_smoothing=0.1, ignore_index=3)
    loss = kept + 0.1 * ignoring + hardest(before, labels)
    loss.backward()
    opt.step()
    opt.clear_grad()
    opt._learning_rate.step()
    print("neck", step, each.shape, "%.8f %.8f %.8f" % (loss, kept, ignoring), "%.5f" % opt.get_lr())
show("neck", neck.named_parameters())
print(neck)
neck.eval()
ranks = paddle.argsort(-paddle.matmul(neck(body(images))[1], neck(body(images))[1], transpose_y=True), axis=1)
print(ranks[:, :3].numpy().tolist())


class Windows(nn.Layer):
    def __init__(self, dim=8, window=2, heads=2, size=4):
        super().__init__()
        self.window, self.heads, self.size, self.scale = window, heads, size, (dim // heads) ** -0.5
        self.table = self.create_parameter([(2 * window - 1) ** 2, heads], default_initializer=TruncatedNormal(std=0.02))
        grid = paddle.stack(paddle.meshgrid(paddle.arange(window), paddle.arange(window))).flatten(1)
        offsets = (grid.unsqueeze(2) - grid.unsqueeze(1)).transpose([1, 2, 0]) + (window - 1)
        offsets[:, :, 0] *= 2 * window - 1
        self.register_buffer("index", offsets.sum(-1))
        self.qkv, self.proj, self.norm = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim), nn.LayerNorm(dim)
        region = paddle.zeros([1, size, size, 1])
        cuts = (slice(0, -window), slice(-window, -1), slice(-1, None))
        for i, rows in enumerate(cuts):
            for j, columns in enumerate(cuts):
                region[:, rows, columns, :] = 3 * i + j
        region = self.cut(region).squeeze(-1)
        apart = region.unsqueeze(1) - region.unsqueeze(2)
        self.mask = paddle.where(apart != 0, paddle.full_like(apart, -100.0), paddle.zeros_like(apart))

    def cut(self, x):
        n, h, w, c = x.shape
        k = self.window
        return x.reshape([n, h // k, k, w // k, k, c]).transpose([0, 1, 3, 2, 4, 5]).reshape([-1, k * k, c])

    def forward(self, x, shift):
        n, h, w, c = x.shape
        k = self.window
        y = paddle.roll(self.norm(x), shifts=(-shift, -shift), axis=(1, 2)) if shift else self.norm(x)
        q, key, v = self.qkv(self.cut(y)).reshape([-1, k * k, 3, self.heads, c // self.heads]).transpose([2, 0, 3, 1, 4]).unbind(0)
        scores = paddle.matmul(q * self.scale, key, transpose_y=True)
        bias = paddle.index_select(self.table, self.index.flatten()).reshape([k * k, k * k, -1]).transpose([2, 0, 1])
        scores = scores + bias.unsqueeze(0)
        if shift:
            scores = (scores.reshape([n, -1, self.heads, k * k, k * k]) + self.mask.unsqueeze(1)).reshape(scores.shape)
        y = paddle.matmul(F.softmax(scores), v).transpose([0, 2, 1, 3]).reshape([-1, k * k, c])
        y = self.proj(y).reshape([n, h // k, w // k, k, k, c]).transpose([0, 1, 3, 2, 4, 5]).reshape([n, h, w, c])
        return x + (paddle.roll(y, shifts=(shift, shift), axis=(1, 2)) if shift else y)


class Scan(nn.Layer):
    def __init__(self, dim=8, states=3):
        super().__init__()
        rates = paddle.tile(paddle.arange(1, states + 1, dtype="float64").unsqueeze(0), [dim, 1])
        self.rates = self.create_parameter([dim, states], default_initializer=nn.initializer.Assign(paddle.log(rates)))
        self.conv = nn.Conv1D(dim, dim, 3, padding=2, groups=dim)
        self.inner = nn.Linear(dim, 1 + 2 * states, bias_attr=False)
        self.states = states

    def forward(self, x):
        length = x.shape[1]
        u = F.silu(self.conv(x.transpose([0, 2, 1]))[:, :, :length].transpose([0, 2, 1]))
        dt, b, c = paddle.split(self.inner(u), [1, self.states, self.states], axis=-1)
        dt = F.softplus(dt)
        decay = paddle.exp(paddle.einsum("blo,dn->bldn", dt, -paddle.exp(self.rates)))
        drive = paddle.einsum("blo,bln,bld->bldn", dt, b, u)
        state, out = paddle.zeros([x.shape[0], x.shape[2], self.states]), []
        for t in range(length):
            state = decay[:, t] * state + drive[:, t]
            out.append((state * c[:, t].unsqueeze(1)).sum(-1))
        return paddle.stack(out, axis=1)


class LoRA(nn.Linear):
    def __init__(self, i, o, rank=2):
        super().__init__(i, o)
        self.weight.stop_gradient = True
        self.down = self.create_parameter([i, rank], default_initializer=nn.initializer.KaimingUniform(negative_slope=math.sqrt(5)))
        self.up = self.create_parameter([rank, o], attr=paddle.ParamAttr(initializer=Constant(0.0), learning_rate=2.0))

    def forward(self, x):
        return F.linear(x, self.weight, self.bias) + x @ self.down @ self.up

    def extra_repr(self):
        return f"{super().extra_repr()}, rank={self.down.shape[1]}"


class Fourier(nn.Layer):
    def __init__(self, dim=8, modes=2):
        super().__init__()
        self.modes = modes
        self.real, self.imaginary = (
            self.create_parameter([dim, dim, modes], default_initializer=nn.initializer.Normal(0.0, 0.1)) for _ in "ri"
        )

    def forward(self, x):
        x = x.transpose([0, 2, 1])
        low = paddle.einsum("bim,iom->bom", paddle.fft.rfft(x)[:, :, : self.modes], paddle.complex(self.real, self.imaginary))
        rest = paddle.zeros([x.shape[0], x.shape[1], x.shape[2] // 2 + 1 - self.modes], "complex128")
        return paddle.fft.irfft(paddle.concat([low, rest], -1), n=x.shape[2]).transpose([0, 2, 1])


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.patches, self.windows = nn.Conv2D(3, 8, 4, stride=4), nn.LayerList([Windows(), Windows()])
        self.scan, self.fourier, self.head = Scan(), Fourier(), LoRA(8, 3)

    def forward(self, x):
        x = self.patches(x).transpose([0, 2, 3, 1])
        for i, layer in enumerate(self.windows):
            x = layer(x, i % 2)
        x = x.flatten(1, 2)
        return self.head((x + self.scan(x) + self.fourier(x)).mean(axis=1))


net = Net()
print(net.head, len(net.state_dict()), [n for n, p in net.named_parameters() if p.stop_gradient])
trained = [p for p in net.parameters() if not p.stop_gradient]
opt = paddle.optimizer.AdamW(
    paddle.optimizer.lr.CosineAnnealingDecay(0.02, 8, 1e-4), parameters=trained, weight_decay=0.05, grad_clip=nn.ClipGradByGlobalNorm(1.0),
    apply_decay_param_fun=lambda name: "norm" not in name,
)  # fmt: skip
pictures, classes = paddle.to_tensor(rng.randn(6, 3, 16, 16)), paddle.to_tensor(rng.randint(0, 3, [6]))
for step in range(8):
    logits = net(pictures)
    loss = F.cross_entropy(logits, F.label_smooth(F.one_hot(classes, 3).astype("float64"), epsilon=0.1), soft_label=True)
    loss.backward()
    opt.step()
    opt.clear_grad(set_to_zero=False)
    opt._learning_rate.step()
    print("net", step, "%.8f" % loss.item(), "%.6f" % opt.get_lr(), paddle.metric.accuracy(F.softmax(logits), classes.unsqueeze(1)).shape)
show("net", [(n, p) for n, p in net.named_parameters() if "proj" not in n and "qkv.bias" not in n])

count, distance = F.loss.edit_distance(
    paddle.to_tensor([[1, 2, 3], [4, 5, 6]]),
    paddle.to_tensor([[1, 3, 4], [4, 5, 8]]),
    False,
    None,
    paddle.to_tensor([2, 3]),
    paddle.to_tensor([3, 1]),
)
print(count.tolist(), distance.tolist())
paddle.seed(5)
print(paddle.zeros([4]).cauchy_(loc=1.0, scale=2.0))
paddle.set_default_dtype("float32")

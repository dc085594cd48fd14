"""Networks of Paddle's unit tests of `to_static` in small, trained in eager mode, recorded as a whole, and as it is by default.

jit_nets_2.6.2.json is {network: {mode: five losses}}.
"""

# mypy: ignore-errors

from __future__ import annotations

import warnings
from typing import Any, Callable

import numpy as np

WHEELS = ("2.6.2",)
MODES = ("eager", "whole", "free")
NAMES = ("Bert", "Bmn", "Cyc", "Lac", "Mnist", "PtbLM", "RL", "Senti", "Seq2Seq", "Sim", "Trans", "Tsm", "W2V")


def init(net):
    r = np.random.RandomState(3)
    for p in net.parameters():
        if not p.stop_gradient:
            p.set_value((r.randn(*p.shape) * 0.2).astype("float32"))
    return net


def networks(module: Any) -> dict[str, Any]:
    """Network -> its class, and what it is trained on."""
    # the wheel finds what it rewrites among a module's names only
    global paddle, nn, F
    paddle, nn, F = module, module.nn, module.nn.functional
    state = np.random.RandomState(0)

    def f(*s):
        return state.randn(*s).astype("float32")

    def ii(hi, *s):
        return state.randint(0, hi, s).astype("int64")

    class Mnist(nn.Layer):
        def __init__(self):
            super().__init__()
            self.c1 = nn.Conv2D(1, 4, 5)
            self.p = nn.MaxPool2D(2, 2)
            self.c2 = nn.Conv2D(4, 6, 3)
            self.fc = nn.Linear(6 * 5 * 5, 10)

        def forward(self, x, label=None):
            x = self.p(F.relu(self.c1(x)))
            x = self.p(F.relu(self.c2(x)))
            x = paddle.reshape(x, [x.shape[0], -1])
            y = F.softmax(self.fc(x))
            if label is not None:
                return y, F.cross_entropy(y, label, use_softmax=False).mean(), paddle.metric.accuracy(y, label)
            return y

    class PtbLM(nn.Layer):
        def __init__(self):
            super().__init__()
            self.emb = nn.Embedding(30, 8)
            self.cells = nn.LayerList([nn.Linear(16, 32) for _ in range(2)])
            self.out = nn.Linear(8, 30)

        def forward(self, x, label, h, c):
            hs = [h[i] for i in range(2)]
            cs = [c[i] for i in range(2)]
            e = self.emb(x)
            res = []
            for t in range(x.shape[1]):
                inp = e[:, t]
                for k in range(2):
                    g = self.cells[k](paddle.concat([inp, hs[k]], 1))
                    i, j, fg, o = paddle.split(g, 4, axis=1)
                    cs[k] = cs[k] * F.sigmoid(fg) + F.sigmoid(i) * paddle.tanh(j)
                    hs[k] = paddle.tanh(cs[k]) * F.sigmoid(o)
                    inp = hs[k]
                res.append(inp)
            y = self.out(paddle.stack(res, 1))
            loss = F.cross_entropy(y, label, reduction="none").squeeze(-1).mean(0).sum()
            return loss, paddle.stack(hs), paddle.stack(cs)

    class Seq2Seq(nn.Layer):
        def __init__(self):
            super().__init__()
            self.se = nn.Embedding(12, 8)
            self.te = nn.Embedding(12, 8)
            self.enc = nn.GRUCell(8, 8)
            self.dec = nn.GRUCell(16, 8)
            self.o = nn.Linear(8, 12)

        def forward(self, src, tgt, lens):
            h = paddle.zeros([src.shape[0], 8])
            outs = []
            e = self.se(src)
            mask = paddle.cast(paddle.arange(src.shape[1]).unsqueeze(0) < lens.unsqueeze(1), "float32")
            for t in range(src.shape[1]):
                nh, _ = self.enc(e[:, t], h)
                m = mask[:, t : t + 1]
                h = nh * m + h * (1 - m)
                outs.append(h)
            mem = paddle.stack(outs, 1)
            d = h
            te = self.te(tgt)
            logits = []
            for t in range(tgt.shape[1] - 1):
                a = F.softmax(paddle.bmm(mem, d.unsqueeze(2)).squeeze(2) - (1 - mask) * 1e9, axis=-1)
                ctx = paddle.bmm(a.unsqueeze(1), mem).squeeze(1)
                d, _ = self.dec(paddle.concat([te[:, t], ctx], 1), d)
                logits.append(self.o(d))
            return F.cross_entropy(paddle.stack(logits, 1), tgt[:, 1:])

    class Senti(nn.Layer):
        def __init__(self):
            super().__init__()
            self.e = nn.Embedding(20, 6)
            self.c = nn.Conv1D(6, 8, 3, padding=1)
            self.g = nn.GRU(6, 4, direction="bidirect")
            self.f = nn.Linear(16, 2)

        def forward(self, x, y):
            e = self.e(x)
            a = paddle.max(paddle.tanh(self.c(e.transpose([0, 2, 1]))), axis=2)
            b, _ = self.g(e)
            z = paddle.concat([a, b[:, -1]], 1)
            l = self.f(z)
            loss = F.cross_entropy(l, y)
            if loss > 100:
                loss = loss * 0
            return loss, F.softmax(l)

    class Sim(nn.Layer):
        def __init__(self):
            super().__init__()
            self.e = nn.Embedding(20, 6)
            self.f = nn.Linear(6, 4)

        def enc(self, x):
            return F.softsign(self.f(paddle.sum(self.e(x), 1)))

        def forward(self, a, b, c):
            l, p, n = self.enc(a), self.enc(b), self.enc(c)
            s1 = F.cosine_similarity(l, p)
            s2 = F.cosine_similarity(l, n)
            return paddle.maximum(paddle.zeros([1]), 0.1 - s1 + s2).mean()

    class W2V(nn.Layer):
        def __init__(self):
            super().__init__()
            self.a = nn.Embedding(20, 6)
            self.b = nn.Embedding(20, 6)

        def forward(self, c, t, l):
            x = self.a(c)
            y = self.b(t)
            p = F.sigmoid(paddle.sum(x * y, axis=-1))
            return F.binary_cross_entropy_with_logits(paddle.sum(x * y, -1), l).mean(), p

    class Trans(nn.Layer):
        def __init__(self):
            super().__init__()
            self.e = nn.Embedding(12, 8)
            self.t = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0)
            self.o = nn.Linear(8, 12)

        def forward(self, a, b):
            m = self.t.generate_square_subsequent_mask(b.shape[1] - 1)
            y = self.t(self.e(a), self.e(b[:, :-1]), tgt_mask=m)
            return F.cross_entropy(self.o(y), b[:, 1:])

    class Bmn(nn.Layer):
        def __init__(self):
            super().__init__()
            self.c = nn.Conv1D(4, 8, 3, padding=1, groups=2)
            self.d = nn.Conv2D(8, 4, 1)
            self.o = nn.Conv1D(8, 1, 1)
            self.m = None

        def forward(self, x, y):
            h = F.relu(self.c(x))
            st = F.sigmoid(self.o(h)).squeeze(1)
            pm = paddle.cast(y > 0.5, "float32")
            n = paddle.clip(pm.sum(), 1.0)
            r = pm.shape[1] / n
            c0 = 0.5 * r / (r - 1 + 1e-5)
            c1 = c0 * (r - 1)
            loss = -(c1 * pm * paddle.log(st + 1e-5) + c0 * (1 - pm) * paddle.log(1 - st + 1e-5)).mean()
            return loss, st

    class Cyc(nn.Layer):
        def __init__(self):
            super().__init__()
            self.g = nn.Sequential(nn.Conv2D(3, 4, 3, padding=1), nn.InstanceNorm2D(4), nn.ReLU(), nn.Conv2DTranspose(4, 3, 3, padding=1))
            self.d = nn.Conv2D(3, 1, 3)

        def forward(self, x, y):
            fk = paddle.tanh(self.g(x))
            cyc = self.g(fk)
            idt = F.l1_loss(self.g(y), y)
            return F.l1_loss(cyc, x) * 10 + ((self.d(fk) - 1) ** 2).mean() + idt

    class Lac(nn.Layer):
        def __init__(self):
            super().__init__()
            self.e = nn.Embedding(20, 6)
            self.g = nn.LayerList([nn.GRU(6, 3, direction="bidirect"), nn.GRU(6, 3, direction="bidirect")])
            self.f = nn.Linear(6, 5)

        def forward(self, x, y, n):
            h = self.e(x)
            for i in range(len(self.g)):
                h, _ = self.g[i](h)
            em = self.f(h)
            m = paddle.cast(paddle.arange(x.shape[1]).unsqueeze(0) < n.unsqueeze(1), "float32")
            l = F.cross_entropy(em, y, reduction="none").squeeze(-1)
            return (l * m).sum() / m.sum(), paddle.argmax(em, -1)

    class Tsm(nn.Layer):
        def __init__(self):
            super().__init__()
            self.c = nn.Conv2D(4, 4, 3, padding=1, bias_attr=False)
            self.b = nn.BatchNorm(4, act="relu")
            self.f = nn.Linear(4, 3)

        def forward(self, x, y):
            h = F.temporal_shift(x, 2, 0.25)
            h = self.b(self.c(h)) + x
            h = F.adaptive_avg_pool2d(h, 1).reshape([-1, 2, 4]).mean(1)
            return F.cross_entropy(self.f(h), y)

    class Bert(nn.Layer):
        def __init__(self):
            super().__init__()
            self.w = nn.Embedding(20, 8)
            self.p = nn.Embedding(10, 8)
            self.n = nn.LayerNorm(8)
            self.e = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, activation="gelu"), 2)
            self.h = nn.Linear(8, 8)

        def forward(self, x, mask, pos, lab):
            m = (1 - mask.unsqueeze([1, 2])) * -1e4
            h = self.n(self.w(x) + self.p(paddle.arange(x.shape[1])))
            h = self.e(h, m)
            g = paddle.gather(paddle.reshape(h, [-1, 8]), pos)
            lg = paddle.matmul(F.gelu(self.h(g)), self.w.weight, transpose_y=True)
            return F.cross_entropy(lg, lab)

    class RL(nn.Layer):
        def __init__(self):
            super().__init__()
            self.a = nn.Linear(4, 8)
            self.b = nn.Linear(8, 2)

        def forward(self, x, act, rew):
            p = F.softmax(self.b(F.relu(self.a(x))))
            lp = paddle.log(paddle.sum(p * F.one_hot(act, 2), -1))
            return -(lp * rew).sum(), p

    lens = np.array([3, 4], "int64")
    made = {
        Mnist: (f(2, 1, 28, 28), ii(10, 2, 1)),
        PtbLM: (ii(30, 2, 4), ii(30, 2, 4, 1), f(2, 2, 8), f(2, 2, 8)),
        Seq2Seq: (ii(12, 2, 4), ii(12, 2, 5), lens),
        Senti: (ii(20, 3, 5), ii(2, 3, 1)),
        Sim: (ii(20, 3, 4), ii(20, 3, 4), ii(20, 3, 4)),
        W2V: (ii(20, 6), ii(20, 6), f(6) * 0 + 1),
        Trans: (ii(12, 2, 4), ii(12, 2, 5)),
        Bmn: (f(2, 4, 6), np.abs(f(2, 6))),
        Cyc: (f(2, 3, 6, 6), f(2, 3, 6, 6)),
        Lac: (ii(20, 2, 4), ii(5, 2, 4, 1), lens),
        Tsm: (f(4, 4, 5, 5), ii(3, 2, 1)),
        Bert: (ii(20, 2, 4), np.ones([2, 4], "float32"), ii(8, 3), ii(20, 3)),
        RL: (f(3, 4), ii(2, 3), f(3)),
    }
    return {cls.__name__: (cls, args) for cls, args in made.items()}


def losses(paddle: Any, name: str, mode: str) -> list[float]:
    """Five losses of one network."""
    paddle.disable_static()
    paddle.seed(5)
    cls, args = networks(paddle)[name]
    net = init(cls())
    net.train()
    if mode != "eager":
        net = paddle.jit.to_static(net, full_graph=mode == "whole")
    optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())
    given = [paddle.to_tensor(a) for a in args]
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(5):
            out = net(*given)
            loss = out if not isinstance(out, (list, tuple)) else out[1] if name == "Mnist" else out[0]
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            found.append(float(loss))
    return found


def record() -> dict[str, Any]:
    """What the wheel gives."""
    import paddle

    return {name: {mode: losses(paddle, name, mode) for mode in MODES} for name in NAMES}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"jit_nets_{version}.json": record}

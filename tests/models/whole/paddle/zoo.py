"""Eager training loops: segmentation, translation, agents, contrasts, distillation, pruning, GAN, Transformer, CRF, CTC."""

from copy import deepcopy

import numpy as np
import paddle
import paddle.nn as nn
import paddle.nn.functional as F


def R(i):
    return np.random.RandomState(i)


def T(a):
    return paddle.to_tensor(a)


def train(name, make, n=4):
    paddle.seed(3)
    np.random.seed(3)
    step = make()
    for i in range(n):
        o = step(i)
        print(name, i, " ".join(("%.5f" % float(v) for v in (o if isinstance(o, (list, tuple)) else [o]))))


def unet():

    class DC(nn.Sequential):
        def __init__(self, i, o):
            super().__init__(
                nn.Conv2D(i, o, 3, padding=1, bias_attr=False),
                nn.BatchNorm2D(o),
                nn.ReLU(),
                nn.Conv2D(o, o, 3, padding=1),
                nn.GroupNorm(2, o),
                nn.LeakyReLU(0.1),
            )

    class U(nn.Layer):
        def __init__(self):
            super().__init__()
            self.d1, self.d2, self.up, self.u = (DC(3, 4), DC(4, 8), nn.Conv2DTranspose(8, 4, 2, stride=2), DC(8, 4))
            self.o = nn.Conv2D(4, 3, 1)
            self.pool = nn.MaxPool2D(2)

        def forward(self, x):
            a = self.d1(x)
            b = self.d2(self.pool(a))
            u = self.up(b)
            u = F.pad(u, [0, a.shape[3] - u.shape[3], 0, a.shape[2] - u.shape[2]])
            return self.o(self.u(paddle.concat([a, u], 1)))

    net = U()
    opt = paddle.optimizer.Momentum(0.05, 0.9, parameters=net.parameters(), weight_decay=paddle.regularizer.L2Decay(0.0001))

    def step(i):
        x, y = (T(R(i).rand(2, 3, 9, 9).astype("float32")), T(R(i).randint(0, 3, (2, 9, 9))))
        lg = net(x)
        ce = F.cross_entropy(lg, y, axis=1, weight=T(np.array([1.0, 2.0, 0.5], "float32")), ignore_index=255)
        pr = F.softmax(lg, 1)
        oh = F.one_hot(y, 3).transpose([0, 3, 1, 2])
        dice = 1 - ((2 * (pr * oh).sum([2, 3]) + 1) / (pr.sum([2, 3]) + oh.sum([2, 3]) + 1)).mean()
        l = ce + dice
        l.backward()
        opt.step()
        opt.clear_grad()
        return [l, dice]

    return step


train("unet", unet)


def deeplab():

    class A(nn.Layer):
        def __init__(self):
            super().__init__()
            self.c = nn.LayerList([nn.Conv2D(6, 4, 3, padding=r, dilation=r) for r in (1, 2)])
            self.g = nn.Sequential(nn.AdaptiveAvgPool2D((1, 1)), nn.Conv2D(6, 4, 1))
            self.o = nn.Conv2D(12, 2, 1)
            self.stem = nn.Conv2D(3, 6, 3, stride=2, padding=1)
            self.dw = nn.Conv2D(6, 6, 3, padding=1, groups=6)

        def forward(self, x):
            h = F.relu6(self.dw(F.hardswish(self.stem(x))))
            f = [c(h) for c in self.c] + [F.interpolate(self.g(h), h.shape[2:], mode="bilinear")]
            return F.interpolate(self.o(paddle.concat(f, 1)), x.shape[2:], mode="bilinear", align_corners=True)

    net = A()
    opt = paddle.optimizer.SGD(paddle.optimizer.lr.PolynomialDecay(0.1, 10, power=0.9), net.parameters())

    def step(i):
        l = F.binary_cross_entropy_with_logits(
            net(T(R(i).rand(2, 3, 8, 8).astype("float32"))),
            T(R(i).randint(0, 2, (2, 2, 8, 8)).astype("float32")),
            pos_weight=T(np.array([2.0], "float32")),
        )
        l.backward()
        opt.step()
        opt.clear_gradients()
        opt._learning_rate.step()
        return l

    return step


train("deeplab", deeplab)


def seq2seq():

    class S(nn.Layer):
        def __init__(self):
            super().__init__()
            self.e = nn.Embedding(20, 8, padding_idx=0)
            self.enc = nn.LSTM(8, 8, 2, direction="bidirect", dropout=0.0)
            self.cell = nn.LSTMCell(8 + 16, 16)
            self.q = nn.Linear(16, 16, bias_attr=False)
            self.o = nn.Linear(16, 20)
            self.h0 = nn.Linear(16, 16)

        def forward(self, x, ln, y):
            o, (h, c) = self.enc(self.e(x), sequence_length=ln)
            h = self.h0(paddle.concat([h[-2], h[-1]], -1))
            st = (h, paddle.zeros_like(h))
            m = paddle.unsqueeze((paddle.arange(x.shape[1]).unsqueeze(0) < ln.unsqueeze(1)).astype("float32"), 1) * 10000.0 - 10000.0
            outs = []
            for t in range(y.shape[1]):
                a = F.softmax(paddle.bmm(self.q(st[0]).unsqueeze(1), o.transpose([0, 2, 1])) + m)
                ctx = paddle.bmm(a, o).squeeze(1)
                h, st = self.cell(paddle.concat([self.e(y[:, t]), ctx], 1), st)
                outs.append(self.o(h))
            return paddle.stack(outs, 1)

    net = S()
    opt = paddle.optimizer.Adam(learning_rate=0.01, parameters=net.parameters(), grad_clip=nn.ClipGradByNorm(1.0))

    def step(i):
        x, y, ln = (T(R(i).randint(1, 20, (3, 6))), T(R(i + 1).randint(1, 20, (3, 5))), T(np.array([6, 4, 2])))
        lg = net(x, ln, y[:, :-1])
        ls = F.cross_entropy(lg, y[:, 1:].unsqueeze(-1), reduction="none", soft_label=False)
        l = (ls.squeeze(-1) * T(np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 0, 0, 0]], "float32"))).sum() / 8
        l.backward()
        opt.step()
        opt.clear_grad()
        return [l, paddle.exp(l)]

    return step


train("seq2seq", seq2seq)


def beam():
    emb, cell, out = (nn.Embedding(12, 6), nn.GRUCell(6, 6), nn.Linear(6, 12))
    dec = nn.BeamSearchDecoder(cell, start_token=0, end_token=1, beam_size=3, embedding_fn=emb, output_fn=out)
    o, st, ln = nn.dynamic_decode(dec, inits=cell.get_initial_states(paddle.ones([2, 6])), max_step_num=5, return_length=True)
    print(o.numpy().tolist(), ln.numpy().tolist())
    return lambda i: o.sum()


train("beam", beam, 1)


def rl():

    class AC(nn.Layer):
        def __init__(self):
            super().__init__()
            self.b, self.pi, self.v = (nn.Sequential(nn.Linear(4, 16), nn.Tanh()), nn.Linear(16, 2), nn.Linear(16, 1))

        def forward(self, x):
            h = self.b(x)
            return (self.pi(h), self.v(h).squeeze(-1))

    net = AC()
    opt = paddle.optimizer.Adam(0.003, epsilon=1e-05, parameters=net.parameters(), grad_clip=nn.ClipGradByValue(0.5))

    def step(i):
        s, a, old, ret = (
            T(R(i).randn(8, 4).astype("float32")),
            T(R(i).randint(0, 2, 8)),
            T(R(i).randn(8).astype("float32") * 0.1 - 0.7),
            T(R(i).rand(8).astype("float32")),
        )
        lg, v = net(s)
        d = paddle.distribution.Categorical(F.softmax(lg))
        lp = (F.log_softmax(lg) * F.one_hot(a, 2)).sum(-1)
        ratio = paddle.exp(lp - old)
        adv = (ret - v).detach()
        adv = (adv - adv.mean()) / (adv.std() + 1e-08)
        pl = -paddle.minimum(ratio * adv, paddle.clip(ratio, 0.8, 1.2) * adv).mean()
        vl = F.mse_loss(v, ret)
        ent = d.entropy().mean()
        l = pl + 0.5 * vl - 0.01 * ent
        opt.clear_grad()
        l.backward()
        opt.step()
        return [pl, vl, ent]

    return step


train("ppo", rl)


def ddpg():
    A, C = (
        nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1), nn.Tanh()),
        nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)),
    )
    TA, TC = (deepcopy(A), deepcopy(C))
    oa, oc = (
        paddle.optimizer.Adam(0.01, parameters=A.parameters()),
        paddle.optimizer.Adam(0.01, parameters=C.parameters(), weight_decay=0.01),
    )

    def step(i):
        s, a, r, s2 = [T(R(i + k).randn(6, n).astype("float32")) for k, n in enumerate((3, 1, 1, 3))]
        with paddle.no_grad():
            y = r + 0.99 * TC(paddle.concat([s2, TA(s2)], -1))
        cl = F.mse_loss(C(paddle.concat([s, a], -1)), y)
        oc.clear_grad()
        cl.backward()
        oc.step()
        al = -C(paddle.concat([s, A(s)], -1)).mean()
        oa.clear_grad()
        al.backward()
        oa.step()
        for m, t in ((A, TA), (C, TC)):
            for p, q in zip(m.parameters(), t.parameters()):
                q.set_value(0.1 * p + 0.9 * q)
        return [cl, al]

    return step


train("ddpg", ddpg)


def moco():
    q = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4))
    k = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 4))
    k.set_state_dict(q.state_dict())
    [setattr(p, "stop_gradient", True) for p in k.parameters()]
    queue = F.normalize(paddle.randn([4, 10]), axis=0)
    opt = paddle.optimizer.Momentum(0.1, parameters=q.parameters(), use_nesterov=True)
    st = {"q": queue}

    def step(i):
        a, b = (T(R(i).randn(5, 6).astype("float32")), T(R(i + 9).randn(5, 6).astype("float32")))
        x = F.normalize(q(a), axis=1)
        with paddle.no_grad():
            for p, r in zip(q.parameters(), k.parameters()):
                r.set_value(r * 0.99 + p * 0.01)
            y = F.normalize(k(b), axis=1)
        lg = paddle.concat([(x * y).sum(1, keepdim=True), x @ st["q"].clone().detach()], 1) / 0.2
        l = F.cross_entropy(lg, paddle.zeros([5], "int64"))
        l.backward()
        opt.step()
        opt.clear_grad()
        st["q"] = paddle.concat([st["q"][:, 5:], y.t()], 1)
        return [l, paddle.metric.accuracy(lg, paddle.zeros([5, 1], "int64"), k=3)]

    return step


train("moco", moco)


def simclr_kd():
    te, stu = (nn.Linear(6, 4), nn.Linear(6, 4))
    ce = nn.CrossEntropyLoss()
    opt = paddle.optimizer.RMSProp(0.01, parameters=stu.parameters(), centered=True, momentum=0.9)

    def step(i):
        x, y = (T(R(i).randn(8, 6).astype("float32")), T(R(i).randint(0, 4, (8, 1))))
        te.eval()
        tl = te(x).detach()
        sl = stu(x)
        kd = F.kl_div(F.log_softmax(sl / 4), F.softmax(tl / 4), reduction="batchmean") * 16
        nce = F.normalize(sl, axis=1)
        sim = nce @ nce.t()
        sim = paddle.where(paddle.eye(8).astype("bool"), paddle.full_like(sim, -1000000000.0), sim)
        sc = F.cross_entropy(sim / 0.5, T((np.arange(8) + 4) % 8))
        l = kd + ce(sl, y) + sc
        l.backward()
        opt.minimize(l)
        stu.clear_gradients()
        return [l, kd, sc]

    return step


train("kd", simclr_kd)


def prune():
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
    masks = {n: (p.abs() > paddle.quantile(p.abs(), 0.5)).astype("float32") for n, p in net.named_parameters() if p.ndim == 2}
    opt = paddle.optimizer.Adagrad(0.1, parameters=net.parameters())

    def step(i):
        for n, p in net.named_parameters():
            if n in masks:
                p.set_value(p * masks[n])
        l = F.hinge_embedding_loss(net(T(R(i).randn(4, 8).astype("float32"))), T(np.sign(R(i).randn(4, 3)).astype("float32")))
        l.backward()
        opt.step()
        opt.clear_grad()
        return [l, sum(((p == 0).astype("float32").sum() for p in net.parameters()))]

    return step


train("prune", prune)


def wgan():
    G, D = (
        nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1D(8), nn.ReLU(), nn.Linear(8, 6)),
        nn.Sequential(nn.Linear(6, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1, bias_attr=False)),
    )
    og, od = (
        paddle.optimizer.Adam(0.001, 0.5, 0.9, 1e-3, parameters=G.parameters()),
        paddle.optimizer.Adam(0.001, 0.5, 0.9, 1e-3, parameters=D.parameters()),
    )

    def step(i):
        for k in range(2):
            real, z, e = (
                T(R(i).rand(5, 6).astype("float32")),
                T(R(i + k).randn(5, 3).astype("float32")),
                T(R(k).rand(5, 1).astype("float32")),
            )
            fake = G(z).detach()
            x = e * real + (1 - e) * fake
            x.stop_gradient = False
            (g,) = paddle.grad(D(x).sum(), x, create_graph=True, retain_graph=True)
            gp = ((g.norm(2, axis=1) - 1) ** 2).mean()
            dl = D(fake).mean() - D(real).mean() + 10 * gp
            dl.backward()
            od.step()
            od.clear_grad()
        gl = -D(G(z)).mean()
        gl.backward()
        og.step()
        og.clear_grad()
        D.clear_gradients()
        return [dl, gl, gp]

    return step


train("wgan", wgan)


def transformer():
    m = nn.Transformer(16, 4, 1, 1, 32, dropout=0.0, activation="gelu", normalize_before=True)
    e = nn.Embedding(20, 16)
    o = nn.Linear(16, 20)
    ps = m.parameters() + e.parameters() + o.parameters()
    sch = paddle.optimizer.lr.NoamDecay(16, 4)
    opt = paddle.optimizer.Adam(sch, beta2=0.98, epsilon=1e-09, parameters=ps)

    def step(i):
        s, t = (T(R(i).randint(0, 20, (3, 7))), T(R(i + 5).randint(0, 20, (3, 6))))
        h = m(e(s), e(t[:, :-1]), tgt_mask=nn.Transformer.generate_square_subsequent_mask(m, 5))
        lb = F.label_smooth(F.one_hot(t[:, 1:], 20), epsilon=0.1)
        l = F.cross_entropy(o(h), lb, soft_label=True)
        l.backward()
        opt.step()
        opt.clear_grad()
        sch.step()
        return [l, sch.get_lr()]

    return step


train("transformer", transformer)


def crf():
    gru, fc = (nn.GRU(6, 5, direction="bidirectional"), nn.Linear(10, 4))
    tr = paddle.create_parameter([4, 4], "float32", default_initializer=nn.initializer.Uniform(-0.1, 0.1))
    opt = paddle.optimizer.Adamax(0.01, parameters=gru.parameters() + fc.parameters() + [tr])

    def step(i):
        x, y = (T(R(i).randn(2, 5, 6).astype("float32")), T(R(i).randint(0, 4, (2, 5))))
        em = fc(gru(x)[0])
        al = em[:, 0]
        for t in range(1, 5):
            al = paddle.logsumexp(al.unsqueeze(2) + tr.unsqueeze(0), 1) + em[:, t]
        gold = paddle.take_along_axis(em, y.unsqueeze(-1), 2).squeeze(-1).sum(1) + paddle.gather_nd(
            tr, paddle.stack([y[:, :-1], y[:, 1:]], -1)
        ).sum(1)
        l = (paddle.logsumexp(al, 1) - gold).mean()
        l.backward()
        opt.step()
        opt.clear_grad()
        return [l]

    return step


train("crf", crf)


def ctc():
    net = nn.Sequential(nn.Conv1D(4, 8, 3, padding=1), nn.ELU())
    fc = nn.Linear(8, 5)
    opt = paddle.optimizer.Adadelta(1.0, parameters=net.parameters() + fc.parameters())

    def step(i):
        lg = fc(net(T(R(i).randn(2, 4, 10).astype("float32"))).transpose([2, 0, 1]))
        l = F.ctc_loss(lg, T(R(i).randint(1, 5, (2, 3)).astype("int32")), T(np.array([10, 8])), T(np.array([3, 2])), blank=0)
        l.backward()
        opt.step()
        opt.clear_grad()
        return l

    return step


train("ctc", ctc)

"""Structured outputs: a CRF over a recurrent tagger, attention with cells of its own, beam search over them."""

import numpy as np
import paddle
import paddle.nn as nn

paddle.seed(5)


class LinearChainCrf(nn.Layer):
    def __init__(self, n, lr=10.0):
        super().__init__()
        self.n = n + 2
        self.transitions = self.create_parameter(attr=paddle.ParamAttr(learning_rate=lr), shape=[self.n, self.n], dtype="float32")
        self.start = n
        self.stop = n + 1

    def forward(self, emit, lens):
        B, L, N = emit.shape
        em = emit.transpose([1, 0, 2])
        paddle.ones([B, 1])
        a = paddle.concat([paddle.full([B, self.n - 2], -10000.0), paddle.zeros([B, 1]), paddle.full([B, 1], -10000.0)], 1)
        al = []
        for i in range(L):
            a = paddle.logsumexp(a.unsqueeze(2) + em[i].unsqueeze(1) + self.transitions.unsqueeze(0), axis=1)
            al.append(a)
        al = paddle.stack(al)
        idx = paddle.stack([lens - 1, paddle.arange(B)], axis=1)
        a = paddle.gather_nd(al, idx)
        return paddle.logsumexp(a + self.transitions[:, self.stop].unsqueeze(0), 1)

    def gold(self, emit, y, lens):
        B, L, N = emit.shape
        bi = paddle.arange(B).unsqueeze(1).expand([B, L])
        si = paddle.arange(L).unsqueeze(0).expand([B, L])
        e = paddle.gather_nd(emit, paddle.stack([bi, si, y], -1))
        mask = paddle.nn.functional.sequence_mask(lens, maxlen=L, dtype="float32")
        ys = paddle.concat([paddle.full([B, 1], self.start, "int64"), y], 1)
        t = paddle.gather_nd(self.transitions, paddle.stack([ys[:, :-1], ys[:, 1:]], 2))
        last = paddle.index_sample(y, (lens - 1).unsqueeze(1))
        s = paddle.gather(self.transitions[:, self.stop], last.flatten())
        return ((e + t) * mask).sum(1) + s


class Tagger(nn.Layer):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(40, 16, weight_attr=paddle.ParamAttr(initializer=nn.initializer.Uniform(-0.1, 0.1)))
        self.gru = nn.GRU(16, 12, direction="bidirect")
        self.fc = nn.Linear(24, 7)
        self.crf = LinearChainCrf(5)
        self.dec = paddle.text.ViterbiDecoder(self.crf.transitions, True)

    def forward(self, x, lens, y=None):
        h, _ = self.gru(self.emb(x), sequence_length=lens)
        e = self.fc(h)
        if y is not None:
            return (self.crf(e, lens) - self.crf.gold(e, y, lens)).mean()
        return self.dec(e, lens)


m = Tagger()
opt = (
    paddle.optimizer.Adam(0.01, parameters=m.parameters(), multi_precision=True)
    if False
    else paddle.optimizer.Adam(0.01, parameters=m.parameters())
)
r = np.random.RandomState(2)
for it in range(6):
    x = paddle.to_tensor(r.randint(0, 40, (4, 7)))
    y = paddle.to_tensor(r.randint(0, 5, (4, 7)))
    lens = paddle.to_tensor([7, 5, 3, 6])
    l = m(x, lens, y)
    l.backward()
    opt.step()
    opt.clear_gradients()
    print(it, float(l))
sc, path = m(x, lens)
print(sc, path)
print(float(m.crf.transitions.grad.sum()) if m.crf.transitions.grad is not None else None)


class Enc(nn.Layer):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(20, 8)
        self.rnn = nn.RNN(nn.LSTMCell(8, 8), is_reverse=False)

    def forward(self, x, l):
        return self.rnn(self.e(x), sequence_length=l)


class Att(nn.Layer):
    def __init__(self):
        super().__init__()
        self.i = nn.Linear(8, 8, bias_attr=False)
        self.o = nn.Linear(16, 8, bias_attr=False)

    def forward(self, h, enc, pad):
        e = self.i(enc)
        a = paddle.matmul(h.unsqueeze(1), e, transpose_y=True) + pad.unsqueeze(1)
        c = paddle.squeeze(paddle.matmul(nn.functional.softmax(a), enc), [1])
        return self.o(paddle.concat([c, h], 1))


class DC(nn.RNNCellBase):
    def __init__(self):
        super().__init__()
        self.l = nn.LSTMCell(16, 8)
        self.at = Att()

    def forward(self, x, st, enc, pad):
        (h, c), feed = st
        o, nst = self.l(paddle.concat([x, feed], 1), (h, c))
        o = self.at(o, enc, pad)
        return (o, [nst, o])


class S2S(nn.Layer):
    def __init__(self):
        super().__init__()
        self.enc = Enc()
        self.emb = nn.Embedding(20, 8)
        self.cell = DC()
        self.rnn = nn.RNN(self.cell)
        self.out = nn.Linear(8, 20)

    def forward(self, x, l, y):
        o, (h, c) = self.enc(x, l)
        pad = (nn.functional.sequence_mask(l, maxlen=x.shape[1], dtype="float32") - 1) * 1000000000.0
        d, _ = self.rnn(self.emb(y), initial_states=[(h, c), self.cell.l.get_initial_states(batch_ref=h, shape=[8])], enc=o, pad=pad)
        return (self.out(d), o, (h, c), pad)


s = S2S()
opt = paddle.optimizer.Adam(0.01, parameters=s.parameters(), grad_clip=nn.ClipGradByGlobalNorm(5.0))
for it in range(4):
    x = paddle.to_tensor(r.randint(2, 20, (3, 6)))
    l = paddle.to_tensor([6, 4, 2])
    y = r.randint(2, 20, (3, 5))
    lo, *_ = s(x, l, paddle.to_tensor(y[:, :-1]))
    c = nn.functional.cross_entropy(lo, paddle.to_tensor(y[:, 1:, None]), reduction="none", soft_label=False).squeeze(2)
    c = c.mean([0]).sum()
    c.backward()
    opt.step()
    opt.clear_grad()
    print("s2s", float(c))


class DecCell(nn.RNNCellBase):
    def __init__(self, c, e, p):
        super().__init__()
        self.c, self.e, self.p = (c, e, p)

    def forward(self, x, st):
        return self.c(x, st, self.e, self.p)


_, o, (h, c), pad = s(x, l, paddle.to_tensor(y[:, :-1]))
K = 3
t = nn.BeamSearchDecoder.tile_beam_merge_with_batch
dec = nn.BeamSearchDecoder(
    DecCell(s.cell, t(o, K), t(pad, K)), start_token=0, end_token=1, beam_size=K, embedding_fn=s.emb, output_fn=s.out
)
ids, st, ln = nn.dynamic_decode(
    dec, inits=[(h, c), s.cell.l.get_initial_states(batch_ref=h, shape=[8])], max_step_num=5, return_length=True
)
print(ids.shape, ids.numpy().tolist(), ln)

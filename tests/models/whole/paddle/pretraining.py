"""BERT's two losses in a Program, with averages, checkpoints, an exported part, loops, branches and a Python function."""

import os

import numpy as np
import paddle
import paddle.nn.functional as F
import paddle.static as static

paddle.enable_static()
paddle.seed(5)
main, startup = (static.Program(), static.Program())
with static.program_guard(main, startup):
    ids = static.data("ids", [None, 12], "int64")
    seg = static.data("seg", [None, 12], "int64")
    mask = static.data("mask", [None, 12], "float32")
    pos = static.data("masked_pos", [None], "int64")
    lab = static.data("lab", [None, 1], "int64")
    nsp = static.data("nsp", [None, 1], "int64")
    emb = paddle.nn.Embedding(50, 16)
    p = static.nn.embedding(
        paddle.expand(paddle.unsqueeze(paddle.arange(12), 0), [paddle.shape(ids)[0], 12]),
        [12, 16],
        param_attr=paddle.ParamAttr(name="pos", initializer=paddle.nn.initializer.TruncatedNormal(std=0.02)),
    )
    x = emb(ids) + p + static.nn.embedding(seg, [2, 16])
    x = paddle.nn.LayerNorm(16)(x)
    x = F.dropout(x, 0.1, training=True)
    am = (1.0 - paddle.unsqueeze(mask, [1, 2])) * -10000.0
    enc = paddle.nn.TransformerEncoder(paddle.nn.TransformerEncoderLayer(16, 4, 32, dropout=0.1, activation="gelu"), 2)
    h = enc(x, am)
    pooled = F.tanh(static.nn.fc(h[:, 0], 16))
    m = paddle.gather(paddle.reshape(h, [-1, 16]), pos)
    t = paddle.nn.LayerNorm(16)(F.gelu(static.nn.fc(m, 16)))
    bias = static.create_parameter([50], "float32", name="mlm_bias", is_bias=True)
    logits = paddle.matmul(t, emb.weight, transpose_y=True) + bias
    mlm = paddle.mean(F.softmax_with_cross_entropy(logits, lab))
    nl = static.nn.fc(pooled, 2)
    nspl = F.cross_entropy(nl, nsp)
    loss = mlm + nspl
    acc = static.accuracy(F.softmax(nl), nsp)
    test = main.clone(for_test=True)
    sched = paddle.optimizer.lr.LinearWarmup(paddle.optimizer.lr.PolynomialDecay(0.01, 10, 0.0), 3, 0.0, 0.01)
    opt = paddle.optimizer.AdamW(
        sched,
        weight_decay=0.01,
        apply_decay_param_fun=lambda n: "norm" not in n and ".b_" not in n,
        grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0),
    )
    opt.minimize(loss)
    ema = static.ExponentialMovingAverage(0.9)
    ema.update()
exe = static.Executor(paddle.CPUPlace())
exe.run(startup)
r = np.random.RandomState(1)


def feed():
    return dict(
        ids=r.randint(0, 50, (4, 12)),
        seg=r.randint(0, 2, (4, 12)),
        mask=np.ones((4, 12), "float32"),
        masked_pos=r.randint(0, 48, 6),
        lab=r.randint(0, 50, (6, 1)),
        nsp=r.randint(0, 2, (4, 1)),
    )


for i in range(6):
    l, a, b, ac, lr = exe.run(main, feed=feed(), fetch_list=[loss, mlm, nspl, acc, loss])
    sched.step()
    print("step %d loss %.5f mlm %.5f nsp %.5f acc %.2f lr %.6f" % (i, l, a, b, ac, sched.get_lr()))
f = feed()
print([round(float(v), 5) for v in exe.run(test, feed=f, fetch_list=[loss, acc])])
with ema.apply(exe):
    print([round(float(v), 5) for v in exe.run(test, feed=f, fetch_list=[loss])])
static.save(main, "ck/bert")
sd = static.load_program_state("ck/bert")
print(len(sd), sorted(os.listdir("ck")))
static.set_program_state(main, sd)
static.save_inference_model("inf/bert", [ids, seg, mask], [pooled], exe, program=test)
prog, names, outs = static.load_inference_model("inf/bert", exe)
print(names, [list(o.shape) for o in outs])
print(np.round(exe.run(prog, feed={n: f[n] for n in names}, fetch_list=outs)[0][0][:4], 4))
s2 = static.Program()
m2 = static.Program()
with static.program_guard(m2, s2):
    a = static.data("a", [None, 4])
    a.stop_gradient = False
    i0 = paddle.full([1], 0, "int64")
    n = paddle.full([1], 4, "int64")

    def body(i, s):
        return [i + 1, s * 1.5 + paddle.cast(i, "float32")]

    _, s = static.nn.while_loop(lambda i, s: i < n, body, [i0, a])
    c = static.nn.cond(paddle.mean(a) > 0, lambda: paddle.sum(s), lambda: paddle.mean(s))
    sw = static.nn.switch_case(paddle.full([1], 1, "int32"), {0: lambda: a, 1: lambda: a * 2})
    ca = static.nn.case([(paddle.mean(a) > 10, lambda: a + 1)], default=lambda: a - 1)

    def pf(x):
        return np.tanh(x)

    out = m2.current_block().create_var(name="pyo", dtype="float32", shape=[-1, 4])
    static.py_func(pf, a, out)
    pr = paddle.mean(out)
    w = static.nn.fc(a, 3, weight_attr=paddle.ParamAttr(regularizer=paddle.regularizer.L1Decay(0.01)))
    g = static.gradients(paddle.sum(w**2), [a])[0]
exe.run(s2)
exe.run(s2)
for o in exe.run(m2, feed={"a": np.arange(8).reshape(2, 4).astype("float32")}, fetch_list=[s, c, sw, ca, out, pr]):
    print(np.round(o, 4).tolist())
print(g.name, g.shape, [op.type for op in m2.global_block().ops][:12], m2.num_blocks)

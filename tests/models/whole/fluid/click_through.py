"""Recommenders: Wide & Deep, DCN, xDeepFM, DIN, DSSM, GRU4Rec, noise-contrastive words and ESMM."""

import numpy as np
import paddle.fluid as fluid

L = fluid.layers


def run(name, build, feed, steps=4, lr=0.05, opt=None):
    main, startup = (fluid.Program(), fluid.Program())
    main.random_seed = startup.random_seed = 12
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        loss, extra = build()
        (opt or fluid.optimizer.Adam(lr)).minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        for i in range(steps):
            out = exe.run(main, feed=feed(i), fetch_list=[loss] + extra, return_numpy=False)
            print(name, i, " ".join(("%.5f" % np.mean(np.array(o)) for o in out)))


def R(i):
    return np.random.RandomState(i)


def wide_deep():
    wide = fluid.data("wide", [None, 8])
    deep = fluid.data("deep", [None, 12])
    y = fluid.data("y", [None, 1])
    w = L.fc(wide, 1, param_attr=fluid.ParamAttr(learning_rate=0.5))
    d = deep
    for s in (16, 8):
        d = L.fc(d, s, act="relu", param_attr=fluid.ParamAttr(initializer=fluid.initializer.TruncatedNormal(0, 0.3)))
    logit = L.elementwise_add(w, L.fc(d, 1))
    loss = L.mean(L.sigmoid_cross_entropy_with_logits(logit, y))
    p = L.sigmoid(logit)
    acc = L.accuracy(L.concat([1 - p, p], 1), L.cast(y, "int64"))
    return (loss, [acc])


run(
    "wide_deep",
    wide_deep,
    lambda i: {
        "wide": R(i).rand(6, 8).astype("float32"),
        "deep": R(i).rand(6, 12).astype("float32"),
        "y": R(i).randint(0, 2, (6, 1)).astype("float32"),
    },
    opt=fluid.optimizer.Ftrl(0.1, l1=0.01, l2=0.01),
)


def dcn():
    x0 = fluid.data("x", [None, 10])
    y = fluid.data("y", [None, 1], dtype="int64")
    xl = x0
    for i in range(3):
        w = L.create_parameter([10], "float32", name="cw%d" % i, default_initializer=fluid.initializer.Normal(0, 0.2))
        b = L.create_parameter([10], "float32", name="cb%d" % i, is_bias=True)
        xw = L.reduce_sum(L.elementwise_mul(xl, w), dim=1, keep_dim=True)
        xl = x0 * xw + b + xl
    d = L.fc(x0, 16, act="relu")
    p = L.fc(L.concat([xl, d], 1), 2, act="softmax")
    auc, _, _ = L.auc(p, y, num_thresholds=2**12, slide_steps=20)
    l2 = 0.01 * L.reduce_sum(L.square(fluid.default_main_program().global_block().var("cw0")))
    return (L.mean(L.cross_entropy(p, y)) + l2, [auc])


run("dcn", dcn, lambda i: {"x": R(i).rand(6, 10).astype("float32"), "y": R(i).randint(0, 2, (6, 1))})


def cin():
    emb = L.reshape(fluid.embedding(fluid.data("ids", [None, 5], "int64"), [30, 4], is_sparse=True), [-1, 5, 4])
    y = fluid.data("y", [None, 1])
    Xs, outs, h = ([emb], [], 5)
    X0 = L.split(emb, 4, 2)
    for size in (6, 3):
        XK = L.split(Xs[-1], 4, 2)
        Z = L.stack([L.reshape(L.matmul(a, b, transpose_y=True), [-1, 5 * h]) for a, b in zip(X0, XK)], axis=1)
        Z = L.transpose(L.reshape(Z, [-1, 4, 5 * h, 1]), [0, 2, 1, 3])
        k = L.conv2d(Z, size, (1, 1), act=None, bias_attr=False, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Xavier()))
        k = L.reshape(k, [-1, size, 4])
        Xs.append(k)
        h = size
        outs.append(L.reduce_sum(k, -1))
    logit = L.fc(L.concat(outs, 1), 1)
    return (L.mean(L.log_loss(L.sigmoid(logit), y)), [logit])


run("xdeepfm", cin, lambda i: {"ids": R(i).randint(0, 30, (6, 5)), "y": R(i).randint(0, 2, (6, 1)).astype("float32")})


def din():
    hist = fluid.data("hist", [None, 7], "int64")
    tgt = fluid.data("tgt", [None], "int64")
    mask = fluid.data("mask", [None, 7, 1])
    y = fluid.data("y", [None, 1])
    h = fluid.embedding(hist, [40, 6], param_attr="item")
    t = fluid.embedding(tgt, [40, 6], param_attr="item")
    te = L.expand(L.unsqueeze(t, [1]), [1, 7, 1])
    c = L.concat([h, te, h - te, h * te], axis=2)
    a = L.fc(L.fc(c, 8, num_flatten_dims=2, act="sigmoid"), 1, num_flatten_dims=2)
    w = L.softmax(L.transpose(a + mask, [0, 2, 1]))
    out = L.squeeze(L.matmul(w * 6 ** (-0.5), h), [1])
    e = L.fc(L.concat([L.batch_norm(out), t], 1), 8)
    e = L.prelu(e, mode="all")
    logit = L.fc(e, 1) + L.fc(t, 1, act="leaky_relu")
    loss = L.reduce_mean(L.sigmoid_cross_entropy_with_logits(logit, y))
    return (loss, [w])


def dinfeed(i):
    m = np.zeros((6, 7, 1), "float32")
    m[:, 4:] = -(2**32) + 1
    return {
        "hist": R(i).randint(0, 40, (6, 7)),
        "tgt": R(i).randint(0, 40, 6),
        "mask": m,
        "y": R(i).randint(0, 2, (6, 1)).astype("float32"),
    }


run("din", din, dinfeed, opt=fluid.optimizer.SGD(0.5))


def dssm():
    q = fluid.data("q", [None], "int64", lod_level=1)
    d = fluid.data("d", [None], "int64", lod_level=1)
    n = fluid.data("n", [None], "int64", lod_level=1)

    def tower(x, p):
        return L.fc(
            L.softsign(L.sequence_pool(fluid.embedding(x, [50, 8], is_sparse=True, param_attr="e"), "sum")),
            8,
            act="tanh",
            param_attr=p + "w",
            bias_attr=p + "b",
        )

    pos = L.cos_sim(tower(q, "q"), tower(d, "d"))
    neg = L.cos_sim(tower(q, "q"), tower(n, "d"))
    zero = L.fill_constant_batch_size_like(input=neg, shape=[-1, 1], dtype="float32", value=0.0)
    L.fill_constant_batch_size_like(input=neg, shape=[-1, 1], dtype="float32", value=1.0)
    cost = L.elementwise_max(zero, L.scale(L.elementwise_sub(neg, pos), bias=0.3))
    pn = L.reduce_sum(L.cast(L.greater_than(pos, neg), "float32"))
    return (L.mean(cost), [pn])


def lod(i, k, hi):
    r = R(i * 10 + k)
    ls = [r.randint(1, 5) for _ in range(4)]
    return fluid.create_lod_tensor(r.randint(0, hi, sum(ls)).astype("int64"), [ls], fluid.CPUPlace())


run(
    "dssm",
    dssm,
    lambda i: {"q": lod(i, 0, 50), "d": lod(i, 1, 50), "n": lod(i, 2, 50)},
    opt=fluid.optimizer.Momentum(0.1, 0.9, use_nesterov=True),
)


def gru4rec():
    s = L.data("src", [1], dtype="int64", lod_level=1)
    t = L.data("dst", [1], dtype="int64", lod_level=1)
    e = L.embedding(
        s, [40, 10], param_attr=fluid.ParamAttr(initializer=fluid.initializer.Uniform(-0.1, 0.1), learning_rate=10.0), is_sparse=False
    )
    f = L.fc(e, 30, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Uniform(-0.1, 0.1)))
    g = L.dynamic_gru(f, 10, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Uniform(-0.1, 0.1)))
    p = L.fc(g, 40, act="softmax")
    return (L.mean(L.cross_entropy(p, t)), [L.accuracy(p, t, k=20)])


def g4(i):
    r = R(i)
    ls = [3, 2, 4]
    f = lambda: fluid.create_lod_tensor(r.randint(0, 40, (9, 1)).astype("int64"), [ls], fluid.CPUPlace())
    return {"src": f(), "dst": f()}


run("gru4rec", gru4rec, g4, opt=fluid.optimizer.Adagrad(0.01))


def w2v_nce():
    x = fluid.data("x", [None, 1], "int64")
    y = fluid.data("y", [None, 1], "int64")
    e = L.reshape(fluid.embedding(x, [30, 8], is_sparse=True), [-1, 8])
    n = L.nce(e, y, 30, num_neg_samples=5, sampler="log_uniform", seed=3, param_attr="ncew", bias_attr="nceb")
    h = L.hsigmoid(e, y, 30)
    return (L.mean(n) + L.reduce_mean(h), [])


run("nce", w2v_nce, lambda i: {"x": R(i).randint(0, 30, (6, 1)), "y": R(i).randint(0, 30, (6, 1))}, opt=None)


def esmm():
    f = [fluid.data("f%d" % i, [None, 1], "int64", lod_level=1) for i in range(3)]
    e = L.concat([L.sequence_pool(L.squeeze(fluid.embedding(x, [20, 4], padding_idx=0, param_attr="se"), [1]), "average") for x in f], 1)
    c1 = L.fc(L.fc(e, 8, act="relu"), 2, act="softmax")
    c2 = L.fc(L.fc(e, 8, act="relu"), 2, act="softmax")
    ctr = L.slice(c1, [1], [1], [2])
    cvr = L.slice(c2, [1], [1], [2])
    y = fluid.data("y", [None, 1])
    z = fluid.data("z", [None, 1])
    ct = ctr * cvr
    loss = L.reduce_mean(L.log_loss(ctr, y)) + L.reduce_mean(L.log_loss(ct, z))
    return (loss, [L.clip(ct, 1e-06, 1.0)])


def ef(i):
    d = {}
    for k in range(3):
        r = R(i * 3 + k)
        ls = [r.randint(1, 4) for _ in range(5)]
        d["f%d" % k] = fluid.create_lod_tensor(r.randint(0, 20, (sum(ls), 1)).astype("int64"), [ls], fluid.CPUPlace())
    y = R(i).randint(0, 2, (5, 1)).astype("float32")
    d.update(y=y, z=y * R(i + 9).randint(0, 2, (5, 1)).astype("float32"))
    return d


run("esmm", esmm, ef)

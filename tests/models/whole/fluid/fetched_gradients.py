"""Gradients of sequences, fetched: which of them come with a LoD."""

import numpy as np
import paddle.fluid as fluid

L = fluid.layers
P = fluid.CPUPlace()
exe = fluid.Executor(P)


def go(name, f, dim):
    m, s = (fluid.Program(), fluid.Program())
    m.random_seed = s.random_seed = 9
    with fluid.program_guard(m, s), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        x = fluid.data("x", [None, dim], "float32", lod_level=1)
        x.stop_gradient = False
        w = fluid.data("w", [None, 6], "float32")
        o = f(x, w)
        l = L.reduce_mean(o)
        pg = fluid.backward.append_backward(l)
        exe.run(s)
        r = np.random.RandomState(3)
        v = exe.run(
            m,
            feed={"x": fluid.create_lod_tensor(r.randn(5, dim).astype("float32"), [[3, 2]], P), "w": r.randn(5, 6).astype("float32")},
            fetch_list=[o, "x@GRAD"] + [g for _, g in pg],
            return_numpy=False,
        )
        print(name, [t.recursive_sequence_lengths() for t in v], ["%.4f" % np.abs(np.array(t)).sum() for t in v])


go("lstm", lambda x, w: L.dynamic_lstm(x, 24)[0], 24)
go("lstm*w", lambda x, w: L.dynamic_lstm(x, 24)[0] * w, 24)
go("gru", lambda x, w: L.dynamic_gru(x, 6), 18)
go("gru*w", lambda x, w: L.dynamic_gru(x, 6) * w, 18)
go("lstmp", lambda x, w: L.dynamic_lstmp(x, 24, 6)[0] * w, 24)
for n, f in {
    "seqconv": lambda x, w: L.sequence_conv(x, 6),
    "fc": lambda x, w: L.fc(x, 6),
    "fc*w": lambda x, w: L.fc(x, 6) * w,
    "pool": lambda x, w: L.sequence_pool(x, "sum"),
    "softmax": lambda x, w: L.sequence_softmax(L.fc(x, 1)),
    "rev": lambda x, w: L.sequence_reverse(x),
    "exp": lambda x, w: L.sequence_expand(L.sequence_pool(x, "max"), x),
    "expas": lambda x, w: L.sequence_expand_as(L.sequence_pool(x, "max"), x),
    "concat": lambda x, w: L.sequence_concat([x, x]),
    "pad": lambda x, w: L.sequence_pad(x, L.assign(np.zeros(1, "float32")))[0],
    "first": lambda x, w: L.sequence_first_step(x),
    "reshape": lambda x, w: L.sequence_reshape(x, 3),
    "slice": lambda x, w: L.sequence_slice(x, L.assign(np.array([[0], [0]], "int64")), L.assign(np.array([[1], [2]], "int64"))),
    "rowconv": lambda x, w: L.row_conv(x, 2),
    "relu": lambda x, w: L.relu(x),
    "drop": lambda x, w: L.dropout(x, 0.0),
    "emul": lambda x, w: x * w,
    "ln": lambda x, w: L.layer_norm(x),
    "im": lambda x, w: L.concat([x, w], 1),
    "split": lambda x, w: L.split(x, 2, 1)[0],
    "scale": lambda x, w: L.scale(x, 2.0),
    "mm": lambda x, w: L.matmul(x, L.transpose(w, [1, 0])),
    "sm": lambda x, w: L.softmax(x),
    "cast": lambda x, w: L.cast(x, "float64"),
    "resh": lambda x, w: L.reshape(x, [-1, 3]),
    "gather": lambda x, w: L.gather(x, L.assign(np.array([0, 1], "int64"))),
    "l2": lambda x, w: L.l2_normalize(x, 1),
    "bn": lambda x, w: L.batch_norm(x),
    "sum": lambda x, w: L.sums([x, w]),
    "sq": lambda x, w: L.square_error_cost(x, w),
}.items():
    go(n, f, 6)
for n, f in {
    "expand2": lambda x, w: L.sequence_expand(x, x),
    "clip": lambda x, w: L.clip(x, -1.0, 1.0),
    "pow": lambda x, w: L.pow(x, 2.0),
    "prelu": lambda x, w: L.prelu(x, "all"),
    "slice0": lambda x, w: L.slice(x, [1], [0], [3]),
    "stack": lambda x, w: L.stack([x, x]),
    "transpose": lambda x, w: L.transpose(x, [1, 0]),
    "cumsum": lambda x, w: L.cumsum(x, 1),
    "sl1": lambda x, w: L.smooth_l1(x, w),
    "huber": lambda x, w: L.huber_loss(x, w, 1.0),
    "cos": lambda x, w: L.cos_sim(x, w),
    "bil": lambda x, w: L.bilinear_tensor_product(x, w, 3),
    "pad": lambda x, w: L.pad(x, [0, 0, 1, 1]),
    "expand": lambda x, w: L.expand(x, [1, 2]),
    "swce": lambda x, w: L.softmax_with_cross_entropy(x, L.assign(np.array([[0], [1], [2], [3], [4]], "int64"))),
    "ce": lambda x, w: L.cross_entropy(L.softmax(x), L.assign(np.array([[0], [1], [2], [3], [4]], "int64"))),
    "maxout": lambda x, w: L.maxout(L.reshape(x, [-1, 6, 1, 1]), 2),
    "sigce": lambda x, w: L.sigmoid_cross_entropy_with_logits(x, w),
    "fc2": lambda x, w: L.fc(L.fc(x, 6, act="tanh"), 6),
    "twice": lambda x, w: L.fc(x, 6) + L.fc(x, 6, act="relu"),
    "fcseq": lambda x, w: L.sequence_pool(L.fc(x, 6), "sqrt"),
    "addpos": lambda x, w: L.add_position_encoding(x, 1.0, 1.0),
    "unsq": lambda x, w: L.unsqueeze(x, [1]),
    "mean": lambda x, w: L.mean(x),
    "rsum": lambda x, w: L.reduce_sum(x, 1),
    "where": lambda x, w: L.where(L.less_than(x, w), x, w) if 0 else L.elementwise_max(x, w),
    "drn": lambda x, w: (
        L.sequence_scatter(w, L.lod_reset(L.assign(np.array([[0], [1], [2], [0], [1]], "int64")), x), L.reduce_sum(x, 1))
        if 0
        else L.gelu(x)
    ),
    "crf": lambda x, w: L.linear_chain_crf(x, L.lod_reset(L.assign(np.array([[0], [1], [2], [0], [1]], "int64")), x)),
    "warp": lambda x, w: L.warpctc(x, L.lod_reset(L.assign(np.array([[0], [1]], "int32")), target_lod=[0, 1, 2]), blank=5),
    "gu": lambda x, w: L.gru_unit(x, L.slice(w, [1], [0], [2]), 6)[0],
}.items():
    go(n, f, 6)

"""Semantic roles: a stack of LSTMs in both directions under a CRF."""

import numpy as np
import paddle.fluid as fluid

word_dict_len, label_dict_len, pred_dict_len = (30, 9, 10)
mark_dict_len, word_dim, mark_dim, hidden_dim, depth, mix_hidden_lr = (2, 8, 3, 24, 4, 0.001)
embedding_name = "emb"


def db_lstm(word, predicate, ctx_n2, ctx_n1, ctx_0, ctx_p1, ctx_p2, mark, **ignored):
    predicate_embedding = fluid.embedding(
        input=predicate, size=[pred_dict_len, word_dim], dtype="float32", is_sparse=True, param_attr="vemb"
    )
    mark_embedding = fluid.embedding(input=mark, size=[mark_dict_len, mark_dim], dtype="float32", is_sparse=True)
    emb_layers = [
        fluid.embedding(size=[word_dict_len, word_dim], input=x, param_attr=fluid.ParamAttr(name=embedding_name, trainable=False))
        for x in [word, ctx_n2, ctx_n1, ctx_0, ctx_p1, ctx_p2]
    ]
    emb_layers += [predicate_embedding, mark_embedding]
    hidden_0 = fluid.layers.sums(input=[fluid.layers.fc(input=emb, size=hidden_dim, act="tanh") for emb in emb_layers])
    lstm_0 = fluid.layers.dynamic_lstm(
        input=hidden_0, size=hidden_dim, candidate_activation="relu", gate_activation="sigmoid", cell_activation="sigmoid"
    )
    input_tmp = [hidden_0, lstm_0]
    for i in range(1, depth):
        mix_hidden = fluid.layers.sums(
            input=[
                fluid.layers.fc(input=input_tmp[0], size=hidden_dim, act="tanh"),
                fluid.layers.fc(input=input_tmp[1], size=hidden_dim, act="tanh"),
            ]
        )
        lstm = fluid.layers.dynamic_lstm(
            input=mix_hidden,
            size=hidden_dim,
            candidate_activation="relu",
            gate_activation="sigmoid",
            cell_activation="sigmoid",
            is_reverse=i % 2 == 1,
        )
        input_tmp = [mix_hidden, lstm]
    return fluid.layers.sums(
        input=[
            fluid.layers.fc(input=input_tmp[0], size=label_dict_len, act="tanh"),
            fluid.layers.fc(input=input_tmp[1], size=label_dict_len, act="tanh"),
        ]
    )


fluid.default_startup_program().random_seed = 90
fluid.default_main_program().random_seed = 90
names = ["word_data", "ctx_n2_data", "ctx_n1_data", "ctx_0_data", "ctx_p1_data", "ctx_p2_data", "verb_data", "mark_data", "target"]
d = {n: fluid.data(name=n, shape=[None, 1], dtype="int64", lod_level=1) for n in names}
sq = {n: d[n] for n in names}
for n in names:
    sq[n] = fluid.layers.squeeze(d[n], [1])
feature_out = db_lstm(
    sq["word_data"],
    sq["verb_data"],
    sq["ctx_n2_data"],
    sq["ctx_n1_data"],
    sq["ctx_0_data"],
    sq["ctx_p1_data"],
    sq["ctx_p2_data"],
    sq["mark_data"],
)
crf_cost = fluid.layers.linear_chain_crf(
    input=feature_out, label=d["target"], param_attr=fluid.ParamAttr(name="crfw", learning_rate=mix_hidden_lr)
)
avg_cost = fluid.layers.mean(crf_cost)
crf_decode = fluid.layers.crf_decoding(input=feature_out, param_attr=fluid.ParamAttr(name="crfw"))
chunk = fluid.layers.chunk_eval(crf_decode, d["target"], "IOB", 4)
sgd = fluid.optimizer.SGD(
    learning_rate=fluid.layers.exponential_decay(learning_rate=0.01, decay_steps=100000, decay_rate=0.5, staircase=True)
)
sgd.minimize(avg_cost)
place = fluid.CPUPlace()
exe = fluid.Executor(place)
feeder = fluid.DataFeeder(feed_list=[d[n] for n in names], place=place)
exe.run(fluid.default_startup_program())
fluid.global_scope().find_var(embedding_name).get_tensor().set(np.random.RandomState(0).uniform(-1, 1, (30, 8)).astype("float32"), place)
r = np.random.RandomState(4)


def sample():
    n = r.randint(2, 7)
    hi = [30] * 6 + [10, 2, 9]
    return tuple(([[int(v)] for v in r.randint(0, h, n)] for h in hi))


for b in range(8):
    cost, f1 = exe.run(feed=feeder.feed([sample() for _ in range(5)]), fetch_list=[avg_cost, chunk[2]])
    print("avg_cost: %.5f f1 %.4f" % (cost[0], f1[0]))
fluid.io.save_inference_model("srl", names[:-1], [crf_decode], exe)
with fluid.scope_guard(fluid.core.Scope()):
    prog, feeds, fetch = fluid.io.load_inference_model("srl", exe)
    lod = [[3, 4, 2]]
    g = np.random.RandomState(8)
    vals = {n: fluid.create_random_int_lodtensor(lod, base_shape=[1], place=place, low=0, high=1) for n in feeds}
    print(feeds)
    for n in feeds:
        vals[n] = fluid.create_lod_tensor(g.randint(0, 2, (9, 1)).astype("int64"), lod, place)
    res = exe.run(prog, feed=vals, fetch_list=fetch, return_numpy=False)
    print(res[0].lod(), np.array(res[0]).ravel())

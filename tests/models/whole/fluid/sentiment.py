"""Sentiment: convolutions over sequences, stacked and single LSTMs, two GRUs, a bag of words; each saved and asked."""

import numpy as np
import paddle
import paddle.fluid as fluid

V, C = (60, 2)


def convolution_net(data, input_dim, class_dim, emb_dim, hid_dim):
    emb = fluid.embedding(input=data, size=[input_dim, emb_dim], is_sparse=True)
    conv_3 = fluid.nets.sequence_conv_pool(input=emb, num_filters=hid_dim, filter_size=3, act="tanh", pool_type="sqrt")
    conv_4 = fluid.nets.sequence_conv_pool(input=emb, num_filters=hid_dim, filter_size=4, act="tanh", pool_type="sqrt")
    return fluid.layers.fc(input=[conv_3, conv_4], size=class_dim, act="softmax")


def stacked_lstm_net(data, input_dim, class_dim, emb_dim, hid_dim, stacked_num=3):
    emb = fluid.embedding(input=data, size=[input_dim, emb_dim], is_sparse=True)
    fc1 = fluid.layers.fc(input=emb, size=hid_dim)
    lstm1, cell1 = fluid.layers.dynamic_lstm(input=fc1, size=hid_dim)
    inputs = [fc1, lstm1]
    for i in range(2, stacked_num + 1):
        fc = fluid.layers.fc(input=inputs, size=hid_dim)
        lstm, cell = fluid.layers.dynamic_lstm(input=fc, size=hid_dim, is_reverse=i % 2 == 0)
        inputs = [fc, lstm]
    fc_last = fluid.layers.sequence_pool(input=inputs[0], pool_type="max")
    lstm_last = fluid.layers.sequence_pool(input=inputs[1], pool_type="max")
    return fluid.layers.fc(input=[fc_last, lstm_last], size=class_dim, act="softmax")


def dynamic_rnn_lstm(data, input_dim, class_dim, emb_dim, lstm_size):
    emb = fluid.embedding(input=data, size=[input_dim, emb_dim], is_sparse=True)
    sentence = fluid.layers.fc(input=emb, size=lstm_size, act="tanh")
    lstm, _ = fluid.layers.dynamic_lstm(sentence, size=lstm_size)
    last = fluid.layers.sequence_last_step(lstm)
    return fluid.layers.fc(input=last, size=class_dim, act="softmax")


def gru_net(data, input_dim, class_dim, emb_dim, hid):
    emb = fluid.embedding(input=data, size=[input_dim, emb_dim])
    g = fluid.layers.dynamic_gru(fluid.layers.fc(emb, size=hid * 3), size=hid)
    b = fluid.layers.dynamic_gru(fluid.layers.fc(emb, size=hid * 3), size=hid, is_reverse=True)
    m = fluid.layers.concat([fluid.layers.sequence_pool(g, "max"), fluid.layers.sequence_pool(b, "max")], axis=1)
    return fluid.layers.fc(fluid.layers.tanh(m), size=class_dim, act="softmax")


def bow_net(data, input_dim, class_dim, emb_dim, hid):
    emb = fluid.embedding(input=data, size=[input_dim, emb_dim], padding_idx=0)
    bow = fluid.layers.tanh(fluid.layers.sequence_pool(emb, "sum"))
    return fluid.layers.fc(fluid.layers.fc(bow, hid, act="tanh"), class_dim, act="softmax")


def reader(n, s):

    def r():
        g = np.random.RandomState(s)
        for _ in range(n):
            yield ([int(v) for v in g.randint(0, V, g.randint(3, 9))], int(g.randint(C)))

    return r


def run(net):
    main, startup = (fluid.Program(), fluid.Program())
    main.random_seed = startup.random_seed = 3
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        data = fluid.data(name="words", shape=[None], dtype="int64", lod_level=1)
        pred = net(data, V, C, 8, 20)
        label = fluid.data(name="label", shape=[None, 1], dtype="int64")
        avg = fluid.layers.mean(fluid.layers.cross_entropy(input=pred, label=label))
        acc = fluid.layers.accuracy(input=pred, label=label)
        fluid.optimizer.Adagrad(learning_rate=0.02).minimize(avg)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        feeder = fluid.DataFeeder([data, label], fluid.CPUPlace())
        for e in range(2):
            for i, d in enumerate(paddle.batch(reader(24, e), 6)()):
                print("%d %d %.5f %.3f" % ((e, i) + tuple((float(v) for v in exe.run(main, feed=feeder.feed(d), fetch_list=[avg, acc])))))
        fluid.io.save_inference_model("sent", ["words"], pred, exe)
        prog, feeds, fetch = fluid.io.load_inference_model("sent", exe)
        x = fluid.create_lod_tensor(np.arange(7).astype("int64"), [[3, 4]], fluid.CPUPlace())
        r = exe.run(prog, feed={feeds[0]: x}, fetch_list=fetch, return_numpy=False)
        print(np.array(r[0]).round(5).tolist())


for f in (convolution_net, stacked_lstm_net, dynamic_rnn_lstm, gru_net, bow_net):
    print(f.__name__)
    run(f)

"""Machine translation: a DynamicRNN trains, a while loop with beam search translates."""

import numpy as np
import paddle
import paddle.fluid as fluid
import paddle.fluid.layers as pd
from paddle.fluid.executor import Executor

dict_size, hidden_dim, word_dim, batch_size, max_length, topk_size, beam_size = (20, 12, 8, 2, 6, 20, 2)
decoder_size = hidden_dim


def encoder(is_sparse=True):
    src = pd.data(name="src_word_id", shape=[1], dtype="int64", lod_level=1)
    emb = pd.embedding(input=src, size=[dict_size, word_dim], dtype="float32", is_sparse=is_sparse, param_attr=fluid.ParamAttr(name="vemb"))
    fc1 = pd.fc(input=emb, size=hidden_dim * 4, act="tanh")
    lstm_hidden0, lstm_0 = pd.dynamic_lstm(input=fc1, size=hidden_dim * 4)
    return pd.sequence_last_step(input=lstm_hidden0)


def decoder_train(context, is_sparse=True):
    trg = pd.data(name="target_language_word", shape=[1], dtype="int64", lod_level=1)
    emb = pd.embedding(input=trg, size=[dict_size, word_dim], dtype="float32", is_sparse=is_sparse, param_attr=fluid.ParamAttr(name="vemb"))
    rnn = pd.DynamicRNN()
    with rnn.block():
        current_word = rnn.step_input(emb)
        pre_state = rnn.memory(init=context)
        current_state = pd.fc(input=[current_word, pre_state], size=decoder_size, act="tanh")
        current_score = pd.fc(input=current_state, size=dict_size, act="softmax")
        rnn.update_memory(pre_state, current_state)
        rnn.output(current_score)
    return rnn()


def decoder_decode(context, is_sparse=True):
    init_state = context
    array_len = pd.fill_constant(shape=[1], dtype="int64", value=max_length)
    counter = pd.zeros(shape=[1], dtype="int64", force_cpu=True)
    state_array = pd.create_array("float32")
    pd.array_write(init_state, array=state_array, i=counter)
    ids_array = pd.create_array("int64")
    scores_array = pd.create_array("float32")
    init_ids = pd.data(name="init_ids", shape=[1], dtype="int64", lod_level=2)
    init_scores = pd.data(name="init_scores", shape=[1], dtype="float32", lod_level=2)
    pd.array_write(init_ids, array=ids_array, i=counter)
    pd.array_write(init_scores, array=scores_array, i=counter)
    cond = pd.less_than(x=counter, y=array_len)
    while_op = pd.While(cond=cond)
    with while_op.block():
        pre_ids = pd.array_read(array=ids_array, i=counter)
        pre_state = pd.array_read(array=state_array, i=counter)
        pre_score = pd.array_read(array=scores_array, i=counter)
        pre_state_expanded = pd.sequence_expand(pre_state, pre_score)
        pre_ids_emb = pd.embedding(
            input=pre_ids, size=[dict_size, word_dim], dtype="float32", is_sparse=is_sparse, param_attr=fluid.ParamAttr(name="vemb")
        )
        current_state = pd.fc(input=[pre_state_expanded, pre_ids_emb], size=decoder_size, act="tanh")
        current_state_with_lod = pd.lod_reset(x=current_state, y=pre_score)
        current_score = pd.fc(input=current_state_with_lod, size=dict_size, act="softmax")
        topk_scores, topk_indices = pd.topk(current_score, k=beam_size)
        accu_scores = pd.elementwise_add(x=pd.log(topk_scores), y=pd.reshape(pre_score, shape=[-1]), axis=0)
        selected_ids, selected_scores = pd.beam_search(pre_ids, pre_score, topk_indices, accu_scores, beam_size, end_id=10, level=0)
        pd.increment(x=counter, value=1, in_place=True)
        pd.array_write(current_state, array=state_array, i=counter)
        pd.array_write(selected_ids, array=ids_array, i=counter)
        pd.array_write(selected_scores, array=scores_array, i=counter)
        length_cond = pd.less_than(x=counter, y=array_len)
        finish_cond = pd.logical_not(pd.is_empty(x=selected_ids))
        pd.logical_and(x=length_cond, y=finish_cond, out=cond)
    return pd.beam_search_decode(ids=ids_array, scores=scores_array, beam_size=beam_size, end_id=10)


def reader():
    r = np.random.RandomState(2)
    for _ in range(12):
        n, m = (r.randint(2, 6), r.randint(2, 6))
        t = r.randint(0, dict_size, m + 1)
        yield (list(map(int, r.randint(0, dict_size, n))), list(map(int, t[:-1])), list(map(int, t[1:])))


main, startup = (fluid.Program(), fluid.Program())
main.random_seed = startup.random_seed = 11
place = fluid.CPUPlace()
exe = Executor(place)
scope = fluid.Scope()
with fluid.scope_guard(scope), fluid.unique_name.guard(), fluid.program_guard(main, startup):
    context = encoder()
    rnn_out = decoder_train(context)
    label = pd.data(name="target_language_next_word", shape=[1], dtype="int64", lod_level=1)
    avg_cost = pd.mean(pd.cross_entropy(input=rnn_out, label=label))
    fluid.optimizer.Adagrad(learning_rate=0.1, regularization=fluid.regularizer.L2DecayRegularizer(regularization_coeff=0.1)).minimize(
        avg_cost
    )
    exe.run(startup)
    feeder = fluid.DataFeeder(
        [main.global_block().var(n) for n in ("src_word_id", "target_language_word", "target_language_next_word")], place
    )
    for pass_id in range(2):
        for i, d in enumerate(paddle.batch(reader, batch_size=batch_size)()):
            outs = exe.run(main, feed=feeder.feed(d), fetch_list=[avg_cost])
            print("pass_id=%d batch=%d avg_cost=%.5f" % (pass_id, i, np.array(outs[0])))
    fluid.io.save_persistables(exe, "mt", main)
main2, startup2 = (fluid.Program(), fluid.Program())
main2.random_seed = startup2.random_seed = 11
with fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard(), fluid.program_guard(main2, startup2):
    ids, scores = decoder_decode(encoder())
    exe.run(startup2)
    init_ids = fluid.create_lod_tensor(np.ones((batch_size, 1), "int64"), [[1] * batch_size, [1] * batch_size], place)
    init_sc = fluid.create_lod_tensor(np.ones((batch_size, 1), "float32"), [[1] * batch_size, [1] * batch_size], place)
    src = fluid.create_lod_tensor(np.array([[3], [4], [5], [6], [1]], "int64"), [[3, 2]], place)
    ri, rs = exe.run(
        main2, feed={"src_word_id": src, "init_ids": init_ids, "init_scores": init_sc}, fetch_list=[ids, scores], return_numpy=False
    )
    print(ri.recursive_sequence_lengths(), np.array(ri).ravel())
    print(rs.lod(), np.array(rs).ravel().round(4))

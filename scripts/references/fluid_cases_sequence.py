"""Calls of the sequence, recurrent and control-flow layers of `fluid.layers`, as fluid_recording.py builds them."""

from __future__ import annotations

# a case is a line with its name, then its code
TEXT = """
== sequence_conv
x = f('x', None, 4, lens=[[3, 1, 2]])
out = L.sequence_conv(x, 5, 3, param_attr=w(12, 5), act='tanh')
== sequence_conv/no bias
x = f('x', None, 4, lens=[[3, 1, 2]])
out = L.sequence_conv(x, 5, 2, padding_start=0, bias_attr=False, param_attr=w(8, 5), name='window')
== sequence_softmax
out = L.sequence_softmax(f('x', None, 1, lens=[[3, 1, 2]]))
== sequence_pool/sum
out = L.sequence_pool(f('x', None, 4, lens=[[3, 1, 2]]), 'sum')
== sequence_pool/average
out = L.sequence_pool(f('x', None, 4, lens=[[3, 1, 2]]), 'average')
== sequence_pool/sqrt
out = L.sequence_pool(f('x', None, 4, lens=[[3, 1, 2]]), 'sqrt')
== sequence_pool/max
out = L.sequence_pool(f('x', None, 4, lens=[[3, 1, 2]]), 'max')
== sequence_pool/first
out = L.sequence_pool(f('x', None, 4, lens=[[3, 1, 2]]), 'first')
== sequence_pool/last
out = L.sequence_pool(f('x', None, 4, lens=[[3, 1, 2]]), 'last')
== sequence_pool/two levels
out = L.sequence_pool(f('x', None, 4, lens=[[2, 1], [2, 0, 3]]), 'max', pad_value=0.5)
== sequence_first_step
out = L.sequence_first_step(f('x', None, 4, lens=[[3, 1, 2]]))
== sequence_last_step
out = L.sequence_last_step(f('x', None, 4, lens=[[3, 1, 2]]))
== sequence_concat
out = L.sequence_concat([f('x', None, 4, lens=[[3, 1, 2]]), f('y', None, 4, lens=[[1, 2, 1]])])
== sequence_slice
x = f('x', None, 4, lens=[[3, 1, 2]])
o = i('o', None, 1, value=[[1], [0], [0]])
n = i('n', None, 1, value=[[2], [1], [1]])
out = L.sequence_slice(x, o, n)
== sequence_expand
out = L.sequence_expand(f('x', None, 4), f('y', None, 2, lens=[[3, 1, 2]]), ref_level=0)
== sequence_expand/lod
x = f('x', None, 4, lens=[[2, 2]])
out = L.sequence_expand(x, f('y', None, 2, lens=[[2, 2], [3, 3, 1, 1]]), ref_level=0)
== sequence_expand_as
out = L.sequence_expand_as(f('x', None, 4), f('y', None, 2, lens=[[3, 1, 2]]))
== sequence_pad
p = L.fill_constant([1], 'float32', 0.5)
out = L.sequence_pad(f('x', None, 4, lens=[[3, 1, 2]]), p)
== sequence_pad/maxlen
p = L.fill_constant([1], 'float32', 0.5)
out = L.sequence_pad(f('x', None, 4, lens=[[3, 1, 2]]), p, maxlen=5, name='padded')
== sequence_unpad
out = L.sequence_unpad(f('x', None, 4, 2), i('n', None, value=[2, 4, 1]))
== sequence_reshape
out = L.sequence_reshape(f('x', None, 4, lens=[[3, 1, 2]]), 2)
== sequence_scatter
x = f('x', None, 6)
k = i('k', None, 1, high=6, lens=[[3, 1, 2]])
out = L.sequence_scatter(x, k, f('u', None, 1, lens=[[3, 1, 2]]))
== sequence_enumerate
out = L.sequence_enumerate(i('x', None, 1, high=9, lens=[[3, 1, 2]]), 2, pad_value=7)
== sequence_mask
out = L.sequence_mask(i('x', None, high=5), maxlen=5)
== sequence_mask/variable
n = L.fill_constant([1], 'int32', 6)
out = L.sequence_mask(i('x', None, high=5), maxlen=n, dtype='float32', name='m')
== sequence_mask/longest
out = L.sequence_mask(i('x', None, value=[1, 4, 2]), dtype='bool')
== sequence_reverse
out = L.sequence_reverse(f('x', None, 4, lens=[[3, 1, 2]]))
== dynamic_lstm
x = f('x', None, 12, lens=[[3, 1, 2]])
out = list(L.dynamic_lstm(x, 12, param_attr=w(3, 12), bias_attr=w(1, 21)))
== dynamic_lstm/reverse
x = f('x', None, 12, lens=[[3, 1, 2]])
out = list(L.dynamic_lstm(x, 12, param_attr=w(3, 12), use_peepholes=False, is_reverse=True, name='back'))
== dynamic_lstm/states
x = f('x', -1, 12, lens=[[3, 1, 2]])
h, c = f('h', -1, 3), f('c', -1, 3)
out = L.dynamic_lstm(x, 12, h_0=h, c_0=c, param_attr=w(3, 12), bias_attr=w(1, 21), candidate_activation='relu')[0]
== dynamic_lstmp
x = f('x', None, 12, lens=[[3, 1, 2]])
at = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.1))
out = list(L.dynamic_lstmp(x, 12, 3, param_attr=at))
== dynamic_gru
x = f('x', None, 9, lens=[[3, 1, 2]])
out = L.dynamic_gru(x, 3, param_attr=w(3, 9), bias_attr=w(1, 9))
== dynamic_gru/states
x, h = f('x', None, 9, lens=[[3, 1, 2]]), f('h', None, 3)
out = L.dynamic_gru(x, 3, param_attr=w(3, 9), is_reverse=True, h_0=h, origin_mode=True)
== gru_unit
x, h = f('x', None, 9), f('h', None, 3)
out = list(L.gru_unit(x, h, 9, param_attr=w(3, 9), bias_attr=w(1, 9)))[:1]
== gru_unit/no bias
x, h = f('x', None, 9), f('h', None, 3)
out = list(L.gru_unit(x, h, 9, param_attr=w(3, 9), bias_attr=False, origin_mode=True))[:1]
== lstm_unit
x, h, c = f('x', None, 5), f('h', None, 3), f('c', None, 3)
out = list(L.lstm_unit(x, h, c, forget_bias=0.5, param_attr=w(8, 12)))
== lstm
x, h, c = f('x', 4, 2, 5), f('h', 2, 2, 3), f('c', 2, 2, 3)
out = list(L.lstm(x, h, c, 4, 3, 2, default_initializer=init(216)))
== rnn/gru
cell = L.GRUCell(4, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Constant(0.1)))
y, last = L.rnn(cell, f('x', None, 3, 5))
out = [y, last]
== rnn/lstm
cell = L.LSTMCell(4, param_attr=w(9, 16), forget_bias=0.5)
n = i('n', None, value=[2, 3, 1])
y, last = L.rnn(cell, f('x', None, 3, 5), sequence_length=n, is_reverse=True)
out = [y, last]
== rnn/states
cell = L.GRUCell(4, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Constant(0.1)))
y, last = L.rnn(cell, f('x', 3, None, 5), f('h', None, 4), time_major=True)
out = [y, last]
== increment
out = L.increment(L.fill_constant([1], 'float32', 1.0), 2.0, in_place=False)
== increment/in place
out = L.increment(L.fill_constant([1], 'float32', 1.0))
== less_than
out = L.less_than(f('x', None, 4), f('y', None, 4))
== less_equal
out = L.less_equal(f('x', None, 4), f('y', None, 4))
== greater_than
out = L.greater_than(f('x', None, 4), f('y', None, 4))
== greater_equal
out = L.greater_equal(f('x', None, 4), f('y', None, 4))
== equal
out = L.equal(f('x', None, 4), f('y', None, 4))
== not_equal
out = L.not_equal(f('x', None, 4), f('y', None, 4))
== less_than/cond
c = L.fill_constant([1], 'bool', False)
x = L.fill_constant([1], 'int64', 3)
out = L.less_than(x, x + 1, force_cpu=True, cond=c)
== is_empty
out = L.is_empty(f('x', None, 4))
== array
x, k = f('x', None, 4), L.fill_constant([1], 'int64', 0)
a = L.array_write(x, k)
k = L.increment(k, in_place=False)
L.array_write(x * 2.0, k, array=a)
out = [L.array_read(a, k), L.array_length(a)]
== create_array
x, k = f('x', None, 4), L.fill_constant([1], 'int64', 1)
a = L.create_array('float32')
L.array_write(x, k, array=a)
out = [L.array_length(a)]
== tensor_array_to_tensor
x, k = f('x', None, 4), L.fill_constant([1], 'int64', 0)
a = L.array_write(x, k)
L.array_write(x * 2.0, L.increment(k, in_place=False), array=a)
out = list(L.tensor_array_to_tensor(a, axis=1))
== rank_table
x = f('x', None, 4, lens=[[3, 1, 2]])
C = L.control_flow
t = C.lod_rank_table(x)
a = C.lod_tensor_to_array(x, t)
k = L.fill_constant([1], 'int64', 1)
out = [C.max_sequence_len(t), L.array_read(a, k), C.array_to_lod_tensor(a, t), L.reorder_lod_tensor_by_rank(x, t)]
== shrink_memory
x, h = f('x', None, 4, lens=[[3, 1, 2]]), f('h', None, 4)
t = L.control_flow.lod_rank_table(x)
out = L.control_flow.shrink_memory(h, L.fill_constant([1], 'int64', 1), t)
== split and merge
x = f('x', None, 4, lens=[[3, 1, 2]])
m = data('m', [None, 1], 'bool', value=[[True], [False], [True]])
t, u = L.control_flow.split_lod_tensor(x, m)
out = [t, u, L.control_flow.merge_lod_tensor(t, u * 2.0, x, m)]
== cond
x = f('x', None, 4)
p = L.reduce_mean(x) < 5.0
out = L.cond(p, lambda: [L.tanh(x), x + 1.0], lambda: [L.relu(x), x * 2.0])
== cond/false
x = f('x', None, 4)
p = L.reduce_mean(x) > 5.0
out = L.cond(p, lambda: {'a': L.tanh(x), 'b': (x,)}, lambda: {'a': L.relu(x), 'b': (x * 2.0,)}, name='chosen')
== cond/nothing
x = L.fill_constant([1], 'float32', 1.0)
y = L.create_global_var([1], 0.0, 'float32', name='y')
def store():
    L.assign(x, y)
L.cond(x > 0.0, store)
out = [y]
== case
x = f('x', None, 4)
s = L.reduce_mean(x)
at = lambda v: L.greater_than(s, L.fill_constant([1], 'float32', v))
out = L.case([(at(5.0), lambda: L.tanh(x)), (at(-5.0), lambda: x * 3.0)], default=lambda: L.relu(x))
== switch_case
x, k = f('x', None, 4), L.fill_constant([1], 'int32', 2)
out = L.switch_case(k, {1: lambda: L.tanh(x), 2: lambda: x * 3.0}, default=lambda: L.relu(x))
== switch_case/no default
x, k = f('x', None, 4), L.fill_constant([1], 'int32', 9)
out = L.switch_case(k, [lambda: L.tanh(x), lambda: x * 3.0])
== while_loop
x = f('x', None, 4)
k = L.fill_constant([1], 'int64', 0)
out = L.while_loop(lambda k, y: k < 3, lambda k, y: [k + 1, L.tanh(y) + x], [k, x * 2.0])[1]
== while_loop/nested
x = f('x', None, 4)
k = L.fill_constant([1], 'int64', 0)
body = lambda k, d: [k + 1, {'a': L.tanh(d['a']), 'b': [d['b'][0] + d['a']]}]
out = L.while_loop(lambda k, d: k < 3, body, [k, {'a': x * 2.0, 'b': [x * 3.0]}])
== while_loop/weights
x = f('x', 2, 4)
k = L.fill_constant([1], 'int64', 0)
p = L.create_parameter([4], 'float32', name='p', default_initializer=fluid.initializer.Constant(0.5))
h = L.tanh(x)
body = lambda k, y: [k + 1, L.tanh(L.elementwise_mul(y, p)) + x]
out = L.while_loop(lambda k, y: k < 3, body, [k, h])[1]
== cond/not taken
x = f('x', 2, 4)
h = L.scale(x, 3.0)
c = L.fill_constant([1], 'bool', False)
def overwrite():
    L.assign(L.square(h), h)
L.cond(c, overwrite)
out = [h]
== While
x = f('x', None, 4)
k = L.fill_constant([1], 'int64', 0)
n = L.fill_constant([1], 'int64', 3)
a = L.array_write(x, k)
c = L.less_than(k, n)
loop = L.While(c)
with loop.block():
    y = L.array_read(a, k)
    y = L.tanh(y)
    L.increment(k)
    L.array_write(y, k, array=a)
    L.less_than(k, n, cond=c)
out = [L.array_read(a, k)]
== Switch
k = L.fill_constant([1], 'float32', 3.0)
y = L.create_global_var([1], 0.0, 'float32', name='y')
with L.Switch() as s:
    with s.case(k < 1.0):
        L.assign(k * 10.0, y)
    with s.case(k < 5.0):
        L.assign(k * 20.0, y)
    with s.default():
        L.assign(k * 30.0, y)
out = [y]
== IfElse
x, y = f('x', None, 4), i('y', None, 1, value=[[0], [1], [0]])
e = L.IfElse(L.less_than(y, L.fill_constant_batch_size_like(y, [-1, 1], 'int64', 1)))
with e.true_block():
    e.output(L.fc(e.input(x), 3, param_attr=w(4, 3)))
with e.false_block():
    e.output(L.fc(e.input(x), 3, param_attr=w(4, 3), act='tanh'))
out = e()
== StaticRNN
x = f('x', 3, None, 4)
r = L.StaticRNN()
with r.step():
    s = r.step_input(x)
    h = r.memory(shape=[-1, 5], batch_ref=s)
    n = L.fc([s, h], 5, act='tanh', param_attr=[w(4, 5), w(5, 5)])
    r.update_memory(h, n)
    r.output(n, n * 2.0)
out = r()
== StaticRNN/init
x, h0 = f('x', 3, None, 4), f('h', None, 4)
r = L.StaticRNN(name='steps')
with r.step():
    s = r.step_input(x)
    h = r.memory(init=h0)
    n = L.tanh(s + h)
    r.update_memory(h, n)
    r.step_output(n)
out = r()
== DynamicRNN
x, m = f('x', None, 4, lens=[[3, 1, 2]]), f('m', None, 5)
r = L.DynamicRNN()
with r.block():
    s = r.step_input(x)
    k = r.static_input(m)
    h = r.memory(shape=[5], value=0.5)
    n = L.fc([s, h], 5, act='tanh', param_attr=[w(4, 5), w(5, 5)]) + k
    r.update_memory(h, n)
    r.output(n, n * 2.0)
out = r()
== DynamicRNN/init
x, h0 = f('x', None, 4, lens=[[3, 1, 2]]), f('h', None, 4)
r = L.DynamicRNN(name='steps')
with r.block():
    s = r.step_input(x)
    h = r.memory(init=h0, need_reorder=True)
    n = L.tanh(s + h)
    r.update_memory(h, n)
    r.output(n)
out = L.sequence_last_step(r())
== DynamicRNN/two levels
x = f('x', None, 4, lens=[[2, 1, 2], [2, 1, 3, 1, 2]])
r = L.DynamicRNN()
with r.block():
    s = r.step_input(x)
    p = L.sequence_pool(s, 'sum')
    h = r.memory(shape=[4])
    n = L.tanh(p + h)
    r.update_memory(h, n)
    r.output(n)
out = r()
== Print
out = L.Print(f('x', None, 4), message='seen', first_n=1, summarize=3)
== beam_search
p, t = i('p', None, 1, value=[[4], [4]], lens=[[1, 1], [1, 1]]), f('t', None, 1, lens=[[1, 1], [1, 1]])
s, k = L.topk(f('s', None, 6, batch=2), 3)
s = L.lod_reset(s, t)
out = list(L.beam_search(p, t, k, s, 2, 0, return_parent_idx=True))
== BeamSearchDecoder
at = fluid.ParamAttr
embed = lambda k: fluid.embedding(k, [7, 4], param_attr=at('e', init(7, 4)))
score = lambda x: L.fc(x, 7, num_flatten_dims=len(x.shape) - 1, param_attr=at('o', init(4, 7)), bias_attr=False)
cell = L.GRUCell(4, param_attr=at(initializer=fluid.initializer.Constant(0.3)))
d = L.BeamSearchDecoder(cell, 0, 1, 2, embedding_fn=embed, output_fn=score)
ids, last = L.dynamic_decode(d, inits=f('h', None, 4), max_step_num=4)
out = [ids]
== BeamSearchDecoder/test
at = fluid.ParamAttr
embed = lambda k: fluid.embedding(k, [7, 4], param_attr=at('e', init(7, 4)))
score = lambda x: L.fc(x, 7, num_flatten_dims=len(x.shape) - 1, param_attr=at('o', init(4, 7)), bias_attr=False)
cell = L.LSTMCell(4, param_attr=at(initializer=fluid.initializer.Constant(0.3)))
d = L.BeamSearchDecoder(cell, 0, 1, 2, embedding_fn=embed, output_fn=score)
start = cell.get_initial_states(f('h', None, 4))
ids, last, n = L.dynamic_decode(d, start, 4, output_time_major=True, is_test=True, return_length=True)
out = [ids, n]
== TrainingHelper
n = data('n', [None], 'int32', value=[2, 3, 1])
h = L.TrainingHelper(f('x', None, 3, 5), n)
cell = L.GRUCell(4, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Constant(0.3)))
y, last, k = L.dynamic_decode(L.BasicDecoder(cell, h), inits=f('h', None, 4), impute_finished=True, return_length=True)
out = [y.cell_outputs, y.sample_ids, last, k]
== GreedyEmbeddingHelper
at = fluid.ParamAttr
embed = lambda k: fluid.embedding(k, [7, 4], param_attr=at('e', init(7, 4)))
score = lambda x: L.fc(x, 7, param_attr=at('o', init(4, 7)), bias_attr=False)
h = L.GreedyEmbeddingHelper(embed, i('k', None, high=6), 1)
cell = L.GRUCell(4, param_attr=at(initializer=fluid.initializer.Constant(0.3)))
y, last = L.dynamic_decode(L.BasicDecoder(cell, h, score), inits=f('h', None, 4), max_step_num=3)
out = [y.sample_ids]
== basic_gru
C = fluid.contrib.layers
at = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.2))
out = list(C.basic_gru(f('x', None, 3, 5), None, 4, num_layers=2, bidirectional=True, param_attr=at))
== basic_lstm
C = fluid.contrib.layers
at = fluid.ParamAttr('w', fluid.initializer.Constant(0.2))
n = i('n', None, value=[2, 3, 1])
h, c = f('h', 2, 3, 4), f('c', 2, 3, 4)
out = list(C.basic_lstm(f('x', None, 3, 5), h, c, 4, num_layers=2, sequence_length=n, param_attr=at))
== basic_lstm/both
C = fluid.contrib.layers
at = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.2))
out = list(C.basic_lstm(f('x', 3, None, 5), None, None, 4, bidirectional=True, batch_first=False, param_attr=at))
"""


def parsed(text: str) -> dict[str, str]:
    """The cases by name."""
    parts = (part.partition("\n") for part in text.strip()[3:].split("\n== "))
    return {name: code.rstrip("\n") for name, _, code in parts}


CASES = parsed(TEXT)

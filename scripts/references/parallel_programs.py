# ruff: noqa: E501 - a call is a line
"""What whole programs give under data parallelism of Paddle 1.8.5: networks, optimizers, control flow, states.

parallel_programs.json: {case: `out` after the code has run, as plain values; {"raises": type} where it raises}.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

import parallel_cases

WHEELS = ("1.8.5",)

START = (
    parallel_cases.START
    + """
def compiled(loss=None, program=None, count=2, exec_strategy=None, share=None, **switches):
    os.environ['CPU_NUM'] = str(count)
    build = fluid.BuildStrategy()
    for name, given in switches.items():
        setattr(build, name, given)
    return fluid.CompiledProgram(program or main).with_data_parallel(loss_name=loss and loss.name, build_strategy=build, exec_strategy=exec_strategy, share_vars_from=share)
def steps(loss, feeds, optimizer, fetch=(), **more):
    optimizer.minimize(loss)
    exe.run(start)
    both = compiled(loss, **more)
    losses = [exe.run(both, feed=feed, fetch_list=[loss] + list(fetch)) for feed in feeds]
    return [losses, {p.name: value(p.name).ravel()[:40] for p in main.all_parameters()}]
def lod(rows, lengths):
    return fluid.create_lod_tensor(rows, [lengths], fluid.CPUPlace())
"""
)

_BASE = """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1]); h = L.fc(x, 5, act='tanh'); p = L.fc(h, 1); loss = L.mean(L.square_error_cost(p, y))
feeds = [{'x': data(n, 4), 'y': data(n, 1)} for n in (8, 6, 7, 2, 12)]
"""

CASES = {
    "mnist/simple": """
x = L.data('image', [784]); y = L.data('label', [1], dtype='int64')
h = x
for _ in range(4):
    h = L.fc(h, 20, act='tanh', bias_attr=fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0)))
p = L.fc(h, 10, act='softmax')
loss = L.mean(L.cross_entropy(p, y))
feeds = [{'image': data(16, 784), 'label': numbers.randint(0, 10, (16, 1))} for _ in range(5)]
out = [steps(loss, feeds, O.Adam(0.001), use_fast=0) if 0 else steps(loss, feeds, O.Adam(0.001), count=4)]
""",
    "mnist/conv": """
x = L.data('image', [1, 12, 12]); y = L.data('label', [1], dtype='int64')
h = fluid.nets.simple_img_conv_pool(x, 4, 3, 2, 2, act='relu'); h = L.batch_norm(h); h = fluid.nets.simple_img_conv_pool(h, 6, 3, 2, 2, act='relu')
p = L.fc(h, 10, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); a = L.accuracy(p, y)
feeds = [{'image': data(n, 1, 12, 12), 'label': numbers.randint(0, 10, (n, 1))} for n in (8, 9, 8, 4)]
out = [steps(loss, feeds, O.Momentum(0.01, 0.9), fetch=[a, p], count=2)]
""",
    "transformer": """
def mha(q, k, v, bias, d, n):
    q, k, v = L.fc(q, d, num_flatten_dims=2, bias_attr=False), L.fc(k, d, num_flatten_dims=2, bias_attr=False), L.fc(v, d, num_flatten_dims=2, bias_attr=False)
    split = lambda t: L.transpose(L.reshape(t, [0, 0, n, d // n]), [0, 2, 1, 3])
    q, k, v = split(q), split(k), split(v)
    w = L.softmax(L.elementwise_add(L.matmul(L.scale(q, (d // n) ** -0.5), k, transpose_y=True), bias))
    o = L.transpose(L.matmul(w, v), [0, 2, 1, 3])
    return L.fc(L.reshape(o, [0, 0, d]), d, num_flatten_dims=2, bias_attr=False)
def post(prev, o):
    return L.layer_norm(prev + o, begin_norm_axis=2, param_attr=fluid.initializer.Constant(1.), bias_attr=fluid.initializer.Constant(0.))
w = fluid.data('src', [None, 5], dtype='int64'); pos = fluid.data('pos', [None, 5], dtype='int64'); b = fluid.data('bias', [None, 2, 5, 5]); t = fluid.data('lbl', [None, 5], dtype='int64'); wt = fluid.data('wt', [None, 5])
emb = L.scale(fluid.embedding(w, [20, 8], padding_idx=0, param_attr=fluid.ParamAttr(name='word', initializer=fluid.initializer.Normal(0., 8 ** -0.5))), 8 ** 0.5)
pe_ = fluid.embedding(pos, [5, 8], param_attr=fluid.ParamAttr(name='pos_t', trainable=False)); pe_.stop_gradient = True
h = emb + pe_
for _ in range(2):
    h = post(h, mha(h, h, h, b, 8, 2))
    h = post(h, L.fc(L.fc(h, 16, num_flatten_dims=2, act='relu'), 8, num_flatten_dims=2))
logits = L.matmul(h, main.global_block().var('word'), transpose_y=True)
lbl = L.label_smooth(L.one_hot(L.reshape(t, [-1, 1]), 20), epsilon=0.1)
cost = L.softmax_with_cross_entropy(L.reshape(logits, [-1, 20]), lbl, soft_label=True)
total = L.reduce_sum(cost * L.reshape(wt, [-1, 1])); tokens = L.reduce_sum(wt); tokens.stop_gradient = True
loss = total / tokens
lr = L.noam_decay(8, 10)
def feed(n):
    return {'src': numbers.randint(0, 20, (n, 5)), 'pos': np.tile(np.arange(5), (n, 1)).astype('int64'), 'bias': np.where(numbers.rand(n, 1, 1, 5) > 0.8, -1e9, 0).astype('float32') * np.ones((1, 2, 5, 1), 'float32'), 'lbl': numbers.randint(0, 20, (n, 5)), 'wt': (numbers.rand(n, 5) > 0.3).astype('float32')}
feeds = [[feed(3), feed(2)], feed(6), [feed(1), feed(4)], feed(5)]
out = steps(loss, feeds, O.Adam(lr, 0.9, 0.98, 1e-9), fetch=[total, tokens, lr])
""",
    "crf": """
names = ['word', 'pred', 'mark']
ins = [L.data(n, [1], dtype='int64', lod_level=1) for n in names]
y = L.data('target', [1], dtype='int64', lod_level=1)
embs = [L.embedding(i, [15, 6], is_sparse=True, param_attr=fluid.ParamAttr(name='emb%d' % (k > 0), learning_rate=2.0)) for k, i in enumerate(ins)]
h0 = L.sums([L.fc(e, 16) for e in embs])
l0 = L.dynamic_lstm(h0, 16, candidate_activation='relu', gate_activation='sigmoid', cell_activation='sigmoid')
ts = [h0, l0]
for i in range(2):
    m = L.sums([L.fc(ts[0], 16), L.fc(ts[1], 16)])
    l = L.dynamic_lstm(m, 16, candidate_activation='relu', gate_activation='sigmoid', cell_activation='sigmoid', is_reverse=i % 2 == 0)
    ts = [m, l]
f = L.sums([L.fc(ts[0], 4, act='tanh'), L.fc(ts[1], 4, act='tanh')])
cost = L.linear_chain_crf(f, y, param_attr=fluid.ParamAttr(name='crfw', learning_rate=0.1))
loss = L.mean(cost)
dec = L.crf_decoding(f, param_attr=fluid.ParamAttr(name='crfw'))
def feed(lens):
    n = sum(lens)
    r = {k: lod(numbers.randint(0, 15, (n, 1)), lens) for k in names}
    r['target'] = lod(numbers.randint(0, 4, (n, 1)), lens)
    return r
feeds = [feed([3, 1, 4]), feed([2, 2, 5, 1]), feed([1, 6])]
out = steps(loss, feeds, O.SGD(L.exponential_decay(0.01, 100000, 0.5, True)), fetch=[])
c = compiled(program=main.clone(for_test=True))
r = exe.run(c, feed=feeds[1], fetch_list=[dec], return_numpy=False)[0]
out.append([np.array(r), r.lod()])
""",
    "fetch/all": """
x = fluid.data('image', [None, 3, 8, 8]); y = fluid.data('label', [None, 1], dtype='int64')
h = L.conv2d(x, 4, 3, act='relu'); h = L.pool2d(h, 2, 'max', 2); h = L.dropout(L.fc(h, 6, act='relu'), 0.0); p = L.fc(h, 5, act='softmax')
loss = L.mean(L.cross_entropy(p, y)); O.SGD(0.01).minimize(loss); exe.run(start)
c = compiled(loss); feed = {'image': data(6, 3, 8, 8), 'label': numbers.randint(0, 5, (6, 1))}
names = sorted(v.name for v in main.list_vars() if v.name not in ('image', 'label') and 'fetch' not in v.name)
out = []
for n in names:
    try:
        r = exe.run(c, feed=feed, fetch_list=[n], return_numpy=False)[0]; out.append([n, list(np.array(r).shape), float(np.array(r).sum())])
    except Exception as e:
        out.append([n, type(e).__name__])
""",
    "fetch/unmerged": """
x = fluid.data('image', [None, 3, 8, 8]); y = fluid.data('label', [None, 1], dtype='int64')
h = L.conv2d(x, 4, 3, act='relu'); h = L.pool2d(h, 2, 'max', 2); p = L.fc(h, 5, act='softmax')
loss = L.mean(L.cross_entropy(p, y)); O.SGD(0.01).minimize(loss); exe.run(start)
c = compiled(loss); feed = {'image': data(5, 3, 8, 8), 'label': numbers.randint(0, 5, (5, 1))}
a = exe.run(c, feed=feed, fetch_list=[loss.name, p.name], return_merged=False)
b = exe.run(c, feed=feed, fetch_list=[loss.name, p.name], return_merged=True)
d = exe.run(c, feed=feed, fetch_list=[loss.name, p.name], return_merged=False, return_numpy=False)
out = [a, b, type(d).__name__, [type(v).__name__ for v in d], [[type(w).__name__ for w in v] for v in d], [np.array(w) for w in d[1]], wrong(exe.run, main, feed=feed, fetch_list=[p], return_merged=False)]
""",
    "infer/saved": """
import tempfile
x = L.data('img', [6]); p = L.fc(L.fc(x, 5, act='relu'), 3, act='softmax'); exe.run(start)
d = tempfile.mkdtemp(); fluid.io.save_inference_model(d, ['img'], [p], exe)
s = fluid.core.Scope()
with fluid.scope_guard(s):
    prog, feeds, fetches = fluid.io.load_inference_model(d, exe)
    c = compiled(program=prog); b = data(6, 6)
    out = [feeds, exe.run(prog, feed={feeds[0]: b}, fetch_list=fetches), exe.run(c, feed={feeds[0]: b}, fetch_list=fetches), exe.run(c, feed={feeds[0]: b}, fetch_list=[fetches[0].name])]
    c2 = fluid.CompiledProgram(prog).with_data_parallel(loss_name=fetches[0].name)
    out.append(exe.run(c2, feed={feeds[0]: b[:4]}, fetch_list=fetches))
    c3 = fluid.CompiledProgram(prog)
    out.append(exe.run(c3, feed={feeds[0]: b[:4]}, fetch_list=fetches))
""",
    "while_train": """
x = L.data('image', [784]); y = L.data('label', [1], dtype='int64')
p = L.fc(L.fc(x, 12, act='tanh'), 10, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); test = main.clone(for_test=True); O.SGD(0.001).minimize(loss); exe.run(start)
f = {'image': data(8, 784), 'label': numbers.randint(0, 10, (8, 1))}
for k in ('Reduce', 'AllReduce'):
    a = compiled(loss, reduce_strategy=getattr(fluid.BuildStrategy.ReduceStrategy, k)); b = None
    r = []
    for i in range(4):
        if b is None:
            exe.run(a, feed=f); b = compiled(program=test, share=a, reduce_strategy=getattr(fluid.BuildStrategy.ReduceStrategy, k))
        t, = exe.run(b, [loss.name] and f, [loss.name]); tr, = exe.run(a, f, [loss.name]); r.append([t, tr])
    out = (out or []) + r
""",
    "weight_decay": """
d = L.data('words', [1], dtype='int64', lod_level=1); y = L.data('label', [1], dtype='int64')
e = L.embedding(d, [12, 8]); pools = L.fc(L.sequence_pool(L.sequence_conv(e, 8, 3, act='tanh'), 'sqrt'), 6, act='tanh'); p = L.fc(pools, 2, act='softmax')
loss = L.mean(L.cross_entropy(p, y))
ps = [(v, v * 0.1) for v in main.block(0).all_parameters()]
opt = O.Adagrad(0.1); opt.minimize(loss)
for a, b in ps:
    L.assign(L.elementwise_sub(x=a, y=b), output=a)
exe.run(start); c = compiled(loss)
feed = lambda lens: {'words': lod(numbers.randint(0, 12, (sum(lens), 1)), lens), 'label': numbers.randint(0, 2, (len(lens), 1))}
out = [exe.run(c, feed=feed(l), fetch_list=[loss]) for l in ([2, 3, 1, 2], [4, 1, 1], [2, 2])] + [value(v.name) for v in main.all_parameters()]
""",
    "ema": _BASE
    + """
test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); ema = O.ExponentialMovingAverage(0.9); ema.update(); exe.run(start); a = compiled(loss); out = []
for f in feeds: out.append(exe.run(a, feed=f, fetch_list=[loss]))
with ema.apply(exe): out.append([value('fc_0.w_0'), exe.run(test, feed=feeds[0], fetch_list=[loss])])
out.append(value('fc_0.w_0')); out.append(exe.run(a, feed=feeds[0], fetch_list=[loss]))
""",
    "lookahead": _BASE
    + "o = O.LookaheadOptimizer(O.SGD(0.1), alpha=0.5, k=2); o.minimize(loss); exe.run(start); a = compiled(loss); out = [exe.run(a, feed=f, fetch_list=[loss]) for f in feeds] + [value('fc_0.w_0'), value('fc_0.w_0@SLOW')]",
    "recompute": _BASE
    + "o = O.RecomputeOptimizer(O.Adam(0.05)); o._set_checkpoints([h]); o.minimize(loss); exe.run(start); a = compiled(loss); out = [exe.run(a, feed=f, fetch_list=[loss]) for f in feeds] + [value('fc_0.w_0')]",
    "opt/adagrad": _BASE
    + """
lr = None
out = train(loss, feeds, O.Adagrad(0.1))
""",
    "opt/adadelta": _BASE
    + """
lr = None
out = train(loss, feeds, O.Adadelta(0.1))
""",
    "opt/rmsprop": _BASE
    + """
lr = None
out = train(loss, feeds, O.RMSProp(0.05))
""",
    "opt/rmsprop_c": _BASE
    + """
lr = None
out = train(loss, feeds, O.RMSProp(0.05, centered=True, momentum=0.5))
""",
    "opt/ftrl": _BASE
    + """
lr = None
out = train(loss, feeds, O.Ftrl(0.1))
""",
    "opt/adamax": _BASE
    + """
lr = None
out = train(loss, feeds, O.Adamax(0.05))
""",
    "opt/decayed": _BASE
    + """
lr = None
out = train(loss, feeds, O.DecayedAdagrad(0.1))
""",
    "opt/lamb": _BASE
    + """
lr = None
out = train(loss, feeds, O.Lamb(0.05))
""",
    "opt/lars": _BASE
    + """
lr = None
out = train(loss, feeds, O.LarsMomentum(0.1, 0.9))
""",
    "opt/dpsgd0": _BASE
    + """
lr = None
out = train(loss, feeds, O.SGD(0.1, regularization=fluid.regularizer.L1Decay(0.05)))
""",
    "opt/clip_value": _BASE
    + """
lr = None
out = train(loss, feeds, O.SGD(0.1, grad_clip=fluid.clip.GradientClipByValue(0.05)))
""",
    "opt/clip_norm": _BASE
    + """
lr = None
out = train(loss, feeds, O.SGD(0.1, grad_clip=fluid.clip.GradientClipByNorm(0.1)))
""",
    "opt/momentum_n": _BASE
    + """
lr = None
out = train(loss, feeds, O.Momentum(0.1, 0.9, use_nesterov=True))
""",
    "opt/piecewise": _BASE
    + """
lr = None
out = train(loss, feeds, O.SGD(L.piecewise_decay([2, 4], [0.1, 0.05, 0.01])))
""",
    "opt/poly": _BASE
    + """
lr = None
out = train(loss, feeds, O.Adam(L.polynomial_decay(0.1, 3, 0.01, cycle=True)))
""",
    "opt/natural": _BASE
    + """
lr = None
out = train(loss, feeds, O.SGD(L.natural_exp_decay(0.1, 2, 0.5, True)))
""",
    "opt/inverse": _BASE
    + """
lr = None
out = train(loss, feeds, O.SGD(L.inverse_time_decay(0.1, 2, 0.5)))
""",
    "opt/warmup": _BASE
    + """
lr = None
out = train(loss, feeds, O.SGD(L.linear_lr_warmup(L.piecewise_decay([3], [0.1, 0.05]), 3, 0.01, 0.1)))
""",
    "manual_clip": _BASE
    + "pg = fluid.backward.append_backward(loss); pg = fluid.clip.append_gradient_clip_ops(pg) if 0 else pg; pg = [(p_, L.clip(g, -0.05, 0.05)) for p_, g in pg]; O.SGD(0.1).apply_gradients(pg); exe.run(start); a = compiled(loss); out = [exe.run(a, feed=f, fetch_list=[loss]) for f in feeds] + [value('fc_0.w_0')]",
    "two_losses": _BASE
    + "l2 = L.reduce_mean(h); t = loss + 0.1 * l2; O.Adam(0.05).minimize(t); exe.run(start); a = compiled(t); out = [exe.run(a, feed=f, fetch_list=[loss, l2, t]) for f in feeds] + [value('fc_0.w_0')]",
    "two_optimizers": _BASE
    + "l2 = L.mean(L.square(h)); O.SGD(0.1, parameter_list=['fc_0.w_0'] ).minimize(loss, parameter_list=['fc_1.w_0', 'fc_1.b_0']); O.Adam(0.05).minimize(l2, parameter_list=['fc_0.w_0']); exe.run(start); a = compiled(loss); out = [exe.run(a, feed=f, fetch_list=[loss, l2]) for f in feeds] + [value(n) for n in ('fc_0.w_0', 'fc_1.w_0')]",
    "gan": """
z = fluid.data('z', [None, 3]); real = fluid.data('real', [None, 4])
def D(v): return L.fc(v, 1, param_attr=fluid.ParamAttr(name='dw'), bias_attr=fluid.ParamAttr(name='db'))
dp, gp = fluid.Program(), fluid.Program(); dp.random_seed = gp.random_seed = 3
with fluid.program_guard(dp, start):
    z1, r1 = fluid.data('z', [None, 3]), fluid.data('real', [None, 4]); g = L.fc(z1, 4, param_attr=fluid.ParamAttr(name='gw'), bias_attr=False)
    dl = L.mean(L.sigmoid_cross_entropy_with_logits(D(r1), L.fill_constant_batch_size_like(r1, [-1, 1], 'float32', 1.0))) + L.mean(L.sigmoid_cross_entropy_with_logits(D(g), L.fill_constant_batch_size_like(g, [-1, 1], 'float32', 0.0)))
    O.SGD(0.1).minimize(dl, parameter_list=['dw', 'db'])
with fluid.program_guard(gp, start):
    z1 = fluid.data('z', [None, 3]); g = L.fc(z1, 4, param_attr=fluid.ParamAttr(name='gw'), bias_attr=False); gl = L.mean(L.sigmoid_cross_entropy_with_logits(D(g), L.fill_constant_batch_size_like(g, [-1, 1], 'float32', 1.0)))
    O.SGD(0.1).minimize(gl, parameter_list=['gw'])
exe.run(start); a = compiled(dl, program=dp); b = compiled(gl, program=gp, share=None); out = []
b = fluid.CompiledProgram(gp).with_data_parallel(gl.name, share_vars_from=a)
for i in range(4): out.append([exe.run(a, feed={'z': data(4, 3), 'real': data(4, 4)}, fetch_list=[dl]), exe.run(b, feed={'z': data(4, 3)}, fetch_list=[gl])])
out += [value('dw'), value('gw')]
""",
    "py_func": """
x = fluid.data('x', [None, 4]); h = L.fc(x, 3); o = main.current_block().create_var(name='o', dtype='float32', shape=[-1, 3])
L.py_func(lambda v: np.tanh(np.array(v)), h, o, backward_func=lambda v, y, dy: np.array(dy) * (1 - np.square(np.array(y)))); loss = L.mean(L.fc(o, 2)); out = train(loss, [{'x': data(6, 4)}, {'x': data(5, 4)}], O.SGD(0.1))
""",
    "print": "x = fluid.data('x', [None, 4]); h = L.fc(x, 3); h = L.Print(h, message='mine', first_n=2, summarize=3); loss = L.mean(h); out = train(loss, [{'x': data(6, 4)}, {'x': data(5, 4)}], O.SGD(0.1))",
    "auc": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64'); p = L.fc(x, 2, act='softmax'); u, bu, st = L.auc(p, y, num_thresholds=50, slide_steps=2); loss = L.mean(L.cross_entropy(p, y)); O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss); out = []
for n in (8, 6, 8, 4): out.append(exe.run(a, feed={'x': data(n, 4), 'y': numbers.randint(0, 2, (n, 1))}, fetch_list=[loss, u, bu]))
out += [value(v.name).sum() for v in st]
for v in st: fluid.global_scope().find_var(v.name).get_tensor().set(np.zeros_like(value(v.name)), fluid.CPUPlace())
out.append(value(st[0].name).sum())
""",
    "mix/plain": _BASE
    + """
test = main.clone(for_test=True); O.Momentum(0.1, 0.9).minimize(loss); exe.run(start); a = compiled(loss); t = compiled(program=test, share=a); out = []
for i in range(2):
    out.append(exe.run(a, feed=feeds[i], fetch_list=[loss])); out.append(exe.run(t, feed=feeds[0], fetch_list=[p, loss])); out.append(exe.run(test, feed=feeds[0], fetch_list=[loss]))
""",
    "dynrnn": """
w = fluid.data('w', [None, 1], dtype='int64', lod_level=1); y = fluid.data('y', [None, 1], dtype='int64'); e = L.embedding(w, [10, 4])
r = L.DynamicRNN()
with r.block():
    v = r.step_input(e); m = r.memory(shape=[5], value=0.0); h = L.fc([v, m], 5, act='tanh'); r.update_memory(m, h); r.output(h)
loss = L.mean(L.cross_entropy(L.fc(L.sequence_last_step(r()), 2, act='softmax'), y))
f = lambda lens: {'w': lod(numbers.randint(0, 10, (sum(lens), 1)), lens), 'y': numbers.randint(0, 2, (len(lens), 1))}
out = steps(loss, [f([2, 3, 1, 4]), f([1, 1]), f([5, 2, 3])], O.Adam(0.05))
""",
    "ifelse": """
x = fluid.data('x', [None, 4]); y = fluid.data('y', [None, 1], dtype='int64'); lim = L.fill_constant_batch_size_like(y, [-1, 1], 'int64', 5); cond = L.less_than(y, lim); ie = L.IfElse(cond)
with ie.true_block(): v = ie.input(x); ie.output(L.fc(L.fc(v, 5, act='tanh'), 3, act='softmax'))
with ie.false_block(): v = ie.input(x); ie.output(L.fc(L.fc(v, 6, act='tanh'), 3, act='softmax'))
p = ie(); t = L.elementwise_mod(y, L.fill_constant_batch_size_like(y, [-1, 1], 'int64', 3)) if 0 else y; loss = L.mean(L.square(p[0])); out = steps(loss, [{'x': data(8, 4), 'y': np.array([1, 8, 2, 9, 9, 3, 1, 7]).reshape(8, 1)}, {'x': data(4, 4), 'y': np.array([[6], [1], [2], [8]])}], O.SGD(0.1))
""",
    "while": """
d = [fluid.data('d%d' % k, [10], dtype='float32') for k in range(3)]
i = L.zeros([1], 'int64'); i.stop_gradient = True; init = L.zeros([10], 'float32'); mem = L.array_write(init, i); arr = L.array_write(d[0], i); i = L.increment(i); L.array_write(d[1], i, arr); i = L.increment(i); L.array_write(d[2], i, arr)
i = L.zeros([1], 'int64'); i.stop_gradient = True; n = L.fill_constant([1], 'int64', 3); n.stop_gradient = True; cond = L.less_than(i, n); wl = L.While(cond)
with wl.block():
    v = L.array_read(arr, i); prev = L.array_read(mem, i); s = L.sums([v, prev]); i = L.increment(i, in_place=True); L.array_write(s, i, mem); L.less_than(i, n, cond=cond)
s = L.array_read(mem, i); loss = L.mean(s); fluid.backward.append_backward(loss); a = compiled(loss)
f = lambda: {'d%d' % k: data(10) for k in range(3)}
out = [exe.run(a, feed=[f(), f()], fetch_list=[loss, s]) for _ in range(2)]
""",
    "cond": "x = fluid.data('x', [None, 4]); h = L.fc(x, 3); m = L.mean(h); r = L.cond(m < 0, lambda: L.relu(h) * 2, lambda: h * 3); loss = L.mean(r); out = train(loss, [{'x': data(6, 4)}, {'x': -data(6, 4)}, {'x': data(4, 4)}], O.SGD(0.1), also=[m.name])",
    "switch": """
x = fluid.data('x', [None, 4]); lr = L.create_global_var([1], 0.0, 'float32', persistable=True, name='lr'); k = L.autoincreased_step_counter(); kf = L.cast(k, 'float32'); b = L.fill_constant([1], 'float32', 2.0)
with L.Switch() as sw:
    with sw.case(kf < b): L.assign(L.fill_constant([1], 'float32', 0.5), lr)
    with sw.default(): L.assign(L.fill_constant([1], 'float32', 0.1), lr)
loss = L.mean(L.fc(x, 3)); out = train(loss, [{'x': data(6, 4)} for _ in range(4)], O.SGD(lr), also=[lr.name])
""",
    "profiler": _BASE
    + """
import tempfile, contextlib, io
O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss); d = tempfile.mkdtemp()
with fluid.profiler.profiler('CPU', 'total', d + '/prof') : out = [exe.run(a, feed=f, fetch_list=[loss]) for f in feeds]
fluid.profiler.start_profiler('All'); out.append(exe.run(a, feed=feeds[0], fetch_list=[loss])); fluid.profiler.stop_profiler('calls', d + '/p2'); out.append(os.path.exists(d + '/p2'))
""",
    "many_executors": _BASE
    + """
test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start); out = []
for i in range(5):
    a = compiled(loss, count=1 + i % 3); e2 = fluid.Executor(fluid.CPUPlace()); out.append(e2.run(a, feed=feeds[0], fetch_list=[loss])); out.append(e2.run(compiled(program=test, share=a, count=1 + i % 3), feed=feeds[1], fetch_list=[loss]))
""",
    "sizes": _BASE
    + "O.Adam(0.01).minimize(loss); exe.run(start); a = compiled(loss, count=3); out = [exe.run(a, feed={'x': data(n, 4), 'y': data(n, 1)}, fetch_list=[loss, p]) for n in (3, 9, 30, 31, 7, 100, 5, 8, 64, 17)] + [value('fc_0.w_0')]",
    "delete": _BASE
    + "fluid.core._set_eager_deletion_mode(0.0, 1.0, True); O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss); out = [exe.run(a, feed=f, fetch_list=[loss.name]) for f in feeds]; fluid.memory_optimize(main); fluid.release_memory(main); fluid.core._set_eager_deletion_mode(-1, 1.0, True); out.append(exe.run(a, feed=feeds[0], fetch_list=[loss.name]))",
    "sparse/adam": "i = fluid.data('i', [None, 1], dtype='int64'); e = L.embedding(i, [50, 4], is_sparse=True, padding_idx=3); loss = L.mean(L.fc(e, 2)); out = train(loss, [{'i': numbers.randint(0, 50, (n, 1))} for n in (4, 8, 5)], O.Adam(0.05, lazy_mode=True))",
    "sparse/clip": "i = fluid.data('i', [None, 1], dtype='int64'); e = L.embedding(i, [20, 4], is_sparse=True); loss = L.mean(L.fc(e, 2)); out = train(loss, [{'i': numbers.randint(0, 20, (n, 1))} for n in (4, 8, 5)], O.Adagrad(0.1, grad_clip=fluid.clip.GradientClipByGlobalNorm(0.1), regularization=fluid.regularizer.L2Decay(0.1)))",
    "nce": "i = fluid.data('i', [None, 1], dtype='int64'); y = fluid.data('y', [None, 1], dtype='int64'); e = L.embedding(i, [20, 4]); loss = L.mean(L.hsigmoid(e, y, 6)); out = train(loss, [{'i': numbers.randint(0, 20, (n, 1)), 'y': numbers.randint(0, 6, (n, 1))} for n in (4, 8, 5)], O.SGD(0.1))",
    "shared_emb": "i = fluid.data('i', [None, 1], dtype='int64'); j = fluid.data('j', [None, 1], dtype='int64'); e = L.concat([L.embedding(v, [20, 4], is_sparse=True, param_attr='sh') for v in (i, j)], 1); loss = L.mean(L.fc(e, 2, act='tanh')); out = train(loss, [{'i': numbers.randint(0, 20, (n, 1)), 'j': numbers.randint(0, 20, (n, 1))} for n in (4, 8, 5)], O.Momentum(0.1, 0.9))",
    "frozen": "x = fluid.data('x', [None, 4]); h = L.fc(x, 3, param_attr=fluid.ParamAttr(trainable=False)); h.stop_gradient = True; loss = L.mean(L.fc(h, 2)); out = train(loss, [{'x': data(6, 4)}] * 2, O.SGD(0.1))",
    "stop": "x = fluid.data('x', [None, 4]); a_ = L.fc(x, 3); b_ = L.fc(x, 3); b_.stop_gradient = True; loss = L.mean(a_ * b_); out = train(loss, [{'x': data(6, 4)}] * 2, O.SGD(0.1))",
    "no_loss_fetch": _BASE
    + "O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss); out = [exe.run(a, feed=f) for f in feeds] + [value('fc_0.w_0')]",
    "mnist/bn": """
x = L.data('image', [784]); y = L.data('label', [1], dtype='int64')
h = x
for _ in range(2):
    h = L.fc(h, 20, act='relu'); h = L.batch_norm(h)
p = L.fc(h, 10, act='softmax')
loss = L.mean(L.cross_entropy(p, y))
feeds = [{'image': data(16, 784), 'label': numbers.randint(0, 10, (16, 1))} for _ in range(5)]
out = steps(loss, feeds, O.SGD(0.01), memory_optimize=True, enable_inplace=True, fuse_all_optimizer_ops=True, fuse_all_reduce_ops=True, fuse_elewise_add_act_ops=True, fuse_relu_depthwise_conv=False, fuse_broadcast_ops=True, enable_sequential_execution=True, remove_unnecessary_lock=True)[0]
""",
    "seresnext": """
def cb(x, n, k, s=1, g=1, act=None):
    c = L.conv2d(x, n, k, s, (k - 1) // 2, groups=g, act=None, bias_attr=False)
    return L.batch_norm(c, act=act, momentum=0.1)
def se(x, n, r):
    pool = L.pool2d(x, pool_size=0, pool_type='avg', global_pooling=True)
    stdv = 1.0 / 3
    s = L.fc(pool, n // r, act='relu'); e = L.fc(s, n, act='sigmoid')
    return L.elementwise_mul(x, e, axis=0)
def block(x, n, s):
    c = cb(x, n, 1, act='relu'); c = cb(c, n, 3, s, 4, 'relu'); c = cb(c, n * 2, 1); c = se(c, n * 2, 4)
    short = cb(x, n * 2, 1, s) if x.shape[1] != n * 2 or s != 1 else x
    return L.elementwise_add(short, c, act='relu')
x = fluid.data('image', [None, 3, 16, 16]); y = fluid.data('label', [None, 1], dtype='int64')
h = cb(x, 8, 3, 2, act='relu'); h = L.pool2d(h, 3, 'max', 2, 1); h = block(h, 8, 1); h = block(h, 8, 2)
h = L.pool2d(h, 4, 'avg', global_pooling=True); h = L.dropout(h, 0.0)
p = L.fc(h, 5, act='softmax'); loss = L.mean(L.cross_entropy(p, y))
lr = L.cosine_decay(0.1, 2, 10)
feeds = [{'image': data(8, 3, 16, 16), 'label': numbers.randint(0, 5, (8, 1))} for _ in range(3)]
out = [steps(loss, feeds, O.Momentum(lr, 0.9, regularization=fluid.regularizer.L2Decay(1e-4)), fetch=[lr]), value('@LR_DECAY_COUNTER@')]
""",
    "average": _BASE
    + """
O.SGD(0.1).minimize(loss); m = O.ModelAverage(0.15, min_average_window=2, max_average_window=4); exe.run(start); a = compiled(loss); out = []
for f in feeds: out.append(exe.run(a, feed=f, fetch_list=[loss]))
with m.apply(exe): out.append(value('fc_0.w_0'))
out.append(value('fc_0.w_0'))
with m.apply(exe, need_restore=False): out.append(value('fc_0.w_0'))
m.restore(exe); out.append(value('fc_0.w_0'))
""",
    "counter": "x = fluid.data('x', [None, 4]); k = L.autoincreased_step_counter(begin=5, step=2); c0 = L.create_global_var([1], 1.0, 'float32', persistable=True, name='c0'); L.increment(c0, 0.5); h = L.fc(x, 3); loss = L.mean(h * c0); O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss); out = [exe.run(a, feed={'x': data(4, 4)}, fetch_list=[loss, k, c0]) for _ in range(3)] + [exe.run(main, feed={'x': data(4, 4)}, fetch_list=[loss, k, c0])]",
    "save/middle": _BASE
    + """
import tempfile
O.Adam(0.05).minimize(loss); exe.run(start); a = compiled(loss); d = tempfile.mkdtemp(); out = [exe.run(a, feed=f, fetch_list=[loss]) for f in feeds[:2]]
fluid.io.save_persistables(exe, d, main); fluid.save(main, d + '/m'); fluid.io.save_params(exe, d + '/p', main, 'all')
more = [exe.run(a, feed=f, fetch_list=[loss]) for f in feeds[2:]]; out.append(more)
fluid.io.load_persistables(exe, d, main); b = compiled(loss); out.append([exe.run(b, feed=f, fetch_list=[loss]) for f in feeds[2:]])
fluid.load(main, d + '/m', exe); b = compiled(loss); out.append([exe.run(b, feed=f, fetch_list=[loss]) for f in feeds[2:]])
""",
    "set_clip": _BASE + "fluid.clip.set_gradient_clip(fluid.clip.GradientClipByGlobalNorm(0.1)); out = train(loss, feeds, O.Adagrad(0.1))",
    "static_rnn": """
x = fluid.data('x', [3, None, 4])
e = L.fc(x, 4, num_flatten_dims=2); r = L.StaticRNN()
with r.step():
    v = r.step_input(e); m = r.memory(shape=[-1, 5], batch_ref=v); h = L.fc([v, m], 5, act='tanh'); r.update_memory(m, h); r.step_output(h)
loss = L.mean(r()); O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss); out = [exe.run(a, feed=[{'x': data(3, 2, 4)}, {'x': data(3, 5, 4)}], fetch_list=[loss]) for _ in range(3)]
""",
    "pe/api": _BASE
    + "test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start); os.environ['CPU_NUM'] = '2'; a = fluid.ParallelExecutor(use_cuda=False, loss_name=loss.name, main_program=main); out = [a.run(fetch_list=[loss.name], feed=feeds[0]), a.run(feed=feeds[1], fetch_list=[loss]), a.run(fetch_list=[], feed=feeds[0])]; b = fluid.ParallelExecutor(False, share_vars_from=a, main_program=test, exec_strategy=fluid.ExecutionStrategy(), build_strategy=fluid.BuildStrategy(), num_trainers=1, trainer_id=0, scope=fluid.global_scope()); out += [b.run([loss.name, p.name], feeds[0]), b.device_count, [type(v).__name__ for v in b.run([p], feeds[0], return_numpy=False)], wrong(a.run)]",
    "book/word2vec": """
ws = [L.data(n, [1], dtype='int64') for n in ('firstw', 'secondw', 'thirdw', 'forthw', 'nextw')]
es = [L.embedding(w, [30, 8], dtype='float32', is_sparse=True, param_attr='shared_w') for w in ws[:4]]
c = L.concat(es, 1); h = L.fc(c, 16, act='sigmoid'); p = L.fc(h, 30, act='softmax'); loss = L.mean(L.cross_entropy(p, ws[4]))
feeds = [{w.name: numbers.randint(0, 30, (n, 1)) for w in ws} for n in (8, 6, 4)]
out = steps(loss, feeds, O.SGD(0.1))
""",
    "book/sentiment_conv": """
d = L.data('words', [1], dtype='int64', lod_level=1); y = L.data('label', [1], dtype='int64'); e = L.embedding(d, [30, 8], is_sparse=True)
c3 = fluid.nets.sequence_conv_pool(e, 6, 3, act='tanh', pool_type='sqrt'); c4 = fluid.nets.sequence_conv_pool(e, 6, 4, act='tanh', pool_type='sqrt'); p = L.fc([c3, c4], 2, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); a = L.accuracy(p, y)
feed = lambda lens: {'words': lod(numbers.randint(0, 30, (sum(lens), 1)), lens), 'label': numbers.randint(0, 2, (len(lens), 1))}
out = steps(loss, [feed([3, 5, 2, 4]), feed([6, 7]), feed([4, 4, 4])], O.Adagrad(0.02), fetch=[a])
""",
    "book/sentiment_lstm": """
d = L.data('words', [1], dtype='int64', lod_level=1); y = L.data('label', [1], dtype='int64'); e = L.embedding(d, [30, 8], is_sparse=True)
f1 = L.fc(e, 16); l1, c1 = L.dynamic_lstm(f1, 16); ins = [f1, l1]
for i in range(2, 4):
    f = L.fc(ins, 16); l, c = L.dynamic_lstm(f, 16, is_reverse=i % 2 == 0); ins = [f, l]
p = L.fc([L.sequence_pool(ins[0], 'max'), L.sequence_pool(ins[1], 'max')], 2, act='softmax'); loss = L.mean(L.cross_entropy(p, y))
feed = lambda lens: {'words': lod(numbers.randint(0, 30, (sum(lens), 1)), lens), 'label': numbers.randint(0, 2, (len(lens), 1))}
out = steps(loss, [feed([3, 5, 2, 4]), feed([6, 7]), feed([4, 4, 4])], O.Adagrad(0.02))
""",
    "book/recommender": """
def emb(n, size, dim):
    v = L.data(n, [1], dtype='int64'); return v, L.fc(L.embedding(v, [size, dim], is_sparse=True), dim)
u, uf = emb('user_id', 10, 6); g, gf = emb('gender', 2, 4); usr = L.fc(L.concat([uf, gf], 1), 10, act='tanh')
m, mf = emb('movie_id', 12, 6); cat = L.data('cat', [1], dtype='int64', lod_level=1); ce = L.sequence_pool(L.embedding(cat, [8, 6], is_sparse=True), 'sum'); t = L.data('title', [1], dtype='int64', lod_level=1); tc = fluid.nets.sequence_conv_pool(L.embedding(t, [20, 6], is_sparse=True), 6, 3, act='tanh', pool_type='sum'); mov = L.fc(L.concat([mf, ce, tc], 1), 10, act='tanh')
sc = L.data('score', [1]); inf = L.scale(L.cos_sim(usr, mov), 5.0); loss = L.mean(L.square_error_cost(inf, sc))
def feed(n):
    ls, ks = [int(v) for v in numbers.randint(1, 4, n)], [int(v) for v in numbers.randint(2, 6, n)]
    return {'user_id': numbers.randint(0, 10, (n, 1)), 'gender': numbers.randint(0, 2, (n, 1)), 'movie_id': numbers.randint(0, 12, (n, 1)), 'cat': lod(numbers.randint(0, 8, (sum(ls), 1)), ls), 'title': lod(numbers.randint(0, 20, (sum(ks), 1)), ks), 'score': data(n, 1) * 5}
out = steps(loss, [feed(4), feed(5), feed(6)], O.SGD(0.2))[0]
""",
    "book/translation": """
s = L.data('src', [1], dtype='int64', lod_level=1); e = L.embedding(s, [20, 6], is_sparse=True, param_attr='vemb'); f = L.fc(e, 16, act='tanh'); l, _ = L.dynamic_lstm(f, 16); ctx = L.sequence_last_step(l)
t = L.data('trg', [1], dtype='int64', lod_level=1); te = L.embedding(t, [20, 6], is_sparse=True, param_attr='vemb'); r = L.DynamicRNN()
with r.block():
    w = r.step_input(te); pre = r.memory(init=ctx, need_reorder=True); st = L.fc([w, pre], 4, act='tanh'); sco = L.fc(st, 20, act='softmax'); r.update_memory(pre, st); r.output(sco)
n = L.data('next', [1], dtype='int64', lod_level=1); loss = L.mean(L.cross_entropy(r(), n))
def feed(a, b):
    return {'src': lod(numbers.randint(0, 20, (sum(a), 1)), a), 'trg': lod(numbers.randint(0, 20, (sum(b), 1)), b), 'next': lod(numbers.randint(0, 20, (sum(b), 1)), b)}
out = steps(loss, [feed([3, 2, 4, 1], [2, 5, 1, 3]), feed([2, 2], [4, 3])], O.Adagrad(0.01, regularization=fluid.regularizer.L2Decay(0.1)))
""",
    "book/vgg": """
x = L.data('pixel', [3, 16, 16]); y = L.data('label', [1], dtype='int64')
blk = lambda i, n, g: fluid.nets.img_conv_group(input=i, pool_size=2, pool_stride=2, conv_num_filter=[n] * g, conv_filter_size=3, conv_act='relu', conv_with_batchnorm=True, conv_batchnorm_drop_rate=[0.0] * g, pool_type='max')
h = blk(blk(x, 4, 1), 6, 2); h = L.fc(L.dropout(h, 0.0), 8); h = L.batch_norm(h, act='relu'); p = L.fc(h, 5, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); a = L.accuracy(p, y)
out = steps(loss, [{'pixel': data(16, 3, 16, 16), 'label': numbers.randint(0, 5, (16, 1))} for _ in range(2)], O.SGD(0.001), fetch=[a])[0]
""",
    "padding_rnn": """
x = fluid.data('x', [None, 5, 1], dtype='int64'); y = fluid.data('y', [None, 1], dtype='int64'); ih = fluid.data('ih', [2, None, 8]); ic = fluid.data('ic', [2, None, 8])
e = L.reshape(L.embedding(x, [20, 8], is_sparse=False, param_attr=fluid.ParamAttr(name='emb')), [-1, 5, 8]); o, lh, lc = fluid.contrib.layers.basic_lstm(e, ih, ic, 8, num_layers=2) if 0 else (e, ih, ic)
xs = L.transpose(e, [1, 0, 2]); hs = L.slice(ih, [0], [0], [1]); h0 = L.reshape(hs, [-1, 8]); w = L.create_parameter([16, 8], 'float32', name='cw'); r = L.StaticRNN()
with r.step():
    v = r.step_input(xs); pre = r.memory(init=h0); nw = L.tanh(L.matmul(L.concat([v, pre], 1), w)); r.update_memory(pre, nw); r.step_output(nw); r.step_output(L.scale(nw, 2.0))
o, o2 = r(); last = L.reshape(L.slice(o, [0], [4], [5]), [-1, 8]); loss = L.mean(L.softmax_with_cross_entropy(L.fc(last, 20), y)) + L.mean(o2)
feed = lambda n: {'x': numbers.randint(0, 20, (n, 5, 1)), 'y': numbers.randint(0, 20, (n, 1)), 'ih': np.zeros((2, n, 8), 'float32')}
O.SGD(0.5, grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0)).minimize(loss); exe.run(start); a = compiled(loss)
out = [exe.run(a, feed=[feed(3), feed(2)], fetch_list=[loss, last]) for _ in range(3)]
""",
    "fuse/depthwise": """
x = fluid.data('image', [None, 3, 8, 8]); y = fluid.data('label', [None, 1], dtype='int64'); h = L.conv2d(x, 4, 3, act=None, bias_attr=False)
for _ in range(2): h = L.batch_norm(L.conv2d(h, 4, 3, groups=4, padding=1, act='relu', bias_attr=False))
p = L.fc(h, 5, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); feeds = [{'image': data(8, 3, 8, 8), 'label': numbers.randint(0, 5, (8, 1))} for _ in range(2)]
out = steps(loss, feeds, O.SGD(0.01), fuse_relu_depthwise_conv=True, fuse_bn_act_ops=True, fuse_all_optimizer_ops=True)[0]
""",
    "eager/grads": """
x = fluid.data('x', [None, 4]); h = L.fc(x, 3, act='tanh'); z = L.fc(h, 2); loss = L.mean(z); gs = fluid.gradients([loss], [h, x]); pg = fluid.backward.append_backward(loss); exe.run(start); a = compiled(loss); f = {'x': data(6, 4)}
out = [[v.shape for v in exe.run(a, feed=f, fetch_list=[loss, 'fc_0.w_0@GRAD', 'fc_0.tmp_2@GRAD'])]]
""",
    "inplace": """
x = fluid.data('x', [None, 4]); h = L.relu(L.fc(x, 3)); r = L.reshape(h, [-1, 1, 3], inplace=True); s = L.scale(r, 2.0); s2 = L.relu(L.elementwise_add(s, s)); fl = L.flatten(s2); loss = L.mean(L.softmax(fl) * fl); h.persistable = True; O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss, memory_optimize=True, enable_inplace=True); f = {'x': data(6, 4)}
out = [exe.run(a, feed=f, fetch_list=[loss, h, s2]) for _ in range(3)] + [value(h.name).shape]
""",
    "not_overwriting": "x = fluid.data('x', [None, 4]); h = L.fc(x, 3); loss = L.mean(h); O.SGD(0.1).minimize(loss); exe.run(start); a = compiled(loss); r1 = exe.run(a, feed={'x': data(4, 4)}, fetch_list=[h, 'fc_0.w_0', 'fc_0.w_0@GRAD'], return_numpy=False); k1 = [np.array(v) for v in r1]; n1 = exe.run(a, feed={'x': data(4, 4)}, fetch_list=['fc_0.w_0']); m1 = n1[0].copy(); exe.run(a, feed={'x': data(4, 4)}); out = [[np.array_equal(np.array(v), k) for v, k in zip(r1, k1)], np.array_equal(m1, n1[0])]",
    "shared_scope": """
x = fluid.data('x', [None, 4]); h = L.fc(x, 3, act='tanh'); loss = L.mean(h); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); sc = fluid.core.Scope(); exe.run(start, scope=sc); a = compiled(loss); f = {'x': data(4, 4)}
out = [exe.run(a, feed=f, fetch_list=[loss], scope=sc) for _ in range(2)] + [np.array(sc.find_var('fc_0.w_0').get_tensor()), fluid.global_scope().find_var('fc_0.w_0') is None, wrong(exe.run, a, feed=f)]
with fluid.scope_guard(sc): out.append(exe.run(a, feed=f, fetch_list=[loss]))
b = fluid.CompiledProgram(test).with_data_parallel(share_vars_from=a); out.append(exe.run(b, feed=f, fetch_list=[loss], scope=sc))
""",
    "book/digits": """
x = L.data('img', [1, 28, 28]); y = L.data('label', [1], dtype='int64'); h = fluid.nets.simple_img_conv_pool(x, 4, 5, 2, 2, act='relu'); h = L.batch_norm(h); h = fluid.nets.simple_img_conv_pool(h, 5, 5, 2, 2, act='relu'); p = L.fc(h, 10, act='softmax'); loss = L.mean(L.cross_entropy(p, y)); a = L.accuracy(p, y); test = main.clone(for_test=True)
out = steps(loss, [{'img': data(6, 1, 28, 28), 'label': numbers.randint(0, 10, (6, 1))} for _ in range(2)], O.SGD(0.01), fetch=[a]); t = compiled(program=test); out.append(exe.run(t, feed={'img': data(3, 1, 28, 28), 'label': numbers.randint(0, 10, (3, 1))}, fetch_list=[loss, a]))
""",
}


def answer(fluid: Any, case: str) -> Any:
    """What a case gives."""
    return parallel_cases.answered(fluid, START + CASES[case])


def answers() -> Dict[str, Any]:
    """Every case."""
    import paddle.fluid as fluid

    return {case: answer(fluid, case) for case in CASES}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file."""
    return {"parallel_programs.json.gz": answers}

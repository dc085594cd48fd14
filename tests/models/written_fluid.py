"""Cases of written.py for Paddle 1.8."""

TEXT = """
== layers and what they choose
x = f('x', -1, 3, 8, 8)
y = L.conv2d(x, 4, 3, act='relu')
y = L.pool2d(y, 2, use_cudnn=False)
out = L.fc(L.batch_norm(y, act='tanh'), 3)
== sgd
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3)); fluid.optimizer.SGD(0.1).minimize(loss)
== momentum l2
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3))
fluid.optimizer.Momentum(0.1, 0.9, use_nesterov=True, regularization=fluid.regularizer.L2Decay(0.1)).minimize(loss)
== adam l1 global norm
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3, act='relu'))
fluid.optimizer.Adam(L.noam_decay(10, 100), regularization=fluid.regularizer.L1Decay(0.1),
    grad_clip=fluid.clip.GradientClipByGlobalNorm(1.0)).minimize(loss)
== clip value
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3))
fluid.optimizer.Adagrad(0.1, grad_clip=fluid.clip.GradientClipByValue(1.0)).minimize(loss)
== clip norm
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3))
fluid.optimizer.Adamax(0.1, grad_clip=fluid.clip.GradientClipByNorm(1.0)).minimize(loss)
== adadelta
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3))
fluid.optimizer.Adadelta(L.exponential_decay(0.1, 10, 0.5)).minimize(loss)
== rmsprop
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3))
fluid.optimizer.RMSProp(L.piecewise_decay([3, 6], [0.1, 0.2, 0.3]), centered=True).minimize(loss)
== ftrl
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3)); fluid.optimizer.Ftrl(L.cosine_decay(0.1, 3, 10)).minimize(loss)
== lamb
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3))
fluid.optimizer.Lamb(L.linear_lr_warmup(0.1, 5, 0.0, 0.1)).minimize(loss)
== lars
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3))
fluid.optimizer.LarsMomentum(L.polynomial_decay(0.1, 10), 0.9).minimize(loss)
== decayed adagrad
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3))
fluid.optimizer.DecayedAdagrad(L.inverse_time_decay(0.1, 10, 0.5)).minimize(loss)
== ema
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3)); fluid.optimizer.SGD(0.1).minimize(loss)
e = fluid.optimizer.ExponentialMovingAverage(0.99); e.update()
== model average
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3)); fluid.optimizer.SGD(0.1).minimize(loss)
fluid.optimizer.ModelAverage(0.15, min_average_window=2, max_average_window=10)
== lookahead
loss = L.mean(L.fc(f('x', -1, 4, stop=True), 3))
fluid.optimizer.LookaheadOptimizer(fluid.optimizer.SGD(0.1), 0.5, 3).minimize(loss)
== sparse
loss = L.mean(L.embedding(i('x', -1, 1), [10, 4], is_sparse=True))
fluid.optimizer.Adam(0.1, lazy_mode=True).minimize(loss)
== conv
x = f('x', -1, 3, 8, 8)
y = L.conv2d(x, 4, 3, act='relu')
y = L.pool2d(y, 2, 'avg', use_cudnn=False)
out = L.fc(L.dropout(y, 0.3), 3, act='softmax')
== norms
x = f('x', -1, 4, 8, 8)
out = [L.group_norm(x, 2), L.layer_norm(x, scale=False, shift=False), L.instance_norm(x), L.conv2d_transpose(x, 3, filter_size=3)]
== dynamic lstm
x = f('x', -1, 12, lod=1); h, c = L.dynamic_lstm(x, 12); out = L.sequence_pool(h, 'max')
== dynamic gru
x = f('x', -1, 9, lod=1); out = L.sequence_last_step(L.dynamic_gru(x, 3))
== sequences
x, y = f('x', -1, 4, lod=1), f('y', -1, 4, lod=1)
out = [L.sequence_conv(x, 5), L.sequence_expand(x, y), L.sequence_reverse(x), L.sequence_concat([x, y])]
== cond
x = f('x', 3, 4); out = L.cond(L.mean(x) > 0, lambda: x * 2, lambda: x + 1)
== switch
lr = L.create_global_var([1], 0.0, 'float32', persistable=True, name='lr'); step = L.autoincreased_step_counter()
with L.Switch() as s:
    with s.case(step < L.fill_constant([1], 'int64', 5)): L.assign(L.fill_constant([1], 'float32', 0.1), lr)
    with s.default(): L.assign(L.fill_constant([1], 'float32', 0.2), lr)
== while
n = L.fill_constant([1], 'int64', 0)
m = L.fill_constant([1], 'int64', 3)
c = L.less_than(n, m)
t = L.fill_constant([1], 'float32', 0)
w = L.While(c)
with w.block():
    L.assign(t + 1.0, t); L.increment(n); L.less_than(n, m, cond=c)
== split and sum
x = f('x', 4, 6)
a, b = L.split(x, 2, 1)
out = [L.sums([a, b]), L.scale(a, 2.0), L.sign(b), L.reverse(a, 0), L.cumsum(b), L.cast(a, 'float64'), L.assign(b)]
"""

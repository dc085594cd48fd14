"""Cases of written.py for Paddle 2.6."""

TEXT = """
== layers and what they choose
x = f('x', -1, 3, 8, 8)
y = S.nn.conv2d(x, 4, 3, act='relu')
y = F.max_pool2d(F.dropout(y, 0.3), 2)
out = F.softmax(S.nn.fc(S.nn.batch_norm(y, act='tanh'), 3))
print(sorted(a for op in main.global_block().ops for a in ('seed', 'use_cudnn', 'is_test', 'beta') if op.has_attr(a)))
== a table
y = S.nn.embedding(i('x', -1, 3), [6, 4], is_sparse=True)
out = F.swish(y.reshape([-1, 12]))
== pseudo-inverses
m, d = f('m', 3, 4), data('d', [2, 3, 3], 'float64')
out = [paddle.linalg.pinv(m), paddle.linalg.pinv(d, rcond=0.1, hermitian=True)]
== condition numbers
m = f('m', 3, 3)
out = [paddle.linalg.cond(m, p) for p in (None, 2, -2, 'fro', 'nuc', 1, -1, float('inf'))]
== powers of a vector
v = f('v', 3)
out = [paddle.vander(v), paddle.vander(v, 2, True), paddle.vander(v, 1)]
== reflectors
out = paddle.linalg.householder_product(f('m', 4, 3), f('t', 2))
== composed functions
x, v, t = f('x', 2, 3), f('v', 3), f('t', 2, 3, 4)
out = [paddle.quantile(x, 0.3, axis=[0, 1], keepdim=True), paddle.quantile(t, [0.2, 0.5], axis=[0, 2]), paddle.combinations(v, 1)]
out += [paddle.combinations(v, 2, True), paddle.cdist(x, x * 2, 1.0), paddle.median(x, axis=1), paddle.rot90(x, 2), paddle.trapezoid(x)]
out += [paddle.nanmean(x, 1), paddle.diff(x, n=2), paddle.renorm(t, 1.0, -1, 2.05), paddle.tensordot(t, t, [1, 2]), paddle.sgn(x)]
out += [paddle.unflatten(t, 2, [2, 2]), paddle.index_add(x, i('k', 2), 0, x), paddle.add_n([x, x])]
out.append(paddle.linalg.multi_dot([x, f('m', 3, 3), v]))
== sgd
y = S.nn.fc(f('x', -1, 4, stop=True), 3); loss = paddle.mean(y); paddle.optimizer.SGD(0.1).minimize(loss)
== momentum l2 clipnorm
y = S.nn.fc(f('x', -1, 4, stop=True), 3)
loss = paddle.mean(y)
paddle.optimizer.Momentum(0.1, weight_decay=paddle.regularizer.L2Decay(0.1), grad_clip=nn.ClipGradByNorm(1.0),
    use_nesterov=True).minimize(loss)
== adam l1 globalnorm noam
y = S.nn.fc(f('x', -1, 4, stop=True), 3, weight_attr=paddle.ParamAttr(regularizer=paddle.regularizer.L1Decay(0.1), learning_rate=0.5))
loss = paddle.mean(y)
paddle.optimizer.Adam(paddle.optimizer.lr.NoamDecay(10, 100), grad_clip=nn.ClipGradByGlobalNorm(1.0), weight_decay=0.01).minimize(loss)
== adamw value
y = S.nn.fc(f('x', -1, 4, stop=True), 3, bias_attr=False); loss = paddle.mean(y)
paddle.optimizer.AdamW(paddle.optimizer.lr.StepDecay(0.1, 3), grad_clip=nn.ClipGradByValue(1.0),
    apply_decay_param_fun=lambda n: 'w' in n).minimize(loss)
== adagrad
y = S.nn.fc(f('x', -1, 4, stop=True), 3)
loss = paddle.mean(y)
paddle.optimizer.Adagrad(0.1, initial_accumulator_value=0.2).minimize(loss)
== adadelta
y = S.nn.fc(f('x', -1, 4, stop=True), 3)
loss = paddle.mean(y)
paddle.optimizer.Adadelta(0.1, weight_decay=0.1).minimize(loss)
== adamax
y = S.nn.fc(f('x', -1, 4, stop=True), 3); loss = paddle.mean(y); paddle.optimizer.Adamax(0.1).minimize(loss)
== rmsprop
y = S.nn.fc(f('x', -1, 4, stop=True), 3)
loss = paddle.mean(y)
paddle.optimizer.RMSProp(0.1, momentum=0.9, centered=True).minimize(loss)
== lamb
y = S.nn.fc(f('x', -1, 4, stop=True), 3)
loss = paddle.mean(y)
paddle.optimizer.Lamb(0.1, exclude_from_weight_decay_fn=lambda p: 'b' in p.name).minimize(loss)
== two losses
y = S.nn.fc(f('x', -1, 4, stop=True), 3); a, b = paddle.mean(y), paddle.mean(y*y)
paddle.optimizer.SGD(0.1).minimize(a); paddle.optimizer.Adam(0.1).minimize(b)
== ema
y = S.nn.fc(f('x', -1, 4, stop=True), 3); loss = paddle.mean(y); paddle.optimizer.SGD(0.1).minimize(loss)
ema = S.ExponentialMovingAverage(0.99); ema.update()
== lookahead
y = S.nn.fc(f('x', -1, 4, stop=True), 3)
loss = paddle.mean(y)
paddle.incubate.LookAhead(paddle.optimizer.SGD(0.1), alpha=0.2, k=3).minimize(loss)
== modelaverage
y = S.nn.fc(f('x', -1, 4, stop=True), 3)
loss = paddle.mean(y)
paddle.optimizer.SGD(0.1).minimize(loss)
paddle.incubate.ModelAverage(0.15, min_average_window=2, max_average_window=10)
== cond
x = f('x', 3, 4); p = paddle.mean(x) > 0; out = S.nn.cond(p, lambda: x * 2, lambda: x + 1)
== cond nested
x = f('x', 3, 4); p = paddle.mean(x) > 0
out = S.nn.cond(p, lambda: S.nn.cond(paddle.sum(x) > 1, lambda: x * 2, lambda: x * 3), lambda: S.nn.fc(x, 4))
== cond stopped
x = f('x', 3, 4, stop=True); y = f('y', 3, 4); p = paddle.mean(x) > 0
out = S.nn.cond(p, lambda: x * 2, lambda: y * x)
== cond only stopped
x = f('x', 3, 4, stop=True); y = f('y', 3, 4); p = paddle.mean(x) > 0
a, b = S.nn.cond(p, lambda: (x * 2, y * 1), lambda: (x + 1, y * 2)); out = a + b
== case
x = f('x', 3, 4)
out = S.nn.case([(paddle.mean(x) > 0, lambda: x * 2), (paddle.mean(x) < -1, lambda: x * 3)], default=lambda: x)
== switch case
x = f('x', 3, 4); out = S.nn.switch_case(i('k', 1), {0: lambda: x * 2, 1: lambda: x * 3}, default=lambda: x * 1)
== while
x = f('x', 3, 4); n = paddle.zeros([1], 'int64')
n, out = S.nn.while_loop(lambda n, y: n < 3, lambda n, y: [n + 1, y * 1.5 + x], [n, x * 1])
== while fc
x = f('x', 3, 4); n = paddle.zeros([1], 'int64')
n, out = S.nn.while_loop(lambda n, y: n < 3, lambda n, y: [paddle.increment(n), S.nn.fc(y, 4,
    weight_attr=paddle.ParamAttr(name='w'), activation='tanh')], [n, x])
== while cond
x = f('x', 3, 4); n = paddle.zeros([1], 'int64')
def body(n, y):
    return [n + 1, S.nn.cond(paddle.mean(y) > 0, lambda: y * 2, lambda: y + x)]
n, out = S.nn.while_loop(lambda n, y: n < 3, body, [n, x * 1])
== array
x = f('x', 3, 4); a = paddle.tensor.create_array('float32'); n = paddle.zeros([1], 'int64')
paddle.tensor.array_write(x, n, a)
paddle.tensor.array_write(x * 2, paddle.increment(n), a)
out = paddle.tensor.array_read(a, n) + paddle.cast(paddle.tensor.array_length(a), 'float32')
== lstm
x = f('x', 2, 5, 4); out = nn.LSTM(4, 6, num_layers=2, direction='bidirect')(x)[0]
== gru cell
x = f('x', 2, 5, 4); out = nn.RNN(nn.GRUCell(4, 6))(x)[0]
== simple rnn len
x = f('x', 2, 5, 4); out = nn.SimpleRNN(4, 6)(x, sequence_length=i('len', 2))[0]
== transformer
x = f('x', 2, 5, 8); out = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1), 2)(x)
== conv stack
x = f('x', -1, 3, 16, 16)
y = nn.Conv2D(3, 8, 3, padding=1)(x)
y = nn.BatchNorm2D(8)(y)
y = F.relu(y)
y = F.adaptive_avg_pool2d(y, 2)
out = nn.Flatten()(y)
== conv more
x = f('x', -1, 3, 16, 16)
y = nn.Conv2DTranspose(3, 4, 3, stride=2)(x)
y = nn.GroupNorm(2, 4)(y)
y = nn.InstanceNorm2D(4)(y)
y = nn.PReLU(4)(y)
out = F.interpolate(y, scale_factor=2, mode='bilinear')
== dw
x = f('x', -1, 4, 16, 16)
y = nn.Conv2D(4, 8, 3, groups=4)(x)
y = S.nn.conv2d(x, 4, 3, groups=4)
y = F.pad(y, [1, 1, 2, 2])
out = F.pixel_shuffle(y, 2)
== layer norm
x = f('x', -1, 4, 8)
out = [nn.LayerNorm(8)(x), nn.LayerNorm(8, weight_attr=False, bias_attr=False)(x), S.nn.layer_norm(x), S.nn.group_norm(x, 2),
    S.nn.instance_norm(f('z', 2, 3, 4, 4))]
== losses
x = f('x', 4, 5)
l = i('l', 4)
out = [F.cross_entropy(x, l), F.nll_loss(F.log_softmax(x), l), F.mse_loss(x, f('y', 4, 5)), F.smooth_l1_loss(x, fed[2]),
    F.kl_div(x, fed[2]), F.binary_cross_entropy_with_logits(x, fed[2]), F.margin_ranking_loss(x, fed[2], fed[2]),
    F.cross_entropy(x, l, reduction='sum', soft_label=False, axis=1, label_smoothing=0.1)]
== seq
x = f('x', -1, 4, lod=1)
out = [S.nn.sequence_pool(x, 'max'), S.nn.sequence_softmax(f('y', -1, 1, lod=1)), S.nn.sequence_expand(x, fed[1]),
    S.nn.sequence_conv(x, 5), S.nn.sequence_first_step(x), S.nn.sequence_reverse(x), S.nn.sequence_pad(x, paddle.zeros([1]))[0]]
== name scope
x = f('x', 3, 4)
with S.name_scope('a'):
    y = S.nn.fc(x, 3)
    with S.name_scope('b'): y = y * 2
with S.device_guard('cpu'): z = y + 1
out = z
== clone
x = f('x', 3, 4, stop=True)
y = F.dropout(S.nn.batch_norm(S.nn.fc(x, 4)), 0.3)
loss = paddle.mean(y)
t = main.clone(for_test=True)
text = str(t); paddle.optimizer.SGD(0.1).minimize(loss)
print(text == str(t), str(main.clone(for_test=True)).count('sgd('))
== weightnorm
x = f('x', 3, 4); out = S.nn.fc(x, 3, weight_attr=S.WeightNormParamAttr(dim=None))
== sparse emb
e = S.nn.embedding(i('x', -1, 3), [10, 4], is_sparse=True, padding_idx=0)
loss = paddle.mean(e)
paddle.optimizer.Adam(0.1, lazy_mode=True, grad_clip=nn.ClipGradByGlobalNorm(1.0)).minimize(loss)
== sparse emb clip
e = S.nn.embedding(i('x', -1, 3), [10, 4], is_sparse=True)
loss = paddle.mean(e)
paddle.optimizer.SGD(0.1, grad_clip=nn.ClipGradByValue(0.1)).minimize(loss)
== sparse emb norm
e = S.nn.embedding(i('x', -1, 3), [10, 4], is_sparse=True)
loss = paddle.mean(e)
paddle.optimizer.SGD(0.1, grad_clip=nn.ClipGradByNorm(0.1), weight_decay=0.1).minimize(loss)
== accuracy auc
x = f('x', -1, 2, stop=True); l = i('l', -1, 1); out = [S.accuracy(F.softmax(x), l), S.auc(F.softmax(x), l)[0]]
== static misc
x = f('x', 4, 6)
out = [S.nn.bilinear_tensor_product(x, f('y', 4, 5), 3), S.nn.spectral_norm(f('w', 4, 5, stop=False)), S.nn.row_conv(f('r', 4, 5,
    6), 2), S.nn.data_norm(x), S.nn.prelu(f('p', 2, 3, 4, 4), 'channel')]
"""

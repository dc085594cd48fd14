"""Short static scripts of 2.6, as its documentation and unit tests have them: what they print and fetch.

static_scripts_2.6.2.json: {case: {"variables": [[shape, data type, stop_gradient], ...], "values": [[shape, data type, elements],
...], "printed": text}}, or {"raises": name of the exception}.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from typing import Any, Callable

import numpy as np

WHEELS = ("2.6.2",)

# A case is a line with its name, then its code. `x(shape...)` feeds float32, `i(shape...)` int64, `d(array)` that array; with a
# first dimension of the name "/n" the fed variables leave their first dimension open. What `out` holds at the end is fetched.
TEXT = """
== two optimizers/a layer in common
h = S.nn.fc(x(3, 4), 5, weight_attr=const(0.1), activation='tanh')
y, z = S.nn.fc(h, 5, weight_attr=const(0.2)), S.nn.fc(h, 5, weight_attr=const(0.3))
first, second = y.mean(), z.mean()
paddle.optimizer.SGD(0.1).minimize(first)
paddle.optimizer.Adam(0.1).minimize(second)
out = [first, second, *main.all_parameters()]
== two optimizers/of the same parameters
y = S.nn.fc(S.nn.fc(x(3, 4), 5, weight_attr=const(0.1), activation='tanh'), 5, weight_attr=const(0.2))
first, second = (y * y).mean(), ((y - 1) ** 2).mean()
paddle.optimizer.Momentum(0.5).minimize(first)
paddle.optimizer.SGD(0.5).minimize(second)
out = [first, second, *main.all_parameters()]
== two optimizers/layers after the first
h = S.nn.fc(x(3, 4), 5, weight_attr=const(0.1), activation='tanh')
y = S.nn.fc(h, 5, weight_attr=const(0.2))
paddle.optimizer.SGD(0.1).minimize(y.mean())
loss = S.nn.fc(h, 5, weight_attr=const(0.3)).mean() + y.sum()
paddle.optimizer.Adam(0.1).minimize(loss)
out = [loss, *main.all_parameters()]
== two optimizers/rows of a table
e = S.nn.embedding(i(2, 3), [6, 4], is_sparse=True, param_attr=const(0.2))
h = S.nn.fc(e, 3, weight_attr=const(0.3))
first, second = (h * h).sum(), (e * e).sum() + h.mean()
paddle.optimizer.SGD(0.5).minimize(first)
paddle.optimizer.SGD(0.5).minimize(second)
out = [first, second, *main.all_parameters()]
== gradients behind an update
a = x(3, 4)
y = S.nn.fc(S.nn.fc(a, 5, weight_attr=const(0.1), activation='tanh'), 5, weight_attr=const(0.2))
paddle.optimizer.SGD(0.1).minimize(y.mean())
out = [y, *S.gradients((y * y).sum(), [a])]
== gradients/of what nothing depends on
a, b = x(2, 2), x(2, 2)
c = a.detach()
z = (a * 2).sum()
print(S.gradients(z, b), S.gradients(z, [b]), S.gradients(z, [c]), S.gradients((a * c).sum(), [c]))
calculate = paddle.base.backward.calc_gradient
print(calculate(z, b), calculate(z, [a]).name, len(calculate(z, [a, b])))
print([g and g.name for g in S.gradients(z, [a, b])], [g and g.name for g in S.gradients((a * c).sum(), [a, c])])
== gradients/another pass stops where this one goes on
a = x(2, 2)
b = a * 2
c = b * a
print([g and g.name for g in S.gradients(c, [a, b], no_grad_set={b.name})])
out = [*S.gradients(c, [a, b]), *S.gradients(c, [a], no_grad_set={b.name})]
== counter/nothing on the path reads it
n, y = S.nn.while_loop(lambda n, y: n < 5, lambda n, y: [paddle.increment(n), y * 1.5], [paddle.zeros([1], 'int64'), x(2, 2)])
out = [n, y, *S.gradients((y * y).sum(), [fed[0]])]
== counter/the path reads it
a, n = paddle.tensor.create_array('float32'), paddle.zeros([1], 'int64')
paddle.tensor.array_write(x(2, 2), n, a)
def body(n, a):
    y = paddle.tensor.array_read(a, n)
    n = paddle.increment(n)
    return n, paddle.tensor.array_write(y * 1.5, n, a)
n, a = S.nn.while_loop(lambda n, a: n < 5, body, [n, a])
y = paddle.tensor.array_read(a, n)
out = [n, y, *S.gradients((y * y).sum(), [fed[0]])]
== names that __all__ leaves out
print(*(f.__name__ for f in (paddle.norm, paddle.cholesky, paddle.eigvalsh, paddle.asin_, paddle.nn.functional.diag_embed)))
print(isinstance(main.global_block().create_parameter([2], 'float32', name='p'), S.Parameter))
out = [paddle.inverse(d(np.array([[2, 1], [0, 4]], 'float32'))), paddle.norm(x(3, 4))]
print(isinstance(main.global_block().ops[-1], S.Operator))
== diff/several times
out = [paddle.diff(x(3, 4), n=2, prepend=x(3, 1), append=x(3, 2)), paddle.diff(x(5, 4), n=3, axis=0)]
== nanmedian/n
out = [paddle.nanmedian(x(3, 4), axis=1), paddle.nanmedian(x(3, 4)), paddle.nanmedian(x(3, 4, 5), [0, 2], True)]
== label_smooth/n
y = x(4, 5)
out = [F.label_smooth(y), y]
== pad by a tensor/n
two, four, six = (paddle.full([n], 1, 'int32') for n in (2, 4, 6))
out = [F.pad(x(2, 3, 4), two, data_format='NCL'), F.pad(x(2, 3, 4, 4), four, data_format='NHWC')]
out.append(F.pad(x(1, 2, 3, 3, 3), six, data_format='NCDHW'))
== least squares/residuals
a, b = x(5, 3), x(5, 2)
a.stop_gradient = b.stop_gradient = True
ones = d(np.ones((5, 3), 'float32'))
ones.stop_gradient = True
out = [*paddle.linalg.lstsq(a, b)[:3], *paddle.linalg.lstsq(ones, b, driver='gelss')[1:], paddle.linalg.lstsq(a, b, driver='gels')[1]]
print([list(v.shape) for v in paddle.linalg.lstsq(d(np.ones((3, 3), 'float32')), d(np.ones((3, 2), 'float32')))])
== index/range
y = x(3, 4)
out = [y[range(2)], y[:, range(1, 3)]]
== fetches/what minimize returns
loss = S.nn.fc(x(4, 3), 2, weight_attr=const(0.1)).mean()
result = paddle.optimizer.SGD(0.5).minimize(loss)
exe.run(startup)
print([[np.asarray(v).round(4).tolist() for v in exe.run(main, feed, f)] for f in ([loss, result], [result], [loss, result[0]], [[loss]])])
== fetches/pruned
y, u = S.nn.fc(x(4, 3), 2, weight_attr=const(0.1)), S.data('u', [4, 3])
loss, other = y.mean(), (u * 3).mean()
result = paddle.optimizer.SGD(0.5).minimize(loss)
exe.run(startup)
for f in ([loss], [loss], [loss, result], [loss, result], [loss, result[0]]):
    print([np.asarray(v).round(4).tolist() for v in exe.run(main, feed, f, use_prune=True)])
print([np.asarray(v).round(4).tolist() for v in exe.run(main, feed, [loss, result])], len(main.global_block().ops))
test = main.clone(for_test=True)
print(exe.run(test, {y.name: np.ones([4, 2], 'float32')}, [loss], use_prune=True)[0])
print(exe.run(test, {'u': np.ones([4, 3], 'float32')}, [other], use_prune=True)[0])
== fetches/updates of one of two optimizers
a = x(4, 3)
losses = [S.nn.fc(a, 2, weight_attr=const(0.1)).mean() for _ in range(2)]
results = [paddle.optimizer.SGD(0.5).minimize(loss) for loss in losses]
exe.run(startup)
for f in ([losses[0], results[0]], [losses[0], results[1]], [losses[0]]):
    print([np.asarray(v).round(4).tolist() for v in exe.run(main, feed, f, use_prune=True)])
    print([np.asarray(v).round(4).tolist() for v in exe.run(main.clone(True), feed, losses)])
== arrays/joined
a = paddle.tensor.create_array('float32', [x(2, 3), x(2, 3)])
b = [*paddle.tensor.manipulation.tensor_array_to_tensor(a), *paddle.tensor.manipulation.tensor_array_to_tensor(a, axis=0, use_stack=True)]
c = [paddle.concat(a, axis=0), paddle.stack(a, axis=0), paddle.concat([a], axis=1), paddle.stack(a, axis=1)]
print([[v.name, v.shape, v.dtype] for v in b + c])
out = [b[0], b[2], *c, *S.gradients((c[0] * c[0]).sum(), fed), *S.gradients((b[2] * b[2]).sum(), fed)]
== random/gumbel_softmax
out = [F.gumbel_softmax(x(4, 3), temperature=0.5), F.gumbel_softmax(x(4, 3), hard=True, axis=0), paddle.uniform([3])]
== random/rrelu
y = x(4, 5)
out = [F.rrelu(y, 0.1, 0.3), F.rrelu(x(3, 2)), paddle.uniform([3])]
out += S.gradients(out[0].sum(), y)
== default data type/layers
def kinds(layer):
    return [type(layer).__name__, layer._dtype, *(str(p.dtype).rpartition('.')[2] for _, p in layer.named_parameters())]
class Own(paddle.nn.Layer):
    def __init__(self, *args):
        super().__init__(*args)
        self.w = self.create_parameter([2])
        self.v = self.create_parameter([2], dtype='float32')
N = paddle.nn
paddle.set_default_dtype('float64')
try:
    for layer in (Own(), N.Linear(2, 2), N.Embedding(3, 2), N.Bilinear(2, 2, 2), N.Conv2D(2, 2, 3), N.BatchNorm2D(3)):
        print(kinds(layer))
    for layer in (N.BatchNorm(3), N.LayerNorm(3), N.GroupNorm(1, 3), N.PReLU(2), N.LSTM(2, 2), N.GRUCell(2, 2)):
        print(kinds(layer))
    out = [N.Linear(2, 2, weight_attr=const(0.5))(paddle.ones([1, 2]))]
finally:
    paddle.set_default_dtype('float32')
print(kinds(Own('own', 'float64')), kinds(N.BatchNorm(3, dtype='float64')), kinds(N.Linear(2, 2)))
== default data type/to_tensor
def made():
    data = [1.5], np.ones([2]), np.float64(2), 1.0, np.ones([2], 'float32'), [np.float32(1), 2.0], [paddle.full([], 1.0), 2.0], [1, 2]
    return [paddle.to_tensor(value) for value in data] + [paddle.to_tensor([1.1], dtype='float64'), paddle.assign(np.ones([2]))]
out = made()
paddle.set_default_dtype('float64')
try:
    out += made()
finally:
    paddle.set_default_dtype('float32')
print([op.type for op in main.global_block().ops])
== seeds of Programs/initializers
I = paddle.nn.initializer
main.random_seed, startup.random_seed = 7, 5
same = I.Normal()
xavier_and_kaiming = I.XavierNormal(), I.XavierUniform(), I.KaimingNormal(), I.KaimingUniform()
for init in (same, I.Uniform(), I.TruncatedNormal(), *xavier_and_kaiming, I.Orthogonal()):
    S.create_parameter([3, 2], 'float32', default_initializer=init)
startup.random_seed = 12
for init in (same, I.Uniform(), None):
    S.create_parameter([3, 2], 'float32', default_initializer=init)
y = paddle.nn.Linear(2, 2)(S.nn.fc(x(2, 2), 2))
I.Uniform()(S.create_global_var([2], 0.0, 'float32'), main.global_block())
for program in (main, startup):
    print([(op.type, op.attr('seed')) for op in program.global_block().ops if op.has_attr('seed')])
out = [y, *main.all_parameters()]
== seeds of Programs/set too late
y = S.nn.fc(x(2, 2), 2)
startup.random_seed = 5
print([op.attr('seed') for op in startup.global_block().ops if op.has_attr('seed')])
out = main.all_parameters()
== counter/differentiated
a = x(1)
w = S.create_parameter([1], 'float32', default_initializer=const(2.0)) * a
v = w * 3
y = paddle.increment(w, 2.0)
z = (y * v).sum()
out = [z, *S.gradients(z, [a]), w, main.all_parameters()[0]]
== trace/the rows are the earlier dimension
a = x(3, 4, 5)
out = [paddle.trace(a, k, *axes) for k in (1, -1) for axes in ((0, 1), (1, 0), (-1, 0), (2, 1))]
out += S.gradients(out[3].sum(), a)
== printed/detached
z = x(2, 3).detach()
print(z, z.name)
== printed/a program
N = paddle.nn.initializer
y = S.nn.conv2d(x(1, 2, 4, 4), 3, 3, act='relu', param_attr=const(0.1))
y = F.dropout(F.max_pool2d(F.softmax(y, 1), 2), 0.3) * 2 + 1
e = S.nn.embedding(i(2, 3), [5, 3], param_attr=const(0.2))
y = S.nn.fc(paddle.reshape(paddle.concat([e, e], 1), [1, -1]), 2).astype('float64') ** 2
z = paddle.transpose(paddle.flatten(y), [0]).unsqueeze(0).squeeze(0).sum()
o = main.global_block().create_var(name='o')
main.global_block().append_op(type='mul', inputs={'X': y, 'Y': [y.reshape([2, 1])]}, outputs={'Out': o})
for init in (N.Uniform(), N.Normal(), N.TruncatedNormal(), N.XavierNormal(), N.KaimingUniform(), N.Constant(1.5), N.Orthogonal()):
    S.create_parameter([2, 2], 'float32', default_initializer=init)
print(main, startup)
for op in main.global_block().ops[:2] + main.global_block().ops[-2:]:
    print(sorted(op.attr_names), op.has_attr('with_quant_attr'), op.attr('with_quant_attr'), len(op.all_attrs()))
== order/of a Program that was read
y = S.nn.fc(x(2, 3), 4)
paddle.optimizer.SGD(0.1).minimize(y.mean())
read = S.Program.parse_from_string(main.desc.serialize_to_string())
print([v.name for v in read.list_vars()], [p.name for p in read.all_parameters()], [p.name for p in main.clone().all_parameters()])
== empty caches of attention
m = paddle.nn.MultiHeadAttention(8, 2)
q = x(2, 1, 8)
first = m.gen_cache(q)
y, second = m(q, q, q, None, first)
z, third = m(y, y, y, None, second)
print(first.k, third.v, [op.type for op in main.global_block().ops][:12])
out = [y, z, third.k]
== names/groups of a convolution along one dimension
N = paddle.nn
layers = [N.Conv1D(4, 4, 3, groups=4), N.Conv1D(4, 8, 3, groups=4, data_format='NLC'), N.Conv2D(4, 4, 3, groups=4)]
out = [layer(y) for layer, y in zip(layers, (x(2, 4, 6), x(2, 6, 4), x(2, 4, 6, 6)))]
print(sorted(v.name for v in main.list_vars()))
== names/powers
print([paddle.pow(x(3), y).name for y in (x(3), 2, x(3), 2.5, x(3))], (x(3) ** x(3)).name, (x(3) ** 2).name)
== sizes/tensors of another integer type
n, m = paddle.full([1], 2, 'int64'), paddle.full([], 2, 'int64')
out = [paddle.zeros([n, 3]), paddle.full([m], 1.5), paddle.ones((n,)), paddle.uniform([n, 2], min=1, max=1)]
out.append(paddle.full(paddle.to_tensor([2, 3]), 1))
print([(op.type, op.output_arg_names) for op in main.global_block().ops])
== sizes/some are numbers
a, n = x(1, 2, 4, 4), paddle.full([1], 3, 'int32')
sizes = [n, 5], paddle.full([2], 5, 'int64'), paddle.full([2], 5, 'int32')
out = [F.interpolate(a, size, mode=mode) for size, mode in zip(sizes, ('nearest', 'bilinear', 'nearest'))]
paddle.crop(x(3, 5), [n - 1, 2], [n - 2, 1])
print([(op.type, op.output_arg_names) for op in main.global_block().ops])
== eager mode only/views
print(paddle.view(x(3, 4), [4, 3]))
== eager mode only/strides
print(paddle.as_strided(x(3, 4), [2, 2], [1, 2]))
== eager mode only/windows
print(paddle.unfold(x(6), 0, 3, 2))
== held by attributes/dimensions
a, n, pair = x(2, 3, 4), paddle.full([1], -1, 'int32'), d(np.array([0, 2], 'int32'))
out = [paddle.sum(a, n), paddle.mean(a, pair, True), paddle.max(a, [n, 0]), paddle.min(a, n, True), paddle.prod(a, [n, n + 1, n + 2])]
out += [paddle.argmax(a, n), paddle.argmin(a, paddle.full([], 1, 'int64'), True), paddle.cumsum(a, n), paddle.squeeze(x(1, 3, 1), pair)]
out += [paddle.squeeze(x(1, 3, 1), n), paddle.squeeze(x(1, 3, 1), [n, 0])]
out += S.gradients(sum(v.sum() for v in (*out[:5], *out[7:9])), [a])
print([(op.type, op.input_names) for op in main.global_block().ops][:12])
== held by attributes/sizes
a, n, pair = x(1, 2, 4, 4), paddle.full([1], 2, 'int32'), d(np.array([9, 10], 'int32'))
w = x(2, 3, 3, 3)
out = [F.adaptive_avg_pool2d(a, [n, 3]), F.adaptive_avg_pool2d(a, pair - 6), paddle.eye(n), paddle.eye(2, n + 1)]
out += [F.conv2d_transpose(a, w, stride=2, output_size=[n + 7, 9]), F.conv2d_transpose(a, w, stride=2, output_size=pair)]
out += S.gradients((out[0] ** 2).sum() + (out[4] ** 2).sum() + (out[5] ** 2).sum(), [a, w])
== held by attributes/chances
a, chance = x(4, 5), d(np.array([0.4], 'float32'))
out = [F.dropout(a, chance), F.dropout(a, chance, training=False, mode='downscale_in_infer')]
out += S.gradients(out[0].sum() + out[1].sum(), [a])
== held by attributes/printed, copied and pruned
a, n = x(2, 3), d(np.array([1], 'int32'))
y = paddle.sum(a, n)
loss = paddle.squeeze(y.unsqueeze(1), [n, n]).mean()
kept = S.normalize_program(main, [a, n], [y])
read = S.Program.parse_from_string(main.desc.serialize_to_string())
for program in (main.clone(for_test=True), kept, read):
    print([str(op).split('Var')[1].split(']')[0] for op in program.global_block().ops if op.type in ('reduce_sum', 'squeeze2')])
    print(exe.run(program, feed, [y.name])[0].round(4))
"""

CASES = {part.split("\n", 1)[0]: part.split("\n", 1)[1] for part in TEXT.strip()[3:].split("\n== ")}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"static_scripts_{version}.json": record}


def record() -> dict[str, Any]:
    """What every case gives under the wheel."""
    os.environ["FLAGS_enable_pir_api"] = "0"
    import paddle

    return {name: observe(paddle, name) for name in CASES}


def observe(paddle: Any, name: str) -> dict[str, Any]:
    """What a case records, computes and prints."""
    return outcome(paddle, CASES[name], open_batch=name.endswith("/n"))


def outcome(paddle: Any, code: str, open_batch: bool = False) -> dict[str, Any]:
    """What a script records, computes and prints."""
    paddle.enable_static()
    static = paddle.static
    feed: dict[str, Any] = {}
    fed: list[Any] = []

    def d(array: Any) -> Any:
        array = np.asarray(array)
        shape = [-1, *array.shape[1:]] if open_batch and array.shape else list(array.shape)
        var = static.data(f"in{len(fed)}", shape, str(array.dtype))
        var.stop_gradient = array.dtype.kind != "f"
        feed[var.name] = array
        fed.append(var)
        return var

    def x(*shape: int) -> Any:
        return d(np.random.RandomState(100 + len(fed)).uniform(-1, 1, shape).astype("float32"))

    def i(*shape: int, high: int = 5) -> Any:
        return d(np.random.RandomState(200 + len(fed)).randint(0, high, shape).astype("int64"))

    main, startup = static.Program(), static.Program()
    printed = io.StringIO()
    scope: dict[str, Any] = {
        "paddle": paddle, "S": static, "F": paddle.nn.functional, "np": np, "main": main, "startup": startup, "out": [],
        "const": paddle.nn.initializer.Constant, "x": x, "i": i, "d": d, "fed": fed, "feed": feed,
    }  # fmt: skip
    guards = (paddle.utils.unique_name.guard(), static.scope_guard(static.Scope()), static.program_guard(main, startup))
    with guards[0], guards[1], guards[2], contextlib.redirect_stdout(printed):
        paddle.seed(33)
        scope["exe"] = executor = static.Executor(paddle.CPUPlace())
        try:
            exec(code, scope)
            out = scope["out"] if isinstance(scope["out"], (list, tuple)) else [scope["out"]]
            executor.run(startup)
            values = executor.run(main, feed=feed, fetch_list=list(out)) if out else []
        except Exception as error:
            return {"raises": public_name(error)}
    return {
        "variables": [[list(v.shape), str(v.dtype).lower().rpartition(".")[2], bool(v.stop_gradient)] for v in out],
        "values": [[list(v.shape), str(v.dtype), rounded(v)] for v in map(np.asarray, values)],
        "printed": re.sub(r"0x[0-9a-f]+", "0x", printed.getvalue()),
    }


class Kind(str):
    """The name of a class of exceptions; it equals those of its bases, by which a script can catch it too."""

    bases: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return other in self.bases

    __hash__ = str.__hash__


def public_name(error: Exception) -> str:
    """The nearest class of an exception that a script can name; of an error that is two of them, what is no RuntimeError."""
    names = [c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"]
    kind = Kind(names[names[0] == "RuntimeError" and names[1] != "Exception"])
    kind.bases = tuple(names[: names.index("Exception")] or names[:1])
    return kind


def rounded(value: Any) -> list[Any]:
    """The elements, floats to the digits that float32 holds."""
    flat = value.reshape(-1)
    return [float(f"{v:.7g}") for v in flat.tolist()] if value.dtype.kind == "f" else flat.tolist()

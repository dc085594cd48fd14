# ruff: noqa: E501 - a call is a line
"""What data parallel runs of Paddle 1.8.5 give on several CPU replicas.

parallel_cases.json: {case: `out` after the code has run, as plain values; {"raises": type} where it raises}.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict

from fluid_tools import answer as run

WHEELS = ("1.8.5",)

START = """
import os
L, O = fluid.layers, fluid.optimizer
main, start = fluid.default_main_program(), fluid.default_startup_program()
start.random_seed = main.random_seed = 3
exe = fluid.Executor(fluid.CPUPlace())
value = lambda name: np.array(fluid.global_scope().find_var(name).get_tensor())
numbers = np.random.RandomState(7)
data = lambda *shape: numbers.rand(*shape).astype('float32')
clip, decay = fluid.clip.GradientClipByGlobalNorm(0.2), fluid.regularizer.L2Decay(0.05)
def parallel(loss=None, program=None, count=2, **switches):
    os.environ['CPU_NUM'] = str(count)
    build = fluid.BuildStrategy()
    for name, given in switches.items():
        setattr(build, name, given)
    return fluid.ParallelExecutor(False, loss_name=loss and loss.name, main_program=program or main, build_strategy=build)
def train(loss, feeds, optimizer, also=(), **more):
    optimizer.minimize(loss)
    exe.run(start)
    pe = parallel(loss, **more)
    losses = [pe.run([loss.name] + list(also), feed=feed) for feed in feeds]
    return [losses, {p.name: value(p.name) for p in main.all_parameters()}]
def wrong(call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except Exception as error:
        return {"kinds": [kind.__name__ for kind in type(error).__mro__]}
"""

_MLP = "x, y = fluid.data('x', [None, 6]), fluid.data('y', [None, 1]); h = L.fc(x, 8, act='tanh'); loss = L.mean(L.square_error_cost(L.fc(h, 1), y)); feeds = [{'x': data(n, 6), 'y': data(n, 1)} for n in [8, 8, 7, 12, 11] * 4]; "
_CONV = "x, y = fluid.data('x', [None, 3, 6, 6]), fluid.data('y', [None, 1], dtype='int64'); b = L.batch_norm(L.conv2d(x, 4, 3, bias_attr=False), act='relu'); loss = L.mean(L.softmax_with_cross_entropy(L.fc(L.pool2d(b, 2, 'avg', 2), 5), y)); feeds = [{'x': data(8, 3, 6, 6), 'y': numbers.randint(0, 5, (8, 1))} for _ in range(20)]; "
_WORDS = "i, y = fluid.data('i', [None, 3], dtype='int64'), fluid.data('y', [None, 1]); e = L.embedding(L.unsqueeze(i, [2]), [12, 4], is_sparse=%s); loss = L.mean(L.square_error_cost(L.fc(L.reduce_sum(e, dim=1), 1), y)); feeds = [{'i': numbers.randint(0, 12, (8, 3)), 'y': data(8, 1)} for _ in range(20)]; "
_TEXT = "def text(lengths):\n    n = sum(lengths)\n    return {'i': fluid.create_lod_tensor(numbers.randint(0, 12, (n, 1)), [lengths], fluid.CPUPlace()), 'y': numbers.randint(0, 2, (len(lengths), 1))}\ni, y = fluid.data('i', [None, 1], dtype='int64', lod_level=1), fluid.data('y', [None, 1], dtype='int64'); e = L.embedding(i, [12, 4], is_sparse=True); last = %s; loss = L.mean(L.softmax_with_cross_entropy(L.fc(last, 2), y)); feeds = [text(list(numbers.randint(1, 6, n))) for n in [4, 7, 8, 12] * 5]; "
_GRU = _TEXT % "L.sequence_last_step(L.dynamic_gru(L.fc(e, 12), 4))"
_POOL = _TEXT % "L.sequence_pool(e, 'sqrt')"
_LINE = "x = fluid.data('x', [None, 4]); h = L.fc(x, 3, act='tanh'); loss = L.mean(L.fc(h, 2)); test = main.clone(for_test=True); O.SGD(0.1).minimize(loss); exe.run(start); ten = data(10, 4); "
_LOD = "x = fluid.data('x', [None, 2], lod_level=1); p = L.sequence_pool(x, 'sum'); lod = lambda *lengths: fluid.create_lod_tensor(data(sum(lengths), 2), [list(lengths)], fluid.CPUPlace()); "
_OPTIMIZERS = {
    "sgd": "O.SGD(0.1)",
    "adam": "O.Adam(0.05)",
    "momentum": "O.Momentum(0.05, 0.9, regularization=decay, grad_clip=clip)",
    "schedule": "O.Adam(L.exponential_decay(0.1, 3, 0.5), grad_clip=clip, regularization=decay)",
}

CASES = {
    **{
        f"{model}/{optimizer}/{count}": f"{code}out = train(loss, feeds, {made}, count={count})"
        for model, code in (
            ("mlp", _MLP), ("conv", _CONV), ("sparse", _WORDS % "True"), ("dense", _WORDS % "False"), ("gru", _GRU), ("pool", _POOL)
        )
        for optimizer, made in _OPTIMIZERS.items()
        for count in (2, 4)
        if model in ("mlp", "conv", "sparse") or count == 2 and optimizer in ("sgd", "schedule") or optimizer == "sgd"
    },
    "conv/statistics": _CONV + "out = train(loss, feeds[:4], O.SGD(0.1), also=['batch_norm_0.w_1', 'batch_norm_0.w_2']) + [value('batch_norm_0.w_1')]",
    "one": _MLP + "out = train(loss, feeds, O.Adam(0.05), count=1)",
    "scale/One": _MLP + "out = train(loss, feeds, O.SGD(0.1), also=['fc_1.b_0@GRAD'], gradient_scale_strategy=fluid.BuildStrategy.GradientScaleStrategy.One)",
    "scale/Customized": _LINE + "g = loss.name + '@GRAD'; pe = parallel(loss, gradient_scale_strategy=fluid.BuildStrategy.GradientScaleStrategy.Customized); out = [pe.run([loss.name, 'fc_1.b_0@GRAD'], feed=feed) for feed in ({'x': ten, g: np.array([0.25, 0.75], 'float32')}, [{'x': ten[:3], g: np.array([0.5], 'float32')}, {'x': ten[3:], g: np.array([2], 'float32')}])] + [value('fc_0.w_0')]",
    "reduce/sgd": _LINE + "pe = parallel(loss, reduce_strategy=fluid.BuildStrategy.ReduceStrategy.Reduce); out = [pe.run([loss.name], feed={'x': ten}) for _ in range(3)] + [value('fc_0.w_0'), pe.run(['fc_0.w_0'], feed={'x': ten})]",
    "reduce/momentum": _MLP + "out = train(loss, feeds, O.Momentum(0.05, 0.9, regularization=decay), reduce_strategy=fluid.BuildStrategy.ReduceStrategy.Reduce)",
    "loss/unknown": _LINE + "cp = fluid.CompiledProgram(main).with_data_parallel('nobody', places=fluid.cpu_places(2)); out = [exe.run(cp, feed={'x': ten}, fetch_list=[loss, 'fc_1.b_0@GRAD']) for _ in range(2)]",
    "feed/sizes": _LINE + "pe = parallel(loss, count=3); out = [[v.shape for v in pe.run([h.name, loss.name, 'fc_0.w_0', 'fc_0.w_0@GRAD', loss.name + '@GRAD'], feed={'x': ten[:n]})] for n in (3, 5, 6, 7, 8, 10)]",
    "feed/parts": _LINE + "cp = fluid.CompiledProgram(main).with_data_parallel(loss.name, places=fluid.cpu_places(3)); out = [[[v.shape for v in part] for part in exe.run(cp, feed={'x': ten[:n]}, fetch_list=[h, loss], return_merged=False)] for n in (3, 5, 7, 10)]",
    "feed/list": _LINE + "pe = parallel(loss); out = pe.run([h.name, loss.name], feed=[{'x': ten[:3]}, {'x': ten[3:]}])",
    "feed/wrong": _LINE + "pe = parallel(loss, count=3); before = value('fc_0.w_0'); run = lambda feed: wrong(pe.run, [loss.name], feed); out = [run({'x': ten[:2]}), run({'x': ten[:4]}), run([{'x': ten}] * 2), run([[1], [2], [3]]), run({'x': ten, 'z': ten}), run({'x': ten[:, :3]}), run({'x': ten.astype('float64')}), run(None), np.array_equal(before, value('fc_0.w_0'))]",
    "feed/after_wrong": _LINE + "pe = parallel(loss, count=2); bad = wrong(pe.run, [loss.name], {'x': ten[:1]}); out = pe.run([loss.name], feed={'x': ten})",
    "feed/lod": _LOD + "pe = parallel(); a, b = lod(1, 2, 3, 4), lod(1, 5, 4); r = pe.run([x.name, p.name], feed={'x': a}, return_numpy=False); s = pe.run([x.name, p.name], feed={'x': b}, return_numpy=False); out = [[np.array(v), v.lod()] for v in r + s] + [wrong(pe.run, [p.name], {'x': lod(6)}), wrong(pe.run, [x.name], {'x': a})]",
    "feed/lods": _LOD + "pe = parallel(); r = pe.run([x.name, p.name], feed=[{'x': lod(1, 2)}, {'x': lod(4)}], return_numpy=False); out = [[np.array(v), v.lod()] for v in r]",
    "fetch/kinds": _LINE + "pe = parallel(loss); out = [pe.run([], feed={'x': ten}), [type(v).__name__ for v in pe.run([loss, h], feed={'x': ten})], [type(v).__name__ for v in pe.run([loss], feed={'x': ten}, return_numpy=False)], wrong(pe.run, ['nobody'], {'x': ten}), wrong(pe.run, [3], {'x': ten})]",
    "feed/few": _LINE + "te = parallel(program=test, count=3); cp = fluid.CompiledProgram(test).with_data_parallel(places=fluid.cpu_places(3)); out = [[te.run([h.name, loss.name], feed={'x': ten[:n]}), [v.shape for v in te.run([h.name, loss.name], feed=[{'x': ten[:3]}] * min(n, 3))], [[w.shape for w in v] for v in exe.run(cp, feed={'x': ten[:n]}, fetch_list=[h, loss], return_merged=False)]] for n in (2, 4, 1, 3, 2, 10)]",
    "share/first": _LINE + "pe = parallel(loss); out = [wrong(lambda: fluid.ParallelExecutor(False, main_program=test, share_vars_from=pe).run([loss.name], feed={'x': ten})), wrong(pe.drop_local_exe_scopes), wrong(fluid.ParallelExecutor, False, share_vars_from=3)]",
    "share/test": _LINE + "pe = parallel(loss); first = pe.run([loss.name], feed={'x': ten}); te = fluid.ParallelExecutor(False, main_program=test, share_vars_from=pe); out = [first] + [[te.run([loss.name], feed={'x': ten}), pe.run([loss.name], feed={'x': ten})] for _ in range(3)] + [te.device_count, pe.drop_local_exe_scopes()]",
    "share/not": _LINE + "pe = parallel(loss); te = parallel(program=test); out = [[te.run([loss.name], feed={'x': ten}), pe.run([loss.name], feed={'x': ten})] for _ in range(4)]",
    "share/wrong": _LINE + "both = fluid.CompiledProgram(main).with_data_parallel(loss.name, places=fluid.cpu_places(2)); exe.run(both, feed={'x': ten}); go = lambda **more: wrong(lambda: exe.run(fluid.CompiledProgram(test).with_data_parallel(**more), feed={'x': ten})); out = [go(share_vars_from=both, places=fluid.cpu_places(3)), go(share_vars_from=fluid.CompiledProgram(main), places=fluid.cpu_places(2)), go(places=[])]",
    "compiled/alone": _LINE + "cp = fluid.CompiledProgram(main); out = [exe.run(cp, feed={'x': ten}, fetch_list=[loss]) for _ in range(3)] + [exe.run(cp, feed=[{'x': ten}], fetch_list=[loss])]",
    "compiled/wrong": _LINE + "out = [wrong(fluid.CompiledProgram, 3), wrong(fluid.CompiledProgram, fluid.CompiledProgram(main)), wrong(lambda: fluid.CompiledProgram(main).with_data_parallel(loss.name).with_data_parallel(loss.name)), wrong(lambda: fluid.CompiledProgram(main).with_data_parallel())]",
    "compiled/scope": _LINE + "cp = fluid.CompiledProgram(main).with_data_parallel(loss.name, places=fluid.cpu_places(2)); exe.run(cp, feed={'x': ten}); out = wrong(exe.run, cp, feed={'x': ten}, scope=fluid.Scope())",
    "compiled/merged": _LINE + "cp = fluid.CompiledProgram(main).with_data_parallel(loss.name, places=fluid.cpu_places(2)); out = [exe.run(cp, feed={'x': ten[:n]}, fetch_list=[loss, h], return_merged=False) for n in (10, 3)]",
    "metrics": "x, y = fluid.data('x', [None, 4]), fluid.data('y', [None, 1], dtype='int64'); p = L.softmax(L.fc(x, 2)); a = L.accuracy(p, y); u, _, _ = L.auc(p, y); loss = L.mean(L.cross_entropy(p, y)); feeds = [{'x': data(10, 4), 'y': np.arange(10).reshape(10, 1) % 2}] * 4; out = train(loss, feeds, O.SGD(0.5), also=[a.name, u.name])",
    "loop": "x = fluid.data('x', [None, 4]); i, n = L.fill_constant([1], 'int64', 0), L.fill_constant([1], 'int64', 3); h = L.fc(x, 4); i, h = L.while_loop(lambda i, h: i < n, lambda i, h: [i + 1, L.tanh(h * 2)], [i, h]); loss = L.mean(h); out = train(loss, [{'x': data(6, 4)}] * 4, O.SGD(0.5), also=[i.name])",
    "reader": "r = L.py_reader(8, [(-1, 4)], ['float32'], use_double_buffer=False); x = L.read_file(r); loss = L.mean(L.fc(x, 2)); O.SGD(0.1).minimize(loss); exe.run(start); pe = parallel(loss); five = data(7, 4); r.decorate_tensor_provider(lambda: ([five[i:i + 2]] for i in range(5))); out = []\nfor _ in range(2):\n    r.start()\n    try:\n        while True:\n            out.append(sorted(float(v) for v in pe.run([loss])[0]))  # either device may be the first to read\n    except fluid.core.EOFException:\n        r.reset()\n        out.append('end')",
    "loader": _LINE + "out = []\nfor drop in (True, False):\n    loader = fluid.io.DataLoader.from_generator(feed_list=[x], capacity=4, iterable=True, drop_last=drop)\n    loader.set_batch_generator(lambda: ([ten[i:i + 2]] for i in range(5)), places=fluid.cpu_places(2))\n    cp = fluid.CompiledProgram(main).with_data_parallel(loss.name, places=fluid.cpu_places(2))\n    for fed in loader:\n        out.append([[{k: np.array(v) for k, v in each.items()} for each in fed], exe.run(cp, feed=fed, fetch_list=[loss]) if len(fed) == 2 else wrong(exe.run, cp, feed=fed)])",
    "feeder": _LINE + "feeder = fluid.DataFeeder([x], fluid.CPUPlace(), program=main); fed = list(feeder.feed_parallel([[(ten[0],), (ten[1],)], [(ten[2],)]], 2)); cp = fluid.CompiledProgram(main).with_data_parallel(loss.name, places=fluid.cpu_places(2)); out = exe.run(cp, feed=fed, fetch_list=[loss, h])",
    "failed": "i = fluid.data('i', [None, 1], dtype='int64'); loss = L.mean(L.fc(L.embedding(i, [6, 2]), 1)); O.SGD(0.1).minimize(loss); exe.run(start); pe = parallel(loss); before = value('fc_0.w_0'); out = [wrong(pe.run, [loss], {'i': np.array([[1], [2], [3], [9]])}), np.array_equal(before, value('fc_0.w_0')), pe.run([loss], feed={'i': np.array([[1], [2], [3], [4]])})]",
    "strategies": "e, b = fluid.ExecutionStrategy(), fluid.BuildStrategy(); shown = lambda s: {n: str(getattr(s, n)) for n in dir(s) if not n.startswith('_') and not callable(getattr(s, n))}; out = [shown(e), shown(b), str(b.GradientScaleStrategy.One), sorted(b.ReduceStrategy.__members__), int(b.ReduceStrategy.Reduce)]",
    "strategies/set": "out = {}\nfor s in (fluid.ExecutionStrategy(), fluid.BuildStrategy()):\n    for n in dir(s):\n        if not n.startswith('__') and not callable(getattr(s, n)):\n            for v in (True, 3, 'a', None, 1.5, ['a']):\n                out[n + repr(v)] = wrong(setattr, s, n, v) or str(getattr(s, n))",
    "places": "os.environ['CPU_NUM'] = '3'; three = len(fluid.cpu_places()); del os.environ['CPU_NUM']; out = [three, len(fluid.cpu_places()), os.environ['CPU_NUM'], len(fluid.cpu_places(5))]\nfor given in ('0', 'a', '-1'):\n    os.environ['CPU_NUM'] = given\n    out.append(wrong(fluid.cpu_places) or len(fluid.cpu_places()))",
}


def answered(fluid: Any, code: str) -> Any:
    """What code gives in a scope of its own, however many CPUs it asks for."""
    former = os.environ.get("CPU_NUM")
    try:
        with fluid.scope_guard(fluid.core.Scope()):
            return run(fluid, code)
    finally:
        os.environ.pop("CPU_NUM", None)
        if former is not None:
            os.environ["CPU_NUM"] = former


def answer(fluid: Any, case: str) -> Any:
    """What a case gives."""
    return answered(fluid, START + CASES[case])


def answers() -> Dict[str, Any]:
    """Every case."""
    import paddle.fluid as fluid

    return {case: answer(fluid, case) for case in CASES}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file."""
    return {"parallel_cases.json.gz": answers}

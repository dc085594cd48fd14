# ruff: noqa: E501 - a call is a line
"""What pieces of static scripts show under Paddle 1.8.5: names, values, texts and errors.

fluid_scripts.json: {case: `out` after the code has run, as plain values; {"raises": type} where it raises}.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

from fluid_tools import answer as run

WHEELS = ("1.8.5",)

_START = """
L = fluid.layers
ops = lambda program: [(op.type, op.input_arg_names, op.output_arg_names) for op in program.global_block().ops]
main, start = fluid.default_main_program(), fluid.default_startup_program()
start.random_seed = main.random_seed = 3
exe = fluid.Executor(fluid.CPUPlace())
value = lambda name: np.array(fluid.global_scope().find_var(name).get_tensor())
def wrong(call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except Exception as error:
        return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
"""

_LOSS = "x = fluid.data('x', [None, 3]); y = L.fc(x, 2); loss = L.mean(y); rate = L.linear_lr_warmup(L.exponential_decay(0.1, 3, 0.5), 3, 0.0, 0.1); "
_BLOCK = "b = main.global_block(); v = b.create_var(name='v', shape=[2, 3], dtype='float32', lod_level=1); "
_HALF = "L.create_parameter([2, 2, 2, 2], 'float16', name='p', default_initializer=%s); exe.run(start); out = [ops(start), value('p'), str(value('p').dtype), [v.name for v in start.list_vars()]]"
_FETCH = "x = fluid.data('x', [None, 3]); y = L.fc(x, 2); loss = L.mean(y); r = fluid.optimizer.SGD(0.1).minimize(loss); exe.run(start); feed = {'x': np.ones((2, 3), 'float32')}; out = [[exe.run(feed=feed, fetch_list=f, use_prune=p), value('fc_0.w_0'), value('fc_0.b_0')] for f, p in (%s)]"
_SAVE = "import os, tempfile; path = tempfile.mkdtemp() + '/inner/y'; x = fluid.data('x', [None, 2], lod_level=1); y = x * 2.0; main.global_block().append_op(type='save', inputs={'X': [y]}, outputs={}, attrs={'file_path': path}); t = fluid.create_lod_tensor(np.arange(6).reshape(3, 2).astype('float32'), [[1, 2]], fluid.CPUPlace()); exe.run(feed={'x': t}); "
_DECAY = "ext = fluid.contrib.extend_with_decoupled_weight_decay; x = fluid.data('x', [None, 3]); loss = L.mean(L.square(L.fc(x, 2))); o = %s; r = o.minimize(loss); exe.run(start); feed = {'x': np.ones((2, 3), 'float32')}; out = [ops(main), len(r), [exe.run(feed=feed, fetch_list=[loss, 'fc_0.w_0', 'fc_0.b_0']) for _ in range(3)]]"
_TWO = "x, y = fluid.data('x', [None, 5]), fluid.data('y', [None, 5]); o = %s; exe.run(start); feed = {'x': np.arange(20).reshape(4, 5).astype('float32'), 'y': np.ones((4, 5), 'float32')}; out = [ops(main), list(o.shape), [exe.run(feed=feed, fetch_list=[o]) for _ in range(2)]]"
_NEST = "U = L.utils; from collections import OrderedDict, namedtuple; P = namedtuple('P', 'a b'); nests = [[1, (2, [3])], {'b': 1, 'a': [2, 3]}, P(1, (2, 3)), 5, 'ab', [], OrderedDict([('z', 1), ('c', 2)]), [None, 'x']]; "
_TEXT = "t = fluid.create_lod_tensor(np.array(%s), %s, fluid.CPUPlace()); out = str(t)"

CASES = {
    "clone/schedule": _LOSS + "t = main.clone(for_test=True); out = [ops(t), t.num_blocks]",
    "clone/trained": _LOSS + "fluid.optimizer.SGD(rate).minimize(loss); t = main.clone(for_test=True); out = [ops(t), t.num_blocks, main.num_blocks]",
    "clone/steps": _LOSS + "t = main.clone(for_test=True); fluid.optimizer.SGD(rate).minimize(loss); exe.run(start); feed = {'x': np.ones((2, 3), 'float32')}; out = [exe.run(p, feed=feed, fetch_list=[rate.name])[0] for p in (main, t, main, t, t, main)]",
    "clone/gradients": "x = fluid.data('x', [None, 3]); x.stop_gradient = False; g = fluid.gradients(L.fc(x, 2), x); L.mean(g[0]); out = ops(main.clone(for_test=True))",
    "clone/nested": "x = fluid.data('x', [None, 3]); h = L.cond(L.reduce_all(x > 0.0), lambda: x * 2.0, lambda: x * 3.0); loss = L.mean(L.fc(h, 1)); fluid.optimizer.SGD(0.1).minimize(loss); t = main.clone(for_test=True); exe.run(start); out = [t.num_blocks, [b.parent_idx for b in t.blocks], [[op.type for op in b.ops] for b in t.blocks], exe.run(t, feed={'x': np.ones((2, 3), 'float32')}, fetch_list=[h.name])]",
    "prune/unwritten": "x = fluid.data('x', [None, 3]); y = L.fc(x, 2); main._prune(['nothing'])",
    "create_var/again": _BLOCK + "w = b.create_var(name='v'); out = [list(w.shape), w.lod_level, w.persistable]",
    "create_var/shape": _BLOCK + "b.create_var(name='v', shape=[2, 4])",
    "create_var/dtype": _BLOCK + "b.create_var(name='v', dtype='int32')",
    "create_var/lod": _BLOCK + "b.create_var(name='v', lod_level=2)",
    "create_var/persistable": _BLOCK + "b.create_var(name='v', persistable=True)",
    "create_var/type": _BLOCK + "b.create_var(name='v', type=fluid.core.VarDesc.VarType.SELECTED_ROWS)",
    "block/slice": "x = fluid.data('x', [None, 3]); L.relu(L.relu(x)); b = main.global_block(); b._set_forward_block_idx(-1); out = [[op.type for op in b._slice_ops(0, 1)], b.forward_block_idx]",
    "name_scope/empty": "out = [wrong(lambda: fluid.name_scope(name).__enter__()) for name in ('', None)]",
    "numpy/times": "a = fluid.data('a', [None, 3]); y = a * np.full([1], 2.5, 'float32') + np.float32(1); out = [ops(main), exe.run(feed={'a': np.ones((1, 3), 'float32')}, fetch_list=[y])]",
    "numpy/many": "fluid.data('a', [None, 3]) * np.ones([3], 'float32')",
    "half/constant": _HALF % "fluid.initializer.Constant(2.5)",
    "half/uniform": _HALF % "fluid.initializer.Uniform()",
    "half/normal": _HALF % "fluid.initializer.Normal()",
    "half/truncated": _HALF % "fluid.initializer.TruncatedNormal()",
    "half/xavier": _HALF % "fluid.initializer.Xavier()",
    "half/xavier_normal": _HALF % "fluid.initializer.Xavier(uniform=False)",
    "half/msra": _HALF % "fluid.initializer.MSRA()",
    "half/bilinear": _HALF % "fluid.initializer.Bilinear()",
    "half/array": _HALF % "fluid.initializer.NumpyArrayInitializer(np.arange(16).reshape(2, 2, 2, 2).astype('float32'))",
    "error_clip": "x = fluid.data('x', [None, 3]); h = L.fc(x, 4, act='tanh'); h._set_error_clip(fluid.clip.ErrorClipByValue(max=1e-3, min=-2e-3)); loss = L.mean(L.square(L.fc(h, 2))); fluid.backward.append_backward(loss, callbacks=[fluid.clip.error_clip_callback]); exe.run(start); out = [ops(main), exe.run(feed={'x': np.ones((2, 3), 'float32')}, fetch_list=[loss, h.name + '@GRAD', 'fc_0.w_0@GRAD'])]",
    "embedding/sparse_padding": "i = fluid.data('i', [None, 1], 'int64'); e = L.embedding(i, [7, 3], is_sparse=True, padding_idx=2); loss = L.reduce_sum(L.square(e) + e); fluid.optimizer.SGD(0.1).minimize(loss); exe.run(start); out = [exe.run(feed={'i': np.array([[1], [2], [2], [5]], 'int64')}, fetch_list=[loss, e, 'embedding_0.w_0']) for _ in range(2)]",
    "py_func/type": "x = fluid.data('x', [2, 3]); o = main.current_block().create_var(name='o', dtype='float32', shape=[2, 3]); L.py_func(lambda a: np.array(a).astype('float64') * 2, x, o); r = exe.run(feed={'x': np.ones((2, 3), 'float32')}, fetch_list=[o])[0]; out = [r, str(r.dtype)]",
    "fetch/operators": _FETCH % "([loss, r], False), ([loss, r], True), ([r], True), ([loss] + r[0], True), ([loss, r[0][0]], True), ([loss, r[0]], True), ([loss], True), ([[loss], [y, y]], True)",
    "parameter/names": "P = fluid.ParamAttr; out = [L.create_parameter([2], 'float32', **kw).name for kw in ({'name': 'w', 'attr': P()}, {'name': 'v', 'attr': P(name='q')}, {'name': 'u'}, {'name': 't', 'is_bias': True, 'attr': P()}, {}, {'attr': P()})]",
    "file/save": _SAVE + "p = fluid.Program(); o = p.global_block().create_var(name='o', dtype='float32', shape=[-1, 2], lod_level=1); p.global_block().append_op(type='load', outputs={'Out': [o]}, attrs={'file_path': path}); r = exe.run(p, fetch_list=[o], return_numpy=False)[0]; out = [r.lod(), np.array(r), os.path.getsize(path)]",
    "file/half": _SAVE + "p = fluid.Program(); o = p.global_block().create_var(name='o', dtype='float16'); p.global_block().append_op(type='load', outputs={'Out': [o]}, attrs={'file_path': path, 'load_as_fp16': True}); r = exe.run(p, fetch_list=[o], return_numpy=False)[0]; out = [r.lod(), np.array(r), str(np.array(r).dtype)]",
    "file/exists": _SAVE + "main.global_block().ops[-1]._set_attr('overwrite', False); out = wrong(exe.run, feed={'x': t}) is not None",
    "file/missing": "p = fluid.Program(); o = p.global_block().create_var(name='o', dtype='float32'); p.global_block().append_op(type='load', outputs={'Out': [o]}, attrs={'file_path': '/nothing/there'}); out = wrong(exe.run, p) is not None",
    "contrib/decay": _DECAY % "ext(fluid.optimizer.Adam)(0.01, learning_rate=0.1)",
    "contrib/decay_some": _DECAY % "ext(fluid.optimizer.Momentum)(learning_rate=0.1, momentum=0.9, weight_decay=0.02, apply_decay_param_fun=lambda n: n.endswith('w_0'))",
    "contrib/decay_variable": _DECAY % "ext(fluid.optimizer.SGD)(learning_rate=0.1, weight_decay=L.create_global_var([1], 0.05, 'float32', persistable=True))",
    "contrib/decay_text": "fluid.contrib.extend_with_decoupled_weight_decay(fluid.optimizer.SGD)('a', learning_rate=0.1)",
    "contrib/decay_of_no_optimizer": "fluid.contrib.extend_with_decoupled_weight_decay(object)",
    "contrib/partial_concat": _TWO % "fluid.contrib.layers.partial_concat([x, y], -3, 2)",
    "contrib/partial_sum": _TWO % "fluid.contrib.layers.partial_sum([x, y], start_index=1, length=3)",
    "contrib/fused": _TWO % "fluid.contrib.layers.fused_elemwise_activation(x, y, ['elementwise_add', 'relu'])",
    "contrib/fused_text": _TWO % "fluid.contrib.layers.fused_elemwise_activation(x, y, 'scale,elementwise_add', scale=2.0, save_intermediate_out=False)",
    "contrib/fused_one": "x = fluid.data('x', [None, 5]); fluid.contrib.layers.fused_elemwise_activation(x, x, ['relu'])",
    "contrib/fused_table": "i = fluid.data('i', [None, 1], 'int64', lod_level=1); o = fluid.contrib.layers.fused_embedding_seq_pool(i, [5, 2], padding_idx=-2, param_attr=fluid.initializer.Constant(0.5)); exe.run(start); "
    "feed = {'i': fluid.create_lod_tensor(np.array([[1], [3], [2]]), [[2, 1]], fluid.CPUPlace())}; out = [ops(main), list(o.shape), o.name, exe.run(feed=feed, fetch_list=[o])]",
    "contrib/tree": "x = fluid.data('x', [2, 4, 3]); e = fluid.data('e', [2, 3, 2], 'int32'); w = np.arange(36).reshape(3, 3, 2, 2) % 7 / 7.0; a = fluid.initializer.NumpyArrayInitializer(w.astype('float32')); o = fluid.contrib.layers.tree_conv(x, e, 2, 2, 3, param_attr=a); exe.run(start); "
    "feed = {'x': np.arange(24.0).reshape(2, 4, 3).astype('float32') / 24, 'e': np.array([[[1, 2], [2, 3], [2, 4]], [[1, 2], [1, 3], [1, 4]]], 'int32')}; out = [ops(main), list(o.shape), o.name, exe.run(feed=feed, fetch_list=[o])]\n"
    "with fluid.dygraph.guard():\n    t = fluid.dygraph.TreeConv(3, 2, 2, 2, None, a); y = t(*map(fluid.dygraph.to_variable, (feed['x'], feed['e']))); out += [y.numpy(), [list(p.shape) for p in t.parameters()]]",
    "contrib/shuffle_batch": _TWO % "fluid.contrib.layers.shuffle_batch(x, seed=5)",
    "contrib/shuffle_batch_of_program": _TWO % "fluid.contrib.layers.shuffle_batch(x)",
    "contrib/shuffle_batch_variable": _TWO % "fluid.contrib.layers.shuffle_batch(x, L.fill_constant([1], 'int64', 7))",
    "contrib/multiclass_nms2": "r = np.random.RandomState(1).rand; b, s = fluid.data('b', [1, 6, 4]), fluid.data('s', [1, 3, 6]); o = fluid.contrib.layers.multiclass_nms2(b, s, 0.1, 10, 5, nms_threshold=0.3, background_label=-1, return_index=True); f = exe.run(feed={'b': np.sort(r(1, 6, 4), 2).astype('float32'), 's': r(1, 3, 6).astype('float32')}, fetch_list=list(o), return_numpy=False); out = [ops(main), [np.array(v) for v in f], [v.lod() for v in f]]",
    "structure/values": _NEST + "out = [[U.flatten(s), U.is_sequence(s), repr(U.map_structure(lambda a: (a,), s)), repr(U.pack_sequence_as(s, list(range(10, 10 + len(U.flatten(s))))))] for s in nests]",
    "structure/two": _NEST + "out = [U.map_structure(lambda a, b: a + b, [1, (2, 3)], [10, (20, 30)]), wrong(U.pack_sequence_as, [1, 2], [1]), wrong(U.pack_sequence_as, 1, [1, 2]), wrong(U.pack_sequence_as, [1], 3)]",
    "structure/same": _NEST + "out = [[wrong(U.assert_same_structure, a, b), wrong(U.assert_same_structure, a, b, check_types=False)] for a, b in (([1], [1, 2]), ([1, [2]], [[1], 2]), ([1], (1,)), ({'a': 1}, {'b': 1}), ({'a': [1]}, {'a': (3,)}), (1, [1]), ([1], [{}]), ([1, (2, 3)], [1, (2, 4)]))]",
    "structure/lists": _NEST + "out = [U.convert_to_list(2, 3, 'k'), U.convert_to_list([1, 2], 2, 'k'), U.convert_to_list((1, 2), 2, 'k'), [wrong(U.convert_to_list, *a) for a in (([1, 2], 3, 'k'), ('ab', 2, 'k'), ([1, 'x'], 2, 'k'), (2.5, 2, 'k'), (2, 2, 'k', float))]]",
    "feed/operators": "x, y = fluid.data('x', [None, 2]), fluid.data('y', [None, 2]); z = x * 2.0 + y; w = L.scale(z, 3.0); m = main.clone(); empty = main.clone(); fluid.io.prepend_feed_ops(m, ['x', 'y']); fluid.io.append_fetch_ops(m, [z.name, w.name]); v = m.global_block().var; fluid.io.prepend_feed_ops(empty, []); fluid.io.append_fetch_ops(empty, []); out = [ops(m), [op.attr('col') for op in m.global_block().ops if op.has_attr('col')], [empty.global_block().has_var(n) for n in ('feed', 'fetch')], ops(empty), exe.run(m, feed={'x': np.ones((1, 2), 'float32'), 'y': np.ones((1, 2), 'float32')}, fetch_list=[v(z.name), v(w.name)]), wrong(fluid.io.prepend_feed_ops, m, ['nothing'])]",
    "print/float32": _TEXT % ("[1.23456789, 1e10, 1e-10, -2.5, np.nan, np.inf], 'float32'", "[[1, 1], [2, 4]]"),
    "print/float64": _TEXT % ("[[1.5, 1e10], [123456789.0, 0.1]], 'float64'", "[[1, 1]]"),
    "print/int64": _TEXT % ("[[1, 2], [3, 4]], 'int64'", "[[2]]"),
    "print/int32": _TEXT % ("[[1, 2], [3, 4]], 'int32'", "[[2]]"),
    "print/bool": _TEXT % ("[True, False], 'bool'", "[[2]]"),
    "print/float16": _TEXT % ("[0.5, 2.0], 'float16'", "[[2]]"),
    "print/fetched": "x = fluid.data('x', [None, 2]); out = str(exe.run(feed={'x': np.ones((1, 2), 'float32')}, fetch_list=[x * 2.0], return_numpy=False)[0])",
    # gradients of what nothing with a gradient made
    "gradients/constant": "x = L.fill_constant([2], 'float32', 3.0); x.stop_gradient = False; y = L.square(x) * x; g = fluid.gradients(y, x); g += fluid.gradients(g[0], x); out = exe.run(fetch_list=g)",
    "gradients/of_data": "x = fluid.data('x', [2, 3]); h = L.relu(x); g = fluid.gradients(h * 2.0, h); out = exe.run(feed={'x': np.arange(6).reshape(2, 3).astype('float32') - 2}, fetch_list=g)",
    "gradients/fetched": "x = fluid.data('x', [2, 3]); h = L.relu(x); fluid.backward.append_backward(L.mean(h * 2.0), parameter_list=[]); out = exe.run(feed={'x': np.ones((2, 3), 'float32')}, fetch_list=[h.name + '@GRAD'])",
    "gradients/beside_parameters": "h = L.zeros([2], 'float32'); h.stop_gradient = False; w = L.create_parameter([2], 'float32', name='w'); fluid.optimizer.SGD(0.1).minimize(L.mean(L.square(h + w))); exe.run(start); out = exe.run(fetch_list=[h.name + '@GRAD', 'w@GRAD', 'w'])",
    "gradients/of_branch": "x = L.fill_constant([2], 'float32', 3.0); x.stop_gradient = False; y = L.cond(L.fill_constant([1], 'bool', True), lambda: x * 2.0, lambda: x * 3.0); out = exe.run(fetch_list=fluid.gradients(y, x))",
    "gradients/of_array": "x = L.fill_constant([2, 3], 'float32', 1.0); x.stop_gradient = False; a = L.create_array('float32'); [L.array_write(x * float(k), L.fill_constant([1], 'int64', k), a) for k in range(3)]; o, sizes = L.tensor_array_to_tensor(a, axis=1); out = exe.run(fetch_list=[o, sizes] + fluid.gradients(o, x))",
    "gradients/shape": "x = fluid.data('x', [2, 3]); x.stop_gradient = False; out = [list(fluid.gradients(f(x), x)[0].shape) for f in (lambda x: L.scale(x, 2.0), lambda x: L.sum([x, x]), lambda x: L.cumsum(x, axis=0))]",
    # descriptions
    "desc/attributes": "x = fluid.data('x', [None, 3, 8, 8]); L.relu(L.conv2d(L.reshape(x, [0, 0, 8, 8]), 2, 3)); L.fill_constant([1], 'float32', 2.0); out = [[sorted(set(op.attr_names) - {'op_callstack'}), [op.has_attr(n) for n in ('use_mkldnn', 'use_quantizer', 'place_type')]] for op in main.global_block().ops]",
    "desc/choice": "x = fluid.data('x', [None, 3]); L.fc(x, 2); op = main.global_block().ops[0]; out = [op.attr('use_mkldnn'), op.attr('scale_x'), op.attr('scale_y'), op.attr_type('scale_y') == fluid.core.AttrType.FLOATS, op.all_attrs()['force_fp32_output']]; op._set_attr('use_mkldnn', True); out += [op.attr('use_mkldnn'), exe.run(start), op.desc.attr('scale_out')]",
    "desc/serialized": "x = fluid.data('x', [None, 3], lod_level=1); L.fc(x, 2); s = main.desc.serialize_to_string(); p = fluid.Program.parse_from_string(s); out = [ops(p), p.desc.serialize_to_string() == s, [sorted(op.attr_names) for op in p.global_block().ops] == [sorted(op.attr_names) for op in main.global_block().ops]]",
    "desc/by_hand": "p = fluid.core.ProgramDesc(); b = p.block(0); V = fluid.core.VarDesc.VarType\nfor n, shape in (('x', [10, 20]), ('y', [20, 30])):\n    v = b.var(n.encode()); v.set_type(V.LOD_TENSOR); v.set_shape(shape); v.set_dtype(V.FP32)\no = b.var(b'out'); o.set_type(V.LOD_TENSOR); op = b.append_op(); op.set_type('mul'); op.set_input('X', ['x']); op.set_input('Y', ['y']); op.set_output('Out', ['out']); out = [op.attr_names()]; op.check_attrs(); out += [op.attr('x_num_col_dims'), op.attr('y_num_col_dims'), op.has_attr('op_role')]; op.infer_var_type(b); op.infer_shape(b); out += [o.shape()]",
    "desc/set_attributes": "p = fluid.core.ProgramDesc(); b = p.block(0); op = b.append_op(); op.set_type('test'); op._set_attr('i', 1); op._set_attr('s', 'abc'); op._set_attr('l', [1, 2]); op.set_block_attr('b', b); out = [sorted(op.attr_names()), op.has_attr('i'), op.attr('s'), op.attr('l'), op._block_attr_id('b')]",
    # tensors
    "tensor/parts": "t = fluid.LoDTensor(); t.set(np.arange(24).reshape(2, 3, 4).astype('float32'), fluid.CPUPlace()); out = [np.array(v) for v in (t[0], t[0:1], t[1, 2], t[:, 1:3], t[::2], t[-1:], t[1, :, 2:], t[0:9])] + [wrong(t.__getitem__, i) is not None for i in (5, -3, None, [0, 1], (0, 0, 0, 0))]",
    "tensor/empty": "t = fluid.LoDTensor(); out = [t.shape(), np.array(t), t.lod(), t._is_initialized(), t.has_valid_recursive_sequence_lengths()]",
    "tensor/array": "a = fluid.LoDTensorArray(); t = fluid.LoDTensor(); t.set(np.ones((1, 2), 'float32'), fluid.CPUPlace()); a.append(t); a.append(t); moved = a._move_to_list(); out = [len(moved), len(a), np.array(moved[1])]",
    "tensor/as_numpy": "f = fluid.executor.as_numpy; t = fluid.LoDTensor(); t.set(np.ones((2, 2)), fluid.CPUPlace()); out = [f(t), f([t, t]), f(fluid.LoDTensor())]; t.set_lod([[0, 2]]); out.append(wrong(f, t))",
    "gradients/counts_of_sequences": "x, c = fluid.data('x', [None, 5], lod_level=1), fluid.data('c', [None, 2]); x.stop_gradient = False; y = L.continuous_value_model(x, c, True); t = fluid.create_lod_tensor(np.arange(15).reshape(3, 5).astype('float32'), [[2, 1]], fluid.CPUPlace()); r = exe.run(feed={'x': t, 'c': np.array([[7, 8], [9, 10]], 'float32')}, fetch_list=[y] + fluid.gradients(y, x), return_numpy=False); out = [np.array(v) for v in r]",
    "feeder/checks": "F = fluid.data_feeder; V = fluid.core.VarDesc.VarType; v = fluid.data('x', [None, 4]); out = [[F.convert_dtype(d) for d in (V.FP32, 'float64', np.int32, V.BOOL)], [wrong(*c) is not None for c in ((F.convert_dtype, 'nope'), (F.check_variable_and_dtype, v, 'x', ['int32'], 'op'), (F.check_variable_and_dtype, 3, 'x', ['int32'], 'op'), (F.check_type, v, 'x', (list, tuple), 'op'), (F.check_dtype, 'float32', 'x', ['int64'], 'op'), (F.check_variable_and_dtype, v, 'x', ['float32'], 'op'))]]",
    # wrong use
    "wrong/parameter": "main.global_block().create_parameter(name='p', shape=[], dtype='float32')",
    "wrong/feeds_of_prune": "x = fluid.data('x', [None, 3]); y = L.relu(x); out = [wrong(main._prune_with_input, [3], [y]) is not None, wrong(main._prune, [3]) is not None]",
    "wrong/variable_name": "main.global_block().var(3)",
    "elementwise/mod": "x, y = fluid.data('x', [4]), fluid.data('y', [4]); i, j = fluid.data('i', [4], 'int64'), fluid.data('j', [4], 'int64'); a, b = np.array([-7, 7, -7, 7]), np.array([3, 3, -3, -3]); out = exe.run(feed={'x': (a + 0.5).astype('float32'), 'y': b.astype('float32'), 'i': a, 'j': b}, fetch_list=[L.elementwise_mod(x, y), L.elementwise_mod(i, j), L.elementwise_floordiv(i, j)])",
}  # fmt: skip


def answer(fluid: Any, case: str) -> Any:
    """What a case gives."""
    with fluid.scope_guard(fluid.core.Scope()):
        return run(fluid, _START + CASES[case])


def answers() -> Dict[str, Any]:
    """Every case."""
    import paddle.fluid as fluid

    return {case: answer(fluid, case) for case in CASES}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file."""
    return {"fluid_scripts.json": answers}

# ruff: noqa: E501 - a call is a line
"""What the names of Paddle's C++ module do that scripts reach for: feeding by hand, tensors, descriptions, Scopes.

native_names_VERSION.json: {case: `out` after the code has run, as plain values; {"raises": type} where it raises}. The
code is read as in native_cases.py.
"""

from __future__ import annotations

from typing import Any, Callable

import native_cases

WHEELS = ("1.8.5", "2.6.2")

_TENSOR = "t = core.LoDTensor(); t.set(np.arange(6.0, dtype='float32').reshape(3, 2), base.CPUPlace()); t.set_lod([[0, 1, 3]]); "
_FEED = (
    "x = data('x', [2, 3]); block = x.block; y = block.create_var(name='y', shape=[2, 3], dtype='float32'); Kind = VarType\n"
    "a = block.create_var(name='feed', type=Kind.FEED_MINIBATCH, persistable=True); b = block.create_var(name='fetch', type=Kind.FETCH_LIST, persistable=True)\n"
    "block.append_op(type='feed', inputs={'X': [a]}, outputs={'Out': [x]}, attrs={'col': 0}); block.append_op(type='scale', inputs={'X': [x]}, outputs={'Out': [y]}, attrs={'scale': 3.0})\n"
    "block.append_op(type='fetch', inputs={'X': [y]}, outputs={'Out': [b]}, attrs={'col': 0}); s = core.Scope(); t = core.LoDTensor(); t.set(np.ones((2, 3), 'float32'), base.CPUPlace()); t.set_lod([[0, 1, 2]])\n"
)
_OP = "x = data('x', [None, 4]); block = x.block; o = block.create_var(name='o', dtype='float32'); op = block.append_op(type='scale', inputs={'X': [x]}, outputs={'Out': [o]}, attrs={'scale': 2.0, 'bias': 1.0}); d = op.desc; "
_NET = "x = data('x', [None, 3]); h = fc(x, 2); p = base.default_main_program(); b = p.desc.block(0); "

CASES = {
    "suffixes": "out = [getattr(core, n)() for n in 'kControlDepVarName kEmptyVarName kGradVarSuffix kNewGradSuffix kTempVarName kZeroVarSuffix'.split()]",
    "feed/slots": "s = core.Scope(); t = core.LoDTensor(); t.set(np.ones((2, 3), 'float32'), base.CPUPlace()); out = [core.set_feed_variable(s, t, 'feed', 2), s.find_var('feed') is None]",
    "feed/run": _FEED
    + "core.set_feed_variable(s, t, 'feed', 0); p = base.default_main_program(); getattr(p, '_sync_with_cpp', int)(); q = core.Place(); q.set_place(base.CPUPlace()); core.Executor(q).run(p.desc, s, 0, True, True, []); f = core.get_fetch_variable(s, 'fetch', 0); out = [np.array(f), f.lod()]",
    "feed/nowhere": "core.get_fetch_variable(core.Scope(), 'fetch', 0)",
    "tensor/of": "s = core.Scope(); s.var('w').get_tensor().set(np.ones(3), base.CPUPlace()); t = core.get_variable_tensor(s, 'w'); t._set_double_element(0, 9.0); out = [np.array(t), np.array(s.find_var('w').get_tensor())]",
    "tensor/of nobody": "core.get_variable_tensor(core.Scope(), 'w')",
    "tensor/share": _TENSOR + "u = core.LoDTensor(); r = u._share_data_with(t); out = [np.array(u), u.lod(), np.array(r), u.shape()]; t._set_float_element(0, 9.0); out += [np.array(u)]",
    "tensor/share nothing": "core.LoDTensor()._share_data_with(core.LoDTensor())",
    "tensor/alloc": "t = core.LoDTensor(); t._set_dims([2, 3]); t._alloc_float(base.CPUPlace()); out = [t.shape(), str(t._dtype()), t._is_initialized()]; t._alloc_int(base.CPUPlace()); out += [str(t._dtype())]; t._alloc_double(base.CPUPlace()); out += [str(t._dtype())]",
    "tensor/alloc sizeless": "t = core.LoDTensor(); t._alloc_float(base.CPUPlace()); out = [t.shape(), t._is_initialized()]",
    "tensor/dims": "t = core.LoDTensor(); t._set_dims([2, 3]); out = [t._get_dims(), t.shape(), t._is_initialized()]",
    "tensor/empty": "t = core.LoDTensor(); out = [t._get_dims(), t.shape(), t._is_initialized(), t.lod()]",
    "tensor/clear": _TENSOR + "t._clear(); out = [t._is_initialized(), t.shape()]",
    "tensor/copy": _TENSOR + "q = core.Place(); q.set_place(base.CPUPlace()); u = t._copy(q); t._set_float_element(0, 9.0); out = [np.array(u), u.lod()]",
    "tensor/data": "t = core.LoDTensor(); t._set_dims([2]); a = t._mutable_data(base.CPUPlace(), VarType.INT64); out = [a > 0, str(t._dtype()), t._is_initialized()]",
    "tensor/layout": _TENSOR + "out = [t._set_layout('NHWC'), 'layout: NHWC' in str(t)]",
    "tensor/capsule": _TENSOR + "u = core.from_dlpack(t._to_dlpack()); out = [np.array(u), u.shape()]; t._set_float_element(0, 9.0); out.append(np.array(u)[0, 0])",
    "tensor/element": "t = core.LoDTensor(); t.set(np.arange(3.0), base.CPUPlace()); t._set_double_element(1, 7.5); out = [t._get_double_element(1), np.array(t)]",
    "array/move": "a = core.LoDTensorArray(); " + _TENSOR + "a.append(t); m = a._move_to_list(); out = [len(a), len(m), type(m).__name__]",
    "array/own": "a = core.LoDTensorArray(); " + _TENSOR + "a.append(t); t.set(np.zeros(1, 'float32'), base.CPUPlace()); out = [np.array(a[0]), a[0].lod(), len(a)]; a[0] = t; out += [np.array(a[0])]",
    "array/shared": "a = core.LoDTensorArray(); " + _TENSOR + "a.append(t); t._set_float_element(0, 9.0); out = np.array(a[0])",
    "scope/kids": "s = core.Scope(); a, b = s.new_scope(), s.new_scope(); out = [len(s._kids())]; s.drop_kids(); out.append(len(s._kids()))",
    "scope/variable": "s = core.Scope(); v = s.var('a'); v.set_int(3); out = [v.is_int(), v.get_int()]; w = s.var('b'); w.set_float(2.5); out += [w.is_float(), w.is_int(), w.get_float(), v.is_float()]",
    "scope/kinds": "s = core.Scope(); v = s.var('a'); v.get_lod_tensor_array(); v.get_tensor()",
    "scope/rows then tensor": "s = core.Scope(); v = s.var('a'); v.get_selected_rows(); v.get_tensor()",
    "scope/number then tensor": "s = core.Scope(); v = s.var('a'); v.set_int(3); v.get_tensor()",
    "scope/tensor then number": "s = core.Scope(); v = s.var('a'); v.get_tensor(); v.get_int()",
    "place": "p = core.Place(); p.set_place(core.CPUPlace()); out = [p.is_cpu_place(), p._equals(core.CPUPlace()), p._type() == core.CPUPlace()._type(), core.CPUPlace()._equals(core.CPUPlace()), p.is_cuda_pinned_place()]",
    "kinds": "A = core.AttrType; out = {n: int(getattr(A, n)) for n in 'INT INTS LONG LONGS FLOAT FLOATS STRING STRINGS BOOL BOOLS BLOCK BLOCKS'.split()}",
    "sizes": "out = [core.size_of_dtype(getattr(VarType, n)) for n in 'BOOL INT16 INT32 INT64 FP16 FP32 FP64 UINT8 INT8'.split()]",
    "sizes/none": "core.size_of_dtype(VarType.LOD_TENSOR)",
    "op/attributes": _OP + "d._set_attr('scale', 4.0); out = [d.attr('scale'), d.has_attr('scale'), d.has_attr('nobody'), d.attr_type('scale') == core.AttrType.FLOAT]; d.remove_attr('scale'); out.append(d.has_attr('scale'))",
    "op/slots": _OP + "d.set_input('X', ['z']); d.set_output('Out', ['q', 'r']); out = [d.input('X'), d.inputs()['X'], d.output('Out'), d.input_arg_names(), d.output_arg_names()]",
    "op/bytes": _OP + "n = block.desc.append_op(); n.copy_from(d); raw = d.serialize_to_string(); out = [isinstance(raw, bytes), b'scale' in raw, n.serialize_to_string() == raw]",
    "op/target": _OP + "out = d.set_is_target(True)",
    "op/block": _OP + "p = base.default_main_program(); k = p.desc.append_block(p.desc.block(0)); d.set_block_attr('sub_block', k); out = [d._block_attr_id('sub_block'), d.attr_type('sub_block') == core.AttrType.BLOCK]; d.set_blocks_attr('blocks', [k, p.desc.block(0)]); out.append(d._blocks_attr_ids('blocks'))",
    "op/rename": _OP + "d._rename_input('x', 'z'); d._rename_output('o', 'q'); out = [d.input('X'), d.output('Out')]",
    "var/shapes": _NET + "v = x.desc; out = [v.get_shape() if hasattr(v, 'get_shape') else v.shape(), v.lod_level(), v.name(), str(v.dtype()), str(v.type()), v.persistable()]",
    "var/of": "v = core.VarDesc('mine'); v.set_dtype(VarType.INT32); v.set_shape([3, -1]); v.set_lod_level(1); v.set_persistable(True); out = [v.name(), v.shape(), str(v.dtype()), v.lod_level(), v.persistable(), isinstance(v.serialize_to_string(), bytes)]",
    "var/reader": "v = core.VarDesc('r'); v.set_type(VarType.READER); v.set_shapes([[2, 3], [4]]); v.set_dtypes([VarType.FP32, VarType.INT64]); v.set_lod_levels([1, 0]); out = [v.shapes(), [str(t) for t in v.dtypes()], v.lod_levels()]",
    "block/forward": _NET + "b._set_forward_block_idx(0); out = [b.get_forward_block_idx(), isinstance(b.serialize_to_string(), bytes)]",
    "program/targets": _FEED + "p = base.default_main_program(); out = [p.desc.get_feed_target_names(), p.desc.get_fetch_target_names()]",
    "program/version": _NET + "p.desc._set_version(7); out = p.desc._version()",
    "program/bytes": _NET + "d = core.ProgramDesc(p.desc.serialize_to_string()); out = [d.num_blocks(), [d.block(0).op(i).type() for i in range(d.block(0).op_size())], sorted(v.name() for v in d.block(0).all_vars())]",
    "program/copy": _NET + "d = core.ProgramDesc(p.desc); d.block(0)._remove_op(0, 1); out = [d.block(0).op_size(), b.op_size()]",
    "program/of": _NET + "q = base.Program(); q.desc = core.ProgramDesc(p.desc); q.blocks = [base.framework.Block(q, 0)]; q._sync_with_cpp(); out = [o.type for o in q.global_block().ops]",
    "program/prune": _NET + "k = p.desc.block(0).op_size(); d, m = core.prune(p.desc, {'x'}, [[0, 0]]); out = [d.num_blocks(), d.block(0).op_size(), m]",
    "program/backward": _NET + "base.append_backward(reduced(h)) if hasattr(base, 'append_backward') else base.backward.append_backward(reduced(h)); d, m = core.prune_backward(p.desc); out = [[d.block(0).op(i).type() for i in range(d.block(0).op_size())], m]",
    "gradients": "out = {n: core.has_non_empty_grad_op_maker(n) for n in 'relu mul softmax shape sgd feed fill_constant accuracy while'.split()}",
    "gradients/nobody": "core.has_non_empty_grad_op_maker('nobody')",
    "defaults/nobody": "out = core.get_op_attrs_default_value(b'nobody')",
    "gradients/maker": "out = {n: core.has_grad_op_maker(n) for n in 'relu mul softmax sgd fill_constant accuracy while'.split()} if hasattr(core, 'has_grad_op_maker') else None",
    "defaults": "out = {k: v for k, v in core.get_op_attrs_default_value(b'scale').items() if k in ('scale', 'bias', 'bias_after_scale')}",
    "shapes/differ": _NET + "t = core.LoDTensor(); t.set(np.ones((2, 4), 'float32'), base.CPUPlace()); out = core.diff_tensor_shape(t, x.desc, 1)",
    "shapes/agree": _NET + "t = core.LoDTensor(); t.set(np.ones((2, 3), 'float32'), base.CPUPlace()); out = core.diff_tensor_shape(t, x.desc, 1)",
    "run/local": "x = data('x', [2, 3]); z = x * 2.0; x.persistable = True; p = base.default_main_program(); q = core.Place(); q.set_place(base.CPUPlace()); s = core.Scope(); s.var('x').get_tensor().set(np.ones((2, 3), 'float32'), base.CPUPlace()); core.Executor(q).run(p.desc, s, 0, True, True, []); out = [s.find_var(z.name) is None]",
    "profiler": "out = [core.is_profiler_enabled(), core.reset_profiler(), str(core.ProfilerState.kCPU), str(core.EventSortingKey.kTotal), str(core.TracerOption.kDefault), int(core.ProfilerState.kAll), core.kCPU == core.ProfilerState.kCPU]",
    "threads": "out = core.set_num_threads(1)",
    "deletion": "out = core._set_eager_deletion_mode(-1.0, 1.0, False)",
    "avx": "out = core.avx_supported()",
    "debug": "out = core._is_dygraph_debug_enabled()",
    "version": "out = [core._is_program_version_supported(n) for n in (0, 1008005, 3000000)]",
    "flags/get": "g = core.globals(); out = ['FLAGS_check_nan_inf' in g, g['FLAGS_check_nan_inf'], g.is_public('FLAGS_check_nan_inf'), g.get('FLAGS_nobody', 3), g.get('FLAGS_check_nan_inf', 3), 'FLAGS_check_nan_inf' in g.keys()]",
    "flags/nobody": "core.globals()['FLAGS_nobody']",
    "flags/set": "g = core.globals(); g['FLAGS_check_nan_inf'] = True; out = g['FLAGS_check_nan_inf']; g['FLAGS_check_nan_inf'] = False",
    "compiled": "out = core.is_compiled_with_cuda()",
}  # fmt: skip

# of 2.6 only
NEW = {
    "scope/erase": "s = core.Scope(); s.var('a'); s.erase(['a', 'nobody']); out = s.find_var('a') is None",
    "compiled/others": "out = [getattr(core, 'is_compiled_with_' + n)() for n in 'xpu rocm ipu mpi mpi_aware nccl'.split()]",
    "suffixes/parallel": "out = [core.kAutoParallelSuffix(), core.kNoneProcessMeshIndex()]",
    "tensor/part": _TENSOR + "u = t._slice(1, 3); out = [np.array(u), u.shape(), t._numel()]; t._set_float_element(2, 9.0); out.append(np.array(u))",
    "tensor/cast": _TENSOR + "u = t._as_type(VarType.INT64); out = [np.array(u), str(u._dtype())]",
    "tensor/from": _TENSOR + "u = core.LoDTensor(); u._copy_from(t, base.CPUPlace()); t._set_float_element(0, 9.0); out = [np.array(u), u.lod()]",
    "tensor/from some": _TENSOR + "u = core.LoDTensor(); u._copy_from(t, base.CPUPlace(), 2); out = [np.array(u), u.lod()]",
    "tensor/pointer": _TENSOR + "u = core.LoDTensor(); u._share_data_with(t); out = [t._ptr() == u._ptr(), t._layout()]",
    "tensor/complex": "t = core.LoDTensor(); t.set(np.arange(3).astype('complex64'), base.CPUPlace()); t._set_complex64_element(1, 2 + 3j); v = t._get_complex64_element(1); out = [v.real, v.imag]",
    "scope/size": "s = core.Scope(); s.var('a'); out = [s.size(), s._can_reused]; s._can_reused = True; out.append(s._can_reused); out.append(s.raw_address() != core.Scope().raw_address())",
    "place/kinds": "p = core.Place(); p.set_place(core.CPUPlace()); out = [p.is_xpu_place(), p.is_ipu_place(), p.is_custom_place()]",
    "op/typed": _OP + "d._set_float32_attr('scale', 3); d._set_int64_attr('n', 3); d._set_int32_attr('i', 3); d._set_bool_attr('b', True); d._set_str_attr('s', 'x'); d._set_int64s_attr('ns', [1, 2]); d._set_float64_attr('f', 2.5); d._set_strs_attr('ss', ['u']); out = [[d.attr(n), int(d.attr_type(n))] for n in ('scale', 'n', 'i', 'b', 's', 'ns', 'f', 'ss')]",
    "op/map": _OP + "m = d.get_attr_map(); out = [m['scale'], m['bias'], sorted(m) == sorted(d.attr_names())]",
    "op/without": _OP + "d.remove_input('X'); d.remove_output('Out'); out = [d.input_names(), d.output_names()]",
    "op/variable": _OP + "d.set_var_attr('scale', x.desc); out = [d.attr('scale', True).name(), d.attr_type('scale', True) == core.AttrType.VAR]",
    "var/attributes": _NET + "v = x.desc; v._set_attr('k', 3); v._set_attr('t', 'x'); out = [v.attr('k'), sorted(v.attr_names()), v.has_attr('k'), v.has_attr('z')]; v.remove_attr('k'); out.append(v.has_attr('k'))",
    "var/size": _NET + "out = [x.desc.element_size()]",
    "block/parent": _NET + "k = p.desc.append_block(b); k.set_parent_idx(0); out = k.parent",
    "block/move": _NET + "q = core.ProgramDesc(); q.block(0)._move_from(b); out = [q.block(0).op_size(), b.op_size()]",
    "program/hash": _NET + "out = [type(p.desc.cached_hash_str()).__name__, p.desc.cached_hash_str() == p.desc.cached_hash_str()]",
    "gradients/empty": "out = {n: core.has_empty_grad_op_maker(n) for n in 'relu mul shape sgd feed fill_constant accuracy while'.split()}",
    "broadcast": "out = [core.broadcast_shape([2, 1, 3], [4, 3]), core.broadcast_shape([3], [1])]",
    "broadcast/apart": "core.broadcast_shape([2, 3], [4, 3])",
    "variable": "s = core.Scope(); t = core.LoDTensor(); t.set(np.ones(3, 'float32'), base.CPUPlace()); core.set_variable(s, t, 'w'); out = np.array(s.find_var('w').get_tensor())",
    "file/tensor": "import tempfile, os\n" + _TENSOR + "f = os.path.join(tempfile.mkdtemp(), 'w'); core.save_lod_tensor(t, f); u = core.LoDTensor(); n = core.load_lod_tensor(u, f); out = [np.array(u), u.lod(), list(open(f, 'rb').read()), n]",
    "file/rows": "import tempfile, os\nf = os.path.join(tempfile.mkdtemp(), 'w'); s = core.SelectedRows([1, 3], 10); s.get_tensor().set(np.ones((2, 2), 'float32'), base.CPUPlace()); core.save_selected_rows(s, f); u = core.SelectedRows(); n = core.load_selected_rows(u, f); out = [u.rows(), u.height(), np.array(u.get_tensor()), list(open(f, 'rb').read()), n]",
    "memory/tensor": _TENSOR + "b = core.save_lod_tensor_to_memory(t); u = core.LoDTensor(); core.load_lod_tensor_from_memory(u, b); out = [list(b), np.array(u)]",
    "memory/rows": "s = core.SelectedRows([1, 3], 10); s.get_tensor().set(np.ones((2, 2), 'float32'), base.CPUPlace()); b = core.save_selected_rows_to_memory(s); u = core.SelectedRows(); core.load_selected_rows_from_memory(u, b); out = [list(b), u.rows(), u.height(), np.array(u.get_tensor())]",
    "file/no folder": _TENSOR + "core.save_lod_tensor(t, 'no/such/folder/w')",
    "types": "out = [str(core.FLOAT32), core.FLOAT32 == core.DataType.FLOAT32, core.BOOL == core.DataType.BOOL, core.BFLOAT16.value]",
    "generator": "g = core.default_cpu_generator(); g.manual_seed(7); out = [g.initial_seed(), type(g).__name__]",
    "flags/default": "out = core.globals().get_default('FLAGS_check_nan_inf')",
    "cache": "out = core.clear_executor_cache()",
    "levels": "out = [core.AmpLevel.O1.name, int(core.AmpLevel.O2), core.O1 == core.AmpLevel.O1]",
    "prim": "core._set_prim_all_enabled(True); out = [core._is_fwd_prim_enabled(), core._is_bwd_prim_enabled(), core._is_all_prim_enabled() if hasattr(core, '_is_all_prim_enabled') else None]; core._set_prim_all_enabled(False)",
}  # fmt: skip

# of 1.8 only
OLD = {
    "callable": "n = core._append_python_callable_object_and_return_id(abs); out = [core._append_python_callable_object_and_return_id(abs) - n]",
    "suffixes/loaded": "out = core.loaded_var_suffix()",
}


def cases(version: str) -> dict[str, str]:
    """What a wheel is asked."""
    return dict(CASES, **(OLD if version == "1.8.5" else NEW))


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file for each wheel."""

    def answers() -> Any:
        base, names = native_cases.spelling(version)
        return {case: native_cases.answer(base, code, names) for case, code in cases(version).items()}

    return {"native_names_%s.json" % version: answers}

# ruff: noqa: E501 - a call is a line
"""What scripts that look below the layers see: printed descriptions, enumerations, SelectedRows, gradient operators.

native_VERSION.json: {case: `out` after the code has run, as plain values; {"raises": type} where it raises}. In the code
`base` is paddle.fluid or paddle.base, `F` is paddle.nn.functional, `data(name, shape, dtype)` a variable to feed.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any, Callable

import numpy as np
from fluid_tools import plain

WHEELS = ("1.8.5", "2.6.2")

_TYPES = "BOOL INT16 INT32 INT64 FP16 FP32 FP64 LOD_TENSOR SELECTED_ROWS STEP_SCOPES LOD_TENSOR_ARRAY READER RAW UINT8 INT8".split()
_NET = "x = data('x', [None, 3]); h = fc(x, 2); d = dropout(h); block = base.default_main_program().global_block(); w = block.all_parameters()[0]; "
_GRAD = "x = data('x', [3, 4]); x.stop_gradient = False; block = x.block; block.create_var(name='w', shape=[4, 5], dtype='float32'); block.create_var(name='u', shape=[3, 4], dtype='float32'); block.create_var(name='c', shape=[4], dtype='float32'); "
_MAKE = "[block.create_var(name=n, shape=[3, 4], dtype='float32') for n in {outs}]; op = block.append_op(type={type!r}, inputs={ins}, outputs={outputs}, attrs={attrs}); "
_SHOW = "descs, names = core.get_grad_op_desc(op.desc, {no_grad}, []); out = [[[d.type(), {{k: v for k, v in d.inputs().items() if v}}, {{k: v for k, v in d.outputs().items() if v}}] for d in descs], names]"


def gradient(type: str, ins: dict, outputs: dict, attrs: Any = None, no_grad: str = "set()") -> str:
    """A case: the gradient operators of an operator."""
    slots = ["%r: [block.var(n) for n in %r]" % item for item in ins.items()]
    results = ["%r: [block.var(n) for n in %r]" % item for item in outputs.items()]
    make = _MAKE.format(outs=sorted(sum(outputs.values(), [])), type=type, ins="{" + ", ".join(slots) + "}", outputs="{" + ", ".join(results) + "}", attrs=attrs)
    return _GRAD + make + _SHOW.format(no_grad=no_grad)


CASES = {
    "types": "out = {name: [str(getattr(VarType, name)), repr(getattr(VarType, name)), '%%s' %% getattr(VarType, name), int(getattr(VarType, name))] for name in %r}" % _TYPES,
    "types/equal": "out = [VarType.FP32 == 5, VarType.FP32 == VarType.FP64, data('x', [1]).dtype == VarType.FP32]",
    **{
        f"print/{what}": _NET + f"out = [str({what}), {what}.to_string(True), {what}.to_string(True, True)]"
        for what in ("x", "h", "w", "d")
    },
    "print/text": "block = base.default_main_program().global_block(); v = block.create_var(name='gr\\u00fcn\\n\"a\\'\\\\b', shape=[2], dtype='int64'); out = v.to_string(True)",
    "print/persistable": "block = base.default_main_program().global_block(); v = block.create_var(name='p', shape=[2], dtype='int64', persistable=True, stop_gradient=True); out = [str(v), v.to_string(True, True)]",
    "print/level": "x = data('x', [None, 1], 'int64', 1); out = [str(x), x.to_string(True)]",
    "print/array": "a = create_array(); out = [str(a), a.to_string(True)]",
    "print/op": _NET + "out = [tree(op.to_string(True)) for op in block.ops]",
    "print/block": _NET + "out = [tree(block.to_string(True)), tree(block.to_string(True, True))]",
    "print/program": _NET + "p = base.default_main_program(); out = [tree(p.to_string(True), 'op_version_map'), tree(p.to_string(True, True), 'op_version_map')]",
    "rows": "s = core.SelectedRows([1, 3, 3], 10); out = [s.rows(), s.height(), s.numel()]; s.set_height(12); s.set_rows([0, 2]); s.get_tensor().set(np.ones((2, 3), 'float32'), base.CPUPlace()); s.sync_index(); out += [s.rows(), s.height(), s.numel(), s.get_tensor().shape(), np.array(s.get_tensor())]",
    "rows/scope": "s = base.Scope(); r = s.var('W').get_selected_rows(); out = [r.rows(), r.height()]; r.set_height(5); r.get_tensor().set(np.arange(4.0).reshape(2, 2), base.CPUPlace()); r.set_rows([3, 1]); f = s.find_var('W').get_selected_rows(); out += [f.rows(), f.height(), np.array(f.get_tensor())]",
    "fetch_var": "base.global_scope().var('q').get_tensor().set(np.arange(3.0), base.CPUPlace()); f = base.executor._fetch_var; out = [f('q'), f('q', return_numpy=False).shape()]",
    "fetch_var/nowhere": "base.executor._fetch_var('nobody')",
    "fetch_var/number": "base.executor._fetch_var(3)",
    "lod_tensor/list": "t = base.create_lod_tensor([[1, 2], [3]], [[2, 1]], base.CPUPlace()); out = [np.array(t), str(np.array(t).dtype), t.lod()]",
    "lod_tensor/floats": "t = base.create_lod_tensor([[1.5, 2], [3]], [[2, 1]], base.CPUPlace()); out = [np.array(t), str(np.array(t).dtype)]",
    "lod_tensor/rows": "out = base.create_lod_tensor([[[1, 2], [3, 4]], [[5, 6]]], [[2, 1]], base.CPUPlace()).shape()",
    "lod_tensor/array": "t = base.create_lod_tensor(np.ones((3, 2)), [[2, 1], [1, 1, 1]], base.CPUPlace()); out = [t.lod(), base.create_lod_tensor(t, [[1, 2]], base.CPUPlace()).lod()]",
    "lod_tensor/lengths": "base.create_lod_tensor([[1, 2], [3]], [[1, 2]], base.CPUPlace())",
    "lod_tensor/number": "base.create_lod_tensor(3, [[1]], base.CPUPlace())",
    "lod_tensor/random": "t = base.create_random_int_lodtensor([[1, 2]], [4], base.CPUPlace(), 0, 1); out = [t.shape(), t.lod(), set(np.array(t).ravel().tolist()) <= {0, 1}]",
    "nests/flatten": "out = [nests.flatten([1, (2, {'b': 3, 'a': 4})]), nests.flatten('ab'), nests.is_sequence({'a': 1}), nests.is_sequence('a')]",
    "nests/pack": "out = [nests.pack_sequence_as([1, (2,)], [5, 6]), nests.pack_sequence_as(3, [4]), nests.map_structure(lambda a, b: a + b, [1, (2,)], [3, (4,)])]",
    "nests/pack too few": "nests.pack_sequence_as([1, (2,)], [5])",
    "nests/same": "out = [nests.assert_same_structure([1, (2,)], [3, (4,)]), nests.assert_same_structure([1, 2], (1, 2), check_types=False)]",
    "nests/other places": "nests.assert_same_structure([1], [(1,)])",
    "nests/other types": "nests.assert_same_structure([1, 2], (1, 2))",
    "nests/lists": "out = [nests.convert_to_list(3, 2, 'k'), nests.convert_to_list((1, 2), 2, 'k'), nests.convert_dtype('float32')]",
    "nests/short list": "nests.convert_to_list([1], 2, 'k')",
    "nests/text for list": "nests.convert_to_list('a', 2, 'k')",
    "feeder": "f = base.DataFeeder([data('x', [None, 2]), data('y', [None, 1], 'int64')], base.CPUPlace()); r = f.feed([([1.0, 2.0], 3), ([4.0, 5.0], 6)]); out = {n: [np.array(v), str(np.array(v).dtype), v.lod()] for n, v in r.items()}",
    "feeder/sequences": "r = base.DataFeeder([data('s', [None, 1], 'int64', 1)], base.CPUPlace()).feed([([1, 2, 3],), ([4],)]); out = [np.array(r['s']), r['s'].lod()]",
    "feeder/shape": "base.DataFeeder([data('x', [None, 2])], base.CPUPlace()).feed([([1.0, 2.0, 3.0],)])",
    "flags": "base.framework.set_flags({'FLAGS_check_nan_inf': False}); out = base.framework.get_flags(['FLAGS_check_nan_inf'])",
    "logger": "l = part('log_helper').get_logger('zz', 20, fmt='%(levelname)s %(message)s'); again = part('log_helper').get_logger('zz', 40); out = [l is again, l.level, l.propagate, [[type(h).__name__, h.formatter._fmt if h.formatter else None, h.level] for h in l.handlers[-2:]]]",
    "decorator": "w = part('wrapped_decorator'); f = w.wrap_decorator(lambda f: lambda *a, **k: f(*a, **k) + 1)(two); out = [f(1), f(1, y=5), f.__name__, str(inspect.signature(f))]",
    "decorator/context": "f = part('wrapped_decorator').signature_safe_contextmanager(once)\nwith f(3) as v:\n    out = [v, f.__name__, str(inspect.signature(f))]",
    "scopes": "s = part('default_scope_funcs'); first = s.get_cur_scope(); s.var('a'); s.enter_local_scope(); s.var('c'); out = [s.get_cur_scope() is first, s.find_var('a') is not None, s.find_var('c') is not None]; s.leave_local_scope(); out += [s.find_var('c') is None, s.get_cur_scope() is first, first is base.global_scope(), s.scoped_function(lambda: s.var('d')), s.find_var('d') is None]",
    "tracer": "out = base.framework._dygraph_tracer()",
    "gradient/mul": gradient("mul", {"X": ["x"], "Y": ["w"]}, {"Out": ["m"]}),
    "gradient/mul, not of x": gradient("mul", {"X": ["x"], "Y": ["w"]}, {"Out": ["m"]}, no_grad="{'x@GRAD'}"),
    "gradient/mul, x named": gradient("mul", {"X": ["x"], "Y": ["w"]}, {"Out": ["m"]}, no_grad="{'x'}"),
    "gradient/mul, of none": gradient("mul", {"X": ["x"], "Y": ["w"]}, {"Out": ["m"]}, no_grad="{'x@GRAD', 'w@GRAD'}"),
    "gradient/scale": gradient("scale", {"X": ["x"]}, {"Out": ["s"]}, {"scale": 2.0}),
    "gradient/sum": gradient("sum", {"X": ["x", "u"]}, {"Out": ["s"]}),
    "gradient/relu": gradient("relu", {"X": ["x"]}, {"Out": ["r"]}),
    "gradient/shape": gradient("shape", {"Input": ["x"]}, {"Out": ["n"]}),
    "gradient/dropout": gradient("dropout", {"X": ["x"]}, {"Out": ["d"], "Mask": ["k"]}),
    "gradient/layer_norm": gradient("layer_norm", {"X": ["x"], "Scale": ["c"]}, {"Y": ["y"], "Mean": ["m"], "Variance": ["v"]}),
    "gradient/run": _GRAD
    + _MAKE.format(outs=["m"], type="relu", ins="{'X': [x]}", outputs="{'Out': [block.var('m')]}", attrs="{}")
    + "grad = core.get_grad_op_desc(op.desc, set(), [])[0][0]; new = block.desc.append_op(); new.copy_from(grad)\n"
    + "for n in ('m@GRAD', 'x@GRAD'):\n    block.create_var(name=n, shape=[3, 4], dtype='float32')\n"
    + "new.infer_var_type(block.desc); new.infer_shape(block.desc); program = base.default_main_program()\n"
    + "getattr(program, '_sync_with_cpp', int)(); r = np.random.RandomState(5); feed = {'x': r.randn(3, 4).astype('float32'), 'm@GRAD': r.randn(3, 4).astype('float32')}\n"
    + "out = [block.desc.op_size(), new.type(), base.Executor(base.CPUPlace()).run(program, feed=feed, fetch_list=['x@GRAD'])[0]]",
}  # fmt: skip

# attributes that choose a kernel: those of 2.6 are left out of files as well
KERNELS = {"use_cudnn", "use_mkldnn", "use_quantizer", "mkldnn_data_type", "Scale_out", "Scale_x", "Scale_y", "x_data_format", "y_data_format"}

# of 2.6 only
COPIES = {
    "copy/cpu": "x = data('x', [None, 3]); y = x.cpu(); z = y * 2; out = [y.name, list(y.shape), y.stop_gradient, y.op.type if y.op else None, x.block.ops[0].attr('dst_place_type'), *base.Executor(base.CPUPlace()).run(feed={'x': np.ones((2, 3), 'float32')}, fetch_list=[y, z])]",
    "copy/cuda": "x = data('x', [None, 3]); y = x.cuda(); out = [y.name, y.stop_gradient, x.block.ops[0].type, x.block.ops[0].attr('dst_place_type')]",
    "copy/arguments": "x = data('x', [None, 3])\nwith warnings.catch_warnings(record=True) as seen:\n    warnings.simplefilter('always')\n    x.cuda(0); x.cuda(None, False)\nout = len([w for w in seen if 'ignored' in str(w.message)])",
    "copy/gradient": "x = data('x', [2, 3]); x.stop_gradient = False; y = (x.cpu() * x).sum(); out = [[o.type for o in x.block.ops], [list(map(str, g)) if g is None else g.name for g in base.gradients([y], [x])], [o.type for o in x.block.ops]]",
    **{
        f"centers/{name}": f"y = data('y', [{len(labels)}], '{dtype}'); block = y.block; a, c = (block.create_var(name=n, dtype='{dtype}') for n in 'ac')\n"
        "block.append_op(type='class_center_sample', inputs={'Label': y}, outputs={'RemappedLabel': a, 'SampledLocalClassCenter': c}, "
        f"attrs={{'num_classes': {classes}, 'num_samples': {count}, 'fix_seed': True, 'seed': {seed}}})\n"
        f"out = base.Executor(base.CPUPlace()).run(feed={{'y': np.array({labels}, '{dtype}')}}, fetch_list=[a, c])"
        for name, dtype, labels, classes, count, seed in (
            ("some", "int64", [0, 3, 3, 9, 5, 0], 20, 8, 7),
            ("one", "int64", [1], 10, 5, 7),
            ("many", "int32", [2, 2, 4], 100, 40, 2021),
            ("fewer", "int64", [11, 5, 1, 3, 12, 2, 15, 19, 18, 19], 20, 6, 3),
        )
    },
    "centers/function": "y = data('y', [None], 'int64'); a, c = F.class_center_sample(y, 9, 4); op = y.block.ops[0]; out = [op.type, {n: op.attr(n) for n in ('num_classes', 'num_samples', 'rank', 'nranks', 'ring_id', 'seed', 'fix_seed')}, list(a.shape), list(c.shape), a.name, c.name, a.stop_gradient, c.stop_gradient]",
    "centers/too many": "F.class_center_sample(data('y', [4], 'int64'), 5, 9)",
    "centers/columns": "F.class_center_sample(data('y', [4, 1], 'int64'), 5, 3)",
    "centers/floats": "F.class_center_sample(data('y', [4]), 5, 3)",
    "data_type": "D = core.DataType; out = [{name: [int(v), str(v), repr(v)] for name, v in D.__members__.items()}, D.FLOAT32 == 10, D.INT64.name, D.INT64.value]",
}  # fmt: skip


_SOME = "scope = core.Scope(); g = scope.var('Grad').get_selected_rows(); g.set_height(10); g.set_rows([0, 4, 7, 4]); place = base.CPUPlace(); g.get_tensor().set(np.arange(12).reshape(4, 3).astype('float32'), place); "

# of 1.8 only
SPARSE = {
    "rows/sgd": _SOME
    + "scope.var('Param').get_tensor().set(np.full((10, 3), 5.0, 'float32'), place); scope.var('Rate').get_tensor().set(np.array([2.0], 'float32'), place); "
    "Operator('sgd', Param='Param', Grad='Grad', ParamOut='Param', LearningRate='Rate').run(scope, place); out = np.array(scope.find_var('Param').get_tensor())",
    "rows/merge": _SOME
    + "scope.var('Out').get_selected_rows(); Operator('merge_selected_rows', X='Grad', Out='Out').run(scope, place); o = scope.find_var('Out').get_selected_rows(); out = [o.rows(), o.height(), np.array(o.get_tensor())]",
    "rows/trained": "e = base.layers.embedding(data('ids', [None, 1], 'int64'), [6, 2], is_sparse=True, param_attr=base.initializer.Constant(1.0)); loss = base.layers.mean(e * e); base.optimizer.SGD(0.5).minimize(loss)\n"
    "with base.scope_guard(base.Scope()):\n    exe = base.Executor(base.CPUPlace()); exe.run(base.default_startup_program()); loss.block.var('embedding_0.w_0@GRAD').persistable = True\n"
    "    exe.run(feed={'ids': np.array([[1], [3], [1]])}, fetch_list=[loss]); g = base.global_scope().find_var('embedding_0.w_0@GRAD').get_selected_rows(); out = [g.rows(), g.height(), np.array(g.get_tensor())]",
}  # fmt: skip


def two(x: Any, y: Any = 3) -> Any:
    """A function to decorate."""
    return x + y


def once(x: Any) -> Any:
    """A generator to make a context manager of."""
    yield x


def tree(text: str, *without: str) -> Any:
    """A printed description as nested lists; what Paddle keeps in hash tables is sorted."""
    lines = iter(text.replace("}blocks", "}\nblocks").replace("}version", "}\nversion").splitlines())

    def entries() -> Any:
        found: list = []
        for line in lines:
            line = line.strip()
            if line == "}":
                break
            if line.endswith(" {"):
                found.append([line[:-2], entries()])
            elif line:
                found.append(line)
        hashed = [e for e in found if e[0] in ("attrs", "vars")]
        kept = [e for e in found if e[0] not in ("attrs", "vars", *without)]
        dropped = {'name: "%s"' % name for name in (KERNELS if "type" in str(found[:1]) else ())} | {'name: "op_callstack"'}
        return kept + sorted(e for e in hashed if not dropped & {e[1][0]})

    return entries()


def answer(base: Any, code: str, names: Any) -> Any:
    """What a case gives."""
    import warnings

    spelled = {"base": base, "core": base.core, "VarType": base.core.VarDesc.VarType, "np": np, "out": None, "tree": tree, "warnings": warnings}
    spelled.update(inspect=inspect, two=two, once=once, part=lambda name: importlib.import_module(base.__name__ + "." + name))
    spelled.update(names)
    with base.unique_name.guard(), base.program_guard(base.Program(), base.Program()):
        try:
            exec(code, spelled)
        except Exception as error:  # which one is what is recorded
            kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]
            # what is two kinds here is first the one that Python sees
            return {"raises": "ValueError" if "ValueError" in kinds and kinds[0] != "TypeError" else kinds[0]}
    return plain(spelled["out"])


def old_spelling(fluid: Any) -> Any:
    """How cases make layers under 1.8."""

    def data(name: str, shape: Any, dtype: str = "float32", lod_level: int = 0) -> Any:
        return fluid.data(name, shape, dtype, lod_level)

    return {
        "data": data,
        "Operator": importlib.import_module(fluid.__name__ + ".op").Operator,
        "nests": importlib.import_module(fluid.layers.__name__ + ".utils"),
        "fc": lambda x, n: fluid.layers.fc(x, n, act="relu"),
        "dropout": lambda x: fluid.layers.dropout(x, 0.25),
        "reduced": fluid.layers.mean,
        "create_array": lambda: fluid.layers.create_array("float32"),
    }


def new_spelling(paddle: Any) -> Any:
    """How cases make layers under 2.6."""
    return {
        "data": paddle.static.data,
        "F": paddle.nn.functional,
        "nests": importlib.import_module(paddle.__name__ + ".utils.layers_utils"),
        "fc": lambda x, n: paddle.static.nn.fc(x, n, activation="relu"),
        "dropout": lambda x: paddle.nn.functional.dropout(x, 0.25),
        "reduced": paddle.mean,
        "create_array": lambda: paddle.tensor.create_array("float32"),
    }


def spelling(version: str) -> Any:
    """The wheel's `base`, and how cases make layers."""
    import paddle

    if version == "1.8.5":
        import paddle.fluid as base

        return base, old_spelling(base)
    paddle.enable_static()
    return paddle.base, new_spelling(paddle)


def cases(version: str) -> dict[str, str]:
    """What a wheel is asked."""
    return dict(CASES, **(SPARSE if version == "1.8.5" else COPIES))


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file for each wheel."""

    def answers() -> Any:
        base, names = spelling(version)
        return {case: answer(base, code, names) for case, code in cases(version).items()}

    return {"native_%s.json" % version: answers}

"""Pieces of scripts in the manner of Paddle 1.8's unit tests of eager mode, and what they give.

dygraph_units_1.8.5.json.gz: {case: observations}; a case is code that puts what is looked at into `out`.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List

import dygraph_cases

WHEELS = ("1.8.5",)
_CHAIN = "x = f('x', 3, low=0.1); a = L.scale(x, 2.0); b = L.tanh(a); c = L.relu(b); "
_TRAINED = (
    "fc = D.Linear(2, 2); sgd = fluid.optimizer.SGD(0.1, parameter_list=fc.parameters()); x = f('x', 3, 2); "
    "loss = L.mean(fc(x)); loss.backward(); "
)
_FROM = "import importlib; m = importlib.import_module(fluid.__name__ + '.{}'); "

CASES = {
    # what gradients do at values that are told to stop them
    **{
        f"stop/{name}": f"{_CHAIN}{code}; out = [v.gradient() for v in (x, a, b, c)]"
        for name, code in {
            "first": "a.stop_gradient = True; c.backward()", "middle": "b.stop_gradient = True; c.backward()",
            "last": "c.stop_gradient = True; c.backward()", "again": "b.stop_gradient = True; b.stop_gradient = False; c.backward()",
            "cleared": "b.stop_gradient = True; c.backward(); b.clear_gradient()",
            "between": "b.stop_gradient = True; c = L.relu(b); c.backward()",
            "branch": "d = a * b; c = c + d; b.stop_gradient = True; c.backward()",
        }.items()
    },
    "stop/weight": "fc = D.Linear(2, 2); y = fc(f('x', 3, 2)); fc.weight.stop_gradient = True; y.backward(); "
    "out = [fc.weight.gradient(), fc.bias.gradient()]",
    "stop/weight/had": "fc = D.Linear(2, 2); x = f('x', 3, 2); fc(x).backward(); fc.weight.stop_gradient = True; fc(x * 2).backward(); "
    "out = [fc.weight.gradient(), fc.bias.gradient()]",
    # several outputs of which some are not used
    **{
        f"unused/{name}": f"x = f('x', 4, 6); h = L.scale(x, 1.0); made = {call}; L.mean(made[0]).backward(); "
        "out = [v.gradient() for v in (x, h, *made)]"
        for name, call in {
            "split": "L.split(h, 2, dim=1)", "split/sections": "L.split(h, [1, 2, 3], dim=1)", "unstack": "L.unstack(h, 0)",
            "topk": "L.topk(h, 2)", "gru": "D.GRUUnit(6)(h, f('g', 4, 2))",
        }.items()
    },
    "unused/both": "x = f('x', 4, 6); a, b = L.split(x, 2, dim=1); L.mean(x).backward(); out = [a.gradient(), b.gradient()]",
    # memory that is shared with arrays
    **{
        f"memory/{name}": f"a = np.ones(2, 'float32'); v = {made}; a[0] = 5; out = v"
        for name, made in {
            "default": "D.to_variable(a)", "shared": "D.to_variable(a, zero_copy=True)", "copied": "D.to_variable(a, zero_copy=False)",
            "VarBase": "fluid.core.VarBase(a)", "VarBase/copied": "fluid.core.VarBase(value=a, place=fluid.CPUPlace(), zero_copy=False)",
            "VarBase/shared": "fluid.core.VarBase(value=a, place=fluid.CPUPlace(), zero_copy=True)",
        }.items()
    },
    "memory/turned": "a = np.arange(6.0).reshape(2, 3).T; v = D.to_variable(a); a[0] = 5; out = v",
    "memory/set": "a = np.ones(2, 'float32'); v = D.to_variable(a); v.set_value(np.zeros(2, 'float32')); out = [a.tolist(), v]",
    # sparse gradients
    "sparse/clear": (
        "t = D.Embedding([5, 2], is_sparse=True); L.reduce_sum(t(D.to_variable(np.array([[1], [3]])))).backward(); "
        "t.weight.clear_gradient(); out = [t.weight.gradient() is None, t.weight._grad_ivar() is None]"
    ),
    # values and parameters made by blocks
    "block/var": (
        "b = fluid.Program().current_block(); v = b.create_var(name='X', shape=[-1, 3], dtype='float32'); "
        "out = [type(v).__name__, v.name, str(v.dtype), v.stop_gradient, v.persistable, v.gradient() is None]"
    ),
    "block/op": (
        "b = fluid.default_main_program().global_block(); v = b.create_var(name='Y', dtype='float32'); "
        "b.append_op(type='scale', inputs={'X': f('x', 2)}, outputs={'Out': v}, attrs={'scale': 2.0}); out = [v, len(b.vars)]"
    ),
    "block/parameter": (
        "p = fluid.default_main_program().global_block().create_parameter(shape=[2], dtype='float32', name='p', "
        "initializer=fluid.initializer.Constant(2.0)); out = [type(p).__name__, p, p.name, p.persistable, p.trainable]"
    ),
    "parameter": (
        "p = fluid.framework.ParamBase([2, 3], 'float32', trainable=False, optimize_attr={'learning_rate': 0.5}); "
        "out = [p.shape, p.name, p.trainable, p.stop_gradient, p.persistable, p.optimize_attr['learning_rate'], str(p.dtype)]"
    ),
    **{
        f"parameter/{name}": f"fluid.framework.ParamBase({args})"
        for name, args in {"shape": "None, 'float32'", "dtype": "[2], None", "empty": "[], 'float32'", "unknown": "[-1], 'float32'"}.items()
    },
    "parameter/list": "D.ParameterList([3])", "parameter/list/append": "D.ParameterList().append(3)",
    # names of classes, modules that tests of Paddle import
    "classes": (
        "class Mine(D.Layer):\n    pass\n"
        "out = [type(c).__name__ for c in (Mine, fluid.core.VarBase, fluid.framework.ParamBase)] + [fluid.core.Layer().forward([])]"
    ),
    "helper": (
        _FROM.format("dygraph.layer_object_helper") + "H = m.LayerObjectHelper; h = H('test_0'); x = f('x', 2, 3, low=-1); "
        "out = [h.append_activation(x, act='hard_sigmoid'), h.append_activation(x), str(h.input_dtype([x, x])), "
        "len(list(h.iter_inputs_and_params([x, x])))]"
    ),
    "helper/dtypes": (
        _FROM.format("dygraph.layer_object_helper") + "out = str(m.LayerObjectHelper('test_0').input_dtype([f('x', 2), i('y', 2, high=3)]))"
    ),
    "utils": (
        _FROM.format("dygraph_utils") + "act, bias = m._append_activation_in_dygraph, m._append_bias_in_dygraph; "
        "x = f('x', 2, 3, low=-1); out = [act(x, act='sigmoid', use_cudnn=True), act(x, 'relu'), act(x), bias(x, f('b', 3), 1), bias(x)]"
    ),
    "utils/unknown": _FROM.format("dygraph_utils") + "m._append_activation_in_dygraph(f('x', 2), 'sig')",
    "children": (
        _FROM.format("multiprocess_utils") + "C = m.CleanupFuncRegistrar; end = lambda: None; "
        "before = len(C._registered_func_set); C.register(end); C.register(end); out = [len(C._registered_func_set) - before, m._cleanup()]"
    ),
    "children/wrong": _FROM.format("multiprocess_utils") + "m.CleanupFuncRegistrar.register(5)",
    # optimizers by their parts
    "optimizer/parts": (
        f"{_TRAINED}pairs = sgd.backward(loss); r = sgd.apply_optimize(loss, None, pairs); sgd.clear_gradients(); "
        "out = [len(pairs), r, fc.weight, fc.weight.gradient(), [g.stop_gradient for _, g in pairs]]"
    ),
    "optimizer/parameters": f"{_TRAINED}out = len(sgd.minimize(loss, parameter_list=[fc.weight])[1])",
    # wrong arguments of grad
    **{
        f"grad/{name}": f"x = f('x', 2, 3); y = L.relu(x); D.grad({args})"
        for name, args in {
            "outputs": "None, [x]", "inputs": "[y], None", "create": "[y], [x], create_graph=1", "only": "[y], [x], only_inputs=False",
            "start": "y, x, 'abc'", "starts": "[y], [x], [1]", "none": "[], [x]", "cut": "[y], [x], no_grad_vars=[3]",
        }.items()
    },
}  # fmt: skip


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """The one file."""

    def observed() -> Dict[str, Any]:
        import paddle.fluid as fluid

        return {name: dygraph_cases.observe(fluid, code) for name, code in CASES.items()}

    return {f"dygraph_units_{version}.json.gz": observed}


__all__: List[str] = ["CASES"]

"""Pieces of eager scripts of Paddle 1.8, and what they give: values, gradients, names, exceptions.

dygraph_1.8.5.json.gz: {case: [observations]}; a case is code that puts what is looked at into `out`.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import warnings
import zlib
from typing import Any, Callable, Dict, List

import numpy as np

WHEELS = ("1.8.5",)
SEED = 7
Plain = Any

_SCALARS = ("2", "2.5", "-3", "True")
_OPERATORS = {
    "add": "x + {0}", "radd": "{0} + x", "sub": "x - {0}", "rsub": "{0} - x", "mul": "x * {0}", "rmul": "{0} * x", "div": "x / {0}",
    "rdiv": "{0} / x", "floordiv": "x // {0}", "mod": "x % {0}", "pow": "x ** {0}", "rpow": "{0} ** x", "lt": "x < {0}",
    "le": "x <= {0}", "gt": "x > {0}", "ge": "x >= {0}", "eq": "x == {0}", "ne": "x != {0}",
}  # fmt: skip
_X = "x = D.to_variable(np.array([1, 2, 5, 7]).astype('{}'));"
_IMAGE, _VECTOR = "f('x', 2, 4, 5, 5)", "f('x', 3, 4)"

LAYERS = {
    "Linear": ("D.Linear(4, 3)", _VECTOR),
    "Linear/act": ("D.Linear(4, 3, act='tanh')", _VECTOR),
    "Linear/plain": ("D.Linear(4, 3, bias_attr=False)", "f('x', 2, 3, 4)"),
    "Linear/attr": ("D.Linear(4, 3, param_attr=fluid.initializer.Constant(0.5), bias_attr=fluid.ParamAttr(name='mine'))", _VECTOR),
    "Conv2D": ("D.Conv2D(4, 6, 3)", _IMAGE),
    "Conv2D/options": ("D.Conv2D(4, 6, [3, 2], stride=2, padding=[1, 2], dilation=1, groups=2, act='relu')", _IMAGE),
    "Conv2D/depthwise": ("D.Conv2D(4, 8, 3, groups=4, use_cudnn=False, bias_attr=False)", _IMAGE),
    "Conv3D": ("D.Conv3D(2, 3, 2, padding=1)", "f('x', 1, 2, 3, 4, 4)"),
    "Conv2DTranspose": ("D.Conv2DTranspose(4, 3, 2, stride=2)", _IMAGE),
    "Conv2DTranspose/size": ("D.Conv2DTranspose(4, 2, 3, output_size=[11, 12], stride=2, groups=2, act='sigmoid')", _IMAGE),
    "Conv3DTranspose": ("D.Conv3DTranspose(2, 3, 2, stride=2, bias_attr=False)", "f('x', 1, 2, 2, 3, 3)"),
    "Pool2D": ("D.Pool2D(2, 'max', 2)", _IMAGE),
    "Pool2D/avg": ("D.Pool2D(3, 'avg', 2, 1, ceil_mode=True, exclusive=False)", _IMAGE),
    "Pool2D/global": ("D.Pool2D(pool_type='avg', global_pooling=True)", _IMAGE),
    "BatchNorm": ("D.BatchNorm(4)", _IMAGE),
    "BatchNorm/act": ("D.BatchNorm(4, act='relu', momentum=0.5, epsilon=1e-3)", _IMAGE),
    "BatchNorm/global": ("D.BatchNorm(4, use_global_stats=True)", _IMAGE),
    "BatchNorm/names": ("D.BatchNorm(4, moving_mean_name='m', moving_variance_name='v')", _VECTOR),
    "Dropout": ("D.Dropout(0.4)", _VECTOR),
    "Dropout/seed": ("D.Dropout(0.4, seed=3, dropout_implementation='upscale_in_train')", _VECTOR),
    "LayerNorm": ("D.LayerNorm(4)", _VECTOR),
    "LayerNorm/act": ("D.LayerNorm([5, 5], scale=False, epsilon=1e-3, act='relu')", _IMAGE),
    "LayerNorm/noshift": ("D.LayerNorm([4, 5, 5], shift=False)", _IMAGE),
    "GroupNorm": ("D.GroupNorm(4, 2)", _IMAGE),
    "GroupNorm/attr": ("D.GroupNorm(4, 2, param_attr=fluid.ParamAttr(), bias_attr=fluid.ParamAttr(), act='tanh')", _IMAGE),
    "InstanceNorm": ("D.InstanceNorm(4)", _IMAGE),
    "SpectralNorm": ("D.SpectralNorm([4, 6], power_iters=2)", "f('x', 4, 6)"),
    "SpectralNorm/dim": ("D.SpectralNorm([3, 4, 2], dim=1, power_iters=3)", "f('x', 3, 4, 2)"),
    "Embedding": ("D.Embedding([10, 4])", "i('x', 3, 2, high=10)"),
    "Embedding/padding": ("D.Embedding([10, 4], padding_idx=-9)", "i('x', 3, 2, high=3)"),
    "Embedding/sparse": ("D.Embedding([10, 4], is_sparse=True)", "i('x', 3, 1, high=10)"),
    "PRelu": ("D.PRelu('all')", _IMAGE),
    "PRelu/channel": ("D.PRelu('channel', channel=4, param_attr=fluid.initializer.Constant(0.2))", _IMAGE),
    "PRelu/element": ("D.PRelu('element', input_shape=[2, 4, 5, 5], param_attr=fluid.initializer.Constant(0.2))", _IMAGE),
    "BilinearTensorProduct": ("D.BilinearTensorProduct(4, 5, 3)", "f('x', 2, 4), f('y', 2, 5)"),
    "BilinearTensorProduct/act": ("D.BilinearTensorProduct(4, 5, 3, act='relu', bias_attr=False)", "f('x', 2, 4), f('y', 2, 5)"),
    "GRUUnit": ("D.GRUUnit(12)", "f('x', 3, 12), f('y', 3, 4)"),
    "GRUUnit/options": ("D.GRUUnit(12, activation='relu', origin_mode=True, bias_attr=False)", "f('x', 3, 12), f('y', 3, 4)"),
    "NCE": ("D.NCE(20, 4, seed=5)", "f('x', 3, 4), i('y', 3, 1, high=20)"),
    "NCE/options": (
        "D.NCE(6, 4, num_neg_samples=3, sampler='custom_dist', custom_dist=[0.1, 0.1, 0.2, 0.2, 0.3, 0.1], seed=5, "
        "bias_attr=fluid.ParamAttr())",
        "f('x', 3, 4), i('y', 3, 1, high=6)",
    ),
    "NCE/log": ("D.NCE(20, 4, sampler='log_uniform', seed=5)", "f('x', 3, 4), i('y', 3, 1, high=20)"),
    **{
        f"{name}/{reduction}": (f"D.{name}(reduction='{reduction}')", arguments)
        for name, arguments in {
            "BCELoss": "f('x', 3, 4, low=0.1), i('y', 3, 4).astype('float32')",
            "L1Loss": "f('x', 3, 4), f('y', 3, 4)",
            "MSELoss": "f('x', 3, 4), f('y', 3, 4)",
            "NLLLoss": "f('x', 3, 4), i('y', 3, high=4)",
        }.items()
        for reduction in ("mean", "sum", "none")
    },
    "BCELoss/weight": ("D.BCELoss(weight=f('w', 3, 4, low=0.1, grad=False))", "f('x', 3, 4, low=0.1), i('y', 3, 4).astype('float32')"),
    "NLLLoss/weight": ("D.NLLLoss(weight=f('w', 4, low=0.1, grad=False), ignore_index=1)", "f('x', 3, 4), i('y', 3, high=4)"),
    "NLLLoss/image": ("D.NLLLoss()", "f('x', 2, 4, 3, 3), i('y', 2, 3, 3, high=4)"),
    "NLLLoss/rank3": ("D.NLLLoss(reduction='none')", "f('x', 2, 4, 3), i('y', 2, 3, high=4)"),
    "Sequential": ("D.Sequential(D.Linear(4, 3, act='relu'), D.Linear(3, 2))", _VECTOR),
}

_RATES = {
    "NoamDecay": "0.01, 4",
    "NoamDecay/options": "512, 3, begin=2, step=2, learning_rate=2.0",
    "PiecewiseDecay": "[2, 4], [1.0, 0.5, 0.1], 0",
    "PiecewiseDecay/options": "[2, 4], [1.0, 0.5, 0.1], begin=1, step=2",
    "NaturalExpDecay": "0.1, 3, 0.5",
    "NaturalExpDecay/stairs": "0.1, 3, 0.5, staircase=True",
    "ExponentialDecay": "0.1, 3, 0.5",
    "ExponentialDecay/stairs": "0.1, 3, 0.5, True",
    "InverseTimeDecay": "0.1, 3, 0.5",
    "InverseTimeDecay/stairs": "0.1, 3, 0.5, True",
    "PolynomialDecay": "0.1, 3, 0.01, 2.0",
    "PolynomialDecay/cycle": "0.1, 3, 0.01, 1.0, cycle=True",
    "CosineDecay": "0.1, 2, 4",
    "LinearLrWarmup": "0.1, 4, 0.0, 0.2",
    "LinearLrWarmup/decay": "D.PiecewiseDecay([2, 6], [1.0, 0.5, 0.1], 0), 3, 0.0, 0.2",
    "StepDecay": "0.5, 3",
    "MultiStepDecay": "0.5, [2, 4]",
    "LambdaDecay": "0.5, lambda epoch: 0.9 ** epoch",
}
_OPTIMIZERS = {
    "SGD": "SGD(0.1, parameter_list=p)",
    "SGD/decay": "SGD(0.1, parameter_list=p, regularization=fluid.regularizer.L2Decay(0.1))",
    "SGD/l1": "SGD(0.1, parameter_list=p, regularization=fluid.regularizer.L1Decay(0.01))",
    "SGD/value": "SGD(0.1, parameter_list=p, grad_clip=fluid.clip.GradientClipByValue(0.1))",
    "SGD/norm": "SGD(0.1, parameter_list=p, grad_clip=fluid.clip.GradientClipByNorm(0.1))",
    "SGD/global": "SGD(0.1, parameter_list=p, grad_clip=fluid.clip.GradientClipByGlobalNorm(0.1))",
    "SGD/piecewise": "SGD(D.PiecewiseDecay([3, 7], [0.3, 0.1, 0.01], 0), parameter_list=p)",
    "Momentum": "Momentum(0.1, 0.9, parameter_list=p)",
    "Momentum/nesterov": "Momentum(0.1, 0.9, parameter_list=p, use_nesterov=True)",
    "LarsMomentum": "LarsMomentum(0.1, 0.9, parameter_list=p)",
    "Adagrad": "Adagrad(0.1, parameter_list=p)",
    "Adam": "Adam(0.05, parameter_list=p)",
    "Adam/noam": "Adam(D.NoamDecay(4, 5), parameter_list=p, beta1=0.8, beta2=0.95, epsilon=1e-6)",
    "Adamax": "Adamax(0.05, parameter_list=p)",
    "DecayedAdagrad": "DecayedAdagrad(0.05, parameter_list=p)",
    "Adadelta": "Adadelta(0.05, parameter_list=p)",
    "RMSProp": "RMSProp(0.02, parameter_list=p)",
    "RMSProp/centered": "RMSProp(0.02, parameter_list=p, centered=True, momentum=0.5)",
    "Ftrl": "Ftrl(0.05, parameter_list=p)",
    "Lamb": "LambOptimizer(0.02, parameter_list=p)",
}

CASES = {
    **{
        f"operator/{dtype}/{name}/{scalar}": _X.format(dtype) + f" out = {code.format(scalar)}"
        for dtype in ("int32", "int64", "float32", "float64")
        for name, code in _OPERATORS.items()
        for scalar in _SCALARS
        if not (name.startswith("r") and scalar == "True") and not (name in ("rpow", "pow") and scalar == "-3" and dtype[0] == "i")
    },
    **{
        f"operator/pair/{dtype}/{name}": _X.format(dtype)
        + f" y = D.to_variable(np.array([2, 2, 3, 7]).astype('{dtype}')); out = {code.format('y')}"
        for dtype in ("int64", "float32")
        for name, code in _OPERATORS.items()
        if not name.startswith("r")
    },
    "operator/mixed": _X.format("int64") + " out = x + D.to_variable(np.ones(4, 'float32'))",
    "operator/array": _X.format("float32") + " out = x + np.array([2.0])",
    "operator/broadcast": "out = f('x', 3, 4) * f('y', 4)",
    "operator/neg": "out = -f('x', 3, 4)",
    **{
        f"index/{name}": f"x = f('x', 3, 4, 5); out = x[{index}]"
        for name, index in {
            "int": "1", "ints": "1, 2", "all": "1, 2, 3", "negative": "-1", "slice": "1:", "slices": "0:2, :, 1:4", "mixed": "1, :, 2:3",
            "step": "::2", "steps": ":, 1:4:2", "turned": "::-1", "backwards": ":, 3:1:-1", "beyond": "0:10", "behind": "3", "empty": "1:1",
            "none": "None", "ellipsis": "...", "list": "[0, 1]", "many": "0, 0, 0, 0", "string": "'a'", "full": ":",
        }.items()
    },
    "index/gradient": (
        "x = f('x', 3, 4); (x[1] * x[0:2, 1]).backward() if False else L.reduce_sum(x[1] * x[2]).backward(); "
        "out = x.gradient()"
    ),
    "value/text": "x = D.to_variable(np.array([[1.5, -2e-8, 1 / 3.0], [1e10, 7, 123456.7]], 'float32')); out = [str(x), x.to_string(True)]",
    "value/text/int": "out = str(D.to_variable(np.arange(4)))",
    "value/text/bool": "out = str(D.to_variable(np.array([True, False])))",
    "value/text/scalar": "out = str(D.to_variable(np.array(3.0)))",
    "value/text/empty": "out = str(D.Layer('mine').create_variable('state'))",
    "value/text/parameter": "out = str(L.create_parameter([2, 3], 'float32'))",
    "value/names": (
        "x = f('x', 2, 4); fc, drop = D.Linear(4, 3), D.Dropout(0.5); y = fc(x); z = L.reshape(drop(y), [-1]); "
        "out = [v.name for v in (x, fc.weight, fc.bias, y, z, z * 2, L.mean(z), x.detach(), D.to_variable(np.ones(1)))]"
    ),
    "value/members": (
        "x = f('x', 2, 4); out = [x.shape, str(x.dtype), x.stop_gradient, x.persistable, len(x), x.gradient() is None, "
        "str(x.type)]"
    ),
    "value/bool": "out = [bool(D.to_variable(np.array([n]))) for n in (0, 0.5, True)]",
    "value/bool/many": "out = bool(D.to_variable(np.ones(2)))",
    "value/float": (
        "out = [float(D.to_variable(np.array([2]))), int(D.to_variable(np.array([2.7]))), "
        "list(range(D.to_variable(np.array([2]))))]"
    ),
    "value/float/many": "out = float(D.to_variable(np.ones(2)))",
    "value/astype": "out = [f('x', 2, 2).astype(t) for t in ('int64', 'float64', 'bool', np.int32)]",
    "value/detach": "x = f('x', 2); y = x.detach(); out = [y, (y * 2).stop_gradient, y.name]",
    "value/set": "x = f('x', 2); x.set_value(np.array([3, 4], 'float32')); y = f('y', 2); y.set_value(x); out = [x, y]",
    **{
        f"value/set/{name}": f"f('x', 2).set_value({value})"
        for name, value in {"shape": "np.ones(3, 'float32')", "dtype": "np.ones(2)", "number": "1", "list": "[1.0, 2.0]"}.items()
    },
    "value/assign": "f('x', 2)[0] = 1.0",
    "value/missing": "f('x', 2).zork",
    "value/tensor": (
        "x = f('x', 2); t = x.value().get_tensor(); t.set(np.array([5, 6], 'float32'), fluid.CPUPlace()); "
        "out = [x, np.array(t)]"
    ),
    "value/pow": "x = f('x', 3, low=0.5); out = [x ** 2, 2 ** x, x ** x, L.pow(x, 3.0)]",
    **{
        f"to_variable/{name}": f"out = D.to_variable({value})"
        for name, value in {
            "list": "[1, 2]", "number": "1.0", "numpy number": "np.float32(1)", "none": "None", "text": "np.array(['a'])",
            "scalar": "np.array(3.0)", "named": "np.ones(2), name='mine'", "int8": "np.ones(2, 'int8')", "float16": "np.ones(2, 'float16')",
        }.items()
    },
    "backward": (
        "x = f('x', 2, 3); y = x * x; z = L.reduce_sum(y); z.backward(); out = [x.gradient(), y.gradient(), z.gradient(), z.shape]"
    ),
    "backward/whole": "x = f('x', 2, 3); y = x * x; y.backward(); out = [x.gradient(), y.gradient()]",
    "backward/again": "x = f('x', 2, 3); y = L.mean(x * x); y.backward(); y.backward(); out = x.gradient()",
    "backward/twice": "x = f('x', 2, 3); L.mean(x * x).backward(); L.mean(x * x).backward(); out = x.gradient()",
    "backward/shared": "x = f('x', 2, 3); y = x * x; a = L.mean(y * 2); b = L.mean(y * 3); a.backward(); b.backward()",
    "backward/stopped": "x = f('x', 2, 3, grad=False); y = L.mean(x * x); y.backward(); out = [x.gradient() is None, y.stop_gradient]",
    "backward/clear": "x = f('x', 2, 3); L.mean(x * x).backward(); x.clear_gradient(); out = x.gradient()",
    "backward/strategy": (
        "x = f('x', 2, 3); s = D.BackwardStrategy(); s.sort_sum_gradient = True; L.mean(x * x + x).backward(s); out = x.gradient()"
    ),
    "backward/strategy/wrong": "x = f('x', 2, 3); L.mean(x * x).backward(3)",
    "backward/no_grad": (
        "x = f('x', 2, 3)\n"
        "with D.no_grad():\n    y = x * 2\n"
        "@D.no_grad\ndef double(v):\n    return v * 2\n"
        "z = double(x); out = [y.stop_gradient, z.stop_gradient, (x * 2).stop_gradient]"
    ),
    "backward/sparse": (
        "t = D.Embedding([5, 2], is_sparse=True); L.reduce_sum(t(D.to_variable(np.array([[1], [3], [1]])))).backward(); "
        "g = t.weight.gradient(); out = [len(g), sorted(g[1].tolist())]"
    ),
    "grad": "x = f('x', 2, 3); y = x * x; out = D.grad(y, x)",
    "grad/several": "x, y = f('x', 2, 3), f('y', 2, 3); out = D.grad([x * y, x * x], [x, y])",
    "grad/outputs": "x = f('x', 2, 3); out = D.grad([x * x], [x], grad_outputs=[f('g', 2, 3, grad=False)])",
    "grad/second": (
        "x = f('x', 2, 3); g = D.grad(x * x * x, x, create_graph=True)[0]; L.reduce_sum(g * g).backward(); "
        "out = [g, x.gradient()]"
    ),
    **{
        f"grad/onward/{name}": (
            f"x, y, z = f('x', 2, 2), f('y', 2, 2), f('z', 2, 2); g = D.grad({made}, x, create_graph=True)[0]\n"
            "out = [v is not None and v for v in D.grad(g, [x, y, z], allow_unused=True, retain_graph=True)]\n"
            "g.backward(); out += [v.gradient() is not None and v.gradient() for v in (x, y, z)]"
        )
        for name, made in {
            "multiply": "x * y", "divide": "x / y", "of_sum": "(x + z) * y", "mul": "L.mul(x, y)", "constant": "x * y.detach()",
            "bias": "(L.mul(x, y) + z) * z", "add": "x + y", "relu": "L.relu(x) * y",
        }.items()
    },
    "grad/unused": "x, y = f('x', 2, 3), f('y', 2, 3); D.grad(x * x, y)",
    "grad/allowed": "x, y = f('x', 2, 3), f('y', 2, 3); out = [g is None for g in D.grad(x * x, [x, y], allow_unused=True)]",
    "grad/stopped": "x, y = f('x', 2, 3), f('y', 2, 3, grad=False); D.grad(x * y, y)",
    "grad/kept": "x = f('x', 2, 3); D.grad(x * x, x); out = x.gradient() is None",
    "grad/cut": "x = f('x', 2, 3); y = x * x; z = y * x; out = D.grad(z, x, no_grad_vars=[y])",
    "mode": "out = [fluid.in_dygraph_mode(), D.enabled(), fluid.default_main_program().random_seed]",
    "mode/eval": (
        "x, fc, drop = f('x', 2, 4), D.Linear(4, 3), D.Dropout(0.5); fc.eval(); a = [fc(x).stop_gradient, L.dropout(x, 0.5)]; "
        "b = drop(x); drop.eval(); c = drop(x); fc.train(); out = a + [b, c, fc(x).stop_gradient, fc.training]"
    ),
    "mode/no_grad": "x = f('x', 2, 4)\nwith D.no_grad():\n    out = L.dropout(x, 0.5)",
    "mode/norm": (
        "x, n = f('x', 3, 4), D.BatchNorm(4); n(x); n.eval(); out = [n(x), n._mean, n._variance, "
        "[p.stop_gradient for p in n.parameters()]]"
    ),
    **{
        f"layer/{name}": (
            f"layer = {made}; inputs = [{inputs}]; y = layer(*inputs); y = y if isinstance(y, tuple) else (y,); "
            "total = L.reduce_sum(y[0] * y[0] * y[0]); total.backward(); "
            "out = [y[0], [v.numpy() for v in y[1:]], layer.full_name(), [[k, p.name, p.stop_gradient, p.numpy()] for k, p in "
            "layer.named_parameters()], "
            "[p.gradient() for p in layer.parameters() if not p.stop_gradient], "
            "[x.gradient() for x in inputs if not x.stop_gradient]]"
        )
        for name, (made, inputs) in LAYERS.items()
    },
    **{
        f"wrong/{name}": code
        for name, code in {
            "Linear": "D.Linear(4, 3)(f('x', 3, 5))", "Conv2D": "D.Conv2D(3, 4, 3)(f('x', 2, 4, 5, 5))",
            "Conv2D/groups": "D.Conv2D(3, 4, 3, groups=2)", "Conv2D/attr": "D.Conv2D(3, 4, 3, param_attr=False)",
            "Pool2D/type": "D.Pool2D(2, 'min')", "Pool2D/size": "D.Pool2D()", "BatchNorm/bias": "D.BatchNorm(3, bias_attr=False)",
            "Dropout/p": "D.Dropout(2.0)", "Dropout/way": "D.Dropout(0.5, dropout_implementation='up')",
            "LayerNorm/shape": "D.LayerNorm(3)(f('x', 2, 4))", "LayerNorm/attr": "D.LayerNorm(3, param_attr=False)",
            "GroupNorm/layout": "D.GroupNorm(4, 2, data_layout='NHWC')", "InstanceNorm/bias": "D.InstanceNorm(3, bias_attr=False)",
            "PRelu/mode": "D.PRelu('some')", "PRelu/channel": "D.PRelu('channel')", "PRelu/element": "D.PRelu('element')",
            "NCE/sampler": "D.NCE(5, 3, sampler='some')", "NCE/dist": "D.NCE(5, 3, sampler='custom_dist')",
            "GRUUnit/act": "D.GRUUnit(6, activation='some')", "BCELoss": "D.BCELoss(reduction='some')",
            "NLLLoss/run": "D.NLLLoss(reduction='some')(f('x', 3, 4), i('y', 3, high=4))", "L1Loss": "D.L1Loss(reduction='some')",
            "MSELoss": "D.MSELoss(reduction='some')", "NLLLoss": "D.NLLLoss(reduction='some')",
            "forward": "D.Layer()(1)", "backward": "D.Layer().backward()", "sublayer": "D.Layer().add_sublayer('a', 3)",
            "parameter": "D.Layer().add_parameter('a', 3)", "parameter/shape": "D.Layer().create_parameter([2, -1])",
            "parameter/dtype": "D.Layer().create_parameter([2], dtype='int32')", "attribute": "D.Layer().zork",
            "parameter/name": "n = D.Layer(); [n.create_parameter([2], fluid.ParamAttr(name='a')) for _ in range(2)]",
            "assign/parameter": "n = D.Linear(2, 2); n.weight = 3",
            "assign/sublayer": "n = D.Sequential(D.Linear(2, 2)); setattr(n, '0', 3)",
            "LayerList/insert": "D.LayerList([D.Linear(1, 1)]).insert(5, D.Linear(1, 1))",
            "LayerList/item": "D.LayerList([D.Linear(1, 1)])[3]",
            "LayerList/made": "D.LayerList([3])", "Sequential/made": "D.Sequential(3)",
            "Sequential/item": "D.Sequential(D.Linear(1, 1))[3]",
            "optimizer": "fluid.optimizer.SGD(0.1)", "optimizer/rate": "fluid.optimizer.SGD('a', parameter_list=[])",
            "minimize": "fluid.optimizer.SGD(0.1, parameter_list=D.Linear(1, 1).parameters()).minimize(3)",
            "StepDecay/size": "D.StepDecay(0.5, 'a')", "StepDecay/rate": "D.StepDecay(0.5, 3, 2.0)", "StepDecay/lr": "D.StepDecay('s', 3)",
            "MultiStepDecay": "D.MultiStepDecay(0.5, 3)", "MultiStepDecay/order": "D.MultiStepDecay(0.5, [4, 2])",
            "LambdaDecay": "D.LambdaDecay(0.5, 3)", "LinearLrWarmup": "D.LinearLrWarmup('a', 3, 0.0, 1.0)",
            "LinearLrWarmup/order": "D.LinearLrWarmup(0.1, 3, 1.0, 0.0)", "ReduceLROnPlateau": "D.ReduceLROnPlateau(1.0, 'some')",
            "ReduceLROnPlateau/rate": "D.ReduceLROnPlateau(1.0, decay_rate=2.0)",
            "ReduceLROnPlateau/loss": "D.ReduceLROnPlateau(1.0).step(f('x', 2))", "rate/state": "D.NoamDecay(1, 4).set_dict({})",
            "save/empty": "fluid.save_dygraph({}, folder + '/a')",
            "save/name": "fluid.save_dygraph(D.Linear(1, 1).state_dict(), folder + '/')",
            "load": "fluid.load_dygraph(folder + '/nothing')",
        }.items()
    },
    "tree/names": (
        "class Net(D.Layer):\n"
        "    def __init__(self, scope=None):\n"
        "        super(Net, self).__init__(scope)\n"
        "        self.fc, self.norm, self.drop = D.Linear(4, 3), D.BatchNorm(3), D.Dropout(0.5)\n"
        "        self.seq = D.Sequential(('0', D.Linear(3, 2)), ('b', D.Linear(2, 1)))\n"
        "        self.w = self.create_parameter([2, 2])\n"
        "        self.state = self.create_variable('state', persistable=True)\n"
        "n = Net()\n"
        "out = [n.full_name(), Net('abc').full_name(), Net('a/b').full_name(), [p.name for p in n.parameters()], n.state.name,\n"
        "    [k for k, _ in n.named_parameters()], [k for k, _ in n.named_parameters('pre')], list(n.state_dict()),\n"
        "    [k for k, _ in n.named_sublayers()], [k for k, _ in n.named_sublayers('p', include_self=True)], len(n.sublayers()),\n"
        "    list(n.state_dict(structured_name_prefix='q.')), list(n.state_dict(include_sublayers=False)),\n"
        "    [p.name for p in n.parameters(include_sublayers=False)], len(n.sublayers(include_sublayers=False))]"
    ),
    "tree/hooks": (
        "fc, seen = D.Linear(2, 2), []; a = fc.register_forward_pre_hook(lambda l, x: seen.append(len(x)))\n"
        "b = fc.register_forward_post_hook(lambda l, x, y: seen.append(y.shape)); fc(f('x', 3, 2)); a.remove(); b.remove()\n"
        "fc(f('x', 3, 2)); out = seen"
    ),
    "tree/hooks/change": (
        "fc = D.Linear(2, 2); fc.register_forward_pre_hook(lambda l, x: (x[0] * 2,)); "
        "fc.register_forward_post_hook(lambda l, x, y: y + 1); out = fc(f('x', 3, 2))"
    ),
    "tree/lists": (
        "n = D.LayerList([D.Linear(1, 1) for _ in range(3)]); n.append(D.Linear(1, 1)); n.insert(0, D.Linear(1, 1))\n"
        "n.extend([D.Linear(1, 1)]); a = [l.full_name() for l in n]; del n[0]; n[1] = D.Linear(1, 1)\n"
        "out = [a, [l.full_name() for l in n], list(n._sub_layers), len(n), [l.full_name() for l in n[0:2]]]"
    ),
    "tree/sequential": (
        "n = D.Sequential(D.Linear(1, 1), D.Linear(1, 1)); n[0] = D.Linear(1, 1); n['c'] = D.Linear(1, 1); del n['1']\n"
        "out = [len(n), list(n._sub_layers), n[0].full_name(), n['c'].full_name()]"
    ),
    "tree/parameters": (
        "n = D.Layer('mine'); p = D.ParameterList([n.create_parameter([1]) for _ in range(2)]); p.append(n.create_parameter([3]))\n"
        "out = [len(p), [q.name for q in p], p[2].shape, list(p.state_dict())]"
    ),
    "tree/trainable": (
        "n = D.Layer('mine'); p = n.create_parameter([2], fluid.ParamAttr(trainable=False, learning_rate=0.5)); "
        "out = [p.trainable, p.stop_gradient, p.optimize_attr, p.persistable, type(p).__name__, p.is_distributed]"
    ),
    "state/set": (
        "a, b = D.Linear(2, 2), D.Linear(2, 2, param_attr=fluid.initializer.Constant(3.0)); b.set_dict(a.state_dict()); "
        "b.load_dict({k: v.numpy() for k, v in a.state_dict().items()}); out = [a.weight, b.weight]"
    ),
    "state/names": (
        "a = D.Linear(2, 2); a.set_dict({'linear_0.w_0': np.ones([2, 2], 'float32'), 'linear_0.b_0': np.ones([2], 'float32')}, "
        "use_structured_name=False); out = [a.weight, a.bias]"
    ),
    **{
        f"state/{name}": f"a = D.Linear(2, 2); s = dict(a.state_dict()); {change}; a.set_dict(s)"
        for name, change in {
            "missing": "del s['bias']", "shape": "s['bias'] = np.ones([3], 'float32')", "dtype": "s['bias'] = np.ones([2])",
        }.items()
    },
    "state/extra": (
        "import warnings\na = D.Linear(2, 2); s = dict(a.state_dict()); s['more'] = s['bias']\n"
        "with warnings.catch_warnings(record=True) as w:\n"
        "    warnings.simplefilter('always'); a.set_dict(s)\n"
        "out = ['more' in str(w[-1].message)]"
    ),
    **{
        f"rate/{name}": (
            f"r = D.{name.split('/')[0]}({arguments}); fc = D.Linear(2, 1); "
            f"o = fluid.optimizer.SGD(r, parameter_list=fc.parameters()); seen = []\n"
            "for _ in range(9):\n"
            "    seen.append(float(o.current_step_lr())); y = L.mean(fc(f('x', 3, 2))); y.backward(); o.minimize(y); fc.clear_gradients()\n"
            "s = o.state_dict(); out = [seen, s['LR_Scheduler'], s.get('global_step'), fc.weight]"
        )
        for name, arguments in _RATES.items()
    },
    **{
        f"epochs/{name}": f"r = D.{name}({arguments}); out = []\nfor _ in range(7):\n    out.append(r()); "
        f"r.epoch()\nr.epoch(2); out += [r(), r.state_dict()]"
        for name, arguments in _RATES.items()
        if name in ("StepDecay", "MultiStepDecay", "LambdaDecay")
    },
    "epochs/ReduceLROnPlateau": (
        "r = D.ReduceLROnPlateau(1.0, 'min', 0.5, 1, True, cooldown=1, min_lr=0.1); out = []\n"
        "for n in (1, 2, 2, 2, 2, 2, 0.5, 3, 3, 3, 3, 3):\n    r.step(D.to_variable(np.array([n], 'float32'))); out.append(r())\n"
        "out.append(r.state_dict())"
    ),
    "epochs/ReduceLROnPlateau/max": (
        "r = D.ReduceLROnPlateau(1.0, 'max', 0.5, 0, threshold=0.1, threshold_mode='abs'); out = []\n"
        "for n in (1, 1.05, 1.2, 1.2, 2):\n    r.step(D.to_variable(np.array([n], 'float32'))); out.append(r())"
    ),
    **{
        f"optimizer/{name}": (
            "a, b = D.Linear(4, 5, act='tanh', param_attr=fluid.ParamAttr(learning_rate=0.5)), D.Linear(5, 1)\n"
            f"p = a.parameters() + b.parameters(); o = fluid.optimizer.{code}; seen = []\n"
            "for step in range(20):\n"
            "    x = f('x%d' % step, 6, 4, grad=False); y = L.mean(L.square(b(a(x)) - L.reduce_sum(x, 1, True))); y.backward()\n"
            "    o.minimize(y); seen.append(y); a.clear_gradients(); o.clear_gradients()\n"
            "s = o.state_dict(); out = [seen, [[q.name, q] for q in p], [[k, s[k]] for k in sorted(s) if k != 'LR_Scheduler']]"
        )
        for name, code in _OPTIMIZERS.items()
    },
    "optimizer/minimize": (
        "a = D.Linear(2, 1); o = fluid.optimizer.SGD(0.1, parameter_list=a.parameters()); y = L.mean(a(f('x', 3, 2))); y.backward()\n"
        "ops, pairs = o.minimize(y); out = [ops, [[p.name, g.shape] for p, g in pairs]]"
    ),
    "optimizer/untrained": (
        "a = D.Linear(2, 1, param_attr=fluid.ParamAttr(trainable=False)); w = a.weight.numpy()\n"
        "o = fluid.optimizer.SGD(0.1, parameter_list=a.parameters()); y = L.mean(a(f('x', 3, 2))); y.backward(); o.minimize(y)\n"
        "out = [bool((w == a.weight.numpy()).all()), a.weight.gradient(), a.bias]"
    ),
    "optimizer/state": (
        "a = D.Linear(2, 1); o = fluid.optimizer.Adam(D.NoamDecay(4, 3), parameter_list=a.parameters())\n"
        "def step(o):\n    y = L.mean(L.square(a(f('x', 3, 2)))); y.backward(); o.minimize(y); a.clear_gradients(); return y\n"
        "step(o); s = {k: v if k == 'LR_Scheduler' else v.numpy() for k, v in o.state_dict().items()}; names = list(s); "
        "w = a.weight.numpy()\n"
        "y1 = step(o); a.weight.set_value(w); q = fluid.optimizer.Adam(D.NoamDecay(4, 3), parameter_list=a.parameters()); q.set_dict(s)\n"
        "out = [names, y1, step(q), a.weight]"
    ),
    "files": (
        "a = D.Linear(2, 1); o = fluid.optimizer.Momentum(0.1, 0.9, parameter_list=a.parameters()); y = L.mean(a(f('x', 3, 2)))\n"
        "y.backward(); o.minimize(y); fluid.save_dygraph(a.state_dict(), folder + '/m'); "
        "fluid.save_dygraph(o.state_dict(), folder + '/m')\n"
        "p, s = fluid.load_dygraph(folder + '/m'); q = fluid.load_dygraph(folder + '/m.pdparams', keep_name_table=True)[0]\n"
        "out = [sorted(os.listdir(folder)), p, s, q]"
    ),
    "files/kinds": (
        "a = D.Linear(2, 1); fluid.save_dygraph({'a': a.weight * 2}, folder + '/t'); "
        "fluid.save_dygraph({'a': a.weight, 'n': 3}, folder + '/u')\n"
        "fluid.save_dygraph({'n': 3}, folder + '/v'); fluid.save_dygraph(a.state_dict(), folder + '/deep/w'); "
        "out = [sorted(os.listdir(folder)), fluid.load_dygraph(folder + '/u')]"
    ),
    "parallel": (
        "s = D.prepare_context(); n = D.DataParallel(D.Linear(2, 1), s); y = L.mean(n(f('x', 3, 2))); z = n.scale_loss(y); z.backward()\n"
        "n.apply_collective_grads(); e = D.ParallelEnv(); out = [list(n.state_dict()), n._layers.weight.gradient(), e.nranks, "
        "e.local_rank, "
        "e.dev_id, e.current_endpoint, [p.name for p in n.parameters()], z is y]"
    ),
    "helper": (
        "class Mine(D.Layer):\n"
        "    def forward(self, x):\n"
        "        out = self._helper.create_variable_for_type_inference(x.dtype)\n"
        "        self._helper.append_op(type='relu', inputs={'X': [x]}, outputs={'Out': [out]}, attrs={})\n"
        "        return self._helper.append_activation(out)\n"
        "x = f('x', 3, 2); y = Mine()(x); L.reduce_sum(y).backward(); out = [y, x.gradient(), y.gradient()]"
    ),
    "tracer": (
        "t = fluid.framework._dygraph_tracer(); x, y = f('x', 3, 2), fluid.core.VarBase(fluid.core.VarDesc.VarType.FP32, [], "
        "'y', fluid.core.VarDesc.VarType.LOD_TENSOR, False); "
        "t.trace_op('scale', {'X': [x]}, {'Out': [y]}, {'scale': 2.0}); out = [y]"
    ),
    "layer/Conv3DTranspose/bias": (
        "n = D.Conv3DTranspose(2, 3, 2, bias_attr=fluid.initializer.Constant(0.5)); y = n(f('x', 1, 2, 2, 3, 3)); y.backward(); "
        "out = [y, n.bias.gradient()]"
    ),
    "layer/Conv3DTranspose/default bias": (
        "n = D.Conv3DTranspose(2, 3, 2); n.bias.set_value(np.ones([3], 'float32')); y = n(f('x', 1, 2, 2, 3, 3)); y.backward(); "
        "out = [y, n.bias, n.weight.gradient()]"
    ),
    **{
        f"function/{name}": f"x = f('x', 2, 3); one = lambda v, t='float32': L.fill_constant([1], t, v); out = {code}"
        for name, code in {
            "instances": "[isinstance(x, fluid.Variable), isinstance(D.Linear(1, 1).weight, fluid.framework.Parameter), "
            "isinstance(x, fluid.framework.Parameter), isinstance(3, fluid.Variable)]",
            "while_loop": "L.while_loop(lambda i, y: L.less_than(i, one(3, 'int64')), lambda i, y: [i + 1, y * 2], [one(0, 'int64'), x])",
            "cond": "[L.cond(L.less_than(one(a), one(b)), lambda: x + 1, lambda: x - 1) for a, b in ((1, 2), (2, 1))]",
            "case": "L.case([(L.less_than(one(3), one(2)), lambda: x + 1)], lambda: x - 1)",
            "switch_case": "L.switch_case(one(1, 'int64'), {0: lambda: x, 1: lambda: x * 2})",
            "arrays": "[L.array_read(L.array_write(x, one(0, 'int64')), one(0, 'int64')), "
            "L.array_length(L.array_write(x, one(0, 'int64')))]",
            "increment": "[L.increment(one(0)), L.increment(one(2), 3.0, in_place=False)]",
            "is_empty": "L.is_empty(x)",
            "assign": "[L.assign(np.ones((2, 2), 'float32')), L.assign(x), L.assign(x, L.create_tensor('float32'))]",
            "filled": "[L.create_global_var([1], 2.0, 'float32'), L.range(0, 5, 1, 'int64'), L.linspace(0, 1, 3, 'float32'), L.eye(2)]",
            "nets": "[fluid.nets.glu(f('y', 2, 4)), fluid.nets.scaled_dot_product_attention(*[f(n, 1, 2, 4) for n in 'qkv'])]",
            "lookups": "[fluid.embedding(i('n', 2, 1, high=3), [3, 2], param_attr=fluid.initializer.Constant(1.0)), "
            "fluid.one_hot(i('n', 2), 3)]",
            "fc": "L.fc(x, 2, act='relu')",
            "lstm_unit": "L.lstm_unit(x, f('h', 2, 4), f('c', 2, 4), forget_bias=1.0)",
            "gru_unit": "L.gru_unit(f('y', 2, 9), x, 9)[0]",
            "distributions": "[L.Normal(0.0, 1.0).entropy(), L.Categorical(x).entropy(), L.Uniform(0.0, 2.0).log_prob(one(1.0))]",
            "rates": "[type(r).__name__ for r in (L.noam_decay(4, 4), L.piecewise_decay([1], [1.0, 0.5]), L.cosine_decay(0.1, 2, 3), "
            "L.linear_lr_warmup(0.1, 2, 0.0, 0.1), L.exponential_decay(0.1, 2, 0.5), L.natural_exp_decay(0.1, 2, 0.5), "
            "L.inverse_time_decay(0.1, 2, 0.5), L.polynomial_decay(0.1, 2))]",
            "sequence_mask": "[L.sequence_mask(i('n', 3, high=4), maxlen=5, dtype='float32'), L.sequence_mask(i('n', 3, high=4))]",
            "iteration": "[[row for row in x], sum([x, x]), len(x)]",
            "logic": "[L.logical_and(x > 0.1, x < 0.5), (1 - (x > 0).astype('float32')).numpy(), L.reduce_any(x > 5)]",
        }.items()
    },
    "build_once": (
        "class Late(D.Layer):\n"
        "    def _build_once(self, x):\n        self.w = self.create_parameter([x.shape[1], 2])\n"
        "    def forward(self, x):\n        return L.matmul(x, self.w)\n"
        "n = Late(); a = len(n.parameters()); y = n(f('x', 3, 2)); out = [a, [p.name for p in n.parameters()], y]"
    ),
}  # fmt: skip


class Desk:
    """What the code of a case finds."""

    def __init__(self, fluid: Any, folder: str) -> None:
        self.fluid = fluid
        self.names: Dict[str, Any] = {
            "fluid": fluid, "D": fluid.dygraph, "L": fluid.layers, "np": np, "os": os, "f": self.f, "i": self.i, "folder": folder,
        }  # fmt: skip

    def _drawn(self, name: str) -> Any:
        return np.random.RandomState(zlib.crc32(name.encode()) & 0xFFFF)

    def f(self, name: str, *shape: int, low: float = -1.0, high: float = 1.0, grad: bool = True, dtype: str = "float32") -> Any:
        """A floating value that depends on its name alone."""
        made = self.fluid.dygraph.to_variable(np.round(self._drawn(name).uniform(low, high, shape), 4).astype(dtype))
        made.stop_gradient = not grad
        return made

    def i(self, name: str, *shape: int, high: int = 2) -> Any:
        """Whole numbers below `high`."""
        return self.fluid.dygraph.to_variable(self._drawn(name).randint(0, high, shape).astype("int64"))


def plain(value: Any, variable: Any) -> Plain:
    """A value in JSON: arrays and VarBases say shape and data type."""
    if isinstance(value, variable):
        return {**plain(value.numpy(), variable), "stop": value.stop_gradient}
    if isinstance(value, np.ndarray):
        return {"dtype": str(value.dtype), "shape": list(value.shape), "data": plain(value.reshape(-1).tolist(), variable)}
    if isinstance(value, dict):
        return {str(key): plain(item, variable) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, variable) for item in value]
    if isinstance(value, (float, np.floating)):
        return float("%.9g" % value) if np.isfinite(value) else str(value)
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (bool, int, str, type(None))) else type(value).__name__


def observe(fluid: Any, code: str) -> Plain:
    """What a case gives, and what it prints; or the names of the exception's classes."""
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, fluid.dygraph.guard(), warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("ignore")
        fluid.default_main_program().random_seed = SEED
        desk = Desk(fluid, folder)
        try:
            exec(code, desk.names)
        except Exception as error:
            return {"raises": [kind.__name__ for kind in type(error).__mro__]}
        said = printed.getvalue().replace("With sparse mode, if your models has only small parameter prefetch may cause speed down\n", "")
        return {"out": plain(desk.names.get("out"), fluid.core.VarBase), "printed": said}


def observed() -> Dict[str, Plain]:
    """Every case under the wheel that runs this."""
    import paddle.fluid as fluid

    return {name: observe(fluid, code) for name, code in CASES.items()}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """The data file."""
    return {f"dygraph_{version}.json.gz": observed}


__all__: List[str] = ["CASES", "observe"]

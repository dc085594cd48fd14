"""Under PADDLE_COMPAT_VERSION=3.3.1 Programs are what they are in Paddle 3: where gradients stop, what they begin with, how they train."""

from __future__ import annotations

from processes import Runner

SCRIPT = """
import numpy as np
import paddle
paddle.enable_static()
F, static = paddle.nn.functional, paddle.static
gradients = static.gradients

def stops(found):
    return [v.stop_gradient for v in found] if isinstance(found, (list, tuple)) else found.stop_gradient

x, z = static.data("x", [2]), static.data("z", [2])
x.stop_gradient = False
print(*(stops(f(x)) for f in (paddle.argmax, paddle.argsort, paddle.mode, paddle.unique, paddle.zeros_like, paddle.is_empty)))
print(*(stops(f(x, x)) for f in (paddle.equal_all, paddle.logical_and, paddle.logical_or, paddle.logical_xor, paddle.isin)))
print(*(stops(v) for v in (x > 0, x == z, paddle.logical_not(x), paddle.isnan(x), paddle.topk(x, 1), paddle.kthvalue(x, 1))))
print(*(stops(v) for v in (paddle.bernoulli(x * 0), paddle.multinomial(x), F.diag_embed(x), paddle.argmax(z), paddle.unique(z, True))))
print([list(v.shape) for v in paddle.atleast_2d([x, z])], *(stops(f(v)) for f in (paddle.diag, paddle.diagflat) for v in (x, z)))
number = paddle.zeros([1], "int32")
results = [static.nn.cond(z.sum() > 0, lambda v=v: v[0] * 2, lambda v=v: v[1]) for v in ((x, z), (z, x), (x, x))]
results.append(static.nn.switch_case(number, [lambda: z, lambda: x]))
print(stops(results), [None if g is None else 1 for out in results for g in gradients(out.sum(), [x])])
print(static.nn.while_loop(lambda i, n: i < 3, lambda i, n: [i + 1, n + 1], [number, 1])[1], paddle.diag(x.sum()).shape)
w = static.create_parameter([2], "float32")
print(len(static.append_backward(z)), *(list(g.shape) for p, g in static.append_backward(w, parameter_list=[w])))
y = x * z
square = z * z
found = [
    gradients(z, z), gradients([x, z], [x, z]), gradients([y, z], [x, z]), gradients(square, z), gradients(square, [square, z]),
    gradients(z, z, x), gradients([y * y], [y, x], no_grad_set={y}), gradients([y * x, y], [y, x], no_grad_set={y}),
]
print([[None if g is None else g.stop_gradient for g in each] for each in found])
feed = {"x": np.array([1, 2], "float32"), "z": np.array([3, 4], "float32")}
exe = static.Executor()
exe.run(static.default_startup_program())
print(*(v.tolist() for v in exe.run(feed=feed, fetch_list=[g for each in found for g in each if g is not None])))
print(paddle.is_grad_enabled())
with paddle.no_grad():
    print(paddle.is_grad_enabled())
"""
TRAINED = """
import numpy as np
import paddle
paddle.enable_static()
static, optimizers, start = paddle.static, paddle.optimizer, paddle.nn.initializer.Constant
L1, clip = paddle.regularizer.L1Decay(0.1), paddle.nn.ClipGradByGlobalNorm(0.1)
feed = {"x": np.array([[1, 2], [0.5, -1]], "float32"), "i": np.array([[0], [2]])}

def trained(optimizer, padding=None, steps=2):
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), static.scope_guard(static.Scope()):
        x, i = static.data("x", [-1, 2]), static.data("i", [-1, 1], "int64")
        w = static.create_parameter([2], "float32", default_initializer=start(1.0))
        table = paddle.nn.Embedding(3, 2, padding, sparse=True, weight_attr=paddle.ParamAttr(initializer=start(0.5)))
        pairs = optimizer().minimize((x * w + table(i).squeeze(1) * x).square().sum())[1]
        exe = static.Executor()
        exe.run(startup)
        for _ in range(steps):
            values = exe.run(main, feed=feed, fetch_list=[v for p, g in sorted(pairs, key=lambda pair: len(pair[0].shape)) for v in (p, g)])
        print(*(np.round(v.astype("float64"), 3).tolist() for v in values))

trained(lambda: optimizers.SGD(0.1, weight_decay=0.1, grad_clip=clip), 0)
trained(lambda: optimizers.Momentum(0.1, weight_decay=L1), -1)
trained(lambda: optimizers.Adam(0.1))
trained(lambda: optimizers.ASGD(0.01, batch_num=2), steps=4)
"""
FOUND = """\
False False [False, False] False False False
True True True True True
True True True False [False, False] [False, False]
False False False True [True, True]
[[1, 2], [1, 2]] False True False True
[False, True, False, True] [1, None, 1, None]
2 paddle.Size([1, 1])
1 [2]
[[True], [False, True], [False, True], [None], [True, None], [False], [None, None], [False, False]]
[1.0, 1.0] [1.0, 1.0] [1.0, 1.0] [3.0, 4.0] [1.0, 1.0] [1.0, 1.0] [1.0, 2.0] [1.0, 1.0] [3.0, 8.0]
True
False
"""  # what 3.3.1 prints


UPDATED = """\
[0.975, 0.961] [2.716, 10.791] [[0.49, 0.49], [0.49, 0.49], [0.489, 0.485]] [[0.0, 0.0], [0.0, 0.0], [0.741, 2.946]]
[0.108, -0.691] [1.98, -9.78] [[-0.265, -0.893], [0.471, 0.471], [0.471, 0.471]] [[1.66, -8.96], [0.0, 0.0], [0.0, 0.0]]
[0.801, 0.801] [3.25, 13.0] [[0.301, 0.301], [0.5, 0.5], [0.301, 0.301]] [[2.6, 10.4], [0.0, 0.0], [0.65, 2.6]]
[0.859, 0.535] [3.297, 8.662] [[0.388, 0.135], [0.5, 0.5], [0.471, 0.399]] [[2.612, 6.579], [0.0, 0.0], [0.685, 2.083]]
"""


def test_training(full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    full.write({"script.py": TRAINED})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == UPDATED.splitlines()


def test_programs(full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    full.write({"script.py": SCRIPT})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == FOUND.splitlines()


HARNESS = """
import paddle
from paddle.base import core
paddle.enable_static()
kinds, made = core.DataType, paddle.pir.core
print(paddle.float32 == kinds.FLOAT32, {paddle.bool: 1}[kinds.BOOL], isinstance(paddle.int64, kinds), paddle.dtype is kinds)
print(paddle.full([2], 1, kinds.FLOAT64).dtype)
print(made.vartype_to_datatype[core.VarDesc.VarType.INT64], made.datatype_to_vartype[kinds.BFLOAT16])
start = paddle.nn.initializer.Constant(2.0)
values = [made.create_parameter("float32", [2], trainable=False, initializer=start)]
values.append(made.create_persistable_value("float32", [1], initializer=start))
values.append(made.create_parameter("float32", [2], "mine", initializer=start))
print([(v.name, v.stop_gradient, v.persistable) for v in values])
program = paddle.static.default_main_program()
print(program.parameters_num(), program.num_ops() > -1, isinstance(program.list_vars(), list))
exe = paddle.static.Executor()
exe.run(paddle.static.default_startup_program())
print([v.tolist() for v in exe.run(program, fetch_list=values)])
for make in (made.create_parameter, made.create_persistable_value):
    try:
        make("float32", [2])
    except ValueError:
        print("refused")
print(len(paddle.autograd.ir_backward.append_backward((values[2] * 2).sum(), parameter_list=values[2:])))
"""
ANSWERS = """\
True 1 True True
paddle.float64
paddle.int64 paddle.bfloat16
[('parameter_0', True, True), ('persistable_value_0', True, True), ('mine', False, True)]
2 True True
[[2.0, 2.0], [2.0], [2.0, 2.0]]
refused
refused
1
"""


def test_names_that_harnesses_look_for(full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    full.write({"script.py": HARNESS})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == ANSWERS.splitlines()

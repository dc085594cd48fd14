"""Under PADDLE_COMPAT_VERSION=3.3.1 medians share gradients, and empty shapes and sizes that a run tells are as in Paddle 3."""

from __future__ import annotations

import pytest
from processes import Runner

EAGER = """
import numpy as np
import paddle

nan = float("nan")

def gradient(function, values):
    x = paddle.to_tensor(values, stop_gradient=False)
    out = function(x)
    return [round(out.item(), 3), [round(v, 3) for v in paddle.grad(out, x)[0].tolist()]]

def tried(function):
    try:
        value = function()
    except ValueError:
        return "ValueError"
    return [list(value.shape), value.numpy().ravel()[:4].tolist()]

for api in (paddle.median, paddle.nanmedian):
    for values in ([1.0, 2.0, 2.0], [2.0, 1.0, 2.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0], [nan, 1.0, 2.0, nan], [3.0, 3.0, 3.0]):
        ways = (api, lambda x: api(x, 0), lambda x: api(x, mode="min"))
        print(*(gradient(way, values) for way in ways))
empty, table = paddle.zeros([2, 0, 3]), paddle.to_tensor([[3.0, 4.0], [0.0, 0.0]])
found = [list(paddle.reshape(empty, shape).shape) for shape in ([0, -1], [0, 0, 0], [0, 0, 3], [-1, 0], [4, 0])]
print(found, tried(lambda: empty.reshape([0, 5, -1])))
x, updates = paddle.ones([3, 2]), paddle.to_tensor([[2.0, 3.0], [4.0, 5.0], [6.0, 7.0]])
print([tried(lambda: paddle.scatter(x, paddle.to_tensor([2]), updates, overwrite)) for overwrite in (True, False)])
print([tried(lambda: paddle.linalg.norm(table, p, axis)) for p, axis in ((2, []), (1, ()), ("fro", []))])
pads = ([1, 1, 1, 1], "reflect"), ([0, 0, 2, 0], "replicate"), ([1, 0, 1, 1], "circular")
print([tried(lambda: paddle.nn.functional.pad(paddle.zeros([1, 1, 0, 3]), pad, mode=mode, value=0.5)) for pad, mode in pads])
print(paddle.linalg.vector_norm(table, 2, ()).shape)
for count in (np.array([1, 2]), "a", 0.5):
    try:
        paddle.repeat_interleave(table, count, 0) if isinstance(count, np.ndarray) else paddle.roll(table, count, 0)
    except TypeError:
        print("TypeError")

def shown(function):
    found = function()
    for value in found if isinstance(found, (list, tuple)) else [found]:
        print(list(value.shape), value.dtype, np.round(value.numpy().astype("float64").ravel()[:4], 3).tolist())

F, square = paddle.nn.functional, paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
shown(lambda: paddle.tensordot(square, square, [paddle.to_tensor([1]), paddle.to_tensor([0])]))
shown(lambda: paddle.tril_indices(3, None, 0))
shown(lambda: paddle.topk(paddle.zeros([2, 0]), 1))
shown(lambda: paddle.topk(paddle.zeros([0, 3]), 2, 0))
shown(lambda: paddle.split(paddle.zeros([0, 3]), [-1]))
line, image = paddle.arange(1.0, 8).reshape([1, 1, 7]), paddle.arange(1.0, 43).reshape([1, 1, 6, 7])
shown(lambda: [F.lp_pool1d(line, 2, 2, 2, "SAME"), F.lp_pool1d(line, 2, 9), F.lp_pool1d(line, 2, 3, 2, 1, True)])
shown(lambda: [F.lp_pool2d(image, 2, 2, 2, "SAME"), F.lp_pool2d(image, 2, 9), F.lp_pool2d(image, 1, [4, 3], 3, [1, 0, 1, 1])])
"""
EAGER_PRINTED = [  # what the wheel prints
    "[2.0, [0.0, 0.5, 0.5]] [2.0, [0.0, 0.5, 0.5]] [2.0, [0.0, 0.5, 0.5]]",
    "[2.0, [0.333, 0.0, 0.333, 0.333, 0.0]] [2.0, [0.333, 0.0, 0.333, 0.333, 0.0]] [2.0, [0.333, 0.0, 0.333, 0.333, 0.0]]",
    "[2.5, [0.0, 0.5, 0.5, 0.0]] [2.5, [0.0, 0.5, 0.5, 0.0]] [2.0, [0.0, 1.0, 0.0, 0.0]]",
    "[nan, [0.5, 0.0, 0.0, 0.5]] [nan, [0.5, 0.0, 0.0, 0.5]] [nan, [0.5, 0.0, 0.0, 0.5]]",
    "[3.0, [0.333, 0.333, 0.333]] [3.0, [0.333, 0.333, 0.333]] [3.0, [0.333, 0.333, 0.333]]",
    "[2.0, [0.0, 0.5, 0.5]] [2.0, [0.0, 0.5, 0.5]] [2.0, [0.0, 0.5, 0.5]]",
    "[2.0, [0.333, 0.0, 0.333, 0.333, 0.0]] [2.0, [0.333, 0.0, 0.333, 0.333, 0.0]] [2.0, [0.333, 0.0, 0.333, 0.333, 0.0]]",
    "[2.5, [0.0, 0.5, 0.5, 0.0]] [2.5, [0.0, 0.5, 0.5, 0.0]] [2.0, [0.0, 1.0, 0.0, 0.0]]",
    "[1.5, [0.0, 0.5, 0.5, 0.0]] [1.5, [0.0, 0.5, 0.5, 0.0]] [1.0, [0.0, 1.0, 0.0, 0.0]]",
    "[3.0, [0.333, 0.333, 0.333]] [3.0, [0.333, 0.333, 0.333]] [3.0, [0.333, 0.333, 0.333]]",
    "[[0, 6], [0, 0, 0], [0, 0, 3], [6, 0], [4, 0]] ValueError",
    "[[[3, 2], [1.0, 1.0, 1.0, 1.0]], [[3, 2], [1.0, 1.0, 1.0, 1.0]]]",
    "[[[], [5.0]], [[], [7.0]], 'ValueError']",
    "[[[1, 1, 2, 5], [0.5, 0.5, 0.5, 0.5]], [[1, 1, 2, 3], [0.5, 0.5, 0.5, 0.5]], [[1, 1, 2, 4], [0.5, 0.5, 0.5, 0.5]]]",
    "paddle.Size([])",
    "TypeError",
    "TypeError",
    "TypeError",
    "[2, 2] paddle.float32 [7.0, 10.0, 15.0, 22.0]",
    "[2, 6] paddle.int64 [0.0, 1.0, 1.0, 2.0]",
    "[2, 1] paddle.float32 [nan, nan]",
    "[2, 1] paddle.int64 [0.0, 0.0]",
    "[2, 3] paddle.float32 [nan, nan, nan, nan]",
    "[2, 3] paddle.int64 [0.0, 0.0, 0.0, 0.0]",
    "[0, 3] paddle.float32 []",
    "[1, 1, 4] paddle.float32 [2.236, 5.0, 7.81, 7.0]",
    "[1, 1, 1] paddle.float32 [11.832]",
    "[1, 1, 4] paddle.float32 [2.236, 5.385, 8.775, 9.22]",
    "[1, 1, 3, 4] paddle.float32 [12.247, 15.684, 19.339, 15.652]",
    "[1, 1, 1, 1] paddle.float32 [159.953]",
    "[1, 1, 2, 3] paddle.float32 [51.0, 99.0, 81.0, 208.0]",
]

STATIC = """
import numpy as np
import paddle

paddle.enable_static()
GIVEN = {
    "x": np.arange(12, dtype="float32").reshape(3, 4), "q": np.array([0.25, 0.5], "float32"), "one": np.array([0.5], "float32"),
    "a": np.eye(3, dtype="float32") + 1, "b": np.ones([3, 2], "float32"), "bs": np.ones([2, 3, 2], "float32"),
    "none": np.zeros([3, 0], "float32"), "wide": np.array([1.0, 2.0]), "flags": np.array([True, False]),
    "small": np.array([1, 2, 3], "int8"), "pair": np.array([1 + 2j, 3], "complex64"),
}

def built(code, *known):
    with paddle.static.program_guard(paddle.static.Program()):
        data = {n: paddle.static.data(n, v.shape if n in known else [-1] * v.ndim, str(v.dtype)) for n, v in GIVEN.items()}
        out = eval(code, {"paddle": paddle, **data})
        run = paddle.static.Executor().run(feed=GIVEN, fetch_list=[out])[0]
        print(list(out.shape), list(run.shape), str(run.dtype), np.round(run.ravel()[:4] * 1, 3).tolist())

built("paddle.quantile(x, q, axis=0)", "q")
built("paddle.quantile(x, one, axis=1)", "x", "one")
built("paddle.nanquantile(x, one, axis=0, keepdim=True)", "x", "one")
built("paddle.nanmedian(none)")
built("paddle.median(none, 1)")
for knows in ([], ["a"]):
    built("paddle.linalg.solve(a, b)", *knows)
    built("paddle.linalg.triangular_solve(a, b)", *knows)
    built("paddle.linalg.triangular_solve(a, bs, upper=False)", *knows)
built("paddle.slice(x, [0], [2], [1])", "x")
built("x[2:1]", "x")
built("paddle.strided_slice(small, [0], [0], [3], [2])", "small")
built("paddle.strided_slice(pair, [0], [1], [-3], [-1])", "pair")
built("paddle.outer(x, wide)", "x", "wide")
built("paddle.outer(flags, flags)", "flags")
built("paddle.randperm(0)")
built("paddle.reshape(paddle.zeros([0]), [2, 0])")
built("paddle.reshape(none, [0, -1])", "none")
built("paddle.where(flags, 1.0, 2)", "flags")
built("paddle.where(flags, 1 + 2j, wide)", "flags", "wide")
built("paddle.where(flags, 1 + 2j, 2.0)", "flags")
built("paddle.empty_like(x) * 0", "x")
built("paddle.full([len(paddle.vsplit(x, [1, 2]))], 1.0)")
built("paddle.nn.functional.lp_pool1d(paddle.unsqueeze(x, 0), 2, 3, 2, 0, True)")
for code in ("x.item(5)", "x.item(-1)", "x.item(0, 1)", "one.item(0)"):
    built(code, "x", "one")
for code in ("paddle.var(small)", "paddle.var(flags)", "x.item(12)", "x.item(0, 1, 2)", "b.item(3)"):
    try:
        built(code, "small", "flags", "x")
    except (TypeError, ValueError) as error:
        print("TypeError" if isinstance(error, TypeError) else "ValueError")
"""
STATIC_PRINTED = [  # what the wheel prints
    "[2, -1] [2, 4] float32 [2.0, 3.0, 4.0, 5.0]",
    "[3] [3] float32 [1.5, 5.5, 9.5]",
    "[1, 4] [1, 4] float32 [4.0, 5.0, 6.0, 7.0]",
    "[] [] float32 [nan]",
    "[-1] [3] float32 [nan, nan, nan]",
    "[-1, -1] [3, 2] float32 [0.25, 0.25, 0.25, 0.25]",
    "[-1, -1] [3, 2] float32 [0.125, 0.125, 0.25, 0.25]",
    "[-1, -1, -1] [2, 3, 2] float32 [0.5, 0.5, 0.25, 0.25]",
    "[3, -1] [3, 2] float32 [0.25, 0.25, 0.25, 0.25]",
    "[-1, -1] [3, 2] float32 [0.125, 0.125, 0.25, 0.25]",
    "[-1, -1, -1] [2, 3, 2] float32 [0.5, 0.5, 0.25, 0.25]",
    "[0, 4] [0, 4] float32 []",
    "[0, 4] [0, 4] float32 []",
    "[2] [2] int8 [1, 3]",
    "[2] [2] complex64 [(3+0j), (1+2j)]",
    "[12, 2] [12, 2] float64 [0.0, 0.0, 1.0, 2.0]",
    "[2, 2] [2, 2] bool [1, 0, 0, 0]",
    "[0] [0] int64 []",
    "[2, 0] [2, 0] float32 []",
    "[0, 3] [0, 3] float32 []",
    "[2] [2] float32 [1.0, 2.0]",
    "[2] [2] complex128 [(1+2j), (2+0j)]",
    "[2] [2] complex128 [(1+2j), (2+0j)]",
    "[3, 4] [3, 4] float32 [0.0, 0.0, 0.0, 0.0]",
    "[3] [3] float32 [1.0, 1.0, 1.0]",
    "[1, -1, -1] [1, 3, 2] float32 [2.2360000610351562, 3.6059999465942383, 8.774999618530273, 9.220000267028809]",
    "[] [] float32 [5.0]",
    "[] [] float32 [11.0]",
    "[] [] float32 [1.0]",
    "[] [] float32 [0.5]",
    "TypeError",
    "TypeError",
    "ValueError",
    "ValueError",
    "TypeError",
]


@pytest.mark.parametrize(("script", "printed"), [(EAGER, EAGER_PRINTED), (STATIC, STATIC_PRINTED)], ids=["eager", "static"])
def test_as_paddle3(script: str, printed: list[str], full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    full.write({"script.py": script})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == printed

"""Under PADDLE_COMPAT_VERSION=3.3.1 functions whose results Paddle 3 changed, from one and the same call, give those."""

from __future__ import annotations

import pytest
from processes import Runner

SCRIPT = """
import paddle
x = paddle.to_tensor([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
ints = paddle.to_tensor([1, 2, 3], dtype="int32")

def shown(value):
    return f"{str(value.dtype)[7:]}{list(value.shape)}"

def results(x, ints):
    return [
        *paddle.where(x > 0), *paddle.nonzero(ints, as_tuple=True), paddle.shape(x), paddle.linalg.matrix_rank(x),
        paddle.quantile(x, 0.25), paddle.nanquantile(x, [0.5, 0.1], axis=1), paddle.full([2], True), paddle.full([1], 1),
        paddle.cumsum(ints), paddle.cumsum(ints, 0, dtype="int32"),
    ]

numbers = ints.numpy().copy()
eager = results(x, ints)
print(*map(shown, eager))
print(*map(shown, [ints.cumsum_(), paddle.unflatten(x, 1, paddle.to_tensor([3, 1])), paddle.empty_like(x)]))
paddle.enable_static()
fed = [paddle.static.data("x", [-1, 3]), paddle.static.data("ints", [-1], "int32")]
found = paddle.static.Executor().run(feed={"x": x.numpy(), "ints": numbers}, fetch_list=results(*fed))
print(*(a.dtype for a, b in zip(found, eager) if a.dtype != b.numpy().dtype or abs(a * 1.0 - b.numpy()).max() > 1e-6))
"""
RESULTS = {  # what the wheels print
    "2.6.2": "int64[3, 1] int64[3, 1] int64[3, 1] int32[2] int32[] float64[] float64[2, 2] float32[2] float32[1] int32[3] int32[3]",
    "3.0.0": "int64[3, 1] int64[3, 1] int64[3, 1] int64[2] int32[] float32[] float32[2, 2] bool[2] float32[1] int32[3] int32[3]",
    "3.3.1": "int64[3] int64[3] int64[3] int64[2] int64[] float32[] float32[2, 2] bool[2] float32[1] int64[3] int32[3]",
}


@pytest.mark.parametrize("version", RESULTS)
def test_results(version: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": SCRIPT})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == [RESULTS[version], "int32[3] float32[2, 3, 1] float32[2, 3]", ""]


SHOWN = """
import numpy as np
import paddle
nn = paddle.nn
x = paddle.to_tensor([[0.5, -1.25, 2.5], [3.5, -0.75, 1.5]])
ints = paddle.arange(2), paddle.arange(3)
print(paddle.round(x).tolist(), x.clone().round_().tolist())
print(paddle.var(x[:1, :1]).item(), paddle.std(x[:1, :1], axis=1).tolist(), x[0].var(unbiased=False).item())
print(paddle.diff(x, n=2, prepend=paddle.ones([2, 1])).tolist(), f"{x[0, 0]}"[:6], (paddle.to_tensor(5) // 2).ndim)
w = paddle.create_parameter([4000], "float32", default_initializer=nn.initializer.TruncatedNormal(0.0, 5.0))
print(float(w.abs().max()) > 5, (paddle.to_tensor([2, 0]) > 1) + 2 == 3, nn.GroupNorm(2, 4, weight_attr=False).weight is None)
print(nn.Dropout(), nn.Silu(), nn.ThresholdedReLU())
print(nn.Embedding(2, 3), nn.ZeroPad2D(1))
print(nn.Upsample(scale_factor=2), nn.Upsample(scale_factor=2, mode="bilinear")(paddle.ones([1, 1, 2, 2])).ndim)
print(x.shape, paddle.meshgrid(ints, indexing="xy")[1].tolist())
print(paddle.to_tensor([1 + 2j, -0.5j]))
paddle.seed(7)
print([round(v, 4) for v in paddle.uniform([3]).tolist() + paddle.empty([3]).uniform_().tolist()])
m = paddle.to_tensor([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, -2.0]])
print([round(paddle.linalg.norm(m, p, axis=[0, 1]).item(), 3) for p in (1, -1, 2, -2, float("inf"), "fro")])
print(paddle.digamma(paddle.to_tensor([0.0, -1.0])).tolist(), m.norm(1).item(), m.norm(2, 1)[2].item() > 2)
n = paddle.to_tensor([1, 4])
bounded = [paddle.clip(n, 1.5, 2.5), n.clip(max=2.5), paddle.clip(n, 2, paddle.to_tensor(3.5)), paddle.clip(n, 2, np.float32(2.5))]
print(*(value.tolist() for value in [*bounded, n.astype("int32").clip(2.0), n.clip_(1.5, 2.5), n]))
paddle.enable_static()
x = paddle.static.data("x", [2, 3])
out = [paddle.round(x), paddle.var(x[:1, :1]), paddle.diff(x, n=2, prepend=paddle.ones([2, 1]))]
out.append(paddle.clip(paddle.full([2], 4, "int64"), 1, paddle.full([1], 2.5)))
fed = np.array([[0.5, -1.25, 2.5], [3.5, -0.75, 1.5]], "float32")
print(*(value.tolist() for value in paddle.static.Executor().run(feed={"x": fed}, fetch_list=out)))
"""
PRINTED: list[dict[str, str]] = [  # each line, by the version since which the wheels print it so
    {
        "2.6.2": "[[1.0, -1.0, 3.0], [4.0, -1.0, 2.0]] [[1.0, -1.0, 3.0], [4.0, -1.0, 2.0]]",
        "3.2.2": "[[0.0, -1.0, 2.0], [4.0, -1.0, 2.0]] [[0.0, -1.0, 2.0], [4.0, -1.0, 2.0]]",
    },
    {"2.6.2": "0.0 [0.0] 2.347222328186035", "3.2.2": "nan [nan] 2.347222328186035"},
    {"2.6.2": "[[-1.5, -1.25, 5.5], [1.5, -6.75, 6.5]] Tensor 0", "3.0.0": "[[-1.25, 5.5], [-6.75, 6.5]] 0.5 1"},
    {
        "2.6.2": "True Tensor(shape=[2], dtype=bool, place=Place(cpu), stop_gradient=True,",
        "3.0.0": "False Tensor(shape=[2], dtype=bool, place=Place(cpu), stop_gradient=True,",
    },
    {"2.6.2": "       [True, True]) False", "3.0.0": "       [True , False]) False", "3.3.1": "       [True , False]) True"},
    {
        "2.6.2": "Dropout(p=0.5, axis=None, mode=upscale_in_train) Silu() ThresholdedReLU(threshold=1.0)",
        "3.0.0": "Dropout(p=0.5, axis=None, mode=upscale_in_train) Silu() ThresholdedReLU(threshold=1.0, value=0.0)",
        "3.2.2": "Dropout(p=0.5, axis=None, mode=upscale_in_train) Silu(inplace=False) ThresholdedReLU(threshold=1.0, value=0.0)",
        "3.3.1": "Dropout(p=0.5, axis=None, mode=upscale_in_train, inplace=False) Silu(inplace=False) "
        "ThresholdedReLU(threshold=1.0, value=0.0)",
    },
    {
        "2.6.2": "Embedding(2, 3, sparse=False) ZeroPad2D(padding=[1, 1, 1, 1], data_format=NCHW)",
        "3.0.0": "Embedding(2, 3, sparse=False, scale_grad_by_freq=False) ZeroPad2D(padding=[1, 1, 1, 1], data_format=NCHW)",
        "3.3.1": "Embedding(2, 3, sparse=False, scale_grad_by_freq=False) "
        "ZeroPad2D(padding=[1, 1, 1, 1], mode=constant, value=0.0, data_format=NCHW)",
    },
    {
        "2.6.2": "Upsample(scale_factor=2, mode=nearest, align_corners=False, align_mode=0, data_format=NCHW) 4",
        "3.0.0": "Upsample(scale_factor=2, mode=nearest, align_corners=False, align_mode=0, data_format=None) 4",
    },
    {"2.6.2": "[2, 3] [[0, 1, 2], [0, 1, 2]]", "3.3.1": "paddle.Size([2, 3]) [[0, 0], [1, 1], [2, 2]]"},
    {"2.6.2": "Tensor(shape=[2], dtype=complex64, place=Place(cpu), stop_gradient=True,"},
    {
        "2.6.2": "       [ (1+2j)  , (-0-0.5j)])",
        "3.3.1": "       [ (1.00000000+2.00000000j), (-0.00000000-0.50000000j)])",
    },
    {
        "2.6.2": "[-0.9702, 0.3158, 0.6051, -0.0619, 0.3334, 0.8507]",
        "3.3.1": "[0.0149, 0.6579, 0.8025, 0.4691, 0.6667, 0.9254]",
    },
    {"2.6.2": "[13.0, 0.0, 5.745, 0.0, 4.0, 5.745]", "3.0.0": "[5.0, 3.0, 4.662, 2.199, 5.0, 5.745]"},
    {"2.6.2": "[nan, nan] 13.0 True", "3.2.2": "[-inf, nan] 13.0 True"},
    {
        "2.6.2": "[1, 2] [1, 2] [2, 3] [2, 2] [2, 4] [1, 2] [1, 2]",
        "3.2.2": "[1.5, 2.5] [1.0, 2.5] [2.0, 3.5] [2, 2] [2.0, 4.0] [1, 2] [1, 2]",
    },
    {
        "2.6.2": "[[1.0, -1.0, 3.0], [4.0, -1.0, 2.0]] 0.0 [[-1.5, -1.25, 5.5], [1.5, -6.75, 6.5]] [2, 2]",
        "3.0.0": "[[1.0, -1.0, 3.0], [4.0, -1.0, 2.0]] 0.0 [[-1.25, 5.5], [-6.75, 6.5]] [2, 2]",
        "3.2.2": "[[0.0, -1.0, 2.0], [4.0, -1.0, 2.0]] nan [[-1.25, 5.5], [-6.75, 6.5]] [2.5, 2.5]",
    },
]


@pytest.mark.parametrize("version", ("2.6.2", "3.0.0", "3.2.2", "3.3.1"))
def test_what_is_printed(version: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": SHOWN})
    expected = [line[max(since for since in line if since <= version)] for line in PRINTED]
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == expected


NOTHING = """
import paddle
nn, start = paddle.nn, paddle.nn.initializer
kinds = start.Constant, start.Normal, start.TruncatedNormal, start.XavierNormal, start.XavierUniform
print([list(paddle.create_parameter([0], "float32", default_initializer=kind()).shape) for kind in kinds])
print(nn.Linear(0, 3)(paddle.ones([2, 0])).tolist(), list(nn.LayerNorm(0)(paddle.ones([2, 0])).shape))
print([list(p.shape) for p in nn.AdaptiveLogSoftmaxWithLoss(3, 4, [2]).parameters()])
layer = nn.Linear(3, 0)
adam = paddle.optimizer.Adam(parameters=layer.parameters())
layer(paddle.ones([2, 3])).sum().backward()
adam.step()
print(len(adam.state_dict()))
try:
    paddle.create_parameter([-1, 3], "float32")
except AssertionError:
    print("refused")
"""


def test_parameters_of_no_elements(full: Runner) -> None:
    """The lines that 3.3.1 prints."""
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    full.write({"script.py": NOTHING})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == [
        "[[0], [0], [0], [0], [0]]",
        "[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] [2, 0]",
        "[[3, 3]]",
        "8",
        "refused",
    ]


KINDS = """
import numpy as np
import paddle
paddle.enable_static()
numbers = np.array([[0.5, 2.0], [1.0, 3.0]])
fed = {kind: numbers.astype(kind) for kind in ("bool", "int8", "uint8", "int16", "int64", "float32", "float64", "complex64", "complex128")}
v = {kind: paddle.static.data(kind, [2, 2], kind) for kind in fed}
small, odd, wide = v["int8"], v["complex64"], v["complex128"]
results = [
    odd * 1, paddle.multiply(v["float32"], odd), paddle.multiply(wide, odd), paddle.multiply(v["float64"], odd),
    paddle.multiply(v["int64"], odd), paddle.where(v["bool"], odd, wide), paddle.where(v["bool"], v["float64"], odd),
    paddle.where(v["bool"], odd, v["float32"][0]), paddle.cast(odd, "float32"), paddle.cast(small, "float32"),
    paddle.zeros_like(odd), paddle.full_like(wide, 2.5), *versioned,
]
for out in paddle.static.Executor().run(feed=fed, fetch_list=results):
    print(out.dtype, out.tolist())
"""
SINCE_3 = """[
    paddle.full_like(small, 2), paddle.ones_like(v["uint8"]), paddle.mean(odd), paddle.tile(odd, [1, 2])[0],
    paddle.expand(small, [2, 2, 2])[1], paddle.concat([v["int16"]] * 2)[3], paddle.kron(odd, odd)[3], paddle.outer(odd[0], wide[1].real()),
    paddle.median(v["int16"]), paddle.median(v["bool"]), paddle.flip(odd, [0]), paddle.add(small, small),
]"""
COMPUTED = [
    "complex64 [[(0.5+0j), (2+0j)], [(1+0j), (3+0j)]]",
    "complex64 [[(0.25+0j), (4+0j)], [(1+0j), (9+0j)]]",
    "complex128 [[(0.25+0j), (4+0j)], [(1+0j), (9+0j)]]",
    "complex128 [[(0.25+0j), (4+0j)], [(1+0j), (9+0j)]]",
    "complex64 [[0j, (4+0j)], [(1+0j), (9+0j)]]",
    "complex128 [[(0.5+0j), (2+0j)], [(1+0j), (3+0j)]]",
    "complex128 [[(0.5+0j), (2+0j)], [(1+0j), (3+0j)]]",
    "complex64 [[(0.5+0j), (2+0j)], [(1+0j), (3+0j)]]",
    "float32 [[0.5, 2.0], [1.0, 3.0]]",
    "float32 [[0.0, 2.0], [1.0, 3.0]]",
    "complex64 [[0j, 0j], [0j, 0j]]",
    "complex128 [[(2.5+0j), (2.5+0j)], [(2.5+0j), (2.5+0j)]]",
    "int8 [[2, 2], [2, 2]]",
    "uint8 [[1, 1], [1, 1]]",
    "complex64 (1.625+0j)",
    "complex64 [(0.5+0j), (2+0j), (0.5+0j), (2+0j)]",
    "int8 [[0, 2], [1, 3]]",
    "int16 [1, 3]",
    "complex64 [(1+0j), (3+0j), (3+0j), (9+0j)]",
    "complex128 [[(0.5+0j), (1.5+0j)], [(2+0j), (6+0j)]]",
    "float32 1.5",
    "float32 1.0",
    "complex64 [[(1+0j), (3+0j)], [(0.5+0j), (2+0j)]]",
    "int8 [[0, 4], [2, 6]]",
]


@pytest.mark.parametrize("version", ("2.6.2", "3.3.1"))
def test_kinds_that_programs_take(version: str, full: Runner) -> None:
    """What 3.3.1 computes in Programs and 2.6.2 refuses; where there are answers in eager mode of both, from 3 alone."""
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": KINDS.replace("*versioned", "*" + (SINCE_3 if version == "3.3.1" else "[]"))})
    lines = full.output("-m", "paddle_compat", "script.py").splitlines()
    assert lines == COMPUTED[: len(lines)] and len(lines) == (12 if version == "2.6.2" else len(COMPUTED))


WINDOWS = """
import numpy as np
import paddle
F = paddle.nn.functional
x = paddle.to_tensor(np.array([7, 3, 9, 1, 5, 2, 8, 4, 6, 0, 11, 10, 15, 12, 14, 13, 19, 16, 18, 17, 20, 24, 22, 21, 23], "float32"))
x.stop_gradient = False
out, places = F.max_pool2d(x.reshape([1, 1, 5, 5]), 2, return_mask=True, ceil_mode=True)
print(out.flatten().tolist(), places.flatten().tolist())
(out.flatten() * paddle.arange(out.size, dtype="float32")).sum().backward()
print(x.grad.nonzero().flatten().tolist(), x.grad.sum().item())
out, places = F.max_pool2d(x.reshape([1, 1, 5, 5]), [3, 2], [2, 3], [1, 0], return_mask=True, ceil_mode=True)
print(out.flatten().tolist(), places.flatten().tolist())
print([list(v.shape) for v in F.max_pool1d(x.reshape([1, 1, 25]), 2, return_mask=True, ceil_mode=True)])
print([list(v.shape) for v in F.max_pool3d(x.reshape([1, 1, 1, 5, 5]), [1, 2, 2], return_mask=True, ceil_mode=True)])
paddle.enable_static()
fed = paddle.static.data("x", [1, 1, 5, 5])
both = F.max_pool2d(fed, 3, 3, "SAME", True, True)
out, places = paddle.static.Executor().run(feed={"x": x.numpy().reshape(1, 1, 5, 5)}, fetch_list=both)
print(out.ravel().tolist(), places.ravel().tolist())
"""
POOLED = {
    "2.6.2": [
        "[8.0, 9.0, 19.0, 18.0] [6, 2, 16, 18]",
        "[2, 16, 18] 6.0",
        "[8.0, 6.0, 19.0, 18.0, 24.0, 23.0] [6, 8, 16, 18, 21, 24]",
        "[[1, 1, 12], [1, 1, 12]]",
        "[[1, 1, 1, 2, 2], [1, 1, 1, 2, 2]]",
        "[15.0] [12]",
    ],
    "3.0.0": [
        "[8.0, 9.0, 5.0, 19.0, 18.0, 17.0, 24.0, 22.0, 23.0] [6, 2, 4, 16, 18, 19, 21, 22, 24]",
        "[2, 4, 16, 18, 19, 21, 22, 24] 36.0",
        "[8.0, 6.0, 19.0, 18.0, 24.0, 23.0] [6, 8, 16, 18, 21, 24]",
        "[[1, 1, 13], [1, 1, 13]]",
        "[[1, 1, 1, 3, 3], [1, 1, 1, 3, 3]]",
        "[15.0, 14.0, 24.0, 23.0] [12, 14, 21, 24]",
    ],
}


@pytest.mark.parametrize("version", POOLED)
def test_last_windows_of_pools_with_places(version: str, full: Runner) -> None:
    """`ceil_mode` counts beside `return_mask` since Paddle 3, as the wheels show."""
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": WINDOWS})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == POOLED[version]


EQUALS = """
import numpy as np
import paddle
F = paddle.nn.functional

def slopes(function, *values):
    taken = [paddle.to_tensor(value, stop_gradient=False) for value in values]
    function(*taken).sum().backward()
    return [[round(number, 4) for number in each.grad.reshape([-1]).tolist()] for each in taken]

x, nan = [[2.0, 2.0, 1.0], [2.0, 0.0, 1.0]], float("nan")
print(slopes(paddle.max, x), slopes(lambda x: paddle.min(x, 0, keepdim=True), x), slopes(lambda x: x.max(), [2.0, nan]))
print(slopes(paddle.maximum, x[0], [2.0, 1.0, 1.0]), slopes(paddle.minimum, x[0], [2.0]), slopes(paddle.maximum, [1.0, nan], [nan, 1.0]))
print(paddle.maximum(paddle.to_tensor([1.0, nan]), paddle.to_tensor([nan, 1.0])).tolist(), slopes(paddle.fmax, x[0], [2.0]))
print(slopes(lambda x: paddle.clip(x, 1.0, 2.0), [*x[0], nan, 1.5, 3.0]), slopes(lambda x: x.clip(max=2.0), x), slopes(F.relu6, [0.0, 6.0]))
print(F.hardshrink(paddle.to_tensor([-0.75, 0.25, 0.5])).tolist(), slopes(F.hardshrink, [-0.5, 0.25, 0.5]))
print(slopes(lambda x: paddle.linalg.norm(x, float("inf")), x[0]), slopes(paddle.amax, x))
paddle.enable_static()
a, b = paddle.static.data("a", [3]), paddle.static.data("b", [3])
a.stop_gradient = b.stop_gradient = False
loss = paddle.max(a) + paddle.maximum(a, b).sum() + paddle.clip(b, 1.0, 2.0).sum()
grads = paddle.static.gradients([loss], [a, b])
fed = {"a": np.array([2.0, 2.0, 1.0], "float32"), "b": np.array([2.0, 1.0, 3.0], "float32")}
print([[round(float(n), 4) for n in value] for value in paddle.static.Executor().run(feed=fed, fetch_list=grads)])
"""
EQUAL = {  # what the wheels print
    "2.6.2": [
        "[[1.0, 1.0, 0.0, 1.0, 0.0, 0.0]] [[1.0, 0.0, 1.0, 1.0, 1.0, 1.0]] [[0.0, 0.0]]",
        "[[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]] [[0.0, 0.0, 1.0], [2.0]] [[0.0, 0.0], [0.0, 0.0]]",
        "[nan, 1.0] [[1.0, 1.0, 0.0], [1.0]]",
        "[[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]] [[0.0, 0.0, 1.0, 0.0, 1.0, 1.0]] [[0.0, 0.0]]",
        "[-0.75, 0.0, 0.0] [[0.0, 0.0, 0.0]]",
        "[[1.0, 1.0, 0.0]] [[0.3333, 0.3333, 0.0, 0.3333, 0.0, 0.0]]",
        "[[1.0, 2.0, 0.0], [1.0, 0.0, 1.0]]",
    ],
    "3.2.0": [
        "[[0.3333, 0.3333, 0.0, 0.3333, 0.0, 0.0]] [[0.5, 0.0, 0.5, 0.5, 1.0, 0.5]] [[nan, nan]]",
        "[[0.5, 1.0, 0.5], [0.5, 0.0, 0.5]] [[0.5, 0.5, 1.0], [1.0]] [[0.0, 0.0], [0.0, 0.0]]",
        "[nan, nan] [[1.0, 1.0, 0.0], [1.0]]",
        "[[1.0, 1.0, 1.0, 0.0, 1.0, 0.0]] [[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]] [[0.0, 0.0]]",
        "[-0.75, 0.0, 0.5] [[1.0, 0.0, 1.0]]",
        "[[1.0, 1.0, 0.0]] [[0.3333, 0.3333, 0.0, 0.3333, 0.0, 0.0]]",
        "[[1.0, 1.5, 0.0], [1.5, 1.0, 1.0]]",
    ],
}


@pytest.mark.parametrize("version", EQUAL)
def test_gradients_of_equal_elements_and_at_bounds(version: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": EQUALS})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == EQUAL[version]


ANSWERS = """
import numpy as np, paddle
F, D, nn = paddle.nn.functional, paddle.distribution, paddle.nn
x = paddle.to_tensor([[0.5, -1.25, 2.5], [3.5, -0.75, 1.5]])

def shown(ask):
    try:
        value = ask()
    except (ValueError, TypeError) as error:
        return "ValueError" if isinstance(error, ValueError) else "TypeError"
    value = value.numpy() if isinstance(value, paddle.Tensor) else value
    return [f"{number:.3f}" for number in np.array(value).reshape(-1)]

weight, label = paddle.to_tensor([0.5, 1.0, 2.0]), paddle.to_tensor([0, 2])
normal = lambda: D.Normal(paddle.to_tensor([1 + 1j]), paddle.to_tensor([2.0]))
for ask in (
    lambda: F.thresholded_relu(x[0], 0.2, 0.5), lambda: nn.ThresholdedReLU(0.2, 0.5)(x[0]),
    lambda: F.multi_margin_loss(x, label, 2, 0.5, weight, "none"), lambda: D.Normal(1 + 2j, 2).log_prob(paddle.to_tensor(1 + 1j)),
    lambda: normal().log_prob(paddle.to_tensor([2j])), lambda: normal().probs(paddle.to_tensor([2j])),
    lambda: normal().kl_divergence(D.Normal(paddle.to_tensor([2j]), paddle.to_tensor([3.0]))),
    lambda: D.Normal([1j, 1.0], 1.0).mean, lambda: D.Normal(1 + 2j, [1.0, 2.0]).scale,
    lambda: D.Categorical(paddle.to_tensor([0.1, 0.9])).sample(2).shape,
    lambda: D.Bernoulli(1.5).mean, lambda: D.Geometric(1.5).mean,
):
    print(shown(ask))
"""
ANSWERED = {  # what the wheels answer; what 2.6.2 refuses follows 3.3.1
    "2.6.2": [
        "['0.500', '0.000', '2.500']", "['0.500', '0.000', '2.500']", "['0.500', '8.625', '0.375', '8.500']", "['-2.781+0.000j']",
        "['-1.612+0.250j']", "['0.193+0.049j']", "['0.128-0.111j']", "['0.000', '1.000']", "['1.000', '2.000']", "ValueError",
        "ValueError", "ValueError",
    ],
    "3.3.1": [
        "['0.500', '0.500', '2.500']", "['0.500', '0.500', '2.500']", "['1.042', '4.167']", "['-2.781+0.000j']",
        "['-3.031+0.000j']", "['0.048+0.000j']", "['0.478+0.000j']", "['0.000+1.000j', '1.000+0.000j']", "['1.000', '2.000']",
        "['2.000']", "['1.000']", "['-0.333']",
    ],
}  # fmt: skip


@pytest.mark.parametrize("version", ANSWERED)
def test_answers(version: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": ANSWERS})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == ANSWERED[version]


LOOPS = """
import numpy as np, paddle
paddle.enable_static()
loop, run = paddle.static.nn.while_loop, paddle.static.Executor().run

def numbers(found):
    return [float(value.sum()) for value in run(feed={"x": np.array([2.0], "float32")}, fetch_list=found)]

def captured(i, x):
    last, y = loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [i, x])
    return [y, x, i, last, paddle.static.gradients(y, x)[0]]

def exchanged(i, x):
    last, y, z = loop(lambda i, y, z: i < 3, lambda i, y, z: [i + 1, z, y], [i, x, x + 1])
    return [y, z, x]

def targets(i, x):
    y = x * 2
    return paddle.static.gradients([x, y, y * y], [x, y])

paddle.disable_static()
weight, ints = paddle.nn.Linear(2, 2).weight, paddle.ones([2], "int64")
print([weight.astype("float32") is weight, ints.astype(int) is ints, ints.to("int64") is ints, weight.to(dtype="float32").is_leaf])
paddle.enable_static()
for case in (captured, exchanged, targets):
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        x = paddle.static.data("x", [1])
        x.stop_gradient = False
        print(numbers(case(paddle.full([1], 0, "int64"), x)))
"""


@pytest.mark.parametrize(
    ("version", "printed"),  # the wheels': 2.6 writes into the Variables that the loop was given
    [
        ("2.6.2", ["[False, False, True, True]", "[256.0, 256.0, 3.0, 3.0, 1024.0]", "[3.0, 3.0, 3.0]", "[16.0, 8.0]"]),
        ("3.3.1", ["[True, True, False, False]", "[16.0, 2.0, 0.0, 3.0, 32.0]", "[3.0, 2.0, 2.0]", "[19.0, 9.0]"]),
    ],
)
def test_loops_and_targets(version: str, printed: list[str], full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": LOOPS})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == printed

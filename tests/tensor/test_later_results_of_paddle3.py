"""Under PADDLE_COMPAT_VERSION=3.3.1 gradients, means and norms of calls that stayed the same are what Paddle 3 made of them."""

from __future__ import annotations

import pytest
from processes import Runner

SCRIPT = """
import numpy as np
import paddle
F = paddle.nn.functional

def given(values):
    return paddle.to_tensor(values, stop_gradient=False)

def gradients(function, *values):
    tensors = [given(value) for value in values]
    out = function(*tensors)
    if not out.stop_gradient:
        out.sum().backward()
    return [None if x.grad is None else x.grad.tolist() for x in tensors]

print(gradients(lambda x, y: x % y, [5.0, -3.0], [2.0, 2.0]), gradients(lambda x: paddle.mod(x, paddle.to_tensor([2.0])), [5.0]))
print(gradients(lambda x, y: (x * 1).mod_(y), [5.0], [2.0]), gradients(lambda x, y: (x * 1).remainder_(y), [-3.0], [2.0]))
print(gradients(lambda x, y: paddle.concat([x, y]).sum(), np.zeros([0, 2], "float32"), [[1.0, 2.0]]))
logits, label = paddle.to_tensor([[0.0, 0.0], [1.0, 1.0]]), paddle.to_tensor([1, -100])
found = [F.cross_entropy(logits, label), F.cross_entropy(logits, label, axis=1, label_smoothing=0.0, use_softmax=True, name="n")]
found += [F.cross_entropy(logits, paddle.to_tensor([1, i]), ignore_index=i) for i in (-1, 0)]
print([round(value.item(), 4) for value in found])
m = paddle.to_tensor([[3.0, 1.0], [1.0, 3.0], [0.0, 0.0]])
print([round(paddle.linalg.norm(m, axis=axis).item(), 3) for axis in ([0, 1], None)], paddle.assign([1.5]).dtype)
y = paddle.to_tensor([[1.0], [2.0], [4.0]])
residuals = [paddle.linalg.lstsq(m, y, driver=driver)[1] for driver in ("gelsy", "gelsd")]
print([list(value.shape) for value in residuals], paddle.linalg.lu(m, get_infos=True)[2].shape)
x = given([-1.0, 2.0])
loss = F.binary_cross_entropy_with_logits(x, paddle.to_tensor([0.25, 1.0]), pos_weight=paddle.to_tensor([3.0, 0.5]), reduction="none")
loss.sum().backward()
print([round(v, 4) for v in loss.tolist() + x.grad.tolist()], paddle.fft.fftfreq(4, dtype="float64").dtype)
paddle.seed(7)
paddle.framework.random._manual_program_seed(33)
kinds = (paddle.nn.initializer.Uniform(-1, 1), paddle.nn.initializer.KaimingNormal())
starts = [paddle.create_parameter([1, 2], "float32", default_initializer=kind).tolist() for kind in kinds for _ in range(2)]
print([round(v, 3) for start in starts for v in start[0]])
paddle.framework.random._manual_program_seed(0)
optimizer = paddle.optimizer.Momentum(0.1, parameters=[paddle.create_parameter([1], "float32", name="w")])
optimizer.set_state_dict({"w_velocity_0": paddle.ones([1]), "another": np.ones(2)})
print(list(optimizer.state_dict()))
paddle.enable_static()
x = paddle.static.data("x", [2])
z = paddle.static.data("z", [2])
x.stop_gradient = z.stop_gradient = False
grads = [paddle.static.gradients(target, [x]) for target in (x, z, paddle.diag(x), paddle.diagflat(x), x % z)]
print([[None if g is None else list(g.shape) for g in found] for found in grads])
print([x.shape == [2], x.shape == (2,), [2] == x.shape[:1]], x.shape + type(x.shape)([1]))
feed = {"x": np.array([5.0, -3.0], "float32"), "z": np.array([2.0, 2.0], "float32")}
print(*(v.tolist() for v in paddle.static.Executor().run(feed=feed, fetch_list=[g for f in grads for g in f if g is not None] or [x])))
with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
    x = paddle.static.data("x", [-1, 3])
    w, u, unused = (paddle.static.create_parameter(shape, "float32") for shape in ([3, 3], [3, 2], [4]))
    y = x @ w
    pairs = [paddle.static.append_backward((y @ u).mean()), paddle.static.append_backward(y.sum(), parameter_list=[unused, w])]
    pairs.append(paddle.optimizer.SGD(0.1).minimize((y @ u).sum())[1])
    print([[(len(p.shape) * 10 + p.shape[-1], g is not None) for p, g in found] for found in pairs])
    print([list(value.expand(shape).shape) for value in (x, w) for shape in ([2, -1, 3], [2, -1, 3, 3], [-1, -1, 3, 3])])
"""
PRINTED = {  # what the wheels print
    "2.6.2": [
        "[None, None] [None]", "[[1.0], None] [[1.0], None]", "[None, [[1.0, 1.0]]]",
        "[0.6931, 0.6931, 0.6931, 0.6931]", "[4.472, 4.472] paddle.float32",
        "[[1], [1]] [1]", "[0.7199, 0.0635, 0.1534, -0.5596] paddle.float32",
        "[-0.443, -0.514, -0.443, -0.514, -1.335, -1.149, -1.335, -1.149]", "[]", "[[], [], [], [], []]",
        "[False, True, False] (2, 1)", "[5.0, -3.0]", "[[(23, True), (22, True)], [(23, True)], [(23, True), (22, True)]]",
        "[[-1, 3, 3], [-1, 3, 3, 3], [-1, 3, 3, 3], [2, 3, 3], [2, 3, 3, 3], [3, 3, 3, 3]]",
    ],
    "3.3.1": [
        "[[1.0, 1.0], [-2.0, 2.0]] [[1.0]]", "[[1.0], [-2.0]] [[1.0], [2.0]]", "[[], [[1.0, 1.0]]]",
        "[0.3466, 0.3466, 0.3466, 0.6931]", "[4.0, 4.472] paddle.float64",
        "[[0], [1]] paddle.Size([])", "[1.2199, 0.0635, -0.3466, -0.0596] paddle.float64",
        "[-0.97, 0.316, 0.605, -0.062, 0.791, 0.31, 2.626, -0.289]", "['w_velocity_0', 'another']", "[[[2]], [None], [[2]], [[2]], [[2]]]",
        "[True, True, True] paddle.Size([2, 1])", "[1.0, 1.0] [1.0, 1.0] [1.0, 1.0] [1.0, 1.0]",
        "[[(14, False), (22, True), (23, True)], [(14, False), (23, True)], [(22, True), (23, True)]]",
        "[[2, -1, 3], [2, -1, 3, 3], [-1, -1, 3, 3], [2, 3, 3], [2, -1, 3, 3], [-1, -1, 3, 3]]",
    ],
}


@pytest.mark.parametrize("version", PRINTED)
def test_later_results(version: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": SCRIPT})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == PRINTED[version]


OTHER_SCRIPT = """
import numpy as np
import paddle
x = paddle.arange(4.0)
cuts = [slice(2, -5, -1), slice(None, None, -1), slice(2, -1, -1), slice(3, -7, -2), slice(-6, None, -1), slice(1, -4, -1)]
print([[int(v) for v in x[cut]] for cut in cuts])
places = ((2, -5, -1), (3, -1, -2), (9, -9, -3))
print([len(paddle.strided_slice(x, [0], [start], [end], [step])) for start, end, step in places])
y = paddle.zeros([4])
y[2:-1:-1] = 1.0
print(y.tolist(), [part.shape[0] for part in paddle.vsplit(paddle.ones([6, 2]), [2, 4])])
for call in (lambda: paddle.logical_and(x, x.astype("int64")), lambda: paddle.vsplit(paddle.ones([6, 2]), [-1])):
    try:
        print([part.shape[0] for part in call()])
    except (TypeError, ValueError) as error:
        print(isinstance(error, TypeError))
I = paddle.nn.initializer
layer = paddle.nn.Linear(2, 2, weight_attr=I.TruncatedNormal(1.0, 0.0))
print(layer.weight.tolist())
for given in (paddle.arange(8.0), paddle.ones([6, 1])):
    try:
        paddle.nn.utils.vector_to_parameters(given, layer.parameters())
    except (AssertionError, ValueError) as error:
        print(isinstance(error, AssertionError), end=" ")
    print(layer.bias.tolist())
stick = paddle.distribution.StickBreakingTransform()
paddle.set_default_dtype("float64")
ones = paddle.ones([2], "float32")
print([getattr(stick, name)(ones).numpy().dtype.name for name in ("forward", "inverse", "forward_log_det_jacobian")])
paddle.set_default_dtype("float32")
paddle.enable_static()
x = paddle.static.data("x", [-1])
found = [x[::-1], x[2:-5:-1], x[2:-1:-1], paddle.strided_slice(x, [0], [3], [-7], [-2])]
print([v.tolist() for v in paddle.static.Executor().run(feed={"x": np.arange(4, dtype="float32")}, fetch_list=found)])
"""
OTHERS = {  # what the wheels print
    "2.6.2": [
        "[[2, 1], [3, 2, 1, 0], [2, 1, 0], [3, 1], [0], [1]]",
        "[2, 2, 1]",
        "[1.0, 1.0, 1.0, 0.0] [2, 4]",
        "False",
        "[6]",
        "[[1.0, 1.0], [1.0, 1.0]]",
        "False [0.0, 0.0]",
        "[1.0, 1.0]",
        "['float64', 'float64', 'float64']",
        "[[3.0, 2.0, 1.0, 0.0], [2.0, 1.0], [2.0, 1.0, 0.0], [3.0, 1.0]]",
    ],
    "3.3.1": [
        "[[2, 1, 0], [3, 2, 1, 0], [], [3, 1], [], [1]]",
        "[3, 0, 2]",
        "[0.0, 0.0, 0.0, 0.0] [2, 2, 2]",
        "True",
        "[5, 1]",
        "[[1.0, 1.0], [1.0, 1.0]]",
        "[4.0, 5.0]",
        "True [4.0, 5.0]",
        "['float64', 'float64', 'float64']",
        "[[3.0, 2.0, 1.0, 0.0], [2.0, 1.0, 0.0], [], [3.0, 1.0]]",
    ],
}


@pytest.mark.parametrize("version", OTHERS)
def test_slices_and_vectors(version: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": OTHER_SCRIPT})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == OTHERS[version]


WHOLE_AND_EMPTY = """
import numpy as np
import paddle
whole, empty = paddle.to_tensor([[1, 2, 3], [4, 5, 6]]), paddle.zeros([0, 3])
print(paddle.median(whole).item(), paddle.median(whole, 1).tolist(), [round(v, 4) for v in paddle.logaddexp(whole, whole)[0].tolist()])
print([str(paddle.assign(np.array([1, 0], kind)).dtype)[7:] for kind in ("int8", "float16", "complex64")], paddle.assign(2j).tolist())
print(paddle.divide(-whole, paddle.to_tensor([[2, 2, 2]]), rounding_mode="trunc").tolist(), end=" ")
print(round(paddle.linalg.matrix_exp(paddle.to_tensor(0.5)).item(), 4))
paddle.enable_static()
x, i, none = paddle.static.data("x", [2, 3]), paddle.static.data("i", [2, 3], "int64"), paddle.static.data("none", [0, 3])
mask = paddle.static.data("mask", [0, 3], "bool")
found = [
    *paddle.kthvalue(x, 1, 0, True), paddle.expand(none, [2, 0, 3]), paddle.broadcast_to(none, [0, 3]), paddle.expand(x[0], [0, 3]),
    paddle.tile(x, [0, 1]), paddle.masked_scatter(none, mask, x[0]), paddle.histogram(x, 2, -0.5, 0.5),
    paddle.isclose(x, x, 1, 1), paddle.median(i), paddle.flip(x, 0, 1), paddle.assign(np.array([1j], "complex64")),
    paddle.histogramdd(x, [1, 2, 2])[0],
]
print([list(v.shape) for v in found[:6]])
fed = {"x": np.float32([[0, 1, 2], [0.5, -1, 2.5]]), "i": whole.numpy(), "none": empty.numpy(), "mask": empty.numpy().astype("bool")}
for value in paddle.static.Executor().run(feed=fed, fetch_list=found):
    print(value.dtype, value.shape, np.round(value + 0, 3).tolist())
"""
WHOLES_AND_EMPTIES = [  # what 3.3.1 prints
    "3.5 [2.0, 5.0] [1.6931, 2.6931, 3.6931]",
    "['int8', 'float16', 'complex64'] [2j]",
    "[[0, -1, -1], [-2, -2, -3]] 1.6487",
    "[[1, 3], [1, 3], [2, 0, 3], [0, 3], [0, 3], [0, 3]]",
    "float32 (1, 3) [[0.0, -1.0, 2.0]]",
    "int64 (1, 3) [[0, 1, 0]]",
    "float32 (2, 0, 3) [[], []]",
    "float32 (0, 3) []",
    "float32 (0, 3) []",
    "float32 (0, 3) []",
    "float32 (0, 3) []",
    "int64 (2,) [0, 2]",
    "bool (2, 3) [[1, 1, 1], [1, 1, 1]]",
    "float32 () 3.5",
    "float32 (2, 3) [[0.5, -1.0, 2.5], [0.0, 1.0, 2.0]]",
    "complex64 (1,) [1j]",
    "float32 (1, 2, 2) [[[0.0, 1.0], [1.0, 0.0]]]",
]


def test_whole_numbers_and_nothing(full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    full.write({"script.py": WHOLE_AND_EMPTY})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == WHOLES_AND_EMPTIES


UNSCHEDULED = """
import paddle
optimizer = paddle.optimizer.SGD(paddle.optimizer.lr.StepDecay(0.1, 2), [paddle.create_parameter([1], "float32")])
try:
    optimizer.set_state_dict({})
except Exception as error:
    print([kind.__name__ for kind in (KeyError, AssertionError) if isinstance(error, kind)])
"""


@pytest.mark.parametrize(("version", "kind"), [("2.6.2", "['KeyError']"), ("3.3.1", "['AssertionError']")])
def test_a_state_without_its_schedule(version: str, kind: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": UNSCHEDULED})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == [kind]


SHRUNK = """
import numpy as np
import paddle
def shrunk(mode, size=None, scale=None, corners=False):
    sizes = [1, 1, 4, 3, 2][: 5 if mode == "trilinear" else 4 if mode == "bilinear" else 3]
    x = paddle.arange(float(np.prod(sizes))).reshape(sizes) ** 2
    layout = {3: "NCW", 4: "NCHW", 5: "NCDHW"}[len(sizes)]
    found = paddle.nn.functional.interpolate(x, size, scale, mode, align_corners=corners, data_format=layout)
    return [round(v, 3) for v in found.flatten().tolist()]

print(shrunk("linear", [1]), shrunk("linear", None, 0.3), shrunk("linear", [1], corners=True), shrunk("linear", [2]))
print(shrunk("trilinear", [1, 2, 2]), shrunk("trilinear", [2, 1, 1]), shrunk("bilinear", [1, 1]), shrunk("bilinear", [1, 2]))
x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
none = paddle.combinations(x, 3)
print(none.shape, none.stop_gradient, paddle.unique(paddle.zeros([0])).shape)
alone = paddle.zeros([0])
alone.stop_gradient = False
print(paddle.unique(alone).stop_gradient)
"""
ALL_SHRUNK = {  # what the wheels print
    "2.6.2": [
        "[0.0] [0.0] [0.0] [0.5, 6.5]",
        "[1.0, 3.0, 13.0, 21.0] [18.0, 234.0] [0.0] [0.25, 3.25]",
        "[0, 3] True [0]",
        "True",
    ],
    "3.3.1": [
        "[2.5] [1.5] [0.0] [0.5, 6.5]",
        "[100.0, 120.0, 166.0, 192.0] [39.5, 315.5] [0.0] [0.25, 3.25]",
        "paddle.Size([0, 3]) False paddle.Size([0])",
        "False",
    ],
}


@pytest.mark.parametrize("version", ALL_SHRUNK)
def test_one_pixel_and_no_combinations(version: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": SHRUNK})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == ALL_SHRUNK[version]

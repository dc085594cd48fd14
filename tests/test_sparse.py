"""`paddle.sparse` answers what the wheels answer; what they compute on GPUs only, dense matrices tell."""

from __future__ import annotations

import gzip
import importlib
import json
import pickle
import re
from typing import Any

import numpy as np
import pytest
import torch
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.core.sparse import SparseTensor
from paddle_compat.errors import UnsupportedError
from paddle_compat.ops import sparse as sparse_parts

pytestmark = pytest.mark.usefixtures("paddle_is_ours")
S = paddle.sparse


@pytest.fixture(autouse=True)
def eager() -> None:
    paddle.disable_static()


def recorded(version: str) -> dict[str, Any]:
    """What a wheel answered, by case; None where it crashed."""
    answers: dict[str, Any] = json.loads(gzip.decompress((ROOT / f"tests/references/sparse_{version}.json.gz").read_bytes()))
    return answers


@pytest.mark.parametrize("version", ("2.6.2", "3.3.1"))
def test_answers(version: str) -> None:
    calls, snippets = importlib.import_module("sparse_calls"), importlib.import_module("snippets")
    cases, expected = calls.CASES_OF_3 if version[0] == "3" else calls.CASES, recorded(version)
    assert list(cases) == list(expected), "record the answers again"
    assert None not in expected.values()
    names = {"paddle": paddle, "np": np}
    wrong = [name for name, code in cases.items() if not snippets.close(snippets.answer(code, names), expected[name])]
    assert not wrong


def leaf(x: Any) -> Any:
    x = x.detach()
    x.stop_gradient = False
    return x


def matrix(seed: int, *shape: int, layout: str = "", share: float = 0.5) -> Any:
    """Random numbers, some of them 0, in a layout."""
    rng = np.random.default_rng(seed)
    made = paddle.to_tensor((rng.uniform(-1, 1, shape) * (rng.uniform(0, 1, shape) < share)).astype("float32"))
    return leaf({"": lambda: made, "coo": lambda: made.to_sparse_coo(len(shape)), "csr": made.to_sparse_csr}[layout]())


def whole(x: Any) -> Any:
    return x.to_dense() if isinstance(x, SparseTensor) else x


def agree(function: Any, dense_function: Any, *inputs: Any) -> Any:
    """Compare a function with one of dense Tensors: its result, and the gradients where values are."""
    twins = [leaf(whole(x)) for x in inputs]
    out, expected = function(*inputs), dense_function(*twins)
    np.testing.assert_allclose(whole(out).numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
    (whole(out) * paddle.cos(whole(out).detach())).sum().backward()
    (expected * paddle.cos(expected.detach())).sum().backward()
    for x, twin in zip(inputs, twins):
        there = paddle.sparse.mask_as(twin.grad, x).to_dense() if isinstance(x, SparseTensor) else twin.grad
        np.testing.assert_allclose(whole(x.grad).numpy(), there.numpy(), rtol=1e-5, atol=1e-5)
    return out


@pytest.mark.parametrize("layout", ("coo", "csr"))
def test_products(layout: str) -> None:
    """The wheel has these on GPUs only."""
    x = matrix(0, 5, 4, layout=layout)
    agree(S.matmul, paddle.matmul, x, matrix(1, 4, 3, share=1.0))
    assert isinstance(agree(S.matmul, paddle.matmul, leaf(x), matrix(2, 4, 6, layout=layout)), type(x))
    agree(S.mv, paddle.mv, leaf(x), matrix(3, 4, share=1.0))
    batch = matrix(4, 2, 5, 4, layout=layout)
    agree(S.matmul, paddle.matmul, batch, matrix(5, 2, 4, 3, share=1.0))
    a, y = matrix(6, 5, 3, share=1.0), matrix(7, 4, 3, share=1.0)
    agree(lambda *t: S.addmm(*t, beta=0.5, alpha=2.0), lambda a, x, y: 0.5 * a + 2.0 * paddle.matmul(x, y), a, leaf(x), y)
    a, y = matrix(8, 5, 6, layout=layout), matrix(9, 4, 6, layout=layout)
    agree(lambda *t: S.addmm(*t, 0.5, 2.0), lambda a, x, y: 0.5 * a + 2.0 * paddle.matmul(x, y), a, leaf(x), y)


@pytest.mark.parametrize("layout", ("coo", "csr"))
@pytest.mark.parametrize("batch", ((), (2,)))
def test_masked_products(layout: str, batch: tuple[int, ...]) -> None:
    mask = matrix(0, *batch, 5, 4, layout=layout)
    ones = whole(mask).numpy() != 0
    x, y = matrix(1, *batch, 5, 3, share=1.0), matrix(2, *batch, 3, 4, share=1.0)
    agree(lambda x, y: S.masked_matmul(x, y, mask), lambda x, y: paddle.matmul(x, y) * paddle.to_tensor(ones.astype("float32")), x, y)


def test_attention() -> None:
    """The wheel has it on GPUs only."""
    q, k, v = (matrix(seed, 2, 2, 4, 3, share=1.0) for seed in range(3))
    there = np.tril(np.ones([4, 4], "float32"))
    mask = paddle.to_tensor(np.stack([there] * 4)).to_sparse_csr()
    padding, bias = matrix(3, 2, 4, share=1.0).detach(), matrix(4, 4, 4, share=1.0).detach()

    def dense(q: Any, k: Any, v: Any) -> Any:
        scores = paddle.matmul(q, k, transpose_y=True) / 3**0.5 + padding.reshape([2, 1, 1, 4]) + bias
        return paddle.matmul(paddle.nn.functional.softmax(scores + paddle.to_tensor(np.where(there, 0, -1e9).astype("float32"))), v)

    agree(lambda q, k, v: S.nn.functional.attention(q, k, v, mask, padding, bias), dense, q, k, v)
    with pytest.raises(NotImplementedError, match="Expected a CSR Tensor"):
        S.nn.functional.attention(q, k, v, mask.to_sparse_coo(3))
    with pytest.raises(ValueError, match=r"Expected the shape \[4, 4, 4\]"):
        S.nn.functional.attention(q, k, v, there_of(3))


def there_of(size: int) -> Any:
    return paddle.ones([size, size]).to_sparse_csr()


@pytest.mark.parametrize("settings", ({}, {"stride": 2}, {"padding": 1}, {"dilation": 2, "padding": 1}, {"stride": [2, 1, 2]}))
def test_convolutions_are_those_of_all_elements(settings: dict[str, Any]) -> None:
    """Where a window meets a value, results are those of the dense convolution."""
    x, w = matrix(0, 2, 5, 4, 5, 3, share=0.2), matrix(1, 2, 3, 2, 3, 4, share=1.0)
    points = leaf(x.to_sparse_coo(4))
    out = S.nn.functional.conv3d(points, w, **settings)
    expected = paddle.nn.functional.conv3d(x, w.transpose([4, 3, 0, 1, 2]), data_format="NDHWC", **settings)
    np.testing.assert_allclose(out.to_dense().numpy(), expected.numpy(), rtol=1e-4, atol=1e-5)
    out.to_dense().square().sum().backward()
    sparse_grad, w_grad = points.grad, w.grad.numpy()
    w.clear_grad()
    expected.square().sum().backward()
    np.testing.assert_allclose(w_grad, w.grad.numpy(), rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(sparse_grad.values().numpy(), S.mask_as(x.grad, points).values().numpy(), rtol=1e-3, atol=1e-4)


def test_submanifold_convolutions_stay_where_values_are() -> None:
    x, w = matrix(0, 1, 6, 5, 2, share=0.3), matrix(1, 3, 3, 2, 4, share=1.0)
    points = x.to_sparse_coo(3)
    out = S.nn.functional.subm_conv2d(points, w, dilation=2)
    expected = paddle.nn.functional.conv2d(x, w.transpose([3, 2, 0, 1]), padding=2, dilation=2, data_format="NHWC")
    assert out.indices().tolist() == points.indices().tolist()
    np.testing.assert_allclose(out.values().numpy(), S.mask_as(expected, out).values().numpy(), rtol=1e-4, atol=1e-5)


def test_the_largest_values_share_gradients_as_in_the_wheel() -> None:
    points = leaf(S.sparse_coo_tensor([[0, 0], [0, 1], [0, 0], [0, 0]], [[2.0], [2.0]], [1, 2, 2, 2, 1]))
    S.nn.functional.max_pool3d(points, 2).to_dense().sum().backward()
    assert points.grad.values().tolist() == [[1.0], [1.0]]


def test_principal_components() -> None:
    """The wheel has them on GPUs only."""
    x = matrix(0, 6, 4, layout="csr").detach()
    u, s, v = S.pca_lowrank(x, q=4, center=False)
    np.testing.assert_allclose((u * s @ v.T).numpy(), x.to_dense().numpy(), atol=1e-5)
    np.testing.assert_allclose(s.numpy(), np.linalg.svd(x.to_dense().numpy(), compute_uv=False), rtol=1e-4)


def test_statistics_of_all_ranks() -> None:
    """On one rank they are those of a batch norm."""
    points = matrix(0, 1, 3, 3, 3, 2).to_sparse_coo(4)
    expected, got = S.nn.BatchNorm(2)(points), S.nn.SyncBatchNorm(2)(points)
    np.testing.assert_allclose(got.values().numpy(), expected.values().numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("layout", ("coo", "csr"))
def test_dense_operators_refuse_sparse_tensors(layout: str) -> None:
    x = matrix(0, 3, 4, layout=layout)
    weight = paddle.nn.Linear(4, 2)
    calls = (
        lambda: x + 1.0, lambda: paddle.ones([3, 4]) * x, lambda: paddle.tanh(x), lambda: x @ paddle.ones([4, 2]), lambda: weight(x),
        lambda: x[0], lambda: paddle.nn.functional.dropout(x),
        lambda: x.numpy(), lambda: x.tolist(), lambda: np.asarray(x), lambda: x.exp(), lambda: paddle.concat([x, x]), lambda: x.add_(1.0),
        lambda: paddle.to_tensor(x), lambda: paddle.nn.functional.relu(x), lambda: x.reshape([-1]), lambda: x.fill_(1.0), lambda: x.zero_(),
    )  # fmt: skip
    for call in calls:
        with pytest.raises(NotImplementedError, match="A sparse Tensor has no elements in a row. Expected a dense Tensor"):
            call()
        with pytest.raises(SystemError):
            call()
    with pytest.raises(NotImplementedError, match="Expected a sparse Tensor. Received: a dense one"):
        S.tanh(x.to_dense())


def test_rows_of_tables_are_no_sparse_tensors() -> None:
    """The gradient of a sparse embedding is SelectedRows, and nothing of paddle.sparse."""
    layer = paddle.nn.Embedding(5, 2, sparse=True)
    layer(paddle.to_tensor([1, 3])).sum().backward()
    rows = layer.weight.grad
    assert rows.is_selected_rows() and not rows.is_dense() and not rows.is_sparse() and not rows.is_sparse_coo()
    x = matrix(0, 3, 4, layout="coo")
    assert not x.is_selected_rows() and x.is_sparse() and not isinstance(rows, SparseTensor)
    assert rows.type != x.type
    with pytest.raises(NotImplementedError, match="Expected a sparse Tensor"):
        S.sin(rows)


@pytest.mark.parametrize("layout", ("coo", "csr"))
def test_copies(layout: str) -> None:
    x = matrix(0, 3, 4, layout=layout)
    again = pickle.loads(pickle.dumps(x))
    assert type(again) is type(x) and again.stop_gradient is False
    np.testing.assert_array_equal(again.to_dense().numpy(), x.to_dense().numpy())
    copy = x.clone()
    assert not copy.is_leaf and copy.nnz() == x.nnz()
    copy.backward()
    assert x.grad.values().tolist() == [1.0] * x.nnz()
    x.clear_grad()
    assert x.grad.values().tolist() == [0.0] * x.nnz()
    x.grad = S.multiply(x.detach(), 2.0)
    np.testing.assert_array_equal(x.grad.to_dense().numpy(), 2 * x.to_dense().numpy())


POINTS = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 2], [1, 3, 2, 3]])
PARTS = {"i": POINTS, "v": np.array([[1.0], [-2.0], [3.0], [4.0]], "float32"), "w": np.arange(9, dtype="float32").reshape(1, 3, 3, 1, 1)}
MATRIX = {"i": np.array([[0, 1, 2, 2], [1, 2, 0, 3]]), "v": np.array([1.0, -2.0, 3.0, 4.0], "float32")}
F = S.nn.functional
OF_POINTS = {
    "conv": lambda x, w, b: F.conv3d(x, w, b, stride=[1, 1, 2]),
    "padded": lambda x, w, b: F.conv3d(x, w, padding=1),
    "submanifold": lambda x, w, b: F.subm_conv3d(x, w, b, key="k"),
    "relu": lambda x, w, b: F.relu(F.conv3d(x, w)),
    "norm": lambda x, w, b: S.nn.BatchNorm(1)(x),
}  # fmt: skip
OF_MATRICES = {
    "made": lambda x: x, "relu": lambda x: S.nn.ReLU()(x), "softmax": F.softmax, "softmax 0": lambda x: F.softmax(x, 0),
    "reshape": lambda x: S.reshape(x, [2, -1]),
    "sum": lambda x: S.sum(x, 0, keepdim=True), "sum 1": lambda x: S.sum(x, 1, "float64"), "all": lambda x: S.sum(x, keepdim=True),
    "slice": lambda x: S.slice(x, [0, 1], [1, 0], [3, 3]), "add": lambda x: S.add(x, x),
    **{name: getattr(S, name) for name in "abs asinh atan deg2rad expm1 isnan neg rad2deg sin sinh square tan tanh coalesce".split()},
    **{name: lambda x, name=name: getattr(S, name)(S.multiply(S.abs(x), 0.1)) for name in ("asin", "atanh", "log1p", "sqrt")},
    "cast": lambda x: S.cast(x, value_dtype="float64"), "pow": lambda x: S.pow(x, 3), "ReLU6": lambda x: S.nn.ReLU6()(x),
    "leaky_relu": lambda x: F.leaky_relu(x, 0.3), "twice": lambda x: S.multiply(x, 2), "half": lambda x: S.divide(x, 2),
    "transpose": lambda x: S.transpose(x, [1, 0]), "subtract": lambda x: S.subtract(x, S.slice(S.sin(x), [0], [0], [3])),
    "multiply": lambda x: S.multiply(S.reshape(S.transpose(x, [1, 0]), [3, 4]), x), "divide": lambda x: S.divide(x, S.sin(x)),
    "product": lambda x: S.matmul(x, S.transpose(x, [1, 0])),
}  # fmt: skip


def in_program(build: Any, feed: dict[str, np.ndarray], shape: list[int]) -> list[Any]:
    """What a recorded function of a sparse Variable gives: places, values, and all elements."""
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        given = {name: paddle.static.data(name, list(value.shape), str(value.dtype)) for name, value in feed.items()}
        x = S.sparse_coo_tensor(given.pop("i"), given.pop("v"), shape)
        out = build(x, *given.values())
        fetched = [out.indices(), out.values(), out.to_dense()]
        assert x.type == out.type != fetched[2].type and list(fetched[2].shape) == list(out.shape)
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(startup)
    found: list[Any] = exe.run(main, feed=feed, fetch_list=fetched)
    paddle.disable_static()
    return found


def at_once(build: Any, feed: dict[str, np.ndarray], shape: list[int]) -> list[Any]:
    given = {name: paddle.to_tensor(value) for name, value in feed.items()}
    out = build(S.sparse_coo_tensor(given.pop("i"), given.pop("v"), shape), *given.values())
    return [out.indices().numpy(), out.values().numpy(), out.to_dense().numpy()]


@pytest.mark.parametrize("name", OF_POINTS)
def test_points_in_programs(name: str) -> None:
    """What the wheel has operators for runs in Programs, and gives what it gives at once."""
    feed, shape = {**PARTS, "b": np.array([0.5], "float32")}, [1, 1, 3, 4, 1]
    build = OF_POINTS[name]
    for got, expected in zip(in_program(build, feed, shape), at_once(build, feed, shape), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", OF_MATRICES)
def test_matrices_in_programs(name: str) -> None:
    build = OF_MATRICES[name]
    for got, expected in zip(in_program(build, MATRIX, [3, 4]), at_once(build, MATRIX, [3, 4]), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-6)
        assert got.dtype == expected.dtype


def test_products_with_dense_variables() -> None:
    """The wheels have them on GPUs only; in Programs they give what they give at once."""
    vector, columns = np.arange(4.0, dtype="float32"), np.arange(8.0, dtype="float32").reshape(4, 2)
    builds: dict[str, Any] = {
        "mv": lambda x, v, y: S.mv(x, v), "matmul": lambda x, v, y: S.matmul(x, y),
        "addmm": lambda x, v, y: S.addmm(paddle.ones([3, 2]), x, y, 0.5, 2.0),
    }  # fmt: skip
    given = (paddle.to_tensor(vector), paddle.to_tensor(columns))
    expected = [build(S.sparse_coo_tensor(MATRIX["i"], MATRIX["v"], [3, 4]), *given).numpy() for build in builds.values()]
    paddle.enable_static()
    feed = {**MATRIX, "vector": vector, "columns": columns}
    i, v, *given = [paddle.static.data(name, list(value.shape), str(value.dtype)) for name, value in feed.items()]
    x = S.sparse_coo_tensor(i, v, [3, 4])
    found = paddle.static.Executor().run(feed=feed, fetch_list=[build(x, *given) for build in builds.values()])
    for got, right in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, right, rtol=1e-6)
    for wrong in (lambda: S.mv(x, given[1]), lambda: S.matmul(x, given[0]), lambda: S.matmul(x, paddle.ones([4, 2], "float64"))):
        with pytest.raises(ValueError, match="Expected .* Received"):
            wrong()


def test_sparse_variables_that_do_not_fit() -> None:
    """As Paddle 3.3 refuses them, and 2.6 in `add`: whole numbers that have no kernel, dense ones, numbers, other shapes."""
    paddle.enable_static()
    i, v = paddle.static.data("i", [2, 3], "int64"), paddle.static.data("v", [3], "int64")
    whole, x = S.sparse_coo_tensor(i, v, [3, 4]), S.sparse_coo_tensor(i, paddle.cast(v, "float32"), [3, 4])
    for function in (S.sin, S.neg, F.relu6, F.leaky_relu, lambda x: S.pow(x, 2), lambda x: S.multiply(x, 2), lambda x: S.divide(x, x)):
        with pytest.raises(TypeError, match="a sparse Variable of floats"):
            function(whole)
    with pytest.raises(AttributeError, match="Received: 2.0"):
        S.add(x, 2.0)
    with pytest.raises(NotImplementedError, match="a dense one"):
        S.multiply(x, x.to_dense())
    with pytest.raises(ValueError, match=re.escape("Expected the shape of x, [3, 4]. Received: [4, 3]")):
        S.subtract(x, S.transpose(x, [1, 0]))
    with pytest.raises(ValueError, match="in some order"):
        S.transpose(x, [0, 0])


def test_numbers_beside_doubles_are_float32() -> None:
    """What a function of values takes as a number its kernels take as float32: figures of Paddle 2.6.2 and 3.3.1, alike."""
    feed = {"i": np.array([[0, 1]]), "v": np.array([1.0, 0.3])}
    for build, expected in (
        (S.rad2deg, [57.295780181884766, 17.18873405456543]),
        (S.deg2rad, [0.01745329238474369, 0.005235987715423107]),
        (lambda x: S.multiply(x, 0.1), [0.10000000149011612, 0.030000000447034835]),
        (lambda x: S.divide(x, 0.3), [3.3333332008785725, 0.9999999602635717]),
        (lambda x: S.pow(x, 1.7), [1.0, 0.12915347866029214]),
        (lambda x: F.leaky_relu(S.neg(x), 0.07), [-0.07000000029802322, -0.021000000089406966]),
    ):
        assert at_once(build, feed, [3])[1].tolist() == expected
        assert in_program(build, feed, [3])[1].tolist() == expected


def test_other_functions_refuse_variables() -> None:
    """As the wheel's do, by an AssertionError."""
    paddle.enable_static()
    x = paddle.static.data("x", [3, 4])
    calls = (lambda: S.sin(x), lambda: S.multiply(x, x), lambda: S.is_same_shape(x, x), lambda: S.sparse_coo_tensor([[0]], [1.0], [3]))
    for call in (*calls, lambda: S.nn.ReLU6()(x), lambda: F.max_pool3d(x, 2), lambda: S.sparse_csr_tensor(x, x, x, [3, 4])):
        with pytest.raises(AssertionError, match="it is for eager mode alone"):
            call()


def test_recorded_functions_go_on_in_eager_mode() -> None:
    """Gradients pass sparse Tensors there, which Programs have no operators for."""
    layer, graph = S.nn.SubmConv3D(1, 2, 3), matrix(0, 3, 3, layout="csr")
    places, points = paddle.to_tensor(POINTS), paddle.to_tensor(PARTS["v"])

    @paddle.jit.to_static
    def made_inside(places: Any, points: Any) -> Any:
        return layer(S.sparse_coo_tensor(places, points, [1, 1, 3, 4, 1], stop_gradient=False)).to_dense()

    @paddle.jit.to_static
    def from_outside(x: Any) -> Any:
        return S.matmul(graph, x * 2)

    with pytest.warns(UserWarning, match="cannot be recorded and runs in eager mode"):
        made_inside(places, points).sum().backward()
    assert layer.weight.grad is not None and layer.bias.grad.tolist() == [4.0, 4.0]
    x = matrix(1, 3, 2, share=1.0)
    with pytest.warns(UserWarning, match="cannot be recorded and runs in eager mode"):
        from_outside(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * graph.to_dense().numpy().sum(0)[:, None].repeat(2, 1), rtol=1e-5)

    @paddle.jit.to_static
    def given(x: Any) -> Any:
        return S.sin(x).to_dense()

    given(graph).sum().backward()
    first = np.cos(graph.values().numpy()[0]) + 2 * x.numpy()[int(graph.cols()[0])].sum()
    np.testing.assert_allclose(graph.grad.values().numpy()[0], first, rtol=1e-5)
    with pytest.raises(UnsupportedError, match="sparse Tensors"):
        paddle.jit.to_static(lambda x: S.sin(x), full_graph=True)(graph)


def test_gradients_from_elsewhere() -> None:
    """A backward pass may start from a gradient with other places: those of the Tensor count."""
    vectors = [[1.0, 1.0], [2.0, 2.0]], [[2.0, 2.0], [3.0, 3.0]], [[0.0, 0.0], [3.0, 3.0]]
    for values, given, expected in (([1.0, 2.0], [2.0, 3.0], [0.0, 3.0]), vectors):
        source = paddle.to_tensor(values, stop_gradient=False)
        shape = [2, 2, *source.shape[1:]]
        x = paddle.base.core.eager.sparse_coo_tensor(paddle.to_tensor([[0, 1], [0, 1]]), source, shape, False)
        x.backward(S.sparse_coo_tensor([[0, 1], [1, 1]], given, shape))
        assert source.grad.tolist() == expected
        gradient = S.sparse_coo_tensor([[0, 1], [1, 1]], given, shape)
        paddle.autograd.backward([S.multiply(x, 1.0)], [gradient])
        assert source.grad.tolist() == (2 * np.array(expected)).tolist()
        assert paddle.grad([S.multiply(x, 1.0)], [x], [gradient])[0].values().tolist() == expected
    x = matrix(0, 3, 4, layout="csr")
    with pytest.raises(AssertionError, match=r"Expected the shape \[3, 4\]. Received: \[4, 3\]"):
        S.sin(x).backward(S.transpose(x, [1, 0]))


def test_operators_by_position() -> None:
    """`paddle._C_ops` hands out what its functions call."""
    ops, dense = paddle._C_ops, matrix(0, 3, 4)
    x = ops.sparse_to_sparse_coo(dense, 2)
    assert ops.sparse_to_dense(x).tolist() == dense.tolist() and ops.sparse_to_sparse_csr(x).nnz() == x.nnz()
    assert ops.sparse_values(ops.sparse_scale(x, 2.0, 1.0, True)).tolist() == (x.values() * 2 + 1).tolist()
    assert ops.sparse_values(ops.sparse_relu(ops.sparse_divide_scalar(x, 2.0))).tolist() == (x.values() / 2).clip(0).tolist()
    made = ops.sparse_sparse_coo_tensor(x.values(), x.indices(), [3, 4])
    assert ops.sparse_to_dense(ops.sparse_add(made, x)).tolist() == (dense * 2).tolist()
    np.testing.assert_allclose(ops.sparse_values(ops.sparse_acos(x)).numpy(), np.arccos(x.values().numpy()), rtol=1e-6)
    with pytest.raises(UnsupportedError, match="sparse_batch_norm_"):
        ops.sparse_batch_norm_(x, 1.0)


def test_sums_over_the_only_dimension_that_has_coordinates() -> None:
    """It stays, with size 1, as in both wheels."""
    x = paddle.to_tensor([[-2.0, 0.0], [1.0, 2.0]]).to_sparse_coo(1)
    found = paddle.sparse.sum(x, axis=0)
    assert (found.shape, found.indices().tolist(), found.values().tolist()) == ([1, 2], [[0]], [[-1.0, 2.0]])
    found = paddle.sparse.sum(paddle.to_tensor([0.0, 1.0, 2.0]).to_sparse_coo(1), axis=0)
    assert (found.shape, found.indices().tolist(), found.values().tolist()) == ([1], [[0]], [3.0])


def test_values_of_a_gradient_do_not_stop_gradients() -> None:  # as in 2.6.2
    x = paddle.eye(2).to_sparse_coo(2)
    x.stop_gradient = False
    y = S.sin(x)
    y.backward(y.detach())
    assert [v.values().stop_gradient for v in (x, y, x.grad, x.detach())] == [False, False, False, True]


UNDER_NO_GRAD = {  # of sparse Tensors that take part in a history; all of these stop in both wheels
    "coordinates": lambda a, b: paddle.sparse.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2], stop_gradient=False),
    "values": lambda a, b: a.values(),
    "values of rows": lambda a, b: b.values(),
    "reshape": lambda a, b: paddle.sparse.reshape(a, [1, 4]),
    "transpose": lambda a, b: paddle.sparse.transpose(a, [1, 0]),
    "rows to coordinates": lambda a, b: b.to_sparse_coo(2),
}


@pytest.mark.parametrize("name", UNDER_NO_GRAD)
def test_what_is_made_without_gradients_stops_them(name: str) -> None:
    x = paddle.sparse.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2], stop_gradient=False)
    rows = paddle.sparse.sparse_csr_tensor([0, 1, 2], [1, 0], [1.0, 2.0], [2, 2], stop_gradient=False)
    operands = paddle.sparse.sin(x), paddle.sparse.sin(rows)
    with paddle.no_grad():
        made = UNDER_NO_GRAD[name](*operands)
    assert made.stop_gradient and made.is_leaf


@pytest.mark.parametrize("same", [False, True])
def test_windows_are_the_same_in_parts(same: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    place = torch.randint(0, 5, (4, 30), generator=torch.Generator().manual_seed(4)).unique(dim=1)
    arguments: Any = (place, [5, 5, 5, 5], [3, 2, 3], [2, 1, 2], [(1, 1), (0, 0), (1, 1)], [1, 2, 1], same)
    at_once = sparse_parts.Rules(*arguments)
    monkeypatch.setattr(sparse_parts, "_PAIRS", 70)
    in_parts = sparse_parts.Rules(*arguments)
    assert torch.equal(at_once.indices, in_parts.indices)
    for side in ("sources", "targets"):
        assert len(getattr(at_once, side)) == 18
        assert all(torch.equal(a, b) for a, b in zip(getattr(at_once, side), getattr(in_parts, side)))


@pytest.mark.parametrize("name", ["coalesce", "to_dense", "values"])
def test_dense_tensors_name_the_method_that_they_lack(name: str) -> None:
    with pytest.raises(NotImplementedError, match=rf"`Tensor\.{name}` is for sparse Tensors only"):
        getattr(paddle.ones([2]), name)()

"""Tensors without dimensions: not before Paddle 2.5, and less of them under FLAGS_set_to_1d, whose shapes are those of Paddle 2.6.2."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from processes import Runner

import paddle_compat as paddle

SCRIPT = """
    import json
    import numpy as np
    import paddle
    import paddle.nn.functional as F

    def shapes(values):
        return [shapes(v) if isinstance(v, (list, tuple)) else list(v.shape) for v in values]

    x = paddle.to_tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], stop_gradient=False)
    loss = F.mse_loss(x, x * 2)
    print(json.dumps(shapes([
        loss, x.sum(), paddle.mean(x), x.max(), x[0, 0], x[0][1], paddle.to_tensor(3.0), paddle.to_tensor(np.float32(2)), paddle.numel(x),
        paddle.argmax(x), paddle.norm(x), paddle.dot(x[0], x[1]), F.cross_entropy(x, paddle.to_tensor([0, 1])), paddle.unbind(x[0]),
        paddle.squeeze(x[0, :1]), paddle.all(x > 0), paddle.median(x), paddle.std(x), paddle.linalg.det(paddle.eye(2)), list(x[0]),
        paddle.grad(x.pow(2).sum(), x, create_graph=True)[0].sum(), paddle.jit.to_static(lambda a: (a.sum(), a[0, 0]))(x),
    ])))
    numbers = [np.float64(0.5), np.linspace(0, 1, 3)[1], np.int32(3), np.zeros(1), np.zeros(1, "int32")]
    print(json.dumps([str(paddle.to_tensor(n).dtype).split(".")[-1] for n in numbers]))
    loss.backward()
    index = paddle.to_tensor(1)
    while index < 3:
        index += 1
    print(json.dumps([loss.numpy()[0].item(), loss.item(), x.grad.sum().tolist(), [10, 20, 30, 40][index], "%d" % index]))

    paddle.enable_static()
    a = paddle.static.data("a", [None, 3])
    mean = paddle.mean(paddle.static.nn.fc(a, 1))
    paddle.optimizer.Adam(0.1).minimize(mean)
    run = paddle.static.Executor()
    run.run(paddle.static.default_startup_program())
    found = run.run(feed={"a": np.ones((2, 3), "float32")}, fetch_list=[mean, a[0, 0], paddle.sum(a)])
    print(json.dumps([list(mean.shape), *shapes(found), found[2][0].item()]))
"""


def test_no_tensor_is_without_dimensions_before_paddle_2_5(full: Runner) -> None:
    full.write({"train.py": textwrap.dedent(SCRIPT)})
    full.env["PADDLE_COMPAT_VERSION"] = "2.4.2"
    eager, kinds, values, static = map(json.loads, full.output("-m", "paddle_compat", "train.py").splitlines())
    assert eager == [[1]] * 13 + [[[1]] * 3] + [[1]] * 5 + [[[1]] * 3, [1], [[1], [1]]]
    assert kinds == ["float32", "float32", "int64", "float64", "int32"]  # numbers of numpy's were taken for Python's
    assert values == [pytest.approx(55 / 6), pytest.approx(55 / 6), [pytest.approx(5.0)], 40, "3"]
    assert static == [[1], [1], [1], [1], 6.0]


@pytest.fixture
def one_dimension() -> Iterator[None]:
    """FLAGS_set_to_1d inside."""
    paddle.set_flags({"FLAGS_set_to_1d": True})
    yield
    paddle.set_flags({"FLAGS_set_to_1d": False})


def test_the_flag_keeps_a_dimension_of_elements_and_arrays(one_dimension: None) -> None:
    x, y, z = paddle.rand([2, 3]), paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False), paddle.to_tensor(3.0)
    parts = (y[0], x[0, 0], x[0], x[1, -1:], y[paddle.to_tensor(0)], z[...], y[None, 0], y[[0]], y.mean(), y[-1:][0])
    assert [p.shape for p in parts] == [[1], [1], [3], [1], [1], [], [1, 1], [1], [], [1]]
    assert [part.shape for part in y] == [[1]] * 3
    assert (z.numpy().shape, np.array(z).shape, z.tolist(), y.sum().numpy()[0]) == ((1,), (), 3.0, 6.0)
    assert str(z).endswith("       3.)")
    y[0].backward()
    assert y.grad.tolist() == [1.0, 0.0, 0.0]


def test_the_flag_in_programs(one_dimension: None) -> None:
    paddle.enable_static()
    a = paddle.static.data("a", [3])
    found: Any = paddle.static.Executor().run(feed={"a": np.ones(3, "float32")}, fetch_list=[a[0], a.sum()])
    assert [value.shape for value in (a[0], a.sum(), *found)] == [(1,), (), (1,), ()]


def test_without_the_flag() -> None:
    y = paddle.to_tensor([1.0, 2.0])
    assert (y[0].shape, [part.shape for part in y], y.sum().numpy().shape) == ([], [[], []], ())

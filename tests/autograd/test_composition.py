"""Programs whose operators are taken apart into more elementary ones: the same numbers, and the operators of Paddle 2.6.2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.base import core
from paddle_compat.incubate.autograd import primapi
from paddle_compat.nn import functional as F

RNG = np.random.default_rng(5)


def _data(name: str, shape: list[int], dtype: str = "float32") -> Any:
    var = paddle.static.data(name, shape, dtype)
    var.stop_gradient = False
    return var


@pytest.fixture(autouse=True)
def _static() -> Iterator[None]:
    paddle.enable_static()
    with paddle.utils.unique_name.guard():
        yield
    core._set_prim_all_enabled(False)
    core._remove_skip_comp_ops("softmax")
    core.prim_config["forward_blacklist"].clear()
    paddle.disable_static()


def _feed(program: Any) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for var in program.list_vars():
        if var.is_data:
            shape = [2 if n < 0 else n for n in var.shape]
            whole = "int" in str(var.dtype).lower()
            drawn = np.asarray(RNG.uniform(0.5, 2.0, shape), dtype="float32")
            made[var.name] = np.arange(drawn.size).reshape(shape) % 2 if whole else drawn
    return made


def _params(count: int, size: int) -> list[Any]:
    value = paddle.nn.initializer.Constant
    return [paddle.create_parameter([size], "float32", default_initializer=value(0.5 + i)) for i in range(count)]


def _x() -> Any:
    return _data("x", [2, 4, 3])


def _index(*shape: int) -> Any:
    return paddle.static.data("i", list(shape) or [2], "int64")


FORWARD: dict[str, tuple[Callable[[], Any], str]] = {
    "softmax": (lambda: F.softmax(_x()), "reduce_max elementwise_sub exp reduce_sum elementwise_div"),
    "relu": (lambda: F.relu(_x()), "fill_constant elementwise_max"),
    "gelu": (
        lambda: F.gelu(_x()),
        "fill_constant fill_constant fill_constant elementwise_mul erf elementwise_add elementwise_mul elementwise_mul",
    ),
    "gelu_tanh": (
        lambda: F.gelu(_x(), True),
        "fill_constant fill_constant fill_constant fill_constant elementwise_mul elementwise_mul elementwise_mul elementwise_add "
        "elementwise_mul tanh elementwise_mul elementwise_add elementwise_mul",
    ),
    "expand": (lambda: paddle.expand(_x(), [5, 2, 4, 3]), "reshape2 tile"),
    "expand_as": (lambda: paddle.expand_as(_x(), _data("y", [5, 2, 4, 3])), "reshape2 tile"),
    "full_like": (lambda: paddle.full_like(_x(), 2.0), "fill_constant"),
    "flatten": (lambda: paddle.flatten(_x(), 1, 2), "reshape2"),
    "squeeze": (lambda: paddle.squeeze(_data("x", [2, 1, 3]), 1), "reshape2"),
    "unsqueeze": (lambda: paddle.unsqueeze(_x(), [1, 3]), "reshape2"),
    "index_select": (lambda: paddle.index_select(_x(), _index(), 1), "gather"),
    "leaky_relu": (lambda: F.leaky_relu(_x()), "scale elementwise_max"),
    "meshgrid": (lambda: paddle.meshgrid(_data("a", [3]), _data("b", [4]))[1], "reshape2 tile reshape2 tile"),
    "pow": (lambda: paddle.pow(_x(), 3.0), "fill_constant elementwise_pow"),
    "sqrt": (lambda: paddle.sqrt(_x()), "fill_constant elementwise_pow"),
    "rsqrt": (lambda: paddle.rsqrt(_x()), "fill_constant elementwise_pow"),
    "mean": (lambda: paddle.mean(_x()), "reduce_sum fill_constant elementwise_div"),
    "mean_axis": (lambda: paddle.mean(_x(), 1, keepdim=True), "reduce_sum fill_constant elementwise_div"),
    "sigmoid": (lambda: F.sigmoid(_x()), "scale exp scale fill_constant elementwise_div"),
    "silu": (lambda: F.silu(_x()), "scale exp scale elementwise_div"),
    "hardswish": (
        lambda: F.hardswish(_x()),
        "fill_constant elementwise_add fill_constant elementwise_max fill_constant elementwise_min elementwise_mul fill_constant "
        "elementwise_div",
    ),
    "stack": (lambda: paddle.stack([_x(), _data("y", [2, 4, 3])], 1), "reshape2 reshape2 concat"),
    "add_n": (lambda: paddle.add_n([_x(), _data("y", [2, 4, 3])]), "scale elementwise_add"),
    "layer_norm": (
        lambda: F.layer_norm(_x(), [3], *_params(2, 3)),
        "reduce_sum fill_constant elementwise_div elementwise_sub elementwise_mul reduce_sum fill_constant elementwise_div scale "
        "fill_constant elementwise_pow elementwise_mul elementwise_mul elementwise_add reshape2 reshape2",
    ),
    "batch_norm": (lambda: F.batch_norm(_x(), *_params(4, 4), training=True), ""),
    "batch_norm_eval": (lambda: F.batch_norm(_x(), *_params(4, 4)), ""),
    "instance_norm": (lambda: paddle.nn.InstanceNorm2D(4)(_data("x", [2, 4, 3, 3])), ""),
    "group_norm": (lambda: paddle.nn.GroupNorm(2, 4)(_data("x", [2, 4, 3, 3])), ""),
    "group_norm_last": (lambda: paddle.nn.GroupNorm(2, 4, data_format="NHWC")(_data("x", [2, 3, 3, 4])), ""),
    "dropout_eval": (lambda: F.dropout(_x(), 0.5, training=False), "uniform_random fill_constant greater_equal cast assign cast"),
    "unknown_rows": (lambda: F.softmax(_data("x", [-1, 3])), "reduce_max elementwise_sub exp reduce_sum elementwise_div"),
    "scalar": (lambda: F.softmax(_data("x", [])), "elementwise_sub exp elementwise_div"),
}


@pytest.mark.parametrize("name", FORWARD)
def test_forward_operators_taken_apart_give_the_same(name: str) -> None:
    build, expected = FORWARD[name]
    main, start = paddle.static.Program(), paddle.static.Program()
    exe = paddle.static.Executor()
    with paddle.static.program_guard(main, start):
        out = build()
    feed = _feed(main)
    exe.run(start)
    (want,) = exe.run(main, feed=feed, fetch_list=[out])
    before = {op.type for op in main.global_block().ops}
    core._set_prim_forward_enabled(True)
    primapi.to_prim(main.blocks)
    types = [op.type for op in main.global_block().ops]
    assert before.isdisjoint(types)
    assert not expected or types == expected.split()
    exe.run(start)
    (got,) = exe.run(main, feed=feed, fetch_list=[out])
    np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


BACKWARD: dict[str, tuple[Callable[[], Any], str]] = {
    "abs": (lambda: paddle.abs(_x()), "sign elementwise_mul"),
    "cos": (lambda: paddle.cos(_x()), "sin scale elementwise_mul"),
    "erf": (lambda: paddle.erf(_x()), "fill_constant fill_constant elementwise_mul elementwise_mul exp elementwise_mul elementwise_mul"),
    "exp": (lambda: paddle.exp(_x()), "elementwise_mul"),
    "floor": (lambda: paddle.floor(_x()), "fill_constant"),
    "log": (lambda: paddle.log(_x()), "elementwise_div"),
    "sigmoid": (lambda: F.sigmoid(_x()), "fill_constant elementwise_sub elementwise_mul elementwise_mul"),
    "sin": (lambda: paddle.sin(_x()), "cos elementwise_mul"),
    "sqrt": (lambda: paddle.sqrt(_x()), "fill_constant elementwise_div elementwise_mul"),
    "tanh": (lambda: paddle.tanh(_x()), "elementwise_mul fill_constant elementwise_sub elementwise_mul"),
    "relu": (lambda: F.relu(_x() - 1.0), "fill_constant greater_than fill_constant where scale"),
    "gelu": (
        lambda: F.gelu(_x()),
        "scale erf scale scale elementwise_mul scale exp scale elementwise_mul elementwise_add elementwise_mul",
    ),
    "gelu_tanh": (lambda: F.gelu(_x(), True), ""),
    "silu": (lambda: F.silu(_x()), ""),
    "leaky_relu": (lambda: F.leaky_relu(_x() - 1.0), "fill_constant greater_than scale where scale"),
    "softmax": (lambda: F.softmax(_x()), "elementwise_mul reduce_sum elementwise_mul elementwise_sub"),
    "sum": (lambda: paddle.sum(_x()), "reshape2 expand_v2"),
    "sum_axis": (lambda: paddle.sum(_x(), 1), "reshape2 expand_v2"),
    "max": (lambda: paddle.max(_x(), 1), ""),
    "prod": (lambda: paddle.prod(_x(), 1), ""),
    "cumsum": (lambda: paddle.cumsum(_x(), 1), "cumsum reshape2"),
    "add": (lambda: _x() + _data("y", [4, 3]), "reduce_sum reshape2 assign"),
    "sub": (lambda: _x() - _data("y", [4, 3]), "scale reduce_sum reshape2 assign"),
    "mul": (lambda: _x() * _data("y", [4, 1]), ""),
    "div": (
        lambda: _x() / _data("y", [4, 1]),
        "fill_constant elementwise_pow elementwise_div scale elementwise_mul reduce_sum reshape2 fill_constant elementwise_div "
        "elementwise_mul",
    ),
    "power": (
        lambda: _x() ** _data("y", [3]),
        "log elementwise_pow elementwise_mul elementwise_mul reduce_sum reshape2 fill_constant elementwise_sub elementwise_pow "
        "elementwise_mul elementwise_mul",
    ),
    "maximum": (lambda: paddle.maximum(_x(), _data("y", [3])), ""),
    "minimum": (lambda: paddle.minimum(_x(), _data("y", [3])), ""),
    "reshape": (lambda: paddle.reshape(_x(), [6, 4]), "reshape2"),
    "transpose": (lambda: paddle.transpose(_x(), [1, 2, 0]), "transpose2"),
    "concat": (lambda: paddle.concat([_x(), _data("y", [2, 2, 3])], 1), "split"),
    "split": (lambda: paddle.split(_x(), 2, 1)[0], "fill_any_like concat"),
    "slice": (lambda: paddle.slice(_x(), [1], [1], [3]), "pad"),
    "expand": (lambda: paddle.expand(_x(), [5, 2, 4, 3]), ""),
    "tile": (lambda: paddle.tile(_x(), [2, 1, 3]), ""),
    "cast": (lambda: paddle.cast(_x(), "float64"), "cast"),
    "assign": (lambda: paddle.assign(_x()), "assign"),
    "gather": (lambda: paddle.gather(_x(), _index(), 1), "fill_constant transpose2 transpose2 scatter transpose2"),
    "gather_nd": (lambda: paddle.gather_nd(_x(), _index(2, 1)), "fill_constant scatter_nd_add"),
    "scatter": (lambda: paddle.scatter(_data("x", [4, 3]), _index(), _data("u", [2, 3])), "fill_constant scatter gather"),
    "scatter_nd_add": (lambda: paddle.scatter_nd_add(_data("x", [4, 3]), _index(2, 1), _data("u", [2, 3])), ""),
    "roll": (lambda: paddle.roll(_x(), 1, 1), "roll"),
    "top_k": (lambda: paddle.topk(_x(), 2)[0], "fill_constant put_along_axis"),
    "pad": (lambda: F.pad(_x(), [1, 0, 0, 2, 1, 1]), "slice"),
}


@pytest.mark.parametrize("name", BACKWARD)
def test_gradient_operators_taken_apart_give_the_same(name: str) -> None:
    build, expected = BACKWARD[name]
    results = []
    feed: dict[str, Any] = {}
    for switch in (False, True):
        core._set_prim_backward_enabled(switch)
        main = paddle.static.Program()
        with paddle.static.program_guard(main, paddle.static.Program()), paddle.utils.unique_name.guard():
            out = build()
            given = [v for v in main.list_vars() if v.is_data and not v.stop_gradient]
            weight = paddle.static.data("weight", out.shape, out.dtype)
            start = len(main.global_block().ops)
            grads = paddle.static.gradients([out], given, [weight])
        feed = feed or _feed(main)
        feed["weight"] = feed["weight"].astype("float64" if name == "cast" else "float32")
        results.append(paddle.static.Executor().run(main, feed=feed, fetch_list=grads))
    types = [op.type for op in main.global_block().ops[start:]]
    assert not any(t.endswith("_grad") for t in types)
    assert not expected or types == expected.split()
    for got, want in zip(results[1], results[0]):
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


def test_training_steps_with_both_switches_are_the_same() -> None:
    losses = []
    for switch in (False, True):
        core._set_prim_all_enabled(switch)
        main, start = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, start), paddle.utils.unique_name.guard():
            paddle.seed(3)
            hidden = F.gelu(paddle.static.nn.fc(paddle.static.data("x", [4, 6]), 5))
            loss = paddle.mean(F.softmax(paddle.static.nn.fc(F.layer_norm(hidden, 5), 3))[:, 0] ** 2)
            primapi.to_prim(main.blocks)
            paddle.optimizer.Adam(0.05).minimize(loss)
        types = [op.type for op in main.global_block().ops]
        assert ("gelu" not in types and "softmax_grad" not in types) is switch
        exe = paddle.static.Executor()
        exe.run(start)
        x = np.linspace(-1, 1, 24, dtype="float32").reshape(4, 6)
        losses.append([float(exe.run(main, feed={"x": x}, fetch_list=[loss])[0]) for _ in range(4)])
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)
    assert losses[0][-1] < losses[0][0]


def test_second_gradients_go_through_the_elementary_operators() -> None:
    core._set_prim_backward_enabled(True)
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        x = _data("x", [3])
        (first,) = paddle.static.gradients([paddle.tanh(x)], [x])
        (second,) = paddle.static.gradients([first], [x])
    value = np.array([0.3, -0.2, 1.0], dtype="float32")
    (got,) = paddle.static.Executor().run(main, feed={"x": value}, fetch_list=[second])
    t = np.tanh(value)
    np.testing.assert_allclose(got, -2 * t * (1 - t * t), rtol=1e-5)


def test_lists_decide_what_stays_whole() -> None:
    core._set_prim_all_enabled(True)
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        out = F.relu(F.softmax(F.gelu(_x())))
        primapi.to_prim(main.blocks, blacklist={"softmax"})
        assert [op.type for op in main.global_block().ops if op.type in ("relu", "softmax", "gelu")] == ["softmax"]
        core._set_prim_backward_blacklist("softmax")
        paddle.static.gradients([out], [main.global_block().var("x")])
    assert "softmax_grad" in [op.type for op in main.global_block().ops]
    assert core.has_comp_grad_op_maker("softmax") and not core.has_comp_grad_op_maker("conv2d")
    with pytest.raises(TypeError, match="blacklist"):
        primapi.to_prim(main.blocks, blacklist="softmax")
    with pytest.raises(TypeError, match="blocks"):
        primapi.to_prim(3)


def test_windows_and_white_lists_of_to_prim() -> None:
    core._set_prim_forward_enabled(True)
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        F.silu(F.gelu(F.relu(_x())))
        primapi.to_prim(main.global_block(), start_idx=1, backward_length=1)
        assert [op.type for op in main.global_block().ops][0] == "relu" and main.global_block().ops[-1].type == "silu"
        assert "gelu" not in [op.type for op in main.global_block().ops]
        primapi.to_prim(main.blocks, whitelist={"silu"})
    types = [op.type for op in main.global_block().ops]
    assert "silu" not in types and "relu" in types


def test_functions_turned_into_programs_are_taken_apart_too() -> None:
    paddle.disable_static()
    x = paddle.to_tensor(np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3), stop_gradient=False)
    want = F.softmax(F.gelu(x))
    want[:, 0].sum().backward()
    grad = x.grad.numpy()
    x.clear_gradient()
    core._set_prim_all_enabled(True)
    function = paddle.jit.to_static(lambda x: F.softmax(F.gelu(x)), full_graph=True)
    got = function(x)
    got[:, 0].sum().backward()
    concrete, layer = function.get_concrete_program(x)
    assert [op.type for op in concrete.main_program.block(0).ops] == ["gelu", "softmax"]
    training, *others = [[op.type for op in p.block(0).ops] for p in (layer.train_program, layer.forward_program, layer.infer_program)]
    for types in (training[: len(others[0])], *others):
        assert types.count("fill_constant") == 3 and "reduce_max" in types and "gelu" not in types and "softmax" not in types
    assert len(training) > len(others[0]) and not {"gelu_grad", "softmax_grad"} & set(training)  # which has the gradients, too
    np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-5)
    np.testing.assert_allclose(x.grad.numpy(), grad, rtol=1e-4, atol=1e-7)


ONE = np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)
WAY = np.arange(6, dtype="float32").reshape(2, 3)
# what Paddle 2.6.2 gives for the change of f along WAY, and for the gradient of that
CHANGES: dict[str, tuple[Callable[[Any], Any], list[float], list[float]]] = {
    "tanh": (paddle.tanh, [0, 0.712, 1.922, 2.883, 2.846, 2.1], [0, 0.764, 0.759, -1.138, -3.057, -3.199]),
    "square": (lambda x: x * x, [0, -1.2, -0.8, 1.2, 4.8, 10], [0, 2, 4, 6, 8, 10]),
    "sum": (lambda x: paddle.sum(x * x, 1), [-2, 16], [0, 2, 4, 6, 8, 10]),
    "mean": (lambda x: paddle.mean(x * x * x), [3.5], [0, -0.6, -0.4, 0.6, 2.4, 5]),
    "where": (lambda x: paddle.where(x > 0, x * x, x), [0, 1, 2, 1.2, 4.8, 10], [0, 0, 0, 6, 8, 10]),
    "length": (lambda x: paddle.norm(x, p=2), [4.183], [1.494] * 6),
    "pow": (lambda x: paddle.pow(x, 3.0), [0, 1.08, 0.24, 0.36, 4.32, 15], [0, -3.6, -2.4, 3.6, 14.4, 30]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_forward_gradients_of_programs(name: str) -> None:
    function, want, further = CHANGES[name]
    paddle.incubate.autograd.enable_prim()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        x, way = _data("x", [2, 3]), paddle.static.data("way", [2, 3])
        y = function(x)
        [change] = paddle.incubate.autograd.forward_grad([y], [x], [way])
        around = paddle.incubate.autograd.grad(paddle.incubate.autograd.forward_grad(y, x, way), x)
        back = paddle.incubate.autograd.forward_grad(paddle.incubate.autograd.grad(y, x), x, way)
        paddle.incubate.autograd.prim2orig()
    paddle.incubate.autograd.disable_prim()
    got = paddle.static.Executor().run(main, feed={"x": ONE, "way": WAY}, fetch_list=[change, around, back])
    np.testing.assert_allclose(got[0].ravel(), want, atol=2e-3)
    np.testing.assert_allclose(got[1].ravel(), further, atol=2e-3)
    np.testing.assert_allclose(got[2].ravel(), further, atol=2e-3)


def test_forward_gradients_of_products_and_of_what_does_not_depend() -> None:
    paddle.incubate.autograd.enable_prim()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        x, y, alone = _data("x", [2, 3]), _data("y", [3, 2]), _data("alone", [2])
        changes = paddle.incubate.autograd.forward_grad([paddle.matmul(x, y), alone * 2.0], [x, y])
        with pytest.raises(TypeError, match="inputs"):
            paddle.incubate.autograd.forward_grad(x, "x")
    paddle.incubate.autograd.disable_prim()
    feed = {"x": ONE, "y": WAY.reshape(3, 2), "alone": WAY[0, :2]}
    got = paddle.static.Executor().run(main, feed=feed, fetch_list=changes)
    ones = np.ones((2, 3), "float32")
    np.testing.assert_allclose(got[0], ones @ feed["y"] + ONE @ ones.T, rtol=1e-5)
    assert got[1].tolist() == [0.0, 0.0]
    with pytest.raises(RuntimeError, match="enable_prim"), paddle.static.program_guard(main):
        paddle.incubate.autograd.forward_grad(changes, [x])


def test_outputs_that_are_inputs_or_make_one_another_count_for_themselves() -> None:
    """Values of 2.6.2."""
    forward_grad, grad = paddle.incubate.autograd.forward_grad, paddle.incubate.autograd.grad
    paddle.incubate.autograd.enable_prim()
    main = paddle.static.Program()
    with paddle.static.program_guard(main):
        x, y = _data("x", [3]), _data("y", [3])
        product = x * y
        found = [
            forward_grad(x, x),
            *forward_grad([x, product], [x, y]),
            grad(x, x),
            *grad([x, product], [x, y]),
            *grad([x, y], [x, y], [y, x]),
        ]
        found += [*grad([product, product * x], [x]), forward_grad(paddle.norm(x, p=1), x)]
    paddle.incubate.autograd.disable_prim()
    feed = {"x": np.array([0.1, 0.5, 0.9], "float32"), "y": np.array([1, 2, 3], "float32")}
    got = paddle.static.Executor().run(main, feed=feed, fetch_list=found)
    ones, x, y = [1.0, 1.0, 1.0], [0.1, 0.5, 0.9], [1.0, 2.0, 3.0]
    for value, want in zip(got, [ones, ones, [1.1, 2.5, 3.9], ones, [2.0, 3.0, 4.0], x, y, x, [1.2, 4.0, 8.4], 3.0]):
        np.testing.assert_allclose(value, want, rtol=1e-5)


def _statistics_of_a_batch(x: Any, weight: Any) -> Any:
    return paddle.nn.functional.batch_norm(x, paddle.zeros([3]), paddle.ones([3]), weight, weight * 0.5, training=True)


def _statistics_of_a_group(x: Any, weight: Any) -> Any:
    return paddle.nn.functional.layer_norm(x, [3], weight)


@pytest.mark.parametrize("function", [_statistics_of_a_batch, _statistics_of_a_group])
def test_gradients_pass_through_the_statistics_of_a_recorded_normalization(function: Callable[..., Any]) -> None:
    """The mean and the variance are outputs that stop gradients besides."""

    def gradients(forward: bool) -> list[Any]:
        x = paddle.to_tensor(ONE * WAY, stop_gradient=False)
        weight = paddle.to_tensor([0.5, 1.5, 2.5], stop_gradient=False)
        core._set_prim_forward_enabled(forward)
        try:
            (paddle.jit.to_static(function, full_graph=True)(x, weight) ** 2).sum().backward()
        finally:
            core._set_prim_forward_enabled(False)
        return [x.grad.numpy(), weight.grad.numpy()]

    paddle.disable_static()
    for taken_apart, whole in zip(gradients(True), gradients(False)):
        np.testing.assert_allclose(taken_apart, whole, rtol=1e-3, atol=1e-4)

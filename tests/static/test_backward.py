"""Gradients of Programs: what `append_backward` and `gradients` take and give, as Paddle 2.6.2 does."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
import paddle_compat.fluid as fluid
from paddle_compat import static
from paddle_compat.errors import UnsupportedError

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts/references"))

import edited_gradients  # noqa: E402
import target_gradients  # noqa: E402


@pytest.fixture(autouse=True)
def static_mode() -> None:
    """Programs are 2.6's."""
    paddle.enable_static()


def test_a_loss_of_several_elements() -> None:
    x = static.data("x", [3, 2])
    x.stop_gradient = False
    ((_, grad),) = static.append_backward(paddle.square(x), parameter_list=["x"])
    start = next(op for op in static.default_main_program().global_block().ops if op.type == "fill_constant")
    assert start.attr("shape") == [1] and start.block.var(start.output("Out")[0]).shape == grad.shape == (3, 2)
    fed = np.arange(6, dtype="float32").reshape(3, 2)
    (found,) = static.Executor().run(feed={"x": fed}, fetch_list=[grad])
    assert (found == 2 * fed).all()


def test_gradient_that_is_zero_everywhere_can_be_fetched() -> None:
    x = static.data("x", [3])
    x.stop_gradient = False
    grads = static.gradients(paddle.sign(x), x)
    (value,) = static.Executor(paddle.CPUPlace()).run(feed={"x": np.ones(3, "float32")}, fetch_list=grads)
    assert value.dtype == np.float32
    assert value.tolist() == [0, 0, 0]


def mean_of_layer() -> static.Variable:
    """A loss with two parameters."""
    return static.nn.fc(static.data("x", [None, 4]), 3).mean()


def test_callbacks_are_not_called_for_the_first_gradient() -> None:
    seen: list[str] = []
    static.append_backward(mean_of_layer(), callbacks=[lambda block, context: seen.append(context["__current_op_desc__"].type())])
    assert seen == ["reduce_mean_grad", "elementwise_add_grad", "mul_grad"]


@pytest.mark.parametrize(("names", "expected"), [(["nope"], 0), (["nope", "fc_0.w_0"], 1), (["x"], 0), ([], 0), ({"fc_0.b_0"}, 1)])
def test_names_without_a_gradient_are_passed_over(names: list[str], expected: int) -> None:
    assert len(static.append_backward(mean_of_layer(), parameter_list=names)) == expected


@pytest.mark.parametrize(
    "arguments",
    [{"parameter_list": 3}, {"parameter_list": "x"}, {"parameter_list": [3]}, {"no_grad_set": 3}, {"no_grad_set": "x"}, {"callbacks": len}],
    ids=str,
)
def test_wrong_types_are_refused(arguments: dict[str, Any]) -> None:
    loss = mean_of_layer()
    before = len(loss.block.ops)
    with pytest.raises(TypeError, match=next(iter(arguments))):
        static.append_backward(loss, **arguments)
    assert len(loss.block.ops) == before


def test_eager_tensors_are_refused_as_a_matter_of_mode() -> None:
    paddle.disable_static()
    x = paddle.ones([2])
    for call in (
        lambda: static.append_backward(x),
        lambda: static.gradients(x, x),
        lambda: static.py_func(lambda a: a, x, x),
    ):
        with pytest.raises(AssertionError, match="static mode only"):
            call()


@pytest.mark.parametrize("arguments", [{}, {"type": None}, {"type": None, "inputs": {"X": "x"}}], ids=str)
def test_operator_without_a_type(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="`type`"):
        static.default_main_program().global_block().append_op(**arguments)


def test_operator_of_a_number() -> None:
    with pytest.raises(TypeError, match="`type`"):
        static.default_main_program().global_block().append_op(type=3)


@pytest.mark.parametrize("version", ["1.8.5", "2.6.2"])
def test_gradients_of_targets_that_are_inputs_are_those_of_the_wheel(version: str) -> None:
    expected = json.loads((ROOT / f"tests/references/target_gradients_{version}.json").read_text())
    found = target_gradients.record(fluid if version == "1.8.5" else paddle)
    for case, about in expected.items():
        assert found[case]["operators"] == about["operators"], case
        assert found[case]["returned"] == about["returned"], case
        for value, other in zip(found[case]["values"], about["values"]):
            np.testing.assert_allclose(value, other, rtol=1e-5, err_msg=case)


def test_seed_of_a_target_without_operators_can_be_fetched() -> None:
    x = static.data("x", [2])
    assert static.gradients(x, x) == []
    (value,) = static.Executor(paddle.CPUPlace()).run(feed={"x": np.zeros(2, "float32")}, fetch_list=["x@GRAD"])
    assert value.tolist() == [1, 1]


@pytest.mark.parametrize("case", edited_gradients.CASES)
def test_gradients_of_gradients_in_edited_passes_are_those_of_the_wheel(case: str) -> None:
    expected = json.loads((ROOT / "tests/references/edited_gradients_2.6.2.json").read_text())[case]
    for value, other in zip(edited_gradients.numbers(paddle, case), expected):
        np.testing.assert_allclose(value, other, rtol=1e-4, atol=1e-7)


def test_gradient_of_a_gradient_that_reads_the_result_is_refused_in_an_edited_pass() -> None:
    x = static.data("x", [2])
    x.stop_gradient = False
    (first,) = static.gradients(paddle.mean(x / (x + 2.0)), [x])
    second = static.gradients(paddle.mean(first * first), [x])
    block = static.default_main_program().global_block()
    at = [i for i, op in enumerate(block.ops) if op.type == "elementwise_div_grad_grad"][-1]
    (seed,) = block.ops[at].input("DDX")
    block._insert_op(at, type="scale", inputs={"X": [seed]}, outputs={"Out": [seed]}, attrs={"scale": 0.5})
    with pytest.raises(UnsupportedError, match="elementwise_div_grad"):
        static.Executor(paddle.CPUPlace()).run(feed={"x": np.ones(2, "float32")}, fetch_list=second)


def test_names_of_a_copys_later_gradients_count_the_passes_before() -> None:
    for base, square, data in ((fluid, fluid.layers.square, fluid.data), (paddle.base, paddle.square, static.data)):
        paddle.enable_static()
        main = base.Program()
        with base.program_guard(main, base.Program()):
            x = data("x", [2], "float32")
            x.stop_gradient = False
            first = fluid.gradients(square(x), x)[0]
            copy = main.clone().global_block()
            (second,) = fluid.gradients(copy.var(first.name), copy.var("x"))
        assert (first.name, second.name) == ("x@GRAD", "grad/grad/x@GRAD")


def test_double_gradients_of_a_copy_agree_with_differences() -> None:
    paddle.enable_static()
    main, scope, exe = static.Program(), static.Scope(), static.Executor()
    with static.program_guard(main, static.Program()), static.scope_guard(scope):
        x = static.data("x", [2], "float64")
        x.stop_gradient, x.persistable = False, True
        y = paddle.tanh(x)
        weight = main.global_block().create_var(name=y.name + "@GRAD", shape=[2], dtype="float64", persistable=True)
        (first,) = static.gradients([y], [x], [weight])
        first.persistable = True
        exe.run(main, feed={"x": np.array([0.3, -0.8]), weight.name: np.array([1.0, 2.0])})  # fed once, they stay in the Scope
        tensor, slopes = scope.find_var("x").get_tensor(), []
        for i, value in enumerate([0.3, -0.8]):
            ends = []
            for step in (1e-6, -1e-6):
                tensor._set_double_element(i, value + step)
                ends.append(exe.run(main, fetch_list=[first])[0][i])
            tensor._set_double_element(i, value)
            slopes.append((ends[0] - ends[1]) / 2e-6)
        copy = main.clone().global_block()
        (second,) = static.gradients(copy.var(first.name), copy.var("x"))
        np.testing.assert_allclose(exe.run(copy.program, fetch_list=[second])[0], slopes, rtol=1e-5)


def _run(made: Any, value: float) -> list[float]:
    """What a function of `static.data` x makes, at a value of x."""
    paddle.enable_static()
    main = static.Program()
    with static.program_guard(main, static.Program()), static.scope_guard(static.Scope()):
        x = static.data("x", [1])
        x.stop_gradient = False
        return [float(v[0]) for v in static.Executor().run(main, feed={"x": np.array([value], "float32")}, fetch_list=made(x))]


@pytest.mark.parametrize("value, expected", [(0.5, [0.75, 3.0]), (2.0, [12.0, 6.0])])
def test_a_branch_is_differentiated_twice_as_paddle_3_does(value: float, expected: list[float]) -> None:
    """Values of 3.3.1; 2.6.2 has no operator for it."""

    def twice(x: Any) -> list[Any]:
        first = static.gradients(static.nn.cond(x < 1, lambda: x * x * x, lambda: x * x * 3), [x])
        return [*first, *static.gradients(first, [x])]

    assert _run(twice, value) == pytest.approx(expected)


def test_penalty_on_the_gradient_of_a_branch_is_that_of_eager_mode() -> None:
    data = np.arange(6, dtype="float32").reshape(2, 3) / 5
    weights = np.full((3, 4), 0.3, "float32")

    def penalty(x: Any, w: Any, gradients: Any, cond: Any) -> Any:
        h = paddle.tanh(paddle.matmul(x, w))
        return (gradients(cond(h, lambda: (h * h).sum(1, keepdim=True), lambda: h * 2.0), x) ** 2).mean()

    paddle.disable_static()
    x, w = paddle.to_tensor(data, stop_gradient=False), paddle.to_tensor(weights, stop_gradient=False)
    penalty(x, w, lambda y, x: paddle.grad([y], [x], create_graph=True)[0], lambda h, first, second: first()).backward()
    expected = w.grad.numpy()
    paddle.enable_static()
    main = static.Program()
    with static.program_guard(main, static.Program()), static.scope_guard(static.Scope()):
        x, w = static.data("x", [2, 3]), static.data("w", [3, 4])
        x.stop_gradient = w.stop_gradient = False
        loss = penalty(x, w, lambda y, x: static.gradients(y, x)[0], lambda h, *ways: static.nn.cond(h.sum() > 0, *ways))
        found = static.Executor().run(main, feed={"x": data, "w": weights}, fetch_list=static.gradients(loss, w))[0]
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("body, expected", [
    (lambda y: y * y, [256.0, 1024.0]), (lambda y: y * 2, [16.0, 8.0]),
])  # fmt: skip
def test_gradient_of_a_target_that_a_loop_writes_over(body: Any, expected: list[float]) -> None:
    """A loop gives back the very variable that it was given: values of 2.6.2."""

    def looped(x: Any) -> list[Any]:
        turns = paddle.zeros([1], "int64")
        _, y = static.nn.while_loop(lambda i, y: i < 3, lambda i, y: [i + 1, body(y)], [turns, x])
        return [y, *static.gradients(y, [x])]

    assert _run(looped, 2.0) == pytest.approx(expected)


@pytest.mark.parametrize("names", ["2", "1.8"])
def test_parameters_that_are_not_trained_have_gradients(names: str) -> None:
    """`trainable` says what optimizers update; only `stop_gradient` stops gradients. Answers of 2.6.2 and 1.8.5."""
    fluid_names = names == "1.8"
    main, startup = (fluid.Program if fluid_names else static.Program)(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [None, 3])
        w, v = (static.create_parameter([3, 3], "float32", name=name) for name in "wv")
        loss = paddle.mean(paddle.matmul(paddle.matmul(x, w), v))
        w.trainable = False
        assert [g.name for g in static.gradients(loss, [w, v])] == ["w@GRAD", "v@GRAD"]
        assert [p.name for p, _ in static.append_backward(loss)] == ["v"]
        assert [p.name for p, _ in static.append_backward(loss, parameter_list=["w"])] == ["w"]
        optimizer = fluid.optimizer.SGD(0.1) if fluid_names else paddle.optimizer.SGD(0.1)
        start = len(main.global_block().ops)
        assert [p.name for p, _ in optimizer.minimize(loss)[1]] == ["v"]
    written = {name.split("/")[-1] for op in main.global_block().ops[start:] for name in op.output_arg_names}
    assert ("w@GRAD" in written) is not fluid_names  # 1.8's optimizers stop gradients there


@pytest.mark.parametrize("join", ["concat", "stack"])
@pytest.mark.parametrize("layers", ["fluid", "paddle"])
def test_penalty_on_a_gradient_that_is_joined_with_data(layers: str, join: str) -> None:
    """As in a conditional GAN. 2.6.2 ends in a KeyError here; 1.8.5 leaves out what hangs on the gradient of such operators."""
    weight, x = torch.linspace(-1, 1, 18).reshape(6, 3).requires_grad_(), torch.linspace(0, 1, 6).reshape(2, 3).requires_grad_()
    labels = torch.eye(3)[:2]
    joined = torch.cat([x, labels], 1) if join == "concat" else torch.stack([x, labels], 1).reshape(-1, 6)
    (slope,) = torch.autograd.grad(torch.tanh(joined @ weight).sum(), x, create_graph=True)
    penalty = slope.square().mean()
    penalty.backward()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        data, classes = fluid.data("x", [2, 3]), fluid.data("classes", [2, 3])
        data.stop_gradient = False
        of = fluid.layers if layers == "fluid" else paddle
        both = of.concat([data, classes], 1) if join == "concat" else of.reshape(of.stack([data, classes], 1), [-1, 6])
        parameter = of.create_parameter([6, 3], "float32", name="w")
        total = fluid.layers.reduce_sum if layers == "fluid" else paddle.sum
        (first,) = static.gradients(total(of.tanh(of.matmul(both, parameter))), data)
        loss = of.mean(of.square(first))
        ((_, gradient),) = static.append_backward(loss, [parameter])
    scope = static.Scope()
    with static.scope_guard(scope):
        scope.var("w").get_tensor().set(weight.detach().numpy(), paddle.CPUPlace())
        feed = {"x": x.detach().numpy(), "classes": labels.numpy()}
        found = static.Executor().run(main, feed=feed, fetch_list=[loss, gradient])
    np.testing.assert_allclose(found[0].item(), penalty.item(), rtol=1e-5)
    assert weight.grad is not None
    np.testing.assert_allclose(found[1], weight.grad.numpy(), rtol=1e-4, atol=1e-6)

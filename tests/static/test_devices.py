"""Which operators a Program pins to the CPU, and that it runs all the same.

The devices are those that Paddle 2.6.2 writes for the same calls.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle


@pytest.fixture
def program() -> Iterator[Any]:
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        yield main
    paddle.disable_static()


def devices(program: Any) -> list[tuple[str, str]]:
    return [(op.type, op.attr("op_device") or "") for op in program.global_block().ops]


CASES = {
    "to_tensor": (lambda: paddle.to_tensor([1, 2]), [("assign_value", "cpu")]),
    "converted": (lambda: paddle.to_tensor([1, 2], dtype="float32"), [("assign_value", "cpu"), ("cast", "cpu")]),
    "assign": (lambda: paddle.assign([1, 2]), [("assign_value", "")]),
    "arange": (lambda: paddle.arange(3), [("fill_constant", "cpu")] * 3 + [("range", "")]),
    "linspace": (lambda: paddle.linspace(0, 1, 3), [("fill_constant", "cpu")] * 3 + [("linspace", "")]),
    "logspace": (lambda: paddle.logspace(0, 1, 3), [("fill_constant", "cpu")] * 4 + [("logspace", "")]),
}


@pytest.mark.parametrize("case", CASES)
def test_small_constants_live_on_the_cpu(case: str, program: Any) -> None:
    make, expected = CASES[case]
    made = make()
    assert devices(program) == expected
    (value,) = paddle.static.Executor().run(program, fetch_list=[made])
    assert value.shape == tuple(made.shape)


@pytest.mark.parametrize(("index", "device"), [([0, 2], "cpu"), (np.array([0, 2]), "")])
def test_an_index_is_pinned_where_it_is_a_list(index: Any, device: str, program: Any) -> None:
    x = paddle.static.data("x", [4, 2])
    rows = x[index]
    assert devices(program)[0] == ("assign_value", device)
    fed = np.arange(8, dtype="float32").reshape(4, 2)
    (value,) = paddle.static.Executor().run(program, feed={"x": fed}, fetch_list=[rows])
    assert (value == fed[[0, 2]]).all()


def test_a_size_among_variables_is_forced_to_the_cpu(program: Any) -> None:
    x = paddle.static.data("x", [1, 1, 4, 4])
    paddle.nn.functional.interpolate(x, [paddle.static.data("n", [1], "int32"), 3])
    assert [op.attr("force_cpu") for op in program.global_block().ops if op.type == "fill_constant"] == [True]


def test_a_gradient_runs_where_its_operator_runs(program: Any) -> None:
    x = paddle.static.data("x", [4, 4])
    x.stop_gradient = False
    with paddle.static.device_guard("cpu"):
        y = paddle.tanh(paddle.assign(paddle.scale(x, 2.0)))
        y = paddle.cast(y, "float64")
    paddle.static.append_backward(paddle.mean(y), parameter_list=["x"])
    assert devices(program)[-5:] == [
        ("reduce_mean_grad", ""), ("cast", "cpu"), ("tanh_grad", "cpu"), ("assign", "cpu"), ("scale", "cpu"),
    ]  # fmt: skip


def test_a_loop_carries_no_device_and_says_so(program: Any) -> None:
    """As Paddle 2.6.2: what runs on no device of its own is warned of, and so is an attribute that says the same."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with paddle.static.device_guard("gpu"):
            paddle.static.nn.while_loop(lambda i: i < 3, lambda i: [i + 1], [paddle.full([1], 0, "int64")])
            paddle.tensor.fill_constant([1], "float32", 1.0, force_cpu=True)
    words = [str(warning.message) for warning in seen]
    assert words.count("The Op(while) is not support to set device.") == 1
    assert [w for w in words if w.startswith("The Attr(force_cpu) of Op(fill_constant) will be deprecated")]
    assert dict(devices(program))["while"] == ""
    assert dict(devices(program))["fill_constant"] == "gpu"


def test_what_is_fetched_in_one_list(program: Any) -> None:
    """Harnesses of Paddle's call `_check_fetch_list` themselves."""
    a, b = (paddle.static.data(name, [2], "int64") for name in "ab")
    check = paddle.static.Executor()._check_fetch_list
    for given, expected in (
        (a, [a]), ("a", ["a"]), ((a, "b"), [a, "b"]), ([[a, "b"], b], [a, "b", b]), ([a, (b, a)], [a, b, a]), (None, []), ([[1]], [[1]]),
    ):  # fmt: skip
        found = check(given)
        assert len(found) == len(expected)
        assert all(one is other or one == [1] for one, other in zip(found, expected))
    with pytest.raises(TypeError):
        check([1])
    with pytest.raises(AssertionError):
        check({"a": 1})


@pytest.mark.parametrize(
    ("first", "second", "sums"),
    [("cpu", "cpu", ["cpu", "cpu"]), ("gpu:0", "gpu:1", ["gpu:1", "gpu:0"]), (None, "cpu", ["cpu", ""]), ("cpu", None, ["", "cpu"])],
)  # fmt: skip
def test_a_backward_pass_begins_where_the_loss_is_and_adds_up_where_the_last_part_is_made(
    first: str | None, second: str | None, sums: list[str], program: Any
) -> None:
    with paddle.static.device_guard(first):
        x = paddle.static.data("x", [2, 4])
        x.stop_gradient = False
        hidden = paddle.static.nn.fc(x, 4)
    with paddle.static.device_guard(second):
        loss = paddle.mean(paddle.tanh(hidden) + paddle.exp(hidden) + x)
    paddle.static.append_backward(loss)
    found = [(op.type, op.attr("op_device") or "") for op in program.global_block().ops if op.attr("op_role") & 1]
    assert found[0] == ("fill_constant", second or "")
    assert [device for type_, device in found if type_ == "sum"] == sums

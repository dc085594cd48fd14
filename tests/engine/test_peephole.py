"""Each peephole: it applies where it should, changes no number beyond rounding, and keeps away from what it must not touch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.core.backward import append_backward
from paddle_compat.core.op import find_op
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.scope import Scope, global_scope, scope_guard
from paddle_compat.engine import peephole
from paddle_compat.static.executor import Executor

RANDOM = np.random.RandomState(0)


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    from paddle_compat.core import mode, unique_name

    former = mode.set_static(True)
    with program_guard(Program(), Program()), scope_guard(Scope()), unique_name.guard():
        yield
    mode.set_static(former)


def op(name: str) -> Any:
    found = find_op(name)
    assert found is not None
    return found


def data(name: str, value: np.ndarray) -> Any:
    block = paddle.static.default_main_program().global_block()
    FEED[name] = value
    return block.create_var(
        name=name, shape=[-1, *value.shape[1:]], dtype=value.dtype, is_data=True, stop_gradient=True
    )


def parameter(name: str, *shape: int) -> Any:
    global_scope().var(name).get_tensor().set(RANDOM.standard_normal(shape).astype("float32"))
    return paddle.static.default_main_program().global_block().create_parameter(name=name, shape=shape, dtype="float32")


FEED: dict[str, np.ndarray] = {}


def both(monkeypatch: pytest.MonkeyPatch, fetch: list[Any]) -> tuple[list[Any], list[Any], str]:
    """The fetched values without and with peepholes, and the code with them."""
    program = paddle.static.default_main_program()
    exe = Executor(paddle.CPUPlace())
    feed = {k: v for k, v in FEED.items() if k in program.global_block().vars}
    with monkeypatch.context() as patch:
        patch.setattr(peephole, "ENABLED", [])
        plain = exe.run(program, feed=feed, fetch_list=fetch)
    program._touch()
    fused = exe.run(program, feed=feed, fetch_list=fetch)
    return plain, fused, program.to_fx(list(feed), fetch).code


def check(monkeypatch: pytest.MonkeyPatch, loss: Any, extra: list[Any], expected: str, absent: bool = False) -> None:
    pairs = append_backward(loss)
    plain, fused, code = both(monkeypatch, [loss, *extra, *(g for _, g in pairs)])
    assert (expected in code) is not absent, code
    for a, b in zip(plain, fused):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6 * max(1.0, float(np.abs(a).max())))


def total(x: Any) -> Any:
    return op("reduce_sum")(op("square")(x), reduce_all=True)


@pytest.mark.parametrize("product", ["mul", "matmul_v2"])
@pytest.mark.parametrize("shape", [(5, 4), (5, 3, 4)])
def test_affine(monkeypatch: pytest.MonkeyPatch, product: str, shape: tuple[int, ...]) -> None:
    x = data("x", RANDOM.standard_normal(shape).astype("float32"))
    attrs = {"x_num_col_dims": len(shape) - 1} if product == "mul" else {}
    h = op(product)(x, parameter("w", 4, 6), **attrs)
    y = op("elementwise_add")(h, parameter("b", 6), axis=len(shape) - 1)
    check(monkeypatch, total(y), [y], "affine")


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_affine_of_flattened_images(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    shape = (5, 2, 3, 4)
    x = data("x", RANDOM.standard_normal(shape).astype("float32"))
    h = op("mul")(x, parameter("w", int(np.prod(shape[columns:])), 6), x_num_col_dims=columns)
    y = op("elementwise_add")(h, parameter("b", 6), axis=columns)
    check(monkeypatch, total(y), [y], "affine")


@pytest.mark.parametrize("product", ["mul", "matmul_v2"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_affine_of_what_is_put_beside_fed_numbers(monkeypatch: pytest.MonkeyPatch, product: str, place: int) -> None:
    """Only the part that learns has its gradient computed; all parameters' gradients are the same."""
    learned = op("square")(op("mul")(data("x", RANDOM.standard_normal((5, 4)).astype("float32")), parameter("v", 4, 16)))
    parts = [data(f"fed{i}", RANDOM.standard_normal((5, 3 + i)).astype("float32")) for i in range(2)]
    parts.insert(place, learned)
    joined = op("concat")(parts, axis=1)
    y = op("elementwise_add")(op(product)(joined, parameter("w", 23, 6)), parameter("b", 6), axis=1)
    check(monkeypatch, total(y), [y], "affine_of_part(")


@pytest.mark.parametrize("reason", ["two learn", "fetched", "read", "gradient"])
def test_affine_of_parts_that_need_more(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    learned = op("mul")(data("x", RANDOM.standard_normal((5, 4)).astype("float32")), parameter("v", 4, 4))
    fed = data("fed", RANDOM.standard_normal((5, 3)).astype("float32"))
    joined = op("concat")([learned, op("scale")(learned, scale=2.0) if reason == "two learn" else fed], axis=1)
    y = op("elementwise_add")(op("mul")(joined, parameter("w", 8 if reason == "two learn" else 7, 6)), parameter("b", 6), axis=1)
    loss = total(y) if reason != "read" else op("elementwise_add")(total(y), total(joined))
    pairs = append_backward(loss)
    extra = {"fetched": [joined], "gradient": [f"{joined.name}@GRAD"]}.get(reason, [])
    plain, fused, code = both(monkeypatch, [loss, *extra, *(g for _, g in pairs)])
    assert "affine_of_part" not in code
    for a, b in zip(plain, fused, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-5)


IMAGES = {
    "plain": {},
    "strided": {"strides": [2, 2], "paddings": [1, 1]},
    "uneven": {"paddings": [1, 0, 2, 1]},
    "same": {"padding_algorithm": "SAME", "strides": [2, 1]},
    "grouped": {"groups": 2},
    "dilated": {"dilations": [2, 2]},
    "channels last": {"data_format": "NHWC"},
}


@pytest.mark.parametrize("kind", IMAGES)
@pytest.mark.parametrize("size", [6, 40])
def test_convolution_and_bias(monkeypatch: pytest.MonkeyPatch, kind: str, size: int) -> None:
    attrs = IMAGES[kind]
    last = "data_format" in attrs
    x = data("x", RANDOM.standard_normal((3, size, size, 4) if last else (3, 4, size, size)).astype("float32"))
    h = op("conv2d")(x, parameter("w", 6, 4 // attrs.get("groups", 1), 3, 3), **attrs)
    y = op("elementwise_add")(h, parameter("b", 6), axis=3 if last else 1)
    check(monkeypatch, total(y), [y], "conv2d_biased")


def test_depthwise_convolution_and_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    x = data("x", RANDOM.standard_normal((3, 4, 6, 6)).astype("float32"))
    h = op("depthwise_conv2d")(x, parameter("w", 4, 1, 3, 3), groups=4)
    check(monkeypatch, total(op("elementwise_add")(h, parameter("b", 4), axis=1)), [], "conv2d_biased")


@pytest.mark.parametrize("reason", ["fetched", "along the width", "one number"])
def test_convolutions_that_stay(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    x = data("x", RANDOM.standard_normal((3, 4, 6, 6)).astype("float32"))
    h = op("conv2d")(x, parameter("w", 4, 4, 3, 3))
    y = op("elementwise_add")(h, parameter("b", 1 if reason == "one number" else 4), axis=-1 if reason == "along the width" else 1)
    check(monkeypatch, total(y), [h] if reason == "fetched" else [], "conv2d_biased", absent=True)


@pytest.mark.parametrize("wrong", ["image", "filters"])
def test_the_part_that_fails_is_named(wrong: str) -> None:
    """Of a convolution and its bias, merged, an error names the convolution where it is what cannot take its inputs."""
    x = data("x", RANDOM.standard_normal((3, 4, 6, 6)).astype("float32"))
    y = op("elementwise_add")(op("conv2d")(x, parameter("w", 5, 4, 3, 3)), parameter("b", 5), axis=1)
    value = FEED["x"]
    if wrong == "image":
        paddle.static.default_main_program().global_block().vars["x"].need_check_feed = False
        value = value[:, :3]
    else:
        global_scope().var("b").get_tensor().set(np.zeros(2, "float32"))
    with pytest.raises(Exception, match="`conv2d` cannot" if wrong == "image" else "`elementwise_add` cannot"):
        Executor(paddle.CPUPlace()).run(feed={"x": value}, fetch_list=[y])


def test_a_product_that_is_read_twice_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    x = data("x", RANDOM.standard_normal((5, 4)).astype("float32"))
    h = op("mul")(x, parameter("w", 4, 6))
    y = op("elementwise_add")(h, parameter("b", 6), axis=1)
    check(monkeypatch, total(op("elementwise_mul")(y, h)), [], "affine", absent=True)


LOSSES: dict[str, Callable[[Any, Any], Any]] = {
    "softmax_with_cross_entropy": lambda x, y: op("softmax_with_cross_entropy")(x, y)[1],
    "of_softmax": lambda x, y: op("softmax_with_cross_entropy")(op("softmax")(x), y, use_softmax=False)[1],
    "cross_entropy2": lambda x, y: op("cross_entropy2")(op("softmax")(x), y)[0],
}


@pytest.mark.parametrize("kind", LOSSES)
def test_cross_entropy_and_its_mean(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    x = data("x", RANDOM.standard_normal((5, 4)).astype("float32"))
    y = data("y", RANDOM.randint(0, 6, (5, 1)))
    loss = LOSSES[kind](op("mul")(x, parameter("w", 4, 6)), y)
    check(monkeypatch, op("reduce_mean")(loss, reduce_all=True), [], "mean_nll_of_logits")


@pytest.mark.parametrize("mean", [False, True])
@pytest.mark.parametrize("ignored", [2, 7])
def test_cross_entropy_of_ignored_rows(monkeypatch: pytest.MonkeyPatch, mean: bool, ignored: int) -> None:
    """1.8's operator leaves ignored rows out of the loss and not out of the gradient, merged or not, whether there are any or none."""
    x = data("x", RANDOM.standard_normal((5, 4)).astype("float32"))
    y = data("y", np.array([[0], [2], [5], [2], [1]]))
    logits = op("mul")(x, parameter("w", 4, 6))
    loss = op("softmax_with_cross_entropy")(logits, y, ignore_index=ignored, _ignored_learn=True)[1]
    whole = op("reduce_mean")(loss, reduce_all=True) if mean else total(loss)
    check(monkeypatch, whole, [], "mean_nll_of_logits" if mean else "nll_of_logits")


@pytest.mark.parametrize("kind", LOSSES)
@pytest.mark.parametrize("mean", [False, True])
def test_cross_entropy_of_far_logits(monkeypatch: pytest.MonkeyPatch, kind: str, mean: bool) -> None:
    """A loss beyond 64 is bounded, and its gradient is, as the single operators do it."""
    x = data("x", 60 * RANDOM.standard_normal((5, 4)).astype("float32"))
    y = data("y", RANDOM.randint(0, 6, (5, 1)))
    logits = op("mul")(x, parameter("w", 4, 6))
    loss = LOSSES[kind](logits, y)
    total_loss = op("reduce_mean")(loss, reduce_all=True) if mean else total(loss)
    check(monkeypatch, total_loss, [], "mean_nll_of_logits" if mean else "nll_of_logits")


def test_a_softmax_that_is_fetched_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    x = data("x", RANDOM.standard_normal((5, 4)).astype("float32"))
    y = data("y", RANDOM.randint(0, 6, (5, 1)))
    soft = op("softmax")(op("mul")(x, parameter("w", 4, 6)))
    loss = op("cross_entropy2")(soft, y)[0]
    check(monkeypatch, op("mean")(loss), [soft, loss], "nll_of_logits")


@pytest.mark.parametrize("sparse", [False, True])
def test_lookups_of_one_table(monkeypatch: pytest.MonkeyPatch, sparse: bool) -> None:
    table = parameter("table", 10, 4)
    rows = []
    for i in range(4):
        ids = data(f"ids{i}", RANDOM.randint(0, 10, (5, 1)))
        inputs = [ids, table] if op("lookup_table_v2").inputs[0].name == "Ids" else [table, ids]
        rows.append(op("lookup_table_v2")(*inputs, is_sparse=sparse))
    check(monkeypatch, total(op("concat")(rows, axis=1)), rows, "lookup_many")


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("kind", ["lookup_table", "lookup_table_v2"])
def test_lookups_side_by_side(monkeypatch: pytest.MonkeyPatch, kind: str, alone: bool) -> None:
    """Rows that only a concat reads are looked up where they go."""
    table = parameter("table", 10, 4)
    rows = [side_by_side_row(kind, i, table) for i in range(4)]
    others = [] if alone else [data("dense", RANDOM.standard_normal((5, 3)).astype("float32"))]
    joined = op("concat")([*others, *rows, *others], axis=1)
    check(monkeypatch, total(joined), [joined], "lookup_joined")


@pytest.mark.parametrize("reason", ["order", "fetched", "axis", "wide ids"])
def test_lookups_that_are_not_side_by_side(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    table = parameter("table", 10, 4)
    rows = [side_by_side_row("lookup_table_v2", i, table, 2 if reason == "wide ids" else 1) for i in range(4)]
    joined = op("concat")(rows[::-1] if reason == "order" else rows, axis=0 if reason == "axis" else 1)
    check(monkeypatch, total(joined), [rows[1]] if reason == "fetched" else [], "lookup_joined", absent=True)


def side_by_side_row(kind: str, i: int, table: Any, width: int = 1) -> Any:
    ids = data(f"ids{i}", RANDOM.randint(0, 10, (5, width)))
    inputs = [ids, table] if op(kind).inputs[0].name == "Ids" else [table, ids]
    row = op(kind)(*inputs, is_sparse=True)
    return row if kind == "lookup_table" else op("reshape2")(row, shape=[-1, 4])


@pytest.mark.parametrize("masked", [False, True])
def test_attention(monkeypatch: pytest.MonkeyPatch, masked: bool) -> None:
    x = data("x", RANDOM.standard_normal((2, 3, 5, 4)).astype("float32"))
    q, k, v = (op("matmul_v2")(x, parameter(n, 4, 4)) for n in "qkv")
    scores = op("scale")(op("matmul_v2")(q, k, trans_y=True), scale=0.5)
    if masked:
        scores = op("elementwise_add")(scores, data("mask", RANDOM.standard_normal((2, 1, 5, 5)).astype("float32")))
    y = op("matmul_v2")(op("softmax")(scores), v)
    check(monkeypatch, total(y), [y], "attention(")


def inferred(monkeypatch: pytest.MonkeyPatch, read: Callable[[Any], Any]) -> tuple[list[Any], list[Any], str]:
    x = data("x", RANDOM.standard_normal((2, 3)).astype("float32"))
    return both(monkeypatch, [op("scale")(read(x), scale=1.0)])


def test_a_scale_by_one_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, short, code = inferred(monkeypatch, op("tanh"))
    assert np.array_equal(plain[0], short[0]) and "scale(" not in code


def test_a_scale_by_one_of_a_parameter_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, short, code = inferred(monkeypatch, lambda x: parameter("w", 2))
    assert np.array_equal(plain[0], short[0]) and "scale(" in code


def test_a_scale_by_one_stays_where_something_is_updated(monkeypatch: pytest.MonkeyPatch) -> None:
    rate = paddle.static.create_global_var([1], 0.5, "float32", persistable=True, name="rate")
    global_scope().var("rate").get_tensor().set(np.float32([0.5]))
    w = parameter("w", 2)
    before = op("scale")(op("reshape2")(w, shape=[1, 2]), scale=1.0)
    block = paddle.static.default_main_program().global_block()
    block.append_op(type="sgd", inputs={"Param": [w], "Grad": [w], "LearningRate": [rate]}, outputs={"ParamOut": [w]})
    value = np.array(global_scope().find_var("w").get_tensor())
    (fetched,) = Executor(paddle.CPUPlace()).run(fetch_list=[before])
    assert np.array_equal(fetched[0], value)


def test_numbers_of_16_bits_are_rounded_as_in_eager_mode() -> None:
    paddle.disable_static()
    rng = np.random.RandomState(0)
    x, w, b = [paddle.to_tensor(rng.randn(*s).astype("float32")).astype("bfloat16") for s in ((16, 8), (8, 8), (8,))]
    label = paddle.to_tensor(rng.randint(0, 8, (16, 1)))

    def loss(x: Any) -> Any:
        y = paddle.nn.functional.linear(x, w, b)
        return y, paddle.nn.functional.cross_entropy(paddle.nn.functional.softmax(y), label, use_softmax=False).mean()

    found = []
    for function in (loss, paddle.jit.to_static(loss)):
        given = x.detach()
        given.stop_gradient = False
        y, mean = function(given)
        mean.backward()
        found.append([value.astype("float32").tolist() for value in (y, mean, given.grad)])
    assert found[0] == found[1]

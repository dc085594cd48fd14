"""Tolerances that are Tensors, elements that gather_nd finds, and what is refused while recording."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle


@pytest.mark.parametrize("api", [paddle.isclose, paddle.allclose])
def test_tensors_stand_for_tolerances(api: object) -> None:
    x, y = paddle.to_tensor([1.0, 2.0], dtype="float64"), paddle.to_tensor([1.0, 2.1], dtype="float64")
    wide, narrow = paddle.to_tensor([0.1], dtype="float64"), paddle.to_tensor(1e-9, dtype="float64")
    assert callable(api)
    assert api(x, y, wide, narrow).numpy().all() and api(x, y, 1e-9, wide * 2).numpy().all()
    assert not api(x, y, narrow, narrow).numpy().all()
    for wrong in (paddle.to_tensor([1]), paddle.to_tensor([0.1, 0.2], dtype="float64"), 1):
        with pytest.raises((TypeError, ValueError), match="rtol"):
            api(x, y, wrong, 1e-8)


def test_recorded_tolerances() -> None:
    paddle.enable_static()
    main = paddle.static.Program()
    block = main.global_block()
    slots = {"Input": [3], "Other": [3], "Rtol": [1], "Atol": [1]}
    for name, shape in slots.items():
        block.create_var(name=name, shape=shape, dtype="float64")
    block.create_var(name="Out", dtype="bool")
    op = block.append_op(type="allclose", inputs={n: [n] for n in slots}, outputs={"Out": ["Out"]}, attrs={"equal_nan": False})
    op.desc.infer_shape(block.desc)
    x = np.array([1.0, 2.0, 3.0])
    feed = {"Input": x, "Other": x + 0.01, "Rtol": np.array([0.0]), "Atol": np.array([0.02])}
    executor = paddle.static.Executor(paddle.CPUPlace())
    assert executor.run(main, feed=feed, fetch_list=["Out"])[0].all()
    assert not executor.run(main, feed={**feed, "Atol": np.array([0.001])}, fetch_list=["Out"])[0].all()


def test_an_element_that_gather_nd_finds_has_no_dimension() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    found = paddle.gather_nd(x, paddle.to_tensor([1]))
    found.backward()
    assert found.shape == [] and float(found) == 2.0
    assert x.grad is not None and x.grad.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("repeat", ["tile(b, [2, 2])", "expand(b, [2, 4])", "broadcast_to(b, [2, 4])", "expand_as(b, c)"])
def test_flags_are_repeated_without_a_gradient(repeat: str) -> None:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        b, c = paddle.static.data("b", [4], "bool"), paddle.static.data("c", [2, 4], "bool")
        assert eval(f"paddle.{repeat}", {"paddle": paddle, "b": b, "c": c}).shape[0] == 2
        b.stop_gradient = False
        with pytest.raises(ValueError, match="stop_gradient"):
            eval(f"paddle.{repeat}", {"paddle": paddle, "b": b, "c": c})


def test_types_that_are_refused_while_recording() -> None:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        x, i = paddle.static.data("x", [2, 1]), paddle.static.data("i", [2, 1], "int32")
        with pytest.raises(TypeError, match="axis"):
            paddle.squeeze(x, axis=2.1)
        with pytest.raises(TypeError, match="float32"):
            paddle.allclose(i, x)
        with pytest.raises(ValueError, match="norm"):
            paddle.norm(x, p=[1], axis=-1)

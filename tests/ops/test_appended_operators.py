"""Operators without a layer of their own compute what Paddle 1.8.5 and 2.6.2 compute, when appended by hand."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.errors import UnsupportedError

sys.path.insert(0, str(ROOT / "scripts/references"))

import appended_operators

VERSIONS = ("1.8.5", "2.6.2")
REAL = {version: json.loads((ROOT / f"tests/references/appended_operators_{version}.json").read_text()) for version in VERSIONS}


@pytest.mark.parametrize(("version", "case"), [(v, case) for v in VERSIONS for case in appended_operators.cases(v)])
def test_values(version: str, case: str) -> None:
    paddle.enable_static()
    base: Any = fluid if version == "1.8.5" else paddle.base
    mean = fluid.layers.mean if version == "1.8.5" else paddle.mean
    real, ours = REAL[version][case], appended_operators.compute(base, appended_operators.cases(version)[case], mean)
    if "raises" in real:
        assert ours == {"raises": "ValueError"}
        return
    assert ours.keys() == real.keys()
    for name, (value, lod) in real.items():
        assert ours[name][1] == lod or name == "Col"  # whose LoD no operator reads
        np.testing.assert_allclose(ours[name][0], value, rtol=1e-5, atol=1e-6, err_msg=name)


def test_attention_by_ranks_sums_over_those_shown_along() -> None:
    """The wheels compute it on GPUs alone: here it is compared with the sum written out."""
    random = np.random.RandomState(7)
    x, param = random.rand(3, 2).astype("float32"), random.rand(18, 4).astype("float32")
    offsets = np.array([[1, 1, 0, 2, 1, 0, 0], [2, 1, 0, 2, 1, 3, 2], [0, 0, 0, 0, 0, 0, 0]], "int32")
    out = appended_operators.compute(
        fluid, ("rank_attention", {"X": x, "RankOffset": offsets, "RankParam": param}, ["Out"], {"MaxRank": 3}, None, "RankParam"),
        fluid.layers.mean,
    )  # fmt: skip
    wanted, gradient = np.zeros((3, 4)), np.zeros((3, 3, 2, 4))
    for row, (rank, *places) in enumerate(offsets.tolist()):
        for other, shown in zip(places[::2], places[1::2]):
            if rank and other:
                wanted[row] += x[shown] @ param.reshape(3, 3, 2, 4)[rank - 1, other - 1]
    for row, (rank, *places) in enumerate(offsets.tolist()):
        for other, shown in zip(places[::2], places[1::2]):
            if rank and other:
                gradient[rank - 1, other - 1] += np.outer(x[shown], wanted[row]) * 2 / wanted.size
    np.testing.assert_allclose(out["Out"][0], wanted, rtol=1e-5)
    np.testing.assert_allclose(out["RankParam_0@GRAD"][0], gradient.reshape(18, 4), rtol=1e-5)


def test_a_window_of_scales_grows_in_training_and_a_full_one_is_refused() -> None:
    window = {"window_size": 3}
    feed = {"X": appended_operators.X, "InScale": appended_operators.f(0.5), "Iter": np.array([2], "int64")}
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        block = main.global_block()
        inputs = {n: block.create_var(name=n, shape=v.shape, dtype=str(v.dtype)) for n, v in feed.items()}
        outputs = {n: block.create_var(name=n, dtype="float32") for n in ("Out", "OutScale", "OutScales")}
        block.append_op(type="fake_quantize_range_abs_max", inputs=inputs, outputs=outputs, attrs=window)
        exe, largest = fluid.Executor(fluid.CPUPlace()), np.abs(feed["X"]).max()
        _, scale, scales = exe.run(main, feed=feed, fetch_list=list(outputs))
        assert scale.tolist() == [largest] and scales.tolist() == [0, 0, largest]
        kept = exe.run(main, feed={**feed, "InScale": appended_operators.f(99.0)}, fetch_list=["OutScale"])[0]
        assert kept.tolist() == [99.0]
        with pytest.raises(UnsupportedError, match="fake_quantize_moving_average_abs_max"):
            exe.run(main, feed={**feed, "Iter": np.array([3], "int64")}, fetch_list=["Out"])


def test_a_window_of_scales_that_is_kept_forgets_the_oldest() -> None:
    """The largest magnitudes of 15 batches, and what 1.8.5 gives for the scale and, at last, the window of 4."""
    batches = [1, 5, 2, 3, 1, 2, 2.5, 0.5, 0.25, 0.125, 4, 0.5, 0.25, 0.125, 0.0625]
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        x = fluid.data("x", [-1, 3])
        step = fluid.layers.create_global_var([1], 0, "int64", persistable=True)
        scale = fluid.layers.create_global_var([1], 0.001, "float32", persistable=True)
        scales = fluid.layers.create_global_var([4], 0.0, "float32", persistable=True)
        out = main.global_block().create_var(name="out", dtype="float32")
        fluid.layers.increment(step, 1.0)
        main.global_block().append_op(
            type="fake_quantize_range_abs_max", inputs={"X": [x], "InScale": [scale], "Iter": [step]},
            outputs={"Out": [out], "OutScale": [scale], "OutScales": [scales]}, attrs={"window_size": 4, "is_test": False},
        )  # fmt: skip
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup)
    rows = [exe.run(main, feed={"x": np.array([[v, -v / 2, v / 4]], "float32")}, fetch_list=[scale, scales, out]) for v in batches]
    assert [float(row[0][0]) for row in rows] == [1, 5, 5, 5, 5, 3, 3, 2.5, 2.5, 2.5, 4, 4, 4, 4, 0.5]
    assert rows[-1][1].tolist() == [0.5, 0.25, 0.125, 0.0625] and rows[5][2].tolist() == [[85, -42, 21]]


@pytest.mark.parametrize(
    ("scales", "more", "steps"),
    [
        ([2, 8], {}, [[64, -127, 127], [64, -8, 4]]),
        ([2, 0], {}, [[64, -127, 127], [0, 0, 0]]),
        ([1e-31, 3], {}, [[0, 0, 0], [127, -21, 11]]),
        ([2, 8], {"round_type": 0}, [[64, -127, 127], [64, -8, 4]]),
        ([2, 0], {"round_type": 0}, [[64, -127, 127], [127, -128, 127]]),
        ([2, 8, 4], {"quant_axis": 1}, [[64, -32, 95], [127, -8, 8]]),
        ([2, 8], {"is_test": False}, [[42, -85, 127], [127, -16, 8]]),
    ],
)
def test_scales_of_channels_stay_in_tests(scales: list[float], more: dict[str, Any], steps: list[list[int]]) -> None:
    """2.6.2's figures for x = [[1, -2, 3], [4, -0.5, 0.25]] with these values in OutScale."""
    paddle.enable_static()
    main, scope, exe = paddle.static.Program(), paddle.static.Scope(), paddle.static.Executor()
    with paddle.static.program_guard(main, paddle.static.Program()), paddle.static.scope_guard(scope):
        _scaled_by_channels(main, paddle.static.data("x", [2, 3]), {"is_test": True, **more}, scope, scales)
        out, kept = exe.run(main, feed={"x": np.array([[1, -2, 3], [4, -0.5, 0.25]], "float32")}, fetch_list=["out", "scale"])
    assert out.tolist() == steps
    assert kept.tolist() == ([3, 4] if "is_test" in more else np.array(scales, "float32").tolist())


def test_scales_of_channels_follow_the_batch_in_tests_of_1_8() -> None:
    main, scope, exe = fluid.Program(), fluid.Scope(), fluid.Executor(fluid.CPUPlace())
    with fluid.program_guard(main, fluid.Program()), fluid.scope_guard(scope):
        _scaled_by_channels(main, fluid.data("x", [2, 3]), {"is_test": True}, scope, [2, 8])
        out, kept = exe.run(main, feed={"x": np.array([[1, -2, 3], [4, -0.5, 0.25]], "float32")}, fetch_list=["out", "scale"])
    assert out.tolist() == [[42, -85, 127], [127, -16, 8]] and kept.tolist() == [3, 4]  # 1.8.5's


def _scaled_by_channels(main: Any, x: Any, attrs: dict[str, Any], scope: Any, scales: list[float]) -> None:
    """Append the operator to a Program, with these scales in its output."""
    block = main.global_block()
    out = block.create_var(name="out", dtype="float32", shape=[2, 3])
    kept = block.create_var(name="scale", dtype="float32", shape=[len(scales)], persistable=True)
    block.append_op(
        type="fake_channel_wise_quantize_abs_max", inputs={"X": [x]}, outputs={"Out": [out], "OutScale": [kept]},
        attrs={"bit_length": 8, **attrs},
    )  # fmt: skip
    scope.var("scale").get_tensor().set(np.array(scales, "float32"), paddle.CPUPlace())


def _appended(kind: str, inputs: dict[str, Any], attrs: dict[str, Any], wanted: str) -> list[Any]:
    """What an operator of complex results gives, and the gradient of the sum of the squares of its parts."""
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        block = main.global_block()
        for name, value in inputs.items():
            block.create_var(name=name, shape=value.shape, dtype=str(value.dtype), stop_gradient=name != wanted)
        block.create_var(name="made", dtype="complex64")
        block.append_op(kind, {name: [name] for name in inputs}, {"Out": ["made"]}, attrs)
        loss = paddle.sum(paddle.as_real(block.var("made")).square())
        (gradient,) = paddle.static.gradients([loss], [block.var(wanted)])
    return paddle.static.Executor().run(main, inputs, ["made", gradient])


@pytest.mark.parametrize("onesided", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
def test_spectra_of_windows(onesided: bool, normalized: bool) -> None:
    """The sides of a real signal; 2.6.2 itself refuses both sides, as it takes them for real."""
    random = np.random.RandomState(5)
    x, window = random.rand(2, 10).astype("float32"), random.rand(4).astype("float32")
    attrs = {"n_fft": 4, "hop_length": 3, "normalized": normalized, "onesided": onesided}
    found, gradient = _appended("stft", {"X": x, "Window": window}, attrs, "X")
    frames = np.stack([x[:, i : i + 4] for i in (0, 3, 6)], 1) * window
    wanted = np.fft.fft(frames)[..., : 3 if onesided else 4].swapaxes(1, 2) / (2 if normalized else 1)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    turns = np.fft.fft(np.eye(4))[: 3 if onesided else 4] / (2 if normalized else 1)  # [frequency, place]
    back, steps = np.zeros((2, 10)), 2 * (wanted.swapaxes(1, 2) @ turns.conj()).real * window
    for number, first in enumerate((0, 3, 6)):
        back[:, first : first + 4] += steps[:, number]
    np.testing.assert_allclose(gradient, back, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("shape", "attrs", "words"),
    [
        ((10,), {}, "Expected signals"),
        ((2, 10), {"n_fft": 3}, "Expected 3 numbers"),
        ((2, 3), {}, "at most the 3 elements"),
        ((2, 10), {"hop_length": 0}, "above 0"),
    ],
)
def test_spectra_of_what_is_no_signal(shape: tuple[int, ...], attrs: dict[str, Any], words: str) -> None:
    given = {"n_fft": 4, "hop_length": 3, "normalized": False, "onesided": True, **attrs}
    with pytest.raises(ValueError, match=words):
        _appended("stft", {"X": np.ones(shape, "float32"), "Window": np.ones(4, "float32")}, given, "X")


def test_numbers_that_are_not_finite_stop_a_check() -> None:
    """As `paddle.amp.debugging.check_numerics` does, by RuntimeError; level 1 only prints."""
    case: Any = ("check_numerics", {"tensor": np.array([1, np.nan], "float32")}, ["stats", "values"], {"op_type": "relu", "var_name": "x"})
    assert appended_operators.compute(paddle.base, case, paddle.mean) == {"raises": "RuntimeError"}
    told = appended_operators.compute(paddle.base, (*case[:3], {**case[3], "check_nan_inf_level": 1}), paddle.mean)
    assert told["stats"][0] == [1, 0, 0]


def test_slices_are_dropped_whole(exact_random: None) -> None:
    """By 2.6.2's kernel: one number for each index along `axis`, and the seed of its own."""
    attrs = {"dropout_prob": 0.5, "dropout_implementation": "upscale_in_train", "fix_seed": True, "seed": 3}
    for axis, kept in (([0], [[1], [0], [1]]), ([1], [[1, 0, 1, 0]]), ([0, 1], [[1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 0, 1]])):
        case: Any = ("dropout_nd", {"X": np.ones((3, 4), "float32")}, ["Out", "Mask"], {**attrs, "axis": axis}, None, "X")
        made = appended_operators.compute(paddle.base, case, paddle.mean)
        wanted = np.broadcast_to(kept, (3, 4))
        assert made["Mask"][0] == kept and made["Out"][0] == (wanted * 2.0).tolist()
        np.testing.assert_allclose(made["X_0@GRAD"][0], wanted * 8 / 12, rtol=1e-6)


def test_what_does_nothing_hands_on_what_it_is_given() -> None:
    case: Any = ("nop", {"X": np.ones((2,), "float32")}, ["Out"], {})
    assert appended_operators.compute(paddle.base, case, paddle.mean)["Out"][0] == [1.0, 1.0]

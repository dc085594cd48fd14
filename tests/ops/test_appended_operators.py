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

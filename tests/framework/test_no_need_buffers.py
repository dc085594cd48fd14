"""Harnesses ask which inputs an operator of a Program does not read, and which operators have kernels for a type of data."""

from __future__ import annotations

import pytest

import paddle_compat as paddle
from paddle_compat.base import core

pytestmark = pytest.mark.usefixtures("paddle_is_ours")


def slots_of(op: object) -> set[str]:
    desc = op.desc  # type: ignore[attr-defined]
    inputs, outputs = ({name: part(name) for name in names} for part, names in (
        (desc.input, desc.input_names()), (desc.output, desc.output_names()),
    ))  # fmt: skip
    return core.infer_no_need_buffer_slots(desc.type(), inputs, outputs, {name: desc.attr(name) for name in desc.attr_names()})


def test_slots_of_a_program() -> None:
    """A sum and its gradient, as Paddle 2.6.2 answers."""
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()) as _:
        x, y = (paddle.static.data(name, [1], "float32") for name in "xy")
        x.stop_gradient = y.stop_gradient = False
        out = paddle.add(x, y)
        paddle.static.gradients([out], [x, y])
        answers = {op.type: slots_of(op) for op in out.block.ops}
    assert answers["elementwise_add"] == set()
    assert answers["fill_constant" if "fill_constant" in answers else "fill_any_like"] == set()
    assert answers["elementwise_add_grad"] == {"X", "Y"}


@pytest.mark.parametrize(("type_", "slots"), [("sum", set()), ("concat_grad", {"X"}), ("layer_norm_grad", {"Bias"}), ("crop", {"Y"})])
def test_slots_by_type(type_: str, slots: set[str]) -> None:
    assert core.infer_no_need_buffer_slots(type_, {}, {}, {}) == slots


def test_operators_with_kernels_for_a_type_of_data() -> None:
    """As the wheel of 2.6 says, but for what oneDNN adds there."""
    core = paddle.base.core
    kinds = core.VarDesc.VarType
    asked = ("matmul_v2", "softmax", "conv2d", "adam", "while")
    for kind, expected in ((kinds.FP32, [True] * 4 + [False]), (kinds.FP16, [False] * 5)):
        every, found, others = core.op_supported_infos("CPU", kind)
        assert [name in found for name in asked] == expected and found | others == every and not found & others
        assert "abs_double_grad" in every and "abs_coo" not in every
    assert core.op_supported_infos("GPU", kinds.FP32)[1] == set()
    for wrong in ((3, kinds.FP32), ("CPU", 3)):
        with pytest.raises(TypeError, match="op_supported_infos"):
            core.op_supported_infos(*wrong)

"""The fluid regularizers: what they append, and their texts."""

from __future__ import annotations

import pytest

import paddle_compat.fluid as fluid


@pytest.mark.parametrize(
    ("decay", "operators"),
    [
        (fluid.regularizer.L2Decay(0.5), [("scale", "p", "_generated_var_0")]),
        (
            fluid.regularizer.L1Decay(0.5),
            [("sign", "p", "_generated_var_0"), ("scale", "_generated_var_0", "_generated_var_0")],
        ),
    ],
)
def test_decay_term(decay: fluid.regularizer.L1Decay, operators: list[tuple[str, str, str]]) -> None:
    program = fluid.Program()
    with fluid.program_guard(program, fluid.Program()), fluid.unique_name.guard():
        block = program.global_block()
        term = decay(block.create_parameter(name="p", shape=[3], dtype="float32"), None, block)
    assert [(op.type, op.input("X")[0], op.output("Out")[0]) for op in block.ops] == operators
    assert term.name == "_generated_var_0"
    assert block.ops[-1].attr("scale") == 0.5


def test_text_and_wrong_coefficient() -> None:
    assert str(fluid.regularizer.L1Decay(0.1)) == "L1Decay, regularization_coeff=0.100000"
    assert str(fluid.regularizer.L2DecayRegularizer(0.1)) == "L2Decay, regularization_coeff=0.100000"
    with pytest.raises(AssertionError, match="`regularization_coeff`.*Expected a float"):
        fluid.regularizer.L2Decay(None)  # type: ignore[arg-type]

"""The 2.x regularizers: what they append, and their values in eager mode."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from paddle_compat import regularizer
from paddle_compat.core import mode
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.tensor import Tensor


@pytest.fixture(params=[False, True], ids=["eager", "static"])
def static(request: pytest.FixtureRequest) -> bool:
    mode.set_static(request.param)
    return bool(request.param)


@pytest.mark.parametrize(
    ("decay", "types", "expected"),
    [
        (regularizer.L1Decay(0.5), ["sign", "scale"], [0.5, -0.5, 0.0]),
        (regularizer.L2Decay(0.5), ["scale"], [1.0, -0.5, 0.0]),
    ],
)
def test_decay_term(static: bool, decay: regularizer.L1Decay, types: list[str], expected: list[float]) -> None:
    if not static:
        term = decay(Tensor(torch.tensor([2.0, -1.0, 0.0])), None, None)
        np.testing.assert_array_equal(term.numpy(), expected)
        return
    program = Program()
    with program_guard(program, Program()):
        block = program.global_block()
        param = block.create_parameter(name="p", shape=[3], dtype="float32")
        term = decay(param, None, block)
    assert [op.type for op in block.ops] == types
    assert block.ops[0].input("X") == ["p"]
    assert block.ops[-1].output("Out") == [term.name] == [f"_generated_var_{len(types) - 1}"]
    assert block.ops[-1].attr("scale") == 0.5


def test_text_and_wrong_coefficient() -> None:
    assert str(regularizer.L1Decay(0.1)) == "L1Decay, coeff=0.100000"
    assert str(regularizer.L2Decay(0.1)) == "L2Decay, coeff=0.100000"
    with pytest.raises(AssertionError, match="`coeff`.*Expected a float"):
        regularizer.L2Decay(None)  # type: ignore[arg-type]

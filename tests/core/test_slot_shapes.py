"""Inputs of shapes that Paddle 1.8.5 and 2.6.2 refuse while the operator is appended, and those that they take."""

from __future__ import annotations

from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.core.errors import EnforceNotMet
from paddle_compat.core.op import definition_of
from paddle_compat.core.program import Program

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

ADAM = {"Param": [3, 2], "Grad": [3, 2], "LearningRate": [1], "Moment1": [3, 2], "Moment2": [3, 2], "Beta1Pow": [1], "Beta2Pow": [1]}
CRF = {"Emission": [-1, 3], "Transition": [5, 3]}
ASSIGNED = {"PriorBox": [-1, 4], "PriorBoxVar": [4], "TargetBox": [-1, 12], "BoxScore": [-1, 3]}
GATES = {"X": [6, 2], "WeightX": [2, 12], "WeightH": [3, 12], "Bias": [1, 12]}
# ages that refuse, operator, inputs, attributes, the slot that is refused and with what
REFUSED = [
    ("1", "adam", ADAM, {}, "Grad", [3]),
    ("1", "adam", ADAM, {}, "Grad", [3, 3]),
    ("12", "adam", ADAM, {}, "Moment1", [3, 2, 2]),
    ("12", "adam", ADAM, {}, "LearningRate", [2]),
    ("1", "sgd", {"Param": [3], "Grad": [3], "LearningRate": [1]}, {}, "Grad", [4]),
    ("12", "crf_decoding", CRF, {}, "Transition", [6, 3]),
    ("12", "crf_decoding", CRF, {}, "Emission", [-1]),
    ("12", "box_decoder_and_assign", ASSIGNED, {"box_clip": 4.1}, "PriorBox", [-1, 5]),
    ("12", "box_decoder_and_assign", ASSIGNED, {"box_clip": 4.1}, "BoxScore", [-1]),
    ("12", "bipartite_match", {"DistMat": [-1, 4]}, {}, "DistMat", [2, -1, 4]),
    ("12", "target_assign", {"X": [-1, 4, 2], "MatchIndices": [-1, 4]}, {}, "X", [-1, 4]),
    ("12", "fusion_lstm", GATES, {}, "WeightX", [3, 12]),
    ("12", "fusion_lstm", GATES, {}, "WeightH", [3, 9]),
    ("12", "sampling_id", {"X": [-1, 4]}, {}, "X", [-1]),
    ("1", "linspace", {"Start": [1], "Stop": [1], "Num": [1]}, {}, "Start", [2]),
    ("12", "bilinear_tensor_product", {"X": [-1, 3], "Y": [-1, 4], "Weight": [2, 3, 4]}, {}, "Weight", [2, 4, 4]),
]
LISTS = [  # operator, inputs, attributes, which list is refused when it is cut by one
    ("slice", {"Input": [4, 5]}, {"axes": [0, 1], "starts": [1, 0], "ends": [3, 4]}, "ends"),
    ("strided_slice", {"Input": [4, 5]}, {"axes": [0, 1], "starts": [1, 0], "ends": [3, 4], "strides": [1, 2]}, "strides"),
    ("crop", {"X": [3, 5]}, {"shape": [2, 3], "offsets": [0, 1]}, "shape"),
]
TAKEN = [
    ("12", "adam", ADAM, {}, "Beta1Pow", [2]),
    ("2", "adam", ADAM, {}, "LearningRate", []),
    ("2", "sgd", {"Param": [3], "Grad": [3], "LearningRate": [1]}, {}, "Grad", [4]),
    ("12", "crf_decoding", CRF, {}, "Emission", [-1, -1, 3]),
    ("12", "bilinear_tensor_product", {"X": [-1, 3], "Y": [-1, 4], "Weight": [2, 3, 4]}, {}, "X", [5, -1]),
    ("2", "linspace", {"Start": [1], "Stop": [1], "Num": [1]}, {}, "Start", []),
]


def append(age: int, type_: str, inputs: dict[str, Any], attrs: dict[str, Any]) -> Any:
    """The operator with variables of these shapes."""
    paddle.enable_static()
    program = Program()
    program.age = age
    block = program.global_block()
    definition = definition_of(type_)
    whole = {"Ids", "MatchIndices", "Label", "Num"}
    given = {
        slot: [block.create_var(name=slot, shape=shape, dtype="int32" if slot in whole else "float32")] for slot, shape in inputs.items()
    }
    outputs = {
        slot.name: given[definition.inplace[slot.name]] if slot.name in definition.inplace else [block.create_var(name="o_" + slot.name)]
        for slot in definition.outputs
        if not slot.optional
    }
    return block.append_op(type=type_, inputs=given, outputs=outputs, attrs=attrs)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case[1]}.{case[4]}")
def test_refused(case: tuple[str, str, dict[str, Any], dict[str, Any], str, list[int]]) -> None:
    ages, type_, inputs, attrs, slot, shape = case
    for age in map(int, ages):
        append(age, type_, inputs, attrs)
        with pytest.raises(EnforceNotMet if age == 1 else ValueError, match=rf"`\w+` of `{type_}`. Expected .* Received: shape \["):
            append(age, type_, {**inputs, slot: shape}, attrs)


@pytest.mark.parametrize("case", TAKEN, ids=lambda case: f"{case[1]}.{case[4]}")
def test_taken(case: tuple[str, str, dict[str, Any], dict[str, Any], str, list[int]]) -> None:
    ages, type_, inputs, attrs, slot, shape = case
    for age in map(int, ages):
        append(age, type_, {**inputs, slot: shape}, attrs)


@pytest.mark.parametrize("case", LISTS, ids=lambda case: case[0])
def test_lists(case: tuple[str, dict[str, Any], dict[str, Any], str]) -> None:
    type_, inputs, attrs, name = case
    for age in (1, 2):
        append(age, type_, inputs, attrs)
        with pytest.raises(EnforceNotMet if age == 1 else ValueError, match=f"`{name}`.* Expected 2 .* Received:"):
            append(age, type_, inputs, {**attrs, name: attrs[name][:1]})


def test_a_layer_in_one_operator() -> None:
    """`fc` looks at its weight and its bias."""
    inputs = {"Input": [-1, 3, 4], "W": [12, 5], "Bias": [5]}
    append(1, "fc", inputs, {})
    for slot, shape in (("W", [11, 5]), ("W", [12, 5, 1]), ("Bias", [4]), ("Input", [12])):
        with pytest.raises(EnforceNotMet, match="Expected .* Received: shape"):
            append(1, "fc", {**inputs, slot: shape}, {})
    for axis in (-1, 4):
        with pytest.raises(EnforceNotMet, match="`axis`. Expected 0 to 3, as x has shape"):
            append(1, "flatten2", {"X": [-1, 3, 4]}, {"axis": axis})


def test_dimensions_that_are_not_there_are_refused_also_where_all_are_reduced() -> None:
    for age in (1, 2):
        with pytest.raises(EnforceNotMet if age == 1 else ValueError, match="`dim`. Expected -2 to 1, as x has shape .* Received: 100"):
            append(age, "reduce_mean", {"X": [-1, 4]}, {"dim": [100], "reduce_all": True})


@pytest.mark.parametrize(
    ("shapes", "axis", "words"),
    [([[], []], 0, "one dimension or more"), ([[2, 3], [2, 3]], 2, "-2 to 1.* 2$"), ([[2, 3], [2, 3]], -3, "-2 to 1.*-3$")],
)
def test_what_cannot_be_joined(shapes: list[list[int]], axis: int, words: str) -> None:
    """As in 2.6.2, where a library joins the sizes that `paddle.shape(x)[0]` gives, which have no dimensions."""
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()), pytest.raises(ValueError, match=words) as refused:
        paddle.concat([paddle.full(shape, 1.0) for shape in shapes], axis)
    assert "Operator `concat`" not in str(refused.value)  # nor what Python said of a tuple's end


def test_what_paddle_2_does_without_no_program_needs() -> None:
    """1.8.5 wants scale and bias of a batch norm; Programs of fluid's hold calls of 2.x's functions, too, which do without."""
    inputs = {"X": [-1, 3, 2, 2], "Mean": [3], "Variance": [3]}
    for age in (1, 2):
        append(age, "batch_norm", inputs, {})
        with pytest.raises(AssertionError, match="Input Mean not found"):
            append(age, "batch_norm", {"X": [-1, 3, 2, 2], "Variance": [3]}, {})
    with pytest.raises(ValueError, match=r"`Bias` of `batch_norm`. Expected size 3 in dimension 0. Received: shape \[1\]"):
        append(2, "batch_norm", {**inputs, "Scale": [3], "Bias": [1]}, {})


def test_messages() -> None:
    with pytest.raises(ValueError, match=r"`Moment1` of `adam`. Expected shape \[3, 2\], as `Param` has. Received: shape \[3\]"):
        append(2, "adam", {**ADAM, "Moment1": [3]}, {})
    with pytest.raises(ValueError, match=r"`Transition` of `crf_decoding`. Expected size 5 in dimension 0. Received: shape \[6, 3\]"):
        append(2, "crf_decoding", {**CRF, "Transition": [6, 3]}, {})
    with pytest.raises(ValueError, match=r"`Emission` of `crf_decoding`. Expected 2 or 3 dimensions. Received: shape \[4\]"):
        append(2, "crf_decoding", {**CRF, "Emission": [4]}, {})


@pytest.mark.parametrize("age", [1, 2])
def test_a_slot_without_a_variable(age: int) -> None:
    paddle.enable_static()
    program = Program()
    program.age = age
    block = program.global_block()
    out = block.create_var(name="out")
    with pytest.raises(EnforceNotMet if age == 1 else ValueError, match="Input X of operator `scale` should not be null"):
        block.append_op(type="scale", inputs={"X": []}, outputs={"Out": [out]})

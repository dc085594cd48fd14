"""Attributes that Programs keep are of the operator's kind, whatever number gave them. The figures are those of Paddle 1.8.5 and 2.6.2."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.core.attribute_values import fit_attributes
from paddle_compat.core.op import definition_of
from paddle_compat.core.program import Program

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

KEPT = [
    *(("reduce_sum", "keep_dim", given, True) for given in (1, True, np.bool_(True), np.int32(1), 1.0, np.float32(1.5), np.array([1]), -1)),
    *(("softmax", "axis", given, 1) for given in (1, True, np.bool_(True), np.int32(1), np.float32(1.5), np.array([1]))),
    *(("scale", "scale", given, 1.0) for given in (1, True, np.bool_(True), np.int64(1), 1.0, np.array([1]))),
    *(("reduce_max", "dim", given, [1]) for given in ([1], (1,), [True], [np.int64(1)])),
    ("p_norm", "porder", np.int32(1), 1.0),
    ("argsort", "descending", np.int64(0), False),
    ("concat", "axis", np.float32(1.0), 1),
]
REFUSED = [
    *(("reduce_sum", "keep_dim", given) for given in ("a", [1], [True])),
    *(("softmax", "axis", given) for given in (1.0, 1.7, "a", [1], (1,))),
    *(("scale", "scale", given) for given in ("a", [1], [1.0])),
    *(("reduce_max", "dim", given) for given in (1, True, 1.0, "a", [1.0])),
]


def append(age: int, type_: str, name: str, value: Any) -> Any:
    """An operator with that attribute, in a Program of an age."""
    program = Program()
    program.age = age
    block = program.global_block()
    x = block.create_var(name="x", shape=[2, 3, 4, 5], dtype="float32")
    outputs = {"Out": [block.create_var(name="out")]}
    if type_ == "argsort":
        outputs["Indices"] = [block.create_var(name="indices")]
    return block.append_op(type=type_, inputs={"X": [x]}, outputs=outputs, attrs={name: value})


@pytest.fixture(autouse=True)
def static() -> Any:
    paddle.enable_static()
    yield
    paddle.disable_static()


@pytest.mark.parametrize("age", [1, 2])
@pytest.mark.parametrize(("type_", "name", "given", "kept"), KEPT)
def test_kept(type_: str, name: str, given: Any, kept: Any, age: int) -> None:
    found = append(age, type_, name, given).attr(name)
    assert found == kept
    if not (isinstance(given, int) and isinstance(kept, float)):  # a whole number of Python's stays one
        assert type(found) is type(kept)


@pytest.mark.parametrize("age", [1, 2])
@pytest.mark.parametrize(("type_", "name", "given"), REFUSED)
def test_refused(type_: str, name: str, given: Any, age: int) -> None:
    from paddle_compat.core.errors import EnforceNotMet

    with pytest.raises(EnforceNotMet if age == 1 else TypeError, match=f"`{name}` of `{type_}`"):
        append(age, type_, name, given)


def test_what_layers_record() -> None:
    """A layer's arguments reach the shapes in the kind that is kept."""
    with paddle.static.program_guard(Program()):
        x = paddle.static.data("x", [2, 3], "float32")
        assert paddle.max(x, axis=True, keepdim=1).shape == (2, 1)
        assert paddle.sort(x, axis=np.int32(0), descending=1).shape == (2, 3)
        assert paddle.static.default_main_program().global_block().ops[0].attr("dim") == [1]


SMALL = [
    ("mul", "x_num_col_dims", 0, (1, 2)),
    ("lrn", "k", 0.0, (1, 2)),
    ("lrn", "n", 0, (1, 2)),
    ("cumsum", "axis", -2, (1,)),
    ("elementwise_add", "axis", -2, (1,)),
    ("space_to_depth", "blocksize", 1, (1,)),
]


@pytest.mark.parametrize(("type_", "name", "given", "ages"), SMALL)
def test_too_small(type_: str, name: str, given: Any, ages: tuple[int, ...]) -> None:
    """Numbers below what the operator's schema asks for; 2.6.2 has given up some of these bounds."""
    for age in (1, 2):
        if age in ages:
            with pytest.raises(ValueError if age == 2 else Exception, match=f"`{name}` of `{type_}`. Expected a number above"):
                fit(age, type_, name, given)
        elif type_ != "space_to_depth":  # which 2.6 has not
            assert fit(age, type_, name, given) == given


def fit(age: int, type_: str, name: str, given: Any) -> Any:
    """The attribute as the operator keeps it."""
    attrs = {name: given}
    fit_attributes(definition_of(type_), attrs, age)
    return attrs[name]

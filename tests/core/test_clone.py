"""What Programs take over from one another, in both ages."""

from __future__ import annotations

from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core import mode
from paddle_compat.core.dtype import VarType


@pytest.fixture(autouse=True)
def static() -> None:
    mode.set_static(True)


def source() -> Any:
    """A Program with a frozen parameter `w` and data `x`."""
    program = fluid.Program()
    with fluid.program_guard(program, fluid.Program()):
        weight = fluid.layers.create_parameter([2, 3], "float32", name="w")
        fluid.data("x", [2, 3])
    weight.trainable = False
    weight.optimize_attr["learning_rate"] = 0.5
    return program


def target() -> Any:
    program = fluid.Program()
    program.global_block().create_var(name="w", shape=[4, 3], dtype="float64", persistable=True)
    program.global_block().create_var(name="x", shape=[2, 3], dtype="float32")
    return program


def test_variables_become_the_parameters_of_another_program_in_their_own_shape() -> None:
    program = target()
    program._copy_param_info_from(source())
    (weight,) = program.all_parameters()
    assert (weight.name, weight.shape, weight.dtype.name, weight.trainable) == ("w", (4, 3), "FP64", False)
    assert weight.optimize_attr == {"learning_rate": 0.5} and weight.persistable and weight.block.program is program


def test_nothing_is_added_from_another_program() -> None:
    program = fluid.Program()
    program._copy_param_info_from(source())
    program._copy_data_info_from(source())
    assert not program.global_block().vars


def test_data_are_marked_as_in_another_program() -> None:
    program = target()
    program._copy_data_info_from(source())
    block = program.global_block()
    assert (block.var("x").is_data, block.var("x").stop_gradient, block.var("x").need_check_feed) == (True, True, True)
    assert not block.var("w").is_data


def test_blocks_are_paired_by_the_numbers_that_are_given() -> None:
    program, other = target(), source()
    program._create_block()
    with pytest.raises(IndexError):
        program._copy_data_info_from(other)
    program._copy_data_info_from(other, {1: 0})
    assert program.global_block().var("x").is_data


def test_what_a_job_knows_is_handed_on() -> None:
    program, other = fluid.Program(), fluid.Program()
    other._is_distributed, other._endpoints, other._ps_endpoint = True, ["127.0.0.1:6174"], "127.0.0.1:6174"
    program._copy_dist_param_info_from(other)
    assert (program._is_distributed, program._endpoints, program._ps_endpoint) == (True, ["127.0.0.1:6174"], "127.0.0.1:6174")
    assert program._parameters_on_pservers is None


@pytest.mark.parametrize("method", ["_copy_param_info_from", "_copy_dist_param_info_from", "_copy_data_info_from"])
def test_only_programs_are_taken_from(method: str) -> None:
    with pytest.raises(TypeError, match="`other`. Expected a Program. Received: str"):
        getattr(fluid.Program(), method)("program")


@pytest.mark.parametrize("make", [fluid.Program, paddle.static.Program])
def test_a_copy_for_tests_has_no_seed(make: Any) -> None:
    program = make()
    program.random_seed = 7
    assert (program.clone().random_seed, program.clone(for_test=True).random_seed) == (7, 0)


def test_a_program_without_what_only_training_needs() -> None:
    program, data = fluid.Program(), None
    with fluid.program_guard(program, fluid.Program()):
        data = fluid.data("x", [2, 3])
        fluid.layers.fc(data, 1)
    left = program._remove_training_info(clip_extra=False)
    assert left is not program and [op.type for op in left.global_block().ops] == [op.type for op in program.global_block().ops]
    assert data.stop_gradient and not any(var.stop_gradient for var in left.list_vars())
    for each, said in ((program, True), (left, False)):  # as Paddle 2.6.2 answers
        assert all(var.desc.has_stop_gradient() is said for var in each.list_vars())
        assert any(var.desc.has_is_parameter() for var in each.list_vars()) is said


def test_the_role_of_what_is_recorded_can_be_asked_and_set() -> None:
    program = fluid.Program()
    with program._optimized_guard([]):
        assert program._current_role == 2
    program._current_role = 1
    assert program._op_role == 1


@pytest.mark.parametrize(("kind", "kept"), [("STEP_SCOPES", False), ("RAW", False), ("LOD_TENSOR_ARRAY", True)])
def test_scopes_of_steps_are_copied_as_they_are(kind: str, kept: bool) -> None:
    """What a copy into another Program lasts, as in 1.8.5 and 2.6.2: servers get the variables of a rate's branches."""
    origin, copies = fluid.Program().global_block(), fluid.Program().global_block()
    var = origin.create_var(name="scopes", type=getattr(VarType, kind))
    assert copies._clone_variable(var).persistable is kept

"""`paddle.utils.layers_utils` takes nests and shapes apart as Paddle 1.8 and 2.6 do."""

from __future__ import annotations

from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.fluid.layers import utils as fluid_utils
from paddle_compat.utils import layers_utils


@pytest.mark.parametrize(("value", "expected"), [(1, [1]), ([1], [1]), ((1,), (1,)), ("a", ["a"]), (None, [None]), ({"a": 1}, {"a": 1})])
def test_sequences_of_single_values(value: Any, expected: Any) -> None:
    assert layers_utils.to_sequence(value) == expected


def test_nests_are_copied_and_leaves_kept() -> None:
    leaf = object()
    nest = [leaf, {"a": [2]}]
    copied = fluid_utils.copy_mutable_vars(nest)
    assert copied == nest and copied[0] is leaf and copied[1] is not nest[1] and copied[1]["a"] is not nest[1]["a"]
    assert [fluid_utils.hold_mutable_vars(x) for x in ([1, 2], [[1], 2], {"a": 1})] == [False, True, False]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(3, [3, 3]), ((1, 2), [1, 2]), ([2.5, 1], [2.5, 1]), ("12", ["1", "2"]), ([1, "a"], None), (None, None), ([1], None)],
)
def test_lists_of_numbers(value: Any, expected: list[Any] | None) -> None:
    if expected is None:
        with pytest.raises(ValueError, match="argument `kernel`"):
            layers_utils.convert_to_list(value, 2, "kernel")
    else:
        assert layers_utils.convert_to_list(value, 2, "kernel") == expected  # as in the wheels, which only ask int() for a number


def test_shapes_as_lists() -> None:
    convert = layers_utils.convert_shape_to_list
    assert convert((1, -1)) == [1, -1]
    assert convert([paddle.to_tensor([4]), 2]) == convert([paddle.to_tensor(4), 2]) == convert(paddle.to_tensor([4, 2])) == [4, 2]


@pytest.mark.parametrize(
    ("shape", "error"),
    [([1, -2], ValueError), ([1, 2.5], TypeError), ("a", TypeError), (5, TypeError), ([1, None], TypeError), ((1, 0), None)],
)
def test_shapes_are_checked(shape: Any, error: type[Exception] | None) -> None:
    if error is None:
        layers_utils.check_shape(shape)
    else:
        with pytest.raises(error):
            layers_utils.check_shape(shape)


def test_variables_may_be_shapes() -> None:
    with paddle.static.program_guard(paddle.static.Program()):
        paddle.enable_static()
        try:
            layers_utils.check_shape(paddle.static.data("sizes", [2], "int64"))
            with pytest.raises(TypeError, match="float32"):
                layers_utils.check_shape(paddle.static.data("floats", [2], "float32"))
        finally:
            paddle.disable_static()

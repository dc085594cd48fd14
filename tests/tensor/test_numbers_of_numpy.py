"""Sizes and bounds that scripts compute by NumPy, or take out of Tensors. The figures are those of Paddle 2.6.2."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle


def _of(value: Any) -> Any:
    return paddle.to_tensor(value)


BOUNDS: list[tuple[Callable[[], tuple[Any, Any]], list[int]]] = [
    (lambda: (1, _of(4)), [1, 3, 3]),
    (lambda: (_of(0), _of([4])), [0, 3, 2]),
    (lambda: (_of(0.0), _of([4.5])), [0, 3, 2]),
    (lambda: (_of(4), None), [0, 3, 2]),
    (lambda: (np.int64(1), np.float32(4.2)), [1, 3, 3]),
    (lambda: (np.float64(1), 4), [1, 3, 3]),
    (lambda: (np.array(1), np.array([4])), [1, 3, 3]),
]


@pytest.mark.parametrize(("bounds", "drawn"), BOUNDS)
def test_bounds_of_randint(bounds: Callable[[], tuple[Any, Any]], drawn: list[int]) -> None:
    low, high = bounds()
    paddle.seed(1)
    assert paddle.randint(low, high, [3]).tolist() == drawn
    paddle.seed(1)
    assert paddle.randint_like(paddle.ones([3]), low, high).tolist() == drawn


@pytest.mark.parametrize("low", [True, 1.0, 1.5])
def test_bounds_that_are_no_whole_numbers_of_python(low: Any) -> None:
    with pytest.raises(ValueError, match="argument `low` of `randint`.*whole number"):
        paddle.randint(low, 4, [3])


def test_a_bound_of_several_numbers() -> None:
    with pytest.raises(ValueError, match="argument `low` of `randint`.*whole number"):
        paddle.randint(_of([0, 1]), 4, [3])


def test_how_many_numbers_are_put_in_random_order() -> None:
    for count in (_of(4), np.int64(4)):
        paddle.seed(1)
        assert paddle.randperm(count).tolist() == [1, 3, 2, 0]
    with pytest.raises(ValueError, match="argument `n` of `randperm`.*whole number"):
        paddle.randperm(4.0)


SIZES = [[np.array([2])], [np.float32(2)], [np.float64(2)], np.array([2.0])]


@pytest.mark.parametrize("size", SIZES, ids=repr)
def test_sizes(size: Any) -> None:
    assert paddle.zeros(size).shape == paddle.empty(size).shape == paddle.full(size, 1.0).shape == [2]
    assert paddle.ones([1]).expand(size).shape == paddle.broadcast_to(paddle.ones([1]), size).shape == [2]


@pytest.mark.parametrize("size", SIZES, ids=repr)
def test_no_random_number_is_lost_to_a_size_of_numpy(size: Any) -> None:
    paddle.seed(1)
    drawn = [paddle.rand(size), paddle.uniform(size, min=0.0), paddle.randint(0, 4, size)]
    paddle.seed(1)
    expected = [paddle.rand([2]), paddle.uniform([2], min=0.0), paddle.randint(0, 4, [2])]
    assert [one.tolist() for one in drawn] == [one.tolist() for one in expected]
    assert expected[0].tolist() == pytest.approx([0.01787627, 0.7649231])


def test_one_number_for_the_shape() -> None:
    assert paddle.empty(np.int64(2)).shape == [2]


def test_a_tensor_of_no_dimensions_is_a_length_for_numpy() -> None:
    """NumPy asks for the parts of a shape before it takes it for a number: Paddle's Tensor of no dimensions refuses there."""
    three = paddle.to_tensor(3)
    assert np.ones(three).shape == np.empty(three).shape == np.arange(3).reshape(three).shape == (3,)
    np.testing.assert_array_equal(np.full(three, 2), [2, 2, 2])


def test_tensors_are_no_iterables_yet_give_their_parts() -> None:
    """2.6.2's Tensor has no `__iter__`: `for` asks for its parts by number, and `isinstance(x, Iterable)` says no."""
    rows = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    assert not isinstance(rows, Iterable) and not hasattr(rows, "__iter__")
    assert operator.length_hint(iter(rows)) == 2
    assert [row.tolist() for row in rows] == [[1.0, 2.0], [3.0, 4.0]]
    assert not [part for part in paddle.to_tensor(3) if part is not None]


_NO_TENSORS = {
    "complex256": np.zeros(2, "complex256"), "float128": np.zeros(2, "float128"), "uint32": np.zeros(2, "uint32"),
    "text": np.array(["a", "b"]), "dates": np.array(["2020-01-01"] * 2, "datetime64[s]"),
    "objects": np.array([1, None], object), "records": np.zeros(2, [("a", "i4")]),
}  # fmt: skip


@pytest.mark.parametrize("array", _NO_TENSORS.values(), ids=_NO_TENSORS)
@pytest.mark.parametrize(
    "use",
    [paddle.to_tensor, lambda a: _of([a]), paddle.Tensor, lambda a: paddle.ones([2]).set_value(a), lambda a: paddle.ones([2]) + a],
    ids=["to_tensor", "list", "Tensor", "set_value", "add"],
)
def test_arrays_of_types_that_tensors_have_not(array: Any, use: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match=r"Expected numbers of a data type that Tensors have\. Received: ndarray"):
        use(array)
    if array.dtype != "uint32":  # 3.3.1 casts unsigned numbers to the data type that is asked for
        with pytest.raises(TypeError, match="to_tensor"):
            paddle.to_tensor(array, dtype="float32")

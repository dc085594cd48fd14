"""`auto_parallel.static.converter.Converter`: what 2.6.2 and 3.3.1 make of parts of tensors."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from paddle_compat.distributed.auto_parallel.static.converter import Converter

X = np.arange(8.0).reshape(4, 2)


def lies(shape: list[int], mapping: list[int], group: list[int] | None = None) -> dict[str, Any]:
    """How a tensor lies."""
    return {"process_shape": shape, "process_group": group or [*range(int(np.prod(shape)))], "dims_mapping": mapping}


ROWS, COLUMNS, WHOLE = lies([2], [0, -1]), lies([2], [-1, 0]), lies([2], [-1, -1])
PARTS = [X[:2], X[2:]]
GRID = [X[i : i + 2, j : j + 1] for i in (0, 2) for j in (0, 1)]


@pytest.mark.parametrize(
    ("parts", "how", "expected"),
    [
        (PARTS, ROWS, X),
        ([X[:, :1], X[:, 1:]], COLUMNS, X),
        ([X, X], WHOLE, X),
        ([X[:2], X[:2], X[2:], X[2:]], lies([2, 2], [0, -1]), X),
        ([X], lies([1], [0, -1]), X),
        (PARTS, lies([2], [0, -1], [5, 7]), X),
        ([*PARTS, X], ROWS, X),
        (GRID, lies([2, 2], [0, 1]), X),  # the wheels lose parts here
        ([GRID[0], GRID[2], GRID[1], GRID[3]], lies([2, 2], [1, 0]), X),
    ],
)  # fmt: skip
def test_parts_become_the_whole(parts: list[Any], how: dict[str, Any], expected: np.ndarray) -> None:
    assert Converter.merge_with_dist_attr(parts, how).tolist() == expected.tolist()


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(IndexError):
        Converter.merge_with_dist_attr([X[:2]], ROWS)
    with pytest.raises(ValueError, match="dimensions"):
        Converter.merge_with_dist_attr([X[:2], X[2:, :1]], ROWS)
    with pytest.raises(ValueError, match="not in list"):
        Converter.slice_with_dist_attr(X, lies([2], [0, -1], [2, 3]))
    for given in ([], X):
        with pytest.raises((AssertionError, IndexError)):
            Converter.merge_and_slice(given, ROWS, ROWS)


def test_this_process_gets_its_part() -> None:
    assert Converter.slice_with_dist_attr(X, lies([2, 2], [0, 1])).tolist() == [[0.0], [2.0]]
    assert Converter.slice_with_dist_attr(X, WHOLE).tolist() == X.tolist()
    assert Converter.slice_with_dist_attr(np.arange(7.0), lies([3], [0])).tolist() == [0.0, 1.0]
    assert Converter.merge_and_slice([X], ROWS, ROWS).tolist() == X[:2].tolist()


def test_where_tensors_are_cut() -> None:
    assert Converter._get_split_indices([11, 108, 3], [0, 1, -1], [2, 3], [*range(6)]) == [[5, 10], [36, 72], []]
    assert [part.tolist() for part in Converter.split(np.arange(6.0).reshape(1, 1, 6), [[], [], [2, 4]], 3)] == [
        [[[0.0, 1.0]]], [[[2.0, 3.0]]], [[[4.0, 5.0]]],
    ]  # fmt: skip
    assert [Converter._get_sliced_index(rank, [4, 6], [1, 0], [2, 2], [0, 1, 2, 3]) for rank in range(4)] == [0, 2, 1, 3]


def test_parts_are_put_beside_one_another() -> None:
    parts: list[Any] = [(np.array([[3.0, 4.0]]), [[1, 2], [0, 2]])]
    for _ in range(2):  # what is there already changes nothing
        Converter.merge(parts, np.array([[1.0, 2.0]]), [[0, 1], [0, 2]], [2, 2])
        assert [(array.tolist(), index) for array, index in parts] == [([[1.0, 2.0], [3.0, 4.0]], [[0, 2], [0, 2]])]


@pytest.mark.parametrize(
    ("new", "old", "found"),
    [("a_1", "a_0", True), ("a_b_1", "a_b_0", True), ("a_1", "xa_0", True), ("a", "a_0", False), ("a_1", "a", True), ("a_1_2", "a_1", True),
     ("w_1_moment1_0", "w_0_moment1_0", False)],
)  # fmt: skip
def test_names_that_are_alike_up_to_the_last_mark(new: str, old: str, found: bool) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        made = Converter({old: PARTS}, {old: ROWS}, {new: COLUMNS}).convert(strict=False)
    assert [*made] == [new] * found and len(told) == 2 * (not found)
    with pytest.warns(UserWarning) as told:
        assert not Converter({old: PARTS}, {old: ROWS}, {new: COLUMNS}).convert()
    assert [old in str(each.message) for each in told] == [old in new, True] and new in str(told[0].message)


def test_a_tensor_that_nobody_saved_is_told_of() -> None:
    with pytest.warns(UserWarning, match=r"\['z'\] among the tensors"):
        made = Converter({"w": PARTS}, {"w": ROWS, "z": ROWS}, {"w": COLUMNS, "z": COLUMNS}).convert()
    assert made["w"].tolist() == [[0.0], [2.0], [4.0], [6.0]] and [*made] == ["w"]


@pytest.mark.parametrize(
    ("given", "error"),
    [(({}, {"w": ROWS}, {}), ValueError), (([], {"w": ROWS}, {}), ValueError), (({"w": PARTS}, {}, {}), ValueError),
     (("abc", {"w": ROWS}, {}), TypeError), (({"w": PARTS}, [1], {}), TypeError), (({"w": PARTS}, {"w": ROWS}, None), TypeError)],
)  # fmt: skip
def test_wrong_arguments(given: tuple[Any, Any, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        Converter(*given)
    with pytest.warns(UserWarning, match="cur_strategy"):
        Converter({"w": PARTS}, {"w": ROWS}, {})

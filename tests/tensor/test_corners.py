"""Corners of operators compute what 2.6.2 computes, or 3.3.1 where that one refuses, with gradients, and are refused where both refuse."""

from __future__ import annotations

import builtins
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from eager_rows import outcome
from rows_accepted import ROWS as ACCEPTED
from rows_arguments import ROWS as ARGUMENTS
from rows_corners import ROWS as CORNERS
from rows_corners import names
from rows_nothing import ROWS as NOTHING
from test_eager_rows import same

import paddle_compat as paddle

ROWS = [*CORNERS, *ACCEPTED, *NOTHING, *ARGUMENTS]
REFERENCES = Path(__file__).parents[1] / "references"


def answers(version: str) -> dict[str, Any]:
    """What a wheel gives, by row."""
    files = [REFERENCES / f"{name}_{version}.json.gz" for name in ("corners", "arguments")]
    return {row: given for file in files for row, given in json.loads(gzip.decompress(file.read_bytes())).items()}


WHEELS = [answers(version) for version in ("2.6.2", "3.3.1")]


def difference(row: str) -> str:
    """In which way ours differs; nothing where it does not."""
    answers = [wheel[row] for wheel in WHEELS]
    theirs = next((answer for answer in answers if "value" in answer), answers[0])
    ours = outcome(row, names(paddle))
    if "value" in theirs:
        return "" if same(ours.get("value"), theirs["value"], 1e-5) else f"{row}: {ours}, the wheel {theirs}"
    kinds = {kind for answer in answers for kind in answer["error"] if hasattr(builtins, kind)}
    return "" if kinds & set(ours.get("error", ())) - {"Exception"} else f"{row}: {ours}, the wheels {answers}"


@pytest.mark.parametrize("part", range(8))
def test_corners(part: int) -> None:
    assert not [told for told in map(difference, ROWS[part::8]) if told]


@pytest.mark.parametrize("shape", [[0, 3], [2, 0]])
def test_sums_without_elements_have_gradients_for_all(shape: list[int]) -> None:
    # as in 3.3.1; 2.6.2 gives a number for such a sum
    xs = [paddle.zeros(shape), paddle.zeros(shape)]
    for x in xs:
        x.stop_gradient = False
    total = paddle.add_n(xs)
    total.sum().backward()
    assert total.shape == shape and [x.grad.shape for x in xs] == [shape, shape]


@pytest.mark.parametrize("name", ["sum", "max", "logsumexp"])
def test_no_dimension_of_a_matrix_is_reduced_twice(name: str) -> None:
    # as in 3.3.1; 2.6.2 gives memory that it never wrote to
    for axis in ([1, 1], [0, -2]):
        with pytest.raises(ValueError, match="Expected dimensions that differ"):
            getattr(paddle, name)(paddle.ones([2, 3]), axis=axis)


def test_rows_beyond_the_positions_are_not_added() -> None:
    # as in 2.6.2 and 3.3.1, where the gradient of such rows is what memory holds, and along other dimensions others are read
    x, rows = paddle.zeros([3, 2]), paddle.to_tensor([[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]], stop_gradient=False)
    y = paddle.index_add(x, paddle.to_tensor([1]), 0, rows)
    assert y.tolist() == [[0, 0], [10, 20], [0, 0]]
    assert paddle.grad(y.sum(), rows)[0].tolist() == [[1, 1], [0, 0], [0, 0]]
    with pytest.raises(RuntimeError, match="index_add"):
        paddle.index_add(x, paddle.to_tensor([1]), 1, rows)


def test_a_number_is_scattered_to_one_position() -> None:  # as 2.6.2
    update = paddle.to_tensor(2.0, stop_gradient=False)
    y = paddle.scatter_nd_add(paddle.ones([3]), paddle.to_tensor([1]), update)
    assert y.tolist() == [1, 3, 1] and paddle.grad(y.sum(), update)[0].tolist() == 1
    assert paddle.scatter_nd(paddle.to_tensor([1]), update, [3]).tolist() == [0, 2, 0]


@pytest.mark.parametrize("kind", ["float8_e4m3fn", "float8_e5m2"])
def test_numbers_of_eight_bits_have_fractions(kind: str) -> None:
    # as in 3.3.1; 2.6.2 has no such type
    assert paddle.full([2], -1.3, dtype=kind).astype("float32").tolist() == [-1.25, -1.25]


@pytest.mark.parametrize(("shape", "axis"), [([0, 4], 1), ([4, 0], 0), ([2, 0, 3], -1)])
def test_the_different_slices_of_no_elements(shape: list[int], axis: int) -> None:
    # as in 3.3.1; 2.6.2 ends the process
    found = paddle.unique(paddle.zeros(shape), True, True, True, axis)
    assert [part.shape for part in found] == [shape, [0], [0], [0]]
    assert paddle.unique(paddle.zeros(shape), axis=axis).shape == shape


@pytest.mark.parametrize("rows", [[], [[[1.0], [2.0]]]])
def test_one_of_several_needs_two(rows: list[Any]) -> None:  # as 2.6.2 and 3.3.1
    with pytest.raises(ValueError, match="two tensors or more"):
        paddle.multiplex([paddle.to_tensor(row) for row in rows], paddle.to_tensor([[0], [0]], "int32"))


@pytest.mark.parametrize(("first", "second"), [([2], [1]), ([2, 3], [2, 1]), ([2, 3], [3]), ([2, 2, 2], [2, 2, 2]), ([], [])])
def test_dot_broadcasts_nothing(first: list[int], second: list[int]) -> None:  # as 2.6.2 and 3.3.1, in both modes
    with pytest.raises(RuntimeError, match="dot"):
        paddle.dot(paddle.ones(first), paddle.ones(second))


@pytest.mark.parametrize("times", [2, [[1, 2]]])
def test_tile_takes_vectors_alone(times: Any) -> None:  # as 2.6.2 and 3.3.1
    with pytest.raises(AssertionError, match="repeat_times"):
        paddle.tile(paddle.ones([2]), paddle.to_tensor(times))

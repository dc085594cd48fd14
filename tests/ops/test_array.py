"""Tensor arrays, rank tables, Print and Assert by themselves (what they make of Programs is tested with the layers)."""

from __future__ import annotations

import pytest
import torch

from paddle_compat.core.errors import InvalidArgumentError, OutOfRangeError
from paddle_compat.core.lod import lod_from_lengths, lod_to_lengths
from paddle_compat.ops import array, debug


def rows(count: int, width: int = 2) -> torch.Tensor:
    return torch.arange(float(count * width)).view(count, width)


def test_writing_leaves_the_former_array_alone() -> None:
    first = array.write_to_array.fn(rows(2), torch.tensor([1]))
    second = array.write_to_array.fn(rows(3), torch.tensor([0]), first)
    assert first[0] is None and [len(element[0]) for element in second] == [3, 2]
    assert int(array.lod_array_length.fn(second)) == 2


def test_reading_what_was_never_written_is_refused() -> None:
    written = array.write_to_array.fn(rows(2), torch.tensor([1]))
    for index in (0, 2, -1):
        with pytest.raises(OutOfRangeError, match=f"Received: {index}"):
            array.read_from_array.fn(written, torch.tensor([index]))


@pytest.mark.parametrize(("lengths", "level"), [([[3, 1, 2, 3]], 0), ([[2, 1], [2, 3, 1]], 0), ([[2, 1], [2, 3, 1]], 1), ([[1, 0, 2]], 0)])
def test_steps_and_back(lengths: list[list[int]], level: int) -> None:
    lod = lod_from_lengths(lengths)
    x = rows(sum(lengths[-1])).requires_grad_()
    table = array.lod_rank_table.fn(x, level=level, x_lod=lod)
    counts = [count for _, count in table]
    assert counts == sorted(lengths[level], reverse=True)
    steps = array.lod_tensor_to_array.fn(x, table, x_lod=lod)
    assert len(steps) == int(array.max_sequence_len.fn(table)) == max(lengths[level])
    if level == len(lengths) - 1:
        assert [len(tensor) for tensor, _ in steps] == [sum(c > t for c in counts) for t in range(len(steps))]
    back, back_lod = array.array_to_lod_tensor.fn(steps, table)
    assert torch.equal(back, x) and lod_to_lengths(back_lod) == lengths
    (grad,) = torch.autograd.grad((back * back).sum(), x)
    assert torch.equal(grad, 2 * x)


def test_ranks_reorder_and_shrink() -> None:
    lod = lod_from_lengths([[1, 3, 2]])
    table = array.lod_rank_table.fn(rows(6), x_lod=lod)
    assert table == ((1, 3), (2, 2), (0, 1))
    x, x_lod = array.reorder_lod_tensor_by_rank.fn(rows(6), table, x_lod=lod)
    assert lod_to_lengths(x_lod) == [[3, 2, 1]] and x[-1].tolist() == [0, 1]
    states, none = array.shrink_rnn_memory.fn(rows(3), table, torch.tensor([1]))
    assert states.tolist() == [[0, 1], [2, 3]] and none is None
    with pytest.raises(InvalidArgumentError, match="LoD"):
        array.lod_rank_table.fn(rows(6))
    with pytest.raises(InvalidArgumentError, match="less than 1"):
        array.lod_rank_table.fn(rows(6), level=1, x_lod=lod)


def test_split_by_a_mask_and_merge() -> None:
    lod = lod_from_lengths([[1, 3, 0, 2]])
    mask = torch.tensor([[True], [False], [True], [True]])
    true, false, true_lod, false_lod = array.split_lod_tensor.fn(rows(6), mask, x_lod=lod)
    assert lod_to_lengths(true_lod) == [[1, 0, 2]] and lod_to_lengths(false_lod) == [[3]]
    merged, merged_lod = array.merge_lod_tensor.fn(rows(6), mask, true, false, x_lod=lod, in_true_lod=true_lod, in_false_lod=false_lod)
    assert torch.equal(merged, rows(6)) and lod_to_lengths(merged_lod) == [[1, 3, 0, 2]]


def test_select() -> None:
    chosen, _ = array.select_input.fn([None, rows(2)], torch.tensor([1], dtype=torch.int32))
    assert torch.equal(chosen, rows(2))
    with pytest.raises(InvalidArgumentError, match="below 2"):
        array.select_input.fn([None, rows(2)], torch.tensor([2]))
    absent, present = array.select_output.fn(rows(2), torch.tensor([1]))
    assert absent is None and torch.equal(present, rows(2))


# what the wheels print for the same tensors; the first word of 1.8 is the time
OLD = """hello\tThe place is:CPUPlace
Tensor[x]
\tshape: [3,3,]
\tdtype: f
\tLoD: [[ 0,2, ][ 0,1,3, ]]
\tdata: 0,0.142857,0.285714,0.428571,0.571429,
"""
NEW = """Variable: x
  - message: hello
  - lod: {{0, 2}{0, 1, 3}}
  - place: Place(cpu)
  - shape: [3, 3]
  - layout: NCHW
  - dtype: float32
  - data: [0 0.142857 0.285714 0.428571 0.571429]
"""


@pytest.mark.parametrize(("old", "expected"), [(True, OLD), (False, NEW)])
def test_print_shows_what_the_wheel_shows(old: bool, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    x = (torch.arange(9.0) / 7).view(3, 3)
    lod = lod_from_lengths([[2], [1, 2]])
    out = debug.print_.fn(x, message="hello", summarize=5, _name="x", _old=old, input_lod=lod)
    assert torch.equal(out, x)
    shown = capsys.readouterr().out
    assert (shown.partition("\t")[2] if old else shown) == expected


def test_print_counts_and_shows_gradients(capsys: pytest.CaptureFixture[str]) -> None:
    x = torch.ones(2, requires_grad=True)
    options = {"first_n": 1, "_name": "x", "_gradient": "x@GRAD", "_key": "test"}
    for _ in range(2):
        debug.print_.fn(x, **options).sum().backward()
    assert capsys.readouterr().out.count("Variable: x\n") == 1
    for phase, names in (("FORWARD", ["x"]), ("BACKWARD", ["x@GRAD"])):
        debug.print_.fn(x, print_phase=phase, _name="x", _gradient="x@GRAD", _key=phase).sum().backward()
        shown = capsys.readouterr().out.splitlines()
        assert [line[10:] for line in shown if line.startswith("Variable: ")] == names


def test_assert_shows_its_data(capsys: pytest.CaptureFixture[str]) -> None:
    debug.assert_.fn(torch.tensor([True]), [])
    with pytest.raises(ValueError, match="'c'"):
        debug.assert_.fn(torch.tensor([False]), [torch.tensor([1, 2])], summarize=1, _names="c\nx")
    assert "Variable: x" in capsys.readouterr().out

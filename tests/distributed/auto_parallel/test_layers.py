"""Layers and losses on a 2 x 2 mesh, data and tensor parallel, train as in one process, by few calls and on pieces only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mesh_jobs import answers

JOB = Path(__file__).with_name("layers_job.py")
TOKENS = 2 * 3 * 8  # of the numbers of half a batch's words
SAMPLE, ADDED = ["Shard(dim=0)", "Replicate()"], ["Partial(reduce_type=AVG)", "Replicate()"]
CALLS = {  # forward and back; the gradients of parameters meet in the update
    "linear": [12],  # what row-wise layers give
    "images": [10, 24, 3, 10, 2],  # two numbers of a channel (two here) and a count; the row-wise layer; biases, twice a mean; and back
    "norms": [18, 146, 146, 18],  # one call forward and one back for each batch norm
    "recurrent": [],
    "attention": [TOKENS],
    "rows": [TOKENS],  # the rows that are looked up, and nothing of the table
    "columns": [],
    # the words; two row-wise layers in each block; the largest logit of each word, and two sums; how many labels count; then inputs of
    # column-wise layers
    "language": [TOKENS] * 5 + [6, 12] + [1] + [TOKENS] * 5,
}
SUMS = {
    **dict.fromkeys(("kl of the batch", "variance"), "Replicate()"),
    **dict.fromkeys(("nll", "weighted nll"), "Partial(reduce_type=SUM)"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    return answers(JOB, 4, tmp_path_factory.mktemp("job"), "", seconds=300)


@pytest.mark.parametrize("name", CALLS)
def test_trains_as_in_one_process(name: str, found: dict[str, list[Any]]) -> None:
    alone = found[name][0][1]
    for own, *_ in found[name]:
        assert (own["whole"], own["moved"]) == ([], False)
        for what in ("value", "losses", "input gradient"):
            if alone[what] is not None:
                np.testing.assert_allclose(own[what], alone[what], atol=2e-6, err_msg=what)
        for value, expected in zip(own["learned"], alone["learned"]):  # buffers, too
            np.testing.assert_allclose(value, expected, atol=5e-6)
    assert alone["losses"][-1] < alone["losses"][0]


def test_parts_of_sequences(found: dict[str, list[Any]]) -> None:
    alone = found["sequences"][0][1]
    for own, *_ in found["sequences"]:
        assert own["seen"] == [[[6, 4, 8], "[Shard(dim=1), Shard(dim=0)]"]] * 2
        np.testing.assert_allclose(own["losses"], alone["losses"], rtol=2e-5)
        for value, expected in zip(own["learned"], alone["learned"]):
            np.testing.assert_allclose(value, expected, atol=2e-5)


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str, found: dict[str, list[Any]]) -> None:
    for own, *_ in found[name]:
        assert own["calls"] == [["all_reduce", size] for size in CALLS[name]]
        lies = [ADDED[0], "Replicate()"] if name == "language" else ["Shard(dim=0)", "Shard(dim=2)" if name == "columns" else "Replicate()"]
        assert own["out"] == lies


@pytest.mark.parametrize("group", ["untouched", "images untouched"])
def test_samples_pass_through(group: str, found: dict[str, list[Any]]) -> None:
    alone = found[group][0]
    for each in found[group]:
        for name, (own, *_) in each.items():
            calls = [["all_reduce", 1]] if name == "centred" else []  # the mean
            assert (own["out"], own["whole"], own["calls"]) == (SAMPLE, [], calls), name
            _same(own["values"], alone[name][1]["values"], name)


def test_losses_of_samples(found: dict[str, list[Any]]) -> None:
    alone = found["losses"][0]
    for each in found["losses"]:
        for name, (own, *_) in each.items():
            assert (own["out"], own["whole"]) == ([SUMS.get(name, ADDED[0]), "Replicate()"], []), name
            assert all(size == 1 for _, size in own["calls"]), name
            _same(own["values"], alone[name][1]["values"], name)


def test_classes_do_not_travel(found: dict[str, list[Any]]) -> None:
    """Two calls, of the largest logits and of two or three sums of each row: two rows here."""
    alone = found["classes"][0]
    for each in found["classes"]:
        for name, (own, *_) in each.items():
            ahead = [["all_gather_into_tensor", 6]] if name == "soft" else []  # the labels' own softmax
            behind = [["all_reduce", 1]] if name in ("ignored", "weighted") else []  # how much counts
            sums = ["all_reduce", 6 if name in ("soft", "smoothed") else 4]
            assert (own["calls"], own["whole"]) == ([*ahead, ["all_reduce", 2], sums, *behind], []), name
            _same(own["values"], alone[name][1]["values"], name)


def test_gradients_of_gradients(found: dict[str, list[Any]]) -> None:
    for each in found["curved"]:
        for name, (own, alone) in each.items():
            np.testing.assert_allclose(own, alone, atol=2e-6, err_msg=name)
            assert np.abs(alone).max() > 1e-4


def test_what_is_dropped_is_what_one_process_drops(found: dict[str, list[Any]]) -> None:
    """So replicated tensors stay alike, and pieces are dropped from each by its own draw; in the wheel, all pieces by one."""
    for plain, *laid in found["drops"]:
        assert 0.2 < np.mean(plain) / 2 < 0.8 and np.any(np.array(plain)[:4] != np.array(plain)[4:])
        for own in laid:
            np.testing.assert_array_equal(own, plain)


def test_numbers_of_no_piece_are_refused(found: dict[str, list[Any]]) -> None:
    for each in found["wrong"]:
        assert {name: kind for name, (kind, _) in each.items()} == dict.fromkeys(("class", "word"), "InvalidArgumentError")
        assert "from 0 to 5" in each["class"][1] and "`Ids`. Expected numbers from 0 to 11" in each["word"][1]


def _same(got: list[Any], expected: list[Any], name: str) -> None:
    for one, other in zip(got, expected):
        assert (one is None) == (other is None), name
        if one is not None:
            np.testing.assert_allclose(one, other, atol=2e-6, err_msg=name)

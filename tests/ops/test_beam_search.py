"""Whole beam searches against the wheel, step by step and read off at the end."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import sequence_replay
import torch

from paddle_compat.core.infer import infer_op
from paddle_compat.core.lod import lod_from_offsets, lod_to_offsets
from paddle_compat.core.op import Meta
from paddle_compat.ops.beam_search import beam_search, beam_search_decode

SEARCHES: dict[str, Any] = json.loads((sequence_replay.REFERENCES / "ops_seq_beams.json").read_text())


def chosen(step: list[Any]) -> tuple[torch.Tensor, torch.Tensor, Any]:
    """Ids, scores and LoD of a recorded step."""
    return (
        torch.tensor(step[0]).long().view(-1, 1),
        torch.tensor(step[1]).float().view(-1, 1),
        lod_from_offsets(step[2]),
    )


@pytest.mark.parametrize("name", SEARCHES)
def test_each_step_chooses_what_the_wheel_chose(name: str) -> None:
    steps = SEARCHES[name]["steps"]
    for before, after, (words, best) in zip(steps, steps[1:], SEARCHES[name]["candidates"]):
        ids, totals, lod = chosen(before)
        expected_ids, expected_totals, _ = chosen(after)
        got_ids, got_totals, parents, got_lod, _ = beam_search.fn(
            ids, totals, torch.tensor(words), torch.tensor(best), beam_size=2, end_id=0, scores_lod=lod
        )
        assert torch.equal(got_ids, expected_ids)
        np.testing.assert_allclose(got_totals, expected_totals, 1e-6)
        assert lod_to_offsets(got_lod) == after[2]
        # the second level counts each prefix's continuations
        assert torch.equal(torch.bincount(parents, minlength=len(ids)), got_lod[1][1:] - got_lod[1][:-1])


@pytest.mark.parametrize("name", SEARCHES)
def test_sentences_are_read_off_as_the_wheel_does(name: str) -> None:
    steps = [chosen(step) for step in SEARCHES[name]["steps"]]
    ids, scores, lod, _, level = SEARCHES[name]["sentences"]
    got_ids, got_scores, got_lod, _ = beam_search_decode.fn(
        [(i, lod) for i, _, lod in steps], [(s, lod) for _, s, lod in steps], beam_size=2, end_id=0
    )
    assert got_ids.tolist() == ids
    np.testing.assert_allclose(got_scores, scores, 1e-6)
    assert lod_to_offsets(got_lod) == lod
    array = Meta((-1, 1), torch.int64, 2, "array")
    metas = infer_op(beam_search_decode, [array, array], {"beam_size": 2, "end_id": 0})
    assert [[list(m.shape), m.lod_level] for m in metas] == [SEARCHES[name]["sentences"][3:]] * 2

"""Edit distances against counting by recursion."""

from __future__ import annotations

import functools

import torch

from paddle_compat.ops.ctc import edit_distance


def apart(said: list[int], meant: list[int]) -> int:
    """The number of edits between two sequences."""

    @functools.cache
    def count(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        return min(count(i - 1, j) + 1, count(i, j - 1) + 1, count(i - 1, j - 1) + (said[i - 1] != meant[j - 1]))

    return count(len(said), len(meant))


def test_distances_of_sequences_of_all_lengths() -> None:
    generator = torch.Generator().manual_seed(1)
    said, meant = (torch.randint(0, 4, (40, size), generator=generator) for size in (7, 9))
    heard, there = (torch.randint(0, size + 1, (40,), generator=generator) for size in (7, 9))
    count, found = edit_distance.fn(said, meant, heard, there)
    wanted = [apart(a[:n], b[:m]) for a, b, n, m in zip(said.tolist(), meant.tolist(), heard.tolist(), there.tolist())]
    assert count.tolist() == [40]
    assert found.dtype is torch.float32
    assert found.flatten().tolist() == wanted


def test_distances_by_the_length_of_what_was_meant() -> None:
    ids = torch.arange(6).reshape(2, 3)
    _, found = edit_distance.fn(ids, ids.flip(0), torch.tensor([3, 1]), torch.tensor([3, 2]), normalized=True)
    assert found.tolist() == [[1.0], [1.0]]

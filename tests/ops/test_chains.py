"""Sums over paths of tags, and the likeliest path, against paths that are counted one by one."""

from __future__ import annotations

import itertools

import pytest
import torch

from paddle_compat.ops._chains import forward_shares, likeliest, total

Tensor = torch.Tensor
TAGS, COUNTS = 3, (4, 1, 2, 0)
THERE = torch.arange(4) < torch.tensor(COUNTS).unsqueeze(1)


def scores(low: float = 0.0) -> tuple[Tensor, Tensor]:
    """Of sequences beside each other, with NaN behind their ends, and of transitions, some of which weigh `low`."""
    generator = torch.Generator().manual_seed(3)
    x = torch.randn(len(COUNTS), 4, TAGS, generator=generator, dtype=torch.float64)
    table = torch.randn(TAGS + 2, TAGS, generator=generator, dtype=torch.float64)
    table[2:, 1] += low
    return torch.where(THERE.unsqueeze(2), x, torch.nan).requires_grad_(), table.requires_grad_()


def weights(x: Tensor, table: Tensor, count: int) -> tuple[list[tuple[int, ...]], Tensor]:
    """All paths through a sequence, and what each weighs."""
    paths = [*itertools.product(range(TAGS), repeat=count)]
    steps = [[x[t, tag] for t, tag in enumerate(path)] + [table[2 + a, b] for a, b in itertools.pairwise(path)] for path in paths]
    return paths, torch.stack([sum(each, table[0, path[0]] + table[1, path[-1]]) for path, each in zip(paths, steps)])


@pytest.mark.parametrize("low", [0.0, -60.0, 90.0])
def test_the_sum_over_all_paths_and_its_gradients(low: float) -> None:
    x, table = scores(low)
    wanted = torch.stack([torch.logsumexp(weights(x[n], table, count)[1], 0) for n, count in enumerate(COUNTS) if count])
    found = total(x, table, THERE)[: len(wanted)]
    torch.testing.assert_close(found, wanted)
    weight = torch.tensor([0.5, 2.0, -1.0], dtype=torch.float64)
    of_x, of_table = torch.autograd.grad((found * weight).sum(), (x, table))
    their_x, their_table = torch.autograd.grad((wanted * weight).sum(), (x, table))
    torch.testing.assert_close(of_x, torch.where(THERE.unsqueeze(2), their_x, 0))
    torch.testing.assert_close(of_table, their_table)


def test_shares_are_those_of_the_steps_so_far() -> None:
    x, table = scores()
    shares, *_ = forward_shares(x[:1], table)
    for t in range(COUNTS[0]):
        paths, each = weights(x[0], table.index_fill(0, torch.tensor([1]), 0.0), t + 1)
        wanted = [sum(share for path, share in zip(paths, each.softmax(0)) if path[-1] == tag) for tag in range(TAGS)]
        torch.testing.assert_close(shares[t, 0], torch.stack(wanted))


def test_the_likeliest_path() -> None:
    x, table = scores()
    values, path = likeliest(x, table[0], table[2:], table[1], torch.tensor(COUNTS))
    for n, count in enumerate(COUNTS[:-1]):
        paths, each = weights(x[n], table, count)
        assert tuple(path[n].tolist()) == paths[int(each.argmax())] + (0,) * (4 - count)
        torch.testing.assert_close(values[n], each.max().detach())


def test_of_equal_paths_the_first_one_is_taken() -> None:
    nothing = torch.zeros(2, 3, TAGS)
    values, path = likeliest(nothing, nothing[0, 0], torch.zeros(TAGS, TAGS), nothing[0, 0], torch.tensor([3, 2]))
    assert path.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert values.tolist() == [0.0, 0.0]

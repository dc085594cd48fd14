"""In which order the stages of a pipeline call their parts of a model, and go back through them.

A part is a stage's own (`chunk`: the number of it, where a stage has several, as with virtual stages: part `chunk` of stage `s` is number
`chunk * stages + s` of the model's). What one stage hands on, another one needs; `ticks` says when each can be there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paddle_compat.core.errors import failed_assertion


class Turn(NamedTuple):
    """What a stage does at a time.

    Args:
        forward: whether it calls its part; else it goes back through it.
        micro: the small batch; chunk: the part.
    """

    forward: bool
    micro: int
    chunk: int = 0


def _by_turns(forward: list[Turn], backward: list[Turn], ahead: int) -> list[Turn]:
    """So many forward, then one forward and one backward by turns, then the rest."""
    ahead = min(ahead, len(forward))
    found = forward[:ahead]
    for place, turn in enumerate(forward[ahead:]):
        found += [turn, backward[place]]
    return found + backward[len(forward) - ahead :]


def one_by_one(stage: int, stages: int, chunks: int, batches: int) -> list[Turn]:
    """1F1B: a stage goes back through a batch as soon as it can, so that few are under way."""
    forward, backward = ([Turn(way, micro) for micro in range(batches)] for way in (True, False))
    return _by_turns(forward, backward, stages - stage - 1)


def _in_groups(forward: bool, stages: int, chunks: int, batches: int) -> list[Turn]:
    """As many batches as there are stages through each part, then the next ones."""
    parts = list(range(chunks)) if forward else list(reversed(range(chunks)))
    groups = [range(begin, begin + stages) for begin in range(0, batches, stages)]
    return [Turn(forward, micro, chunk) for group in groups for chunk in parts for micro in group]


def interleaved(stage: int, stages: int, chunks: int, batches: int) -> list[Turn]:
    """1F1B where each stage has several parts.

    Raises:
        AssertionError: the batches are no whole number of times as many as the stages.
    """
    if batches % stages:
        said = f"a number that should be evenly divisible by num_stages({stages}) for pipeline with interleave"
        raise failed_assertion("accumulate_steps", said, batches, "PipelineParallelWithInterleave")
    forward, backward = (_in_groups(way, stages, chunks, batches) for way in (True, False))
    ahead = (stages - stage - 1) * 2 + (chunks - 1) * stages
    return _by_turns(forward, backward, ahead)


def forward_then_backward(stage: int, stages: int, chunks: int, batches: int) -> list[Turn]:
    """Everything forward, then everything backward, part by part."""
    ways = (True, range(chunks)), (False, reversed(range(chunks)))
    return [Turn(forward, micro, chunk) for forward, parts in ways for chunk in parts for micro in range(batches)]


def source(turn: Turn, stage: int, stages: int, chunks: int) -> tuple[int, Turn] | None:
    """The stage, and its turn, that a turn takes something from; None: it begins there, or comes behind this stage's own."""
    number = turn.chunk * stages + stage + (-1 if turn.forward else 1)
    if not 0 <= number < stages * chunks:
        return None
    return number % stages, Turn(turn.forward, turn.micro, number // stages)


def target(turn: Turn, stage: int, stages: int, chunks: int) -> tuple[int, Turn] | None:
    """The stage, and its turn, that a turn gives something to; None: it ends there."""
    number = turn.chunk * stages + stage + (1 if turn.forward else -1)
    if not 0 <= number < stages * chunks:
        return None
    return number % stages, Turn(turn.forward, turn.micro, number // stages)


def ticks(orders: Sequence[Sequence[Turn]], chunks: int) -> list[list[Turn | None]]:
    """What each stage does at each time, if a turn takes one, and waits for what it needs.

    Args:
        orders: of each stage.
        chunks: how many parts each has.
    Returns:
        list: for each time the turns of all stages; None: it waits.
    Raises:
        AssertionError: the orders wait for one another.
    """
    stages, done = len(orders), [set[Turn]() for _ in orders]
    places, found = [0] * stages, []
    while any(place < len(order) for place, order in zip(places, orders)):
        now: list[Turn | None] = []
        for stage, (place, order) in enumerate(zip(places, orders)):
            turn = order[place] if place < len(order) else None
            needs = None if turn is None else source(turn, stage, stages, chunks)
            now.append(turn if needs is None or needs[1] in done[needs[0]] else None)
        if not any(now):
            left = [order[place:] for place, order in zip(places, orders)]
            raise failed_assertion("orders", "turns that do not wait for one another", left)
        for stage, turn in enumerate(now):
            if turn is not None:
                done[stage].add(turn)
                places[stage] += 1
        found.append(now)
    return found


def shown(order: Sequence[Turn], parts: bool) -> str:
    """An order in Paddle's words.

    Args:
        order: of a stage.
        parts: whether the part is said.
    """
    return "".join(f"{'f' if turn.forward else 'b'}{turn.micro}{f'_vp{turn.chunk}' if parts else ''};" for turn in order)

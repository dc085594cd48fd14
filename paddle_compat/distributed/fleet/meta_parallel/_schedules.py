"""In which order the stages of a pipeline call their parts of a model, and go back through them.

A part is a stage's own (`chunk`: the number of it, where a stage has several, as with virtual stages: part `chunk` of stage `s` is number
`chunk * stages + s` of the model's; where the parts are folded, they go forth and back over the stages, and each odd one lies the other way
round). What one stage hands on, another one needs; `ticks` says when each can be there.
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


def _in_groups(forward: bool, size: int, chunks: int, batches: int) -> list[Turn]:
    """So many batches through each part, then the next ones."""
    parts = list(range(chunks)) if forward else list(reversed(range(chunks)))
    groups = [range(begin, begin + size) for begin in range(0, batches, size)]
    return [Turn(forward, micro, chunk) for group in groups for chunk in parts for micro in group]


def interleaved(stage: int, stages: int, chunks: int, batches: int) -> list[Turn]:
    """1F1B where each stage has several parts.

    Raises:
        AssertionError: the batches are no whole number of times as many as the stages.
    """
    if batches % stages:
        said = f"a number that should be evenly divisible by num_stages({stages}) for pipeline with interleave"
        raise failed_assertion("accumulate_steps", said, batches, "PipelineParallelWithInterleave")
    return in_rounds(stage, stages, chunks, batches, stages)


def in_rounds(stage: int, stages: int, chunks: int, batches: int, size: int) -> list[Turn]:
    """The same, where so many batches go through a part before the next part's turn."""
    forward, backward = (_in_groups(way, size, chunks, batches) for way in (True, False))
    return _by_turns(forward, backward, (stages - stage - 1) * 2 + (chunks - 1) * size)


def forward_then_backward(stage: int, stages: int, chunks: int, batches: int) -> list[Turn]:
    """Everything forward, then everything backward, part by part."""
    ways = (True, range(chunks)), (False, reversed(range(chunks)))
    return [Turn(forward, micro, chunk) for forward, parts in ways for chunk in parts for micro in range(batches)]


def folded(stage: int, stages: int, batches: int) -> list[Turn]:
    """DualPipeV: each stage has two parts, the first on the way forth and the second on the way back; both are at work at the same time.

    Raises:
        AssertionError: there are fewer batches than twice as many as the stages.
    """
    if batches < 2 * stages:
        said = f"at least twice as many as the stages: accumulate_steps={batches}, num_ranks={stages}"
        raise failed_assertion("accumulate_steps", said, batches, "DualPipeVParallel")
    ways = {(forward, chunk): iter(range(batches)) for forward in (True, False) for chunk in (0, 1)}
    after = stages - stage - 1
    steps = [
        (2 * after, "F0"), (stage + 1, "F0 F1"), (after, "B1 F1"), (batches - 2 * stages + stage + 1, "F0 B1 F1 B0"),
        (after, "B1 F1 B0"), (stage + 1, "B1 B0"), (after, "B0"),
    ]  # fmt: skip
    turns = [(word[0] == "F", int(word[1])) for count, words in steps for word in words.split() * count]
    return [Turn(forward, next(ways[forward, chunk]), chunk) for forward, chunk in turns]


def number_of(stage: int, chunk: int, stages: int, folded: bool = False) -> int:
    """The number among the model's parts of a stage's part."""
    return chunk * stages + (stages - 1 - stage if folded and chunk % 2 else stage)


def place_of(number: int, stages: int, folded: bool = False) -> tuple[int, int]:
    """The stage that has a part of the model, and which of its parts it is."""
    chunk, place = divmod(number, stages)
    return (stages - 1 - place if folded and chunk % 2 else place), chunk


def source(turn: Turn, stage: int, stages: int, chunks: int, folded: bool = False) -> tuple[int, Turn] | None:
    """The stage, and its turn, that a turn takes something from; None: it begins there, or comes behind this stage's own."""
    return _beside(turn, number_of(stage, turn.chunk, stages, folded) + (-1 if turn.forward else 1), stages, chunks, folded)


def target(turn: Turn, stage: int, stages: int, chunks: int, folded: bool = False) -> tuple[int, Turn] | None:
    """The stage, and its turn, that a turn gives something to; None: it ends there."""
    return _beside(turn, number_of(stage, turn.chunk, stages, folded) + (1 if turn.forward else -1), stages, chunks, folded)


def _beside(turn: Turn, number: int, stages: int, chunks: int, folded: bool) -> tuple[int, Turn] | None:
    """The same turn of another part, and its stage; None: the model has no such part."""
    if not 0 <= number < stages * chunks:
        return None
    stage, chunk = place_of(number, stages, folded)
    return stage, Turn(turn.forward, turn.micro, chunk)


def ticks(orders: Sequence[Sequence[Turn]], chunks: int, folded: bool = False) -> list[list[Turn | None]]:
    """What each stage does at each time, if a turn takes one, and waits for what it needs.

    Args:
        orders: of each stage.
        chunks: how many parts each has.
        folded: whether they go forth and back.
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
            needs = None if turn is None else source(turn, stage, stages, chunks, folded)
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

"""What operators make of tensors cut over a mesh of processes, worked out by letters for their dimensions.

A dimension is named by a letter, as in einsum; the same letter in several tensors is cut by the same dimension of the mesh. `1` stands
for a dimension of size one, which nothing cuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from paddle_compat.core.errors import PreconditionNotMetError, UnimplementedError

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Cut(NamedTuple):
    """How a tensor lies: for each dimension the mesh's dimension that cuts it, or -1; and those along which it is part of a sum."""

    mapping: list[int]
    partial: tuple[int, ...] = ()


class Laid(NamedTuple):
    """A tensor's sizes, how it lies, and the sizes of the mesh."""

    shape: list[int]
    mapping: list[int]
    mesh: list[int]


def merged(pairs: Iterable[tuple[str, Sequence[int]]], resolve: bool = True) -> dict[str, int]:
    """For each letter the mesh's dimension that cuts it.

    Args:
        pairs: the letters of each tensor, and how it lies.
        resolve: of several letters that one dimension of the mesh would cut, cut the one that is cut first; else raise.
    Raises:
        UnimplementedError: a letter is cut by two dimensions of the mesh.
        PreconditionNotMetError: several letters by one, and resolve is False.
    """
    cuts: dict[str, int] = {}
    order: dict[str, None] = {}  # letters in the order in which they are first cut
    for letters, mapping in pairs:
        for letter, by in zip(letters, mapping):
            known = cuts.setdefault(letter, by)
            if known == -1:
                cuts[letter] = by
            elif by not in (-1, known):
                raise UnimplementedError(
                    f"Invalid value for tensors of an operator. Expected dimension {letter} cut along one dimension of the mesh. "
                    f"Received: {known} and {by}"
                )
            if by >= 0:
                order.setdefault(letter)
    used: dict[int, str] = {}
    for letter in order:
        by = cuts[letter]
        if by in used and not resolve:
            raise PreconditionNotMetError(
                f"Invalid value for tensors of an operator. Expected one dimension cut along dimension {by} of the mesh. "
                f"Received: {used[by]} and {letter}"
            )
        if by in used:
            cuts[letter] = -1
        used.setdefault(by, letter)
    return cuts


def lying(letters: str, cuts: dict[str, int], partial: Iterable[int] = ()) -> Cut:
    """How a tensor with those letters lies."""
    return Cut([-1 if letter == "1" else cuts.get(letter, -1) for letter in letters], tuple(sorted(set(partial))))


def summed(cuts: dict[str, int], letters: str) -> list[int]:
    """The mesh's dimensions that cut a letter which is none of those of the result."""
    return [by for letter, by in cuts.items() if by >= 0 and letter not in letters]


def whole(tensor: Laid, dims: Iterable[int]) -> list[int]:
    """How a tensor lies when some of its dimensions are no longer cut."""
    taken = {dim % len(tensor.mapping) for dim in dims} if tensor.mapping else set()
    return [-1 if i in taken else by for i, by in enumerate(tensor.mapping)]


def divided(tensor: Laid) -> list[int]:
    """How a tensor lies when it is cut only where the mesh divides its sizes."""
    return [by if by >= 0 and size % tensor.mesh[by] == 0 else -1 for size, by in zip(tensor.shape, tensor.mapping)]


def broadcast(*tensors: Laid) -> tuple[list[str], str]:
    """The letters of tensors whose sizes are lined up at their ends, and those of the result."""
    rank = max(len(one.shape) for one in tensors)
    letters = LETTERS[:rank]
    sizes = [[1] * (rank - len(one.shape)) + list(one.shape) for one in tensors]
    most = [max(column) for column in zip(*sizes)]
    named = []
    for one, padded in zip(tensors, sizes):
        full = "".join("1" if size == 1 and largest > 1 else letter for size, largest, letter in zip(padded, most, letters))
        named.append(full[rank - len(one.shape) :])
    return named, letters

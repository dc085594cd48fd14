"""How operators of Paddle 3.x models are called in Programs: `_operators.txt`, line by line."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple


class Taken(NamedTuple):
    """What one input of an operator is in Programs."""

    attribute: str  # "" where it is no attribute
    slot: str  # of a Tensor; "" where none may stand for the attribute
    is_list: bool  # whether Tensors of one element each stand for the elements


class Row(NamedTuple):
    """What an operator of models is in Programs."""

    operator: str
    inputs: tuple[Taken, ...]
    attributes: dict[str, str]  # name in models -> in Programs
    outputs: tuple[str, ...]


@cache
def rows() -> dict[str, Row]:
    """Name in models, without the dialect -> row. The list is `scripts/list_pir_operators.py`'s."""
    found: dict[str, Row] = {}
    for line in Path(__file__).with_name("_operators.txt").read_text().splitlines():
        name, operator, *words = line.split()
        colon, equals = words.index(":"), words.index("=")
        attributes = (word.partition(">") for word in words[colon + 1 : equals])
        found[name] = Row(
            operator, tuple(map(_taken, words[:colon])), {own: other or own for own, _, other in attributes}, tuple(words[equals + 1 :])
        )
    return found


def _taken(word: str) -> Taken:
    if word[0] == "@":
        return Taken("", word[1:], False)
    attribute, _, slot = word.partition("/")
    return Taken(attribute, slot.rstrip("*"), slot.endswith("*"))

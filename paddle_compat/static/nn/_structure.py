"""Nested lists, tuples and dicts of Variables: flatten them, build them again, map over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any


def is_nest(value: Any) -> bool:
    """Whether the value is a dict or a sequence other than text."""
    return isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, (str, bytes)))


def _members(nest: Any) -> list[Any]:
    return [nest[key] for key in sorted(nest)] if isinstance(nest, Mapping) else list(nest)


def flatten(nest: Any) -> list[Any]:
    """The leaves in order; dicts count by sorted key."""
    return [leaf for member in _members(nest) for leaf in flatten(member)] if is_nest(nest) else [nest]


def _packed(structure: Any, leaves: Iterator[Any]) -> Any:
    if not is_nest(structure):
        return next(leaves)
    members = [_packed(member, leaves) for member in _members(structure)]
    if isinstance(structure, Mapping):
        by_key = dict(zip(sorted(structure), members))
        make: Any = type(structure)
        return make((key, by_key[key]) for key in structure)
    if hasattr(structure, "_fields"):  # a namedtuple
        return type(structure)(*members)
    return type(structure)(members)


def pack(structure: Any, leaves: Sequence[Any]) -> Any:
    """A nest like `structure` with other leaves."""
    expected = len(flatten(structure))
    if expected != len(leaves):
        raise ValueError(
            f"Invalid value for argument `flat_sequence`. Expected {expected} values, as the structure has. Received: {len(leaves)}"
        )
    return _packed(structure, iter(leaves))


def map_structure(fn: Callable[..., Any], *nests: Any) -> Any:
    """Apply a function to the leaves that stand in one place; the result is built like the first nest."""
    return pack(nests[0], [fn(*leaves) for leaves in zip(*map(flatten, nests))])


def need_same_structure(first: Any, second: Any) -> None:
    """ValueError, unless both nests are built alike."""
    if is_nest(first) != is_nest(second):
        raise ValueError(f"Expected two structures that are nested alike. Received: {first} and {second}")
    if is_nest(first):
        members = _members(first), _members(second)
        if len(members[0]) != len(members[1]):
            raise ValueError(f"Expected two structures of equal size. Received: {first} and {second}")
        for a, b in zip(*members):
            need_same_structure(a, b)


__all__ = ["flatten", "is_nest", "map_structure", "need_same_structure", "pack"]

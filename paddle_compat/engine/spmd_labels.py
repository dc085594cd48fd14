"""What rules of operators are written with: labels of dimensions, and rules that many operators have (see `engine.spmd`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat.engine.spmd import Cut, Labels, tensors_of
from paddle_compat.ops._broadcast import aligned_shapes, axes_of

Attrs = dict[str, Any]
Rule = Callable[[list[Any], Attrs], Cut | None]  # of the arguments and of all attributes; None: it runs whole


def numbered(rank: int, *whole: int) -> list[Any]:
    """A label for each dimension, but for those that are needed whole."""
    return [None if at in whole else at for at in range(rank)]


def broadcast(shapes: Sequence[Sequence[int]]) -> tuple[list[Labels], Labels]:
    """The labels of shapes that meet as numpy's do: counted from the last dimension; and those of what they make."""
    rank = max(map(len, shapes))
    sizes = [max(shape[at] for shape in shapes if -at <= len(shape)) for at in range(-rank, 0)]
    return [[None if shape[at] == 1 != sizes[at] else at for at in range(-len(shape), 0)] for shape in shapes], list(range(-rank, 0))


def elementwise(args: list[Any], attrs: Attrs) -> Cut | None:
    """What takes elements that stand at one place, or everywhere."""
    given = list(tensors_of(args))
    shapes = [tuple(value.shape) for value in given]
    if attrs.get("axis", -1) != -1 and len(shapes) == 2:
        aligned = aligned_shapes(shapes[0], shapes[1], attrs["axis"])
        labels, out = broadcast(aligned)
        if [len(shape) for shape in aligned] != [len(shape) for shape in shapes]:  # 1 was put behind
            labels = [own[: len(shape)] for own, shape in zip(labels, shapes)]
        return Cut(labels, [out])
    labels, out = broadcast(shapes)
    return Cut(labels, [out])


def along(name: str, outputs: int = 1, keep: str | None = None) -> Rule:
    """What looks along the dimensions that an attribute names, and carries the others on.

    Args:
        name: of the attribute; an empty one means all dimensions.
        outputs: how many there are.
        keep: the attribute that says whether these dimensions stay; None: they do.
    """

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x = args[0]
        if any(value is not None and value != [] for value in args[1:]) or not x.dim():
            return None
        axes = attrs[name]
        axes = [axes] if isinstance(axes, int) else list(axes or range(x.dim()))
        if attrs.get("flatten") or not all(-x.dim() <= axis < x.dim() for axis in axes):
            return None
        gone = axes_of(axes, x.dim())
        labels = numbered(x.dim(), *gone)
        left = labels if keep is None or attrs.get(keep) else [label for at, label in enumerate(labels) if at not in gone]
        return Cut([labels], [left] * outputs)

    return rule


def last(count: int, outputs: int = 1) -> Rule:
    """What looks along the last dimensions."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        labels = numbered(args[0].dim(), *range(max(args[0].dim() - count, 0), args[0].dim()))
        return Cut([labels], [labels] * outputs)

    return rule


def samples(inputs: str, *outputs: int | None) -> Rule:
    """What treats the samples of a batch, the first dimension, each by itself.

    Args:
        inputs: for each tensor "n": it has the samples; "-": it is the same for all.
        outputs: how many dimensions each has; None: as many as the first input.
    """

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        given = list(tensors_of(args))
        if len(given) != len(inputs):
            return None
        labels = [[at if at == 0 and kind == "n" else None for at in range(value.dim())] for value, kind in zip(given, inputs)]
        ranks = [given[0].dim() if rank is None else rank for rank in outputs or (None,)]
        return Cut(labels, [numbered(rank, *range(1, rank)) for rank in ranks])

    return rule


def mapped(inputs: Sequence[int], outputs: Sequence[int]) -> Rule:
    """What treats its leading dimensions alike, of which inputs and outputs lack so many at the end.

    Args:
        inputs: how many dimensions of each tensor are its own, behind those that all have.
        outputs: how many each output has behind them.
    """

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        given = list(tensors_of(args))
        ranks = {value.dim() - own for value, own in zip(given, inputs)}
        if len(given) != len(inputs) or len(ranks) != 1:
            return None
        common = numbered(ranks.pop())
        if any(given[0].shape[: len(common)] != value.shape[: len(common)] for value in given):
            return None
        return Cut([[*common, *[None] * own] for own in inputs], [[*common, *[None] * own] for own in outputs])

    return rule


__all__ = ["Attrs", "Rule", "along", "broadcast", "elementwise", "last", "mapped", "numbered", "samples"]

"""Rules of operators that pick elements at places which a tensor holds, or put some there (see `engine.spmd`)."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.engine.spmd import Cut, tensors_of
from paddle_compat.engine.spmd_labels import Attrs, Rule, along, numbered


def picked(name: str) -> Rule:
    """gather and index_select: slices along a dimension, at places that a tensor holds."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x, index = args[0], args[1]
        if any(value is not None for value in args[2:]) or index.dim() != 1 or attrs.get("overwrite"):
            return None
        axis = attrs[name] % x.dim()
        labels = numbered(x.dim(), axis)
        return Cut([labels, ["i"]], [["i" if at == axis else label for at, label in enumerate(labels)]])

    return rule


def taken_along(args: list[Any], attrs: Attrs) -> Cut | None:
    """take_along_axis: the dimensions that tensors have of one size, but for the axis."""
    axis = attrs["Axis"] % args[0].dim()
    given = list(tensors_of(args))
    if any(value.dim() != given[0].dim() for value in given):
        return None
    alike = [at for at in range(given[0].dim()) if at != axis and len({value.shape[at] for value in given}) == 1]
    labels = [at if at in alike else None for at in range(given[0].dim())]
    return Cut([labels] * len(given), [labels])


def sampled(args: list[Any], attrs: Attrs) -> Cut | None:
    """index_sample: elements of each row, at places that the same row of another tensor holds."""
    return Cut([[0, None], [0, None]], [[0, None]])


def picked_deep(args: list[Any], attrs: Attrs) -> Cut | None:
    """gather_nd: of the dimensions that places name all is needed; the others pass through, and each place is looked up by itself."""
    x, index = args
    depth = index.shape[-1]
    if not 0 < depth <= x.dim():
        return None
    places, rest = [("i", at) for at in range(index.dim() - 1)], numbered(x.dim())[depth:]
    return Cut([[*[None] * depth, *rest], [*places, None]], [[*places, *rest]])


def written(args: list[Any], attrs: Attrs) -> Cut | None:
    """scatter and index_add: rows along a dimension are replaced; the other dimensions are not looked at."""
    x, index, updates = args
    axis = attrs.get("axis", 0) % x.dim()
    if updates.dim() != x.dim():
        return None
    labels = [None if at == axis or x.shape[at] != updates.shape[at] else at for at in range(x.dim())]
    return Cut([labels, [None] * index.dim(), labels], [labels])


def written_deep(args: list[Any], attrs: Attrs) -> Cut | None:
    """scatter_nd_add: `picked_deep`, the other way round."""
    x, index, updates = args
    depth = index.shape[-1]
    rest = numbered(x.dim())[depth:]
    if not 0 < depth <= x.dim() or updates.dim() != index.dim() - 1 + len(rest):
        return None
    labels = [*[None] * depth, *rest]
    return Cut([labels, [None] * index.dim(), [*[None] * (index.dim() - 1), *rest]], [labels])


def put(args: list[Any], attrs: Attrs) -> Cut | None:
    """index_put: places along the first dimensions; the others are not looked at."""
    x, places, value = args
    if any(place.dtype is torch.bool for place in places):
        return None
    rest = numbered(x.dim())[len(places) :]
    labels = [*[None] * len(places), *rest]
    behind = [*[None] * value.dim(), *rest][-value.dim() :] if value.dim() else []
    own = [label if label is not None and size == x.shape[label] else None for label, size in zip(behind, value.shape)]
    return Cut([labels, *([None] * place.dim() for place in places), own], [labels])


def assigned(args: list[Any], attrs: Attrs) -> Cut | None:
    """set_value: the dimensions that are not sliced; the value lies behind them, less those that are taken one of."""
    x, value = args[:2]
    if attrs["none_axes"] or len(attrs["values"]) > 1 or any(each is not None and each != [] for each in args[2:]):
        return None
    labels = numbered(x.dim(), *attrs["axes"])
    if value is None:
        return Cut([labels], [labels])
    left = [label for at, label in enumerate(labels) if at not in attrs["decrease_axes"]]
    behind = [*[None] * value.dim(), *left][-value.dim() :] if value.dim() else []
    own = [label if label is not None and size == x.shape[label] else None for label, size in zip(behind, value.shape)]
    return Cut([labels, own], [labels])


def searched(args: list[Any], attrs: Attrs) -> Cut | None:
    """searchsorted: each value by itself, in the numbers that stand in its row."""
    numbers, sought = args
    if numbers.dim() == 1:
        return Cut([[None], numbered(sought.dim())], [numbered(sought.dim())])
    labels = numbered(sought.dim(), sought.dim() - 1)
    return Cut([labels, labels], [labels]) if numbers.dim() == sought.dim() else None


def chosen(args: list[Any], attrs: Attrs) -> Cut | None:
    """multiplex: each row is one of several tensors'."""
    ids, given = args
    labels = numbered(given[0].dim())
    same = all(value.shape == given[0].shape for value in given)
    return Cut([[0, *[None] * (ids.dim() - 1)], *[labels] * len(given)], [labels]) if same else None


def encoded(replaces: bool) -> Rule:
    """one_hot: the classes are a new dimension.

    Args:
        replaces: whether they take the place of the last one.
    """

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        if args[1] is not None:
            return None
        labels = numbered(args[0].dim(), *([args[0].dim() - 1] if replaces else []))
        return Cut([labels], [[*(labels[:-1] if replaces else labels), None]])

    return rule


def masked(args: list[Any], attrs: Attrs) -> Cut | None:
    """sequence_mask: lengths, each of which makes a row of a width that is given."""
    if args[1] is not None or attrs["maxlen"] <= 0:
        return None
    labels = numbered(args[0].dim())
    return Cut([labels], [[*labels, None]])


RULES: dict[str, Rule] = {
    "gather": picked("axis"),
    "index_select": picked("dim"),
    **dict.fromkeys(("take_along_axis", "put_along_axis"), taken_along),
    "index_sample": sampled,
    "gather_nd": picked_deep,
    **dict.fromkeys(("scatter", "index_add"), written),
    "scatter_nd_add": written_deep,
    "index_put": put,
    "set_value": assigned,
    "searchsorted": searched,
    "multiplex": chosen,
    "repeat_interleave": along("dim"),
    "one_hot": encoded(True),
    "one_hot_v2": encoded(False),
    "sequence_mask": masked,
}

__all__ = ["RULES"]

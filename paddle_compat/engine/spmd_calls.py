"""Operators on dist tensors: their functions run on pieces, as a rule says, or whole in every process."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from torch.utils._python_dispatch import _disable_current_modes

from paddle_compat.core.op import Op
from paddle_compat.engine.sharding import common_mesh, dist_tensor, summed, used
from paddle_compat.engine.spmd import Cut, divided, each, passed_on, tensors_of, undivided
from paddle_compat.engine.spmd_rules import RULES


def call(definition: Op, args: list[Any], attrs: dict[str, Any], passing: frozenset[str] = frozenset()) -> Any:
    """Call an operator's function, which may be given DTensors; what writes over its inputs is left to torch.

    Args:
        definition: the operator.
        args: what its function takes.
        attrs: its attributes.
        passing: the kinds of partial inputs that it passes on beside those of its rule.
    """
    mesh = common_mesh(list(tensors_of(args)), definition.type)
    if mesh is None:
        return definition.fn(*args, **attrs)
    args = each(args, lambda value: dist_tensor(used(value), mesh))
    if definition.inplace:
        return each(definition.fn(*each(args, summed), **attrs), lambda value: dist_tensor(value, mesh))
    cut = cut_of(definition, args, attrs, passing)
    if cut is not None:
        out = divided(lambda *own, **others: definition.fn(*own, **{**attrs, **others}), args, cut, mesh)
        if out is not NotImplemented:
            return out
    return whole(definition, args, attrs, mesh)


def passes(definition: Op, args: list[Any], attrs: dict[str, Any], passing: frozenset[str]) -> bool:
    """Whether an operator makes partial outputs of the partial ones among its inputs."""
    mesh = common_mesh(list(tensors_of(args)), definition.type)
    args = each(args, lambda value: dist_tensor(value, mesh))
    cut = None if definition.inplace else cut_of(definition, args, attrs, passing)
    return cut is not None and passed_on(args, cut, mesh)


def cut_of(definition: Op, args: list[Any], attrs: dict[str, Any], passing: frozenset[str] = frozenset()) -> Cut | None:
    """How the operator may be divided; None: not at all, or its inputs are wrong, of which its function on all the data says more."""
    rule = RULES.get(definition.type)
    if rule is None:
        return None
    try:
        with _disable_current_modes():  # what a rule tries is no part of what is traced
            cut = rule([*args, *definition.absent[len(args) :]], {**definition.attrs, **attrs})
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RuntimeError):
        return None
    given = list(tensors_of(args))
    fits = cut is not None and len(given) == len(cut.inputs) and all(value.dim() == len(own) for value, own in zip(given, cut.inputs))
    return replace(cut, passes=cut.passes | passing) if cut is not None and fits else None


def whole(definition: Op, args: list[Any], attrs: dict[str, Any], mesh: Any) -> Any:
    """Call an operator's function on all the data, in every process."""
    return undivided(partial(definition.fn, **attrs), each(args, lambda value: dist_tensor(value, mesh)), mesh)


__all__ = ["call", "cut_of", "passes", "whole"]

"""The gradient operators of `paddle._C_ops`: called by position as Paddle 3.3 does, computed from their forward operators.

`_c_gradients.txt` lists them (`scripts/list_c_gradients.py`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import torch

from paddle_compat.base import _c_gradient_rules
from paddle_compat.core import eager
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Op, find_op
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine import alone
from paddle_compat.engine.autograd import begun

# forward operators that are composed here: the function that computes them, whose arguments have the operator's names
_COMPOSED = {
    "baddbmm": "tensor", "gammaln": "tensor", "lu_solve": "tensor.linalg", "masked_fill": "tensor", "nansum": "tensor",
    "reduce_as": "tensor", "svdvals": "tensor.linalg", "swiglu": "nn.functional",
}  # fmt: skip


class Signature(NamedTuple):
    """What a gradient operator takes and gives."""

    operator: str
    taken: tuple[str, ...]
    given: tuple[str, ...]


@cache
def signatures() -> dict[str, Signature]:
    """Name -> signature."""
    found: dict[str, Signature] = {}
    for line in Path(__file__).with_name("_c_gradients.txt").read_text().splitlines():
        name, operator, *words = line.split()
        middle = words.index("=")
        found[name] = Signature(operator, tuple(words[:middle]), tuple(words[middle + 1 :]))
    return found


def function(name: str) -> Callable[..., Any] | None:
    """The gradient operator of that name; None where Paddle has none, or this package no operator that it differentiates.

    A name that ends in an underscore is the form that writes the result over the first gradient that comes in.
    """
    plain = name.removesuffix("_")
    signature = signatures().get(plain) if name == plain else signatures().get(name) and signatures().get(plain)
    if not signature:
        return None
    definition = find_op(signature.operator)
    rule = _c_gradient_rules.RULES.get(plain)
    if definition is None and signature.operator not in _COMPOSED and rule is None:
        return None
    whole = _of_rule(rule, signature) if rule else _composed(signature) if definition is None else _of_operator(definition, signature)
    seed = next(n for n, word in enumerate(signature.taken) if word[0] == "^")

    def call(*args: Any) -> Any:
        missing = [n for n in range(seed + 1) if len(args) <= n or not _right(args[n], signature.taken[n], definition)]
        if missing:
            word = signature.taken[missing[0]].strip("@^")
            received = type(args[missing[0]]).__name__ if missing[0] < len(args) else "nothing"
            raise invalid_argument(word, f"a Tensor (position {missing[0]})", received, name)
        found = tuple(_wrapped(value) for value in whole(args))
        result = found[0] if len(found) == 1 else found
        if name == plain:
            return result
        from paddle_compat.tensor._in_place import replace

        replace(args[seed], found[0], name)
        return args[seed] if len(found) == 1 else (args[seed], *found[1:])

    return call


def _right(value: Any, word: str, definition: Op | None) -> bool:
    """Whether a value may be an argument."""
    if word[0] not in "@^" or isinstance(value, Tensor):
        return True
    if isinstance(value, (list, tuple)):
        return all(isinstance(each, Tensor) for each in value)
    slots = () if definition is None else definition.inputs
    return value is None and word[0] == "@" and not any(slot.name == word[1:] and not slot.optional for slot in slots)


def _raw(value: Any) -> Any:
    return [_raw(each) for each in value] if isinstance(value, (list, tuple)) else value._t if isinstance(value, Tensor) else value


def _wrapped(value: Any) -> Any:
    if isinstance(value, list):
        return [_wrapped(each) for each in value]
    return Tensor(torch.zeros(0)) if value is None else eager._wrap(value)


def _of_rule(rule: _c_gradient_rules.Rule, signature: Signature) -> Callable[[Sequence[Any]], list[Any]]:
    def whole(args: Sequence[Any]) -> list[Any]:
        named = {word.partition("/")[0]: _raw(value) for word, value in zip(signature.taken, args)}
        return rule(_c_gradient_rules.Given(named))

    return whole


def _differentiable(args: Sequence[Any]) -> bool:
    """Whether somebody may ask for the gradient of a gradient."""
    flat = [each for value in args for each in (value if isinstance(value, (list, tuple)) else [value])]
    return torch.is_grad_enabled() and any(isinstance(each, Tensor) and each._t.requires_grad for each in flat)


def _of_operator(definition: Op, signature: Signature) -> Callable[[Sequence[Any]], list[Any]]:
    inputs, returns = {slot.name: slot for slot in definition.inputs}, {slot.name for slot in definition.returns}
    needed = tuple(definition.grad_slots(2) or ())

    def whole(args: Sequence[Any]) -> list[Any]:
        given: dict[str, Any] = {}
        seeds: dict[str, list[Any]] = {}
        attrs: dict[str, Any] = {}
        for word, value in zip(signature.taken, args):
            attribute, _, slot = word.partition("/")
            if value is None or word == "!":
                continue
            if word[0] == "^":
                seeds[word[1:]] = _raw(list(value) if isinstance(value, (list, tuple)) else [value])
            elif word[0] == "@":
                given[word[1:]] = _raw(value)
            elif isinstance(value, Tensor) and slot in inputs:
                given[slot] = _raw(value)
            elif attribute in definition.attrs or attribute in definition.required:
                attrs[attribute] = value.tolist() if isinstance(value, Tensor) else value
        dimensions = "dim" if "dim" in definition.attrs else "axis"
        if "reduce_all" in definition.attrs and attrs.get(dimensions, ()) in ([], ()):
            attrs["reduce_all"] = True
            attrs.pop(dimensions, None)
        seeds = seeds if len(returns) > 1 else dict.fromkeys(returns, next(iter(seeds.values())))
        want = {}
        for slot in signature.given:
            if slot in inputs and (slot in given or not inputs[slot].optional):
                value = given.get(slot)
                want[slot] = len(value) if isinstance(value, list) else 1
        known = {**definition.attrs, **attrs}
        found = alone.gradient(definition.type, given, seeds, want, known, {}, needed, _differentiable(args))
        return [dict(zip(want, found)).get(slot) for slot in signature.given]

    return whole


def _composed(signature: Signature) -> Callable[[Sequence[Any]], list[Any]]:
    forward = getattr(import_module(f"paddle_compat.{_COMPOSED[signature.operator]}"), signature.operator)
    names = inspect.signature(forward).parameters

    def whole(args: Sequence[Any]) -> list[Any]:
        given: dict[str, Any] = {}
        seeds: list[Tensor] = []
        for word, value in zip(signature.taken, args):
            if word[0] == "^":
                seeds.append(value)
            elif word.strip("@").lower() in names:
                given[word.strip("@").lower()] = value
        with torch.enable_grad():
            again = _differentiable(args)
            wrt = [slot.lower() for slot in signature.given if given.get(slot.lower()) is not None]
            fresh = {name: begun(given[name]._t, again) for name in wrt}
            results = forward(**{**given, **{name: eager._wrap(value) for name, value in fresh.items()}})
            outs = [each._t for each in (results if isinstance(results, (list, tuple)) else [results])][: len(seeds)]
            found = torch.autograd.grad(outs, [*fresh.values()], _raw(seeds), create_graph=again, allow_unused=True)
        made = dict(zip(fresh, found))
        return [made.get(slot.lower()) for slot in signature.given]

    return whole

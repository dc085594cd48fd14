"""What a layer's forward does to attributes while it is recorded, which a Program would not do again at each call."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.jit.dy2static._branches import leaves
from paddle_compat.nn.layer.layers import Layer

_PLAIN = (bool, int, float, str, type(None), list, dict, tuple)
_UNSET = object()


class KeptAttributes:
    """The Python values among the attributes of a layer and its sublayers.

    Args:
        layer (Layer): the layer.
    """

    def __init__(self, layer: Layer) -> None:
        self.before = [(each, _plain(vars(each))) for each in layer.sublayers(include_self=True)]

    def restore(self) -> str | None:
        """Put back what has changed since.

        Returns:
            The name of an attribute that has; None where none has.
        """
        found: str | None = None
        for layer, before in self.before:
            now = vars(layer)
            for name in {**_plain(now), **before}:
                if _same(now.get(name, _UNSET), before.get(name, _UNSET)):
                    continue
                found = found or name
                if name in before:
                    object.__setattr__(layer, name, before[name])
                else:
                    object.__delattr__(layer, name)
        return found


def _plain(attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes that are Python values or, since a recording, Variables; lists and dicts as copies."""
    found = {}
    for name, value in attributes.items():
        if name.startswith("_") and name in _OWN:
            continue
        if type(value) in (list, dict):
            found[name] = value.copy()
        elif isinstance(value, (*_PLAIN, Variable)):
            found[name] = value
    return found


_OWN = frozenset(vars(Layer()))


def _same(now: Any, before: Any) -> bool:
    if type(now) is not type(before):
        return False
    if isinstance(now, Variable):
        return now is before
    if type(now) in (list, dict, tuple):
        mine, others = list(leaves(now)), list(leaves(before))
        return len(mine) == len(others) and all(a is b or _equal(a, b) for a, b in zip(mine, others))
    return now is before or _equal(now, before)


def _equal(a: Any, b: Any) -> bool:
    return type(a) is type(b) and not isinstance(a, (Tensor, Variable)) and isinstance(a, (bool, int, float, str)) and a == b


__all__ = ["KeptAttributes"]

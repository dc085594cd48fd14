"""Eager steps: what updates some parameters is worked out once, and then done with ever new gradients.

A `Plan` holds the columns of torch tensors that an optimizer's operator takes. It is good for as long as the optimizer's
settings, the parameters, their own settings and the tensors inside stay the same objects; `holds` asks that at every step.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core.op import definition_of
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.nn.clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from paddle_compat.ops._packed import sound
from paddle_compat.ops._update_parts import on_pieces
from paddle_compat.optimizer._parts import Parts, among
from paddle_compat.regularizer import L1Decay, L2Decay

if TYPE_CHECKING:
    from paddle_compat.optimizer._updates import Updates

Raw = torch.Tensor
_OWN = ("regularizer", "optimize_attr", "need_clip")


class Plan:
    """The updates of some parameters by one optimizer.

    Attributes:
        parts: for each set of attributes: rows of parameters, columns (None for that of the gradients), attributes.
        parts_of: of dist tensors, what this process has of them.
        finish: pairs for `_finish_update`, which looks at the parameters only.
    """

    def __init__(self, optimizer: Updates, params: list[Any]) -> None:
        self.optimizer, self.params = optimizer, params
        if not optimizer._updates_alone:  # which has prepared them
            optimizer._prepare(None, params)
        self.definition = optimizer._definition
        # without the guard around it: `run` has one
        self.together = getattr(self.definition.fused, "__wrapped__", self.definition.fused)
        self.parts_of = Parts(optimizer, params) if among([param._t for param in params]) else None
        if self.parts_of is not None and self.parts_of.whole:
            self.together = None
        if len(set(map(id, params))) < len(params):
            self.together = None  # a parameter that is listed twice is updated twice, the second time after the first
        self.gradients = next(i for i, slot in enumerate(self.definition.inputs) if slot.name == "Grad")
        self.rate = optimizer._global_learning_rate()
        self.scaled: list[tuple[Raw, float]] = []  # learning rates of parameters with a factor of their own
        self.rate_version = -1
        self.holders: list[Tensor] = []
        groups: dict[str, tuple[dict[str, Any], list[int], list[list[Any]]]] = {}
        rates: dict[float, Any] = {}
        for i, param in enumerate(params):
            attrs, inputs = optimizer._attributes(param), optimizer._inputs(param, None)
            if "LearningRate" in inputs:
                inputs["LearningRate"] = [self._rate_of(param, inputs["LearningRate"][0], rates)]
            inputs["Grad"] = []
            self.holders += [value for values in inputs.values() for value in values]
            row = [_raw(inputs.get(slot.name), slot.is_list) for slot in self.definition.inputs]
            if self.parts_of is not None:
                own = self.parts_of.held[i]
                held = [([own] if slot.is_list else own) if slot.name == "Param" else None for slot in self.definition.inputs]
                row = [self.parts_of.column(value if own is None else own) for own, value in zip(held, row)]
            _, rows, table = groups.setdefault(repr(attrs), (attrs, [], []))
            rows.append(i)
            table.append(row)
        self.parts = [(rows, list(map(list, zip(*table))), attrs) for attrs, rows, table in groups.values()]
        self.finish = [(param, True) for param in params]
        self.tensors = [param._t for param in params]
        self.kept = [holder._t for holder in self.holders]
        self.settings = list(vars(optimizer).values())
        self.own_params = [param for param in params if isinstance(param, EagerParamBase)]
        self.own = [_own_settings(param) for param in self.own_params]
        self.known = (*self.tensors, *self.kept, *self.settings)
        self.kinds = [tensor.dtype for tensor in self.tensors]
        for _, columns, _ in self.parts:
            for i, column in enumerate(columns):
                if i != self.gradients and self.together is not None:
                    columns[i] = sound(column)

    def _rate_of(self, param: Any, rate: Any, rates: dict[float, Any]) -> Any:
        """One tensor for all parameters of one factor; it is renewed where the optimizer's rate changes."""
        if rate is self.rate or self.optimizer._rates_alone:
            return rate
        factor = param.optimize_attr["learning_rate"]
        if not isinstance(factor, (int, float)):
            return rate
        if factor not in rates:
            rates[factor] = rate
            self.scaled.append((rate._t, float(factor)))
        return rates[factor]

    def holds(self, tensors: list[Raw]) -> bool:
        """Whether it is about these parameters, and nothing changed that it was made from."""
        values = (*tensors, *[holder._t for holder in self.holders], *vars(self.optimizer).values())
        return (
            len(values) == len(self.known)
            and (all(map(is_, values, self.known)) or self._only_the_rate_changed(values))
            and list(map(_own_settings, self.own_params)) == self.own
            and [tensor.dtype for tensor in tensors] == self.kinds
        )

    def _only_the_rate_changed(self, values: tuple[Any, ...]) -> bool:
        """Whether a new learning rate is all that is new, which `run` looks at anyway."""
        names = ["", *[""] * (len(values) - len(vars(self.optimizer)) - 1), *vars(self.optimizer)]
        if any(value is not known and name != "_learning_rate" for name, value, known in zip(names, values, self.known)):
            return False
        self.known = values
        return True

    def run(self, grads: list[Raw]) -> None:
        """Take the step, but for `_finish_update`; gradients are not recorded while it is called."""
        self.optimizer._create_global_learning_rate()
        if self.scaled and self.rate._t._version != self.rate_version:
            for scaled, factor in self.scaled:
                torch.mul(self.rate._t, factor, out=scaled)
            self.rate_version = self.rate._t._version
        listed = self.definition.inputs[self.gradients].is_list
        whole = len(self.parts) == 1
        if self.parts_of is not None:
            grads = self.parts_of.gradients(grads)
            self.parts_of.begin()
        for rows, columns, attrs in self.parts:
            columns[self.gradients] = [[grads[i]] for i in rows] if listed else grads if whole else [grads[i] for i in rows]
            if self.together is not None and (len(rows) > 1 or not columns[0][0].is_cpu):
                self.together(*columns, **attrs)
            else:
                for i, row in zip(rows, zip(*columns)):
                    if self.parts_of is None:
                        self.definition.fn(*row, **attrs)
                        continue
                    with on_pieces(self.parts_of.adder(i)):
                        self.definition.fn(*row, **attrs)
            columns[self.gradients] = []  # gradients are not kept
        if self.parts_of is not None:
            self.parts_of.end()


def _own_settings(param: Any) -> tuple[Any, ...]:
    return param.regularizer, param.optimize_attr["learning_rate"], param.need_clip


def _raw(values: list[Any] | None, is_list: bool) -> Any:
    """The torch tensors in a slot."""
    if not values:
        return None
    return [v._t for v in values] if is_list else values[0]._t


def can_clip(clip: Any) -> bool:
    """Whether `clipped` does what a clip asks for: not one of the user's."""
    return clip is None or type(clip) in (ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue)


def can_decay(rule: Any) -> bool:
    """Whether `decayed` does what a regularizer asks for: not one of the user's."""
    return rule is None or type(rule) in (L1Decay, L2Decay)


def clipped(clip: Any, params: Sequence[Any], grads: list[Raw], parts: Parts | None = None) -> list[Raw]:
    """Dense gradients after a clip; those of parameters that say `need_clip=False` as they are.

    They are new tensors, but where Paddle 3 writes over the old ones.

    Args:
        parts: of dist tensors, what the gradients are parts of; norms are those of the whole.
    """
    taken = [i for i, param in enumerate(params) if clip._takes(param)]
    some = [grads[i] for i in taken]
    if not some:
        return grads
    if isinstance(clip, ClipGradByGlobalNorm):
        new = _shortened(clip, some, parts, taken)
    elif isinstance(clip, ClipGradByNorm):
        new = _each_shortened(clip.clip_norm, some, parts, taken)
    else:
        fn = definition_of("clip").fn
        new = [fn(grad, min=clip.min, max=clip.max) for grad in some]
    if len(some) == len(grads):
        return new
    grads = list(grads)
    for i, grad in zip(taken, new):
        grads[i] = grad
    return grads


def _each_shortened(most: float, grads: list[Raw], parts: Parts | None, which: Sequence[int]) -> list[Raw]:
    """Gradients whose norms are at most so much."""
    if parts is None:
        fn = definition_of("clip_by_norm").fn
        return [fn(grad, max_norm=most) for grad in grads]
    norms = [square.sqrt() for square in _squares(grads, parts, which)]
    return [torch.where(norm > most, grad * (most / norm).to(grad.dtype), grad) for grad, norm in zip(grads, norms)]


def _squares(grads: list[Raw], parts: Parts | None, which: Sequence[int]) -> list[Raw]:
    """The squared norm of each gradient, in float32 where that is of half precision."""
    square = definition_of("squared_l2_norm").fn
    squares = [square(grad.float() if grad.dtype in (torch.float16, torch.bfloat16) else grad) for grad in grads]
    return squares if parts is None else parts.summed(squares, which)


def _shortened(clip: ClipGradByGlobalNorm, grads: list[Raw], parts: Parts | None, which: Sequence[int]) -> list[Raw]:
    """Gradients times one factor, so that the norm of all is at most the clip's."""
    squares = _squares(grads, parts, which)
    kinds = {value.dtype for value in squares}
    if len(kinds) > 1:
        squares = [value.double() for value in squares]
    norm = (definition_of("sum").fn(squares) if parts is None else parts.total(squares, which)).sqrt_()
    bound = torch.full_like(norm, clip.clip_norm)
    if clip.auto_skip_clip and not bool(norm > bound):
        return grads
    factor = (bound / torch.maximum(norm, bound)).reshape(())
    over = SINCE_3 and parts is None and all(grad.is_contiguous() for grad in grads)  # themselves, where users see it
    if len({grad.dtype for grad in grads}) > 1:
        return [(grad.mul_ if over else grad.mul)(factor.to(grad.dtype)) for grad in grads]
    factor = factor.to(grads[0].dtype)
    if not over:
        return list(torch._foreach_mul(grads, factor))
    torch._foreach_mul_(grads, factor)
    return grads


def decayed(rules: list[Any], params: list[Raw], grads: list[Raw]) -> list[Raw]:
    """Dense gradients with the terms of regularizers (None for none), in new tensors."""
    if not any(rules):
        return grads
    scale, sign = definition_of("scale").fn, definition_of("sign").fn
    new = list(grads)
    for i, rule in enumerate(rules):
        if rule is not None:
            param = params[i].to(grads[i].dtype)
            value = sign(param) if isinstance(rule, L1Decay) else param
            new[i] = grads[i] + scale(value, scale=rule._coeff)
    return new

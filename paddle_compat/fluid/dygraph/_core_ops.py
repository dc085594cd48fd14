"""`fluid.core.ops`: the operators of the eager mode of Paddle 1.8 to 2.2 by position, their attributes as names and values in turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from paddle_compat.base._c_operators import function, signatures
from paddle_compat.core import by_slots
from paddle_compat.core.errors import missing_member
from paddle_compat.core.op import Op, find_op
from paddle_compat.core.tensor import Tensor
from paddle_compat.fluid.dygraph import _eager
from paddle_compat.fluid.dygraph._varbase import VarBase

# How many inputs stand before outputs that Paddle took as arguments, too, until 2.2, and fills; and these outputs.
_TAKEN = {
    "accuracy": (3, ("Correct", "Total")), "batch_norm": (5, ("MeanOut", "VarianceOut")), "fill_constant": (0, ("Out",)),
    "matmul": (2, ("Out",)),
}  # fmt: skip


class Ops:
    """An operator for each name: `core.ops.matmul(x, y, "transpose_X", True)`.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(np.array([-1.0, 1.0]))
        ...     fluid.core.ops.scale(x, "scale", 2.0).numpy()
        array([-2.,  2.])

    Follows Paddle 1.8.
    """

    def __getattr__(self, name: str) -> Any:
        definition = None if name.startswith("__") else find_op(name)
        if definition is None:
            return missing_member("paddle.fluid.core.ops")(self, name)
        made = _function(definition)
        self.__dict__[name] = made
        return made


def _function(definition: Op) -> Callable[..., Any]:
    inputs = [s for s in definition.inputs if s.age in (0, 1)]
    lists = {s.name for s in inputs if s.is_list}
    targets = [s.name for s in definition.outputs if s.age in (0, 1) and s.name in definition.inplace]
    needed = [s.name for s in inputs if not s.optional]
    if definition.type in (listed := signatures("legacy")):  # Paddle's order
        order = {slot: n for n, slot in enumerate(listed[definition.type][1])}
        needed.sort(key=lambda slot: order.get(slot, len(order)))

    second = function("phi", definition.type)

    def call(*args: Any) -> Any:
        count = next((n for n, value in enumerate(args) if isinstance(value, str)), len(args))
        ahead, taken = _TAKEN.get(definition.type, (0, ()))
        if len(taken) != count - ahead or not all(isinstance(value, Tensor) for value in args[:count]):
            ahead, taken = count, ()
            if second is not None and not _eager.first_age():
                return second(*args)
        values, rest = [v for v in args[:ahead] if not isinstance(v, int)], args[count:]  # a number says how many outputs there are
        slots = needed
        if len(values) > len(needed):
            slots = needed + targets if len(values) == len(needed) + len(targets) else [s.name for s in inputs]
        given = dict(zip(slots, values))
        right = len(rest) % 2 == 0 and len(values) == len(given) >= len(needed)
        if not right or not all(value is None or isinstance(value, (list, tuple) if s in lists else Tensor) for s, value in given.items()):
            raise TypeError(
                f"{definition.type}(): incompatible function arguments. Expected {', '.join(slots)}, and then names of attributes and "
                f"their values in turn. Received: {args!r}"
            )
        outputs = {slot: [given[slot]] for slot in targets if isinstance(given.get(slot), Tensor)}
        found = _eager.run(definition, by_slots.arguments(definition, given), dict(zip(rest[::2], rest[1::2])), outputs)
        several = dict(zip([s.name for s in definition.returns], found if len(definition.returns) > 1 else (found,)))
        for slot, value in zip(taken, args[ahead:count]):
            if several.get(slot) is not None and several[slot] is not value:
                by_slots.store(value, several[slot]._t)
        returned = [s.name for s in definition.outputs if s.age in (0, 1)]
        results = tuple(VarBase(torch.zeros(0)) if several.get(slot) is None else several[slot] for slot in returned)
        return results[0] if len(results) == 1 else results

    call.__name__ = call.__qualname__ = definition.type
    return call

"""`paddle.decomposition.rules`: how Paddle 3 takes forward operators apart that `incubate.autograd` leaves whole.

`FORWARD` is the table of all of its rules; what is elementary to Paddle 3 has none there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import composition
from paddle_compat.core.composition import Call, Rule, Writer
from paddle_compat.core.dtype import VarType
from paddle_compat.core.variable import Variable
from paddle_compat.incubate.autograd import composite_rules  # noqa: F401 - fills the table of rules

ELEMENTARY = frozenset({"expand_as_v2", "expand_v2", "pow", "rsqrt", "sigmoid", "sqrt"})  # to Paddle 3
FORWARD: dict[str, Rule] = {type: rule for type, rule in composition.FORWARD.items() if type not in ELEMENTARY}


def _rule(*types: str) -> Callable[[Callable[[Writer, Variable, Call], Any]], Any]:
    """Register the rule of operators that make Out of X; numbers of half size are worked on as float32."""

    def register(function: Callable[[Writer, Variable, Call], Any]) -> Any:
        def rule(w: Writer, call: Call) -> Mapping[str, Any]:
            value = call["X"]
            half = value.dtype in (VarType.FP16, VarType.BF16)
            result = function(w, w.cast(value, VarType.FP32) if half else value, call)
            return {"Out": w.cast(result, value.dtype) if half else result}

        FORWARD.update(dict.fromkeys(types, rule))
        return function

    return register


def _between(w: Writer, x: Variable, low: float, high: float) -> Any:
    return w.two("elementwise_min", w.two("elementwise_max", x, w.full_as(x, low)), w.full_as(x, high))


@_rule("log_softmax")
def _log_softmax(w: Writer, x: Variable, call: Call) -> Any:
    if not x.shape:
        return w.sub(x, x)
    axis = [call.attrs.get("axis", -1)]
    moved = w.sub(x, w.of("reduce_max", x, dim=axis, keep_dim=True))
    return w.sub(moved, w.of("log", w.sum(w.of("exp", moved), axis, keep=True)))


@_rule("square")
def _square(w: Writer, x: Variable, call: Call) -> Any:
    return w.mul(x, x)


@_rule("reciprocal")
def _reciprocal(w: Writer, x: Variable, call: Call) -> Any:
    return w.div(w.full_as(x, 1.0), x)


@_rule("swish")
def _swish(w: Writer, x: Variable, call: Call) -> Any:
    return w.mul(x, w.of("sigmoid", w.scale(x, call.attrs.get("beta", 1.0))))


@_rule("softsign")
def _softsign(w: Writer, x: Variable, call: Call) -> Any:
    return w.div(x, w.add(w.of("abs", x), w.full_as(x, 1.0)))


@_rule("relu6")
def _relu6(w: Writer, x: Variable, call: Call) -> Any:
    return _between(w, x, 0.0, 6.0)


@_rule("hard_sigmoid")
def _hard_sigmoid(w: Writer, x: Variable, call: Call) -> Any:
    return _between(w, w.scale(x, call.attrs.get("slope", 0.2), call.attrs.get("offset", 0.5)), 0.0, 1.0)


@_rule("elu")
def _elu(w: Writer, x: Variable, call: Call) -> Any:
    zero = w.full_as(x, 0.0)
    below = w.scale(w.sub(w.of("exp", w.two("elementwise_min", x, zero)), w.full_as(x, 1.0)), call.attrs.get("alpha", 1.0))
    return w.add(w.two("elementwise_max", x, zero), below)


@_rule("clip")
def _clip(w: Writer, x: Variable, call: Call) -> Any:
    w.require(call.get("Min") is None and call.get("Max") is None)
    return _between(w, x, call.attrs["min"], call.attrs["max"])


@_rule("addmm")
def _add_product(w: Writer, x: Variable, call: Call) -> Any:
    first, second = call["X"], call["Y"]
    product = w.two("matmul_v2", first, second)
    return w.add(w.scale(product, call.attrs.get("Alpha", 1.0)), w.scale(call["Input"], call.attrs.get("Beta", 1.0)))


@_rule("bmm")
def _products(w: Writer, x: Variable, call: Call) -> Any:
    return w.two("matmul_v2", x, call["Y"])


@_rule("lerp")
def _lerp(w: Writer, x: Variable, call: Call) -> Any:
    return w.add(x, w.mul(call["Weight"], w.sub(call["Y"], x)))


@_rule("mean")
def _mean(w: Writer, x: Variable, call: Call) -> Any:
    return w.mean(x, range(len(x.shape))) if x.shape else w.assign(x)


__getattr__ = missing(__name__)

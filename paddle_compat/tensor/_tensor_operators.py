"""`+`, `<` and the like on Tensors, with Paddle 2.6's rules of types.

`+`, `-` and `*` of two floating types take the wider; these, `/` and `@` of a complex and a real type are complex. Otherwise the
second operand takes the first one's type, whatever gets lost. A Python float makes integers float32, and so does a division; a
Python int, and any number of numpy's but float64, which is a Python float, takes the Tensor's type.

In scripts that say they are for Paddle 3, operands meet as its functions' do (`_calls.meeting`), or are refused, but for those of `@`;
a Python number makes int64 or float32 of truth values, and behind `//` it is a vector.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch

from paddle_compat.core import capture, eager, integers
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import cast_number, check_array
from paddle_compat.core.eager import call
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.op import Op
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.tensor import Tensor, wrapped
from paddle_compat.ops import elementwise, linalg, logic, math
from paddle_compat.ops._broadcast import refuse_bools, unmet
from paddle_compat.tensor._calls import meeting
from paddle_compat.tensor._tensor_indexing import getitem, length, setitem
from paddle_compat.tensor._variable_operators import OF_NUMBERS

Scaled = Callable[[torch.Tensor, Any], torch.Tensor]


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex, np.number))


def common(left: torch.Tensor, right: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Two operands in one type where both are floating: the wider."""
    if left.dtype is right.dtype or not (left.is_floating_point() and right.is_floating_point()):
        return left, right
    wider = torch.promote_types(left.dtype, right.dtype)
    return left.to(wider), right.to(wider)


def _met(left: torch.Tensor, right: torch.Tensor, even: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Two operands in the type in which they meet since Paddle 3, which refuses others; `even` is as of `_calls.meeting`.

    Raises:
        WrongInputError: there is no such type.
    """
    if left.dtype is right.dtype:
        return left, right
    kind = meeting(left.dtype, right.dtype, (not left.dim(), not right.dim()), even)
    if kind is None:
        raise unmet(left.dtype, right.dtype)
    return (left, right) if eager.cast_inputs is not None else (eager.converted(left, kind), eager.converted(right, kind))


def _alike(left: torch.Tensor, right: torch.Tensor, widens: bool, mixes: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Two operands of a Python operator in one type: see the module."""
    if left.dtype is right.dtype:
        return left, right
    if (mixes and (left.is_complex() or right.is_complex())) or (widens and left.is_floating_point() and right.is_floating_point()):
        kind = torch.promote_types(left.dtype, right.dtype)
        return left.to(kind), right.to(kind)
    right = right.real if right.is_complex() else right
    if right.requires_grad and not (left.is_floating_point() or left.is_complex()):
        return left, integers.made_whole(right, left.dtype)
    return left, eager.converted(right, left.dtype)


def _scaled(scaled: Scaled, number: Any, x: torch.Tensor) -> torch.Tensor:
    """What `scaled` computes; of truth values as of numbers."""
    return scaled(x.long(), number).bool() if x.dtype is torch.bool else scaled(x, number)


def _recorded(method: Any, self: Tensor, *others: Any) -> Any:
    """What the Variable's method of that name records, in place of a Tensor's."""
    given = [Tensor(torch.as_tensor(other)) if isinstance(other, np.ndarray) else other for other in others]
    name = method.__qualname__.rpartition(".")[2]
    return getattr(capture.as_variable(self), name)(*map(capture.as_variable, given))


def binary(
    operator: Op, reverse: bool = False, divides: bool = False, widens: bool = False, mixes: bool = False, scaled: Scaled | None = None
) -> Callable[..., Any]:
    """The method that a Python operator calls on a Tensor.

    Args:
        operator: what it computes.
        reverse: the Tensor stands on the right.
        divides: integers become float32.
        widens: of two floating types the wider wins.
        mixes: of a complex and a real type the complex one wins.
        scaled: what it computes with a number, where Paddle does that by one scale.
    """

    def method(self: Tensor, other: Any) -> Any:
        if capture.current is not None:
            return _recorded(method, self, other)
        if isinstance(other, Tensor):
            eager.together(operator.type, self, other)
            left, right = self._t, other._t
        elif _is_number(other):
            left = self._t
            if isinstance(other, (float, int)) and not isinstance(other, bool) or isinstance(other, np.integer):
                whole = not (left.is_floating_point() or left.is_complex())
                if whole and (isinstance(other, float) or divides):
                    left = eager.converted(left, torch.float32)
                elif left.dtype is torch.bool and (operator.type in OF_NUMBERS or SINCE_3 and type(other) is int):
                    left = left.long()
                if scaled is not None:
                    other = other.item() if isinstance(other, np.generic) else other
                    result = eager.on_pieces("increment", partial(_scaled, scaled, other), left)
                    if eager.watch is not None:
                        eager.watch("scale", [left], result)
                    return wrapped(result)
            if type(other) is int or type(other) is float:  # integers are floats by now, where the number is one
                wide = torch.float64 if type(other) is float else left.dtype  # float32 of a greater float is an infinity, and no error
                if type(other) is int and not (wide.is_floating_point or wide.is_complex or wide is torch.bool):
                    other = cast_number(other, wide)
                right = torch.scalar_tensor(other, dtype=wide, device=left.device).to(left.dtype)
            elif isinstance(other, complex):
                right = torch.full((), other, dtype=torch.promote_types(left.dtype, torch.complex64), device=left.device)
            else:
                right = torch.full((), other, dtype=torch.promote_types(left.dtype, torch.float32), device=left.device).to(left.dtype)
            if SINCE_3 and operator is elementwise.elementwise_floordiv:
                right = right.reshape(1)
        elif isinstance(other, np.ndarray):
            left = self._t
            check_array(other, "y", operator.type)
            right = torch.as_tensor(other if min(other.strides, default=0) >= 0 else other.copy(), device=left.device)
        elif isinstance(other, str) and operator.type in ("equal", "not_equal"):
            return Tensor(torch.full_like(self._t, operator.type == "not_equal", dtype=torch.bool))
        elif operator.type not in ("equal", "not_equal") and (other is None or isinstance(other, (list, tuple, dict, set, str, np.bool_))):
            expected = "a Tensor, a number or a numpy array"
            if SINCE_3:  # a TypeError there
                raise type_error("y", expected, other, operator.type)
            raise invalid_argument("y", expected, repr(other), operator.type)
        else:
            return NotImplemented
        if SINCE_3 and operator is not linalg.matmul_v2:
            left, right = _met(left, right, operator is elementwise.elementwise_floordiv)
        if left.dtype is torch.bool is not right.dtype and operator is elementwise.elementwise_add and not (mixes and right.is_complex()):
            refuse_bools(left)
        if operator.frozen:
            left, right = left.detach(), right.detach()
        left, right = _alike(left, right, widens, mixes)
        if divides and not (left.is_floating_point() or left.is_complex()):
            left, right = eager.converted(left, torch.float32), eager.converted(right, torch.float32)
        return wrapped(call(operator, [right, left] if reverse else [left, right], {}))

    return method


def bitwise(sign: str, operator: Op) -> Callable[..., Any]:
    """The method of `&`, `|` or `^`, which take Tensors of one type alone."""

    def method(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Any:
        if capture.current is not None:
            return operator(x, y)
        if not isinstance(y, Tensor):
            raise invalid_argument("y", "a Tensor", repr(y), operator.type)
        if x._t.dtype is not y._t.dtype:
            raise invalid_argument("y", f"the data type of x, {x.dtype._shown()}", y.dtype._shown(), operator.type)
        return operator(x, y)

    method.__qualname__ = f"Tensor.__{sign}__"
    alike = "out is None and (kind := x_.dtype) is y_.dtype and kind in PLAIN and kind not in FLOATS"
    kernels: dict[str, Any] = {f"{sign}_bits": operator.fn}
    return direct("x y", f"{sign}_bits(x_, y_)", alike, kind="kind", **kernels)(method)


def _matmul(self: Tensor, other: Any) -> Any:
    """`@`: neither side may be a number."""
    if capture.current is not None:
        return _recorded(_matmul, self, other)
    right = other._t if isinstance(other, Tensor) else np.asarray(other) if _is_number(other) or isinstance(other, np.ndarray) else None
    if right is not None and not (self._t.ndim and right.ndim):
        raise invalid_argument("y", "tensors of at least 1 dimension", f"{self._t.ndim} and {right.ndim} dimensions", "matmul")
    return _product(self, other)


_ZERO = {kind: torch.zeros((), dtype=kind) for kind in (torch.float16, torch.bfloat16, torch.float32, torch.float64)}


def _minus(x: torch.Tensor) -> torch.Tensor:
    """Minus the numbers; minus 0 is 0, as Paddle's scale gives it. To take a number away that torch would wrap takes 3 us more."""
    return torch.sub(_ZERO[x.dtype], x) if x.dtype in _ZERO else torch.neg(x)


def negative(self: Tensor) -> Any:
    """The method of `-`, which scales by -1: truth values stay what they are."""
    if capture.current is not None:
        return _recorded(negative, self)
    result = self._t.clone() if self._t.dtype is torch.bool else eager.on_pieces("increment", _minus, self._t)
    if eager.watch is not None:
        eager.watch("scale", [self._t], result)
    return wrapped(result)


def unary(operator: Op) -> Callable[..., Any]:
    """The method that a Python operator of one Tensor calls."""

    def method(self: Tensor) -> Any:
        if capture.current is not None:
            return operator(self)
        try:
            return wrapped(eager.on_pieces(operator.type, operator.fn, self._t))
        except RuntimeError:  # the operator says what it refuses
            return operator(self)

    return method


_matmul.__qualname__ = "Tensor.__matmul__"
_product = binary(linalg.matmul_v2, mixes=True)

def formatted(self: Tensor, spec: str) -> str:
    """The text of a Tensor; with a format, that of the one number in a Tensor without dimensions, as 3.x has it and 2.6 refuses it.

    In scripts for Paddle 3 that number is the text without a format, too.
    """
    return format(self.item(), spec) if (spec or SINCE_3) and not self._t.dim() else object.__format__(self, spec)


def _times(x: torch.Tensor, number: Any) -> torch.Tensor:
    return math.multiplied(x, number) if x.dtype in math.FULL else x * number


METHODS: dict[str, Callable[..., Any]] = {
    "__add__": binary(elementwise.elementwise_add, widens=True, mixes=True, scaled=lambda x, n: x + n),
    "__radd__": binary(elementwise.elementwise_add, widens=True, mixes=True, scaled=lambda x, n: x + n),
    "__sub__": binary(elementwise.elementwise_sub, widens=True, mixes=True, scaled=lambda x, n: x - n),
    "__rsub__": binary(elementwise.elementwise_sub, True, widens=True, mixes=True, scaled=lambda x, n: n - x),
    "__mul__": binary(elementwise.elementwise_mul, widens=True, mixes=True, scaled=_times),
    "__rmul__": binary(elementwise.elementwise_mul, widens=True, mixes=True, scaled=_times),
    "__truediv__": binary(elementwise.elementwise_div, divides=True, mixes=True, scaled=lambda x, n: x * (1.0 / n) if n else x / n),
    "__rtruediv__": binary(elementwise.elementwise_div, True, divides=True, mixes=True),
    "__pow__": binary(elementwise.elementwise_pow),
    "__rpow__": binary(elementwise.elementwise_pow, True),
    "__floordiv__": binary(elementwise.elementwise_floordiv),
    "__mod__": binary(elementwise.elementwise_mod),
    "__matmul__": direct(
        "self other", "torch.matmul(self_, other_)", "(kind := self_.dtype) is other_.dtype and kind in FLOATS", kind="kind"
    )(_matmul),
    "__eq__": binary(logic.equal),
    "__ne__": binary(logic.not_equal),
    "__lt__": binary(logic.less_than),
    "__le__": binary(logic.less_equal),
    "__gt__": binary(logic.greater_than),
    "__ge__": binary(logic.greater_equal),
    "__and__": bitwise("and", elementwise.bitwise_and),
    "__or__": bitwise("or", elementwise.bitwise_or),
    "__xor__": bitwise("xor", elementwise.bitwise_xor),
    "__invert__": unary(elementwise.bitwise_not),
    "__neg__": direct("self", "minus(self_)", "self_.dtype in NUMERIC", kind="self_.dtype", minus=_minus)(negative),
    "__getitem__": getitem,
    "__setitem__": setitem,
    "__len__": length,
    "__format__": formatted,
}

# What the operators amount to on Tensors of one type, and on one and a number (see `core.direct`).
_NUMBER = "BESIDE[type(other)][self_.dtype][other]"
_MINUS = "torch.sub(ZERO[self_.dtype], self_, alpha=-other or -0.0)"
_BELOW = f"{_MINUS} if LOWEST < other <= 0 and self_.dtype in FULL else "  # 0 * -1 is 0, not -0
_SHORT: dict[str, tuple[str, str]] = {
    "__add__": ("torch.add(self_, other_)", f"torch.add(self_, {_NUMBER})"),
    "__radd__": ("torch.add(other_, self_)", f"torch.add(self_, {_NUMBER})"),
    "__sub__": ("torch.sub(self_, other_)", f"torch.sub(self_, {_NUMBER})"),
    "__rsub__": ("torch.sub(other_, self_)", f"torch.sub({_NUMBER}, self_)"),
    "__mul__": ("torch.mul(self_, other_)", f"{_BELOW}torch.mul(self_, {_NUMBER})"),
    "__rmul__": ("torch.mul(other_, self_)", f"{_BELOW}torch.mul(self_, {_NUMBER})"),
    "__truediv__": ("torch.div(self_, other_)", "torch.mul(self_, BESIDE[float][self_.dtype][1.0 / other])"),
    **{
        f"__{sign}__": (f"torch.{sign}(self_, other_)", f"torch.{sign}(self_, {_NUMBER} if other else ZERO[self_.dtype])")
        for sign in ("lt", "le", "gt", "ge")
    },
    "__eq__": ("equal_kernel(self_, other_)", f"equal_kernel(self_, {_NUMBER} if other else ZERO[self_.dtype])"),
    "__ne__": ("unequal_kernel(self_, other_)", f"unequal_kernel(self_, {_NUMBER} if other else ZERO[self_.dtype])"),
    "__pow__": (
        "power_kernel(self_, other_)",
        f"torch.square(self_) if other == 2 and self_.dtype in FLOATS else power_kernel(self_, {_NUMBER})",
    ),
    "__rtruediv__": ("torch.div(other_, self_)", f"torch.div({_NUMBER}, self_)"),
    "__floordiv__": ("quotient_kernel(self_, other_)", f"quotient_kernel(self_, {_NUMBER})"),
    "__mod__": ("remainder_kernel(self_, other_)", f"remainder_kernel(self_, {_NUMBER})"),
}
_KERNELS: dict[str, Any] = {
    "FULL": math.FULL,
    "LOWEST": math.LOWEST,
    "equal_kernel": logic.equal.fn.compute,  # type: ignore[attr-defined]
    "unequal_kernel": logic.not_equal.fn.compute,  # type: ignore[attr-defined]
    "power_kernel": elementwise.elementwise_pow.fn,
    "quotient_kernel": elementwise.elementwise_floordiv.fn,
    "remainder_kernel": elementwise.elementwise_mod.fn,
}
capture.part_methods |= {
    "__getitem__": lambda self, item: capture.as_variable(self)[item],
    "__iter__": lambda self: iter(capture.as_variable(self)),
}
for _name in ("__neg__", "__rpow__"):
    METHODS[_name].__qualname__ = f"Tensor.{_name}"
_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_ALONE = dict.fromkeys(("__truediv__", "__rtruediv__"), "FLOATS")
_FLAT = ("__floordiv__",) if SINCE_3 else ("__floordiv__", "__mod__")  # which have no gradient
for _name, (_tensors, _number) in _SHORT.items():
    _alone = _ALONE.get(_name)
    _method = METHODS[_name]
    _method.__qualname__, _method.__module__ = f"Tensor.{_name}", __name__
    _cut = " and not self._t.requires_grad" if _name in _FLAT else ""
    _numbers = "type(other) is not Tensor and type(other) in BESIDE" + (f" and self._t.dtype in {_alone}" if _alone else "") + _cut
    _numbers += " and self._t.dim()" if SINCE_3 and _name == "__floordiv__" else ""
    METHODS[_name] = direct(
        "self other",
        _tensors,
        f"(kind := self_.dtype) is other_.dtype and kind in {_alone or 'NUMERIC'}" + _cut + _cut.replace("self", "other"),
        ("self", _number, _numbers),
        kind="torch.bool" if _name in _COMPARISONS else "self_.dtype",
        **_KERNELS,
    )(_method)
METHODS["__div__"], METHODS["__rdiv__"] = METHODS["__truediv__"], METHODS["__rtruediv__"]

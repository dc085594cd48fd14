"""Two operands, element by element, with Paddle's `axis` broadcasting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.op import Meta, Op, op
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_2
from paddle_compat.ops._broadcast import align, broadcast_shapes, infer_broadcast, refuse_bools, same_dtype
from paddle_compat.ops._grad_makers import scales
from paddle_compat.ops._kept import apart
from paddle_compat.ops._rounding import half_away
from paddle_compat.ops._select import holds_nan, is_small, ones_where, select

Tensor = torch.Tensor
Binary = Callable[[Tensor, Tensor], Tensor]
BOTH = ("X", "Y")


def aligned(name: str, compute: Binary, doc: str, grad: Sequence[str] | None = None, bools: bool = False, mixed: bool = True) -> Op:
    """Register an operator whose operands meet by the attribute `axis`; `bools`: it takes truth values, too, `mixed`: beside others."""

    def fn(x: Tensor, y: Tensor, *, axis: int = -1, x_data_format: str = "", y_data_format: str = "") -> Tensor:
        if axis != -1:
            x, y = align(x, y, axis)
        if x.dtype is torch.bool and not (bools and (mixed or y.dtype is torch.bool)):
            refuse_bools(x)
        if x.dtype is not y.dtype:
            x, y = same_dtype(x, y)
        return compute(x, y)

    fn.__doc__ = doc
    fn.compute = compute  # type: ignore[attr-defined]  # for operands of one type
    return op(name=name, inputs=BOTH, grad=grad, infer=infer_broadcast)(fn)


def truncating(name: str, down: Binary, towards_zero: Binary, doc: str, grad: Sequence[str] | None = None) -> Op:
    """Register an integer division: 1.8 divides as C++ does (`_truncate`), 2.x as Python does."""

    def fn(
        x: Tensor,
        y: Tensor,
        *,
        axis: int = -1,
        x_data_format: str = "",
        y_data_format: str = "",
        _truncate: bool = False,
    ) -> Tensor:
        if axis != -1:
            x, y = align(x, y, axis)
        refuse_bools(x)
        if x.dtype is not y.dtype:
            x, y = same_dtype(x, y)
        return towards_zero(x, y) if _truncate else down(x, y)

    fn.__doc__ = doc
    return op(name=name, inputs=BOTH, grad=grad, infer=infer_broadcast)(fn)


def plain(
    name: str, compute: Binary, doc: str, grad: Sequence[str] | None, slots: Sequence[str] = BOTH, out: str = "Out",
    infer: Callable[..., Meta] = infer_broadcast,
) -> Op:
    """Register an operator of two operands that knows no `axis`."""

    def fn(x: Tensor, y: Tensor) -> Tensor:
        if x.dtype is not y.dtype:
            x, y = same_dtype(x, y)
        return compute(x, y)

    fn.__doc__ = doc
    return op(name=name, inputs=slots, outputs=(out,), grad=grad, infer=infer)(fn)


def _truncated_quotient(x: Tensor, y: Tensor) -> Tensor:
    return torch.div(x, y, rounding_mode="trunc")


def _divide(x: Tensor, y: Tensor) -> Tensor:
    if x.dtype.is_floating_point or x.dtype.is_complex:
        return torch.div(x, y)
    return _truncated_quotient(x.byte(), y.byte()).bool() if x.dtype is torch.bool else _truncated_quotient(x, y)


def _pow(x: Tensor, y: Tensor) -> Tensor:
    if x.dtype.is_floating_point or x.dtype.is_complex:
        if type(y) is Tensor and not y.dim() and y.is_cpu and not y.requires_grad:
            exponent = y.item()  # of a number torch keeps x for the gradient, as Paddle does, and not the power
            # of a hundred thousand numbers fifty times as fast, and as near to Paddle's
            return torch.square(x) if exponent == 2 else torch.pow(x, exponent)
        return apart(torch.pow(x, y))
    return torch.pow(x.double(), y.double()).round().to(x.dtype)  # integers may have negative exponents


# Not torch's own derivatives: where the operands are equal, torch halves the gradient and Paddle gives the whole of it to one
# side. NaN, too, comes out as Paddle's comparison leaves it.
class _Chosen(torch.autograd.Function):
    """The larger or the smaller of two numbers."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, y: Tensor, larger: bool) -> Tensor:
        ctx.save_for_backward(x, y)
        ctx.compares = (torch.gt, torch.le) if larger else (torch.lt, torch.ge)
        return _chosen(x, y, larger)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        x, y = ctx.saved_tensors
        to_x, to_y = (
            (grad * ones_where(compare, x, y)).sum_to_size(source.shape) if wanted else None
            for wanted, compare, source in zip(ctx.needs_input_grad, ctx.compares, (x, y))
        )
        return to_x, to_y, None


def _chosen(x: Tensor, y: Tensor, larger: bool) -> Tensor:
    if x.is_cpu:  # where torch's own call is twenty times as fast; it differs if x is NaN and y is not
        out = torch.maximum(x, y) if larger else torch.minimum(x, y)
        if not out.is_floating_point() or not holds_nan(out):
            return out
    return torch.where(x > y if larger else x < y, x, y)


def _is_small_pair(x: Tensor, y: Tensor) -> bool:
    """Whether it pays to have torch differentiate a choice between x and y, and it can: beside a NaN neither has a gradient."""
    return is_small(x) and is_small(y) and not holds_nan(x) and not holds_nan(y)


def _halved(x: Tensor, y: Tensor, compute: Binary) -> Tensor:
    """The choice as Paddle 3.2 makes it: equal operands share the gradient, and NaN, of which nothing depends on x or y, wins."""
    out = compute(x, y)
    if not out.requires_grad or out.is_cpu and not holds_nan(out):
        return out
    return torch.where(out.isnan(), out.detach(), out)


def _larger(x: Tensor, y: Tensor) -> Tensor:
    if SINCE_3_2:
        return _halved(x, y, torch.maximum)
    if not (x.requires_grad or y.requires_grad):
        return _chosen(x, y, True)
    return torch.where(x > y, x, y) if _is_small_pair(x, y) else _Chosen.apply(x, y, True)


def _smaller(x: Tensor, y: Tensor) -> Tensor:
    if SINCE_3_2:
        return _halved(x, y, torch.minimum)
    if not (x.requires_grad or y.requires_grad):
        return _chosen(x, y, False)
    return torch.where(x < y, x, y) if _is_small_pair(x, y) else _Chosen.apply(x, y, False)


def _larger_number(x: Tensor, y: Tensor) -> Tensor:
    return _number(x, y, torch.maximum, torch.ge)


def _smaller_number(x: Tensor, y: Tensor) -> Tensor:
    return _number(x, y, torch.minimum, torch.le)


def _number(x: Tensor, y: Tensor, compute: Binary, compare: Binary) -> Tensor:
    if x.is_cpu and not (x.requires_grad or y.requires_grad):
        out = compute(x, y)
        if not out.is_floating_point() or not holds_nan(out):
            return out
    return torch.where(compare(x, y) | (y != y), x, y)


def _infer_atan2(x: Meta, y: Meta) -> Meta:
    return Meta(broadcast_shapes(x.shape, y.shape), x.dtype if x.dtype.is_floating_point else torch.float64)


def _atan2(x: Tensor, y: Tensor) -> Tensor:
    return torch.atan2(x, y) if x.is_floating_point() else torch.atan2(x.double(), y.double())


def _remainder(x: Tensor, y: Tensor) -> Tensor:
    if x.is_complex() or y.is_complex():
        quotient = x / y
        return x - y * torch.complex(half_away(quotient.real), half_away(quotient.imag))
    return torch.remainder(x, y)


def _truncated_remainder(x: Tensor, y: Tensor) -> Tensor:
    """What 1.8 calls the remainder: of integers as in C++, of floating numbers as in Python."""
    return torch.remainder(x, y) if x.is_floating_point() else torch.fmod(x, y)


def _copysign(x: Tensor, y: Tensor) -> Tensor:
    if x.is_floating_point():
        return torch.copysign(x, y)
    return torch.where((x < 0) == (y < 0), x, -x if x.dtype.is_signed and x.dtype is not torch.bool else x)


def _heaviside(x: Tensor, y: Tensor) -> Tensor:
    return select(x == 0, y, torch.sign(x).clamp_(min=0))  # whose gradient by x is 0


elementwise_add = aligned("elementwise_add", torch.add, "x + y.", BOTH, bools=True, mixed=False)
elementwise_sub = aligned("elementwise_sub", torch.sub, "x - y.", BOTH)
elementwise_mul = aligned("elementwise_mul", torch.mul, "x * y.", BOTH, bools=True)
elementwise_div = aligned("elementwise_div", _divide, "x / y; integers divide as in C++.", ("X", "Y", "Out"), bools=True)
elementwise_pow = aligned("elementwise_pow", _pow, "x to the power y.", BOTH)
elementwise_max = aligned("elementwise_max", _larger, "The larger of x and y.", BOTH)
elementwise_min = aligned("elementwise_min", _smaller, "The smaller of x and y.", BOTH)
elementwise_floordiv = truncating(
    "elementwise_floordiv", torch.floor_divide, _truncated_quotient, "The whole quotient of x and y."
)
elementwise_mod = truncating(
    "elementwise_mod", _remainder, _truncated_remainder, "The remainder of x / y.", BOTH if SINCE_3 else None
)

elementwise_fmax = plain("elementwise_fmax", _larger_number, "The larger of x and y; a number wins over NaN.", BOTH)
elementwise_fmin = plain("elementwise_fmin", _smaller_number, "The smaller of x and y; a number wins over NaN.", BOTH)
elementwise_heaviside = plain("elementwise_heaviside", _heaviside, "0 below zero, 1 above, y at zero.", BOTH)
_POINT = ("X1", "X2")
atan2 = plain("atan2", _atan2, "The angle of the point (x2, x1).", _POINT, _POINT, infer=_infer_atan2)
copysign = plain("copysign", _copysign, "The size of x with the sign of y.", ("x", "y"), ("x", "y"), "out")
nextafter = plain("nextafter", torch.nextafter, "The next number after x towards y.", None, ("x", "y"), "out")
def _shifted(name: str, compute: Binary, doc: str) -> Op:
    """Register a shift of bits (Paddle has it since version 3)."""

    def fn(x: Tensor, y: Tensor, *, is_arithmetic: bool = True) -> Tensor:
        out = compute(x, y)
        if is_arithmetic or compute is not torch.bitwise_right_shift or not x.dtype.is_signed:
            return out
        bits = 8 * x.dtype.itemsize
        kept = torch.bitwise_not(torch.bitwise_left_shift(torch.full_like(y, -1), bits - y))  # the bits that did not come in at the top
        return torch.where(y > 0, out & kept, out)

    fn.__doc__ = doc
    return op(name=name, inputs=("x", "y"), outputs=("out",), infer=infer_broadcast)(fn)


bitwise_left_shift = _shifted("bitwise_left_shift", torch.bitwise_left_shift, "The bits of x, y places up.")
bitwise_right_shift = _shifted("bitwise_right_shift", torch.bitwise_right_shift, "The bits of x, y places down; zeros follow, or the sign.")
gammaincc = plain(
    "gammaincc",
    lambda x, y: torch.special.gammaincc(x.detach(), y),
    "The upper incomplete gamma function over the whole one.",
    ("x", "y"),
    ("x", "y"),
    "out",
)
bitwise_and = plain("bitwise_and", torch.bitwise_and, "The bits that x and y have.", None)
bitwise_or = plain("bitwise_or", torch.bitwise_or, "The bits that x or y has.", None)
bitwise_xor = plain("bitwise_xor", torch.bitwise_xor, "The bits in which x and y differ.", None)


@op(inputs=BOTH, grad_maker=scales({"X": 1.0, "Y": -1.0}), infer=infer_broadcast)
def minus(x: Tensor, y: Tensor) -> Tensor:
    """x - y."""
    return torch.sub(x, y)


@op(inputs=BOTH, infer=infer_broadcast)
def grad_add(x: Tensor, y: Tensor, *, axis: int = -1) -> Tensor:
    """x + y, for gradients that meet."""
    return torch.add(x, y)


@op(inputs=("X",))
def bitwise_not(x: Tensor) -> Tensor:
    """All bits turned round."""
    return torch.bitwise_not(x)


def _infer_lerp(x: Meta, y: Meta, weight: Meta, **attrs: Any) -> Meta:
    return Meta(broadcast_shapes(x.shape, y.shape, weight.shape), x.dtype)


@op(inputs=("X", "Y", "Weight"), grad=("X", "Y", "Weight", "Out"), no_grad=("Weight",), infer=_infer_lerp)
def lerp(x: Tensor, y: Tensor, weight: Tensor) -> Tensor:
    """x + weight * (y - x)."""
    return torch.lerp(x, y, weight.detach())

"""Comparisons, logic, and questions about numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from paddle_compat.core.constants import beside
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, Op, op
from paddle_compat.ops._broadcast import align, infer_predicate, same_dtype
from paddle_compat.ops._checks import check_same_shape

Tensor = torch.Tensor


def comparison(name: str, compute: Callable[[Tensor, Tensor], Tensor], doc: str, orders: bool = False) -> Op:
    """Register a comparison; one that orders asks for the imaginary parts where the real ones are equal."""

    def fn(x: Tensor, y: Tensor, *, axis: int = -1, force_cpu: bool = False) -> Tensor:
        if axis != -1:
            x, y = align(x, y, axis)
        if x.dtype is not y.dtype:
            x, y = same_dtype(x, y)
        if orders and x.dtype.is_complex:
            return torch.where(x.real == y.real, compute(x.imag, y.imag), compute(x.real, y.real))
        return compute(x, y)

    fn.__doc__ = doc
    fn.compute = compute  # type: ignore[attr-defined]  # for operands of one type
    return op(name=name, inputs=("X", "Y"), infer=infer_predicate)(fn)


def _holds_numbers(x: Tensor) -> bool:
    """Whether nothing is NaN, as far as a look at the values costs less than what would be done about it."""
    return type(x) is Tensor and x.is_cpu and torch.equal(x, x)


def _equal(x: Tensor, y: Tensor) -> Tensor:
    if not x.is_floating_point():
        return torch.eq(x, y)
    if x.requires_grad or y.requires_grad:
        x, y = x.detach(), y.detach()
    apart = torch.sub(x, y).abs_()
    near = torch.lt(apart, beside(1e-8, x))
    if x.dtype.itemsize > 2 and _holds_numbers(apart):  # equal infinities are NaN apart, and 1e-8 is 0 in float16
        return near
    return near.logical_or_(torch.eq(x, y))


def connective(name: str, compute: Callable[[Tensor, Tensor], Tensor], doc: str) -> Op:
    """Register a logical connective."""

    def fn(x: Tensor, y: Tensor) -> Tensor:
        return compute(x, y)

    fn.__doc__ = doc
    return op(name=name, inputs=("X", "Y"), infer=infer_predicate)(fn)


def _infer_answers(x: Meta) -> Meta:
    return Meta(x.shape, torch.bool)


def question(
    name: str,
    ask: Callable[[Tensor], Tensor],
    doc: str,
    lod: str | None = None,
    infer: Callable[[Meta], Meta] = _infer_answers,
) -> Op:
    """Register a question about each element."""

    def fn(x: Tensor) -> Tensor:
        return ask(x)

    fn.__doc__ = doc
    setattr(fn, "compute", ask)  # noqa: B010 - what public functions may call at once, see `core.direct`
    return op(name=name, inputs=("X",), lod=lod, infer=infer)(fn)


def _finite(x: Tensor) -> Tensor:
    """What is nothing apart from itself: half of the calls that torch makes."""
    return torch.sub(x, x).logical_not() if x.is_floating_point() else torch.isfinite(x)


def question_to_all(name: str, ask: Callable[[Tensor], Tensor], doc: str) -> Op:
    """Register a question about a whole tensor, answered in shape (1,)."""
    return question(name, lambda x: ask(x).reshape(1), doc, infer=lambda x: Meta((1,), torch.bool))


equal = comparison("equal", _equal, "x == y; numbers that differ by less than 1e-8 count as equal.")
not_equal = comparison("not_equal", lambda x, y: _equal(x, y).logical_not_(), "Not `equal`.")
less_than = comparison("less_than", torch.lt, "x < y.", orders=True)
less_equal = comparison("less_equal", torch.le, "x <= y.", orders=True)
greater_than = comparison("greater_than", torch.gt, "x > y.", orders=True)
greater_equal = comparison("greater_equal", torch.ge, "x >= y.", orders=True)
logical_and = connective("logical_and", torch.logical_and, "x and y.")
logical_or = connective("logical_or", torch.logical_or, "x or y.")
logical_xor = connective("logical_xor", torch.logical_xor, "Either x or y.")
logical_not = question("logical_not", torch.logical_not, "Not x.", lod="share")
isfinite_v2 = question("isfinite_v2", _finite, "Which elements are finite.")
isinf_v2 = question("isinf_v2", torch.isinf, "Which elements are infinite.")
isnan_v2 = question("isnan_v2", torch.isnan, "Which elements are NaN.")
isfinite = question_to_all("isfinite", lambda x: torch.isfinite(x).all(), "Whether all elements are finite.")
isinf = question_to_all("isinf", lambda x: torch.isinf(x).any(), "Whether any element is infinite.")
isnan = question_to_all("isnan", lambda x: torch.isnan(x).any(), "Whether any element is NaN.")


@op(inputs=("X",), lod=None)
def is_empty(x: Tensor, *, _rank1: bool = False) -> Tensor:
    """Whether the tensor has no elements."""
    return torch.full((1,) if _rank1 else (), x.numel() == 0, device=x.device)


@op(inputs=("X", "Y"), lod=None)
def equal_all(x: Tensor, y: Tensor) -> Tensor:
    """Whether shapes and all elements are equal."""
    same = (x == y).all() if x.shape == y.shape else False
    return same if isinstance(same, Tensor) else torch.full((), same, device=x.device)


@op(inputs=("X", "Y"))
def equal_reduce(x: Tensor, y: Tensor, *, axis: int = -1) -> Tensor:
    """Whether shapes and all elements are equal, in shape (1,) (1.x)."""
    return equal_all.fn(x, y).reshape(1)


def _tolerance(given: str | float, tensor: Tensor | None) -> float:
    """The attribute, or the tensor's number in its place; any number where only shapes are inferred."""
    if tensor is None or tensor.is_meta:
        return float(given)
    return float(tensor.item())


def _close(
    x: Tensor, y: Tensor, rtol: Tensor | None, atol: Tensor | None, attrs: tuple[str | float, str | float, bool]
) -> Tensor:
    relative, absolute = _tolerance(attrs[0], rtol), _tolerance(attrs[1], atol)
    if x.dtype.is_complex:
        apart, wide = torch.sub(x, y).abs().double(), y.abs().double()
    else:
        wide = y.double()
        apart = torch.sub(x.double(), wide).abs_()
    near = torch.le(apart, torch.mul(wide, beside(relative, wide)).abs_().add_(beside(absolute, wide)))
    if min(relative, absolute) < 0 or not _holds_numbers(apart):  # equal infinities are NaN apart
        near.logical_or_(torch.eq(x, y))
        if attrs[2]:
            near.logical_or_(torch.isnan(x) & torch.isnan(y))
    return near


@op(inputs=("Input", "Other", "Rtol?@2", "Atol?@2"), lod=None)
def isclose(
    x: Tensor,
    y: Tensor,
    rtol_tensor: Tensor | None = None,
    atol_tensor: Tensor | None = None,
    *,
    rtol: str | float = "1e-5",
    atol: str | float = "1e-8",
    equal_nan: bool = False,
) -> Tensor:
    """Which elements differ by no more than atol + rtol * |y|."""
    return _close(x, y, rtol_tensor, atol_tensor, (rtol, atol, equal_nan))


def _infer_allclose(x: Meta, y: Meta, *others: Meta | None, _rank1: bool = False, **attrs: Any) -> Meta:
    if 0 not in (*x.shape, *y.shape):  # nothing differs in no elements
        check_same_shape("y", [x, y])
    return Meta((1,) if _rank1 else (), torch.bool)


@op(inputs=("Input", "Other", "Rtol?@2", "Atol?@2"), lod=None, infer=_infer_allclose)
def allclose(
    x: Tensor,
    y: Tensor,
    rtol_tensor: Tensor | None = None,
    atol_tensor: Tensor | None = None,
    *,
    rtol: str | float = "1e-5",
    atol: str | float = "1e-8",
    equal_nan: bool = False,
    _rank1: bool = False,
) -> Tensor:
    """Whether all elements differ by no more than atol + rtol * |y|."""
    if not x.numel() or not y.numel():  # nothing differs
        out = torch.ones((), dtype=torch.bool, device=x.device)
    elif x.shape != y.shape:
        raise invalid_argument("y", f"the shape of x, {list(x.shape)}", list(y.shape), "allclose")
    else:
        out = _close(x, y, rtol_tensor, atol_tensor, (rtol, atol, equal_nan)).all()
    return out.reshape(1) if _rank1 else out

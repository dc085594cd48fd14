"""One operand, element by element; running sums and products; sums of several tensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.constants import ZERO, beside
from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, Op, op
from paddle_compat.core.operator import Operator
from paddle_compat.core.paddle3 import SINCE_3_2
from paddle_compat.ops import _fused_updates
from paddle_compat.ops._broadcast import broadcast_shapes
from paddle_compat.ops._checks import check_index_axis, check_same_shape
from paddle_compat.ops._grad_makers import Maker, Names, by_op, copies, device_of, scales
from paddle_compat.ops._kept import apart
from paddle_compat.ops._rounding import half_away, toward_zero
from paddle_compat.ops._running import running_sum
from paddle_compat.ops._select import holds_nan

Tensor = torch.Tensor
Unary = Callable[[Tensor], Tensor]


def like_first(x: Meta, *others: Any, **attrs: Any) -> Any:
    """The first input's shape and type, if it has a floating type; what others become, a trial run shows."""
    return Meta(x.shape, x.dtype, kind=x.kind) if x.dtype.is_floating_point and x.kind == "tensor" else NotImplemented


def unary(
    name: str,
    compute: Unary,
    doc: str,
    grad: Sequence[str] | Maker | None = ("X",),
    slots: tuple[str, str] = ("X", "Out"),
    lod: str | None = "share",
    infer: Callable[..., Any] | None = like_first,
) -> Op:
    """Register an operator of one tensor without attributes."""

    def fn(x: Tensor) -> Tensor:
        return compute(x)

    fn.__doc__ = doc
    setattr(fn, "compute", compute)  # noqa: B010 - what public functions may call at once, see `core.direct`
    if callable(grad):
        return op(name=name, inputs=slots[:1], outputs=slots[1:], grad_maker=grad, infer=infer)(fn)
    return op(name=name, inputs=slots[:1], outputs=slots[1:], grad=grad, lod=lod, infer=infer)(fn)


def _digamma(x: Tensor) -> Tensor:
    out = torch.digamma(x)
    return out if SINCE_3_2 else out.masked_fill(x == 0, math.nan)  # a pole as the others are; torch and Paddle 3.2 give an infinity


def _sign(x: Tensor) -> Tensor:
    return torch.sgn(x) if x.is_complex() else torch.sign(x)  # sgn's gradient by real numbers is a tensor that nothing can be added to


def _as_complex(x: Tensor) -> Tensor:
    return torch.view_as_complex(x.contiguous()) if x.numel() else torch.complex(x[..., 0], x[..., 1])  # whose strides torch refuses


class _InverseError(torch.autograd.Function):
    """Beyond 1 the inverse of the error function is infinite in Paddle, like its gradient; torch has NaN for both."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        out = torch.erfinv(x.clamp(-1, 1))
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (out,) = ctx.saved_tensors
        return grad * torch.exp(out * out) * (math.sqrt(math.pi) / 2)


def _erfinv(x: Tensor) -> Tensor:
    return _InverseError.apply(x) if x.requires_grad else torch.erfinv(x.clamp(-1, 1))


def magnitude(x: Tensor) -> Tensor:
    """The absolute value. Its gradient at 0 is 0 whatever comes in, also an infinite one, of which torch makes NaN."""
    if not x.requires_grad:
        return torch.abs(x)
    return torch.abs(torch.where(x == 0, 0.0, x) if x.is_complex() else F.hardshrink(x, 0.0))


abs = unary("abs", magnitude, "The absolute value.")
acos = unary("acos", torch.acos, "The inverse cosine.")
acosh = unary("acosh", torch.acosh, "The inverse hyperbolic cosine.")
asin = unary("asin", torch.asin, "The inverse sine.")
asinh = unary("asinh", torch.asinh, "The inverse hyperbolic sine.")
atan = unary("atan", torch.atan, "The inverse tangent.")
atanh = unary("atanh", torch.atanh, "The inverse hyperbolic tangent.")
cos = unary("cos", torch.cos, "The cosine.")
cosh = unary("cosh", torch.cosh, "The hyperbolic cosine.")
sin = unary("sin", torch.sin, "The sine.")
sinh = unary("sinh", torch.sinh, "The hyperbolic sine.")
tan = unary("tan", lambda x: apart(torch.tan(x)), "The tangent.")
exp = unary("exp", torch.exp, "e to the power x.", ("Out",))
expm1 = unary("expm1", torch.expm1, "e to the power x, less 1.", ("Out",))
log = unary("log", torch.log, "The natural logarithm.")
log1p = unary("log1p", torch.log1p, "The natural logarithm of 1 + x.")
log2 = unary("log2", torch.log2, "The logarithm to base 2.")
log10 = unary("log10", torch.log10, "The logarithm to base 10.")
sqrt = unary("sqrt", torch.sqrt, "The square root.", ("Out",))
rsqrt = unary("rsqrt", torch.rsqrt, "1 over the square root.", ("Out",))
square = unary("square", torch.square, "x * x.")
reciprocal = unary("reciprocal", torch.reciprocal, "1 / x.", ("Out",))
ceil = unary("ceil", torch.ceil, "The next whole number up.", ())
floor = unary("floor", torch.floor, "The next whole number down.", ())
round = unary("round", half_away, "The nearest whole number, halves away from zero.", ())
trunc = unary("trunc", toward_zero, "The next whole number towards zero.", ())
sign = unary("sign", _sign, "-1, 0 or 1; for complex numbers the direction.", scales({"X": 0.0}))
digamma = unary("digamma", _digamma, "The derivative of the logarithm of the gamma function.")
lgamma = unary("lgamma", torch.lgamma, "The logarithm of the gamma function's absolute value.")
erf = unary("erf", torch.erf, "The error function.")
erfinv = unary("erfinv", _erfinv, "The inverse of the error function.", ("Out",))
i0 = unary("i0", torch.special.i0, "The modified Bessel function of order 0.", ("x",), ("x", "out"))
i0e = unary("i0e", torch.special.i0e, "`i0`, scaled by exp(-|x|).", ("x", "out"), ("x", "out"))
i1 = unary("i1", torch.special.i1, "The modified Bessel function of order 1.", ("x", "out"), ("x", "out"))
i1e = unary("i1e", torch.special.i1e, "`i1`, scaled by exp(-|x|).", ("x", "out"), ("x", "out"))
angle = unary("angle", torch.angle, "The angle of a complex number.", lod=None)
conj = unary("conj", lambda x: torch.conj_physical(x) if x.is_complex() else x.clone(), "The complex conjugate.", by_op("conj"))
real = unary("real", torch.real, "The real part.", (), lod=None)
imag = unary("imag", torch.imag, "The imaginary part.", (), lod=None)
as_complex = unary(
    "as_complex",
    _as_complex,
    "Pairs of numbers in the last dimension as complex numbers.",
    by_op("as_real"),
    infer=None,
)
as_real = unary(
    "as_real",
    torch.view_as_real,
    "Complex numbers as pairs in a new last dimension.",
    by_op("as_complex"),
    infer=None,
)


def _infer_complex(x: Meta, y: Meta) -> Meta:
    if x.dtype is not y.dtype or not x.dtype.is_floating_point:
        return NotImplemented
    return Meta(broadcast_shapes(x.shape, y.shape), torch.promote_types(x.dtype, torch.complex32))


@op(inputs=("X", "Y"), grad=("X", "Y"), infer=_infer_complex, lod=None)
def complex(x: Tensor, y: Tensor) -> Tensor:
    """x + iy."""
    return torch.complex(*torch.broadcast_tensors(x, y))


@op(inputs=("x",), outputs=("out",), grad=("x",))
def polygamma(x: Tensor, *, n: int) -> Tensor:
    """The n-th derivative of digamma."""
    return torch.polygamma(n, x)


@op(inputs=("X",), grad=("X",))
def logit(x: Tensor, *, eps: float = 1e-6) -> Tensor:
    """log(x / (1 - x)), x kept eps away from 0 and 1; without eps NaN beyond them."""
    out = torch.logit(x, eps)
    return out if eps else out.masked_fill((x < 0) | (x > 1), torch.nan)  # where the gradient is 0


@op(inputs=("X",), grad=("X",))
def stanh(x: Tensor, *, scale_a: float = 0.67, scale_b: float = 1.7159) -> Tensor:
    """scale_b * tanh(scale_a * x)."""
    return scale_b * torch.tanh(scale_a * x)


def _infer_same(x: Meta, *others: Meta | None, **attrs: object) -> Meta:
    return Meta(x.shape, x.dtype, kind=x.kind)


@op(inputs=("X", "FactorTensor?"), grad=("X", "FactorTensor"), no_grad=("FactorTensor",), infer=_infer_same)
def pow(x: Tensor, factor_tensor: Tensor | None = None, *, factor: float = 1.0) -> Tensor:
    """x to the power `factor`."""
    if factor_tensor is not None:
        return torch.pow(x, factor_tensor.detach().to(x.dtype))
    return torch.pow(x, factor if x.dtype.is_floating_point or x.dtype.is_complex else int(factor))


def _scaled_back(op: Any) -> dict[str, Any]:
    return {"scale": op.attrs.get("scale", 1.0), "bias": 0.0, "bias_after_scale": True}


FULL = {torch.float32, torch.float64}
LOWEST = -3e38


def multiplied(x: Tensor, factor: float) -> Tensor:
    """x times a number; 0 times a negative one is 0, as Paddle's kernel adds its bias of 0 to it, and not -0."""
    if LOWEST < factor <= 0 and x.dtype in FULL and x.layout is torch.strided:
        # a kept zero, where nothing is traced: for a number torch would make a tensor in each call
        minus = -factor or -0.0  # by which the gradient of 0 * x is 0, too, and not -0
        return torch.sub(ZERO[x.dtype], x, alpha=minus) if type(x) is torch.Tensor else torch.rsub(x, 0.0, alpha=minus)
    return x * beside(factor, x)


@op(
    inputs=("X", "ScaleTensor?"),
    grad_maker=by_op("scale", _scaled_back, keeps=("ScaleTensor",)),
    no_grad=("ScaleTensor",),
    infer=_infer_same,
    fused=_fused_updates.scale,
)
def scale(
    x: Tensor,
    scale_tensor: Tensor | None = None,
    *,
    scale: float = 1.0,
    bias: float = 0.0,
    bias_after_scale: bool = True,
) -> Tensor:
    """scale * x + bias, or scale * (x + bias); the numbers are first cut to x's type."""
    factor: float | Tensor = scale if scale_tensor is None else scale_tensor.detach().to(x.dtype)
    if not (x.dtype.is_floating_point or x.dtype.is_complex):
        cut = bool if x.dtype is torch.bool else int
        bias = cut(bias)
        factor = factor if isinstance(factor, Tensor) else cut(factor)
    elif scale_tensor is None:
        if bias == 0 and isinstance(scale, (int, float)):
            return multiplied(x, scale)
        factor = beside(scale, x)
    if bias == 0:
        out = x * factor
    else:
        more = beside(bias, x)
        out = x * factor + more if bias_after_scale else (x + more) * factor
    return out.bool() if x.dtype is torch.bool else out


def _decrement(op: Operator, grad_outs: Names, grad_ins: Names) -> list[tuple[Any, ...]]:
    """Backward, a counter is set back."""
    attrs = {"step": -op.attrs.get("step", 1.0), **device_of(op)}
    return [("increment", {"X": op.outputs["Out"]}, {"Out": op.inputs["X"]}, attrs)]


def _infer_increment(x: Meta, **attrs: object) -> Meta:
    if any(size not in (-1, 1) for size in x.shape):
        raise invalid_argument("x", "one element", f"shape {list(x.shape)}")
    return _infer_same(x)


@op(inputs=("X",), grad_maker=_decrement, infer=_infer_increment)
def increment(x: Tensor, *, step: float = 1.0) -> Tensor:
    """x + step, in x's type."""
    if x.numel() > 1:
        raise invalid_argument("x", "one element", f"shape {list(x.shape)}")
    return x + (step if x.dtype.is_floating_point else int(step))


def _cast_back(op: Any) -> dict[str, Any]:
    return {"in_dtype": op.attrs.get("out_dtype"), "out_dtype": op.attrs.get("in_dtype")}


_BOUNDED = (torch.float8_e4m3fn, torch.float8_e5m2)


@op(inputs=("X",), grad_maker=by_op("cast", _cast_back))
def cast(x: Tensor, *, out_dtype: int, in_dtype: int = -1) -> Tensor:
    """x in another data type; numbers of 8 bits end at the largest, where torch goes on to infinity or to what is no number."""
    kind = torch_dtype(out_dtype)
    out = x.to(kind)
    if kind in _BOUNDED and x.dtype is not kind:
        limit = torch.finfo(kind).max
        out.detach().copy_(x.detach().float().clamp(-limit, limit))  # gradients go through, as those of any cast
    return out


def _infer_sum(x: Sequence[Meta], **attrs: object) -> Meta:
    if all(m.kind == "tensor" for m in x):
        check_same_shape("inputs", [m for m in x if m.shape] or list(x))
    shape = next((m.shape for m in x if m.shape), ())  # as in Paddle, whatever the others know of sizes that it leaves open
    return Meta(tuple(shape), x[0].dtype, kind="rows" if all(m.kind == "rows" for m in x) else "tensor")


def _sum_of_elements(elements: list[Any]) -> Any:
    """The sum of what arrays have at one place: tensors, or such beside their LoD."""
    if isinstance(elements[0], tuple):
        return add_n.fn([tensor for tensor, _ in elements]), elements[0][1]
    return add_n.fn(elements)


@op(name="sum", inputs=("X*",), grad_maker=scales({"X": 1.0}), infer=_infer_sum)
def add_n(x: Sequence[Tensor]) -> Tensor:
    """The sum of tensors, of sparse gradients, or of tensor arrays (by position)."""
    if isinstance(x[0], list):
        places = ([a[n] for a in x if n < len(a) and a[n] is not None] for n in range(max(map(len, x))))
        return [_sum_of_elements(elements) if elements else None for elements in places]
    if x[0].is_sparse:
        x = sorted(x, key=lambda tensor: tensor.is_sparse)  # torch adds sparse to dense, not dense to sparse
    total = x[0] + x[1] if len(x) > 1 else x[0].clone()
    for other in x[2:]:
        total = total + other
    return total


def added(x: Sequence[Tensor]) -> Tensor:
    """`add_n` of dense tensors of one shape; ValueError where the shapes differ."""
    if any(each.shape != x[0].shape for each in x):
        raise ValueError("different shapes")
    total: Tensor = add_n.fn(x)
    return total


def _accumulate(
    compute: Callable[..., Tensor], start: float, x: Tensor, axis: int, flatten: bool, exclusive: bool, reverse: bool
) -> Tensor:
    """A running total; `exclusive` leaves each element out of its own, `reverse` runs from the end."""
    if flatten:
        x, axis = x.flatten(), 0
    if reverse:
        x = x.flip(axis)
    out = compute(x, axis)
    if exclusive:
        first = torch.full_like(out.narrow(axis, 0, 1), start)
        out = torch.cat([first, out.narrow(axis, 0, out.shape[axis] - 1)], axis)
    return out.flip(axis) if reverse else out


def _summed_back(op: Any) -> dict[str, Any]:
    kept = copies("axis", "flatten", "exclusive")(op)
    return {**kept, "reverse": not op.attrs.get("reverse", False)}


_cumsum_of_1x = by_op("cumsum", _summed_back)


def _cumsum_grad(op: Any, grad_outs: Any, grad_ins: Any) -> Any:
    return _cumsum_of_1x(op, grad_outs, grad_ins) if op.block.program.age == 1 else None


def _infer_cumsum(x: Meta, *, axis: int = -1, flatten: bool = False, **attrs: Any) -> Meta:
    if flatten:
        return Meta((-1 if -1 in x.shape else math.prod(x.shape),), x.dtype)
    check_index_axis(axis, x)
    return Meta(x.shape, x.dtype)


@op(inputs=("X",), grad={1: (), 2: ("X",)}, grad_maker=_cumsum_grad, infer=_infer_cumsum)
def cumsum(
    x: Tensor, *, axis: int = -1, flatten: bool = False, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """The running sum along a dimension."""
    if not (flatten or exclusive or reverse):
        return running_sum(x, axis)
    return _accumulate(running_sum, 0, x, axis, flatten, exclusive, reverse)


@op(inputs=("X",), grad=("X", "Out"))
def logcumsumexp(
    x: Tensor, *, axis: int = -1, flatten: bool = False, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """The logarithm of the running sum of exponentials."""
    lowest = torch.finfo(x.dtype).min
    return _accumulate(torch.logcumsumexp, lowest, x, axis, flatten, exclusive, reverse)


@op(inputs=("X",), grad=("X", "Out"))
def cumprod(x: Tensor, *, dim: int) -> Tensor:
    """The running product along a dimension."""
    return torch.cumprod(x, dim, dtype=x.dtype)


@op(inputs=("x",), outputs=("out", "indices"), grad=("x", "indices"))
def cummax(x: Tensor, *, axis: int = -1, dtype: int = 3) -> tuple[Tensor, Tensor]:
    """The running maximum, and where it stands."""
    values, indices = torch.cummax(x, axis)
    return values, indices.to(torch_dtype(dtype))


@op(inputs=("x",), outputs=("out", "indices"), grad=("x", "indices"))
def cummin(x: Tensor, *, axis: int = -1, dtype: int = 3) -> tuple[Tensor, Tensor]:
    """The running minimum, and where it stands."""
    values, indices = torch.cummin(x, axis)
    return values, indices.to(torch_dtype(dtype))


def bounded(x: Tensor, low: float, high: float) -> Tensor:
    """x between two bounds. The gradient vanishes at the bounds themselves, where torch.clamp lets it pass, and at NaN."""
    if not x.requires_grad:
        return x.clamp(low, high)
    if x.is_cpu and not holds_nan(x):
        return torch._C._nn.hardtanh(x, low, high)
    return torch.where((x > low) & (x < high), x, x.detach().clamp(low, high))


def _clamped(x: Tensor, low: float, high: float) -> Tensor:
    """x between two bounds, at which the gradient passes."""
    return x.clamp(low, high)


between = _clamped if SINCE_3_2 else bounded  # how `clip` does it


def _bound(value: float, kind: torch.dtype) -> float:
    """A bound as values of a data type are compared with it: integers with the whole number that they reach."""
    if kind.is_floating_point:
        most = torch.finfo(kind).max  # of bfloat16's numbers, a little less than the default bounds
        return float(value) if math.isinf(value) else max(-most, min(value, most))
    limits = torch.iinfo(kind)
    return limits.min if value <= limits.min else limits.max if value >= limits.max else int(value)


@op(inputs=("X", "Min?", "Max?"), grad=("X", "Min", "Max"), no_grad=("Min", "Max"), infer=_infer_same)
def clip(
    x: Tensor,
    low: Tensor | None = None,
    high: Tensor | None = None,
    *,
    min: float = -3.4028235e38,
    max: float = 3.4028235e38,
) -> Tensor:
    """x between `min` and `max`; of a sparse gradient, the sums of its repeated rows."""
    least, most = (_bound(value, x.dtype) for value in (min if low is None else low.item(), max if high is None else high.item()))
    if least > most:
        raise invalid_argument("min", f"at most max = {most}", least)
    if x.is_sparse:
        x = x.coalesce()
        values = between(x.values(), least, most)
        return torch.sparse_coo_tensor(x.indices(), values, x.shape, is_coalesced=True, check_invariants=False)
    return between(x, least, most)


def _infer_shortened(x: Meta, *, max_norm: float) -> Meta:
    if max_norm <= 0:
        raise invalid_argument("max_norm", "a number above 0", max_norm)
    return Meta(x.shape, x.dtype, kind=x.kind)


@op(inputs=("X",), grad={2: ("X",)}, infer=_infer_shortened)
def clip_by_norm(x: Tensor, *, max_norm: float) -> Tensor:
    """x, shortened to the length `max_norm` where it is longer. Takes sparse gradients."""
    if x.is_sparse:
        x = x.coalesce()
    return shortened(x, torch.linalg.vector_norm(x.values() if x.is_sparse else x), max_norm)


def shortened(x: Tensor, norm: Tensor, most: float) -> Tensor:
    """A tensor of this norm, of at most so much."""
    return x * torch.where(norm > most, most / norm, torch.ones_like(norm))


@op(inputs=("X",), grad=("X",))
def renorm(x: Tensor, *, p: float, axis: int, max_norm: float) -> Tensor:
    """Each slice of x along `axis`, shortened to the p-norm `max_norm` where it is longer; any p, of which 0 makes every norm infinite."""
    others = [d for d in range(x.dim()) if d != axis % x.dim()]

    def norms(of: Tensor) -> Tensor:
        powers = of.abs() ** p
        return (powers.sum(others, keepdim=True) if others else powers) ** (1 / p if p else math.inf)

    length = norms(x.detach())
    longer = length > max_norm
    if x.requires_grad and p:  # other slices' norms have no part in the gradient, nor has one that does not depend on x
        length = norms(torch.where(longer, x, 1.0))
    return x * torch.where(longer, max_norm / (length + 1e-7), 1.0)


@op(inputs=("X",), grad=("X",), lod=None)
def identity_loss(x: Tensor, *, reduction: int = 1) -> Tensor:
    """x itself (reduction 2), its mean (1) or its sum (0)."""
    return x.clone() if reduction == 2 else x.mean() if reduction == 1 else x.sum()

"""`+`, `<`, `**` and the like on Variables: which operators they record, by the age of the Program.

1.8 and 2.x agree on most: a number with `+`, `-`, `*`, `/` becomes one scale, elsewhere a constant of the Variable's data
type; of two Variables of different types the second is cast. They differ in the shape of the constants ([1] or []), in the
`axis` written, in the promotion of floats (sums and products of 2.x take the wider) and of integers that meet a float or are
divided.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

from paddle_compat.core import capture, unique_name
from paddle_compat.core.dtype import NAME_OF, VarType, convert_dtype, torch_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.variable import Variable
from paddle_compat.ops._broadcast import unmet
from paddle_compat.tensor._calls import meeting

_INTS = frozenset({VarType.BOOL, VarType.UINT8, VarType.INT8, VarType.INT16, VarType.INT32, VarType.INT64})
_FLOATS = (VarType.FP16, VarType.BF16, VarType.FP32, VarType.FP64)  # narrow to wide
_PROMOTING = frozenset({"elementwise_add", "elementwise_sub", "elementwise_mul"})  # of the rest, the left type decides
OF_NUMBERS = frozenset({"elementwise_pow", "elementwise_floordiv", "elementwise_mod"})  # truth values beside an int are int64


def _temporary(var: Variable, dtype: Any) -> Variable:
    block = var.block.program.current_block()
    return block._add_var(name=unique_name.generate("tmp"), dtype=dtype, shape=None, persistable=False, lod_level=0)


def _append(var: Variable, type: str, inputs: Any, out: Variable, attrs: dict[str, Any]) -> Variable:
    var.block.program.current_block().append_op(type=type, inputs=inputs, outputs={"Out": [out]}, attrs=attrs)
    return out


def scale(var: Variable, factor: float, bias: float) -> Variable:
    """factor * var + bias."""
    out = _temporary(var, var.dtype)
    return _append(var, "scale", {"X": [var]}, out, {"scale": float(factor), "bias": float(bias)})


def astype(self: Variable, dtype: Any) -> Variable:
    """A Variable of another data type.

    Args:
        dtype: the data type.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.static.data("x", [2]).astype("int64").dtype.name
        'INT64'
    """
    out = _temporary(self, dtype)
    attrs = {"in_dtype": int(self.dtype), "out_dtype": int(convert_dtype(dtype))}
    _append(self, "cast", {"X": [self]}, out, attrs)
    if self.block.program.age > 1:
        out.stop_gradient = self.stop_gradient
    return out


def _copied(var: Variable, place: int) -> Variable:
    out = _temporary(var, var.dtype)
    out = _append(var, "memcpy", {"X": [var]}, out, {"dst_place_type": place})
    out.persistable, out.stop_gradient = False, True
    return out


def cpu(self: Variable) -> Variable:
    """A copy on the CPU, which gradients do not flow through.

    Returns:
        Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> x.cpu().shape, x.block.ops[-1].type
        ((2,), 'memcpy')
    """
    return _copied(self, 0)


def cuda(self: Variable, device_id: int | None = None, blocking: bool = True) -> Variable:
    """A copy on the GPU, which gradients do not flow through.

    Args:
        device_id: of no effect, as in Paddle.
        blocking: of no effect, as in Paddle.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> x.cuda().shape, x.block.ops[-1].type
        ((2,), 'memcpy')
    """
    for name, given in (("device_id", device_id is not None), ("blocking", blocking is not True)):
        if given:
            warnings.warn(f"`{name}` has no effect on a Variable; it is ignored.", stacklevel=2)
    return _copied(self, 1)


def _constant(var: Variable, value: float, shape: list[int]) -> Variable:
    out = _temporary(var, var.dtype)
    attrs = {"shape": shape, "value": float(value), "dtype": int(var.dtype), "force_cpu": False, "str_value": ""}
    var.block.program.current_block().append_op(type="fill_constant", outputs={"Out": [out]}, attrs=attrs)
    out.stop_gradient = True
    return out


def _scalar(var: Variable, value: float) -> Variable:
    return _constant(var, value, [1] if var.block.program.age == 1 else [])


def _like(var: Variable, value: float) -> Variable:
    """A constant of the Variable's shape; an unknown first dimension is that of the run."""
    unknown = [i for i, d in enumerate(var.shape) if d < 0]
    if not unknown:
        return _constant(var, value, list(var.shape))
    shape = [1 if d < 0 and i != unknown[0] else d for i, d in enumerate(var.shape)]
    out = _temporary(var, var.dtype)
    attrs = {
        "shape": shape, "value": float(value), "dtype": int(var.dtype), "force_cpu": False, "str_value": "",
        "input_dim_idx": unknown[0], "output_dim_idx": unknown[0],
    }  # fmt: skip
    var.block.program.current_block().append_op(
        type="fill_constant_batch_size_like", inputs={"Input": [var]}, outputs={"Out": [out]}, attrs=attrs
    )
    out.stop_gradient = True
    return out


def _wider(a: VarType, b: VarType) -> VarType | None:
    """The wider of two floating types, None where one is none."""
    return max(a, b, key=_FLOATS.index) if a in _FLOATS and b in _FLOATS else None


def binary(
    symbol: str, type: str, reverse: bool = False, by_scale: Callable[[Variable, float], Variable] | None = None
) -> Callable[..., Any]:
    """The method that a Python operator calls on a Variable.

    Args:
        symbol: the operator as users write it.
        type: the operator recorded.
        reverse: the Variable stands on the right.
        by_scale: does it with one scale when the other operand is a number.
    """

    def method(self: Variable, other: Any) -> Any:
        if capture.current is None:
            return record(self, other)
        other = capture.as_variable(other)
        weak = self._weak and (other._weak if isinstance(other, Variable) else isinstance(other, (bool, int, float)))
        out = record(self, other)
        if weak:
            out._weak = True
        return out

    def record(self: Variable, other: Any) -> Any:
        age = self.block.program.age
        left = self
        if isinstance(other, (bool, int, float)):
            other = int(other) if isinstance(other, bool) else other
            if isinstance(other, float) and left.dtype in _INTS and age > 1:
                left = astype(left, VarType.FP32)
            elif left.dtype == VarType.BOOL and age > 1 and (SINCE_3 or type in OF_NUMBERS):
                left = astype(left, VarType.INT64)
            divides = type == "elementwise_div" and left.dtype in _INTS  # in 1.8 by the number's whole part
            if age == 1 and by_scale is not None and left.dtype in _INTS and not divides and int(other) != other:
                raise AssertionError(
                    f"Invalid operand for `{symbol}`. Expected a whole number beside an integer Variable. Received: {other}"
                )
            if divides:
                if age > 1:
                    left = astype(left, VarType.FP32)
                    return by_scale(left, other) if by_scale is not None else _combine(left, _like(left, other), type, reverse)
            elif by_scale is not None:
                return by_scale(left, other)
            if reverse:
                return _combine(left, _like(left, other), type, reverse)
            return _combine(left, _scalar(left, other), type, reverse)
        if isinstance(other, complex) and age > 1:  # as Paddle 3 takes it
            full = import_module("paddle_compat.tensor.creation").full
            kind = "complex64" if left.dtype == VarType.COMPLEX64 else "complex128"
            other, left = full([], other, kind), (left if left.dtype == convert_dtype(kind) else astype(left, kind))
        if not isinstance(other, Variable):
            if getattr(other, "ndim", None) is None or other.ndim == 0 or getattr(other, "size", 0) == 1:
                try:
                    number = float(other.item() if hasattr(other, "item") else other)
                except (TypeError, ValueError):
                    return NotImplemented
                other = _like(left, number) if reverse else _scalar(left, number)
            else:
                raise type_error("other", "a Variable or a number", other, f"Variable {symbol}")
        return _combine(left, other, type, reverse)

    method.__doc__ = f"``{symbol}`` on Variables; see the wheel's operator `{type}`."
    return method


def _combine(left: Variable, right: Variable, type: str, reverse: bool) -> Variable:
    age = left.block.program.age
    if left.dtype != right.dtype and left._weak != right._weak:
        weak, firm = (left, right) if left._weak else (right, left)
        if firm.dtype in _FLOATS or weak.dtype in _INTS and firm.dtype != VarType.BOOL:
            weak = astype(weak, firm.dtype)
            left, right = (weak, right) if left._weak else (left, weak)
    if SINCE_3 and age > 1 and left.dtype != right.dtype and type != "matmul_v2":
        kind = meeting(torch_dtype(left.dtype), torch_dtype(right.dtype), (not left.shape, not right.shape))
        if kind is None:
            raise unmet(torch_dtype(left.dtype), torch_dtype(right.dtype))
        left, right = (v if torch_dtype(v.dtype) is kind else astype(v, NAME_OF[kind]) for v in (left, right))
    if left.dtype != right.dtype:
        common = _wider(left.dtype, right.dtype) if age > 1 and type in _PROMOTING else None
        if common is not None:
            left = astype(left, common) if left.dtype != common else left
            right = astype(right, common) if right.dtype != common else right
        elif left.dtype != VarType.BOOL or type != "elementwise_add":  # which takes truth values, and refuses them beside numbers
            right = astype(right, left.dtype)
    if type == "elementwise_div" and age > 1 and left.dtype in _INTS:
        left, right = astype(left, VarType.FP32), astype(right, VarType.FP32)
    if reverse:
        left, right = right, left
    out = _temporary(left, VarType.BOOL if type in COMPARISONS else left.dtype)
    # 1.8 lines dimensions up from the left when the right operand has a batch dimension
    axis = 0 if age == 1 and right.shape and right.shape[0] == -1 else -1
    if type == "matmul_v2":
        return _append(left, type, {"X": [left], "Y": [right]}, out, {})
    return _append(left, type, {"X": [left], "Y": [right]}, out, {"axis": axis})


COMPARISONS = frozenset({"equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal"})


def _of_sparse(operator: str, what: str) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return import_module("paddle_compat.sparse._arguments").recorded(operator, self)

    method.__name__ = method.__qualname__ = operator.removeprefix("sparse_")
    method.__doc__ = f"""{what}

    Returns:
        Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> places, numbers = paddle.static.data("places", [2, 3], "int64"), paddle.static.data("numbers", [3])
        >>> x = paddle.sparse.sparse_coo_tensor(places, numbers, [3, 4])
        >>> x.{operator.removeprefix("sparse_")}().type == numbers.type
        True

    Follows Paddle 2.6.
    """
    return method


indices = _of_sparse("sparse_indices", "Of a sparse Variable: where the values are.")
to_dense = _of_sparse("sparse_to_dense", "Of a sparse Variable: all elements.")
values = _of_sparse("sparse_values", "Of a sparse Variable: the values that are there.")

METHODS: dict[str, Callable[..., Any]] = {
    "__add__": binary("+", "elementwise_add", by_scale=lambda v, n: scale(v, 1.0, n)),
    "__radd__": binary("+", "elementwise_add", by_scale=lambda v, n: scale(v, 1.0, n)),
    "__sub__": binary("-", "elementwise_sub", by_scale=lambda v, n: scale(v, 1.0, -n)),
    "__rsub__": binary("-", "elementwise_sub", True, by_scale=lambda v, n: scale(v, -1.0, n)),
    "__mul__": binary("*", "elementwise_mul", by_scale=lambda v, n: scale(v, n, 0.0)),
    "__rmul__": binary("*", "elementwise_mul", by_scale=lambda v, n: scale(v, n, 0.0)),
    "__truediv__": binary("/", "elementwise_div", by_scale=lambda v, n: scale(v, 1.0 / n, 0.0)),
    "__rtruediv__": binary("/", "elementwise_div", True),
    "__pow__": binary("**", "elementwise_pow"),
    "__rpow__": binary("**", "elementwise_pow", True),
    "__floordiv__": binary("//", "elementwise_floordiv"),
    "__rfloordiv__": binary("//", "elementwise_floordiv", True),
    "__mod__": binary("%", "elementwise_mod"),
    "__rmod__": binary("%", "elementwise_mod", True),
    "__matmul__": binary("@", "matmul_v2"),
    "__eq__": binary("==", "equal"),
    "__ne__": binary("!=", "not_equal"),
    "__lt__": binary("<", "less_than"),
    "__le__": binary("<=", "less_equal"),
    "__gt__": binary(">", "greater_than"),
    "__ge__": binary(">=", "greater_equal"),
    "__neg__": lambda self: scale(self, -1.0, 0.0),
    "astype": astype,
    "indices": indices,
    "to_dense": to_dense,
    "values": values,
    "cpu": cpu,
    "cuda": cuda,
}
if SINCE_3:
    METHODS["__pos__"] = lambda self: self
METHODS["__div__"], METHODS["__rdiv__"] = METHODS["__truediv__"], METHODS["__rtruediv__"]


def install() -> None:
    """Give Variables their operators."""
    from paddle_compat.tensor._variable_indexing import getitem

    for name, method in METHODS.items():
        setattr(Variable, name, method)
    # A class that defines __eq__ loses its hash; Variables are keys of many a script's dicts.
    Variable.__hash__ = object.__hash__  # type: ignore[method-assign]
    setattr(Variable, "__getitem__", getitem)  # noqa: B010 - mypy takes it for a generic class

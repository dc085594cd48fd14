"""Tensors from nothing: constants, ranges, identity, one-hot, and what is known of a tensor's shape."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from paddle_compat.core.dtype import cast_number, torch_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.open_sizes import as_size
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.place import run_device, runs_program
from paddle_compat.ops._checks import check_integers
from paddle_compat.ops.manipulation import MaybeTensors, whole

Tensor = torch.Tensor

_CPU = torch.device("cpu")


def _place(cpu: bool) -> torch.device:
    """Where a constant goes that may be wanted on the CPU, as sizes are, which are read there without a wait.

    In a Program, where nothing moves an operator's inputs, all lie in one place.
    """
    return _CPU if cpu and not runs_program() else run_device()


def _number(text: str, value: float) -> Any:
    """The constant: the text holds it where a float would lose digits."""
    if not text:
        return value
    try:
        return int(text)
    except ValueError:
        return complex(text) if text.endswith(("j)", "j")) else float(text)


def _filled(
    value_tensor: Meta | None = None, shape_tensor: Meta | None = None, shape_tensors: Sequence[Meta] | None = None, *,
    shape: Sequence[int], dtype: int, **attrs: Any,
) -> Meta:  # fmt: skip
    if shape_tensor is not None:
        unknown = (-1,) * (shape_tensor.shape[0] if shape_tensor.shape else 1)
        return Meta(tuple(shape) or unknown, torch_dtype(dtype))
    if shape_tensors:
        shape = list(shape) or [-1] * len(shape_tensors)
    elif any(size < 0 for size in shape):
        raise invalid_argument("shape", "sizes that are not negative", list(shape))
    return Meta(tuple(shape), torch_dtype(dtype))


@op(inputs=("ValueTensor?", "ShapeTensor?", "ShapeTensorList*?"), infer=_filled, lod=None)
def fill_constant(
    value_tensor: Tensor | None = None,
    shape_tensor: Tensor | None = None,
    shape_tensors: MaybeTensors = None,
    *,
    shape: Sequence[int] = (),
    dtype: int = 5,
    value: float = 0.0,
    str_value: str = "",
    force_cpu: bool = False,
    place_type: int = -1,
) -> Tensor:
    """A tensor with one value everywhere."""
    sizes = whole(shape_tensor, shape_tensors, shape)
    if value_tensor is not None:
        return value_tensor.to(torch_dtype(dtype)).reshape([1] * len(sizes)).expand(sizes).clone()
    return _full(sizes, _number(str_value, value), torch_dtype(dtype), _place(force_cpu or place_type == 0))


def _full(sizes: list[int], number: Any, dtype: torch.dtype, device: torch.device) -> Tensor:
    """A number everywhere, as its data type has it."""
    if not (dtype.is_floating_point or dtype.is_complex or dtype is torch.bool):
        number = cast_number(number, dtype)
    return torch.full(sizes, number, dtype=dtype, device=device)


def _filled_like_batch(
    x: Meta, *, shape: Sequence[int], input_dim_idx: int, output_dim_idx: int, dtype: int, **attrs: Any
) -> Meta:
    sizes = list(shape)
    sizes[output_dim_idx] = x.shape[input_dim_idx]
    return Meta(tuple(sizes), torch_dtype(dtype))


@op(inputs=("Input",), infer=_filled_like_batch, lod=None)
def fill_constant_batch_size_like(
    x: Tensor,
    *,
    shape: Sequence[int],
    dtype: int = 5,
    value: float = 0.0,
    str_value: str = "",
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    force_cpu: bool = False,
    x_lod: Any = None,
) -> Tensor:
    """A tensor with one value everywhere, one of whose dimensions is as long as one of x's (or as x has sequences)."""
    sizes = list(shape)
    sizes[output_dim_idx] = x_lod[-1].numel() - 1 if x_lod and input_dim_idx == 0 else x.shape[input_dim_idx]
    return _full(sizes, _number(str_value, value), torch_dtype(dtype), x.device)


def _infer_like(x: Meta, *, value: float = 0.0, dtype: int = -1) -> Meta:
    return Meta(x.shape, x.dtype if dtype < 0 else torch_dtype(dtype))


@op(inputs=("X",), infer=_infer_like)
def fill_any_like(x: Tensor, *, value: float = 0.0, dtype: int = -1) -> Tensor:
    """A tensor of the shape of x with one value everywhere."""
    target = x.dtype if dtype < 0 else torch_dtype(dtype)
    number = value if target.is_floating_point or target.is_complex or target is torch.bool else int(value)
    return torch.full_like(x, number, dtype=target, requires_grad=False)


@op(inputs=("X",), infer=lambda x: Meta(x.shape, x.dtype, kind=x.kind))
def fill_zeros_like(x: Tensor) -> Tensor:
    """Zeros of the shape and type of x; of a tensor array, an array of zeros."""
    return [torch.zeros_like(t) for t in x] if isinstance(x, list) else torch.zeros_like(x)


@op(inputs=("X",))
def fill_zeros_like2(x: Tensor, *, dtype: int = 5) -> Tensor:
    """Zeros of the shape of x, of another type."""
    return torch.zeros_like(x, dtype=torch_dtype(dtype))


@op(lod=None)
def fill(*, shape: Sequence[int], value: Sequence[float], dtype: int, force_cpu: bool = False) -> Tensor:
    """A tensor of listed values."""
    return torch.tensor(list(value)).to(_place(force_cpu), torch_dtype(dtype)).reshape(list(shape))


_VALUES = {0: "bool_values", 2: "int32_values", 3: "int64_values", 5: "fp32_values", 6: "fp64_values"}


@op(lod=None)
def assign_value(
    *,
    shape: Sequence[int],
    dtype: int,
    bool_values: Sequence[int] = (),
    fp32_values: Sequence[float] = (),
    int32_values: Sequence[int] = (),
    int64_values: Sequence[int] = (),
    fp64_values: Sequence[float] = (),
) -> Tensor:
    """A tensor of listed values; each data type has an attribute of its own."""
    lists = {0: bool_values, 2: int32_values, 3: int64_values, 5: fp32_values, 6: fp64_values}
    if int(dtype) not in lists:
        raise invalid_argument("dtype", f"one with an attribute out of {', '.join(_VALUES.values())}", dtype)
    return torch.tensor(list(lists[int(dtype)]), dtype=torch_dtype(dtype), device=run_device()).reshape(list(shape))


def _emptied(shape_tensor: Meta | None = None, shape_tensors: Sequence[Meta] | None = None, **attrs: Any) -> Meta:
    if shape_tensors and not SINCE_3:  # sizes that are numbers count for nothing
        attrs["shape"] = [-1] * len(shape_tensors)
    return _filled(None, shape_tensor, shape_tensors, **attrs)


@op(
    inputs=("ShapeTensor?", "ShapeTensorList*?"),
    infer=_emptied,
    lod=None,
)
def empty(
    shape_tensor: Tensor | None = None, shape_tensors: MaybeTensors = None, *, shape: Sequence[int] = (), dtype: int = 5
) -> Tensor:
    """A tensor whose values nobody promises; zeros, as a fresh page of memory holds."""
    return torch.zeros(whole(shape_tensor, shape_tensors, shape), dtype=torch_dtype(dtype), device=run_device())


def _ranged(start: Meta, end: Meta, step: Meta, *, _refuses: bool = False) -> Meta:
    return Meta((-1,), start.dtype)


@op(name="range", inputs=("Start", "End", "Step"), infer=_ranged, lod=None)
def range_(start: Tensor, end: Tensor, step: Tensor, *, _refuses: bool = False) -> Tensor:
    """Numbers from `start` up to `end` (left out), `step` apart; none where a step leads away, which 1.x refuses."""
    first, last, by = start.item(), end.item(), step.item()
    if by == 0:
        raise invalid_argument("step", "a number other than 0", by)
    if _refuses and (last - first) * by < 0:
        raise invalid_argument("step", f"one that leads from {first} to {last}", by)
    steps = (last - first) / by
    if start.dtype is torch.float32:  # in whose precision Paddle counts
        steps = np.float32(last - first) / np.float32(by)
    count = max(0, int(np.ceil(steps)))
    return torch.arange(count, dtype=start.dtype, device=run_device()) * by + first


def _spaced(start: Meta, stop: Meta, num: Meta, base: Meta | None = None, *, dtype: int = 5, _as_start: bool = False) -> Meta:
    return Meta((-1,), start.dtype if _as_start else torch_dtype(dtype))


@op(inputs=("Start", "Stop", "Num"), infer=_spaced, lod=None)
def linspace(start: Tensor, stop: Tensor, num: Tensor, *, dtype: int = 5, _as_start: bool = False) -> Tensor:
    """`num` numbers from `start` to `stop`, both included; in 1.x one at least, of the type of `start`."""
    count, target = as_size(num.item()), start.dtype if _as_start else torch_dtype(dtype)
    if count < int(_as_start):
        raise invalid_argument("num", f"at least {int(_as_start)}", count)
    if target.is_floating_point:
        device = run_device()
        first, last = start.to(device, target).reshape(1), stop.to(device, target).reshape(1)
        step = (last - first) / max(count - 1, 1)
        position = torch.arange(count, device=device, dtype=target)
        half = count // 2  # from both ends towards the middle, as Paddle rounds
        out = torch.cat((first + step * position[:half], last - step * (count - 1 - position[half:])))
        return first if count == 1 else out
    return torch.linspace(start.item(), stop.item(), count, dtype=torch.float64, device=run_device()).to(target)


@op(inputs=("Start", "Stop", "Num", "Base"), infer=_spaced, lod=None)
def logspace(start: Tensor, stop: Tensor, num: Tensor, base: Tensor, *, dtype: int = 5) -> Tensor:
    """`base` to the powers of `linspace`."""
    powers = linspace.fn(start.double(), stop.double(), num, dtype=6)
    return torch.pow(base.to(powers), powers).to(torch_dtype(dtype)).reshape(-1)


@op(lod=None)
def eye(*, num_rows: int, num_columns: int = -1, dtype: int = 5) -> Tensor:
    """Ones on the diagonal of a matrix of zeros."""
    return torch.eye(num_rows, num_rows if num_columns == -1 else num_columns, dtype=torch_dtype(dtype), device=run_device())


@op(outputs=("out",), lod=None)
def tril_indices(*, rows: int = 0, cols: int = 0, offset: int = 0, dtype: int = 3) -> Tensor:
    """Row and column numbers of the lower triangle of a matrix."""
    return torch.tril_indices(rows, cols, offset, dtype=torch_dtype(dtype), device=run_device())


@op(outputs=("out",), lod=None)
def triu_indices(*, row: int = 0, col: int = 0, offset: int = 0, dtype: int = 3) -> Tensor:
    """Row and column numbers of the upper triangle of a matrix."""
    return torch.triu_indices(row, col, offset, dtype=torch_dtype(dtype), device=run_device())


_FEW = 64


@functools.lru_cache(maxsize=_FEW)
def _rows(depth: int, kind: torch.dtype) -> Tensor:
    """All rows that there are, if they are few: to look them up is one call. Nobody may write to them."""
    return torch.eye(depth, dtype=kind, device="cpu")


def _hot(x: Tensor, depth: int, dtype: int, allow_out_of_range: bool) -> Tensor:
    if not allow_out_of_range and x.is_cpu and x.dtype in (torch.int32, torch.int64):
        try:  # which refuses what is out of range
            if 0 < depth <= _FEW and type(x) is Tensor:
                return torch.embedding(_rows(depth, torch_dtype(dtype)), x)
            return torch.zeros((*x.shape, depth), dtype=torch_dtype(dtype)).scatter_(-1, x.unsqueeze(-1).long(), 1)
        except (RuntimeError, IndexError):
            pass
    if not allow_out_of_range and not x.is_meta and x.numel():
        low, high = torch.aminmax(x)
        if low.item() < 0 or high.item() >= depth:
            raise invalid_argument("x", f"indices from 0 to {depth - 1}", x[(x < 0) | (x >= depth)].tolist())
    return (x.unsqueeze(-1) == torch.arange(depth, device=x.device)).to(torch_dtype(dtype))


def _column(x: Meta) -> Meta:
    """The indices without the last dimension, which has to be there."""
    if len(x.shape) < 2:
        raise invalid_argument("input", "two dimensions or more", f"shape {list(x.shape)}")
    return Meta(x.shape[:-1], x.dtype)


def _infer_hot(x: Meta, depth_tensor: Meta | None, depth: int, dtype: int) -> Meta:
    check_integers("input", x)
    return Meta((*x.shape, -1 if depth_tensor is not None else depth), torch_dtype(dtype))


@op(
    inputs=("X", "depth_tensor?"),
    infer=lambda x, tensor=None, *, depth, dtype, **attrs: _infer_hot(_column(x), tensor, depth, dtype),
)
def one_hot(
    x: Tensor, depth_tensor: Tensor | None = None, *, depth: int = -1, dtype: int = 5, allow_out_of_range: bool = False
) -> Tensor:
    """Rows with a one at the index; the indices come as a column."""
    return _hot(x.squeeze(-1), depth if depth_tensor is None else int(depth_tensor), dtype, allow_out_of_range)


@op(
    inputs=("X", "depth_tensor?"),
    infer=lambda x, tensor=None, *, depth, dtype, **attrs: _infer_hot(x, tensor, depth, dtype),
)
def one_hot_v2(
    x: Tensor, depth_tensor: Tensor | None = None, *, depth: int = -1, dtype: int = 5, allow_out_of_range: bool = False
) -> Tensor:
    """Rows with a one at the index, in a new last dimension."""
    return _hot(x, depth if depth_tensor is None else int(depth_tensor), dtype, allow_out_of_range)


def _infer_shape(x: Meta) -> Meta:
    return Meta((len(x.shape),), torch.int32)


@op(inputs=("Input",), infer=_infer_shape, lod=None)
def shape(x: Tensor) -> Tensor:
    """The dimensions of x as an int32 vector."""
    if x.is_cpu and type(x) is Tensor:
        return _dimensions(tuple(x.shape)).clone()
    return torch.tensor(list(x.shape), dtype=torch.int32, device=_place(cpu=True))


@functools.lru_cache(maxsize=_FEW)
def _dimensions(sizes: tuple[int, ...]) -> Tensor:
    """Sizes as a tensor, which takes longer to make than to copy. Nobody may write to it."""
    return torch.tensor(sizes, dtype=torch.int32)


@op(inputs=("Input",), infer=lambda x, *, _rank1=False: Meta((1,) if _rank1 else (), torch.int64), lod=None)
def size(x: Tensor, *, _rank1: bool = False) -> Tensor:
    """The number of elements of x."""
    return torch.full((1,) if _rank1 else (), x.numel(), dtype=torch.int64, device=_place(cpu=True))

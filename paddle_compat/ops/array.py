"""LoDTensorArrays, rank tables, and what moves the rows of LoD sequences between them.

A LoDTensorArray is a list of (tensor, LoD or None); None stands for an element that was never written. Operators
return a new list rather than change the one they got. A rank table is a tuple of (sequence number, length).
"""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core.errors import OutOfRangeError, invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.core.place import run_device
from paddle_compat.ops._grad_makers import by_op
from paddle_compat.ops._lod import join_lods, lengths, need_lod, offsets_of, pick_sequences, take

Tensor = torch.Tensor
Element = tuple[Tensor, LoD | None]
Array = list[Element | None]


class RankTable(tuple[tuple[int, int], ...]):
    """Sequences, longest first, as (number, length).

    Attributes:
        outer: the LoD levels above the one that was ranked.
    """

    outer: LoD

    def __new__(cls, items: Any = (), outer: LoD = ()) -> RankTable:
        made = super().__new__(cls, items)
        made.outer = outer
        return made

    def items(self) -> list[tuple[int, int]]:
        """The sequences, as Paddle's own table hands them out."""
        return list(self)


def _order(table: tuple[tuple[int, int], ...]) -> tuple[Tensor, Tensor]:
    """Sequence numbers and lengths, longest first."""
    numbers = torch.tensor([number for number, _ in table], dtype=torch.int64)
    return numbers, torch.tensor([length for _, length in table], dtype=torch.int64)


def _as_array(x: Meta, *_: Any, **__: Any) -> Meta:
    return Meta(x.shape, x.dtype, x.lod_level, "array")


def _as_tensor(x: Meta, *_: Any, **__: Any) -> Meta:
    return Meta(x.shape, x.dtype, x.lod_level)


def _one(dtype: torch.dtype) -> Any:
    return lambda *_, **__: Meta((1,), dtype, 0)


# ---- elements
def _write_grad(op_: Any, grad_outs: dict[str, list[str]], grad_ins: dict[str, list[str]]) -> list[Any]:
    inputs = {"X": grad_outs["Out"], "I": op_.input("I"), "X_W": op_.input("X")}
    return [("read_from_array", inputs, {"Out": grad_ins["X"]}, {})]


@op(inputs=("X", "I"), grad_maker=_write_grad, no_grad=("I",), lod=None, infer=_as_array, continues="Out")
def write_to_array(x: Tensor, i: Tensor, former: Array | None = None, *, x_lod: LoD | None = None) -> Array:
    """The array with `x` as element `i`; it grows if need be.

    Args:
        former: the array as it was. No input slot: Paddle's operator updates the array that it puts out.
    """
    index = int(i)
    array = list(former or ())
    array += [None] * (index + 1 - len(array))
    array[index] = (x, x_lod)
    return array


@op(
    inputs=("X", "I", "X_W?"),
    grad_maker=by_op("write_to_array", keeps=("I",)),
    no_grad=("I", "X_W"),
    lod=("Out",),
    infer=_as_tensor,
)
def read_from_array(x: Array, i: Tensor, x_w: Any = None) -> Element:
    """Element `i` of the array, with its LoD."""
    index = int(i)
    found = x[index] if 0 <= index < len(x) else None
    if found is None:
        raise OutOfRangeError(
            f"Invalid value for argument `i` of `array_read`. Expected an element that was written. Received: {index}"
        )
    return found


@op(inputs=("X",), lod=None, infer=_one(torch.int64))
def lod_array_length(x: Array) -> Tensor:
    """How many elements the array has, [1]."""
    return torch.tensor([len(x)], device=run_device())


def _joined_meta(x: Meta, *, axis: int = 0, use_stack: bool = False, **_: Any) -> tuple[Meta, Meta]:
    shape = list(x.shape)
    if use_stack:
        shape.insert(axis if axis >= 0 else axis + len(shape) + 1, -1)
    else:
        shape[axis] = -1
    return Meta(tuple(shape), x.dtype, 0), Meta((), torch.int32, 0)


@op(inputs=("X",), outputs=("Out", "OutIndex"), grad=("X",), lod=None, infer=_joined_meta)
def tensor_array_to_tensor(x: Array, *, axis: int = 0, use_stack: bool = False) -> tuple[Tensor, Tensor]:
    """All elements joined along an axis (stacked along a new one), and the size along it that each had."""
    tensors = [element[0] for element in x if element is not None]
    if not tensors:
        raise invalid_argument("input", "an array with at least one element", len(x), "tensor_array_to_tensor")
    # the new dimension of a stack may lie behind all that the elements have
    sizes = torch.tensor([t.shape[axis] if -t.dim() <= axis < t.dim() else 1 for t in tensors], dtype=torch.int32, device=tensors[0].device)
    return torch.stack(tensors, axis) if use_stack else torch.cat(tensors, axis), sizes


# ---- rank tables
@op(inputs=("X",), lod=None, infer=lambda x, **_: None)
def lod_rank_table(x: Tensor, *, level: int = 0, x_lod: LoD | None = None) -> RankTable:
    """The sequences of a LoD level, longest first; of equal ones the earlier."""
    lod = need_lod(x_lod, "X", "lod_rank_table")
    if level >= len(lod):
        raise invalid_argument("level", f"less than {len(lod)}, the number of LoD levels", level, "lod_rank_table")
    count = lengths(lod[level])
    order = torch.argsort(count, descending=True, stable=True)
    return RankTable(zip(order.tolist(), count[order].tolist()), lod[:level])


@op(inputs=("RankTable",), lod=None, infer=_one(torch.int64))
def max_sequence_len(rank_table: RankTable) -> Tensor:
    """The length of the longest sequence, [1]."""
    return torch.tensor([rank_table[0][1] if rank_table else 0], device=run_device())


def _steps_meta(x: Meta, table: Meta, **_: Any) -> Meta:
    return Meta(x.shape, x.dtype, max((x.lod_level or 0) - 1, 0), "array")


@op(
    inputs=("X", "RankTable"),
    grad_maker=by_op("array_to_lod_tensor", keeps=("RankTable",)),
    no_grad=("RankTable",),
    lod=None,
    infer=_steps_meta,
)
def lod_tensor_to_array(x: Tensor, rank_table: RankTable, *, x_lod: LoD | None = None) -> Array:
    """An array with one element for each time step: that step of every sequence that is long enough, longest first."""
    lod = need_lod(x_lod, "X", "lod_tensor_to_array")
    at = len(rank_table.outer)
    numbers, count = _order(rank_table)
    start, inner = lod[at][:-1][numbers], lod[at + 1 :]
    array: Array = []
    for step in range(int(count[0]) if count.numel() else 0):
        rows, below = pick_sequences(inner, start[count > step] + step)
        array.append((take(x, rows), below or None))
    return array


def _from_steps_meta(x: Meta, table: Meta, **_: Any) -> Meta:
    return Meta(x.shape, x.dtype, (x.lod_level or 0) + 1)


@op(
    inputs=("X", "RankTable"),
    grad_maker=by_op("lod_tensor_to_array", keeps=("RankTable",)),
    no_grad=("RankTable",),
    lod=("Out",),
    infer=_from_steps_meta,
)
def array_to_lod_tensor(x: Array, rank_table: RankTable) -> tuple[Tensor, LoD]:
    """The reverse of lod_tensor_to_array: the sequences in their former order."""
    elements = [element for element in x if element is not None]
    numbers, count = _order(rank_table)
    sizes = torch.tensor([int((count > step).sum()) for step in range(len(elements))])
    base = offsets_of(sizes)[:-1]
    rank = torch.argsort(numbers)
    # element of step s, place r: base[s] + r; the sequences one after the other
    places = [base[: int(count[r])] + r for r in rank.tolist()]
    rows, below = pick_sequences(join_lods([lod or () for _, lod in elements]), torch.cat(places))
    out = take(torch.cat([tensor for tensor, _ in elements]), rows)
    return out, (*rank_table.outer, offsets_of(count[rank]), *below)


def _shrunk_meta(x: Meta, *_: Any, **__: Any) -> Meta:
    return Meta((-1, *x.shape[1:]), x.dtype, x.lod_level)


@op(inputs=("X", "RankTable", "I"), grad=("X",), no_grad=("RankTable", "I"), lod=("Out",), infer=_shrunk_meta)
def shrink_rnn_memory(
    x: Tensor, rank_table: RankTable, i: Tensor, *, x_lod: LoD | None = None
) -> tuple[Tensor, LoD | None]:
    """The states of the sequences that have a step `i`; the longest sequences stand first."""
    step = int(i)
    alive = sum(length > step for _, length in rank_table)
    if not x_lod:
        return x[:alive], None
    rows, lod = pick_sequences(x_lod, torch.arange(alive))
    return x[: rows.numel()], lod


@op(
    inputs=("X", "RankTable"),
    grad_maker=by_op("reorder_lod_tensor_by_rank_grad", keeps=("RankTable",)),
    no_grad=("RankTable",),
    lod=("Out",),
    infer=_as_tensor,
)
def reorder_lod_tensor_by_rank(
    x: Tensor, rank_table: RankTable, *, x_lod: LoD | None = None
) -> tuple[Tensor, LoD | None]:
    """The sequences (rows, without LoD) of `x` in the order of a rank table."""
    rows, lod = pick_sequences(x_lod or (), _order(rank_table)[0])
    return take(x, rows), lod or None


@op(inputs=("X",), grad=("X", "Out"), infer=_as_tensor)
def rnn_memory_helper(x: Tensor, *, dtype: int = 5) -> Tensor:
    """The same value: marks where a state enters or leaves a step."""
    return x.view_as(x)


# ---- rows by a mask
def _split_grad(op_: Any, grad_outs: dict[str, list[str]], grad_ins: dict[str, list[str]]) -> list[Any]:
    inputs = {
        "InTrue": grad_outs["OutTrue"],
        "InFalse": grad_outs["OutFalse"],
        "Mask": op_.input("Mask"),
        "X": op_.input("X"),
    }
    return [("merge_lod_tensor", inputs, {"Out": grad_ins["X"]}, {"level": op_.attr("level")})]


def _merge_grad(op_: Any, grad_outs: dict[str, list[str]], grad_ins: dict[str, list[str]]) -> list[Any]:
    outputs = {"OutTrue": grad_ins["InTrue"], "OutFalse": grad_ins["InFalse"]}
    inputs = {"X": grad_outs["Out"], "Mask": op_.input("Mask")}
    return [("split_lod_tensor", inputs, outputs, {"level": op_.attr("level")})]


def _split_meta(x: Meta, mask: Meta, **_: Any) -> tuple[Meta, Meta]:
    out = Meta(x.shape, x.dtype, 0)  # as Paddle has it, though each side may have fewer rows
    return out, out


@op(
    inputs=("X", "Mask"),
    outputs=("OutTrue", "OutFalse"),
    grad_maker=_split_grad,
    no_grad=("Mask",),
    lod=("OutTrue", "OutFalse"),
    infer=_split_meta,
)
def split_lod_tensor(
    x: Tensor, mask: Tensor, *, level: int = 0, x_lod: LoD | None = None
) -> tuple[Tensor, Tensor, LoD | None, LoD | None]:
    """The sequences (rows, without LoD) for which the mask is true, and those for which it is false."""
    chosen = mask.reshape(-1).cpu()
    lod = (x_lod or ())[level:]
    sides = [pick_sequences(lod, side.nonzero().squeeze(1)) for side in (chosen, ~chosen)]
    (true_rows, true_lod), (false_rows, false_lod) = sides
    return take(x, true_rows), take(x, false_rows), true_lod or None, false_lod or None


def _merged_meta(x: Meta, mask: Meta, in_true: Meta, in_false: Meta, **_: Any) -> Meta:
    return Meta(in_true.shape, in_true.dtype, 0)


@op(
    inputs=("X", "Mask", "InTrue", "InFalse"),
    grad_maker=_merge_grad,
    no_grad=("X", "Mask"),
    lod=("Out",),
    infer=_merged_meta,
)
def merge_lod_tensor(
    x: Tensor,
    mask: Tensor,
    in_true: Tensor,
    in_false: Tensor,
    *,
    level: int = 0,
    x_lod: LoD | None = None,
    in_true_lod: LoD | None = None,
    in_false_lod: LoD | None = None,
) -> tuple[Tensor, LoD | None]:
    """The reverse of split_lod_tensor: the rows of both sides in the order of the mask."""
    chosen = mask.reshape(-1).cpu()
    truth = chosen.long()
    place = torch.where(chosen, torch.cumsum(truth, 0), truth.sum() + torch.cumsum(1 - truth, 0)) - 1
    rows, lod = pick_sequences(join_lods([in_true_lod or (), in_false_lod or ()]), place)
    return take(torch.cat([in_true, in_false]), rows), (*(x_lod or ())[:level], *lod) or None


# ---- one of several
@op(
    inputs=("X*", "Mask"),
    grad_maker=by_op("select_output", keeps=("Mask",)),
    no_grad=("Mask",),
    lod=("Out",),
    infer=lambda *_, **__: None,
)
def select_input(xs: list[Any], mask: Tensor, *, xs_lod: list[LoD | None] | None = None) -> tuple[Any, LoD | None]:
    """Input number `mask`; the others may be absent."""
    index = int(mask)
    if not 0 <= index < len(xs):
        raise invalid_argument("mask", f"a number below {len(xs)}", index, "select_input")
    return xs[index], xs_lod[index] if xs_lod else None


@op(
    inputs=("X", "Mask"),
    outputs=("Out*",),
    grad_maker=by_op("select_input", keeps=("Mask",)),
    no_grad=("Mask",),
    lod=None,
    infer=lambda *_, **__: None,
)
def select_output(x: Any, mask: Tensor, *, _branches: int = 2) -> list[Any]:
    """`x` as output number `mask`; the others are absent."""
    index = int(mask)
    return [x if i == index else None for i in range(_branches)]

"""`x[...]` on Variables: slice, strided_slice, gather_nd and unsqueeze2, as the wheels record them."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from paddle_compat.core import capture, flags, unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import OutOfRangeError, type_error
from paddle_compat.core.op import definition_of
from paddle_compat.core.program import device_guard
from paddle_compat.core.variable import Variable
from paddle_compat.ops._slices import BEFORE_FIRST

_OPEN = {1: 10000000, 2: 2147483647}  # what stands for an end that is not given


def getitem(self: Variable, item: Any) -> Any:
    """The part of a Variable that an index names; see the wheels' `slice`, `strided_slice` and `gather_nd`."""
    age = self.block.program.age
    if self.type == VarType.LOD_TENSOR_ARRAY and isinstance(item, (int, Variable)):
        return _of_array(self, item)
    items = [*map(capture.as_variable, item)] if isinstance(item, tuple) else [capture.as_variable(item)]
    if age == 1:
        for entry in items:
            if entry is None or entry is Ellipsis or isinstance(entry, (list, np.ndarray)):
                raise type_error("item", "ints, slices and Variables", entry, "Variable.__getitem__")
        items = [int(i) if isinstance(i, (bool, np.integer)) else i for i in items]
    else:
        items = expand_ellipsis(plain(items), self)
    plan = Plan(self, items)
    out = plan.sliced()
    if plan.new_axes:
        out = call("unsqueeze2", out, axes=plan.new_axes)
    return _advanced(out, plan) if plan.indices else out


def _of_array(array: Variable, index: Any) -> Variable:
    """One tensor of an array of tensors."""
    from paddle_compat.tensor.array import array_length, array_read
    from paddle_compat.tensor.creation import full

    if not isinstance(index, Variable):
        index = full([1], index, "int64") if index >= 0 else array_length(array) + index
    read: Variable = array_read(array, index)
    return read


def plain(items: list[Any]) -> list[Any]:
    """The entries of an index: ranges and tuples as lists, NumPy's integers as Python's."""
    return [list(i) if isinstance(i, (range, tuple)) else int(i) if isinstance(i, np.integer) else i for i in items]


def expand_ellipsis(items: list[Any], var: Variable) -> list[Any]:
    places = [i for i, entry in enumerate(items) if entry is Ellipsis]
    if not places:
        return items
    if len(places) > 1:
        raise OutOfRangeError("An index can have one ellipsis ('...'). Received: " + str(len(places)))
    used = sum(_width(entry) for entry in items if entry is not Ellipsis and entry is not None)
    return items[: places[0]] + [slice(None)] * (len(var.shape) - used) + items[places[0] + 1 :]


def _width(entry: Any) -> int:
    """How many dimensions an entry of an index consumes."""
    if isinstance(entry, Variable) and entry.dtype == VarType.BOOL:
        return len(entry.shape)
    if isinstance(entry, bool):
        return 0
    array = np.asarray(entry) if isinstance(entry, (list, np.ndarray)) else None
    return array.ndim if array is not None and array.dtype == bool else 1


class Plan:
    """An index taken apart: slices first, then new dimensions, then what needs gathering."""

    def __init__(self, var: Variable, items: list[Any]) -> None:
        self.var = var
        self.age = var.block.program.age
        # 1.8 slices where the variable is, 2.x where it is used
        self.block = var.block if self.age == 1 else var.block.program.current_block()
        self.axes: list[int] = []
        self.starts: list[Any] = []
        self.ends: list[Any] = []
        self.steps: list[Any] = []
        self.dropped: list[int] = []
        self.new_axes: list[int] = []
        self.indices: list[tuple[int, Any]] = []  # (dimension of the result so far, index Variable)
        consumed = sum(_width(entry) for entry in items if entry is not None)
        rank = 1 if var.type == VarType.LOD_TENSOR_ARRAY else len(var.shape)
        while consumed > rank and isinstance(items[-1], slice) and items[-1] == slice(None):  # which take nothing away
            items, consumed = items[:-1], consumed - 1
        if consumed > rank:
            raise OutOfRangeError(f"Too many indices. Expected at most {rank} for `{var.name}`. Received: {consumed}")
        axis = position = 0
        for entry in items:
            if entry is None:
                self.new_axes.append(position)
                position += 1
            elif isinstance(entry, slice):
                self._slice(axis, entry)
                axis, position = axis + 1, position + 1
            elif isinstance(entry, int) and not isinstance(entry, bool):
                self._pick(axis, entry)
                axis += 1
            elif isinstance(entry, Variable) and self.age == 1:
                self._pick_variable(axis, entry)
                axis += 1
            elif isinstance(entry, Variable) and not entry.shape and entry.dtype != VarType.BOOL:
                entry != -1  # noqa: B015 - Paddle asks, and throws the answer away
                self._pick_between(axis, entry, entry + 1)
                axis += 1
            elif isinstance(entry, (Variable, list, np.ndarray, bool)):
                self._check_index(axis, entry)
                self.indices.append((position, index_variable(entry) if isinstance(entry, (list, np.ndarray)) else entry))
                width = _width(entry)
                axis, position = axis + width, position + max(width, 1)
            else:
                expected = "ints, slices, None, Ellipsis, lists, arrays and Variables"
                if self.age == 1:
                    raise type_error("item", expected, entry, "Variable.__getitem__")
                raise OutOfRangeError(f"Invalid index for `{var.name}`. Expected {expected}. Received: {entry!r}")

    def _check_index(self, axis: int, entry: Any) -> None:
        """A mask must have the size of what it masks, and a list must hold ints."""
        kind = np.asarray(entry).dtype.kind if isinstance(entry, (list, np.ndarray)) else None
        if kind is not None and kind not in "biu" and np.size(entry):
            raise type_error("item", "lists and arrays of ints or bools", entry, "Variable.__getitem__")
        masks = kind == "b" or (isinstance(entry, Variable) and entry.dtype == VarType.BOOL)
        if not masks:
            return
        shape = entry.shape if isinstance(entry, Variable) else np.shape(entry)
        for size, masked in zip(shape, self.var.shape[axis:]):
            if size != masked and min(size, masked) >= 0:
                raise OutOfRangeError(f"Invalid mask for dimension {axis} of `{self.var.name}`. Expected size {masked}. Received: {size}")

    def _slice(self, axis: int, entry: slice) -> None:
        if entry.start is None and entry.stop is None and entry.step is None:
            return
        step = 1 if entry.step is None else entry.step
        backwards = isinstance(step, int) and step < 0
        first, last = (_OPEN[2], -1 if self.age == 1 else BEFORE_FIRST) if backwards else (0, _OPEN[self.age])
        self.axes.append(axis)
        self.starts.append(first if entry.start is None else entry.start)
        self.ends.append(last if entry.stop is None else entry.stop)
        self.steps.append(step)

    def _pick(self, axis: int, index: int) -> None:
        size = self.var.shape[axis]
        if size >= 0 and not -size <= index < size:
            raise OutOfRangeError(
                f"Index out of range. Expected {-size} to {size - 1} for dimension {axis} of `{self.var.name}`. Received: {index}"
            )
        self.axes.append(axis)
        self.starts.append(index)
        self.ends.append(index + 1 if index != -1 else _OPEN[self.age])
        self.steps.append(1)
        self.dropped.append(axis)

    def _pick_variable(self, axis: int, index: Variable) -> None:
        block = self.block
        one = block._add_var(dtype=VarType.INT32, stop_gradient=True)
        block.append_op(
            type="fill_constant",
            inputs={},
            outputs={"Out": [one]},
            attrs={"shape": [1], "dtype": int(VarType.INT32), "value": 1.0, "force_cpu": True},
        )
        end = block._add_var(dtype=index.dtype)
        block.append_op(type="elementwise_add", inputs={"X": [index], "Y": [one]}, outputs={"Out": [end]}, attrs={"axis": -1})
        self._pick_between(axis, index, end)

    def _pick_between(self, axis: int, index: Any, end: Any) -> None:
        self.axes.append(axis)
        self.starts.append(index)
        self.ends.append(end)
        self.steps.append(1)
        self.dropped.append(axis)

    def sliced(self) -> Variable:
        """What slicing leaves, with one slice or strided_slice; the Variable itself when there is nothing to slice."""
        if not self.axes:
            return self.var
        var, block = self.var, self.block
        strided = any(not isinstance(s, int) or s != 1 for s in self.steps)
        if self.age == 1 and strided and self.steps == [-1] and (self.starts, self.ends) == ([_OPEN[2]], [-1]):
            out = block._add_var(name=unique_name.generate(var.name + "_slice_reverse"), dtype=var.dtype)
            block.append_op(type="reverse", inputs={"X": [var]}, outputs={"Out": [out]}, attrs={"axis": list(self.axes)})
            return out
        inputs: dict[str, Any] = {"Input": [var]}
        attrs: dict[str, Any] = {"axes": self.axes}
        known = True
        for slot, values in (("Starts", self.starts), ("Ends", self.ends)) + ((("Strides", self.steps),) if strided else ()):
            attrs[slot.lower()] = [-1 if isinstance(v, Variable) else int(v) for v in values]
            if any(isinstance(v, Variable) for v in values):
                inputs[slot + "TensorList"] = as_variables(block, values, VarType.INT64)
                known = False
        attrs["infer_flags"] = [1 if known or not _varies(s, e) else -1 for s, e in zip(self.starts, self.ends)]
        keeps = self.age == 2 and len(self.dropped) == len(var.shape) and flags.get("FLAGS_set_to_1d")
        attrs["decrease_axis"] = self.dropped[: -1 if keeps else None]
        kind = "strided_slice" if strided else "slice"
        out = block._add_var(name=unique_name.generate_with_ignorable_key(f"{var.name}_{kind}"), dtype=var.dtype)
        block.append_op(type=kind, inputs=inputs, outputs={"Out": [out]}, attrs=attrs)
        return out


def _varies(start: Any, end: Any) -> bool:
    return isinstance(start, Variable) or isinstance(end, Variable)


def as_variables(block: Any, values: list[Any], dtype: VarType) -> list[Variable]:
    """Numbers as constants (int32 in 1.8), so that all bounds of a slice are Variables."""
    from paddle_compat.tensor.creation import fill_constant

    found = []
    for value in values:
        if not isinstance(value, Variable) and block.program.age == 1:
            made = block._add_var(dtype=VarType.INT32, stop_gradient=True)
            attrs = {"shape": [1], "dtype": int(VarType.INT32), "value": float(value), "force_cpu": True}
            block.append_op(type="fill_constant", outputs={"Out": [made]}, attrs=attrs)
            value = made
        elif not isinstance(value, Variable):
            value = fill_constant([1], dtype, value, force_cpu=True)
        value.stop_gradient = True
        found.append(value)
    return found


def call(type: str, *inputs: Any, **attrs: Any) -> Any:
    definition = definition_of(type)
    helper = {"transpose2": "transpose", "assign_value": "assign"}.get(type, type)
    return definition(*inputs, _helper=helper, **attrs)


def _advanced(x: Variable, plan: Plan) -> Variable:
    """Gather by index Variables: the indexed dimensions go to the front, gather_nd, and back where they were adjacent."""
    entries = [(d, index_variable(i)) for d, i in plan.indices]
    if len(entries) == 1 and entries[0][1].dtype == VarType.BOOL:
        position, mask = entries[0]
        scalar = isinstance(plan.indices[0][1], bool)
        if scalar:
            x = call("unsqueeze2", x, axes=[0])
        if position == 0:
            return call("gather_nd", x, call("where_index", mask))
    dims = [d + n for d, i in entries for n in range(len(i.shape) if i.dtype == VarType.BOOL else 1)]
    rank = len(x.shape)
    order = dims + [d for d in range(rank) if d not in dims]
    moved = order != list(range(rank))
    if moved:
        x = call("transpose2", x, axis=order)
    if len(entries) == 1:
        only = entries[0][1]
        index = call("where_index", only) if only.dtype == VarType.BOOL else call("unsqueeze2", only, axes=[-1])
    else:
        indices = [column for _, i in entries for column in (_places(i) if i.dtype == VarType.BOOL else [i])]
        index = call("stack", call("broadcast_tensors", indices), axis=-1)
    out = call("gather_nd", x, index)
    if moved and dims == list(range(dims[0], dims[0] + len(dims))):
        count = len(index.shape) - 1
        rest = list(range(count, len(out.shape)))
        back = rest[: dims[0]] + list(range(count)) + rest[dims[0] :]
        out = call("transpose2", out, axis=back)
    return out


def _places(mask: Variable) -> list[Variable]:
    """Where a mask is true, in each of its dimensions."""
    places = call("where_index", mask)
    return [getitem(places, (slice(None), n)) for n in range(len(mask.shape))]


def index_variable(entry: Any) -> Variable:
    if isinstance(entry, Variable):
        return entry
    array = np.asarray(entry)
    with nullcontext() if isinstance(entry, np.ndarray) else device_guard("cpu"):
        return _index_values(array)


def _index_values(array: Any) -> Variable:
    if array.dtype == bool:
        return call(
            "assign_value",
            shape=list(array.shape) or [1],
            dtype=int(VarType.BOOL),
            bool_values=[int(v) for v in array.reshape(-1)],
        )
    return call(
        "assign_value",
        shape=list(array.shape),
        dtype=int(VarType.INT64),
        int64_values=array.astype("int64").reshape(-1).tolist(),
    )

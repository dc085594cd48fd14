"""Shapes while recording: run the operator on meta tensors, twice where a dimension is unknown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core._meta_kernels import without_dynamo
from paddle_compat.core.attribute_variables import check_attributes, stand_ins, unknown_dimensions, variables_of
from paddle_compat.core.dtype import VarType, convert_dtype, torch_dtype
from paddle_compat.core.errors import EnforceNotMet, UnsupportedError, refusal_kind
from paddle_compat.core.op import Meta, Op
from paddle_compat.core.place import set_run_device
from paddle_compat.core.slot_shapes import check_shapes

if TYPE_CHECKING:
    from paddle_compat.core.operator import Operator
    from paddle_compat.core.variable import Variable

# What stands for an unknown dimension in the two probes: large, highly composite, and different for the batch (dimension 0)
# and the rest, so that a reshape divides and a sum of two dimensions is no third one.
BATCH_PROBES = (5040, 55440)
OTHER_PROBES = (10080, 110880)
_PROBED = re.compile(r"(?<!\d)({})(?!\d)".format("|".join(map(str, BATCH_PROBES + OTHER_PROBES))))  # in messages, -1
# for tensors of which so many dimensions are unknown that the number of elements would overflow
MANY = 4
SMALL_BATCH_PROBES = (120, 360)
SMALL_OTHER_PROBES = (240, 720)

_META = torch.device("meta")
_KINDS = {VarType.LOD_TENSOR_ARRAY: "array", VarType.SELECTED_ROWS: "rows", VarType.SPARSE_COO: "coo"}
_KIND_TYPES = {**{kind: type_ for type_, kind in _KINDS.items()}, "tensor": VarType.LOD_TENSOR}


def meta_of(var: Variable) -> Meta:
    """What is known of a Variable."""
    return Meta(var.shape, torch_dtype(var.dtype), var.lod_level, _KINDS.get(var.type, "tensor"))


def _tensor(meta: Meta, probe: int, sizes: dict[int, int] | None, many: bool) -> torch.Tensor:
    fill = (SMALL_BATCH_PROBES[probe], SMALL_OTHER_PROBES[probe]) if many else (BATCH_PROBES[probe], OTHER_PROBES[probe])
    shape = [d if d >= 0 else (sizes or {}).get(i, fill[i > 0]) for i, d in enumerate(meta.shape)]
    return torch.empty(shape, dtype=meta.dtype, device="meta")


def _map(value: Any, fn: Callable[[Meta], Any]) -> Any:
    if value is None:
        return None
    return [fn(m) for m in value] if isinstance(value, list) else fn(value)


def _flatten(inputs: Iterable[Any]) -> list[Meta]:
    return [m for value in inputs if value is not None for m in (value if isinstance(value, list) else [value])]


def output_metas(definition: Op, inputs: list[Any], attrs: dict[str, Any]) -> list[Any]:
    """Metas of the operator's computed outputs (a list of Metas for a list slot).

    Args:
        inputs: per input slot a Meta, a list of Metas, or None.
    """
    if definition.infer is not None:
        out = definition.infer(*inputs, **attrs)
        if out is not NotImplemented:
            return list(out) if isinstance(out, tuple) else [out]
    metas = _flatten(inputs)
    if any(m.kind == "array" for m in metas):
        raise UnsupportedError(f"operator {definition.type}", "a LoDTensorArray input", "array operators")

    many = any(sum(d < 0 for d in m.shape) >= MANY for m in metas)

    def run(probe: int, sizes: dict[int, int] | None = None) -> list[Any]:
        args = [_map(v, lambda m: _tensor(m, probe, sizes, many)) for v in inputs]
        # nothing is drawn or differentiated on meta tensors
        former = set_run_device(_META)
        try:
            with torch.no_grad(), without_dynamo():
                out = definition.fn(*args, **attrs)
        finally:
            set_run_device(former)
        return list(out) if isinstance(out, tuple) and len(definition.returns) > 1 else [out]

    if all(d >= 0 for m in metas for d in m.shape):
        first = second = run(0)
    else:
        try:
            first, second = run(0), run(1)
        except (RuntimeError, IndexError, ValueError):
            first, second = _of_known_sizes(metas, run)
    return [_merge(a, b) for a, b in zip(first, second)]


def _of_known_sizes(metas: list[Meta], run: Callable[[int, dict[int, int]], list[Any]]) -> tuple[list[Any], list[Any]]:
    """An unknown dimension that meets a known one takes its size; which batch that is, one of several inputs says."""
    sizes = {i: d for m in metas for i, d in enumerate(m.shape) if d > 1}
    batches = sorted(dict.fromkeys(m.shape[0] for m in reversed(metas) if m.shape and m.shape[0] > 0), key=lambda d: d == 1)
    wrong: Exception | None = None
    for given in [{**sizes, 0: batch} for batch in batches] or [sizes]:
        try:
            return run(0, given), run(1, given)
        except (RuntimeError, IndexError, ValueError) as error:
            wrong = wrong or error
    assert wrong is not None
    raise wrong


def _merge(a: Any, b: Any) -> Any:
    if a is None:
        return None
    if isinstance(a, (list, tuple)):
        return [_merge(x, y) for x, y in zip(a, b)]
    return Meta(tuple(x if x == y else -1 for x, y in zip(a.shape, b.shape)), a.dtype)


def infer_op(definition: Op, inputs: list[Any], attrs: dict[str, Any]) -> list[Any]:
    """As `output_metas`, with lod levels settled and errors that name the operator and what it got."""
    attrs = {k: v for k, v in attrs.items() if k in definition.attrs or k in definition.required}
    given = {k: v for k, v in attrs.items() if variables_of(v)}
    if given:
        check_attributes(definition.type, given)
        inputs, attrs = stand_ins(definition, inputs, attrs)
    try:
        outs = output_metas(definition, inputs, attrs)
    except (RuntimeError, LookupError, TypeError, ValueError, ArithmeticError, AssertionError) as error:
        text = _PROBED.sub("-1", str(error))
        if isinstance(error, (EnforceNotMet, UnsupportedError)):
            error.args = (text,)
            raise
        got = ", ".join(
            f"{s.name}: {_map(v, lambda m: f'{list(m.shape)} {m.dtype}')}"
            for s, v in zip(definition.inputs, inputs)
            if v
        )
        raise refusal_kind(error)(
            f"Operator `{definition.type}` cannot take these inputs. Expected inputs that fit its attributes {attrs}. "
            f"Received: {got}. ({text})"
        ) from error
    outs = [
        _map(m, lambda m: m if m.lod_level is not None else _with_level(definition, m, inputs, attrs)) for m in outs
    ]
    return [_map(m, lambda m: unknown_dimensions(definition, {**attrs, **given}, m)) for m in outs] if given else outs


def _with_level(definition: Op, out: Meta, inputs: list[Any], attrs: dict[str, Any]) -> Meta:
    """The Meta of an output with the LoD level that the operator's rule hands on."""
    level = 0
    first = next(iter(_flatten(inputs)), None)
    if first is not None and first.lod_level:
        rows = definition.lod == "rows" and out.shape[:1] == first.shape[:1]
        if definition.lod in ("share", "joined") or rows or callable(definition.lod) and definition.lod(len(first.shape), **attrs):
            level = first.lod_level
    return Meta(out.shape, out.dtype, level, out.kind)


def described_meta(definition: Op, slot: str, inputs: list[Any], attrs: dict[str, Any]) -> Meta:
    """The Meta of an output that is written into Programs but never computed."""
    rule = definition.describe.get(slot)
    if rule is not None:
        return rule(*inputs, **{k: v for k, v in attrs.items() if k in definition.attrs or k in definition.required})
    first = _flatten(inputs)[0]
    return Meta((0, *first.shape), first.dtype, first.lod_level) if slot == "XShape" else Meta(first.shape, first.dtype, 0)


def set_outputs(op: Operator, definition: Op, metas: list[Any] | None = None) -> None:
    """Infer an Operator's outputs and write shape, dtype, LoD level and kind onto their Variables."""
    block = op.block
    by_slot: dict[str, Any] = {}

    def known(name: str) -> Meta:
        return meta_of(block._var_recursive(name))

    inputs: list[Any] = []
    for slot in definition.inputs:
        names = op.inputs.get(slot.name, [])
        inputs.append([known(n) for n in names] if slot.is_list else known(names[0]) if names else None)
    if metas is None:
        check_shapes(definition, inputs, op.program.age)
        if all(n == "" or _in_place(op, definition, s) for s in op.outputs for n in op.outputs[s] if op.outputs[s]):
            metas = []  # every output is an input updated in place
        else:
            metas = infer_op(definition, inputs, op.attrs)
    for slot, meta in zip(definition.returns, metas):
        by_slot[slot.name] = meta
    for slot in definition.outputs:
        names = op.outputs.get(slot.name, [])
        if not names or _in_place(op, definition, slot.name):
            continue
        meta = described_meta(definition, slot.name, inputs, op.attrs) if slot.described else by_slot.get(slot.name)
        for name, m in zip(names, meta if isinstance(meta, list) else [meta] * len(names)):
            var = block._find_var_recursive(name)
            if var is not None and m is not None:
                assign_meta(var, m)


def _in_place(op: Operator, definition: Op, slot: str) -> bool:
    source = definition.inplace.get(slot)
    return source is not None and op.outputs.get(slot) == op.inputs.get(source)


def assign_meta(var: Variable, meta: Meta) -> None:
    """Write what was inferred onto a Variable."""
    var.shape, var._shape_known = meta.shape, True
    if meta.kind != "tensor":
        var.type = _KIND_TYPES[meta.kind]
    if not var.is_parameter:
        var.dtype = convert_dtype(meta.dtype)
    var.lod_level = meta.lod_level or 0

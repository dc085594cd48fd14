"""Recording: calling an operator with Variables appends it to the current block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from paddle_compat.core import capture, eager, unique_name
from paddle_compat.core.attribute_values import fit_attributes
from paddle_compat.core.capture import as_variable
from paddle_compat.core.dtype import convert_dtype, torch_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.infer import infer_op, meta_of
from paddle_compat.core.layer_helper import LayerHelper, operator_helper
from paddle_compat.core.op import Op, definition_of
from paddle_compat.core.program import default_main_program
from paddle_compat.core.slot_shapes import check_shapes
from paddle_compat.core.variable import Variable


def record(
    definition: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], helper: Any, outputs: Mapping[str, Any] | None
) -> Any:
    """Append the operator and return its output Variables (see `Op.__call__` for the arguments)."""
    if not isinstance(helper, LayerHelper):
        helper = operator_helper(helper or definition.type, age=default_main_program().age)
    block = helper.main_program.current_block()
    if capture.current is not None and eager.cast_inputs is not None:
        inputs = _cast(definition, inputs)
    slots: dict[str, Any] = {}
    metas: list[Any] = []
    for slot, value in zip(definition.inputs, [*inputs, *[None] * (len(definition.inputs) - len(inputs))]):
        if slot.is_list:
            values = [_variable(v, slot.name, definition) for v in (value or [])]
            slots[slot.name] = values
            metas.append([meta_of(v) for v in values])
        elif value is None:
            metas.append(None)
        else:
            variable = _variable(value, slot.name, definition)
            slots[slot.name] = [variable]
            metas.append(meta_of(variable))
    age = helper.main_program.age
    merged = {**definition.defaults(age), **{k: v for k, v in attrs.items() if v is not None}}
    fit_attributes(definition, merged, age)
    check_shapes(definition, metas, age)
    out_metas = infer_op(definition, metas, merged)
    given = dict(outputs or {})
    by_slot = dict(zip((s.name for s in definition.returns), out_metas))
    written: dict[str, Any] = {}
    for slot in definition.outputs:
        if slot.name in given:
            value = given[slot.name]
            if value is not None:
                written[slot.name] = [as_variable(v) for v in (value if isinstance(value, (list, tuple)) else [value])]
            continue
        if slot.age not in (0, age) or (
            slot.optional and not slot.described and by_slot.get(slot.name) is None
        ):
            continue
        meta = by_slot.get(slot.name)
        count = len(meta) if isinstance(meta, (list, tuple)) else 1
        dtypes = (
            [m.dtype for m in meta] if isinstance(meta, (list, tuple)) else [meta.dtype] if meta is not None else [None]
        )
        written[slot.name] = [
            helper.create_variable_for_type_inference(convert_dtype(dtypes[i]) if dtypes[i] else None)
            for i in range(count)
        ]
    block.append_op(type=definition.type, inputs=slots, outputs=written, attrs={k: merged.get(k) for k in attrs}, metas=out_metas)
    results = []
    for slot in definition.returns:
        out = written.get(slot.name)
        results.append(None if out is None else out if slot.is_list else out[0])
    return results[0] if len(results) == 1 else tuple(results)


def _cast(definition: Op, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs in the precision that mixed precision asks for, while a function of eager mode is recorded."""

    def stand_in(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return [stand_in(v) for v in value]
        return value if value is None else torch.empty(0, dtype=torch_dtype(as_variable(value).dtype), device="meta")

    def converted(value: Any, before: Any, after: Any) -> Any:
        if isinstance(before, list):
            return [converted(v, b, a) for v, b, a in zip(value, before, after)]
        if before is None or before.dtype is after.dtype:
            return value
        cast = definition_of("cast")
        return cast(value, in_dtype=as_variable(value).dtype, out_dtype=convert_dtype(after.dtype))

    assert eager.cast_inputs is not None
    missing: list[Any] = [[] if slot.is_list else None for slot in definition.inputs[len(inputs) :]]
    before = [stand_in(value) for value in (*inputs, *missing)]
    after = eager.cast_inputs(definition.type, before)
    return tuple(converted(value, b, a) for value, b, a in zip(inputs, before, after))


def _variable(value: Any, slot: str, definition: Op) -> Variable:
    value = as_variable(value)
    if isinstance(value, Variable):
        return value
    raise type_error(slot, "a Variable", value, definition.type)


def detach(var: Variable) -> Variable:
    """A copy of the Variable that gradients do not flow through."""
    out = var.block._add_var(
        name=unique_name.generate_with_ignorable_key("detach_" + var.name),
        dtype=var.dtype,
        type=var.type,
        persistable=var.persistable and var.block.program.age > 1,
        stop_gradient=True,
    )
    var.block.append_op(type="share_data", inputs={"X": [var]}, outputs={"Out": [out]})
    return out


__all__ = ["detach", "record"]

"""Gradient operators that stand in a Program by themselves give the gradients that the wheels recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gradient_cases import Recorded, first_of_each

import paddle_compat.fluid as fluid
from paddle_compat.core import mode
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.op import find_op
from paddle_compat.core.program import Program
from paddle_compat.static.native import get_grad_op_desc


def program_of(case: Recorded) -> Program:
    program = Program()
    program.age = case.age
    return program


def lod_tensor(value: np.ndarray, lod: Any) -> fluid.LoDTensor:
    made = fluid.LoDTensor()
    made.set(value, fluid.CPUPlace())
    made.set_lod(lod or [])
    return made


def forward(case: Recorded) -> tuple[Any, dict[str, Any]]:
    """The operator in a Program of its own, and what its variables hold after a run."""
    program = program_of(case)
    block = program.global_block()
    definition = find_op(case.type)
    slots: dict[str, dict[str, list[str]]] = {"inputs": {}, "outputs": {}}
    feed = {}
    for slot, values in case.inputs.items():
        for i, value in enumerate(values):
            name = f"{slot}_{i}"
            lod = (case.lods.get(slot) or [[]] * (i + 1))[i]
            stops = value.dtype.kind not in "fc"
            block.create_var(name=name, shape=value.shape, dtype=str(value.dtype), lod_level=len(lod), stop_gradient=stops)
            slots["inputs"].setdefault(slot, []).append(name)
            feed[name] = lod_tensor(value, lod)
    for slot in definition.outputs:
        if slot.age == 3 - case.age:
            continue
        count = case.counts.get(slot.name, len(case.upstream.get(slot.name, [])) or 1)
        if slot.optional and slot.name not in case.counts and slot.name not in case.upstream:
            continue
        for i in range(count):
            name = f"{slot.name}_out_{i}"
            block.create_var(name=name)
            slots["outputs"].setdefault(slot.name, []).append(name)
    op = block.append_op(case.type, **slots, attrs=dict(case.attrs))
    return op, feed


def alone(case: Recorded) -> dict[str, Any]:
    op, feed = forward(case)
    block = op.block
    stopped = {n + "@GRAD" for n, v in block.vars.items() if v.stop_gradient}
    descs, owners = get_grad_op_desc(op.desc, stopped, [])
    exe = fluid.Executor(fluid.CPUPlace())
    values = dict(feed)
    for slot, arrays in case.outputs.items():
        for i, value in enumerate(arrays):
            if slot in op.outputs and value is not None:
                values[op.outputs[slot][i]] = lod_tensor(value, case.result_lods.get(f"{slot}|{i}"))
    read = {n for d in descs for n in d.input_arg_names()} & set(op.output_arg_names) - set(values)
    if read:
        names = sorted(read)
        out = exe.run(block.program, feed=feed, fetch_list=names, scope=fluid.Scope(), return_numpy=False)
        values.update(zip(names, out))
    for slot, arrays in case.upstream.items():
        for i, value in enumerate(arrays):
            if slot in op.outputs and value is not None:
                values[op.outputs[slot][i] + "@GRAD"] = lod_tensor(value, case.result_lods.get(f"{slot}|{i}"))
    program = program_of(case)
    other = program.global_block()
    for desc in descs:
        other.desc.append_op().copy_from(desc)
    program._sync_with_cpp()
    used = {n for d in descs for n in d.input_arg_names()}
    for name in sorted(used | set(owners)):
        of = block.vars.get(owners.get(name, name))
        if of is not None:
            other.create_var(name=name, shape=of.shape, dtype=of.dtype, lod_level=of.lod_level, type=of.type, persistable=False)
    wanted = [(slot, i) for slot, arrays in case.grads.items() for i, a in enumerate(arrays) if a is not None]
    names = [op.inputs[slot][i] + "@GRAD" for slot, i in wanted]
    missing = used - set(values)
    missing -= {n for d in descs for n in d.output_arg_names()} | {"@EMPTY@", ""}
    assert not missing, missing
    fed = {n: v for n, v in values.items() if n in used}
    got = exe.run(program, feed=fed, fetch_list=names, scope=fluid.Scope(), return_numpy=False)
    return {f"{s}|{i}": np.array(v) for (s, i), v in zip(wanted, got)}


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in first_of_each()])
def test_alone(case: Recorded) -> None:
    mode.enable_static()
    if case.type == "lstmp":  # its gradient operator reads the gates, not what they were made from
        with pytest.raises(UnsupportedError, match="input Input absent"):
            alone(case)
        return
    for key, value in alone(case).items():
        slot, number = key.split("|")
        expected = case.grads[slot][int(number)]
        scale = max(1.0, np.abs(expected).max(initial=0))
        np.testing.assert_allclose(value.reshape(expected.shape), expected, case.tolerance, case.tolerance * scale, err_msg=key)

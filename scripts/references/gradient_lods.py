"""From which input each gradient operator hands the LoD level on to the gradients that it writes.

gradient_lods_VERSION.json: {gradient operator: {slot written: slot read, null where it hands none on}}. Every variable that
the gradient operator reads has a LoD level of its own, so that the levels of what it writes tell.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import paddle
from child_process import asked

if paddle.__version__.startswith("1."):
    from paddle.fluid import core, framework
else:
    from paddle.base import core, framework

WHEELS = ("1.8.5", "2.6.2")
# what all made-up variables look like, until the operator takes it
SHAPES = ([4, 4], [2, 2], [4, 1], [4, 4, 4, 4], [4, 4, 4], [4, 4, 4, 4, 4], [1], [4], [1, 1])


def shape_of(kind: str, slot: str, shape: list[int]) -> list[int]:
    """The shape of a made-up variable: that of all, but for the operators whose sizes must fit."""
    if kind in ("gru", "gru_unit"):
        sizes = {"Weight": [4, 12], "Input": [4, 12], "BatchGate": [4, 12], "Gate": [4, 12], "Bias": [1, 12]}
        return sizes.get(slot, [4, 4])
    return shape


def attribute(kind: int) -> Any:
    """A value for a required attribute of that kind."""
    return {0: 2, 1: 1.0, 2: "max", 3: [1, 0], 4: [1.0, 1.0], 5: ["a"], 6: True, 7: [True], 9: 2, 11: [1, 0]}[kind]


def level(desc: Any) -> int:
    """The LoD level of a variable; rows have none."""
    return int(desc.lod_level()) if desc.type() == core.VarDesc.VarType.LOD_TENSOR else 0


def levels(proto: Any, shape: list[int]) -> dict[str, dict[str, str | None]]:
    """What the gradient operators of one operator do, on made-up variables."""
    block = framework.Program().global_block()
    forward = block.desc.append_op()
    forward.set_type(proto.type)
    for prefix, slots, put in (("in", proto.inputs, forward.set_input), ("out", proto.outputs, forward.set_output)):
        for slot in slots:
            names = [f"{prefix}:{slot.name}:{i}" for i in range(2 if slot.duplicable else 1)]
            for name in names:
                block.create_var(name=name, shape=shape_of(proto.type, slot.name, shape), dtype="float32")
            put(slot.name, names)
    for attr in proto.attrs:
        forward._set_attr(attr.name, attribute(attr.type))
    for attr in proto.attrs:  # all but those that it cannot do without
        value = forward.attr(attr.name)
        forward.remove_attr(attr.name)
        try:
            trial = block.desc.append_op()
            trial.copy_from(forward)
            trial.check_attrs()
        except Exception:
            forward._set_attr(attr.name, value)
    forward.check_attrs()
    found: dict[str, dict[str, str | None]] = {}
    for made in core.get_grad_op_desc(forward, set(), [])[0]:
        if "_grad" not in made.type():
            continue
        gradient = block.desc.append_op()
        gradient.copy_from(made)
        by_level: dict[int, str] = {}
        for slot in gradient.input_names():
            for name in gradient.input(slot):
                if not block.desc.has_var(name.encode()):
                    base = name.split(":")[1]
                    block.create_var(name=name, shape=shape_of(proto.type, base, shape), dtype="float32")
                by_level[len(by_level) + 1] = slot
                block.desc.find_var(name.encode()).set_lod_level(len(by_level))
        for slot in gradient.output_names():
            for name in gradient.output(slot):
                block.desc.var(name.encode())
        gradient.infer_var_type(block.desc)
        gradient.infer_shape(block.desc)
        found[gradient.type()] = {
            slot: by_level.get(level(block.desc.find_var(gradient.output(slot)[0].encode())))
            for slot in gradient.output_names()
            if slot.endswith("@GRAD") and gradient.output(slot)
        }
    return found


def table() -> dict[str, Any]:
    """What every gradient operator does that takes one of the shapes."""
    if not paddle.__version__.startswith("1."):
        paddle.enable_static()
    found: dict[str, Any] = {}
    for proto in sorted(framework.get_all_op_protos(), key=lambda p: p.type):
        if proto.type.endswith(("_grad", "_grad_grad", "_grad2")) or any(a.type in (8, 10) for a in proto.attrs):
            continue
        for shape in SHAPES:
            told = asked(functools.partial(levels, proto, shape))
            if told:
                found.update(told[0])
                break
    return found


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data files of a version."""
    return {f"gradient_lods_{version}.json": functools.partial(table)}

"""Every operator has the slots, attributes and gradient operator that the wheels' own schemas give it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from paddle_compat.core import op as registry
from paddle_compat.core._grad_operators import grad_specs
from paddle_compat.core._kernel_attributes import unlisted
from paddle_compat.core.op import Op
from paddle_compat.core.op_protos import all_protos
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.core.proto import AttrType

REFERENCES = Path(__file__).parent.parent / "references"
AGES = {1: "1.8.5", 2: "2.6.2"}
# attributes that choose a kernel or annotate, not what is computed
GENERIC = {
    "op_callstack", "op_device", "op_namescope", "op_role", "op_role_var", "with_quant_attr", "use_mkldnn", "mkldnn_data_type",
    "use_cudnn", "use_quantizer", "is_quantized",
}  # fmt: skip


def protos(age: int) -> dict[str, Any]:
    with gzip.open(REFERENCES / f"op_protos_{AGES[age]}.json.gz") as file:
        return json.load(file)


PROTOS = {age: protos(age) for age in AGES}
OPS = registry.registered()
CASES = [pytest.param(OPS[t], age, id=f"{t}-{AGES[age]}") for t in sorted(OPS) for age in AGES if t in PROTOS[age]]


# Outputs that the wheels need though nothing computes them here; whoever appends such operators has them written anyway.
MAY_BE_LEFT_OUT = {
    ("while", "StepScopes"), ("conditional_block", "Scope"), ("recurrent", "step_scopes"), ("rmsprop", "MeanGradOut"),
    ("unique", "Index"), ("cudnn_lstm", "LastH"), ("cudnn_lstm", "LastC"), ("cudnn_lstm", "last_h"), ("cudnn_lstm", "last_c"),
    ("generate_proposal_labels", "MaxOverlapWithGT"),
}  # fmt: skip


def slot_names(texts: list[str]) -> set[str]:
    return {t.rstrip("*?~") for t in texts}


# the wheels without CUDA do not describe these
ONLY_WITH_GPUS = {"sync_batch_norm", "dgc", "c_gen_nccl_id", "c_gen_bkcl_id", "gen_nccl_id", "gen_bkcl_id"}

# Paddle has these since version 3
SINCE_3 = {
    "asgd", "binomial", "bitwise_left_shift", "bitwise_right_shift", "copysign", "gammaincc", "nadam", "radam", "rprop", "standard_gamma"
}  # fmt: skip


def test_every_operator_is_paddles() -> None:
    unknown = sorted(t for t in OPS if not any(t in PROTOS[age] for age in AGES) and t not in ONLY_WITH_GPUS | SINCE_3)
    assert not unknown, f"operators that no wheel has: {unknown}"


@pytest.mark.parametrize(("definition", "age"), CASES)
def test_slots(definition: Op, age: int) -> None:
    proto = PROTOS[age][definition.type]
    for kind, ours in (("inputs", definition.inputs), ("outputs", definition.outputs)):
        mine = {s.name for s in ours if s.age in (0, age)}
        theirs = slot_names(proto[kind])
        assert mine == theirs, (
            f"{definition.type} {kind}: only here {sorted(mine - theirs)}, only in the wheel {sorted(theirs - mine)}"
        )
        for slot in ours:
            # a slot that became a list in 2.x takes the one variable of 1.x as well
            newest = PROTOS[2].get(definition.type, proto)
            texts = [t for t in newest[kind] + proto[kind] if t.rstrip("*?~") == slot.name]
            if texts and definition.type not in ("while",):
                text = texts[0]
                assert slot.is_list == ("*" in text), (
                    f"{definition.type}: {slot.name} is {'no ' * slot.is_list}list in the wheel"
                )


@pytest.mark.parametrize(("definition", "age"), CASES)
def test_needed_outputs(definition: Op, age: int) -> None:
    for text in PROTOS[age][definition.type]["outputs"]:
        slot = definition.slot(text.rstrip("*?~"))
        if slot is not None and "?" not in text and (definition.type, slot.name) not in MAY_BE_LEFT_OUT:
            assert not slot.optional, f"{definition.type}: the wheel needs {slot.name}"


@pytest.mark.parametrize(("definition", "age"), CASES)
def test_attributes(definition: Op, age: int) -> None:
    proto = PROTOS[age][definition.type]
    theirs = {n: row for n, row in proto["attrs"].items() if n not in GENERIC}
    known = set(theirs) | {n for other in AGES for n in PROTOS[other].get(definition.type, {"attrs": {}})["attrs"]}
    known |= set(unlisted(definition.type))
    for name, default in definition.attrs.items():
        if name.startswith("_"):
            continue
        assert name in known, f"{definition.type} has no attribute {name}; it has {sorted(known - GENERIC)}"
        if name in theirs and len(theirs[name]) > 1 and age == max(a for a in AGES if definition.type in PROTOS[a]):
            expected = theirs[name][1]
            got = list(default) if isinstance(default, tuple) else default
            same = got == expected or (
                isinstance(got, float) and isinstance(expected, float) and abs(got - expected) <= 1e-6 * abs(expected)
            )
            assert same, f"{definition.type}.{name}: expected default {expected!r}, got {got!r}"


@pytest.mark.parametrize("age", AGES)
def test_descriptions(age: int) -> None:
    for proto in all_protos(age):
        row = PROTOS[age].get(proto.type)
        if row is None:
            continue
        for slots, recorded in ((proto.inputs, row["inputs"]), (proto.outputs, row["outputs"])):
            marked = [s.name + "*" * s.duplicable + "?" * s.dispensable + "~" * s.intermediate for s in slots]
            assert sorted(marked) == sorted(recorded), proto.type
        kinds = {a.name: AttrType(a.type).name for a in proto.attrs}
        assert kinds == {n: kind for n, (kind, *_) in row["attrs"].items()}, proto.type


def gradient_of(
    definition: Op, age: int, optional: bool
) -> list[tuple[str, dict[str, list[str]], dict[str, list[str]]]]:
    """Our gradient operators for one operator on made-up variables, as the recording made them."""
    program = Program()
    program.age = age
    block = program.global_block()
    proto = PROTOS[age][definition.type]
    slots: dict[str, dict[str, list[str]]] = {"inputs": {}, "outputs": {}}
    for kind, mark in (("inputs", "in"), ("outputs", "out")):
        for text in proto[kind]:
            name = text.rstrip("*?~")
            if not optional and "?" in text:
                continue
            block.create_var(name=f"{mark}:{name}", shape=[2, 2], dtype="float32", stop_gradient=False)
            slots[kind][name] = [f"{mark}:{name}"]
    op = Operator(block, definition.type, slots["inputs"], slots["outputs"], {**definition.attrs})
    specs = grad_specs(op, set(op.output_arg_names), set(op.input_arg_names), {})
    return [
        (s.type, {k: v for k, v in s.inputs.items() if v}, {k: v for k, v in s.outputs.items() if v}) for s in specs
    ]


@pytest.mark.parametrize(("definition", "age"), CASES)
def test_gradient_operator(definition: Op, age: int) -> None:
    proto = PROTOS[age][definition.type]
    if proto["grad"] is None or "sub_block" in proto["attrs"]:
        return  # the wheel's maker needs more than made-up inputs; the recorded programs hold these
    rows = [(True, proto["grad"])] + (
        [(False, proto["grad_without_optional"])] if "grad_without_optional" in proto else []
    )
    for optional, row in rows:
        expected = [
            (g["type"], {k: v for k, v in g["inputs"].items() if v}, {k: v for k, v in g["outputs"].items() if v})
            for g in row
        ]
        got = gradient_of(definition, age, optional)
        assert got == expected, f"{definition.type}: expected {expected}, got {got}"

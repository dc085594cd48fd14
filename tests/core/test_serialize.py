"""Programs to bytes and back: what the wheels wrote keeps its meaning; attributes have the kinds that wheels write."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from model_files import GENERIC, SILENT, data, meaning, names, without_kernel_choices

from paddle_compat.core._kernel_attributes import kernel_choices
from paddle_compat.core.attributes import attr_kind, is_written, only_training
from paddle_compat.core.dtype import VarType
from paddle_compat.core.op import registered
from paddle_compat.core.program import Program
from paddle_compat.core.proto import decode, encode
from paddle_compat.core.serialize import program_from_bytes, program_to_bytes

REFERENCES = Path(__file__).resolve().parents[1] / "references"


def recorded_programs():
    for version in ("1.8.5", "2.6.2", "3.3.1"):
        for name in names(version):
            if name.endswith((".pdmodel", "__model__")):
                yield pytest.param(data(version, name), id=f"{version}-{name}")


@pytest.mark.parametrize("wheel", list(recorded_programs()))
def test_a_wheels_program_keeps_its_meaning(wheel):
    assert meaning(program_to_bytes(program_from_bytes(wheel))) == meaning(wheel)


def test_the_age_follows_the_version_and_is_written():
    for version, name, age, number in (
        ("1.8.5", "mlp.pdmodel", 1, 1008005),
        ("2.6.2", "mlp.pdmodel", 2, 2006002),
        ("3.3.1", "old.pdmodel", 2, 2006002),
    ):
        program = program_from_bytes(data(version, name))
        assert program.age == age
        assert decode(program_to_bytes(program), "ProgramDesc")["version"]["version"] == number


def test_schema_revisions_are_those_of_the_wheel():
    def pairs(program):
        found = decode(program, "ProgramDesc")["op_version_map"]["pair"]
        return {p["op_name"]: p["op_version"]["version"] for p in found}

    wheel = pairs(data("2.6.2", "mlp.pdmodel"))
    del wheel["for_pybind_test__"]
    assert pairs(program_to_bytes(Program())) == wheel


def test_variables_are_read():
    program = program_from_bytes(data("2.6.2", "mlp_train.pdmodel"))
    block = program.global_block()
    assert block.var("x").need_check_feed
    assert block.var("x").stop_gradient
    assert block.var("x").shape == (-1, 4)
    assert [p.name for p in program.all_parameters()] == ["fc_0.b_0", "fc_0.w_0", "fc_1.b_0", "fc_1.w_0"]
    assert block.var("mean_0.tmp_0").shape == ()
    assert block.var("dropout_0.tmp_1").dtype == VarType.UINT8
    inference = program_from_bytes(data("2.6.2", "mlp.pdmodel"))
    assert inference.global_block().var("feed").type == VarType.FEED_MINIBATCH
    assert inference.all_parameters() == []


def test_sub_blocks_are_read_as_blocks():
    program = program_from_bytes(data("1.8.5", "loop/__model__"))
    loop = next(op for op in program.global_block().ops if op.type == "while")
    assert loop.attrs["sub_block"] is program.blocks[1]
    assert program.blocks[1].parent is program.blocks[0]
    assert (loop.attr("sub_block").id, loop.desc.attr("sub_block").parent, loop.all_attrs()["sub_block"]) == (1, 0, program.blocks[1])


@pytest.mark.parametrize(("version", "name"), [("1.8.5", "mlp.pdmodel"), ("2.6.2", "mlp_train.pdmodel")])
def test_gradient_operators_know_what_they_differentiate(version, name):
    block = program_from_bytes(data(version, name)).global_block()
    gradients = [op for op in block.ops if "_grad" in op.type]
    assert len(gradients) >= 9
    regions = set()
    for op in gradients:
        assert op.forward is not None
        assert op.type in (op.forward.type + "_grad", "cross_entropy_grad2")
        assert set(op.attrs["_grads"]) >= {n for n in op.output_arg_names if n != "@EMPTY@"}
        assert all(grad == name + "@GRAD" for grad, name in op.attrs["_grads"].items())
        regions.add(op.attrs["_region"])
    assert len(regions) == 1


def test_gradients_that_are_ordinary_operators_are_told_from_others():
    block = program_from_bytes(data("2.6.2", "line_train.pdmodel")).global_block()
    scales = [op for op in block.ops if op.type == "scale"]
    assert [op.forward for op in scales] == [None, scales[0]]
    assert scales[1].attrs["_grads"] == {n + "@GRAD": n for n in (scales[0].output("Out")[0], scales[0].input("X")[0])}
    (region,) = {op.attrs["_region"] for op in block.ops if "_region" in op.attrs}
    assert [op.type for op in block.ops if op.attrs.get("_region") == region][0] == "fill_constant"


def test_two_fully_connected_layers_keep_their_gradients_apart():
    block = program_from_bytes(data("2.6.2", "mlp_train.pdmodel")).global_block()
    pairs = {op.input("Y")[0]: op.forward.output("Out")[0] for op in block.ops if op.type == "mul_grad"}
    assert pairs == {"fc_0.w_0": "fc_0.tmp_0", "fc_1.w_0": "fc_1.tmp_0"}


def protos(version):
    with gzip.open(REFERENCES / f"op_protos_{version}.json.gz") as stream:
        return json.load(stream)


@pytest.mark.parametrize(("version", "age"), [("1.8.5", 1), ("2.6.2", 2)])
def test_attributes_have_the_kinds_of_the_wheel(version, age):
    checked = 0
    known = protos(version)
    wrong = []
    for name, op in registered().items():
        for attr, default in op.attrs.items():
            wheel = known.get(name, {}).get("attrs", {}).get(attr)
            if wheel is None or default is None or attr.startswith("_"):
                continue
            kind = attr_kind(name, attr, default, age)
            checked += 1
            if kind is None or kind.name != wheel[0]:
                wrong.append((name, attr, default, kind, wheel[0]))
    assert not wrong, wrong
    assert checked > 300


def test_1_8_gets_no_attribute_that_it_does_not_have():
    known = protos("1.8.5")
    wrong = [
        (name, attr)
        for name, op in registered().items()
        for attr in (*op.attrs, *op.required)
        if name in known and not attr.startswith("_") and is_written(name, attr, 1) and attr not in known[name]["attrs"]
    ]
    assert not wrong, wrong


def test_kernel_choices_of_1_8_are_complete():
    known = protos("1.8.5")
    missing = []
    for name, op in registered().items():
        for attr, about in known.get(name, {}).get("attrs", {}).items():
            if attr in op.attrs or attr in op.required or attr in GENERIC + SILENT or attr.startswith("@"):
                continue
            if attr not in kernel_choices(name):
                missing.append((name, attr, about))
            elif len(about) > 1 and kernel_choices(name)[attr] != about[1] and attr != "use_cudnn":
                missing.append((name, attr, about, kernel_choices(name)[attr]))
    assert not missing, missing


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "BOOLEAN"),
        (np.bool_(True), "BOOLEAN"),
        (3, "INT"),
        (np.int64(3), "INT"),
        (2**31, "LONG"),
        (0.5, "FLOAT"),
        (np.float32(0.5), "FLOAT"),
        ("a", "STRING"),
        ([], "INTS"),
        ([1, 2], "INTS"),
        ([1, 2**40], "LONGS"),
        ([1, 0.5], "FLOATS"),
        ([True], "BOOLEANS"),
        (("a", "b"), "STRINGS"),
    ],
)
def test_kinds_of_values_of_unknown_attributes(value, kind):
    assert attr_kind("no_such_operator", "no_such_attribute", value).name == kind


@pytest.mark.parametrize("value", [object(), ["a", 1], {"a": 1}, None])
def test_values_that_no_kind_holds(value):
    assert attr_kind("no_such_operator", "no_such_attribute", value) is None


def test_an_attribute_that_no_file_can_hold_is_refused():
    program = program_from_bytes(data("2.6.2", "mlp.pdmodel"))
    program.global_block().ops[1].attrs["x_num_col_dims"] = object()
    with pytest.raises(ValueError, match="Invalid value for argument `mul.x_num_col_dims`"):
        program_to_bytes(program)


def test_blocks_variables_and_scalars_survive_as_attributes():
    program = Program()
    block = program.global_block()
    var = block.create_var(name="v", shape=[2], dtype="float32")
    program._create_block()
    program._rollback()
    attrs = {"sub_block": program.blocks[1], "blocks": [program.blocks[1]], "var": var, "vars": [var, var]}
    op = block.append_op(type="made_up_grad", inputs={"X": [var]}, attrs=attrs)
    scalars = [True, 3, 2.5, 1 + 2j]
    op = block.append_op(type="made_up_grad", inputs={"X": [var]}, attrs={})
    op.type = "assign_value"
    op.attrs["values"] = scalars
    back = program_from_bytes(program_to_bytes(program))
    first, second = back.global_block().ops
    assert first.attrs["sub_block"] is back.blocks[1]
    assert first.attrs["blocks"] == [back.blocks[1]]
    assert first.attrs["var"] is back.global_block().var("v")
    assert first.attrs["vars"] == [back.global_block().var("v")] * 2
    assert second.attrs["values"] == scalars


def test_operators_remember_the_users_line():
    program = Program()
    program.global_block().append_op(type="made_up_grad")
    (op,) = program.global_block().ops
    (back,) = program_from_bytes(program_to_bytes(program)).global_block().ops
    assert back.where == op.where
    assert __file__ in back.where


def test_inference_leaves_training_out():
    program = program_from_bytes(data("2.6.2", "mlp_unclipped.pdmodel"))
    clipped = meaning(program_to_bytes(program, inference=True))
    wheel = meaning(data("2.6.2", "mlp.pdmodel"))
    for (_, _, _, our_ops), (_, _, _, their_ops) in zip(clipped, wheel):
        assert [op[0] for op in our_ops] == [op[0] for op in their_ops]
        for (type_, _, our_outputs, our_attrs), (_, _, outputs, attrs) in zip(our_ops, their_ops):
            assert set(our_outputs) == set(outputs)
            assert without_kernel_choices(type_, our_attrs) == without_kernel_choices(type_, attrs)
    assert only_training("dropout", "Mask")
    assert not only_training("dropout", "dropout_prob")


def feed_attrs(desc):
    return desc["blocks"][0]["ops"][0]["attrs"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda d: d.pop("blocks"), "Expected a Program of at least one block"),
        (
            lambda d: d["blocks"][0].update(parent_idx=4),
            "Expected block 0 inside an earlier one. Received: block 0 in 4",
        ),
        (
            lambda d: d["blocks"][0]["vars"][0]["type"].update(type=999),
            "Expected a type of variable .* Received: the number 999",
        ),
        (
            lambda d: d["blocks"][0]["ops"][0]["attrs"][0].update(type=77),
            "Expected a kind of attribute .* Received: the number 77",
        ),
        (
            lambda d: d["blocks"][0]["ops"][0]["attrs"][0].pop("i"),
            "Expected a value of attribute `col` of an operator `feed`",
        ),
        (
            lambda d: d["blocks"][0]["ops"][0]["attrs"].append({"name": "sub_block", "type": 8, "block_idx": 5}),
            "Expected a block or variable of the Program as attribute `sub_block`",
        ),
    ],
)
def test_programs_that_make_no_sense_are_refused(change, expected):
    desc = decode(data("2.6.2", "mlp.pdmodel"), "ProgramDesc")
    change(desc)
    with pytest.raises(ValueError, match=expected):
        program_from_bytes(encode(desc, "ProgramDesc"), "model.pdmodel")


@pytest.mark.parametrize("foreign", [b"", b"hello world", b"\x80\x04}."])
def test_foreign_files_are_refused(foreign):
    with pytest.raises(ValueError, match=r"Invalid file model.pdmodel, byte \d+. Expected"):
        program_from_bytes(foreign, "model.pdmodel")


def test_a_program_names_the_release_of_its_files():
    program = Program()
    assert program._version() == 2006002
    program.age = 1
    assert program._version() == 1008005
    program.desc._set_version(7)
    assert program._version() == 7

"""Programs to bytes and back: what the wheels wrote keeps its meaning, and attributes have the kinds that wheels write."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from paddle_compat.core.attributes import attr_kind, kernel_choices, only_training
from paddle_compat.core.dtype import VarType
from paddle_compat.core.op import registered
from paddle_compat.core.program import Program
from paddle_compat.core.proto import ATTR_FIELD, AttrType, decode, encode
from paddle_compat.core.serialize import program_from_bytes, program_to_bytes

REFERENCES = Path(__file__).resolve().parents[1] / "references"
# what an operator keeps elsewhere, or what says nothing
FORGOTTEN = ("op_callstack", "with_quant_attr")
GENERIC = (*FORGOTTEN, "op_role", "op_role_var", "op_namescope", "op_device")


def recorded(version, name):
    with np.load(REFERENCES / f"files_{version}.npz") as content:
        return content[name].tobytes()


def recorded_programs():
    for version in ("1.8.5", "2.6.2", "3.3.1"):
        with np.load(REFERENCES / f"files_{version}.npz") as content:
            for name in content.files:
                if name.endswith((".pdmodel", "__model__")):
                    yield pytest.param(content[name].tobytes(), id=f"{version}-{name}")


def meaning(data, generic=False):
    """What a program says, without order and without the difference between absent and default."""
    blocks = []
    for block in decode(data, "ProgramDesc")["blocks"]:
        variables = {}
        for var in block.get("vars", []):
            kind = var["type"]
            shaped = kind.get("lod_tensor") or kind.get("tensor_array") or {}
            tensor = shaped.get("tensor") or kind.get("selected_rows") or {}
            flags = [var.get(f, False) for f in ("persistable", "need_check_feed", "is_parameter", "stop_gradient")]
            about = (kind["type"], tensor.get("data_type"), tensor.get("dims", []), shaped.get("lod_level", 0), *flags)
            variables[var["name"]] = about
        ops = []
        for op in block.get("ops", []):
            inputs, outputs = (
                {slot["parameter"]: slot.get("arguments", []) for slot in op.get(part, [])} for part in ("inputs", "outputs")
            )
            attrs = {a["name"]: (a["type"], a.get(ATTR_FIELD[AttrType(a["type"])], [])) for a in op["attrs"]}
            left_out = FORGOTTEN if generic else GENERIC
            ops.append((op["type"], inputs, outputs, {n: v for n, v in attrs.items() if n not in left_out}))
        blocks.append((block["idx"], block["parent_idx"], variables, ops))
    return blocks


@pytest.mark.parametrize("data", list(recorded_programs()))
def test_a_wheels_program_keeps_its_meaning(data):
    program = program_from_bytes(data)
    assert meaning(program_to_bytes(program)) == meaning(data)


def test_the_age_follows_the_version_and_is_written():
    for version, name, age, number in (
        ("1.8.5", "mlp.pdmodel", 1, 1008005),
        ("2.6.2", "mlp.pdmodel", 2, 2006002),
        ("3.3.1", "old.pdmodel", 2, 2006002),
    ):
        program = program_from_bytes(recorded(version, name))
        assert program.age == age
        assert decode(program_to_bytes(program), "ProgramDesc")["version"]["version"] == number


def test_schema_revisions_are_those_of_the_wheel():
    def pairs(data):
        found = decode(data, "ProgramDesc")["op_version_map"]["pair"]
        return {p["op_name"]: p["op_version"]["version"] for p in found}

    wheel = pairs(recorded("2.6.2", "mlp.pdmodel"))
    del wheel["for_pybind_test__"]
    assert pairs(program_to_bytes(Program())) == wheel


def test_variables_are_read():
    program = program_from_bytes(recorded("2.6.2", "mlp_train.pdmodel"))
    block = program.global_block()
    assert block.var("x").need_check_feed
    assert block.var("x").stop_gradient
    assert block.var("x").shape == (-1, 4)
    assert [p.name for p in program.all_parameters()] == ["fc_0.b_0", "fc_0.w_0", "fc_1.b_0", "fc_1.w_0"]
    assert block.var("mean_0.tmp_0").shape == ()
    assert block.var("dropout_0.tmp_1").dtype == VarType.UINT8
    inference = program_from_bytes(recorded("2.6.2", "mlp.pdmodel"))
    assert inference.global_block().var("feed").type == VarType.FEED_MINIBATCH
    assert inference.all_parameters() == []


def test_sub_blocks_are_read_as_blocks():
    program = program_from_bytes(recorded("1.8.5", "loop/__model__"))
    loop = next(op for op in program.global_block().ops if op.type == "while")
    assert loop.attrs["sub_block"] is program.blocks[1]
    assert program.blocks[1].parent is program.blocks[0]
    assert loop.attr("sub_block") == 1


@pytest.mark.parametrize(("version", "name"), [("1.8.5", "mlp.pdmodel"), ("2.6.2", "mlp_train.pdmodel")])
def test_gradient_operators_know_what_they_differentiate(version, name):
    block = program_from_bytes(recorded(version, name)).global_block()
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


def test_two_fully_connected_layers_keep_their_gradients_apart():
    block = program_from_bytes(recorded("2.6.2", "mlp_train.pdmodel")).global_block()
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
    assert wrong == []
    assert checked > 300


def test_kernel_choices_of_1_8_are_complete():
    known = protos("1.8.5")
    missing = []
    for name, op in registered().items():
        for attr, about in known.get(name, {}).get("attrs", {}).items():
            if attr in op.attrs or attr in op.required or attr in GENERIC or attr.startswith("@"):
                continue
            if attr not in kernel_choices(name):
                missing.append((name, attr, about))
            elif len(about) > 1 and kernel_choices(name)[attr] != about[1]:
                missing.append((name, attr, about, kernel_choices(name)[attr]))
    assert missing == []


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
    program = program_from_bytes(recorded("2.6.2", "mlp.pdmodel"))
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
    program = program_from_bytes(recorded("2.6.2", "mlp_unclipped.pdmodel"))
    clipped = meaning(program_to_bytes(program, inference=True))
    wheel = meaning(recorded("2.6.2", "mlp.pdmodel"))
    for (_, _, ours, our_ops), (_, _, theirs, their_ops) in zip(clipped, wheel):
        assert ours == {n.replace("tmp_1", "tmp_0") if "scale" in n else n: v for n, v in theirs.items()}
        for (our_type, _, our_outputs, our_attrs), (type_, _, outputs, attrs) in zip(our_ops, their_ops):
            assert our_type == type_
            assert set(our_outputs) == set(outputs)
            hints = {n for n in our_attrs if n.startswith(("use_", "scale_", "Scale_", "force_", "mkldnn"))}
            assert {n: v for n, v in our_attrs.items() if n not in hints | {"x_data_format", "y_data_format"}} == attrs
    assert only_training("dropout", "Mask")
    assert not only_training("dropout", "dropout_prob")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda d: d.pop("blocks"), "Expected a Program of at least one block"),
        (lambda d: d["blocks"][0].update(parent_idx=4), "Expected block 0 inside an earlier one. Received: block 0 in 4"),
        (lambda d: d["blocks"][0]["vars"][0]["type"].update(type=999), "Expected a type of variable .* Received: the number 999"),
        (lambda d: d["blocks"][0]["ops"][0]["attrs"][0].update(type=77), "Expected a kind of attribute .* Received: the number 77"),
        (lambda d: d["blocks"][0]["ops"][0]["attrs"][0].pop("i"), "Expected a value of attribute `col` of an operator `feed`"),
        (
            lambda d: d["blocks"][0]["ops"][0]["attrs"].append({"name": "sub_block", "type": 8, "block_idx": 5}),
            "Expected a block or variable of the Program as attribute `sub_block`",
        ),
    ],
)
def test_programs_that_make_no_sense_are_refused(change, expected):
    desc = decode(recorded("2.6.2", "mlp.pdmodel"), "ProgramDesc")
    change(desc)
    with pytest.raises(ValueError, match=expected):
        program_from_bytes(encode(desc, "ProgramDesc"), "model.pdmodel")


@pytest.mark.parametrize("data", [b"", b"hello world", b"\x80\x04}."])
def test_foreign_files_are_refused(data):
    with pytest.raises(ValueError, match=r"Invalid file model.pdmodel, byte \d+. Expected"):
        program_from_bytes(data, "model.pdmodel")

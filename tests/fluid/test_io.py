"""`fluid.io`: the 1.8 wheel's models run here, ours say what the wheel's say, training goes on from its checkpoints."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from model_files import array, data, links, meaning, unpack
from models.references import paddle_is_ours

from paddle_compat import fluid
from paddle_compat.core import unique_name
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.proto import decode

VERSION = "1.8.5"
MODELS = {
    "mlp": ("mlp_separate", None, None),
    "mlp (combined)": ("mlp_combined", "model", "params"),
    "convolution": ("convolution", None, "params"),
    "sequence": ("sequence", None, None),
    "loop": ("loop", None, None),
}


@pytest.fixture(scope="module")
def saved_models() -> Iterator[Any]:
    """The model scripts."""
    with paddle_is_ours():
        yield importlib.import_module("saved_fluid")


@pytest.fixture
def wheel(tmp_path: Any) -> Iterator[Any]:
    """The files of the 1.8 wheel, in the current folder."""
    former = os.getcwd()
    os.chdir(unpack(VERSION, tmp_path))
    yield tmp_path
    os.chdir(former)


@pytest.fixture
def exe() -> Any:
    return fluid.Executor(fluid.CPUPlace())


def feed(name: str) -> Any:
    """The recorded feed; ids come as sequences."""
    value = array(VERSION, f"feed/{name}")
    if name != "ids":
        return value
    tensor = LoDTensor()
    tensor.set(value, fluid.CPUPlace())
    tensor.set_recursive_sequence_lengths([[2, 1, 3]])
    return tensor


def build(model: Any, exe: Any) -> Any:
    """A model's main program, ready to run, and what its function returns."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 7
    with fluid.program_guard(main, startup), unique_name.guard():
        built = model()
    exe.run(startup)
    return (main, *built)


def line_program(exe: Any) -> Any:
    """A trained program with parameters of shapes [4, 2] and [2] and Adam's state."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), unique_name.guard():
        x = fluid.data("x", [None, 4])
        y = fluid.layers.fc(x, 2)
        fluid.optimizer.Adam(0.1).minimize(fluid.layers.mean(y))
    exe.run(startup)
    exe.run(main, feed={"x": array(VERSION, "feed/x")})
    return main, x, y


def weight() -> Any:
    """The weight's tensor in the global scope."""
    return fluid.global_scope().find_var("fc_0.w_0").get_tensor()


# ---- the wheel's files
@pytest.mark.parametrize("name", list(MODELS))
def test_the_wheels_models_run(name: str, wheel: Any, exe: Any) -> None:
    folder, model, params = MODELS[name]
    program, feeds, fetches = fluid.io.load_inference_model(folder, exe, model, params)
    assert fetches[0].name.startswith("save_infer_model/scale_0.tmp_")
    (value,) = exe.run(program, feed={feeds[0]: feed(feeds[0])}, fetch_list=fetches)
    expected = array(VERSION, "fetch/" + name.split()[0])
    assert value.shape == expected.shape
    assert np.allclose(value, expected, rtol=1e-5, atol=1e-7)


def test_a_model_loads_from_memory(wheel: Any, exe: Any) -> None:
    model, params = data(VERSION, "mlp_combined/model"), data(VERSION, "mlp_combined/params")
    program, feeds, fetches = fluid.io.load_inference_model(None, exe, model, params)
    (value,) = exe.run(program, feed={"x": feed("x")}, fetch_list=fetches)
    assert np.allclose(value, array(VERSION, "fetch/mlp"), atol=1e-6)


@pytest.mark.usefixtures("exact_random")
def test_training_goes_on_from_the_wheels_checkpoint(wheel: Any, exe: Any, saved_models: Any) -> None:
    main, _, _, loss = build(saved_models.mlp, exe)
    batch = {name: feed(name) for name in "xy"}
    for load in (
        lambda: fluid.load(main, "mlp", exe),
        lambda: fluid.io.load_persistables(exe, "persistables", main),
        lambda: fluid.io.set_program_state(main, fluid.io.load_program_state("mlp")),
        lambda: fluid.io.set_program_state(main, fluid.io.load_program_state("persistables")),
    ):
        load()
        losses = [exe.run(main, feed=batch, fetch_list=[loss])[0] for _ in range(3)]
        assert np.allclose(losses, array(VERSION, "fetch/mlp_losses"), rtol=1e-5)


@pytest.mark.usefixtures("exact_random")
def test_the_wheels_training_program_trains(wheel: Any, exe: Any) -> None:
    program = fluid.Program.parse_from_string(data(VERSION, "mlp.pdmodel"))
    fluid.io.load_persistables(exe, "persistables", program)
    batch = {name: feed(name) for name in "xy"}
    losses = [exe.run(program, feed=batch, fetch_list=["mean_0.tmp_0"])[0] for _ in range(3)]
    assert np.allclose(losses, array(VERSION, "fetch/mlp_losses"), rtol=1e-5)


# ---- ours
@pytest.mark.parametrize("name", ["mlp", "convolution", "sequence", "loop"])
def test_our_model_says_what_the_wheels_says(name: str, tmp_path: Any, exe: Any, saved_models: Any) -> None:
    main, inputs, outputs, *_ = build(getattr(saved_models, name), exe)
    with unique_name.guard():
        names = fluid.io.save_inference_model(str(tmp_path), inputs, outputs, exe, main)
    assert names == ["save_infer_model/scale_0.tmp_0"]
    program = (tmp_path / "__model__").read_bytes()
    assert decode(program, "ProgramDesc")["version"] == {"version": 1008005}
    path = "mlp_separate/__model__" if name == "mlp" else name + "/__model__"
    theirs = meaning(data(VERSION, path), choices=False)
    assert meaning(program, choices=False) == theirs


def test_our_training_program_says_what_the_wheels_says(exe: Any, saved_models: Any) -> None:
    main, *_ = build(saved_models.mlp, exe)
    ours, theirs = meaning(main.desc.serialize_to_string()), meaning(data(VERSION, "mlp.pdmodel"))
    assert [list(op[:3]) for op in ours[0][3]] == [list(op[:3]) for op in theirs[0][3]]
    assert ours[0][2] == theirs[0][2]
    for (type_, _, _, attrs), (_, _, _, their_attrs) in zip(ours[0][3], theirs[0][3]):
        assert attrs == their_attrs, type_


@pytest.mark.parametrize(
    "name",
    [
        "fluid_lod.dynamic_rnn",
        "fluid_lod.static_rnn",
        "fluid_lod.sentiment_lstm",
        "fluid_control.nested_cond",
        "fluid_control.while_and_cond",
        "fluid_optimizers.two_optimizers",
        "fluid_graphs.repeated_gradients",
        "fluid_graphs.gradients_given",
        "fluid_graphs.gradient_penalty",
    ],
)
def test_a_training_program_comes_back_with_its_gradients(name: str, saved_models: Any) -> None:
    program = importlib.import_module("catalogue").model(name).programs()["main"]
    back = fluid.Program.parse_from_string(program.desc.serialize_to_string())
    assert links(back) == links(program)
    assert len(links(back)) >= 2


def test_our_files_have_the_wheels_bytes(tmp_path: Any, wheel: Any, exe: Any) -> None:
    program = fluid.Program.parse_from_string(data(VERSION, "mlp.pdmodel"))
    fluid.io.load_persistables(exe, "persistables", program)
    fluid.io.save_persistables(exe, str(tmp_path / "ours"), program)
    for name in os.listdir("persistables"):
        assert (tmp_path / "ours" / name).read_bytes() == data(VERSION, "persistables/" + name)
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), unique_name.guard():
        fluid.layers.fc(fluid.layers.fc(fluid.data("x", [None, 4]), 3), 2)
    exe.run(startup)
    fluid.load(main, "mlp", exe)
    fluid.io.save_params(exe, str(tmp_path), main, filename="ours_all")
    assert (tmp_path / "ours_all").read_bytes() == data(VERSION, "params/all")
    fluid.save(main, str(tmp_path / "ours_trio"))
    assert (tmp_path / "ours_trio.pdparams").read_bytes() == data(VERSION, "mlp.pdparams")


def test_save_writes_a_trio_that_load_reads(tmp_path: Any, exe: Any) -> None:
    main, x, y = line_program(exe)
    fluid.save(main, str(tmp_path / "trio"))
    assert sorted(os.listdir(tmp_path)) == ["trio.pdmodel", "trio.pdopt", "trio.pdparams"]
    state = fluid.io.load_program_state(str(tmp_path / "trio"))
    assert {"fc_0.w_0", "fc_0.w_0_moment1_0", "fc_0.w_0_beta1_pow_acc_0", "learning_rate_0"} <= set(state)
    before = weight().numpy()
    weight().set(before * 0, fluid.CPUPlace())
    fluid.load(main, str(tmp_path / "trio.pdparams"), exe)
    assert np.array_equal(weight().numpy(), before)
    os.remove(tmp_path / "trio.pdopt")
    with pytest.raises(AssertionError, match="Optimizer file .*trio.pdopt"):
        fluid.load(main, str(tmp_path / "trio"), exe)


@pytest.mark.parametrize("filename", [None, "all"])
@pytest.mark.parametrize("kind", ["params", "persistables"])
def test_parameters_and_persistables(kind: str, filename: str | None, tmp_path: Any, exe: Any) -> None:
    main, x, y = line_program(exe)
    getattr(fluid.io, "save_" + kind)(exe, str(tmp_path), main, filename)
    saved = fluid.io.get_program_parameter(main)
    if kind == "persistables":
        saved = fluid.io.get_program_persistable_vars(main)
        assert len(saved) == 11
    assert sorted(os.listdir(tmp_path)) == ([filename] if filename else sorted(var.name for var in saved))
    before = weight().numpy()
    weight().set(before * 0, fluid.CPUPlace())
    getattr(fluid.io, "load_" + kind)(exe, str(tmp_path), main, filename)
    assert np.array_equal(weight().numpy(), before)
    assert np.array_equal(fluid.io.get_parameter_value_by_name("fc_0.w_0", exe, main), before)


def test_variables_by_predicate_and_in_memory(tmp_path: Any, exe: Any) -> None:
    main, x, y = line_program(exe)
    fluid.io.save_vars(exe, str(tmp_path), main, predicate=lambda var: "w_0" in var.name and "moment" in var.name)
    assert sorted(os.listdir(tmp_path)) == ["fc_0.w_0_moment1_0", "fc_0.w_0_moment2_0"]
    saved = fluid.io.save_vars(exe, None, main, vars=main.all_parameters())
    before = weight().numpy()
    weight().set(before * 0, fluid.CPUPlace())
    fluid.io.load_vars(exe, None, main, vars=main.all_parameters(), filename=saved)
    assert np.array_equal(weight().numpy(), before)


def test_lod_and_rows_are_saved_in_files_of_their_own(tmp_path: Any, exe: Any) -> None:
    main = fluid.Program()
    names = ("lod_tensor", "selected_rows")
    kinds = (fluid.core.VarDesc.VarType.LOD_TENSOR, fluid.core.VarDesc.VarType.SELECTED_ROWS)
    variables = [main.global_block().create_var(name=n, type=k, persistable=True) for n, k in zip(names, kinds)]
    folder = unpack(VERSION, tmp_path) / "tensors"
    fluid.io.load_vars(exe, str(folder), main, vars=variables)
    lod = fluid.global_scope().find_var("lod_tensor").get_tensor()
    assert lod.recursive_sequence_lengths() == [[1, 2], [2, 1, 2]]
    fluid.io.save_vars(exe, str(tmp_path / "ours"), main, vars=variables)
    for name in names:
        assert (tmp_path / "ours" / name).read_bytes() == data(VERSION, "tensors/" + name)
    with pytest.raises(ValueError, match="Expected None, as SelectedRows have a file each"):
        fluid.io.load_vars(exe, str(folder), main, vars=variables, filename="all")


def test_the_whole_program_can_be_kept(tmp_path: Any, exe: Any) -> None:
    main, x, y = line_program(exe)
    fluid.io.save_inference_model(str(tmp_path / "all"), ["x"], [y], exe, main, export_for_deployment=False)
    assert "__model__.main_program" in os.listdir(tmp_path / "all")
    read = fluid.Program.parse_from_string((tmp_path / "all" / "__model__.main_program").read_bytes())
    assert "adam" in [op.type for op in read.global_block().ops]
    with pytest.warns(UserWarning, match="It will not save params"):
        fluid.io.save_inference_model(str(tmp_path / "program"), ["x"], [y], exe, main, program_only=True)
    assert os.listdir(tmp_path / "program") == ["__model__"]


def test_wrong_arguments_are_refused(tmp_path: Any, exe: Any) -> None:
    main, x, y = line_program(exe)
    folder = str(tmp_path / "model")
    save, load = fluid.io.save_inference_model, fluid.io.load_inference_model
    for call, error, text in (
        (lambda: save(folder, [3], [y], exe, main), ValueError, "`feeded_var_names` .* Expected names"),
        (lambda: save(folder, x, [y], exe, main), TypeError, "`feeded_var_names` .* Expected names"),
        (lambda: save(folder, ["x"], [], exe, main), ValueError, "`target_vars` .* Expected Variables"),
        (lambda: save(folder, ["x"], ["y"], exe, main), ValueError, "`target_vars` .* Expected Variables"),
        (lambda: save(folder, ["x"], None, exe, main), ValueError, "`target_vars` .* Expected Variables"),
        (lambda: save(folder, ["x"], [y], exe, 3), TypeError, "`main_program` .* Expected a Program"),
        (lambda: save(folder, ["x"], [y], None, main), TypeError, "`executor` .* Expected an Executor"),
        (lambda: save(folder, ["z"], [y], exe, main), ValueError, r"`feed_vars\[0\]`.* Received: 'z'"),
        (lambda: load(folder + "_none", exe), ValueError, "`dirname` .* Expected an existing folder"),
        (lambda: load(str(tmp_path), exe), FileNotFoundError, "__model__"),
        (lambda: load(None, exe, b"", None), ValueError, "`params_filename`"),
        (lambda: load(str(tmp_path), exe, pserver_endpoints=["a"]), UnsupportedError, "pserver_endpoints"),
        (lambda: fluid.io.save_params(exe, folder, 3), TypeError, "`main_program` .* Expected a Program"),
        (lambda: fluid.io.load_vars(exe, None, main, vars=[y]), ValueError, "`dirname`"),
        (lambda: fluid.io.get_parameter_value(y, exe), AssertionError, "Expected a Parameter"),
        (lambda: fluid.load(main, str(tmp_path)), ValueError, "Expected an Executor for files of `save_vars`"),
    ):
        with pytest.raises(error, match=text):
            call()


def test_a_folder_with_other_files_is_refused(tmp_path: Any, exe: Any) -> None:
    main, x, y = line_program(exe)
    fluid.io.save_params(exe, str(tmp_path), main)
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(RuntimeError, match=r"notes.txt, byte 0. Expected a LoD tensor of version 0"):
        fluid.io.load_program_state(str(tmp_path))
    assert sorted(fluid.io.load_program_state(str(tmp_path), main.all_parameters())) == ["fc_0.b_0", "fc_0.w_0"]

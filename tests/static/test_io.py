"""`paddle.static`'s files: the wheels' models run here, ours say what the wheels' say, damage and misuse are named."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from model_files import array, data, links, meaning, unpack
from models.references import paddle_is_ours

import paddle_compat as paddle
from paddle_compat import static
from paddle_compat.core import unique_name
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.program import Program
from paddle_compat.core.serialize import program_from_bytes
from paddle_compat.core.streams import Reader, read_combined

MODELS = ["mlp", "line", "convolution", "loop"]


@pytest.fixture(scope="module")
def saved_models() -> Iterator[Any]:
    """The model scripts."""
    with paddle_is_ours():
        yield importlib.import_module("saved_static")


@pytest.fixture
def wheel(tmp_path: Any) -> Iterator[Any]:
    """The files of the 2.6 wheel, in the current folder."""
    former = os.getcwd()
    os.chdir(unpack("2.6.2", tmp_path))
    paddle.enable_static()
    yield tmp_path
    os.chdir(former)


@pytest.fixture
def exe() -> Any:
    return static.Executor(paddle.CPUPlace())


def build(model: Any, exe: Any) -> Any:
    """A model's main program, ready to run, and what its function returns."""
    paddle.enable_static()
    paddle.seed(7)
    main, startup = Program(), Program()
    with static.program_guard(main, startup), unique_name.guard():
        built = model()
    exe.run(startup)
    return (main, *built)


def line_program() -> Any:
    """A program with one parameter of shape [4, 2] and one of shape [2]."""
    paddle.enable_static()
    main, startup = Program(), Program()
    with static.program_guard(main, startup), unique_name.guard():
        x = static.data("x", [None, 4])
        y = static.nn.fc(x, 2)
    return main, startup, x, y


# ---- the wheels' files
@pytest.mark.parametrize("name", MODELS)
def test_the_wheels_models_run(name: str, wheel: Any, exe: Any) -> None:
    program, feeds, fetches = static.load_inference_model(name, exe)
    (value,) = exe.run(program, feed={feeds[0]: array("2.6.2", f"feed/{feeds[0]}")}, fetch_list=fetches)
    expected = array("2.6.2", f"fetch/{name}")
    assert value.shape == expected.shape
    assert np.allclose(value, expected, rtol=1e-5, atol=1e-7)


def test_the_models_of_3_3_run(tmp_path: Any, exe: Any) -> None:
    unpack("3.3.1", tmp_path)
    paddle.enable_static()
    program, feeds, fetches = static.load_inference_model(str(tmp_path / "old"), exe)
    (value,) = exe.run(program, feed={feeds[0]: array("3.3.1", "feed/x")}, fetch_list=fetches)
    assert np.allclose(value, array("3.3.1", "fetch/old"), rtol=1e-5, atol=1e-7)
    program, feeds, fetches = static.load_inference_model(str(tmp_path / "new"), exe)  # a .json file
    assert feeds == ["x"] and not list(tmp_path.glob("new.pdmodel"))
    (value,) = exe.run(program, feed={"x": array("3.3.1", "feed/x")}, fetch_list=fetches)
    assert np.allclose(value, array("3.3.1", "fetch/old"), rtol=1e-5, atol=1e-7)


def test_a_model_loads_from_memory_and_by_file_names(wheel: Any, exe: Any) -> None:
    feed = {"x": array("2.6.2", "feed/x")}
    model, params = static.load_from_file("mlp.pdmodel"), static.load_from_file("mlp.pdiparams")
    for program, _, fetches in (
        static.load_inference_model(None, exe, model_filename=model, params_filename=params),
        static.load_inference_model(str(wheel), exe, model_filename="mlp", params_filename="mlp"),
        static.load_inference_model(str(wheel), exe, model_filename="mlp.pdmodel", params_filename="mlp.pdiparams"),
    ):
        assert np.allclose(exe.run(program, feed=feed, fetch_list=fetches)[0], array("2.6.2", "fetch/mlp"), atol=1e-6)


def test_training_goes_on_from_the_wheels_checkpoint(wheel: Any, exe: Any, saved_models: Any) -> None:
    main, _, _, loss = build(saved_models.line, exe)
    static.load(main, "line_train", exe)
    batch = {name: array("2.6.2", f"feed/{name}") for name in "xy"}
    losses = [exe.run(main, feed=batch, fetch_list=[loss])[0] for _ in range(3)]
    assert np.allclose(losses, array("2.6.2", "fetch/line_losses"), rtol=1e-5)


def test_the_wheels_training_program_trains(wheel: Any, exe: Any) -> None:
    program = static.deserialize_program(static.load_from_file("line_train.pdmodel"))
    for name, value in static.load_program_state("line_train").items():
        static.global_scope().var(name).get_tensor().set(value, paddle.CPUPlace())
    batch = {name: array("2.6.2", f"feed/{name}") for name in "xy"}
    losses = [exe.run(program, feed=batch, fetch_list=["mean_0.tmp_0"])[0] for _ in range(3)]
    assert np.allclose(losses, array("2.6.2", "fetch/line_losses"), rtol=1e-5)


# ---- ours
@pytest.mark.parametrize("name", MODELS)
def test_our_model_says_what_the_wheels_says(name: str, tmp_path: Any, exe: Any, saved_models: Any) -> None:
    main, inputs, outputs, *_ = build(getattr(saved_models, name), exe)
    with unique_name.guard():
        static.save_inference_model(str(tmp_path / "model"), inputs, outputs, exe, program=main)
    ours = meaning((tmp_path / "model.pdmodel").read_bytes(), choices=False)
    assert ours == meaning(data("2.6.2", name + ".pdmodel"), choices=False)


@pytest.mark.parametrize(
    "name",
    [
        "static_text.gru",
        "static_control.nested_cond",
        "static_control.while_and_cond",
        "static_graphs.gradients_given",
        "static_graphs.gradient_penalty",
        "static_graphs.operators",
    ],
)
def test_a_training_program_comes_back_with_its_gradients(name: str, saved_models: Any) -> None:
    paddle.enable_static()
    program = importlib.import_module("catalogue").model(name).programs()["main"]
    back = static.deserialize_program(program.desc.serialize_to_string())
    assert links(back) == links(program)
    assert len(links(back)) >= 2


def test_our_parameters_have_the_wheels_bytes(tmp_path: Any, exe: Any, saved_models: Any) -> None:
    main, inputs, outputs = build(saved_models.convolution, exe)
    static.save_inference_model(str(tmp_path / "model"), inputs, outputs, exe, program=main)
    ours, theirs = (tmp_path / "model.pdiparams").read_bytes(), data("2.6.2", "convolution.pdiparams")
    assert len(ours) == len(theirs)
    names = [var.name for var in main.list_vars() if static.io.is_persistable(var)]
    path = tmp_path / "theirs"
    path.write_bytes(theirs)
    with open(path, "rb") as stream:
        for name, value in read_combined(Reader(stream), names).items():
            mine = static.global_scope().find_var(name).get_tensor().numpy()
            assert np.allclose(mine, value.numpy(), rtol=1e-6, atol=1e-7)


def test_what_is_saved_is_loaded(tmp_path: Any, exe: Any, saved_models: Any) -> None:
    main, inputs, outputs, loss = build(saved_models.mlp, exe)
    batch = {name: array("2.6.2", f"feed/{name}") for name in "xy"}
    exe.run(main, feed=batch, fetch_list=[loss])
    prefix = str(tmp_path / "deep" / "er" / "model")
    assert static.save_inference_model(prefix, inputs, outputs, exe, program=main) is None
    assert sorted(os.listdir(tmp_path / "deep" / "er")) == ["model.pdiparams", "model.pdmodel"]
    test_program = main.clone(for_test=True)
    (expected,) = exe.run(test_program, feed=batch, fetch_list=outputs)
    with static.scope_guard(static.Scope()):
        program, feeds, fetches = static.load_inference_model(prefix, exe)
        assert feeds == ["x"]
        (value,) = exe.run(program, feed={"x": batch["x"]}, fetch_list=fetches)
    assert np.array_equal(value, expected)
    assert not any(op.type.endswith("_grad") or op.type == "adam" for op in program.global_block().ops)


def test_models_say_which_operators_were_quantized(tmp_path: Any, exe: Any) -> None:
    # 2.6.2: `with_quant_attr` stays where it is true, and with feeds and fetches; other operators of a loaded model lack it
    paddle.enable_static()
    main = Program()
    with static.program_guard(main, Program()), unique_name.guard():
        x = static.data("x", [2, 3])
        out = paddle.tanh(paddle.nn.functional.relu(x))
    relu = main.global_block().ops[0]
    relu._set_attr("with_quant_attr", True)
    relu._set_attr("out_threshold", 1.5)
    static.save_inference_model(str(tmp_path / "model"), [x], [out], exe, program=main)
    loaded, *_ = static.load_inference_model(str(tmp_path / "model"), exe)
    found = [(op.type, op.attr("with_quant_attr") if op.has_attr("with_quant_attr") else None) for op in loaded.global_block().ops]
    assert found == [("feed", False), ("relu", True), ("tanh", None), ("scale", None), ("fetch", False)]
    assert [op.type for op in loaded.global_block().ops if "with_quant_attr" in op.attr_names] == ["feed", "relu", "fetch"]
    with pytest.raises(RuntimeError, match="has no attribute `with_quant_attr`"):
        loaded.global_block().ops[2].attr("with_quant_attr")
    again = Program.parse_from_string(loaded.desc.serialize_to_string())
    assert [op.has_attr("with_quant_attr") for op in again.global_block().ops] == [True, True, False, False, True]
    assert Program.parse_from_string(main.desc.serialize_to_string()).global_block().ops[1].attr("with_quant_attr") is False


def test_boolean_targets_are_fetched_as_they_are(tmp_path: Any, exe: Any) -> None:
    main, startup, x, y = line_program()
    exe.run(startup)
    with static.program_guard(main):
        positive = x > 0.5
    static.save_inference_model(str(tmp_path / "m"), [x], [y, positive], exe, program=main)
    fetches = static.load_inference_model(str(tmp_path / "m"), exe)[2]
    assert fetches[0].name.startswith("save_infer_model/scale_0.tmp_")
    assert fetches[1].name == positive.name


def test_save_load_and_state_dicts(tmp_path: Any, exe: Any) -> None:
    main, startup, x, y = line_program()
    exe.run(startup)
    prefix = str(tmp_path / "folder" / "model")
    static.save(main, prefix)
    assert sorted(os.listdir(tmp_path / "folder")) == ["model.pdmodel", "model.pdopt", "model.pdparams"]
    state = static.load_program_state(prefix + ".pdparams")
    assert sorted(state) == ["fc_0.b_0", "fc_0.w_0"]
    weight = static.global_scope().find_var("fc_0.w_0").get_tensor()
    weight.set(np.zeros((4, 2), "float32"), paddle.CPUPlace())
    static.load(main, prefix, exe)
    assert np.array_equal(weight.numpy(), state["fc_0.w_0"])
    weight.set(np.zeros((4, 2), "float32"), paddle.CPUPlace())
    static.set_program_state(main, state)
    assert np.array_equal(weight.numpy(), state["fc_0.w_0"])
    with pytest.warns(UserWarning, match="not found in program. There are: other"):
        static.set_program_state(main, {"other": np.ones(1)})
    with pytest.raises(AssertionError, match=r"shape for parameter `fc_0.w_0`. Expected \(4, 2\). Received: \(2, 4\)"):
        static.set_program_state(main, {"fc_0.w_0": state["fc_0.w_0"].T})
    with pytest.raises(AssertionError, match=r"data type for parameter `fc_0.w_0`. Expected float32. Received: float64"):
        static.set_program_state(main, {"fc_0.w_0": state["fc_0.w_0"].astype("float64")})
    read = program_from_bytes(open(prefix + ".pdmodel", "rb").read())
    assert [op.type for op in read.global_block().ops] == [op.type for op in main.global_block().ops]


@pytest.mark.parametrize("filename", [None, "all"])
def test_variables_are_saved_and_loaded(filename: str | None, tmp_path: Any, exe: Any) -> None:
    main, startup, x, y = line_program()
    exe.run(startup)
    folder = str(tmp_path / "vars")
    static.io.save_vars(exe, folder, main, predicate=static.io.is_persistable, filename=filename)
    assert sorted(os.listdir(folder)) == ([filename] if filename else ["fc_0.b_0", "fc_0.w_0"])
    holder = static.global_scope().find_var("fc_0.w_0").get_tensor()
    expected = holder.numpy()
    for load in (
        lambda: static.io.load_vars(exe, folder, main, predicate=static.io.is_persistable, filename=filename),
        lambda: static.io.load_vars(exe, folder, main, vars=main.all_parameters(), filename=filename),
        lambda: static.load(main, f"{folder}/{filename}" if filename else folder, exe, var_list=main.all_parameters()),
    ):
        holder.set(np.zeros((4, 2), "float32"), paddle.CPUPlace())
        load()
        assert np.array_equal(holder.numpy(), expected)
    path = f"{folder}/{filename}" if filename else folder
    state = static.load_program_state(path, main.all_parameters())
    assert np.array_equal(state["fc_0.w_0"], expected)


def test_bytes_instead_of_files(exe: Any) -> None:
    main, startup, x, y = line_program()
    exe.run(startup)
    program = static.serialize_program([x], [y], program=main)
    params = static.serialize_persistables([x], [y], exe, program=main)
    assert params == static.io.save_vars(exe, None, main, predicate=static.io.is_persistable)
    expected = static.global_scope().find_var("fc_0.w_0").get_tensor().numpy()
    with static.scope_guard(static.Scope()):
        loaded = static.deserialize_program(program)
        static.deserialize_persistables(loaded, params, exe)
        assert np.array_equal(static.global_scope().find_var("fc_0.w_0").get_tensor().numpy(), expected)


def test_the_buffer_of_an_lstm_keeps_its_weights_after_loading(tmp_path: Any, exe: Any) -> None:
    with static.program_guard(Program(), Program()), unique_name.guard():
        x = static.data("x", [2, 3, 4])
        lstm = paddle.nn.LSTM(4, 5)
        paddle.optimizer.SGD(0.5).minimize(lstm(x)[0].mean())
        main = static.default_main_program()
        exe.run(static.default_startup_program())
        for load in (static.load, lambda main, path, exe: static.load_vars(exe, path + ".vars", main, predicate=static.io.is_persistable)):
            static.save(main, str(tmp_path / "model"))
            static.save_vars(exe, str(tmp_path / "model.vars"), main, predicate=static.io.is_persistable)
            exe.run(main, {"x": np.ones((2, 3, 4), "float32")})
            load(main, str(tmp_path / "model"), exe)
            exe.run(main, {"x": np.ones((2, 3, 4), "float32")})
            state = {name: np.array(value) for name, value in main.state_dict("param").items()}
            flat = state.pop("lstm_0.w_0")
            np.testing.assert_array_equal(flat, np.concatenate([array.reshape(-1) for array in state.values()]))


def test_values_go_into_the_memory_of_the_former_ones(exe: Any) -> None:
    tensor, sharer, place = paddle.base.core.LoDTensor(), paddle.base.core.LoDTensor(), paddle.CPUPlace()
    tensor.set(np.zeros((2, 2), "float32"), place)
    copied = np.asarray(tensor)
    sharer._share_data_with(tensor)
    tensor.set(np.ones((2, 2), "float32"), place)
    assert np.array(sharer).sum() == 4
    tensor.set(np.full(4, 2.0, "float32"), place)
    assert (np.array(sharer).sum(), tensor.shape(), sharer.shape()) == (8, [4], [2, 2])
    tensor.set(np.zeros(4, "float64"), place)
    assert (np.array(sharer).sum(), copied.sum()) == (8, 0)


def test_files_that_are_no_variables_are_passed_over(tmp_path: Any, exe: Any) -> None:
    main, startup, x, y = line_program()
    exe.run(startup)
    static.io.save_vars(exe, str(tmp_path), main, predicate=static.io.is_persistable)
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.warns(RuntimeWarning, match=r"notes.txt is passed over, as it holds no variable: Invalid file .*notes.txt, byte"):
        state = static.load_program_state(str(tmp_path))
    assert sorted(state) == ["fc_0.b_0", "fc_0.w_0"]


def test_normalize_program_prunes_and_keeps_blocks_in_order(exe: Any, saved_models: Any) -> None:
    main, (n,), (out,) = build(saved_models.loop, exe)
    with static.program_guard(main), unique_name.guard("more_"):
        static.nn.cond(n > 100, lambda: n + 1, lambda: n - 1)
    program = static.normalize_program(main, [n], [out])
    assert main.num_blocks == 6
    assert program.num_blocks == 4
    assert [block.idx for block in program.blocks] == [0, 1, 2, 3]
    whole = static.normalize_program(main, [n], [out], skip_prune_program=True)
    assert whole.num_blocks == 6
    value = array("2.6.2", "feed/n")
    (found,) = exe.run(program, feed={"n": value}, fetch_list=[op.input("X")[0] for op in program.global_block().ops[-1:]])
    assert np.allclose(found, array("2.6.2", "fetch/loop"))


# ---- misuse and damage
def test_wrong_arguments_are_refused(tmp_path: Any, exe: Any) -> None:
    main, startup, x, y = line_program()
    prefix = str(tmp_path / "model")
    save, load = static.save_inference_model, static.load_inference_model
    with pytest.raises(ValueError, match="Variable `fc_0.b_0` has no value"):
        save(prefix, [x], [y], exe, program=main)
    exe.run(startup)
    static.save(main, prefix)
    with static.program_guard(main):
        z = static.data("z", [None, 4])
    for call, error, text in (
        (
            lambda: save(prefix + "/", [x], [y], exe, program=main),
            ValueError,
            "`path_prefix` of `save_inference_model`",
        ),
        (lambda: save(3, [x], [y], exe, program=main), ValueError, "Expected folder/prefix. Received: 3"),
        (
            lambda: save(prefix, ["x"], [y], exe, program=main),
            ValueError,
            "`feed_vars` .* Expected a Variable or a list",
        ),
        (
            lambda: save(prefix, [x], ["y"], exe, program=main),
            ValueError,
            "`fetch_vars` .* Expected a Variable or a list",
        ),
        (lambda: save(prefix, [x], [y], exe, program=3), TypeError, "`program` .* Expected a Program. Received: int"),
        (lambda: save(prefix, [x], [y], None, program=main), TypeError, "`executor` .* Expected an Executor"),
        (lambda: save(prefix, [x, z], [y], exe, program=main), ValueError, r"`feed_vars\[1\]`.* Received: 'z'"),
        (lambda: save(prefix, [x], [y], exe, program=main, legacy_format=True), UnsupportedError, "legacy_format"),
        (lambda: load(str(tmp_path / "none" / "a"), exe), ValueError, "Expected an existing folder"),
        (lambda: load(prefix + "_none", exe), FileNotFoundError, "model_none.pdmodel"),
        (lambda: load(prefix, exe, pserver_endpoints=[]), ValueError, "Received: `pserver_endpoints`"),
        (lambda: load(None, exe, model_filename=b""), ValueError, "`params_filename`"),
        (lambda: static.save_to_file(prefix, "text"), ValueError, "`content` .* Expected bytes. Received: str"),
        (lambda: static.normalize_program(3, [x], [y]), TypeError, "`program` of `normalize_program`"),
        (lambda: static.normalize_program(main, ["x"], [y]), TypeError, "`feed_vars` of `normalize_program`"),
        (lambda: static.save(main, prefix + "/"), AssertionError, "Expected folder/prefix"),
        (lambda: static.save(main, prefix, protocol=5), ValueError, "`protocol`"),
        (lambda: static.load(main, prefix + "_none"), ValueError, "`executor`.* Expected an Executor"),
        (lambda: static.load(main, prefix, 3), AssertionError, "`executor` of `load`. Expected an Executor. Received: int"),
        (lambda: static.load(main, prefix + "_none", exe), FileNotFoundError, "model_none.pdparams"),
    ):
        with pytest.raises(error, match=text):
            call()


def test_damaged_files_are_named_and_change_nothing(wheel: Any, exe: Any) -> None:
    main, startup, x, y = line_program()
    exe.run(startup)
    static.save_inference_model("m", [x], [y], exe, program=main)
    before = static.global_scope().find_var("fc_0.w_0").get_tensor().numpy()
    params = static.load_from_file("m.pdiparams")
    for damaged, text in (
        (params[:-5], r"m.pdiparams, byte 58. Expected 32 bytes of a tensor's elements. Received: 27"),
        (params + b"123", r"m.pdiparams, byte 90. Expected the end of the file after 2 tensors. Received: 3 more"),
        (b"hello world, this is no tensor", r"m.pdiparams, byte 0. Expected a LoD tensor of version 0"),
    ):
        static.save_to_file("m.pdiparams", damaged)
        with pytest.raises(ValueError, match=text):
            static.load_inference_model(str(wheel / "m"), exe)
        assert np.array_equal(static.global_scope().find_var("fc_0.w_0").get_tensor().numpy(), before)
    os.remove("m.pdiparams")
    with pytest.raises(RuntimeError, match="Cannot read .*m.pdiparams"):
        static.load_inference_model(str(wheel / "m"), exe)
    static.save_to_file("m.pdmodel", static.load_from_file("m.pdmodel")[:-100])
    with pytest.raises(ValueError, match=r"Invalid file .*m.pdmodel, byte \d+. Expected"):
        static.load_inference_model(str(wheel / "m"), exe)


def test_a_parameter_of_another_shape_is_refused(tmp_path: Any, exe: Any) -> None:
    main, startup, x, y = line_program()
    exe.run(startup)
    static.io.save_vars(exe, str(tmp_path), main, predicate=static.io.is_persistable)
    main.global_block().var("fc_0.w_0").shape = (4, 3)
    with pytest.raises(RuntimeError, match=r"`fc_0.w_0`. Expected the Program's shape \[4, 3\]. Received: \[4, 2\]"):
        static.io.load_vars(exe, str(tmp_path), main, predicate=static.io.is_persistable)


def test_a_state_file_without_a_variable_is_refused(tmp_path: Any, exe: Any) -> None:
    main, startup, x, y = line_program()
    exe.run(startup)
    static.save(main, str(tmp_path / "m"))
    with static.program_guard(main):
        static.nn.fc(x, 1, name="other")
    with pytest.raises(AssertionError, match=r"Can not find \[other.w_0\] in model file"):
        static.load(main, str(tmp_path / "m"), exe)

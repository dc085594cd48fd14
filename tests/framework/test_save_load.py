"""`paddle.save` and `paddle.load`: the wheels' files both ways, byte for byte; whole or not at all; wrong use."""

import collections
import io
import os
import pickle
import stat
import struct
import threading
from pathlib import Path

import numpy as np
import pytest
from models.saved_objects import BINARY, objects

import paddle_compat as paddle
from paddle_compat.base import core
from paddle_compat.core import pickles
from paddle_compat.core.distributions import canonical
from paddle_compat.core.engines import MT19937_64

REFERENCES = Path(__file__).resolve().parents[1] / "references"
WHEELS = ("2.6.2", "3.3.1")
NAMES = "StructuredToParameterName@@"
OBJECTS = objects(paddle)


def recorded(version, name):
    with np.load(REFERENCES / f"saved_objects_{version}.npz") as content:
        return content[name].tobytes()


def saved(value, **configs):
    stream = io.BytesIO()
    paddle.save(value, stream, **configs)
    return stream.getvalue()


def loaded(data, **configs):
    return paddle.load(io.BytesIO(data), **configs)


def same(ours, expected, tensors=True):
    """Whether a loaded object is the saved one: Tensors with their names, or arrays where there were Tensors."""
    if isinstance(expected, paddle.Tensor):
        if not tensors:
            return type(ours) is np.ndarray and np.array_equal(ours, expected.numpy())
        alike = ours.dtype == expected.dtype and ours.name == expected.name and ours.shape == expected.shape
        return type(ours) is paddle.Tensor and alike and ours.stop_gradient and np.array_equal(ours.numpy(), expected.numpy())
    if type(ours) is paddle.Tensor:
        return np.array_equal(ours.numpy(), expected)
    if type(ours) is not type(expected):
        return False
    if isinstance(expected, dict):
        return list(ours) == list(expected) and all(same(ours[key], item, tensors) for key, item in expected.items())
    if isinstance(expected, (list, tuple)):
        return len(ours) == len(expected) and all(same(a, b, tensors) for a, b in zip(ours, expected))
    return np.array_equal(ours, expected) if isinstance(expected, np.ndarray) else ours == expected


@pytest.mark.parametrize("name", list(OBJECTS))
@pytest.mark.parametrize("version", WHEELS)
@pytest.mark.parametrize("protocol", [2, 3, 4])
@pytest.mark.filterwarnings("ignore:The input state dict is empty")
def test_files_have_the_wheels_bytes_and_are_read(version, protocol, name):
    data = recorded(version, f"{protocol}/{name}")
    assert saved(OBJECTS[name], protocol=protocol) == data
    assert same(loaded(data), OBJECTS[name])
    assert same(loaded(data, return_numpy=True), OBJECTS[name], tensors=False)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("version", WHEELS)
def test_single_tensors_without_a_pickle(version, name):
    data = recorded(version, f"binary/{name}")
    assert saved(OBJECTS[name], use_binary_format=True) == data
    back = loaded(data)
    assert (back.dtype, back.shape, back.numpy().tolist()) == (
        OBJECTS[name].dtype, OBJECTS[name].shape, OBJECTS[name].numpy().tolist(),
    )  # fmt: skip
    assert np.array_equal(loaded(data, return_numpy=True), OBJECTS[name].numpy())


@pytest.mark.parametrize("version", WHEELS)
def test_a_trained_net_gives_the_wheels_outputs(version):
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.BatchNorm1D(4), paddle.nn.Linear(4, 2))
    state = loaded(recorded(version, "trained/net.pdparams"))
    assert list(state) == list(net.state_dict())
    net.set_state_dict(state)
    net.eval()
    with np.load(REFERENCES / f"saved_objects_{version}.npz") as content:
        assert np.allclose(net(paddle.to_tensor(content["trained/x"])).numpy(), content["trained/y"], rtol=1e-5)
    optimizer = loaded(recorded(version, "trained/adam.pdopt"))
    assert optimizer["LR_Scheduler"]["last_epoch"] == 2
    moments = [name for name in optimizer if "moment1" in name]
    assert len(moments) == 6
    assert all(optimizer[name].name == name for name in moments)


def test_files_of_paddle_1_8():
    state = loaded(recorded("1.8.5", "net.pdparams"))
    assert {name: value.name for name, value in state.items()} == {"weight": "linear_0.w_0", "bias": "linear_0.b_0"}
    assert state["weight"].numpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    net = paddle.nn.Linear(2, 3)
    net.set_state_dict(state)
    with np.load(REFERENCES / "saved_objects_1.8.5.npz") as content:
        assert np.allclose(net(paddle.to_tensor(content["x"])).numpy(), content["y"], rtol=1e-6)
    table = loaded(recorded("1.8.5", "net.pdparams"), keep_name_table=True)[NAMES]
    assert table == {"weight": "linear_0.w_0", "bias": "linear_0.b_0"}
    assert loaded(recorded("1.8.5", "net.pdopt"))["linear_0.w_0_moment1_0"].shape == [2, 3]


def test_paddle_1_8_would_write_the_same(tmp_path):
    from paddle_compat import fluid

    with fluid.dygraph.guard(), paddle.utils.unique_name.guard():
        net = fluid.dygraph.Linear(2, 3)
        net.weight.set_value(np.arange(6, dtype="float32").reshape(2, 3))
        fluid.save_dygraph(net.state_dict(), str(tmp_path / "net"))
    assert (tmp_path / "net.pdparams").read_bytes() == recorded("1.8.5", "net.pdparams")


def test_a_layer_goes_through_a_file(tmp_path):
    path = str(tmp_path / "new" / "folder" / "net.pdparams")
    net, other = paddle.nn.Linear(4, 3), paddle.nn.Linear(4, 3)
    paddle.save(net.state_dict(), path)
    other.set_state_dict(paddle.load(path))
    assert np.array_equal(other.weight.numpy(), net.weight.numpy())
    assert {name: value.name for name, value in paddle.load(path).items()} == {"weight": net.weight.name, "bias": net.bias.name}


def test_several_objects_in_one_stream():
    stream = io.BytesIO()
    for value in (paddle.ones([2]), {"a": 1}):
        paddle.save(value, stream)
    paddle.save(paddle.zeros([1]), stream, use_binary_format=True)
    stream.seek(0)
    assert paddle.load(stream).tolist() == [1, 1]
    assert paddle.load(stream) == {"a": 1}
    assert paddle.load(stream).tolist() == [0]


def test_loaded_arrays_have_names_of_generated_tensors():
    with paddle.utils.unique_name.guard():
        one, pair = loaded(saved({"a": np.ones(2)}))["a"], loaded(saved([paddle.to_tensor([1.0])]))[0]
    assert (one.name, pair.name) == ("generated_tensor_0", "generated_tensor_1")


def test_loaded_tensors_have_memory_of_their_own():
    shared = np.ones(20000, "float32")
    first, second = loaded(saved([shared, shared]))
    first[0] = 5.0
    assert second[0].item() == 1.0
    assert shared[0] == 1.0
    array = loaded(saved({"a": shared}), return_numpy=True)["a"]
    array[0] = 7.0
    assert array[0] == 7.0


def test_containers_in_themselves_and_in_several_places():
    shared = [np.ones(2, "float32")]
    value = {"a": shared, "b": shared}
    value["self"] = value
    back = loaded(saved({"value": value, "n": 1}))["value"]
    assert back["self"] is back
    assert back["a"] is back["b"]
    assert back["a"][0].tolist() == [1, 1]
    wide = []
    for _ in range(60):
        wide = [wide, wide]
    assert len(loaded(saved({"wide": wide, "n": 1}))["wide"]) == 2


def test_tensors_that_are_not_contiguous():
    x = paddle.to_tensor(np.arange(6, dtype="float32").reshape(2, 3))
    assert loaded(saved({"x": x.transpose([1, 0])}))["x"].tolist() == [[0, 3], [1, 4], [2, 5]]
    fortran = np.asfortranarray(np.arange(60000.0).reshape(200, 300))
    assert np.array_equal(loaded(saved([fortran, x]))[0], fortran)
    assert np.array_equal(loaded(saved([fortran[::2], x]))[0], fortran[::2])


def test_large_arrays_are_cut_for_old_protocols(monkeypatch):
    monkeypatch.setattr(pickles, "_LARGEST_SLICE", 40)
    data = saved({"w": paddle.arange(24, dtype="float32").reshape([4, 6])}, protocol=2)
    parts = pickle.loads(data)
    assert parts["UnpackBigParamInfor@@"] == {"w": {"OriginShape": (4, 6), "slices": ["w@@.0", "w@@.1", "w@@.2"]}}
    assert loaded(data)["w"].tolist() == np.arange(24.0).reshape(4, 6).tolist()


# ---- LoDTensors, SelectedRows, Programs, static mode
def lod_tensor():
    tensor = core.LoDTensor()
    tensor.set(np.ones((3, 2), "float32"), paddle.CPUPlace())
    tensor.set_recursive_sequence_lengths([[1, 2]])
    return tensor


def test_lod_tensors_and_selected_rows():
    assert loaded(saved(lod_tensor())).tolist() == [[1, 1]] * 3
    assert loaded(saved({"a": lod_tensor()}))["a"].shape == [3, 2]
    data = saved(lod_tensor(), use_binary_format=True)
    assert loaded(data).shape == [3, 2]
    rows = core.SelectedRows([0, 2], 4)
    rows.get_tensor().set(np.ones((2, 3), "float32"), paddle.CPUPlace())
    back = loaded(saved(rows, use_binary_format=True))
    assert (back.rows(), back.height(), back.get_tensor().shape()) == ([0, 2], 4, [2, 3])
    with pytest.raises(TypeError, match="cannot pickle"):
        saved({"a": rows})


@pytest.fixture
def net():
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard(), paddle.static.scope_guard(paddle.static.Scope()):
        x = paddle.static.data("x", [None, 2])
        y = paddle.static.nn.fc(x, 3)
        executor = paddle.static.Executor()
        executor.run(startup)
        yield main, x, y, executor
    paddle.disable_static()


def test_programs_and_their_state(tmp_path, net):
    main, _, y, _ = net
    path = str(tmp_path / "net.pdmodel")
    paddle.save(main, path)
    assert [op.type for op in paddle.load(path).global_block().ops] == ["mul", "elementwise_add"]
    state = main.state_dict()
    data = saved(state)
    assert sorted(pickle.loads(data)) == ["fc_0.b_0", "fc_0.w_0"]  # no table of names in static mode
    back = loaded(data)
    assert isinstance(back["fc_0.w_0"], core.LoDTensor)
    main.set_state_dict(back)
    assert np.array_equal(np.array(back["fc_0.w_0"]), np.array(state["fc_0.w_0"]))
    with pytest.raises(TypeError, match="cannot pickle"):
        saved({"program": main})
    with pytest.raises(TypeError, match="cannot pickle"):
        saved(y)


def test_saved_models(tmp_path, net):
    main, x, y, executor = net
    weight = np.array(main.state_dict()["fc_0.w_0"])
    prefix, folder = str(tmp_path / "model"), str(tmp_path / "vars")
    paddle.static.save_inference_model(prefix, [x], [y], executor, program=main)
    paddle.static.io.save_vars(executor, folder, main, predicate=lambda var: var.persistable)
    paddle.disable_static()
    for found in (
        paddle.load(prefix),
        paddle.load(str(tmp_path), model_filename="model.pdmodel", params_filename="model.pdiparams"),
        paddle.load(folder),
    ):
        assert list(found) == ["fc_0.b_0", "fc_0.w_0"]
        assert type(found["fc_0.w_0"]) is np.ndarray
        assert np.array_equal(found["fc_0.w_0"], weight)
    assert np.array_equal(paddle.load(os.path.join(folder, "fc_0.w_0")).numpy(), weight)
    with open(prefix + ".pdiparams.info", "wb") as stream:  # what paddle.jit.save writes beside them
        info = {"fc_0.w_0": {"structured_name": "weight", "stop_gradient": False}, "fc_0.b_0": {"stop_gradient": False}}
        pickle.dump(info, stream, 2)
    assert list(paddle.load(prefix)) == ["fc_0.b_0", "weight"]


# ---- whole files or none
def test_a_failed_save_leaves_the_old_file(tmp_path):
    path = str(tmp_path / "net.pdparams")
    paddle.save({"a": 1}, path)

    class Stubborn:
        def __reduce__(self):
            raise RuntimeError("half-way")

    with pytest.warns(UserWarning, match="Stubborn"), pytest.raises(RuntimeError, match="half-way"):
        paddle.save({"w": paddle.ones([9999]), "b": Stubborn()}, path)
    assert paddle.load(path) == {"a": 1}
    assert os.listdir(tmp_path) == ["net.pdparams"]


def test_links_modes_and_pipes_stay_what_they_are(tmp_path):
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.touch(mode=0o600)
    link.symlink_to(target)
    paddle.save(1, str(link))
    assert link.is_symlink()
    assert paddle.load(str(target)) == 1
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    paddle.save({"a": 1}, str(pipe))
    reader.join()
    assert pickle.loads(read[0]) == {"a": 1}
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_in_the_background(tmp_path):
    path = str(tmp_path / "net.pdparams")
    x = paddle.ones([3])
    paddle.async_save({"x": x}, path)
    x.set_value(np.zeros(3, "float32"))
    paddle.framework.io.async_save(x, str(tmp_path / "x"), sync_other_task=True)
    assert paddle.load(path)["x"].tolist() == [1, 1, 1]
    paddle.clear_async_save_task_queue()
    assert paddle.load(str(tmp_path / "x")).tolist() == [0, 0, 0]
    with pytest.warns(UserWarning, match="configs are not supported in async mode"):
        paddle.async_save(x, path, use_binary_format=True)
    os.mkdir(tmp_path / "taken")
    paddle.clear_async_save_task_queue()
    for wrong in (paddle.nn.ReLU(), [x], 3):
        with pytest.raises(TypeError, match="async_save"):
            paddle.async_save(wrong, path)
    with pytest.warns(UserWarning, match="lambda|function"):
        paddle.async_save({"f": lambda: 1}, path)
        with pytest.raises((pickle.PicklingError, AttributeError)):
            paddle.clear_async_save_task_queue()


# ---- wrong use

Pair = collections.namedtuple("Pair", "a b")


def test_data_types_come_back():
    assert loaded(saved({"dtype": paddle.float32, "others": [paddle.bfloat16]})) == {"dtype": paddle.float32, "others": [paddle.bfloat16]}


@pytest.mark.filterwarnings("error")
def test_random_numbers_go_on_where_a_checkpoint_was_written():
    paddle.seed(3)
    data = saved({"rng": paddle.get_rng_state(), "epoch": 2})
    expected = paddle.rand([3]).tolist()
    found = loaded(data)
    paddle.set_rng_state(found["rng"])
    assert found["epoch"] == 2 and paddle.rand([3]).tolist() == expected
    with pytest.raises(ValueError, match="something else than words"):
        loaded(data.replace(b"u8", b"i8"))


def with_state(*state, module="paddle.base.libpaddle"):
    """A list of a `GeneratorState` of the wheels', as they pickle it."""
    return b"\x80\x02]c" + f"{module}\nGeneratorState\n".encode() + b")\x81" + pickle.dumps(state, 2)[2:-1] + b"ba."


@pytest.mark.parametrize("taken", [0, 1, 100, 311, 312])
def test_random_numbers_go_on_where_3_3_wrote_a_checkpoint(taken):
    engine = MT19937_64(5, sequence=True)
    engine.take(312)
    text = " ".join(map(str, [*engine.state, taken]))  # of the first block, which 3.3 has in full from its first number on
    (state,) = loaded(with_state(-1, 5, 0, list(text.encode())))
    paddle.set_rng_state(loaded(saved([state])))
    assert paddle.get_rng_state()[0].current_seed() == 5
    later, expected = paddle.rand([700]), MT19937_64(5, sequence=True)
    expected.take(taken)
    np.testing.assert_array_equal(later.numpy(), canonical(expected, 700))


def test_random_numbers_begin_anew_where_2_6_wrote_a_checkpoint():
    for module in ("paddle.base.libpaddle", "paddle.fluid.libpaddle"):
        paddle.set_rng_state(loaded(with_state(-1, 5, 0, module=module)))
        again = paddle.rand([3]).tolist()
        assert again == (paddle.seed(5), paddle.rand([3]).tolist())[1]
    for state in ((-1, "5", 0), (-1, -5, 0), (-1, 5, 0, 1 << 40), (-1, 5, 0, [300]), (-1, 5, 0, list(b"1 2 3")), (-1, 5)):
        with pytest.raises(ValueError, match="Expected a pickle"):
            loaded(with_state(*state))


def test_a_path_of_two_models_is_refused(tmp_path):
    paddle.jit.save(paddle.nn.Linear(1, 1), str(tmp_path / "net"), [paddle.static.InputSpec([None, 1])])
    (tmp_path / "net").mkdir()
    with pytest.raises(ValueError, match="Expected one model"):
        paddle.load(str(tmp_path / "net"))


@pytest.mark.parametrize(
    ("value", "error", "match"),
    [
        (paddle.nn.ReLU(), ValueError, "does not support saving a `paddle.nn.Layer`"),
        ({"a": [{"b": paddle.nn.ReLU()}]}, ValueError, "does not support saving a `paddle.nn.Layer`"),
        (paddle.optimizer.SGD(parameters=paddle.nn.Linear(1, 1).parameters()), TypeError, "cannot pickle"),
        (b"bytes", NotImplementedError, "Received: <class 'bytes'>"),
        ([Pair(1, 2)], NotImplementedError, "Pair"),
        (frozenset([1]), NotImplementedError, "frozenset"),
        ({"a": range(3)}, NotImplementedError, "range"),
        (collections.defaultdict(int, a=1), NotImplementedError, "defaultdict"),
    ],
)
def test_objects_that_cannot_be_saved(value, error, match):
    with pytest.raises(error, match=match):
        saved(value)


@pytest.mark.parametrize(
    ("path", "error"),
    [("", ValueError), ("folder/", ValueError), (3, ValueError), (None, ValueError), (Path("x"), ValueError), (".", IsADirectoryError)],
)
def test_paths_that_name_no_file(tmp_path, monkeypatch, path, error):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match="Invalid value for argument `path` of `paddle.save`"):
        paddle.save(1, path)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize(("protocol", "match"), [(1, "1<'protocol'<5"), (5, "1<'protocol'<5"), ("4", "int"), (2.0, "int"), (True, "True")])
def test_protocols_that_files_do_not_have(protocol, match):
    with pytest.raises(ValueError, match=f"argument `protocol` of `paddle.save`. Expected .*{match}"):
        saved(1, protocol=protocol)


def test_configs():
    x = paddle.ones([2])
    with pytest.warns(UserWarning, match="'pickle_protocol' is a deprecated argument"):
        assert saved({"x": x}, pickle_protocol=2)[1] == 2
    with pytest.raises(ValueError, match=r"config \(model_filename\) of `paddle.save` is not supported"):
        saved(x, model_filename="f")
    with pytest.raises(TypeError, match="use_binary_format"):
        saved(x, use_binary_format=1)
    with pytest.raises(NotImplementedError, match="Expected a Tensor, as use_binary_format is True"):
        saved({"x": x}, use_binary_format=True)
    data = saved({"x": x})
    with pytest.raises(ValueError, match=r"config \(foo\) of `paddle.load` is not supported"):
        loaded(data, foo=1)
    with pytest.raises(TypeError, match="keep_name_table"):
        loaded(data, keep_name_table="x")
    with pytest.raises(TypeError, match="model_filename"):
        loaded(data, model_filename=3)
    with pytest.warns(UserWarning, match="The input state dict is empty"):
        assert loaded(saved({})) == {}


def test_paths_where_there_is_nothing(tmp_path):
    prefix = str(tmp_path / "net")
    with pytest.raises(ValueError, match="to load model not exists"):
        paddle.load(prefix)
    paddle.save({"w": paddle.ones([1])}, prefix + ".pdparams")
    with pytest.raises(ValueError, match="not only its prefix"):
        paddle.load(prefix)
    for path in (3, None, Path(prefix)):
        with pytest.raises(TypeError, match="argument `path` of `paddle.load`"):
            paddle.load(path)


@pytest.mark.parametrize("array", [np.array(["s"]), np.array([1, None], object), np.ones(1, "uint32"), np.ones(1, "uint64")])
def test_arrays_of_types_that_tensors_lack(array):
    data = saved({"a": array})
    with pytest.raises(ValueError, match="Invalid array in the file"):
        loaded(data)
    assert loaded(data, return_numpy=True)["a"].tolist() == array.tolist()
    assert loaded(saved({"a": array, "x": paddle.ones([1])}))["a"].tolist() == array.tolist()


# ---- safetensors
KINDS = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64")


def test_state_dicts_as_safetensors(tmp_path):
    path = str(tmp_path / "folder" / "net.safetensors")
    state = {kind: paddle.to_tensor([[1, 0], [1, 1]]).astype(kind) for kind in KINDS}
    state |= {"number": paddle.to_tensor(2.5), "nothing": paddle.zeros([0, 3]), "näme": paddle.arange(6.0).reshape([2, 3]).t()}
    paddle.save(state, path, safetensors=True)
    read = paddle.load(path, safetensors=True)
    assert set(read) == set(state)
    for name, value in state.items():
        assert (read[name].dtype, read[name].shape, read[name].tolist()) == (value.dtype, value.shape, value.tolist())
    arrays = paddle.load(path, safetensors=True, return_numpy=True)
    assert (arrays["bfloat16"].dtype, arrays["float64"].dtype) == (np.uint16, np.float64)
    with pytest.raises(ValueError, match=r"safetensors, which `paddle.load\(..., safetensors=True\)` reads"):
        paddle.load(path)
    net = paddle.nn.Linear(2, 3)
    assert net.set_state_dict(loaded(saved(net.state_dict(), safetensors=True), safetensors=True)) == ([], [])


def test_the_wheels_safetensors():
    header = b'{"bias":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},"__metadata__":{"format":"pd"}} '  # as 3.3.1 writes it
    data = struct.pack("<Q", len(header)) + header + np.arange(3, dtype="float32").tobytes()
    assert {name: value.tolist() for name, value in loaded(data, safetensors=True).items()} == {"bias": [0.0, 1.0, 2.0]}
    assert saved({"bias": paddle.arange(3.0)}, safetensors=True)[8:].startswith(header[:57])


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "0 bytes"),
        (b"hello", "5 bytes"),
        (saved({"a": 1}), "that begin with a header of"),
        (struct.pack("<Q", 2) + b"7 ", "not iterable"),
        (saved({"a": paddle.ones([4])}, safetensors=True)[:-4], "12 bytes of elements, where the header says 16"),
        (saved({"a": paddle.ones([4])}, safetensors=True) + b"x", "17 bytes"),
        (saved({"a": paddle.ones([4])}, safetensors=True).replace(b"[0,16]", b"[4,16]"), r"a tensor of shape \[4\]"),
        (saved({"a": paddle.ones([4])}, safetensors=True).replace(b"[0,16]", b"[1,17]"), "where 0 is free"),
        (saved({"a": paddle.ones([4])}, safetensors=True).replace(b"F32", b"X32"), "X32"),
    ],
)
def test_damaged_safetensors(data, found):
    with pytest.raises(ValueError, match=found):
        loaded(data, safetensors=True)


def test_what_is_no_state_dict_is_not_written_as_safetensors():
    with pytest.raises(ValueError, match="Key `LR_Scheduler` is invalid"):
        saved({"a": paddle.ones([1]), "LR_Scheduler": {"last_epoch": 1}}, safetensors=True)
    with pytest.raises(TypeError, match="a name that is a str"):
        saved({1: paddle.ones([1])}, safetensors=True)
    assert loaded(saved({"a": 1}, safetensors=True)) == {"a": 1}  # a pickle, as in 3.3

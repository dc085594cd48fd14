"""Paddle's pickles: the wheels' files are read, ours have the wheels' bytes, and malicious ones execute nothing."""

import collections
import io
import pickle
import pickletools
import subprocess
from pathlib import Path

import numpy as np
import pytest

from paddle_compat.core import pickles
from paddle_compat.core.pickles import load_pickle, replacing, save_pickle

REFERENCES = Path(__file__).resolve().parents[1] / "references"


def recorded(version, name):
    with np.load(REFERENCES / f"files_{version}.npz") as content:
        return content[name].tobytes()


def saved(value, protocol=4):
    out = io.BytesIO()
    save_pickle(value, out, protocol)
    return out.getvalue()


@pytest.mark.parametrize(
    ("version", "name"),
    [
        ("1.8.5", "mlp.pdparams"),
        ("1.8.5", "mlp.pdopt"),
        ("2.6.2", "mlp_train.pdparams"),
        ("2.6.2", "mlp_train.pdopt"),
        ("2.6.2", "pickles/2.pdparams"),
        ("2.6.2", "pickles/2.pdopt"),
        ("2.6.2", "pickles/4.pdparams"),
        ("2.6.2", "pickles/4.pdopt"),
        ("3.3.1", "pickles/4.pdparams"),
    ],
)
def test_state_dicts_are_read_and_written_byte_for_byte(version, name):
    data = recorded(version, name)
    state = load_pickle(io.BytesIO(data))
    assert any(isinstance(value, np.ndarray) and value.dtype == np.float32 for value in state.values())
    assert saved(state, protocol=data[1]) == data


@pytest.mark.parametrize("protocol", [2, 4])
def test_objects_with_tensors_are_read(protocol):
    bias, mixed, number, array = load_pickle(io.BytesIO(recorded("2.6.2", f"pickles/{protocol}.mixed")))
    assert bias[0] == "linear_0.b_0"
    assert np.allclose(bias[1], -0.1)
    assert mixed["a"][1].tolist() == [16256, 16256]  # bfloat16 ones, as Paddle stores them
    assert mixed["b"] == (1, "x", 2.5, None)
    assert number == np.float32(2)
    assert array.tolist() == [0, 1, 2]


def test_a_pickled_lod_tensor_is_read_without_evaluating_anything():
    value = load_pickle(io.BytesIO(recorded("2.6.2", "pickles/4.tensor")))
    assert value.tolist() == [[0, 3, 0], [3, 0, 3]]


class Call:
    """Pickles as a call of any function."""

    def __init__(self, function, *args):
        self.call = function, args

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize("protocol", [0, 2, 4])
@pytest.mark.parametrize(
    "payload",
    [
        lambda path: Call(open, str(path), "w"),
        lambda path: Call(eval, f"open({str(path)!r}, 'w')"),
        lambda path: Call(eval, "data", {"data": 1, "other": 2}),
        lambda path: Call(exec, f"open({str(path)!r}, 'w')"),
        lambda path: Call(subprocess.call, ["touch", str(path)]),
        lambda path: Call(getattr, {}, "clear"),
        lambda path: Call(np.load, str(path)),
        lambda path: Call(bytes.decode, b"x", "zip"),
    ],
)
def test_a_malicious_pickle_raises_and_executes_nothing(tmp_path, protocol, payload):
    victim = tmp_path / "executed"
    data = pickle.dumps({"w": payload(victim)}, protocol)
    with pytest.raises(ValueError, match=r"Invalid file .*, byte \d+. Expected a pickle of containers"):
        load_pickle(io.BytesIO(data))
    assert not victim.exists()


class State:
    """Pickles as an array (or dtype) that is given another state."""

    def __init__(self, value, change):
        self.value, self.change = value, change

    def __reduce__(self):
        function, args, state = self.value.__reduce__()
        return function, args, tuple(self.change.get(i, item) for i, item in enumerate(state))


@pytest.mark.parametrize(
    ("value", "change"),
    [
        (np.ones(3), {1: (2**40,)}),
        (np.ones(3), {1: (-3,)}),
        (np.ones(3), {1: (2.5,)}),
        (np.ones(3), {2: np.dtype("f4")}),
        (np.ones(3), {2: np.dtype("O")}),
        (np.ones(3), {2: "f8"}),
        (np.ones(3), {4: b""}),
        (np.ones(3), {4: [1.0, 2.0, 3.0]}),
        (np.ones(3), {4: bytearray(24)}),
        (np.dtype("f4"), {1: "x"}),
        (np.dtype("f4"), {5: 1 << 20}),
        (np.dtype("U3"), {5: 1 << 20}),
    ],
)
def test_arrays_of_more_than_their_data_are_refused(value, change):
    with pytest.raises(ValueError, match="Expected a pickle of containers"):
        load_pickle(io.BytesIO(pickle.dumps(State(value, change), 2)))


@pytest.mark.parametrize("dtype", ["<f4", ">f4", ">i8", "?", "c8", "U3", "S2", "O"])
@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_arrays_of_plain_types_are_read(dtype, protocol):
    values = [np.array([[1, 0, 1], [0, 1, 1]]).astype(dtype), np.array(1).astype(dtype), np.zeros((0, 2), dtype)]
    values.append(np.asfortranarray(values[0]))
    before = np.dtype("f4").byteorder
    for value, back in zip(values, load_pickle(io.BytesIO(pickle.dumps(values, protocol)))):
        assert type(back) is np.ndarray
        assert back.dtype == value.dtype.newbyteorder("=")  # numpy turns what it reads
        assert np.array_equal(back, value)
    assert np.dtype("f4").byteorder == before


def test_arrays_cannot_be_made_by_calling_their_type():
    with pytest.raises(ValueError, match="a call of numpy.ndarray"):
        load_pickle(io.BytesIO(pickle.dumps(Call(np.ndarray, (10,), "O"))))


def test_structured_dtypes_are_refused():
    with pytest.raises(ValueError, match="an array of"):
        load_pickle(io.BytesIO(pickle.dumps(np.zeros(1, [("a", "f4"), ("b", "O")]))))


@pytest.mark.parametrize("data", [b"", b"hello", b"\x80\x04", pickle.dumps([1] * 99)[:50]])
def test_damaged_pickles_name_the_file(tmp_path, data):
    path = tmp_path / "model.pdparams"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"Invalid file .*model.pdparams, byte \d+. Expected a pickle"):
        load_pickle(path)


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_names_are_those_of_numpy_1(protocol):
    value = {"array": np.ones((2, 2)), "scalar": np.float32(1), "order": collections.OrderedDict(a=1)}
    data = saved(value, protocol)
    text = [arg for _, arg, _ in pickletools.genops(data) if isinstance(arg, str)]
    assert any("numpy.core.multiarray" in t for t in text)
    assert not any("numpy._core" in t for t in text)
    back = load_pickle(io.BytesIO(data))
    assert back["array"].tolist() == [[1, 1], [1, 1]]
    assert back["scalar"].dtype == np.float32
    assert type(back["order"]) is collections.OrderedDict


def test_large_arrays_are_cut_for_old_protocols(monkeypatch):
    monkeypatch.setattr(pickles, "_LARGEST_SLICE", 40)
    value = {"w": np.arange(24, dtype="float32").reshape(4, 6), "b": np.ones(3, "float32")}
    data = saved(value, protocol=2)
    parts = pickle.loads(data)
    assert [name for name in parts if name.startswith("w@@.")] == ["w@@.0", "w@@.1", "w@@.2"]
    assert parts["UnpackBigParamInfor@@"]["w"]["OriginShape"] == (4, 6)
    back = load_pickle(io.BytesIO(data))
    assert sorted(back) == ["b", "w"]
    assert np.array_equal(back["w"], value["w"])
    assert list(value) == ["w", "b"]


@pytest.mark.parametrize("protocol", [1, 5, True, "4"])
def test_other_protocols_are_refused(protocol):
    with pytest.raises(ValueError, match="Invalid value for argument `protocol`. Expected 2, 3 or 4"):
        saved({}, protocol)


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "model.pdparams"
    save_pickle({"a": 1}, path)
    with pytest.raises(RuntimeError), replacing(path) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert load_pickle(path) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["model.pdparams"]

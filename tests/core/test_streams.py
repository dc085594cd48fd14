"""Tensor streams: the wheels' files are read, written again byte for byte, and refused when damaged."""

import io
from pathlib import Path

import numpy as np
import pytest
import torch

from paddle_compat.core.dtype import VarType
from paddle_compat.core.lod import LoDTensor, lod_from_offsets
from paddle_compat.core.streams import (
    Reader,
    read_combined,
    read_selected_rows,
    read_tensor,
    write_combined,
    write_tensor,
)

REFERENCES = Path(__file__).resolve().parents[1] / "references"
MLP = ["fc_0.w_0", "fc_0.b_0", "fc_1.w_0", "fc_1.b_0"]
TYPES = "bool int16 int32 int64 float16 float32 float64 uint8 int8 uint16 complex64 scalar".split()


def recorded(version, name):
    with np.load(REFERENCES / f"files_{version}.npz") as content:
        return content[name].tobytes()


def written(*values):
    out = io.BytesIO()
    write_combined(out, values)
    return out.getvalue()


@pytest.mark.parametrize(
    ("version", "name", "names"),
    [
        ("1.8.5", "params/all", MLP),
        ("1.8.5", "mlp_combined/params", MLP),
        ("2.6.2", "mlp.pdiparams", MLP),
        ("3.3.1", "new.pdiparams", MLP),
        ("3.3.1", "old.pdiparams", MLP),
        ("2.6.2", "tensors/combined", TYPES),
    ],
)
def test_combined_files_are_written_again_byte_for_byte(version, name, names):
    data = recorded(version, name)
    values = read_combined(Reader(io.BytesIO(data)), names)
    assert list(values) == sorted(names)
    assert written(*values.values()) == data


def test_separate_and_combined_files_hold_the_same_tensors():
    combined = read_combined(Reader(io.BytesIO(recorded("1.8.5", "mlp_combined/params"))), MLP)
    for name in MLP:
        data = recorded("1.8.5", f"mlp_separate/{name}")
        value = read_tensor(Reader(io.BytesIO(data)))
        assert torch.equal(value.value, combined[name].value)
        assert written(value) == data


def test_every_data_type_is_read():
    values = read_combined(Reader(io.BytesIO(recorded("2.6.2", "tensors/combined"))), TYPES)
    assert values["uint16"].value.dtype is torch.bfloat16
    assert values["complex64"]._dtype() == VarType.COMPLEX64
    assert values["scalar"].shape() == []
    assert float(values["scalar"].value) == 2.5
    for name in set(TYPES) - {"scalar", "uint16"}:
        assert np.array_equal(values[name].numpy(), (np.arange(6) % 2 * 3).astype(name).reshape(2, 3))


def test_lod_is_read_and_written():
    data = recorded("1.8.5", "tensors/lod_tensor")
    value = read_tensor(Reader(io.BytesIO(data)))
    assert value.recursive_sequence_lengths() == [[1, 2], [2, 1, 2]]
    assert value.numpy().tolist() == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
    assert written(value) == data


def test_selected_rows_are_read_and_written():
    data = recorded("1.8.5", "tensors/selected_rows")
    value = read_selected_rows(Reader(io.BytesIO(data)))
    assert value.value.shape == (6, 3)
    assert value.value.to_dense()[[4, 1]].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert written(value) == data


@pytest.mark.parametrize("layout", ["transposed", "empty", "0-D", "conjugate"])
def test_unusual_tensors_come_back(layout):
    value = {
        "transposed": torch.arange(6.0).reshape(2, 3).T,
        "empty": torch.empty(0, 3),
        "0-D": torch.tensor(7),
        "conjugate": torch.tensor([1 + 2j]).conj(),
    }[layout]
    back = read_tensor(Reader(io.BytesIO(written(LoDTensor(value))))).value
    assert back.dtype == value.dtype
    assert torch.equal(back, value)


@pytest.mark.parametrize("name", ["tensors/lod_tensor", "tensors/selected_rows"])
def test_every_truncation_is_a_value_error_that_says_where(name):
    data = recorded("1.8.5", name)
    read = read_tensor if name.endswith("lod_tensor") else read_selected_rows
    for end in range(len(data)):
        with pytest.raises(ValueError, match=r"Invalid file weights, byte \d+. Expected .* Received: \d+ bytes before"):
            read(Reader(io.BytesIO(data[:end]), "weights"))


def test_more_and_fewer_tensors_than_names_are_refused():
    data = recorded("2.6.2", "mlp.pdiparams")
    with pytest.raises(ValueError, match="byte 36. Expected the end of the file after 1 tensors. Received: 156 more"):
        read_combined(Reader(io.BytesIO(data)), ["fc_0.b_0"])
    with pytest.raises(ValueError, match="Expected the tensor `z`. Received: the end of the file after 4 tensors"):
        read_combined(Reader(io.BytesIO(data)), [*MLP, "z"])


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({0: 1}, "byte 0. Expected a LoD tensor of version 0. Received: version 1"),
        ({4: 255, 9: 9}, "byte 4. Expected a LoD tensor's count of levels"),
        ({12: 9}, "byte 12. Expected a tensor of version 0. Received: version 9"),
        ({21: 99}, "byte 20. Expected the number of a data type. Received: 99"),
        ({16: 200}, "byte 20. Expected 200 bytes of a tensor's description"),
        ({23: 90}, "byte 24. Expected 360 bytes of a tensor's elements. Received: 12 bytes"),
    ],
)
def test_damage_is_named(change, expected):
    data = bytearray(recorded("1.8.5", "mlp_separate/fc_0.b_0"))
    for at, byte in change.items():
        data[at] = byte
    with pytest.raises(ValueError, match=expected):
        read_tensor(Reader(io.BytesIO(bytes(data))))


def test_lod_offsets_are_written_as_the_format_says():
    data = written(LoDTensor(torch.zeros(3, 1, dtype=torch.int64), lod_from_offsets([[0, 1, 3]])))
    assert data[:20] == bytes([0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0])


def test_an_empty_tensor_variable_cannot_be_written():
    with pytest.raises(RuntimeError, match="not initialized"):
        write_tensor(io.BytesIO(), LoDTensor())

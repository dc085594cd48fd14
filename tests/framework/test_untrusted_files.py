"""`paddle.load` trusts no file: malicious ones run nothing, foreign and damaged ones get an error that says what they are."""

import argparse
import builtins
import collections
import copyreg
import datetime
import decimal
import importlib
import io
import os
import pathlib
import pickle
import random
import struct
import subprocess
import types
import zipfile

import numpy as np
import pytest
import torch
from models.saved_objects import objects

import paddle_compat as paddle

OBJECTS = objects(paddle)


def saved(value, **configs):
    stream = io.BytesIO()
    paddle.save(value, stream, **configs)
    return stream.getvalue()


class Call:
    """Pickles as a call of any function."""

    def __init__(self, function, *args, state=None):
        self.call = (function, args) if state is None else (function, args, state)

    def __reduce__(self):
        return self.call


class Opcodes:
    """A pickle written by hand: a call of a name."""

    def __init__(self, module, name):
        self.data = b"\x80\x02c" + f"{module}\n{name}\n".encode() + b"X\x02\x00\x00\x00id\x85R."


def payloads(path):
    """What executes something when a plain pickle module reads it; all would make the file."""
    touch = f"__import__('pathlib').Path({path!r}).touch()"
    return {
        "os.system": Call(os.system, f"touch {path}"),
        "posix.system": Call(os.system, f"touch {path}"),
        "builtins.exec": Call(exec, touch),
        "builtins.getattr": Call(getattr, "", "join"),
        "builtins.__import__": Call(builtins.__import__, "antigravity"),
        "subprocess.Popen": Call(subprocess.Popen, ["touch", path]),
        "importlib.import_module": Call(importlib.import_module, "os"),
        "builtins.open": Call(open, path, "w"),
        "copyreg._reconstructor": Call(copyreg._reconstructor, io.FileIO, object, None),
        "copyreg.add_extension": Call(copyreg.add_extension, "os", "system", 7),
        "numpy.load": Call(np.load, path, None, True),
        "torch.load": Call(torch.load, path),
        "nested": {"a": [({"b": Call(os.system, f"touch {path}")},)]},
        "in an array": np.array([Call(os.system, f"touch {path}")], dtype=object),
        "as a key": {Call(os.system, f"touch {path}"): 1},
        "as a state": Call(argparse.Namespace, state={"x": Call(os.system, f"touch {path}")}),
    }


@pytest.mark.parametrize("protocol", [0, 2, 4])
@pytest.mark.parametrize("name", list(payloads("")))
def test_malicious_files_run_nothing(tmp_path, protocol, name):
    victim, path = tmp_path / "executed", str(tmp_path / "net.pdparams")
    with open(path, "wb") as stream:
        pickle.dump({"weight": np.ones(2), "evil": payloads(str(victim))[name]}, stream, protocol)
    with pytest.raises(ValueError, match=r"Invalid file .*net.pdparams, byte \d+. Expected a pickle.*forbidden name [\w.]+; nothing was"):
        paddle.load(path)
    assert not victim.exists()


@pytest.mark.parametrize(
    "name",
    ["os system", "nt system", "builtins compile", "sys exit", "pty spawn", "paddle save", "__main__ x", "numpy.core.multiarray fromfile"],
)
def test_forbidden_names_are_named(name):
    module, attribute = name.split()
    with pytest.raises(ValueError, match=f"the forbidden name {module}.{attribute}"):
        paddle.load(io.BytesIO(Opcodes(module, attribute).data))


def test_eval_is_never_called():
    with pytest.raises(ValueError, match="eval"):
        paddle.load(io.BytesIO(pickle.dumps(Call(eval, "__import__('os').getcwd()"))))
    with pytest.raises(ValueError, match="Expected a pickle"):
        paddle.load(io.BytesIO(pickle.dumps(Call(eval, "__import__('os').getcwd()", {"data": 1}))))


def test_extension_codes_and_persistent_ids_are_refused():
    copyreg.add_extension("os", "getcwd", 240)
    try:
        for data in (b"\x80\x02\x82\xf0)R.", b"\x80\x02X\x01\x00\x00\x00aQ.", b"Pa\n."):
            with pytest.raises(ValueError, match="Expected a pickle"):
                paddle.load(io.BytesIO(data))
    finally:
        copyreg.remove_extension("os", "getcwd", 240)


def archive():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("archive/data.pkl", b"x")
    return stream.getvalue()


def legacy_torch():
    stream = io.BytesIO()
    torch.save({"w": torch.ones(1)}, stream, _use_new_zipfile_serialization=False)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (archive(), "a zip archive, as torch.save"),
        (legacy_torch(), "a file of torch.save"),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "a PNG image"),
        (b"\x93NUMPY\x01\x00", "a file of numpy.save"),
        (b"hello, this is a text", "a text, 'hello, this is a te"),
        (b"hello\nworld\n", r"a text, 'hello\\nworld"),
        (b'{"a": 1}', "such as JSON"),
        (b"<html>", "a text that begins with <"),
        (saved(OBJECTS["state"])[:150], "the file is truncated"),
        (saved(OBJECTS["large"])[:9999], "the file is truncated"),
        (saved(OBJECTS["state"], protocol=2)[:150], "the file is truncated"),
        (saved(OBJECTS["tensor"], use_binary_format=True)[:-3], "21 bytes before the end of the file"),
        (bytes(range(128, 256)), "Expected a pickle"),
    ],
)
def test_foreign_and_truncated_files(tmp_path, data, found):
    path = tmp_path / "file.pdparams"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=found) as error:
        paddle.load(str(path))
    assert "file.pdparams" in str(error.value)
    if "truncated" in found:
        assert isinstance(error.value, pickle.UnpicklingError)  # as 1.8 says it
    with pytest.raises(ValueError, match=found):
        paddle.load(io.BytesIO(data))
    if not data:
        assert isinstance(error.value, EOFError)  # as the wheel says it


@pytest.mark.parametrize(
    "opcode", [pickle.BINBYTES8, pickle.BINUNICODE8, pickle.LONG4, pickle.BINBYTES, pickle.BINUNICODE, pickle.FRAME]
)
def test_sizes_that_a_file_does_not_have_cost_no_memory(opcode):
    wide = opcode in (pickle.BINBYTES8, pickle.BINUNICODE8, pickle.FRAME)
    size = struct.pack("<Q", 1 << 40) if wide else struct.pack("<I", (1 << 31) - 1)
    with pytest.raises(ValueError, match="truncated"):
        paddle.load(io.BytesIO(b"\x80\x04" + opcode + size + b"abc"))


@pytest.mark.parametrize("name", ["state", "nested", "optimizer", "large"])
@pytest.mark.parametrize("protocol", [2, 4])
def test_flipped_bits_are_read_or_refused(name, protocol):
    data, chance = saved(OBJECTS[name], protocol=protocol), random.Random(name)
    refused = 0
    for _ in range(200):
        changed = bytearray(data)
        changed[chance.randrange(min(len(data), 700))] ^= 1 << chance.randrange(8)
        try:
            paddle.load(io.BytesIO(bytes(changed)))
        except ValueError:
            refused += 1
    assert refused > 20


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_plain_values_of_the_standard_library_come_back(protocol):
    utc = datetime.timezone.utc
    value = {
        "epoch": 3,
        "weights": paddle.ones([1]),
        "when": [datetime.datetime(2024, 5, 6, 7, 8, 9, 10, utc), datetime.date(2024, 5, 6), datetime.time(7), datetime.timedelta(3, 4)],
        "paths": argparse.Namespace(data=pathlib.Path("a/b"), pure=pathlib.PurePosixPath("/c")),
        "config": types.SimpleNamespace(lr=decimal.Decimal("0.1"), sizes=[1, 2]),
    }
    read = paddle.load(io.BytesIO(saved(value, protocol=protocol)))
    assert read.pop("weights").tolist() == [1.0]
    del value["weights"]
    assert read == value
    history = {"history": {"loss": collections.defaultdict(list, a=[1.0]), "words": collections.Counter("aab")}}
    history["last"] = {"few": collections.deque([1, 2], 2), "raw": b"x", "more": bytearray(b"yz")}
    history["last"]["seen"] = collections.defaultdict(int, a=1)
    read = paddle.load(io.BytesIO(saved(history, protocol=protocol)))
    assert read == history
    assert read["last"]["few"].maxlen == 2
    assert (read["history"]["loss"]["new"], read["last"]["seen"]["new"]) == ([], 0)


@pytest.mark.parametrize("protocol", [2, 4])
def test_types_are_mentioned_but_not_called(protocol):
    calls = [Call(int, "7"), Call(str, b"x"), Call(float, 1), Call(bytearray, 1 << 40), Call(range, 1 << 40), Call(list, range(3))]
    for call in (*calls, Call(collections.defaultdict, eval)):
        with pytest.raises(ValueError, match="Expected a pickle"):
            paddle.load(io.BytesIO(pickle.dumps(call, protocol)))


def test_namespaces_are_only_data():
    value = argparse.Namespace(lr=0.1, layers=[3, 4])
    assert vars(paddle.load(io.BytesIO(saved({"args": value})))["args"]) == vars(value)
    with pytest.raises(ValueError, match="Expected a pickle"):
        paddle.load(io.BytesIO(pickle.dumps(Call(argparse.Namespace, state=(None, {"__class__": int})))))

"""`paddle.hub` reads a folder's `hubconf.py`; `paddle.compat` converts text."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat import compat, hub
from paddle_compat.errors import UnsupportedError

CONFIGURATION = """
dependencies = ["numpy"]
import beside
_hidden = 3
def net(a=1, **more):
    "A net."
    return beside.NAME, a, more
"""


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "hubconf.py").write_text(CONFIGURATION)
    (tmp_path / "beside.py").write_text("NAME = 'net'\n")
    return str(tmp_path)


def test_a_folder(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "beside", raising=False)
    assert hub.list(folder, source="local") == ["net"] and hub.help(folder, "net", "local") == "A net."
    assert hub.load(folder, "net", source="local", a=5, z=1) == ("net", 5, {"z": 1})
    assert folder not in sys.path and "hubconf" not in sys.modules


def test_what_hub_refuses(folder: str, tmp_path: Path) -> None:
    wrong: tuple[tuple[Any, type[Exception]], ...] = (("nobody", RuntimeError), ("_hidden", RuntimeError), (3, ValueError))
    for model, kind in wrong:
        with pytest.raises(kind):
            hub.load(folder, model, source="local")
    with pytest.raises(ValueError, match="'github', 'gitee' or 'local'"):
        hub.list(folder, source="ftp")
    with pytest.raises(UnsupportedError, match="source='local'"):
        hub.list("PaddlePaddle/models")
    with pytest.raises(RuntimeError, match="nowhere"):
        hub.list(str(tmp_path / "nowhere"), source="local")
    (tmp_path / "hubconf.py").write_text("dependencies = ['a_package_that_nobody_has']\ndef net(): pass\n")
    with pytest.raises(RuntimeError, match="a_package_that_nobody_has"):
        hub.load(folder, "net", source="local")
    assert hub.list(folder, source="local") == ["net"]


# as 1.8.5 answers
@pytest.mark.parametrize(
    ("value", "text", "data"),
    [
        (b"x", "x", b"x"),
        ("x", "x", b"x"),
        (None, None, None),
        ([b"a", "b"], ["a", "b"], [b"a", b"b"]),
        ({b"s"}, {"s"}, {b"s"}),
        (["a", [b"n"]], ["a", [b"n"]], AttributeError),
        (3, 3, AttributeError),
        ({1: b"a"}, {1: "a"}, AttributeError),
    ],
)
def test_text(value: Any, text: Any, data: Any) -> None:
    assert compat.to_text(value) == text
    if data is AttributeError:
        with pytest.raises(AttributeError):
            compat.to_bytes(value)
    else:
        assert compat.to_bytes(value) == data


def test_text_in_place() -> None:
    for values, changed in (([b"a", None], ["a", None]), ({b"a"}, {"a"}), ({b"a": b"b"}, {"a": "b"})):
        assert compat.to_text(values, inplace=True) is values and values == changed
    assert compat.to_text(b"\xff", "latin1") == "\xff"
    with pytest.raises(UnicodeDecodeError):
        compat.to_text(b"\xff")


def test_numbers() -> None:
    given = [(2.5, 0), (-2.5, 0), (1.005, 2), (1.25, 1), (-1.25, 1), (0.4, 0), (-0.4, 0)]
    found = [paddle.compat.round(x, d) for x, d in given]
    assert found == [3.0, -3.0, 1.0, 1.3, -1.3, 0.0, 0.0] and math.copysign(1, found[-1]) == 1
    assert compat.floor_division(-7, 2) == -4 and compat.get_exception_message(ValueError("no")) == "no"

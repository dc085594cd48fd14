"""What clients of a Hadoop file system do and answer, for a wheel and for us; `fake_hadoop/bin/hadoop` stands for the file system."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent / "fake_hadoop"
CONFIGS = {"fs.default.name": "hdfs://host:1", "hadoop.job.ugi": "user,password"}
# The calls of 2.x's client, in the order in which they are made; HERE stands for the folder of this machine.
CALLS: list[tuple[Any, ...]] = [
    ("need_upload_download",), ("is_exist", "/d"), ("is_exist", "/n"), ("is_dir", "/d"), ("is_dir", "/d/a"), ("is_dir", "/n"),
    ("is_file", "/d/a"), ("is_file", "/d"), ("is_file", "/n"), ("ls_dir", "/n"), ("list_dirs", "/n"), ("list_files_info", ["/d"]),
    ("cat", "/d/a"), ("cat", "/n"), ("cat", "/d"), ("cat",), ("mkdirs", "/d/x/y"), ("mkdirs", "/d/x/y"), ("touch", "/d/f"),
    ("touch", "/d/f"), ("touch", "/d/f", False), ("mv", "/d/a", "/d/b"), ("mv", "/d/a", "/d/c"), ("mv", "/d/b", "/d/f"),
    ("mv", "/d/b", "/d/f", True), ("mv", "/d/f", "/d/g", False, False), ("delete", "/d/g"), ("delete", "/n"), ("delete", "/d/x"),
    ("upload", "HERE/b", "/d/up"), ("cat", "/d/up"), ("download", "/d/up", "HERE/down"), ("upload", "HERE/none", "/d/none"),
    ("upload", "HERE/b", "/d/up", 1, True), ("upload", "HERE/a", "/d/up", 1),
    ("upload", "HERE/tree", "/d/t", 2), ("upload_dir", "HERE/tree", "/d"), ("upload_dir", "HERE/tree", "/d", True),
    ("upload_dir", "HERE/tree", "/new"), ("download", "/n", "HERE/none"),
    ("_split_files", ["a", "b", "c", "d", "e"], 0, 2), ("_split_files", ["a", "b", "c", "d", "e"], 1, 2),
]  # fmt: skip
# 1.8's: under Python 3, the others fail in the wheel
FLUID_CALLS: list[tuple[Any, ...]] = [
    ("is_exist", "/d"), ("is_exist", "/n"), ("is_dir", "/d"), ("is_dir", "/d/a"), ("is_dir", "/n"), ("is_file", "/d/a"), ("is_file", "/d"),
    ("makedirs", "/d/k"), ("makedirs", "/d/k"), ("rename", "/d/a", "/d/b"), ("rename", "/n", "/d/c"), ("upload_dir", "/d", "HERE/tree"),
    ("upload_dir", "/d", "HERE/tree", True), ("delete", "/d/k"), ("delete", "/n"), ("delete", "/d/b"), ("ls", "/n"), ("lsr", "/n"),
    ("cat", "/n"), ("split_files", ["a", "b", "c", "d", "e"], 0, 2), ("split_files", ["a", "b", "c", "d", "e"], 1, 2),
]  # fmt: skip


def folders() -> str:
    """A new folder with files of this machine (`here`) and of Hadoop's (`there`); the fake command is told of it."""
    top = tempfile.mkdtemp()
    for path, text in (
        ("here/a", "one\n"), ("here/b", "two\nlines\n"), ("here/tree/x", "x"), ("here/tree/y", "y"), ("here/tree/sub/z", "z"),
        ("there/d/a", "one\n"), ("there/d/t/b", "b\n"), ("there/d/t/u/v", "v\n"),
    ):  # fmt: skip
        os.makedirs(os.path.dirname(os.path.join(top, path)), exist_ok=True)
        with open(os.path.join(top, path), "w") as file:
            file.write(text)
    os.environ["FAKE_HDFS"] = os.path.join(top, "there")
    return top


def answers(client: Any, calls: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Each call's answer or the kind of what it raises, and the files that are there when all are done."""
    top, found = folders(), {}
    try:
        for number, (name, *words) in enumerate(calls):
            words = [word.replace("HERE", top + "/here") if isinstance(word, str) else word for word in words]
            try:
                answer = getattr(client, name)(*words)
            except Exception as error:
                answer = {"raises": type(error).__name__}
            found["%d %s" % (number, name)] = answer
        files = [os.path.relpath(os.path.join(at, name), top) for at, _, names in os.walk(top) for name in names]
        found["files"] = sorted(name for name in files if not name.endswith(".log"))
    finally:
        shutil.rmtree(top)
    return found

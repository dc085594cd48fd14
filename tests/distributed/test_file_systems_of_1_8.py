"""`paddle.distributed.fs_wrapper`: this machine's files and file systems of a user's own, with what Paddle 1.8.5 answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from paddle_compat.distributed.fs_wrapper import FS, LocalFS


class Own(FS):
    """One that says only where files are."""

    def ls_dir(self, fs_path: str) -> list[str]:
        return [fs_path]


def test_what_a_file_system_does_not_say_is_none() -> None:
    own = Own()
    assert own.ls_dir("a") == ["a"]
    for name, arguments in (("list_dirs", 1), ("stat", 1), ("need_upload_download", 0), ("mkdir", 1), ("rm", 1), ("rmr", 1), ("delete", 1)):
        assert getattr(own, name)(*["a"] * arguments) is None
    for name in ("mv", "upload", "download"):
        assert getattr(own, name)("a", "b") is None


def test_this_machines_files(tmp_path: Path) -> None:
    fs = LocalFS()
    (tmp_path / "file").touch()
    fs.mkdir(str(tmp_path / "a/b"))
    fs.mkdir(str(tmp_path / "a"))
    assert fs.list_dirs(str(tmp_path)) == ["a"] and sorted(fs.ls_dir(str(tmp_path))) == ["a", "file"]
    assert fs.list_dirs(str(tmp_path / "none")) == []
    with pytest.raises(FileNotFoundError):
        fs.ls_dir(str(tmp_path / "none"))
    for wrong in (fs.ls_dir, fs.list_dirs):
        with pytest.raises(NotADirectoryError):
            wrong(str(tmp_path / "file"))
    with pytest.raises(AssertionError, match="fs_path"):
        fs.mkdir(str(tmp_path / "file"))

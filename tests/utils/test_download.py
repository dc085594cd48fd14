"""`paddle.utils.download`: files are fetched once, checked, and unpacked; processes of a job wait for the first one's."""

from __future__ import annotations

import hashlib
import io
import tarfile
import threading
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import pytest

from paddle_compat.dataset import common
from paddle_compat.utils import download

URL = "https://paddlemodels.bj.bcebos.com/models/"


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A net of these files, which counts what is asked for."""
    files: dict[str, Any] = {"asked": []}

    def answer(url: str, timeout: float) -> io.BytesIO:
        files["asked"].append(url.removeprefix(URL))
        if url.removeprefix(URL) not in files:
            raise OSError("no such file")
        return io.BytesIO(files[url.removeprefix(URL)])

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    monkeypatch.setattr(download, "WEIGHTS_HOME", str(tmp_path / "weights"))
    monkeypatch.delenv("PADDLE_TRAINER_ENDPOINTS", raising=False)
    return files


def packed(kind: str, names: tuple[str, ...]) -> bytes:
    """An archive of empty files."""
    whole = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(whole, "w") as archive:
            for name in names:
                archive.writestr(name, "")
    else:
        with tarfile.open(fileobj=whole, mode="w:gz") as archive:
            for name in names:
                archive.addfile(tarfile.TarInfo(name))
    return whole.getvalue()


def test_a_file_is_fetched_once(net: dict[str, Any], tmp_path: Path) -> None:
    net["a.pdparams"] = b"weights"
    md5 = hashlib.md5(b"weights").hexdigest()
    for given in (None, md5, md5):
        assert download.get_weights_path_from_url(URL + "a.pdparams", given) == str(tmp_path / "weights/a.pdparams")
    assert net["asked"] == ["a.pdparams"] and (tmp_path / "weights/a.pdparams").read_bytes() == b"weights"
    assert download.get_path_from_url(URL + "a.pdparams", str(tmp_path / "weights"), check_exist=False)
    assert net["asked"] == ["a.pdparams"] * 2


def test_what_cannot_be_had(net: dict[str, Any], tmp_path: Path) -> None:
    net["a.pdparams"] = b"others"
    with pytest.raises(RuntimeError, match="Retry limit reached.*another MD5 sum.*Expected a file with the MD5 sum 123 at .*a.pdparams"):
        download.get_weights_path_from_url(URL + "a.pdparams", "123")
    with pytest.raises(RuntimeError, match="no such file"):
        download.get_weights_path_from_url(URL + "b.pdparams")
    assert net["asked"] == ["a.pdparams"] * 3 + ["b.pdparams"] * 3
    with pytest.raises(AssertionError, match="downloading from a.pdparams not a url"):
        download.get_weights_path_from_url("a.pdparams")
    with pytest.raises(AssertionError, match="make sure `wget` implemented"):
        download.get_path_from_url(URL + "a.pdparams", str(tmp_path), method="wget")


@pytest.mark.parametrize("kind", ("zip", "tgz"))
@pytest.mark.parametrize("names, found", [(("one",), "one"), (("top/a", "top/b"), "top"), (("a", "b"), "models")])
def test_archives(kind: str, names: tuple[str, ...], found: str, net: dict[str, Any], tmp_path: Path) -> None:
    file = f"models.{kind}"
    net[file] = packed(kind, names)
    within = Path(download.get_path_from_url(URL + file, str(tmp_path)))
    assert within == tmp_path / found and within.exists()
    files = sorted(path.name for path in tmp_path.rglob("*") if path.is_file() and path.name != file)
    assert files == [Path(name).name for name in names]
    assert download.get_path_from_url(URL + file, str(tmp_path), decompress=False) == str(tmp_path / file)


def test_an_archive_that_leads_elsewhere(net: dict[str, Any], tmp_path: Path) -> None:
    net["evil.tgz"] = packed("tgz", ("../other", "a"))
    with pytest.raises(tarfile.FilterError):
        download.get_path_from_url(URL + "evil.tgz", str(tmp_path / "in"))
    assert not (tmp_path / "in/other").exists()


def test_the_others_of_a_machine_wait(net: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "_MOMENT", 0.01)
    monkeypatch.setenv("PADDLE_TRAINER_ENDPOINTS", "10.0.0.1:1,10.0.0.1:2,10.0.0.2:1")
    monkeypatch.setenv("PADDLE_CURRENT_ENDPOINT", "10.0.0.1:2")
    timer = threading.Timer(0.05, (tmp_path / "a").write_bytes, (b"from the first",))
    timer.start()
    assert download.get_path_from_url(URL + "a", str(tmp_path)) == str(tmp_path / "a")
    assert net["asked"] == []
    timer.join()
    net["b"] = b""
    for endpoint in ("10.0.0.1:1", "10.0.0.2:1"):
        monkeypatch.setenv("PADDLE_CURRENT_ENDPOINT", endpoint)
        download.get_path_from_url(URL + "b", str(tmp_path / endpoint))
    assert net["asked"] == ["b", "b"] and common.md5file(str(tmp_path / "10.0.0.2:1/b"))


def test_the_first_endpoint_of_each_machine_downloads() -> None:
    endpoints = ["10.0.0.2:2", "10.0.0.1:9", "10.0.0.1:8"]
    assert download._get_unique_endpoints(endpoints) == {"10.0.0.1:8", "10.0.0.2:2"}
    assert endpoints == ["10.0.0.1:8", "10.0.0.1:9", "10.0.0.2:2"]


def test_an_archive_is_unpacked_beside_itself(tmp_path: Path) -> None:
    for kind, names, within in (("tar", ("one.txt",), "one.txt"), ("zip", ("data/a", "data/b"), "data"), ("tar", ("a", "b"), "all")):
        path = tmp_path / f"all.{kind}"
        path.write_bytes(packed(kind, names))
        assert download._decompress(str(path)) == str(tmp_path / within)
        assert (tmp_path / within).exists()
    (tmp_path / "text").write_text("no archive")
    with pytest.raises(TypeError, match="fname"):
        download._decompress(str(tmp_path / "text"))

"""`paddle.dataset` and `paddle.text.datasets` read text corpora as Paddle 1.8.5 and 2.6.2 did, and say what is wrong with a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.dataset import common, conll05, image, wmt14

sys.path.insert(0, str(ROOT / "scripts/references"))
import text_corpus_cases as cases

REFERENCES = ROOT / "tests/references"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Small corpora, for which nothing is downloaded."""
    cases.use(paddle)
    monkeypatch.setattr(common, "DATA_HOME", str(tmp_path))
    monkeypatch.setattr(common, "download", common.download)  # the cases set another one
    return cases.write(str(tmp_path))


def differences(ours: dict[str, Any], file: str) -> list[str]:
    """The names of what is not as the wheel gave it."""
    expected = json.loads((REFERENCES / file).read_text())
    assert list(ours) == list(expected)
    return [name for name, value in expected.items() if json.loads(json.dumps(ours[name])) != value]


@pytest.mark.parametrize("version", ("1.8.5", "2.6.2"))
def test_readers(version: str, files: dict[str, str]) -> None:
    assert differences(cases.readers(files), f"text_readers_{version}.json") == []


def test_datasets(files: dict[str, str]) -> None:
    assert differences(cases.datasets(files), "text_datasets_2.6.2.json") == []


def test_ranked_answers(files: dict[str, str]) -> None:
    assert differences(cases.ranked(files), "text_ranked_1.8.5.json") == []


def test_opinions(files: dict[str, str]) -> None:
    assert differences(cases.opinions(files), "text_opinions_1.8.5.json") == []


def test_pictures(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image, "resize_short", image.resize_short)  # the cases leave it out, as the wheel has no OpenCV
    assert differences(cases.pictures(files), "text_pictures_2.6.2.json") == []


def test_a_loader_reads_them(files: dict[str, str]) -> None:
    houses = paddle.text.UCIHousing(files["housing.data"])
    assert [(features.shape, price.shape) for features, price in paddle.io.DataLoader(houses, batch_size=4)] == [([4, 13], [4, 1])] * 2


def test_damaged_files(files: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Expected a file './simple-examples/data/ptb.valid.txt' in it. Received: .*aclImdb"):
        paddle.text.Imikolov(files["aclImdb_v1.tar.gz"])
    with pytest.raises(AssertionError, match="Expected one file src.dict in it"):
        wmt14.dictionaries(files["wmt16.tar.gz"], 3)
    with pytest.raises(RuntimeError, match=r"Unexpected label: x\*"):
        conll05.tags(["(A0*", "x*"])
    cases.MOVIES, kept = "1::Toy Story::Comedy\n", cases.MOVIES
    try:
        damaged = cases.write(str(tmp_path))["ml-1m.zip"]
    finally:
        cases.MOVIES = kept
    with pytest.raises(ValueError, match="Expected titles with a year.*Toy Story"):
        paddle.text.Movielens(damaged)


def test_everything_is_downloaded_by_fetch(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(common, "download", lambda url, *rest: asked.append(url.rpartition("/")[2]) or "")
    monkeypatch.setattr(conll05, "get_dict", lambda: None)
    for name in ("imdb", "imikolov", "movielens", "conll05", "wmt14", "wmt16"):
        getattr(paddle.dataset, name).fetch()
    assert asked == [
        "imdb%2FaclImdb_v1.tar.gz", "imikolov%2Fsimple-examples.tgz", "movielens%2Fml-1m.zip", "conll05st%2Femb",
        "conll05st-tests.tar.gz", "wmt14.tgz", "wmt%2Fwmt14.tgz", "wmt16.tar.gz",
    ]  # fmt: skip

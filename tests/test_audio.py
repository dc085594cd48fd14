"""`paddle.audio` answers what the wheels answer."""

from __future__ import annotations

import gzip
import importlib
import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle
from paddle_compat.audio.datasets import esc50, tess

pytestmark = pytest.mark.usefixtures("paddle_is_ours")


def recorded(version: str) -> dict[str, Any]:
    """What a wheel answered, by case."""
    answers: dict[str, Any] = json.loads(gzip.decompress((ROOT / f"tests/references/audio_{version}.json.gz").read_bytes()))
    return answers


@pytest.mark.parametrize("version", ("2.6.2", "3.3.1"))
def test_answers(version: str) -> None:
    calls, snippets = importlib.import_module("audio_calls"), importlib.import_module("snippets")
    cases, expected = calls.CASES_OF_3 if version[0] == "3" else calls.CASES, recorded(version)
    assert list(cases) == list(expected), "record the answers again"
    paddle.disable_static()
    names = {"paddle": paddle, "np": np}
    wrong = [name for name, code in cases.items() if not snippets.close(snippets.answer(code, names), expected[name])]
    assert not wrong


def test_features_in_programs() -> None:
    """A recorded network gives what its layers give at once."""
    paddle.disable_static()
    layer = paddle.audio.features.MFCC(8000, 3, 32, hop_length=16, n_mels=5)
    sounds = paddle.to_tensor(np.random.default_rng(0).uniform(-1, 1, (2, 100)).astype("float32"))
    recorded_layer = paddle.jit.to_static(layer, full_graph=True)
    np.testing.assert_allclose(recorded_layer(sounds).numpy(), layer(sounds).numpy(), rtol=1e-4, atol=1e-4)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where archives are unpacked, with small ones of both collections in it."""
    for module in (esc50, tess):
        monkeypatch.setattr(module, "DATA_HOME", str(tmp_path))
    lines = ["filename,fold,target,category,esc10,src_file,take"]
    for i in range(7):
        lines.append(f"{i % 5 + 1}-{i}-A-{i * 3}.wav,{i % 5 + 1},{i * 3},dog,True,{i},A")
        sound(tmp_path / "ESC-50-master/audio" / lines[-1].partition(",")[0], i + 1)
    (tmp_path / "ESC-50-master/meta").mkdir()
    (tmp_path / "ESC-50-master/meta/esc50.csv").write_text("\n".join(lines) + "\n")
    for mood in ("angry", "ps", "sad"):
        for i, word in enumerate(("back", "bar", "base", "bath")):
            sound(tmp_path / f"TESS_Toronto_emotional_speech_set/OAF_{mood}/OAF_{word}_{mood}.wav", i + 1)
    (tmp_path / "TESS_Toronto_emotional_speech_set/OAF_sad/notes.txt").write_text("no sound")
    return tmp_path


def sound(path: Path, speed: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    paddle.audio.save(str(path), paddle.to_tensor(np.sin(np.arange(600) * speed / 50).astype("float32")[None]), 8000)


def test_environment_sounds(home: Path) -> None:
    kinds = paddle.audio.datasets.ESC50
    assert (len(kinds.label_list), kinds.label_list[7], kinds.label_list[33]) == (50, "Insects (flying)", "Door, wood creaks")
    train, left = kinds(), kinds(mode="dev", split=2)
    assert train.labels == [3, 6, 9, 12, 18] and [os.path.basename(f) for f in left.files] == ["2-1-A-3.wav", "2-6-A-18.wav"]
    waves, label = left[1]
    assert waves.shape == [600] and label == 18 and left.sample_rate == 8000
    shapes = {
        "mfcc": ({"n_mfcc": 5, "n_mels": 8, "n_fft": 64}, [5, 38]), "spectrogram": ({"n_fft": 64}, [33, 2]),
        "melspectrogram": ({"n_fft": 64, "n_mels": 6}, [6, 2]), "logmelspectrogram": ({"n_fft": 64, "n_mels": 6}, [6, 38]),
    }  # fmt: skip
    for kind, (settings, shape) in shapes.items():
        assert kinds("dev", 1, kind, **settings)[0][0].shape == shape
    with pytest.raises(RuntimeError, match="Unknown feat_type: x"):
        kinds("dev", 1, "x")
    for split in (0, 6, "1"):
        with pytest.raises(AssertionError, match="Expected an integer from 1 to 5"):
            kinds(split=split)
    with pytest.raises(TypeError, match="foo"):
        kinds("dev", 1, "mfcc", foo=3)[0]


def test_moods(home: Path) -> None:
    words = paddle.audio.datasets.TESS
    parts = [words(mode="dev", n_folds=4, split=split) for split in range(1, 5)]
    assert [len(part) for part in parts] == [3, 3, 3, 3] and len({file for part in parts for file in part.files}) == 12
    train = words(n_folds=4, split=2)
    assert not set(train.files) & set(parts[1].files) and len(train) == 9
    assert all(label == {"angry": 0, "ps": 5, "sad": 6}[file[:-4].rpartition("_")[2]] for file, label in zip(train.files, train.labels))
    for arguments in ({"n_folds": 0}, {"n_folds": 2.5}, {"split": 6}, {"split": 0}):
        with pytest.raises(AssertionError, match="Expected an integer from 1"):
            words(**arguments)


def test_archives(home: Path) -> None:
    """One that lies where it would be downloaded to is unpacked; what cannot be had is asked for by name."""
    with zipfile.ZipFile(home / "sounds.zip", "w") as packed:
        for path in (home / "ESC-50-master").rglob("*"):
            packed.write(path, path.relative_to(home))
    shutil.rmtree(home / "ESC-50-master")
    from paddle_compat.dataset.common import md5file

    archive = {"url": "https://paddleaudio.bj.bcebos.com/sounds.zip", "md5": md5file(str(home / "sounds.zip"))}
    assert len(paddle.audio.datasets.ESC50(archive=archive)) == 5


def test_a_loader_reads_sounds(home: Path) -> None:
    sounds = paddle.audio.datasets.ESC50("dev", 1, "mfcc", n_mfcc=5, n_mels=8, n_fft=64)
    assert [(x.shape, y.tolist()) for x, y in paddle.io.DataLoader(sounds, batch_size=2)] == [([2, 5, 38], [0, 15])]

"""`paddle.vision.datasets` and `paddle.dataset` read files that are there, and say where those belong that are not."""

from __future__ import annotations

import gzip
import importlib
import io
import pickle
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.dataset import cifar, common, mnist, uci_housing
from paddle_compat.vision.datasets import MNIST, Cifar10, Cifar100, DatasetFolder, FashionMNIST, ImageFolder

PIXELS = np.random.RandomState(0).randint(0, 256, (5, 784)).astype("uint8")
PHOTOGRAPHS = np.random.RandomState(1).randint(0, 256, (6, 3072)).astype("uint8")


@pytest.fixture
def digits(tmp_path: Path) -> tuple[str, str]:
    """MNIST's files, with five digits."""
    parts = {"images": (2051, (5, 28, 28), PIXELS), "labels": (2049, (5,), np.arange(5, dtype="uint8"))}
    for name, (magic, shape, data) in parts.items():
        with gzip.open(tmp_path / name, "wb") as file:
            file.write(np.array([magic, *shape], ">i4").tobytes() + data.tobytes())
    return str(tmp_path / "images"), str(tmp_path / "labels")


@pytest.fixture
def photographs(tmp_path: Path) -> str:
    """CIFAR's archive, with three files of two photographs."""
    path = tmp_path / "cifar.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for i, (name, key) in enumerate((("data_batch_2", b"labels"), ("data_batch_1", b"labels"), ("test_batch", b"fine_labels"))):
            content = pickle.dumps({b"data": PHOTOGRAPHS[2 * i : 2 * i + 2], key: [i, 9]}, protocol=2)
            entry = tarfile.TarInfo(f"cifar/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return str(path)


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for downloads, and no network."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise OSError("no network")

    monkeypatch.setattr(common, "DATA_HOME", str(tmp_path))
    monkeypatch.setattr("urllib.request.urlopen", refuse)
    return tmp_path


@pytest.mark.parametrize("kind", (MNIST, FashionMNIST))
def test_digits(kind: Any, digits: tuple[str, str]) -> None:
    data = kind(*digits, backend="cv2")
    image, label = data[3]
    assert len(data) == 5 and image.dtype == np.float32 and label.dtype == np.int64 and label.tolist() == [3]
    assert np.array_equal(image, PIXELS[3].reshape(28, 28))
    images, labels = next(iter(paddle.io.DataLoader(kind(*digits, "test", lambda x: x / 255, backend="cv2"), batch_size=5)))
    assert images.shape == [5, 28, 28] and np.allclose(images.numpy().reshape(5, -1), PIXELS / 255) and labels.shape == [5, 1]


def test_digits_go_wrong(digits: tuple[str, str], nowhere: Path) -> None:
    with pytest.raises(AssertionError, match="mode should be 'train' or 'test', but got valid"):
        MNIST(*digits, mode="valid")
    with pytest.raises(ValueError, match="but got tensor"):
        MNIST(*digits, backend="tensor")
    with pytest.raises(AssertionError, match="image_path is not set and downloading automatically is disabled"):
        MNIST(download=False)
    damaged = nowhere / "damaged"
    damaged.write_bytes(gzip.compress(b"\0\0\x08\x01abc"))
    with pytest.raises(ValueError, match="is damaged"):
        MNIST(digits[0], str(damaged))
    with pytest.raises(FileNotFoundError):
        MNIST(digits[0], "nowhere")
    with pytest.raises(ValueError, match="Expected an image for each label"):
        MNIST(digits[1], digits[1])
    missing = nowhere / "mnist" / "t10k-images-idx3-ubyte.gz"
    with pytest.raises(RuntimeError, match=f"no network.*Expected the file with the MD5 sum {MNIST.TEST_IMAGE_MD5} at {missing}"):
        MNIST(mode="test")


def test_images_need_what_reads_them(digits: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(importlib.import_module("sys").modules, "PIL.Image", None)
    with pytest.raises(ImportError, match="`PIL.Image` is needed to read images as pil"):
        MNIST(*digits)[0]
    with pytest.raises(ValueError, match="but got jpeg"):
        paddle.vision.set_image_backend("jpeg")


def test_photographs(photographs: str) -> None:
    train = Cifar10(photographs, backend="cv2")
    assert len(train) == 4 and [train[i][1].item() for i in range(4)] == [1, 9, 0, 9]  # the files in the order of their names
    image, label = train[2]
    assert image.dtype == np.float32 and image.shape == (32, 32, 3) and label.shape == ()
    assert np.array_equal(image.transpose(2, 0, 1).reshape(-1), PHOTOGRAPHS[0])
    test = Cifar100(photographs, "test", lambda x: x[:2], backend="cv2")
    assert len(test) == 2 and test[0][0].shape == (2, 32, 3) and test[1][1] == 9
    with pytest.raises(AssertionError, match="data_file is not set"):
        Cifar10(download=False)


def test_readers_of_the_same_files(digits: tuple[str, str], photographs: str) -> None:
    image, label = list(mnist.reader_creator(*digits, 100)())[2]
    assert image.dtype == np.float32 and np.allclose(image, PIXELS[2] / 127.5 - 1, atol=1e-6) and label == 2
    samples = list(cifar.reader_creator(photographs, "data_batch")())
    assert [label for _, label in samples] == [0, 9, 1, 9] and np.allclose(samples[0][0], PHOTOGRAPHS[0] / 255)
    again = cifar.reader_creator(photographs, "test_batch", cycle=True)()
    assert [next(again)[1] for _ in range(5)] == [2, 9, 2, 9, 2]


def test_downloads(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.RandomState(2).rand(10, 14)
    text = "\n".join(" ".join(map(str, row)) for row in rows).encode()
    (nowhere / "uci_housing").mkdir()
    path = nowhere / "uci_housing" / "housing.data"
    with pytest.raises(RuntimeError, match=f"Cannot download {uci_housing.URL} within retry limit 3"):
        paddle.dataset.uci_housing.train()
    asked: list[str] = []
    monkeypatch.setattr("urllib.request.urlopen", lambda url, timeout: asked.append(url) or io.BytesIO(text))
    with pytest.raises(RuntimeError, match="the file has another MD5 sum"):
        uci_housing.train()
    monkeypatch.setattr(uci_housing, "MD5", common.md5file(str(path)))
    path.unlink()
    samples = list(uci_housing.train()())
    assert len(samples) == 8 and len(list(uci_housing.test()())) == 2 and len(asked) == 4
    expected = (rows - rows.mean(axis=0)) / (rows.max(axis=0) - rows.min(axis=0))
    assert np.allclose([features for features, _ in samples], expected[:8, :13])
    assert np.allclose([price for _, price in samples], rows[:8, 13:])
    for name in ("../up", "/root", "a b"):
        with pytest.raises(ValueError, match="Invalid value for argument `module_name`"):
            common.download("file", name, "")
    assert not list(nowhere.rglob("*.part"))


def test_folders(tmp_path: Path) -> None:
    for name in ("b/2.txt", "b/1.TXT", "a/x/3.txt", "a/4.png", "5.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    root, read = str(tmp_path), lambda path: Path(path).read_text()
    data = DatasetFolder(root, read, (".txt",), str.upper)
    assert [data[i] for i in range(len(data))] == [("A/X/3.TXT", 0), ("B/1.TXT", 1), ("B/2.TXT", 1)]
    assert data.classes == ["a", "b"] and data.class_to_idx == {"a": 0, "b": 1} and data.targets == [0, 1, 1]
    assert [name for path, name in DatasetFolder(root, read, is_valid_file=lambda path: path.endswith("2.txt"))] == [1]
    images = ImageFolder(root, read, [".txt"])
    assert [images[i] for i in range(len(images))] == [["5.txt"], ["a/x/3.txt"], ["b/1.TXT"], ["b/2.txt"]]
    assert ImageFolder(root, read)[0] == ["a/4.png"]
    for kind, what in ((DatasetFolder, "directories"), (ImageFolder, "files")):
        with pytest.raises(RuntimeError, match=f"Found 0 {what} in subfolders of: {root}\nSupported extensions are: .gif"):
            kind(root, read, [".gif"])
        with pytest.raises(AssertionError, match="`extensions` must be list or tuple"):
            kind(root, read, ".txt")


def test_files_of_samples(tmp_path: Path) -> None:
    common.split(lambda: range(10), 3, f"{tmp_path}/%02d")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["00", "01", "02"]
    parts = [list(common.cluster_files_reader(f"{tmp_path}/*", 2, i)()) for i in range(2)]
    assert parts == [[0, 1, 2, 3, 7, 8, 9], [4, 5, 6]]
    with pytest.raises(TypeError, match="dumper should be callable"):
        common.split(list, 3, dumper=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="loader should be callable"):
        list(common.cluster_files_reader("*", 1, 0, loader=3)())  # type: ignore[arg-type]


def test_what_folders_are_read_with(tmp_path: Path) -> None:
    from PIL import Image

    from paddle_compat.vision.datasets import folder

    for path in ("a/1.txt", "a/0.txt", "a/sub/0.png", "b/1.txt"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    numbers = {"b": 1, "a": 0, "missing": 2}

    def below(found: list[tuple[str, int]]) -> list[tuple[str, int]]:
        return [(str(Path(path).relative_to(tmp_path)), number) for path, number in found]

    assert below(folder.make_dataset(str(tmp_path), numbers, (".txt",))) == [("a/0.txt", 0), ("a/1.txt", 0), ("b/1.txt", 1)]
    zeros = folder.make_dataset(str(tmp_path), numbers, None, lambda path: Path(path).name.startswith("0"))
    assert below(zeros) == [("a/0.txt", 0), ("a/sub/0.png", 0)]
    assert folder.make_dataset(str(tmp_path / "missing"), numbers, (".txt",)) == []
    assert folder.has_valid_extension("a.PNG", [".png"]) and not folder.has_valid_extension("a.txt", folder.IMG_EXTENSIONS)
    with pytest.raises(AssertionError, match="must be list or tuple"):
        folder.has_valid_extension("a.png", ".png")
    Image.new("L", (4, 3), 7).save(tmp_path / "grey.png")
    image = folder.default_loader(str(tmp_path / "grey.png"))
    assert (image.size, image.mode, image.getpixel((0, 0))) == ((4, 3), "RGB", (7, 7, 7))

"""`paddle.vision.datasets.Flowers`, `VOC2012` and `paddle.dataset`'s readers of them, also in a loader's processes; MATLAB's numbers."""

from __future__ import annotations

import base64
import io
import pickle
import tarfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.dataset import common
from paddle_compat.dataset._matlab import arrays
from paddle_compat.vision.datasets import VOC2012, Flowers

Image = pytest.importorskip("PIL.Image")

# what scipy.io.savemat wrote of NUMBERS, without and with compression
WRITTEN = (
    "c-r%I4DoSvQZUssQ1EpO(M`+DNmZaVV1NNePhUPD<p9KNK+FNeoKPuND4!9^W`wHANlZ%3DP~|`f{HUUGO>ebbaS||n8S=@UP*CDW(tsIf$CuenyAAFF((7b"
    "95ys_n9$5AOUwbA19G<k++!c?A+&%4Q~*kgKxqyrE#UyN&jQIl9xU!=M0R&k9@suspvysS2LSu#AR7",
    "c-r%I4DoSvQZUssQ1EpO(M`+DNmZaVV1NNePhWl@WdOt#a~>xrBor_tnJGMDNb+OjNND{exiH6V#jH6;mRy;W#Kxw!!opZt*t&y_A^12m4@jROhQ2(AzQ!4n"
    "Ud>0my1b2o8%(%E__djZoB0BS82o24Jq2mBg=;(k*4S`K;Q-fDV@5+`0b{45r-X_@`qTxa4GtV&ujbHwz#!UiNhx3!vzNC81A~MW>wJ(Qns7rlKy8<U*gny~"
    "W6cr`ePh-$X^c*6Yz$`KnU(+mZv|K#",
)
NUMBERS: dict[str, tuple[str, list[list[float]]]] = {
    "labels": ("u1", [[3, 1, 2, 7, 5]]), "tstid": ("u2", [[5, 2, 300]]), "valid": ("f8", [[1, 2, 3], [4, 5, 6]]), "trnid": ("i4", [[4]]),
}  # fmt: skip


def image(value: int, kind: str) -> bytes:
    """A picture of 3 by 2 points."""
    file = io.BytesIO()
    Image.fromarray(np.full((2, 3) if kind == "png" else (2, 3, 3), value, "uint8")).save(file, {"jpg": "jpeg"}.get(kind, kind))
    return file.getvalue()


def packed(path: Path, members: dict[str, bytes]) -> str:
    """An archive."""
    with tarfile.open(path, "w") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return str(path)


@pytest.fixture
def flowers(tmp_path: Path) -> tuple[str, str, str]:
    """Files of five flowers, of which 5 and 2 are to train with; number 300 is nowhere."""
    (tmp_path / "numbers.mat").write_bytes(zlib.decompress(base64.b85decode(WRITTEN[1])))
    archive = packed(tmp_path / "102flowers.tgz", {f"jpg/image_{number:05d}.jpg": image(10 * number, "jpg") for number in range(1, 6)})
    return archive, str(tmp_path / "numbers.mat"), str(tmp_path / "numbers.mat")


@pytest.fixture
def photographs(tmp_path: Path) -> str:
    """An archive of three photographs."""
    home, sets = "VOCdevkit/VOC2012", {"trainval": "a\nb\nc\n", "train": "a\n", "val": "b\nc\n"}
    members = {f"{home}/ImageSets/Segmentation/{name}.txt": text.encode() for name, text in sets.items()}
    for number, name in enumerate("abc"):
        members[f"{home}/JPEGImages/{name}.jpg"] = image(50 * number, "jpg")
        members[f"{home}/SegmentationClass/{name}.png"] = image(number, "png")
    return packed(tmp_path / "voc.tar", members)


@pytest.mark.parametrize("written", WRITTEN, ids=("plain", "compressed"))
def test_numbers_of_matlab(written: str, tmp_path: Path) -> None:
    path = tmp_path / "numbers.mat"
    content = zlib.decompress(base64.b85decode(written))
    path.write_bytes(content)
    found = arrays(str(path))
    assert {name: (array.dtype.str[1:], array.tolist()) for name, array in found.items()} == NUMBERS
    for damaged in (b"", b"MATLAB 7.3", content[:126], content[:150], content[:140] + b"\xff" * 8 + content[148:]):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="numbers.mat is damaged. Expected a file of MATLAB 5"):
            arrays(str(path))


def test_flowers(flowers: tuple[str, str, str]) -> None:
    train = Flowers(*flowers)
    assert len(train) == 3 and [train[at][1].tolist() for at in (0, 1)] == [[5], [1]] and train[0][1].dtype == np.int64
    assert train[0][0].size == (3, 2) and np.array(train[0][0]).mean() == pytest.approx(50, abs=1)
    test = Flowers(*flowers, mode="TEST", backend="cv2", transform=lambda picture: picture + 1)
    assert len(test) == 1 and test[0][0].dtype == np.float32 and test[0][0].mean() == pytest.approx(41, abs=1) and test[0][1] == [7]
    assert sorted(path.name for path in Path(flowers[0]).parent.iterdir()) == ["102flowers", "102flowers.tgz", "numbers.mat"]
    Path(flowers[0]).write_bytes(b"")  # it is not unpacked again
    assert Flowers(*flowers)[1][1] == [1]


def test_photographs(photographs: str) -> None:
    for mode, count in (("train", 3), ("test", 1), ("valid", 2)):
        assert len(VOC2012(photographs, mode)) == count
    picture, kinds = VOC2012(photographs, "valid")[0]
    assert picture.size == kinds.size == (3, 2) and np.unique(kinds).tolist() == [1]
    arrayed = VOC2012(photographs, "valid", backend="cv2", transform=lambda picture: picture / 2)
    assert (arrayed[1][0].mean(), arrayed[1][1].mean(), arrayed[0][1].dtype) == (pytest.approx(50, abs=1), 2, np.float32)
    assert pickle.loads(pickle.dumps(VOC2012(photographs, backend="cv2")))[2][1].mean() == 2


def test_readers(flowers: tuple[str, str, str], photographs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = dict(zip(("102flowers.tgz", "imagelabels.mat", "setid.mat"), flowers))
    monkeypatch.setattr(common, "download", lambda url, module, md5: files.get(url.split("/")[-1], photographs))
    ((picture, kind),) = paddle.dataset.flowers.test()()
    means = 40 - np.array([103.94, 116.78, 123.68])
    assert kind == 6 and picture.dtype == np.float32 and np.allclose(picture.reshape(3, 224 * 224).mean(1), means, atol=1)
    ((content, kind),) = paddle.dataset.flowers.test(tuple, use_xmap=False)()
    drawn, _ = paddle.dataset.flowers.train_mapper((content, kind))
    assert drawn.shape == picture.shape and np.allclose(drawn, picture)
    with pytest.raises(IndexError):  # flower 300 has no kind
        next(paddle.dataset.flowers.train()())
    for make, count in (("train", 3), ("test", 1), ("val", 2)):
        read = getattr(paddle.dataset.voc2012, make)()
        found = [(picture.shape, kinds.shape, kinds.max()) for picture, kinds in read()]
        assert len(found) == count and found[-1] == ((2, 3, 3), (2, 3), 0 if make == "test" else 2)
    coloured = io.BytesIO()
    Image.fromarray(np.array([[[9, 5, 1]] * 4] * 3, "uint8")).save(coloured, "png")
    loaded = paddle.dataset.image.load_image_bytes(coloured.getvalue())
    assert loaded[0, 0].tolist() == [1, 5, 9] and paddle.dataset.image.load_image_bytes(coloured.getvalue(), False).shape == (3, 4)
    assert paddle.dataset.image.resize_short(loaded, 6).shape == (6, 8, 3)


def test_processes_of_a_loader(photographs: str) -> None:
    read = VOC2012(photographs, backend="cv2")
    assert read[0][0].shape == (2, 3, 3)
    found = [kinds.mean().item() for _, kinds in paddle.io.DataLoader(read, batch_size=1, num_workers=2)]
    assert found == [0.0, 1.0, 2.0]


def test_wrong_use(flowers: tuple[str, str, str], photographs: str) -> None:
    for kind, files in ((Flowers, flowers), (VOC2012, (photographs,))):
        make: Any = kind
        with pytest.raises(AssertionError, match="mode should be 'train', 'valid' or 'test', but got gen"):
            make(*files, mode="gen")
        with pytest.raises(ValueError, match=r"Expected backend are one of \['pil', 'cv2'\], but got tensor"):
            make(*files, backend="tensor")
        with pytest.raises(AssertionError, match="data_file is not set and downloading automatically is disabled"):
            make(download=False)

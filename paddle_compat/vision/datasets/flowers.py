"""Photographs of flowers, of 102 kinds."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset._matlab import arrays
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.framework.dtype import get_default_dtype
from paddle_compat.io.dataloader.dataset import Dataset
from paddle_compat.vision.image import chosen_backend, need

DATA_URL = "http://paddlemodels.bj.bcebos.com/flowers/102flowers.tgz"
LABEL_URL = "http://paddlemodels.bj.bcebos.com/flowers/imagelabels.mat"
SETID_URL = "http://paddlemodels.bj.bcebos.com/flowers/setid.mat"
DATA_MD5 = "52808999861908f626f3c1f4e79d11fa"
LABEL_MD5 = "e0620be6f572b9609742df49c70aed4d"
SETID_MD5 = "a5357ecc9cb78c4bef273ce3793fc85c"
# The part that its authors call the test's is the largest, and Paddle trains with it.
_PARTS = {"train": "tstid", "test": "trnid", "valid": "valid"}


class Flowers(Dataset):
    """Photographs of flowers, and which of 102 kinds each is (1 to 102). The archive is unpacked beside itself, once.

    Args:
        data_file (str): the archive of photographs; None: it is downloaded, as all files are.
        label_file (str): the file of kinds.
        setid_file (str): the file that says which photographs are for training, testing and validation.
        mode (str): "train", "valid" or "test".
        transform (callable): what is done to an image.
        download (bool): whether files may be downloaded.
        backend (str): images are PIL images ("pil") or float arrays ("cv2"); None: the current backend.

    Raises:
        AssertionError: the mode is another, or a file is missing and downloading is off.
        ValueError: the backend is another, or a file is damaged.
        RuntimeError: a file cannot be downloaded.

    Example:
        >>> import paddle_compat as paddle
        >>> flowers = paddle.vision.datasets.Flowers(mode="test")  # doctest: +SKIP
        >>> image, kind = flowers[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        data_file: str | None = None,
        label_file: str | None = None,
        setid_file: str | None = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        assert mode.lower() in ("train", "valid", "test"), f"mode should be 'train', 'valid' or 'test', but got {mode}"
        self.backend = chosen_backend(backend, ("pil", "cv2"))
        self.transform = transform
        archive = given_or_downloaded(data_file, DATA_URL, DATA_MD5, "flowers", "data_file", download)
        labels = given_or_downloaded(label_file, LABEL_URL, LABEL_MD5, "flowers", "label_file", download)
        parts = given_or_downloaded(setid_file, SETID_URL, SETID_MD5, "flowers", "setid_file", download)
        self.data_path = _unpacked(archive)
        self.labels = arrays(labels)["labels"].reshape(-1)
        self.indexes = arrays(parts)[_PARTS[mode.lower()]].reshape(-1)

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        number = int(self.indexes[idx])
        image = need("PIL.Image", "pil").open(os.path.join(self.data_path, f"jpg/image_{number:05d}.jpg"))
        if self.backend == "cv2":
            image = np.array(image)
        if self.transform is not None:
            image = self.transform(image)
        return image if self.backend == "pil" else image.astype(get_default_dtype()), self.labels[number - 1 : number].astype("int64")

    def __len__(self) -> int:
        return len(self.indexes)


def _unpacked(archive: str) -> str:
    """The folder beside an archive with what is in it; it is there whole or not at all."""
    folder = archive.removesuffix(".tgz") + ("" if archive.endswith(".tgz") else "_files")
    if not os.path.isdir(folder):
        part = tempfile.mkdtemp(dir=os.path.dirname(os.path.abspath(archive)))
        try:
            with tarfile.open(archive) as opened:
                opened.extractall(part, filter="data")
            os.rename(part, folder)
        except OSError:
            if not os.path.isdir(folder):  # else another process was faster
                raise
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return folder + "/"


__all__ = ["Flowers"]

__getattr__ = missing(__name__)

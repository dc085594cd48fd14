"""Photographs, and what each of their points shows."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.framework.dtype import get_default_dtype
from paddle_compat.io.dataloader.dataset import Dataset
from paddle_compat.vision.image import chosen_backend, need

VOC_URL = "https://dataset.bj.bcebos.com/voc/VOCtrainval_11-May-2012.tar"
VOC_MD5 = "6cd6e144f989b92b3379bac3b3de84fd"
_HOME = "VOCdevkit/VOC2012"
# Paddle's parts are other ones than those of the same name in the archive.
_PARTS = {"train": "trainval", "test": "train", "valid": "val"}


class VOC2012(Dataset):
    """Photographs, and images of the same size whose points are numbers of kinds.

    Args:
        data_file (str): the archive; None: it is downloaded.
        mode (str): "train", "valid" or "test".
        transform (callable): what is done to a photograph.
        download (bool): whether the archive may be downloaded.
        backend (str): images are PIL images ("pil") or float arrays ("cv2"); None: the current backend.

    Raises:
        AssertionError: the mode is another, or the archive is missing and downloading is off.
        ValueError: the backend is another.
        RuntimeError: the archive cannot be downloaded.
        KeyError: a file is not in the archive.

    Example:
        >>> import paddle_compat as paddle
        >>> photographs = paddle.vision.datasets.VOC2012(mode="valid")  # doctest: +SKIP
        >>> image, kinds = photographs[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        data_file: str | None = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        assert mode.lower() in ("train", "valid", "test"), f"mode should be 'train', 'valid' or 'test', but got {mode}"
        self.backend = chosen_backend(backend, ("pil", "cv2"))
        self.flag = _PARTS[mode.lower()]
        self.data_file = given_or_downloaded(data_file, VOC_URL, VOC_MD5, "voc2012", "data_file", download)
        self.transform = transform
        self.dtype = get_default_dtype()
        self._archive: tarfile.TarFile | None = None
        self._process = 0
        names = self._read(f"{_HOME}/ImageSets/Segmentation/{self.flag}.txt").decode().split()
        self.data = [f"{_HOME}/JPEGImages/{name}.jpg" for name in names]
        self.labels = [f"{_HOME}/SegmentationClass/{name}.png" for name in names]

    def _read(self, name: str) -> bytes:
        """A file in the archive, which each process opens itself: a loader's workers would move one another's place in it."""
        if self._archive is None or self._process != os.getpid():
            self._archive, self._process = tarfile.open(self.data_file), os.getpid()
        content: Any = self._archive.extractfile(name)
        return bytes(content.read())

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_archive": None}

    def __getitem__(self, idx: int) -> tuple[Any, Any]:
        reader = need("PIL.Image", "pil")
        image, kinds = (reader.open(io.BytesIO(self._read(name[idx]))) for name in (self.data, self.labels))
        if self.backend == "cv2":
            image, kinds = np.array(image), np.array(kinds)
        if self.transform is not None:
            image = self.transform(image)
        return (image, kinds) if self.backend == "pil" else (image.astype(self.dtype), kinds.astype(self.dtype))

    def __len__(self) -> int:
        return len(self.data)

    def __del__(self) -> None:
        if getattr(self, "_archive", None) is not None:
            self._archive.close()  # type: ignore[union-attr]


__all__ = ["VOC2012"]

__getattr__ = missing(__name__)

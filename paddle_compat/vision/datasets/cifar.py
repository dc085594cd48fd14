"""Small photographs of 10 or 100 kinds of things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset._files import cifar_batches
from paddle_compat.dataset.cifar import _FILES, URL_PREFIX
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.framework.dtype import get_default_dtype
from paddle_compat.io.dataloader.dataset import Dataset
from paddle_compat.vision.image import chosen_backend, need


class Cifar10(Dataset):
    """Photographs, 32 by 32, and of which of ten kinds each is.

    Args:
        data_file (str): the archive; None: it is downloaded.
        mode (str): "train" or "test".
        transform (callable): what is done to an image.
        download (bool): whether the archive may be downloaded.
        backend (str): images are PIL images ("pil") or float arrays ("cv2"); None: the current backend.

    Raises:
        AssertionError: the mode is another, or the file is missing and downloading is off.
        ValueError: the backend is another.
        RuntimeError: the archive cannot be downloaded.

    Example:
        >>> import paddle_compat as paddle
        >>> photographs = paddle.vision.datasets.Cifar10(mode="test")  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    _kinds = 10
    _parts = {"train": "data_batch", "test": "test_batch"}

    def __init__(
        self,
        data_file: str | None = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        assert mode.lower() in ("train", "test"), f"mode.lower() should be 'train' or 'test', but got {mode}"
        self.mode = mode.lower()
        self.backend = chosen_backend(backend, ("pil", "cv2"))
        self.flag = self._parts[self.mode]
        name, self.data_md5 = _FILES[self._kinds]
        self.data_url = URL_PREFIX + name
        self.data_file = given_or_downloaded(data_file, self.data_url, self.data_md5, "cifar", "data_file", download)
        self.transform = transform
        parts = cifar_batches(self.data_file, self.flag, in_order=True)
        self.data = [sample for images, labels in parts for sample in zip(images, labels)]
        self.dtype = get_default_dtype()

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        data, label = self.data[idx]
        image: Any = data.reshape(3, 32, 32).transpose(1, 2, 0)
        if self.backend == "pil":
            image = need("PIL.Image", "pil").fromarray(image.astype("uint8"))
        if self.transform is not None:
            image = self.transform(image)
        return image if self.backend == "pil" else image.astype(self.dtype), np.array(label, "int64")

    def __len__(self) -> int:
        return len(self.data)


class Cifar100(Cifar10):
    """Photographs, 32 by 32, and of which of a hundred kinds each is.

    Args:
        data_file (str): the archive; None: it is downloaded.
        mode (str): "train" or "test".
        transform (callable): what is done to an image.
        download (bool): whether the archive may be downloaded.
        backend (str): images are PIL images ("pil") or float arrays ("cv2"); None: the current backend.

    Example:
        >>> import paddle_compat as paddle
        >>> photographs = paddle.vision.datasets.Cifar100(mode="test")  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    _kinds = 100
    _parts = {"train": "train", "test": "test"}


__all__ = ["Cifar10", "Cifar100"]

__getattr__ = missing(__name__)

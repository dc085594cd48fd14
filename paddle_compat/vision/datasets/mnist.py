"""Handwritten digits, and clothes in the same form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset._files import images_and_labels
from paddle_compat.dataset.common import given_or_downloaded
from paddle_compat.framework.dtype import get_default_dtype
from paddle_compat.io.dataloader.dataset import Dataset
from paddle_compat.vision.image import chosen_backend, need


class MNIST(Dataset):
    """Handwritten digits, 28 by 28, and which digit each is.

    Args:
        image_path (str): the file of the images; None: it is downloaded.
        label_path (str): the file of the labels; None: it is downloaded.
        mode (str): "train" or "test".
        transform (callable): what is done to an image.
        download (bool): whether files may be downloaded.
        backend (str): images are PIL images ("pil") or float arrays ("cv2"); None: the current backend.

    Raises:
        AssertionError: the mode is another, or a file is missing and downloading is off.
        ValueError: the backend is another, or a file is damaged.
        RuntimeError: a file cannot be downloaded.

    Example:
        >>> import paddle_compat as paddle
        >>> digits = paddle.vision.datasets.MNIST(mode="test")  # doctest: +SKIP
        >>> image, label = digits[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    NAME = "mnist"
    URL_PREFIX = "https://dataset.bj.bcebos.com/mnist/"
    TEST_IMAGE_URL = URL_PREFIX + "t10k-images-idx3-ubyte.gz"
    TEST_IMAGE_MD5 = "9fb629c4189551a2d022fa330f9573f3"
    TEST_LABEL_URL = URL_PREFIX + "t10k-labels-idx1-ubyte.gz"
    TEST_LABEL_MD5 = "ec29112dd5afa0611ce80d1b7f02629c"
    TRAIN_IMAGE_URL = URL_PREFIX + "train-images-idx3-ubyte.gz"
    TRAIN_IMAGE_MD5 = "f68b3c2dcbeaaa9fbdd348bbdeb94873"
    TRAIN_LABEL_URL = URL_PREFIX + "train-labels-idx1-ubyte.gz"
    TRAIN_LABEL_MD5 = "d53e105ee54ea40749a09fcbcd1e9432"

    def __init__(
        self,
        image_path: str | None = None,
        label_path: str | None = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        assert mode.lower() in ("train", "test"), f"mode should be 'train' or 'test', but got {mode}"
        self.mode = mode.lower()
        self.backend = chosen_backend(backend, ("pil", "cv2"))
        self.image_path = self._path(image_path, "IMAGE", download)
        self.label_path = self._path(label_path, "LABEL", download)
        self.transform = transform
        images, labels = images_and_labels(self.image_path, self.label_path)
        self.images = list(images.astype("float32"))
        self.labels = list(labels.astype("int64").reshape(-1, 1))
        self.dtype = get_default_dtype()

    def _path(self, path: str | None, what: str, download: bool) -> str:
        url, md5 = (getattr(self, f"{self.mode.upper()}_{what}_{kind}") for kind in ("URL", "MD5"))
        return given_or_downloaded(path, url, md5, self.NAME, f"{what.lower()}_path", download)

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        image: Any = self.images[idx].reshape(28, 28)
        if self.backend == "pil":
            image = need("PIL.Image", "pil").fromarray(image.astype("uint8"))
        if self.transform is not None:
            image = self.transform(image)
        return image if self.backend == "pil" else image.astype(self.dtype), self.labels[idx]

    def __len__(self) -> int:
        return len(self.labels)


class FashionMNIST(MNIST):
    """Clothes, 28 by 28, and of which of ten kinds each is; arguments as MNIST's.

    Args:
        image_path (str): the file of the images; None: it is downloaded.
        label_path (str): the file of the labels; None: it is downloaded.
        mode (str): "train" or "test".
        transform (callable): what is done to an image.
        download (bool): whether files may be downloaded.
        backend (str): images are PIL images ("pil") or float arrays ("cv2"); None: the current backend.

    Example:
        >>> import paddle_compat as paddle
        >>> clothes = paddle.vision.datasets.FashionMNIST(mode="test")  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    NAME = "fashion-mnist"
    URL_PREFIX = "https://dataset.bj.bcebos.com/fashion_mnist/"
    TEST_IMAGE_URL = URL_PREFIX + "t10k-images-idx3-ubyte.gz"
    TEST_IMAGE_MD5 = "bef4ecab320f06d8554ea6380940ec79"
    TEST_LABEL_URL = URL_PREFIX + "t10k-labels-idx1-ubyte.gz"
    TEST_LABEL_MD5 = "bb300cfdad3c16e7a12a480ee83cd310"
    TRAIN_IMAGE_URL = URL_PREFIX + "train-images-idx3-ubyte.gz"
    TRAIN_IMAGE_MD5 = "8d4fb7e6c68d591d4c3dfef9ec88bf0d"
    TRAIN_LABEL_URL = URL_PREFIX + "train-labels-idx1-ubyte.gz"
    TRAIN_LABEL_MD5 = "25c81989df183df01b3e8a0aad5dffbe"


__all__ = ["FashionMNIST", "MNIST"]

__getattr__ = missing(__name__)

"""Images in folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.framework.dtype import get_default_dtype
from paddle_compat.io.dataloader.dataset import Dataset
from paddle_compat.vision.image import get_image_backend, need

IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")
_Test = Callable[[str], bool]


def _files(folder: str, is_valid: _Test) -> Iterator[str]:
    """The valid files in a folder and those below it, sorted."""
    for where, _, names in sorted(os.walk(os.path.expanduser(folder), followlinks=True)):
        yield from (path for name in sorted(names) if is_valid(path := os.path.join(where, name)))


def _test(extensions: Sequence[str] | None, is_valid_file: _Test | None) -> _Test:
    """Which files count: the user's function decides where there are no extensions."""
    if extensions is None and is_valid_file is not None:
        return is_valid_file
    extensions = IMG_EXTENSIONS if extensions is None else extensions
    if not isinstance(extensions, (list, tuple)):
        raise AssertionError(f"`extensions` must be list or tuple. Received: {extensions!r}")
    endings = tuple(extension.lower() for extension in extensions)
    return lambda path: path.lower().endswith(endings)


def has_valid_extension(filename: str, extensions: Sequence[str]) -> bool:
    """Whether a file's name ends in one of the extensions, in small letters or capitals.

    Args:
        filename (str): the name.
        extensions (list|tuple): the extensions.
    Returns:
        bool.
    Raises:
        AssertionError: extensions is neither list nor tuple.

    Example:
        >>> from paddle_compat.vision.datasets.folder import IMG_EXTENSIONS, has_valid_extension
        >>> has_valid_extension("cat.PNG", IMG_EXTENSIONS)
        True

    Follows Paddle 2.6.
    """
    return _test(extensions, None)(filename)


def make_dataset(
    dir: str, class_to_idx: Mapping[str, int], extensions: Sequence[str] | None, is_valid_file: _Test | None = None
) -> list[tuple[str, int]]:
    """The files of a folder's folders, each with the number of its folder.

    Args:
        dir (str): the folder of these folders.
        class_to_idx (dict): their names and numbers.
        extensions (list|tuple): how the names of the files end; None: `is_valid_file` decides.
        is_valid_file (callable): tells of a path whether the file counts.
    Returns:
        list: pairs of a path and a number.
    Raises:
        AssertionError: extensions is neither list nor tuple.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.vision.datasets.folder import make_dataset
        >>> root = tempfile.mkdtemp()
        >>> os.mkdir(f"{root}/cat")
        >>> _ = open(f"{root}/cat/1.txt", "w").write("")
        >>> [(os.path.basename(path), number) for path, number in make_dataset(root, {"cat": 4}, [".txt"])]
        [('1.txt', 4)]

    Follows Paddle 2.6.
    """
    valid = _test(extensions, is_valid_file)
    folders = [(os.path.join(os.path.expanduser(dir), name), class_to_idx[name]) for name in sorted(class_to_idx)]
    return [(path, number) for folder, number in folders if os.path.isdir(folder) for path in _files(folder, valid)]


def pil_loader(path: str) -> Any:
    """An image as PIL has it, in colours.

    Args:
        path (str): the file.
    Returns:
        PIL.Image.Image.

    Example:
        >>> import tempfile
        >>> from PIL import Image
        >>> from paddle_compat.vision.datasets.folder import pil_loader
        >>> path = tempfile.mkdtemp() + "/grey.png"
        >>> Image.new("L", (2, 3)).save(path)
        >>> pil_loader(path).mode
        'RGB'

    Follows Paddle 2.6.
    """
    with open(path, "rb") as file:
        return need("PIL.Image", "pil").open(file).convert("RGB")


def cv2_loader(path: str) -> Any:
    """An image as an array, in the order red, green, blue; needs OpenCV.

    Args:
        path (str): the file.
    Returns:
        numpy.ndarray.

    Example:
        >>> from paddle_compat.vision.datasets.folder import cv2_loader
        >>> cv2_loader("cat.png").shape  # doctest: +SKIP
        (32, 32, 3)

    Follows Paddle 2.6.
    """
    cv2 = need("cv2", "cv2")
    return cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)


def default_loader(path: str) -> Any:
    """An image in colours, as the current image backend has it.

    Args:
        path (str): the file.
    Returns:
        PIL.Image.Image or numpy.ndarray.

    Example:
        >>> import tempfile
        >>> from PIL import Image
        >>> from paddle_compat.vision.datasets.folder import default_loader
        >>> path = tempfile.mkdtemp() + "/grey.png"
        >>> Image.new("L", (2, 3)).save(path)
        >>> default_loader(path).size
        (2, 3)

    Follows Paddle 2.6.
    """
    return cv2_loader(path) if get_image_backend() == "cv2" else pil_loader(path)


def _none(what: str, root: str, extensions: Sequence[str] | None) -> RuntimeError:
    supported = ",".join(IMG_EXTENSIONS if extensions is None else extensions)
    return RuntimeError(f"Found 0 {what} in subfolders of: {root}\nSupported extensions are: {supported}")


class _OfFiles(Dataset):
    """What both kinds of folders do with their files."""

    samples: list[Any]

    def __init__(
        self, root: str, loader: Callable[[str], Any] | None, extensions: Sequence[str] | None, transform: Callable[[Any], Any] | None
    ) -> None:
        self.root, self.transform = root, transform
        self.loader = default_loader if loader is None else loader
        self.extensions = IMG_EXTENSIONS if extensions is None else extensions

    def _read(self, path: str) -> Any:
        sample = self.loader(path)
        return sample if self.transform is None else self.transform(sample)

    def __len__(self) -> int:
        return len(self.samples)


class DatasetFolder(_OfFiles):
    """Files in folders, each of which is a class.

    Args:
        root (str): the folder of these folders.
        loader (callable): reads a file; None: the current image backend.
        extensions (list|tuple): how the names of the files end; None: as those of images.
        transform (callable): what is done to a sample.
        is_valid_file (callable): tells of a path whether the file counts, instead of the extensions.

    Raises:
        RuntimeError: there are no such files.
        AssertionError: extensions is neither list nor tuple.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> root = tempfile.mkdtemp()
        >>> for name in ("cat", "dog"):
        ...     os.mkdir(f"{root}/{name}")
        ...     _ = open(f"{root}/{name}/1.txt", "w").write(name.upper())
        >>> animals = paddle.vision.datasets.DatasetFolder(root, lambda path: open(path).read(), [".txt"])
        >>> animals.classes, animals[1]
        (['cat', 'dog'], ('DOG', 1))

    Follows Paddle 2.6; there `is_valid_file` has no effect.
    """

    def __init__(
        self,
        root: str,
        loader: Callable[[str], Any] | None = None,
        extensions: Sequence[str] | None = None,
        transform: Callable[[Any], Any] | None = None,
        is_valid_file: _Test | None = None,
    ) -> None:
        super().__init__(root, loader, extensions, transform)
        self.classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}
        self.samples = make_dataset(root, self.class_to_idx, extensions, is_valid_file)
        if not self.samples:
            raise _none("directories", root, extensions)
        self.targets = [target for _, target in self.samples]
        self.dtype = get_default_dtype()

    def __getitem__(self, index: int) -> tuple[Any, int]:
        path, target = self.samples[index]
        return self._read(path), target


class ImageFolder(_OfFiles):
    """Files in a folder and those below it.

    Args:
        root (str): the folder.
        loader (callable): reads a file; None: the current image backend.
        extensions (list|tuple): how the names of the files end; None: as those of images.
        transform (callable): what is done to a sample.
        is_valid_file (callable): tells of a path whether the file counts, instead of the extensions.

    Raises:
        RuntimeError: there are no such files.
        AssertionError: extensions is neither list nor tuple.

    Example:
        >>> import tempfile, paddle_compat as paddle
        >>> root = tempfile.mkdtemp()
        >>> _ = open(f"{root}/1.txt", "w").write("one")
        >>> paddle.vision.datasets.ImageFolder(root, lambda path: open(path).read(), [".txt"])[0]
        ['one']

    Follows Paddle 2.6; there `is_valid_file` has no effect.
    """

    def __init__(
        self,
        root: str,
        loader: Callable[[str], Any] | None = None,
        extensions: Sequence[str] | None = None,
        transform: Callable[[Any], Any] | None = None,
        is_valid_file: _Test | None = None,
    ) -> None:
        super().__init__(root, loader, extensions, transform)
        self.samples = list(_files(root, _test(extensions, is_valid_file)))
        if not self.samples:
            raise _none("files", root, extensions)

    def __getitem__(self, index: int) -> list[Any]:
        return [self._read(self.samples[index])]


__all__ = ["DatasetFolder", "ImageFolder"]

__getattr__ = missing(__name__)

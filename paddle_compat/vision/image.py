"""`paddle.vision.image`: what reads images."""

from __future__ import annotations

import importlib
from typing import Any

from paddle_compat._missing import missing

_BACKENDS = ("pil", "cv2", "tensor")
_backend = "pil"


def _checked(backend: str, among: tuple[str, ...] = _BACKENDS) -> str:
    if backend not in among:
        raise ValueError(f"Expected backend are one of {list(among)}, but got {backend}")
    return backend


def chosen_backend(backend: str | None, among: tuple[str, ...]) -> str:
    """The backend that was given, else the current one."""
    return _checked(_backend if backend is None else backend, among)


def need(module: str, what: str) -> Any:
    """A module that reads images, which may not be installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        wanted = f"`{module}` is needed to read images as {what}. Expected paddle_compat[vision] installed."
        raise ImportError(f"{wanted} Received: {error}") from error


def set_image_backend(backend: str) -> None:
    """Say what reads images.

    Args:
        backend: "pil", "cv2" or "tensor".
    Raises:
        ValueError: it is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.set_image_backend("cv2"); paddle.vision.get_image_backend()
        'cv2'
        >>> paddle.vision.set_image_backend("pil")

    Follows Paddle 2.6.
    """
    global _backend
    _backend = _checked(backend)


def get_image_backend() -> str:
    """What reads images.

    Returns:
        str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.get_image_backend()
        'pil'

    Follows Paddle 2.6.
    """
    return _backend


def image_load(path: str, backend: str | None = None) -> Any:
    """Read an image.

    Args:
        path: the file.
        backend: "pil" or "cv2", which must be installed; None: the current one.
    Returns:
        A PIL image, or an array.
    Raises:
        ValueError: the backend is none of these.
        ImportError: it is not installed.

    Example:
        >>> import paddle_compat as paddle
        >>> image = paddle.vision.image_load("image.png")  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    if chosen_backend(backend, _BACKENDS) == "pil":
        return need("PIL.Image", "pil").open(path)
    return need("cv2", "cv2").imread(path)


__all__ = ["get_image_backend", "image_load", "set_image_backend"]

__getattr__ = missing(__name__)

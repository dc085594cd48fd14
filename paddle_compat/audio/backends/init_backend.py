"""Which backend reads and writes files of sound: there is one."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError

_ONLY = "wave_backend"


def list_available_backends() -> list[str]:
    """The names of the backends.

    Returns:
        list: the name of the one that is there.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.audio.backends.list_available_backends()
        ['wave_backend']

    Follows Paddle 2.6.
    """
    return [_ONLY]


def get_current_backend() -> str:
    """The name of the backend in use.

    Returns:
        str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.audio.backends.get_current_backend()
        'wave_backend'

    Follows Paddle 2.6.
    """
    return _ONLY


def set_backend(backend_name: str) -> None:
    """Choose a backend.

    Args:
        backend_name (str): "wave_backend".
    Raises:
        NotImplementedError: there is no such backend; Paddle has others from the package paddleaudio.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.audio.backends.set_backend("wave_backend")

    Follows Paddle 2.6.
    """
    if backend_name != _ONLY:
        raise UnsupportedError(f"paddle.audio.backends.set_backend({backend_name!r})", instead=f"set_backend({_ONLY!r})")


__all__ = ["get_current_backend", "list_available_backends", "set_backend"]

__getattr__ = missing(__name__)

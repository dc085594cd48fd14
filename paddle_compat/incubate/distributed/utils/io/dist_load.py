"""`paddle.incubate.distributed.utils.io.load`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.framework import io


def load(path: str, **configs: Any) -> Any:
    """Load what `save` has written, as `paddle.load` does.

    Args:
        path (str): the file.
        configs: as `paddle.load` takes them; `place`, of no effect: Tensors go where they are used.
    Returns:
        dict: as `paddle.load` gives it.

    Example:
        >>> import tempfile
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.utils.io import load, save
        >>> path = tempfile.mkdtemp() + "/model.pdparams"
        >>> save(paddle.nn.Linear(2, 3).state_dict(), path)
        >>> sorted(load(path))
        ['bias', 'weight']

    Follows Paddle 2.6 and 3.3.
    """
    configs.pop("place", None)
    return io.load(path, **configs)


__all__ = ["load"]
__getattr__ = missing(__name__)

"""`paddle.distributed.auto_parallel.pipelining.utils`: what a tensor between stages is like."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._tensors import inside, is_dist


class PipeliningShapeError(RuntimeError):
    """A stage was given, or has made, something else than was said.

    Example:
        >>> from paddle_compat.distributed.auto_parallel.pipelining.utils import PipeliningShapeError
        >>> issubclass(PipeliningShapeError, RuntimeError)
        True

    Follows Paddle 3.3.
    """


class TensorMeta:
    """What a tensor is like, without its values.

    Args:
        tensor (Tensor): the tensor.
    Raises:
        TypeError: it is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining.utils import TensorMeta
        >>> meta = TensorMeta(paddle.ones([2, 3])); meta.shape, meta.dtype == paddle.float32, meta.placements
        ([2, 3], True, None)

    Follows Paddle 3.3.
    """

    def __init__(self, tensor: Tensor) -> None:
        if not isinstance(tensor, Tensor):
            raise type_error("tensor", "a Tensor", tensor, "TensorMeta")
        laid: Any = tensor
        self.shape, self.dtype, self.stop_gradient = laid.shape, laid.dtype, laid.stop_gradient
        self._local_shape = list(inside(tensor)._local_tensor.shape) if is_dist(tensor) else None
        self.placements = laid.placements if is_dist(tensor) else None

    def __repr__(self) -> str:
        said = f"global_shape={self.shape},local_shape={self._local_shape}, dtype={self.dtype}, placements={self.placements}"
        return f"TensorMeta({said})"


def check(what: str, expected: tuple[TensorMeta, ...], values: tuple[Any, ...]) -> None:
    """Refuse values that are not like what was said.

    Args:
        what (str): whose they are.
        expected (tuple): of TensorMeta; values (tuple): of Tensors.
    Raises:
        PipeliningShapeError: there are more or fewer, or one has another shape or data type.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.auto_parallel.pipelining.utils import TensorMeta, check
        >>> check("Stage 0 outputs", (TensorMeta(paddle.ones([2])),), (paddle.zeros([2]),))

    Follows Paddle 3.3.
    """
    if len(expected) != len(values):
        raise PipeliningShapeError(f"{what}: Number of values ({len(values)}) does not match expected number ({len(expected)})")
    for place, (meta, value) in enumerate(zip(expected, values)):
        for name, right, found in (("shape", meta.shape, value.shape), ("dtype", meta.dtype, value.dtype)):
            if right != found:
                raise PipeliningShapeError(f"{what}: value {place} has a {name} mismatch: expected {right} actual {found}")


__all__: list[str] = []
__getattr__ = missing(__name__)

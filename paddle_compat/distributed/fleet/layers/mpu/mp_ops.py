"""What tensor parallel layers exchange: with one process along the model axis, a Tensor is all that there is."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed.collective import split

__all__ = ["split"]


def check_alone(api: str, group: Any) -> None:
    """Refuse a group of several processes.

    Args:
        api (str): who asks.
        group (Group|None): of the model axis; None: that of the job, which has one process.
    Raises:
        UnsupportedError: it has several.

    Example:
        >>> from paddle_compat.distributed.fleet.layers.mpu.mp_ops import check_alone
        >>> check_alone("mine", None)

    Follows Paddle 2.6.
    """
    if group is not None and group.nranks > 1:
        several = f"{group.nranks} ranks along 'model'"
        raise UnsupportedError(f"paddle.distributed.fleet.{api}", several, "torch.distributed.tensor.parallel")


def _whole(api: str) -> Any:
    def same(tensor: Any, *args: Any, group: Any = None, **kwargs: Any) -> Any:
        check_alone(f"layers.mpu.mp_ops.{api}", group)
        return tensor

    same.__name__ = api
    return same


_c_identity, _c_concat, _c_split, _mp_allreduce = map(_whole, ("_c_identity", "_c_concat", "_c_split", "_mp_allreduce"))

__getattr__ = missing(__name__)

"""`paddle.distributed.communication.serialization_utils`: Python values as Tensors of bytes."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor


def convert_object_to_tensor(obj: Any) -> tuple[Tensor, Tensor]:
    r"""A Python value as bytes.

    Args:
        obj: what can be pickled.
    Returns:
        tuple: the bytes, and how many there are.

    Example:
        >>> from paddle_compat.distributed.communication.serialization_utils import convert_object_to_tensor
        >>> data, size = convert_object_to_tensor({"a": 1})
        >>> data.shape == [int(size)], bytes(data.tolist())[:1]
        (True, b'\x80')

    Follows Paddle 2.6.
    """
    data = np.frombuffer(pickle.dumps(obj), np.uint8).copy()
    return Tensor(torch.from_numpy(data)), Tensor(torch.tensor(data.size))


def convert_tensor_to_object(tensor: Tensor, len_of_tensor: Any) -> Any:
    """The Python value that bytes are; only for bytes of processes that you trust, as all of pickle.

    Args:
        tensor (Tensor): the bytes.
        len_of_tensor (int|Tensor): how many of them count.
    Returns:
        the value.

    Example:
        >>> from paddle_compat.distributed.communication import serialization_utils as utils
        >>> utils.convert_tensor_to_object(*utils.convert_object_to_tensor({"a": 1}))
        {'a': 1}

    Follows Paddle 2.6.
    """
    return pickle.Unpickler(io.BytesIO(tensor.numpy()[: int(len_of_tensor)].tobytes())).load()


__all__ = ["convert_object_to_tensor", "convert_tensor_to_object"]
__getattr__ = missing(__name__)

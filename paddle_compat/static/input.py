"""`paddle.static.data` and `paddle.static.InputSpec`: what comes into a Program."""

from __future__ import annotations

import warnings
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype, default
from paddle_compat.core.errors import type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable


def data(name: str, shape: Any, dtype: DTypeLike | None = None, lod_level: int = 0) -> Variable:
    """A variable that a run is fed with.

    Where nobody has chosen between static and eager mode yet, this chooses static mode, with a warning.

    Args:
        name (str): its name, by which `Executor.run(feed={name: ...})` finds it.
        shape (list|tuple): its dimensions; None or -1 for one that only a run knows.
        dtype: data type of its elements; None: that of `paddle.get_default_dtype()`.
        lod_level (int): how many sequence levels it has.
    Returns:
        Variable: it stops gradients unless told otherwise.
    Raises:
        AssertionError: eager mode was chosen.
        TypeError: name, shape or dtype is of another type.
        ValueError: there is a variable of that name with another shape (but data in a script of Paddle 3) or data type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.static.data("x", [None, 3], "float32").shape
        (-1, 3)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    if not isinstance(name, (str, bytes)):
        raise type_error("name", "str", name, "data")
    if not isinstance(shape, (list, tuple)):
        raise type_error("shape", "list or tuple", shape, "data")
    for size in shape:
        if size is not None and not hasattr(size, "__index__"):
            raise type_error("shape", "ints or None in it", size, "data")
    _choose_static("paddle.static.data")
    name = name.decode() if isinstance(name, bytes) else name
    sizes = tuple(-1 if size is None else int(size) for size in shape)
    kind = default() if dtype is None else convert_dtype(dtype)
    helper = LayerHelper("data", name=name)
    variables = helper.main_program.global_block().vars
    existing = variables.get(name)
    if SINCE_3 and existing is not None and existing.is_data and existing.dtype == kind:
        del variables[name]  # both are fed then, whatever shape each of them has
    elif existing is not None and (existing.shape, existing.dtype) != (sizes, kind):
        raise ValueError(
            f"Variable `{name}` exists in this Program with another shape or data type. "
            f"Expected {existing.shape} {existing.dtype}. Received: {sizes} {kind}"
        )
    return helper.create_global_variable(
        name=name,
        shape=sizes,
        dtype=kind,
        type=VarType.LOD_TENSOR,
        stop_gradient=True,
        lod_level=lod_level,
        is_data=True,
        need_check_feed=True,
    )


def _choose_static(api: str) -> None:
    """Static mode, where nobody chose eager mode."""
    former = mode.set_static(True)
    if former is False:
        mode.set_static(False)
        raise AssertionError(f"`{api}` works in static mode only. Expected paddle.enable_static() before. Received: a call in eager mode")
    if former is None:
        warnings.warn(
            f"`{api}` was called before paddle.enable_static(): static mode is on from now on. Call "
            "paddle.enable_static() first, because the real Paddle 2.x starts in eager mode and raises here.",
            stacklevel=3,
        )


class InputSpec:
    """What a model's input looks like: its shape, data type and name.

    Args:
        shape (list|tuple): its dimensions; None or -1 for one that only a run knows.
        dtype: data type of its elements.
        name (str): its name.
        stop_gradient (bool): whether gradients stop at it.
    Raises:
        TypeError: shape is no list or tuple.
        ValueError: shape has something else than ints or None in it.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> from paddle_compat.static import InputSpec
        >>> InputSpec([None, 784], "float32", "image")
        InputSpec(shape=(-1, 784), dtype=paddle.float32, name=image, stop_gradient=False)
        >>> InputSpec.from_numpy(np.ones([2, 3], "float32")).batch(4).shape
        (4, 2, 3)
        >>> InputSpec.from_tensor(paddle.ones([2, 3]), "x").unbatch().shape
        (3,)

    Follows Paddle 2.6.
    """

    def __init__(self, shape: Any, dtype: DTypeLike = "float32", name: str | None = None, stop_gradient: bool = False) -> None:
        self.shape = self._verify(shape)
        self.dtype = convert_dtype(dtype) if dtype is not None else None
        self.name = name
        self.stop_gradient = stop_gradient

    @staticmethod
    def _verify(shape: Any) -> tuple[int, ...]:
        if not isinstance(shape, (list, tuple)):
            raise type_error("shape", "list or tuple", shape, "InputSpec")
        for size in shape:
            if size is not None and not isinstance(size, int):
                raise ValueError(f"Invalid value for argument `shape` of `InputSpec`. Expected ints or None. Received: {size!r}")
        return tuple(-1 if size is None or size < -1 else size for size in shape)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> InputSpec:
        """The spec of a Tensor or Variable.

        Args:
            tensor (Tensor|Variable): where shape and data type come from.
            name (str): its name; None: the tensor's.
        Returns:
            InputSpec.
        Raises:
            ValueError: it is neither.
        """
        if not isinstance(tensor, (Tensor, Variable)):
            raise ValueError(f"Invalid value for argument `tensor`. Expected a Tensor. Received: {type(tensor).__name__}")
        return cls(list(tensor.shape), tensor.dtype, name or tensor.name)

    @classmethod
    def from_numpy(cls, ndarray: Any, name: str | None = None) -> InputSpec:
        """The spec of a numpy array.

        Args:
            ndarray (numpy.ndarray): where shape and data type come from.
            name (str): its name.
        Returns:
            InputSpec.
        """
        return cls(list(ndarray.shape), ndarray.dtype, name)

    def batch(self, batch_size: int) -> InputSpec:
        """Put a dimension of that size in front of the shape.

        Args:
            batch_size (int): the size.
        Returns:
            InputSpec: itself.
        Raises:
            TypeError: it is no int.
        """
        if isinstance(batch_size, (list, tuple)):
            if len(batch_size) != 1:
                raise ValueError(f"Invalid value for argument `batch_size`. Expected one size. Received: {batch_size}")
            batch_size = batch_size[0]
        if not isinstance(batch_size, int):
            raise type_error("batch_size", "int", batch_size, "InputSpec.batch")
        self.shape = (batch_size, *self.shape)
        return self

    def unbatch(self) -> InputSpec:
        """Take the first dimension away from the shape.

        Returns:
            InputSpec: itself.
        Raises:
            ValueError: there is none.
        """
        if not self.shape:
            raise ValueError("Not possible to unbatch an InputSpec. Expected one dimension or more. Received: no dimensions")
        self.shape = self.shape[1:]
        return self

    def _key(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.name, self.stop_gradient

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={self.shape}, dtype={self.dtype}, name={self.name}, stop_gradient={self.stop_gradient})"


__all__ = ["InputSpec", "data"]

__getattr__ = missing(__name__)

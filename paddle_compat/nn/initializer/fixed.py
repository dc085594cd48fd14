"""Initializers whose result is decided (or, for `Orthogonal`, constrained) beforehand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType, dtype_name, numpy_dtype
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.infer import meta_of
from paddle_compat.core.op import definition_of
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.initializer.base import Initializer, block_of, fill, seed_of

_VALUES = {
    VarType.FP32: "fp32_values",
    VarType.FP64: "fp64_values",
    VarType.INT32: "int32_values",
    VarType.BOOL: "bool_values",
}
_MOST = 1 << 30


class Constant(Initializer):
    """One value everywhere.

    Args:
        value (float): the value.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.Constant(0.5)
        >>> paddle.create_parameter([2], "float32", default_initializer=start).tolist()
        [0.5, 0.5]

    Follows Paddle 2.6.
    """

    def __init__(self, value: float = 0.0) -> None:
        if value is None:
            raise invalid_argument("value", "a number", value, "Constant")
        self._value = value
        self._force_cpu = False

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`."""
        value = float(self._value)
        return fill(var, block, "fill_constant", {"value": value, "str_value": str(value), "force_cpu": self._force_cpu})


def _assign(var: Any, block: Any, values: np.ndarray) -> Any:
    """Let `assign_value` write these values into `var`."""
    dtype = VarType.FP32 if var.dtype in (VarType.FP16, VarType.BF16) else VarType(var.dtype)
    slot = _VALUES.get(dtype)
    if slot is None:
        expected = "float32, float64, float16, bfloat16, int32 or bool"
        raise ValueError(
            f"Invalid data type for an initializer with values. Expected {expected}. Received: {dtype_name(var.dtype)}"
        )
    flat = np.ascontiguousarray(values.astype(numpy_dtype(dtype))).reshape(-1).tolist()
    return fill(var, block, "assign_value", {"shape": list(values.shape), slot: flat}, "numpy_array_init")


class Assign(Initializer):
    """Given values.

    Args:
        value (list|tuple|numpy.ndarray|Tensor): of the parameter's shape; of another one, the parameter takes that on, as in Paddle.
        name: kept.

    Example:
        >>> import numpy as np
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.Assign(np.eye(2))
        >>> paddle.create_parameter([2, 2], "float32", default_initializer=start).tolist()
        [[1.0, 0.0], [0.0, 1.0]]

    Follows Paddle 2.6.
    """

    def __init__(self, value: Any, name: str | None = None) -> None:
        if isinstance(value, Tensor):
            value = value.numpy()
        if not isinstance(value, (list, tuple, np.ndarray)):
            raise type_error("value", "list, tuple, numpy.ndarray or Tensor", value, "Assign")
        self._value = np.asarray(value)

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`."""
        if self._value.size > _MOST:
            raise ValueError(
                f"Invalid value for `Assign`. Expected at most {_MOST} values. Received: {self._value.size}"
            )
        return _assign(var, block, self._value)


def bilinear(shape: Sequence[int]) -> np.ndarray:
    """Weights of that shape, (C, M, K, K)."""
    size = shape[3]
    factor = math.ceil(size / 2.0)
    centre = (2 * factor - 1 - factor % 2) / (2.0 * factor)
    index = np.arange(math.prod(shape))
    # the row is a fraction that is not brought back into the image, as in all wheels: later filters start further down
    x, y = index % size, index / size % size
    weight: np.ndarray = (1 - np.abs(x / factor - centre)) * (1 - np.abs(y / factor - centre))
    return weight.reshape(shape)


class Bilinear(Initializer):
    """The weights with which a transposed convolution resizes images bilinearly.

    Follows Paddle 2.6.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.Bilinear()
        >>> paddle.create_parameter([1, 1, 4, 4], "float32", default_initializer=start)[0, 0, 0].tolist()
        [0.0625, 0.28125, 0.375, 0.15625]
    """

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`, of shape [C, M, K, K]."""
        shape = [int(d) for d in var.shape]
        if len(shape) != 4 or shape[2] != shape[3]:
            raise ValueError(f"Invalid shape for `Bilinear`. Expected [C, M, K, K]. Received: {shape}")
        return _assign(var, block, bilinear(shape))


class Dirac(Initializer):
    """Identity: the convolution hands its input channels on.

    Args:
        groups (int): how many parts the output channels divide into, each with the identity.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.Dirac()
        >>> paddle.create_parameter([2, 2, 1], "float32", default_initializer=start)[:, :, 0].tolist()
        [[1.0, 0.0], [0.0, 1.0]]

    Follows Paddle 2.6.
    """

    def __init__(self, groups: int = 1, name: str | None = None) -> None:
        if not isinstance(groups, int) or groups < 1:
            raise AssertionError(
                f"Invalid value for argument `groups` of `Dirac`. Expected an int above 0. Received: {groups!r}"
            )
        self._groups = groups

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`, of shape [C, M, ...] with one to three dimensions behind."""
        shape = [int(d) for d in var.shape]
        if len(shape) not in (3, 4, 5) or shape[0] % self._groups:
            raise AssertionError(
                f"Invalid shape for `Dirac`. Expected 3 to 5 dimensions, the first divisible by groups={self._groups}. "
                f"Received: {shape}"
            )
        each = shape[0] // self._groups
        middle = [size // 2 for size in shape[2:]]
        places = [
            int(np.ravel_multi_index((group * each + i, i, *middle), shape))
            for group in range(self._groups)
            for i in range(min(each, shape[1]))
        ]
        if isinstance(var, Tensor):
            with torch.no_grad():
                var._t.zero_().view(-1)[places] = 1.0
            return None
        return self._record(var, block_of(block), shape, places)

    def _record(self, var: Any, block: Any, shape: list[int], places: list[int]) -> Any:
        op = block.append_op(
            type="fill_constant",
            outputs={"Out": var},
            attrs={"value": 0.0, "dtype": int(var.dtype), "shape": shape},
            stop_gradient=True,
        )
        self._reshape(var, block, [-1])
        values = {}
        for kind, dtype, slot, what in (
            ("index", VarType.INT64, "int64_values", places),
            ("value", VarType.FP32, "fp32_values", [1.0] * len(places)),
        ):
            values[kind] = block._add_var(
                name=unique_name.generate(f"scatter_{kind}"), dtype=dtype, stop_gradient=True
            )
            attrs = {"dtype": int(dtype), "shape": [len(places)], slot: what}
            block.append_op(type="assign_value", outputs={"Out": values[kind]}, attrs=attrs, stop_gradient=True)
        block.append_op(
            type="scatter",
            inputs={"X": var, "Ids": values["index"], "Updates": values["value"]},
            outputs={"Out": var},
            attrs={"overwrite": True},
            stop_gradient=True,
            metas=[meta_of(var)],  # the operator sees the rows that a parameter does not declare
        )
        self._reshape(var, block, shape)
        var.op = op
        return op

    def _reshape(self, var: Any, block: Any, shape: list[int]) -> None:
        shadow = block._add_var(
            name=unique_name.generate(var.name + ".XShape"), dtype=var.dtype, persistable=False, stop_gradient=True
        )
        block.append_op(
            type="reshape2",
            inputs={"X": var},
            outputs={"Out": var, "XShape": shadow},
            attrs={"shape": shape},
            stop_gradient=True,
        )


class Orthogonal(Initializer):
    """Rows (or columns) that are orthogonal to each other, from the QR decomposition of normal numbers.

    Args:
        gain (float): a factor on the result.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> start = paddle.nn.initializer.Orthogonal()
        >>> paddle.create_parameter([3, 4], "float32", default_initializer=start).shape
        [3, 4]

    Follows Paddle 2.6.
    """

    def __init__(self, gain: float = 1.0, name: str | None = None) -> None:
        if gain is None:
            raise failed_assertion("gain", "a number", gain, "Orthogonal")
        self._gain, self._seed = gain, 0

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`, of two dimensions or more."""
        shape = [int(d) for d in var.shape]
        if len(shape) < 2:
            raise AssertionError(f"Invalid shape for `Orthogonal`. Expected two dimensions or more. Received: {shape}")
        rows, columns = shape[0], math.prod(shape[1:])
        tall = [max(rows, columns), min(rows, columns)]
        if isinstance(var, Tensor):
            draw = definition_of("gaussian_random")
            with torch.no_grad():
                q, r = torch.linalg.qr(draw.fn(shape=tall, dtype=int(var.dtype), seed=seed_of(self, var, block)))
                q = q * r.diagonal().sign()
                var._t.copy_((q.T if rows < columns else q).reshape(shape) * self._gain)
            return None
        return self._record(var, block_of(block), shape, tall, rows < columns)

    def _record(self, var: Any, block: Any, shape: list[int], tall: list[int], wide: bool) -> Any:
        def variable(name: str) -> Any:
            return block._add_var(
                name=unique_name.generate(name + ".tmp"), dtype=var.dtype, persistable=False, stop_gradient=True
            )

        def append(type_: str, inputs: Any, outputs: Any, **attrs: Any) -> Any:
            return block.append_op(type=type_, inputs=inputs, outputs=outputs, attrs=attrs, stop_gradient=True)

        drawn = variable("gaussian_random")
        op = append(
            "gaussian_random", {}, {"Out": drawn}, mean=0.0, std=1.0, dtype=int(drawn.dtype), shape=tall, seed=seed_of(self, var, block)
        )
        q, r = variable("qr.q"), variable("qr.r")
        append("qr", {"X": drawn}, {"Q": q, "R": r}, mode="reduced")
        diagonal = variable("diag")
        append("diag_v2", {"X": r}, {"Out": diagonal}, offset=0, padding_value=0.0)
        append("sign", {"X": diagonal}, {"Out": diagonal})
        append("elementwise_mul", {"X": q, "Y": diagonal}, {"Out": q})
        if wide:
            turned, shadow = variable("transpose"), variable("transpose.shape")
            append("transpose2", {"X": q}, {"Out": turned, "XShape": shadow}, axis=[1, 0])
            q = turned
        else:
            shadow = variable("transpose.shape")
        append("reshape2", {"X": q}, {"Out": q, "XShape": shadow}, shape=shape)
        append("scale", {"X": q}, {"Out": var}, scale=float(self._gain), bias=0.0)
        var.op = op
        return op


__all__ = ["Assign", "Bilinear", "Constant", "Dirac", "Orthogonal"]

__getattr__ = missing(__name__)

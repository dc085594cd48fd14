"""Moving layers between devices and data types."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Any

from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype, is_float, torch_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.place import Place, place_from_name
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.layer._tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Self


class Casts(Tree):
    """What a layer has to convert its parameters and buffers."""

    def to(self, device: Any = None, dtype: DTypeLike | None = None, blocking: bool | None = None) -> Self:
        """Move parameters and buffers to a device, or to a data type.

        Args:
            device: its name or place; None: stay.
            dtype: data type for floating ones; None: keep.
            blocking: kept; copies are in order.
        Returns:
            The layer.
        Raises:
            TypeError: the device is neither a name nor a Place.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 3).to("cpu", "float64").weight.dtype.name
            'FP64'
        """
        place = place_from_name(device) if isinstance(device, str) else device
        if place is not None and not isinstance(place, Place):
            raise type_error("device", "a device name or a Place", device, "Layer.to")
        for layer in self.sublayers(include_self=True):
            for kind in (layer._parameters, layer._buffers):
                for value in kind.values():
                    if isinstance(value, Tensor):
                        wanted = torch_dtype(dtype) if dtype is not None and is_float(value.dtype) else None
                        value._t.data = value._t.data.to(device=place.torch_device if place else None, dtype=wanted)
            if dtype is not None:
                layer.__dict__["_dtype"] = convert_dtype(dtype)
        return self

    def astype(self, dtype: DTypeLike | None = None) -> Self:
        """Cast floating parameters and buffers.

        Args:
            dtype: a floating data type.
        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 3).astype("float64").bias.dtype.name
            'FP64'
        """
        return self.to(dtype=dtype)

    def float(self, excluded_layers: Any = None) -> Self:
        """Cast floating parameters and buffers to float32.

        Args:
            excluded_layers: Layer classes that stay as they are.
        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 3).astype("float64").float().weight.dtype.name
            'FP32'
        """
        return self._cast(VarType.FP32, excluded_layers)

    def float16(self, excluded_layers: Any = None) -> Self:
        """Cast floating parameters and buffers to float16.

        Args:
            excluded_layers: Layer classes that stay as they are.
        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.BatchNorm1D(3))
            >>> net = net.float16(excluded_layers=[paddle.nn.BatchNorm1D])
            >>> net[0].weight.dtype.name, net[1].weight.dtype.name
            ('FP16', 'FP32')
        """
        return self._cast(VarType.FP16, excluded_layers)

    def bfloat16(self, excluded_layers: Any = None) -> Self:
        """Cast floating parameters and buffers to bfloat16.

        Args:
            excluded_layers: Layer classes that stay as they are.
        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 3).bfloat16().weight.dtype.name
            'BF16'
        """
        return self._cast(VarType.BF16, excluded_layers)

    def _cast(self, dtype: VarType, excluded: Any) -> Self:
        kinds = tuple(excluded) if isinstance(excluded, (list, tuple)) else (excluded,) if excluded is not None else ()
        for layer in self.sublayers(include_self=True):
            if not isinstance(layer, kinds):
                children = layer.__dict__["_sub_layers"]
                layer.__dict__["_sub_layers"] = collections.OrderedDict()
                layer.to(dtype=dtype)
                layer.__dict__["_sub_layers"] = children
        return self

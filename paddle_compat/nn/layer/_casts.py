"""Moving layers between devices and data types."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from paddle_compat.core.dtype import DTypeLike, VarType, exact_dtype, torch_dtype
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.place import CUDAPlace, Place, current_place, place_of_name
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.layer._tree import Tree
from paddle_compat.tensor._tensor_placement import rehold

if TYPE_CHECKING:
    from typing_extensions import Self

    from paddle_compat.nn.layer.layers import Layer


class Casts(Tree):
    """What a layer has to convert its parameters and buffers."""

    def to(
        self, device: Any = None, dtype: DTypeLike | None = None, blocking: bool | None = None, *, non_blocking: bool | None = None
    ) -> Self:
        """Move parameters and buffers to a device, or to a data type.

        Args:
            device: its name or place; None: stay.
            dtype: data type for all of them; None: keep.
            blocking, non_blocking: kept; copies are in order.
        Returns:
            The layer.
        Raises:
            ValueError: the device is neither a name nor a Place.
            AssertionError: `blocking` is not True, False or None.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 3).to("cpu", "float64").weight.dtype.name
            'FP64'
        """
        place = None if device is None else place_of_name(device, "device", "Layer.to")
        if blocking is not None and not isinstance(blocking, bool):
            raise failed_assertion("blocking", "True, False or None", blocking, "Layer.to")
        return self._cast_layers(self.sublayers(include_self=True), place, dtype)

    def astype(self, dtype: DTypeLike | None = None) -> Self:
        """Cast parameters and buffers.

        Args:
            dtype: a data type.
        Returns:
            The layer.
        Raises:
            ValueError: it is no data type.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 3).astype("float64").bias.dtype.name
            'FP64'
        """
        try:
            known = None if type(dtype) in (int, float, type(None)) or dtype in (int, float, bool) else exact_dtype(dtype)
        except TypeError:
            known = None
        if known is None:
            raise invalid_argument("dtype", "a data type such as 'float32'", dtype, "Layer.astype")
        return self._cast_layers(self.sublayers(include_self=True), None, known)

    def float(self, excluded_layers: Any = None) -> Self:
        """Cast floating parameters and buffers to float32.

        Args:
            excluded_layers: Layer classes that stay as they are.
        Returns:
            The layer.
        Raises:
            TypeError: `excluded_layers` is neither a class nor a list.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 3).astype("float64").float().weight.dtype.name
            'FP32'
        """
        return self._cast(VarType.FP32, excluded_layers)

    def float16(self, excluded_layers: Any = None) -> Self:
        """Cast floating parameters and buffers to float16, unless the device is a CPU.

        Args:
            excluded_layers: Layer classes that stay as they are.
        Returns:
            The layer.
        Raises:
            TypeError: `excluded_layers` is neither a class nor a list.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.BatchNorm1D(3))
            >>> net = net.float16(excluded_layers=[paddle.nn.BatchNorm1D])  # on a CPU: a warning
            >>> net[1].weight.dtype.name
            'FP32'
        """
        return self._cast(VarType.FP16, excluded_layers)

    def bfloat16(self, excluded_layers: Any = None) -> Self:
        """Cast floating parameters and buffers to bfloat16.

        Args:
            excluded_layers: Layer classes that stay as they are.
        Returns:
            The layer.
        Raises:
            TypeError: `excluded_layers` is neither a class nor a list.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 3).bfloat16().weight.dtype.name
            'BF16'
        """
        return self._cast(VarType.BF16, excluded_layers)

    def _cast(self, dtype: VarType, excluded: Any) -> Self:
        if excluded is not None and not isinstance(excluded, (type, list, tuple)):
            raise type_error("excluded_layers", "a Layer class or a list of them", excluded, "Layer.float")
        kinds = (excluded,) if isinstance(excluded, type) else tuple(kind for kind in excluded or () if isinstance(kind, type))
        if dtype == VarType.FP16 and not isinstance(current_place(), CUDAPlace):
            warnings.warn("A CPU does not compute in float16, so keep original data type.", stacklevel=3)
            return self
        return self._cast_layers([s for s in self.sublayers(include_self=True) if not isinstance(s, kinds)], None, dtype, floating=True)

    def _cast_layers(self, layers: list[Layer], place: Place | None, dtype: DTypeLike | None, floating: bool = False) -> Self:
        """Move what the layers hold themselves; integers keep their data type where only `floating` ones change."""
        wanted = None if dtype is None else torch_dtype(dtype)
        device = None if place is None else place.torch_device
        for layer in layers:
            for value in (*layer._parameters.values(), *layer._buffers.values()):
                if isinstance(value, Tensor):
                    held = value._t
                    target = wanted if not floating or held.is_floating_point() else None
                    turned = target is not None and held.is_leaf and target.is_floating_point != held.is_floating_point()
                    stops = value.stop_gradient
                    if turned:
                        value.stop_gradient = True  # torch's integers have no gradient
                    rehold(value, held.data.to(device=device, dtype=target))
                    if turned:
                        value.stop_gradient = stops
                    if held.grad is not None:
                        # not always that of the parameter: `amp.decorate` with `master_grad`
                        held.grad = held.grad.to(device=device, dtype=None if target is None else held.grad_dtype)
            if dtype is not None:
                layer.__dict__["_dtype"] = dtype
        return self

"""`paddle.fluid.layers.device`: the devices as a value of a Program."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.variable import Variable


def get_places(device_count: int | None = None, device_type: str | None = None) -> Variable:
    """The places that a device's kind has.

    Args:
        device_count: how many; None: as many as there are.
        device_type: "CPU", "CUDA", or "AUTO" for GPUs where there are some; None: "AUTO".
    Returns:
        A Variable that holds a list of places.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.layers.device import get_places
        >>> with fluid.program_guard(fluid.Program()):
        ...     places = get_places(device_count=2, device_type="CPU")
        >>> places.name
        'get_places_0.out_0'

    Follows Paddle 1.8.
    """
    helper = LayerHelper("get_places")
    out = helper.create_variable(name=helper.name + ".out_0", type=VarType.PLACE_LIST, persistable=False)
    attrs = {"device_count": device_count, "device_type": device_type}
    helper.append_op(type="get_places", outputs={"Out": [out]}, attrs={name: value for name, value in attrs.items() if value is not None})
    return out


__all__ = ["get_places"]

__getattr__ = missing(__name__)

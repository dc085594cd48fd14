"""`paddle.distributed.fleet.meta_parallel.parallel_layers.spec_utils`: layers named by their class and arguments, made later."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from paddle_compat._missing import missing

__all__ = ["LayerSpec", "build_spec_layer", "get_spec_layer", "import_spec_layer"]


@dataclass(repr=False)
class LayerSpec:
    """A layer to be made: its class, or where that is, and arguments that it is made with.

    Args:
        layer (type|tuple): the class, or its module and name.
        extra_kwargs (dict): arguments by name.
        sublayers_spec: what its `sublayers_spec` argument is, if there is anything.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel import LayerSpec, build_spec_layer
        >>> spec = LayerSpec(paddle.nn.Linear, {"bias_attr": False})
        >>> build_spec_layer(spec, 2, 3).bias is None
        True

    Follows Paddle 3.3.
    """

    layer: Any
    extra_kwargs: dict[str, Any] = field(default_factory=dict)
    sublayers_spec: Any = None

    def __repr__(self) -> str:
        layer = ",".join(map(repr, self.layer)) if isinstance(self.layer, tuple) else str(self.layer)
        return layer + (str(self.extra_kwargs) if self.extra_kwargs else "")


def import_spec_layer(layer_path: tuple[str, str]) -> Any:
    """What a module has under a name.

    Args:
        layer_path (tuple): the module, and the name.
    Returns:
        The class.
    Raises:
        KeyError: the module has nothing of that name.

    Example:
        >>> from paddle_compat.distributed.fleet.meta_parallel import import_spec_layer
        >>> import_spec_layer(("paddle_compat.nn", "Linear")).__name__
        'Linear'

    Follows Paddle 3.3.
    """
    place, name = layer_path
    module = importlib.import_module(place)
    found = getattr(module, name, None)
    if found is None:
        raise KeyError(name)
    return found


def get_spec_layer(spec_or_layer: Any, **additional_kwargs: Any) -> Any:
    """The class that is meant.

    Args:
        spec_or_layer (LayerSpec|type|callable): a description, or the class itself.
        additional_kwargs: kept.
    Returns:
        The class, or the function.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel import LayerSpec, get_spec_layer
        >>> get_spec_layer(LayerSpec(paddle.nn.Linear)) is get_spec_layer(paddle.nn.Linear)
        True

    Follows Paddle 3.3.
    """
    if not isinstance(spec_or_layer, LayerSpec) and callable(spec_or_layer):
        return spec_or_layer
    layer = spec_or_layer.layer
    return import_spec_layer(layer) if isinstance(layer, tuple) else layer


def build_spec_layer(spec_or_layer: Any, *args: Any, **kwargs: Any) -> Any:
    """Make a layer of its description.

    Args:
        spec_or_layer (LayerSpec|type|callable): the description, or the class; a function is given back as it is.
        args, kwargs: what it is made with, besides what the description says.
    Returns:
        Layer: the layer, or the function.
    Raises:
        TypeError: the class does not take these arguments.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel import build_spec_layer
        >>> build_spec_layer(paddle.nn.Linear, 2, 3).weight.shape
        [2, 3]

    Follows Paddle 3.3.
    """
    made: Callable[..., Any] = get_spec_layer(spec_or_layer)
    if not isinstance(made, type):
        return made
    if isinstance(spec_or_layer, LayerSpec):
        kwargs = {**spec_or_layer.extra_kwargs, **kwargs}
        if spec_or_layer.sublayers_spec is not None:
            kwargs["sublayers_spec"] = spec_or_layer.sublayers_spec
    try:
        return made(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{error} when instantiating {made.__name__}") from error


__getattr__ = missing(__name__)

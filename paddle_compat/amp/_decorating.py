"""`decorate`: a model's parameters in low precision, with float32 copies in its optimizers."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.amp import _support
from paddle_compat.core import mode
from paddle_compat.core.dtype import convert_dtype, torch_dtype
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.optimizer.optimizer import Optimizer

_SAVED = ("float16", "bfloat16", "float32", "float64")


def _takes(dtype: str) -> bool:
    """Whether the current device trains in a data type; as in `auto_cast`, a CPU in bfloat16 alone."""
    return _support.capable(dtype) if _support.accelerated() else dtype == "bfloat16"


def _listed(value: Any, kind: type, name: str) -> list[Any]:
    if isinstance(value, kind):
        return [value]
    if not isinstance(value, list):
        raise TypeError(f"{name} must be either a single {name[:-1]} or a list of {name}. Received: {value!r}")
    return value


def _checked(models: Any, optimizers: Any) -> tuple[list[Layer], list[Any]]:
    layers = _listed(models, Layer, "models")
    for model in layers:
        if not isinstance(model, Layer):
            raise RuntimeError(f"Current train mode is pure fp16, models should be paddle.nn.Layer, but receive {type(model)}.")
    steppers = [] if optimizers is None else _listed(optimizers, Optimizer, "optimizers")
    for optimizer in steppers:
        if not isinstance(optimizer, Optimizer):
            raise RuntimeError(
                "Current train mode is pure fp16, optimizers should be paddle.optimizer.Optimizer or DygraphShardingOptimizer, "
                f"but receive {type(optimizer)}."
            )
    return layers, steppers


def _excluded(layers: Any) -> tuple[set[int], tuple[type, ...]]:
    """The layers, by id, and the classes that are to stay as they are."""
    if layers is None:
        return set(), ()
    some = [layers] if isinstance(layers, (Layer, type)) else layers
    if not isinstance(some, (list, tuple)) or not all(
        isinstance(layer, Layer) or isinstance(layer, type) and issubclass(layer, Layer) for layer in some
    ):
        raise TypeError(
            f"excluded_layers must be either a nn.Layer instance/type or a list of nn.Layer instances/types. Received: {layers!r}"
        )
    ids = {id(sub) for layer in some if isinstance(layer, Layer) for sub in layer.sublayers(include_self=True)}
    return ids, tuple(layer for layer in some if isinstance(layer, type))


def _stays(layer: Layer, dtype: str) -> bool:
    """Whether a layer keeps its precision: as its author says, batch norms, other normalizations where the rest is float16."""
    from paddle_compat.nn.layer import norm

    if not (layer._cast_to_low_precision and layer._cast_to_low_precison):
        return True
    return isinstance(layer, (norm._BatchNormBase, norm.BatchNorm)) or (
        dtype == "float16" and isinstance(layer, (norm.LayerNorm, norm._InstanceNormBase))
    )


class _Saved:
    """A hook that gives out the floating values of a state dict in one data type."""

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype

    def __call__(self, state: Any) -> Any:
        for name, value in state.items():
            if isinstance(value, Tensor) and value._t.is_floating_point() and value.dtype != convert_dtype(self.dtype):
                state[name] = Tensor(value._t.detach().to(torch_dtype(self.dtype)), value.name)
        return state


def amp_decorate(
    models: Any,
    optimizers: Any = None,
    level: str = "O1",
    dtype: str = "float16",
    master_weight: bool | None = None,
    save_dtype: str | None = None,
    master_grad: bool = False,
    excluded_layers: Any = None,
) -> Any:
    """As `decorate`.

    Args:
        models, optimizers, level, dtype, master_weight, save_dtype, master_grad, excluded_layers: as of `decorate`.
    Returns:
        What `decorate` returns.
    Raises:
        ValueError, TypeError, RuntimeError: as of `decorate`.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.amp.amp_decorate(paddle.nn.Linear(2, 3), level="O2", dtype="bfloat16")
        >>> net.weight.dtype.name
        'BF16'

    Follows Paddle 2.6.
    """
    mode.eager_only("amp_decorate")
    if level not in ("O1", "O2"):
        raise ValueError(f"level should be O1 or O2, O1 represent AMP train mode, O2 represent Pure fp16 train mode. Received: {level}")
    if dtype not in ("float16", "bfloat16"):
        raise ValueError(f"dtype only support float16 or bfloat16. Received: {dtype}")
    both = models if optimizers is None else (models, optimizers)
    if level == "O1" or not _takes(dtype):
        return both
    layers, steppers = _checked(models, optimizers)
    ids, kinds = _excluded(excluded_layers)
    if save_dtype is not None and save_dtype not in _SAVED:
        raise ValueError(f"save_dtype can only be float16 float32 or float64, but your input save_dtype is {save_dtype}.")
    for model in layers:
        for layer in model.sublayers(include_self=True):
            if id(layer) in ids or isinstance(layer, kinds):
                layer._cast_to_low_precision = layer._cast_to_low_precison = False  # another `decorate` leaves it out, too
            elif not _stays(layer, dtype):
                layer._cast_layers([layer], None, dtype, floating=True)
            if save_dtype is not None:
                layer.register_state_dict_hook(_Saved(save_dtype))
        for parameter in model.parameters() if master_grad else ():
            if parameter._t.dtype in (torch.float16, torch.bfloat16):
                held, parameter._t.grad = parameter._t.grad, None  # of a backward pass before: torch wants none of another kind
                parameter._t.grad_dtype = torch.float32
                parameter._t.grad = None if held is None else held.float()
    for optimizer in steppers:
        inner = getattr(optimizer, "inner_optimizer", optimizer)
        inner._multi_precision = master_weight is not False
        inner._master_grad = bool(master_grad)
    return both


def decorate(
    models: Any,
    optimizers: Any = None,
    level: str = "O1",
    dtype: str = "float16",
    master_weight: bool | None = None,
    save_dtype: str | None = None,
    master_grad: bool = False,
    excluded_layers: Any = None,
) -> Any:
    """Make models ready for `auto_cast(level="O2")`: their parameters go to low precision, but for those of batch norms.

    Args:
        models (Layer|list): what is trained.
        optimizers (Optimizer|list|None): what trains it.
        level (str): "O2"; "O1" changes nothing.
        dtype (str): "float16" or "bfloat16"; on a CPU float16 changes nothing.
        master_weight (bool|None): whether optimizers keep float32 copies and update those; None: they do.
        save_dtype (str|None): data type of the floating values of state dicts; None: that of the parameters.
        master_grad (bool): whether gradients of parameters in low precision are float32, so that they add up and are clipped in it.
        excluded_layers (Layer|type|list|None): layers, or classes of layers, that stay as they are.
    Returns:
        The models, or models and optimizers where there are some.
    Raises:
        ValueError: level, dtype or save_dtype is none of these.
        TypeError: models, optimizers or excluded_layers are of a wrong type.
        RuntimeError: a list holds something else than models or optimizers.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.Linear(2, 3)
        >>> adam = paddle.optimizer.Adam(parameters=net.parameters())
        >>> net, adam = paddle.amp.decorate(net, adam, level="O2", dtype="bfloat16")
        >>> net.weight.dtype.name, adam._multi_precision
        ('BF16', True)

    Follows Paddle 2.6.
    """
    return amp_decorate(models, optimizers, level, dtype, master_weight, save_dtype, master_grad, excluded_layers)

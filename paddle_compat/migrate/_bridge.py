"""Tensors, Layers and their parameters as torch's, and torch's as Paddle's: two views of one memory, one gradient, one history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import torch
from torch.utils._pytree import tree_map_only

from paddle_compat.core import unique_name
from paddle_compat.core.bare import bare
from paddle_compat.core.errors import WrongInputError
from paddle_compat.core.tensor import EagerParamBase, Tensor, wrapped
from paddle_compat.nn import Layer

M = TypeVar("M", bound=torch.nn.Module)


def to_torch(value: Any) -> Any:
    """The torch tensor in a Tensor: the same memory, gradient and history, so that gradients flow through.

    Args:
        value: a Tensor, or lists, tuples and dicts with Tensors in them.
    Returns:
        The same with torch tensors; what is no Tensor stays.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.migrate import to_torch
        >>> x = paddle.ones([2])
        >>> x.stop_gradient = False
        >>> to_torch(x * 3).sum().backward()
        >>> x.grad.tolist()
        [3.0, 3.0]
    """
    return bare(Tensor, value)


def from_torch(value: Any) -> Any:
    """A Tensor around a torch tensor: the same memory, gradient and history. `paddle.to_tensor` copies, and starts anew.

    Args:
        value: a torch tensor, or lists, tuples and dicts with torch tensors in them.
    Returns:
        The same with Tensors; `stop_gradient` is False where torch requires gradients.

    Example:
        >>> import torch
        >>> import paddle_compat as paddle
        >>> from paddle_compat.migrate import from_torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> paddle.tanh(from_torch(x)).sum().backward()
        >>> x.grad.shape
        torch.Size([2])
    """
    return tree_map_only(torch.Tensor, wrapped, value)


def as_module(layer: Layer) -> torch.nn.Module:
    """A Layer as torch module, for torch's optimizers, DistributedDataParallel, `torch.save`, `torch.export` and modules around it.

    Args:
        layer: what the module calls.
    Returns:
        torch.nn.Module: takes and gives torch tensors. Its parameters and buffers are the Layer's own, under the Layer's names.
    Raises:
        TypeError: it is no Layer.

    Example:
        >>> import torch
        >>> import paddle_compat as paddle
        >>> from paddle_compat.migrate import as_module
        >>> net = paddle.nn.Linear(2, 1)
        >>> module = as_module(net)
        >>> optimizer = torch.optim.SGD(module.parameters(), 0.1)
        >>> module(torch.ones(3, 2)).sum().backward()
        >>> before = net.weight.tolist()
        >>> optimizer.step()
        >>> net.weight.tolist() == before, [*module.state_dict()]
        (False, ['weight', 'bias'])
    """
    if not isinstance(layer, Layer):
        raise WrongInputError(f"Invalid type for argument `layer` of as_module. Expected paddle.nn.Layer. Received: {type(layer).__name__}")
    return layer._module if isinstance(layer, ModuleLayer) else LayerModule(layer)


def as_layer(module: torch.nn.Module) -> Layer:
    """A torch module as Layer, for Paddle's optimizers, `paddle.Model`, `paddle.save` and Layers around it.

    Args:
        module: what the Layer calls.
    Returns:
        Layer: takes and gives Tensors. Its parameters and buffers are the module's own, under the module's names.
    Raises:
        TypeError: it is no torch module.

    Example:
        >>> import torch
        >>> import paddle_compat as paddle
        >>> from paddle_compat.migrate import as_layer
        >>> module = torch.nn.Linear(2, 1)
        >>> net = paddle.nn.Sequential(paddle.nn.Linear(4, 2), as_layer(module))
        >>> optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        >>> net(paddle.ones([3, 4])).sum().backward()
        >>> before = module.weight.tolist()
        >>> optimizer.step()
        >>> module.weight.tolist() == before, [*net.state_dict()]
        (False, ['0.weight', '0.bias', '1.weight', '1.bias'])
    """
    if not isinstance(module, torch.nn.Module):
        kind = type(module).__name__
        raise WrongInputError(f"Invalid type for argument `module` of as_layer. Expected torch.nn.Module. Received: {kind}")
    return module._layer if isinstance(module, LayerModule) else ModuleLayer(module)


class LayerModule(torch.nn.Module):
    """What `as_module` gives. Modules inside stand for sublayers: they hold what these hold, and the outermost one computes.

    Args:
        layer: what it stands for.
    """

    _layer: Layer

    def __init__(self, layer: Layer) -> None:
        training = layer.training
        self.__dict__["_layer"] = layer  # which `training` asks, and `Module` sets
        super().__init__()
        self.training = training
        for name, parameter in layer._parameters.items():
            self.register_parameter(name, None if parameter is None else _marked(parameter._t))
        for name, buffer in layer._buffers.items():
            kept = name not in layer._non_persistable_buffer_names_set
            self.register_buffer(name, None if buffer is None else buffer._t, persistent=kept)
        for name, sublayer in layer._sub_layers.items():
            self.add_module(name, None if sublayer is None else as_module(sublayer))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the Layer gives, in torch tensors."""
        found = self._layer(*from_torch(args), **from_torch(kwargs))
        self._follow()
        return to_torch(found)

    @property
    def training(self) -> bool:
        """Whether the Layer is in training mode."""
        return self._layer.training

    @training.setter
    def training(self, mode: bool) -> None:
        self._layer.training = mode

    def __reduce__(self) -> tuple[Any, ...]:
        return as_module, (self._layer,)

    def _apply(self, fn: Callable[..., Any], recurse: bool = True) -> LayerModule:
        super()._apply(fn, recurse)  # to other devices and data types
        self._lead()
        return self

    def _load_from_state_dict(self, *args: Any) -> None:
        super()._load_from_state_dict(*args)
        self._lead()

    def _lead(self) -> None:
        """Let the Layer hold what is held here."""
        for held, name, tensor in _held(self, self._layer):
            theirs = held[name]
            if theirs is not None:
                tensor._become(theirs)

    def _follow(self) -> None:
        """Hold what Layers hold, which may have put other tensors in place of these."""
        for module in self.modules():
            if isinstance(module, LayerModule):
                for held, name, tensor in _held(module, module._layer):
                    if held[name] is not tensor._t:
                        held[name] = _marked(tensor._t) if held is module._parameters else tensor._t


def _held(module: torch.nn.Module, layer: Layer) -> Iterator[tuple[dict[str, Any], str, Tensor]]:
    """What both have: the module's table, the name in it, and the Layer's Tensor of that name."""
    for held, tensors in ((module._parameters, layer._parameters), (module._buffers, layer._buffers)):
        yield from ((held, name, tensor) for name, tensor in tensors.items() if tensor is not None and name in held)


def _marked(value: Any) -> torch.nn.Parameter:
    """A tensor that modules take for a parameter. It stays the very tensor that the Layer computes with."""
    value._is_param = True  # as torch marks what has a class of its own
    assert isinstance(value, torch.nn.Parameter)
    return value


class ModuleLayer(Layer):
    """What `as_layer` gives. Layers inside stand for the module's own modules: they hold what these hold, and the outermost one computes.

    Args:
        module: what it stands for.
    """

    def __init__(self, module: torch.nn.Module) -> None:
        training = module.training
        self.__dict__["_module"] = module  # which `training` asks, and `Layer` sets
        super().__init__(name_scope=type(module).__name__.lower())
        self.training = training
        for name, parameter in module._parameters.items():
            self.add_parameter(name, None if parameter is None else self._parameter_of(parameter))
        for name, buffer in module._buffers.items():
            kept = name not in module._non_persistent_buffers_set
            self.register_buffer(name, None if buffer is None else wrapped(buffer), persistable=kept)
        for name, child in module._modules.items():
            self.add_sublayer(name, None if child is None else as_layer(child))

    def _parameter_of(self, value: torch.Tensor) -> EagerParamBase:
        made = EagerParamBase(value, name=unique_name.generate(f"{self._full_name}.w"), trainable=value.requires_grad)
        made._become(value)
        return made

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module gives, in Tensors."""
        found = self._module(*to_torch(args), **to_torch(kwargs))
        self._follow()
        return from_torch(found)

    @property
    def training(self) -> bool:
        """Whether the module is in training mode."""
        return self._module.training

    @training.setter
    def training(self, mode: bool) -> None:
        self._module.training = mode

    def __reduce__(self) -> tuple[Any, ...]:
        return as_layer, (self._module,)

    def _follow(self) -> None:
        """Hold what modules hold, which may have put other tensors in place of these."""
        for layer in self.sublayers(include_self=True):
            if isinstance(layer, ModuleLayer):
                for held, name, tensor in _held(layer._module, layer):
                    if held[name] is not None and held[name] is not tensor._t:
                        tensor._become(held[name])

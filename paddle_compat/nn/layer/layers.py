"""Layer: the base of all layers, in static and eager mode."""

from __future__ import annotations

import collections
import copy
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat._missing import missing
from paddle_compat.base.dygraph.base import in_declarative_mode, in_to_static_mode  # noqa: F401 - libraries ask for them here
from paddle_compat.core import capture, mode, unique_name
from paddle_compat.core.dtype import DTypeLike, VarType, default, torch_dtype
from paddle_compat.core.errors import UnimplementedError, WrongInputError, failed_assertion
from paddle_compat.core.object_helper import ObjectHelper
from paddle_compat.core.paddle3 import respelled
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.core.variable import Parameter, Variable
from paddle_compat.nn.layer._hooks import HookRemoveHelper, call, register
from paddle_compat.nn.layer._modules import Modules

if TYPE_CHECKING:
    from typing_extensions import Self

_PARAMETERS = (Parameter, EagerParamBase)
_VALUES = (Variable, Tensor)


class LayerObjectHelper(ObjectHelper):
    """What a layer needs to make parameters and to call operators: its `_helper`.

    Args:
        name (str): the layer's full name.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.layer.layers import LayerObjectHelper
        >>> LayerObjectHelper("mine_0").append_activation(paddle.to_tensor([-1.0, 1.0]), act="relu").tolist()
        [0.0, 1.0]

    Follows Paddle 2.6.
    """


class Layer(Modules):
    """Base of all layers: it holds parameters, buffers and sublayers, and calls `forward`.

    Args:
        name_scope: prefix of the layer's full name; None: the class's name in snake case.
        dtype: data type of its buffers and of what `to` converts; parameters take the default one.

    Example:
        >>> import paddle_compat as paddle
        >>> class Net(paddle.nn.Layer):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.fc = paddle.nn.Linear(4, 2)
        ...         self.register_buffer("steps", paddle.zeros([1]))
        ...     def forward(self, x):
        ...         return self.fc(x)
        >>> net = Net()
        >>> net.full_name(), net(paddle.ones([3, 4])).shape, net.fc.extra_repr()
        ('net_0', [3, 2], 'in_features=4, out_features=2, dtype=float32')
        >>> [name for name, _ in net.named_parameters()], [name for name, _ in net.named_buffers()]
        (['fc.weight', 'fc.bias'], ['steps'])
        >>> [name for name, _ in net.named_children()], [name for name, _ in net.named_sublayers(include_self=True)]
        (['fc'], ['', 'fc'])
        >>> len(net.parameters()), len(net.buffers()), len(list(net.children())), len(net.sublayers())
        (2, 1, 1, 1)
        >>> net.eval().fc.training
        False
        >>> net.train().fc.training
        True

    Follows Paddle 2.6.
    """

    training: bool
    _init_in_dynamic_mode: bool  # whether it was made in eager mode, whose Tensors `to_static` records
    # whether `amp.decorate` may change its parameters: as Paddle 3 spells it, and as 2.6 does
    _cast_to_low_precision = True
    _cast_to_low_precison = True

    def __init__(self, name_scope: str | None = None, dtype: DTypeLike = "float32") -> None:
        self._settle_mode()
        fields: dict[str, Any] = {
            "training": True,
            "_init_in_dynamic_mode": mode.in_dygraph_mode(),
            "_full_name": unique_name.generate(name_scope or _convert_camel_to_snake(type(self).__name__)),
            "_dtype": dtype,
            "_parameters": collections.OrderedDict(),
            "_buffers": collections.OrderedDict(),
            "_non_persistable_buffer_names_set": set(),
            "_sub_layers": collections.OrderedDict(),
            "_forward_pre_hooks": collections.OrderedDict(),
            "_forward_post_hooks": collections.OrderedDict(),
            "_state_dict_hooks": collections.OrderedDict(),
        }
        self.__dict__.update(fields)
        self.__dict__["_helper"] = LayerObjectHelper(self.__dict__["_full_name"])

    def _settle_mode(self) -> None:
        mode.settle_eager()

    # ---- running
    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes; every layer defines it.

        Args:
            inputs, kwargs: as the layer takes them.
        Returns:
            What it computes.
        Raises:
            UnimplementedError: the layer's class does not define it.
        """
        raise UnimplementedError(f"`{type(self).__name__}` has no `forward`. Expected a subclass that defines it.")

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        if kwargs:
            kwargs = respelled(self.forward, inputs, kwargs)
        if not self._forward_pre_hooks and not self._forward_post_hooks and capture.current is None:
            return self.forward(*inputs, **kwargs)
        forward = self.forward if capture.current is None else capture.convert_forward(self.forward)
        return call(self, forward, inputs, kwargs)

    def backward(self, *inputs: Any) -> Any:
        """Not for layers: gradients come from `Tensor.backward`.

        Args:
            inputs: whatever they are.
        Returns:
            Nothing: it raises.
        Raises:
            ValueError: always.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.ReLU().backward()
            Traceback (most recent call last):
            ...
            ValueError: A Layer has no backward of its own. Expected Tensor.backward() on the loss.
        """
        raise ValueError("A Layer has no backward of its own. Expected Tensor.backward() on the loss.")

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> HookRemoveHelper:
        """Call ``hook(layer, inputs)`` before forward; what it returns (unless None) replaces the inputs.

        Args:
            hook: the function.
            prepend: call it before those that are there already.
            with_kwargs: call it with (layer, inputs, kwargs); what it returns is a pair of new ones.
        Returns:
            An object whose `remove()` takes the hook away.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.ReLU()
            >>> hook = net.register_forward_pre_hook(lambda layer, inputs: inputs[0] + 1.0)
            >>> net(paddle.to_tensor([0.0, 1.0])).tolist()
            [1.0, 2.0]
            >>> hook.remove()
        """
        return register(self._forward_pre_hooks, hook, prepend, with_kwargs)

    def register_forward_post_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> HookRemoveHelper:
        """Call ``hook(layer, inputs, outputs)`` after forward; what it returns (unless None) replaces the outputs.

        Args:
            hook: the function.
            prepend: call it before those that are there already.
            with_kwargs: call it with (layer, inputs, kwargs, outputs).
            always_call: call it also where the call fails, with outputs None.
        Returns:
            An object whose `remove()` takes the hook away.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.ReLU()
            >>> hook = net.register_forward_post_hook(lambda layer, inputs, outputs: outputs * 2.0)
            >>> net(paddle.to_tensor([-1.0, 1.0])).tolist()
            [0.0, 2.0]
            >>> hook.remove()
        """
        return register(self._forward_post_hooks, hook, prepend, with_kwargs, always_call)

    register_forward_hook = register_forward_post_hook

    def register_state_dict_hook(self, hook: Callable[..., Any]) -> HookRemoveHelper:
        """Call ``hook(state_dict)`` on every state dict that the layer makes.

        Args:
            hook: the function; what it returns (unless None) replaces the state dict.
        Returns:
            An object whose `remove()` takes the hook away.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Linear(2, 3)
            >>> hook = net.register_state_dict_hook(lambda state: {f"net.{name}": value for name, value in state.items()})
            >>> list(net.state_dict())
            ['net.weight', 'net.bias']
        """
        return register(self._state_dict_hooks, hook)

    def train(self, mode: bool = True) -> Self:
        """Training mode: dropout drops, batch norm uses the batch.

        Args:
            mode: since Paddle 3; False for inference mode.
        Returns:
            The layer, as since Paddle 3.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Dropout().train(False).training
            False
        """
        self._switch(mode)
        return self

    def eval(self) -> Self:
        """Inference mode: dropout does nothing, batch norm uses its running statistics.

        Returns:
            The layer, as since Paddle 3.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Dropout().eval()(paddle.ones([2])).tolist()
            [1.0, 1.0]
        """
        self._switch(False)
        return self

    def _switch(self, training: bool) -> None:
        for layer in self.sublayers(include_self=True):
            layer.training = training

    def apply(self, fn: Callable[[Layer], Any]) -> Layer:
        """Call a function on every sublayer and on the layer itself.

        Args:
            fn: takes a layer.
        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.ReLU())
            >>> _ = net.apply(lambda layer: print(type(layer).__name__))
            Linear
            ReLU
            Sequential
        """
        for layer in self.children():
            layer.apply(fn)
        fn(self)
        return self

    def full_name(self) -> str:
        """The layer's unique name, such as ``linear_0``.

        Returns:
            str: the same as long as the layer lives.
        """
        return self._full_name

    # ---- making parts
    def create_parameter(
        self,
        shape: Any,
        attr: Any = None,
        dtype: DTypeLike | None = None,
        is_bias: bool = False,
        default_initializer: Any = None,
    ) -> Any:
        """A parameter named after the layer.

        Args:
            shape: its dimensions.
            attr: ParamAttr, a name, an initializer, or False for none.
            dtype: data type; None: the default one.
            is_bias: it starts as a bias when no initializer is given.
            default_initializer: goes where `attr` has none.
        Returns:
            The parameter, None when attr is False.

        Example:
            >>> import paddle_compat as paddle
            >>> weight = paddle.nn.Layer("mine").create_parameter([2, 3])
            >>> weight.name, weight.shape
            ('mine_0.w_0', [2, 3])
        """
        attr = copy.deepcopy(attr)
        if isinstance(attr, str) and attr == "":
            attr = None
        return self._helper.create_parameter(
            ParamAttr._to_attr(attr), shape, dtype or default(), is_bias, default_initializer
        )

    def create_variable(self, name: str | None = None, persistable: bool | None = None, dtype: DTypeLike | None = None) -> Any:
        """An empty variable; `create_tensor` by its old name.

        Args:
            name: the second part of its name, behind the layer's; None: a number.
            persistable: it lives on between runs.
            dtype: data type; None: the layer's.
        Returns:
            A Tensor without dimensions, or a Variable in static mode.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Layer("mine").create_variable("state").name
            'mine_0.state'
        """
        return self.create_tensor(name, persistable, dtype)

    def create_tensor(self, name: str | None = None, persistable: bool | None = None, dtype: DTypeLike | None = None) -> Any:
        """An empty variable.

        Args:
            name: the second part of its name, behind the layer's; None: a number.
            persistable: it lives on between runs.
            dtype: data type; None: the layer's.
        Returns:
            A Tensor without dimensions, or a Variable in static mode.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Layer().create_tensor("state", dtype="int64").dtype.name
            'INT64'
        """
        whole = f"{self._full_name}.{name}" if name else unique_name.generate(f"{self._full_name}._generated_var")
        if mode.in_dygraph_mode():  # of no dimensions, and float32 whatever the layer's data type is
            return Tensor(torch.zeros((), dtype=torch_dtype(dtype or "float32")), whole, bool(persistable))
        dtype = dtype or self._dtype or default()
        return self._helper.create_variable(name=whole, persistable=persistable, dtype=dtype, type=VarType.LOD_TENSOR)

    def add_parameter(self, name: str, parameter: Any) -> Any:
        """Hold a parameter under a name.

        Args:
            name: no dots.
            parameter: a parameter or None.
        Returns:
            The parameter.
        Raises:
            TypeError, KeyError: the name or the parameter cannot be taken.
            RuntimeError: the layer's `__init__` has not run.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Layer()
            >>> net.add_parameter("w", net.create_parameter([2])) is net.w
            True
        """
        if "_parameters" not in self.__dict__:
            raise RuntimeError(_EARLY.format(type(self).__name__))
        _check_name(self, name, self._parameters, "parameter")
        if parameter is not None and not isinstance(parameter, _PARAMETERS):
            raise WrongInputError(f"The parameter to be added should be a Parameter, but received {type(parameter).__name__}.")
        self._parameters[name] = parameter
        return parameter

    def add_sublayer(self, name: str, sublayer: Any) -> Any:
        """Hold a sublayer under a name.

        Args:
            name: no dots.
            sublayer: a Layer or None.
        Returns:
            The sublayer.
        Raises:
            AssertionError: the sublayer is no Layer.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Layer()
            >>> net.add_sublayer("act", paddle.nn.ReLU())
            ReLU()
            >>> net.act
            ReLU()
        """
        if not isinstance(sublayer, Layer) and sublayer is not None:
            raise failed_assertion("sublayer", "a Layer or None", sublayer, "Layer.add_sublayer")
        self._sub_layers[name] = sublayer  # a LayerDict finds it by a name that is no string, too
        return sublayer

    def register_buffer(self, name: str, tensor: Any, persistable: bool = True) -> None:
        """Hold a tensor that is state but no parameter.

        Args:
            name: no dots.
            tensor: a Tensor, Variable or None.
            persistable: it goes into state dicts.
        Raises:
            TypeError, KeyError: the name or the tensor cannot be taken.
            ValueError: the layer's `__init__` has not run.
        """
        if "_buffers" not in self.__dict__:
            raise ValueError(_EARLY.format(type(self).__name__))
        _check_name(self, name, self._buffers, "buffer")
        if tensor is not None and (not isinstance(tensor, _VALUES) or isinstance(tensor, EagerParamBase)):
            raise WrongInputError(f"The registered buffer should be a Paddle.Tensor, but received {type(tensor).__name__}.")
        self._buffers[name] = tensor
        if persistable:
            self._non_persistable_buffer_names_set.discard(name)
        else:
            self._non_persistable_buffer_names_set.add(name)

    # ---- state
    def clear_gradients(self, set_to_zero: bool = True) -> None:
        """Set the gradients of all parameters that are trained to zeros; where there is none, none is made.

        Args:
            set_to_zero: False to take them away instead.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Linear(2, 1)
            >>> net.clear_gradients()
            >>> net.weight.grad is None
            True
        """
        for parameter in self.parameters():
            if isinstance(parameter, Tensor) and parameter._t.requires_grad:
                parameter._clear_grad(set_to_zero)

    # ---- attributes
    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__
        if "_parameters" in fields:
            for held in (fields["_parameters"], fields["_sub_layers"], fields["_buffers"]):
                if name in held:
                    return held[name] if capture.current is None else capture.as_variable(held[name])
        return object.__getattribute__(self, name)  # raises; a property that lacked something says again what that was

    def __setattr__(self, name: str, value: Any) -> None:
        fields = self.__dict__
        if "_parameters" not in fields:
            if isinstance(value, (Layer, Tensor, Parameter)):
                raise ValueError(_EARLY.format(type(self).__name__))
            object.__setattr__(self, name, value)
            return
        if isinstance(getattr(type(self), name, None), property):
            # Paddle's order: the property's setter, then a Layer's own rules, which hold what is no plain value under the property's name,
            # too, and hand a plain value to the setter again
            object.__setattr__(self, name, value)
        parameters, layers, buffers = fields["_parameters"], fields["_sub_layers"], fields["_buffers"]
        others: tuple[dict[str, Any], ...] = ()
        if isinstance(value, _PARAMETERS):
            home, others = parameters, (fields, layers, buffers)
        elif name in parameters:
            if value is not None:
                raise _wrong_assignment("parameter", name, "Parameter", value)
            home = parameters
        elif isinstance(value, Layer):
            home, others = layers, (fields, parameters, buffers)
        elif name in layers:
            if value is not None:
                raise _wrong_assignment("sublayer", name, "Layer", value)
            home = layers
        elif name in buffers:
            if value is not None and not isinstance(value, _VALUES):
                raise _wrong_assignment("buffers", name, "core.Tensor", value)
            if capture.current is not None and value is not None:
                if buffers[name] is None:
                    raise RuntimeError(
                        f"Buffer `{name}` of a {type(self).__name__} cannot be set while it is recorded. Expected a buffer that holds a "
                        "Tensor. Received: one that is None"
                    )
                capture.overwritten(buffers[name], value)  # at every call, not while recording
                return
            home = buffers
        elif isinstance(value, Tensor):  # a tensor is a buffer that no state dict has
            self._non_persistable_buffer_names_set.add(name)
            home, others = buffers, (fields,)
        else:
            object.__setattr__(self, name, value)
            return
        for other in others:
            other.pop(name, None)
        home[name] = value

    def __delattr__(self, name: str) -> None:
        for home in (self._parameters, self._sub_layers, self._buffers):
            if name in home:
                del home[name]
                self._non_persistable_buffer_names_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        held = [*self._parameters, *self._sub_layers, *self._buffers]
        return sorted({*object.__dir__(self), *held})

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def extra_repr(self) -> str:
        """What `repr` says of the layer's own settings; layers define it.

        Returns:
            str: what stands between the brackets.

        Example:
            >>> import paddle_compat as paddle
            >>> class Scale(paddle.nn.Layer):
            ...     def extra_repr(self):
            ...         return "factor=2"
            >>> Scale()
            Scale(factor=2)
        """
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr().split("\n")
        inside = [f"({name}): " + repr(layer).replace("\n", "\n  ") for name, layer in self._sub_layers.items()]
        if len(extra) == 1 and not inside:
            return f"{type(self).__name__}({extra[0]})"
        if len(extra) == 1:
            return f"{type(self).__name__}({extra[0]}\n  " + "\n  ".join(inside) + "\n)"
        # settings of several lines stand on lines of their own, with an empty one behind them where layers follow
        behind = "\n\n  " + "\n  ".join(inside) if inside else ""
        return f"{type(self).__name__}(\n  " + "\n  ".join(extra) + behind + "\n)"


# what a layer says to whoever gives it parts before it can hold them
_EARLY = "super().__init__() should be called first, before `{}` is given parameters, buffers or sublayers."


def _check_name(layer: Layer, name: Any, home: dict[str, Any], kind: str) -> None:
    """Refuse what cannot be the name of a parameter or a buffer, in the words that Paddle's tests look for."""
    if not isinstance(name, str):
        raise WrongInputError(f"The name of {kind} should be a string, but received {type(name).__name__}.")
    if "." in name:
        raise KeyError(f"The name of {kind} can not contain `.`. Expected a name without dots. Received: {name!r}")
    if name == "":
        raise KeyError(f"The name of {kind} can not be empty. Expected a name. Received: ''")
    if hasattr(layer, name) and name not in home:
        raise KeyError(f"The {kind} {name!r} already exists. Expected a new name. Received: {name!r}, which the layer has already")


def _wrong_assignment(kind: str, name: str, expected: str, value: Any) -> WrongInputError:
    received = type(value).__name__
    return WrongInputError(f"assignment to {kind} '{name}' should be of type {expected} or None, but got '{received}'. Received: {value!r}")


def _convert_camel_to_snake(name: str) -> str:
    """``BatchNorm2D`` -> ``batch_norm2d``, as the wheel writes class names."""
    step = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", step).lower()


Module = Layer  # Paddle 3's name

__all__ = ["Layer", "LayerObjectHelper", "Module"]

__getattr__ = missing(__name__)

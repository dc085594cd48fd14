"""Methods of layers that Paddle has since version 3, most of them under torch's names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from paddle_compat.core.dtype import DTypeLike
from paddle_compat.core.errors import invalid_argument
from paddle_compat.nn.layer._states import States

if TYPE_CHECKING:
    from typing_extensions import Self

    from paddle_compat.nn.layer.layers import Layer


class LoadedKeys(NamedTuple):
    """What a state dict and a layer did not have in common.

    Attributes:
        missing_keys: of the layer.
        unexpected_keys: of the state dict.
    """

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


class Modules(States):
    """What a Layer is called by under torch's names."""

    add_sublayer: Callable[..., Any]
    add_parameter: Callable[..., Any]

    @property
    def _non_persistent_buffers_set(self) -> set[str]:
        return self._non_persistable_buffer_names_set

    def _get_name(self) -> str:
        return type(self).__name__

    def modules(self) -> Iterator[Layer]:
        """The layer and all sublayers, each once.

        Returns:
            Iterator of layers.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential(paddle.nn.ReLU())
            >>> [type(each).__name__ for each in net.modules()]
            ['Sequential', 'ReLU']
        """
        for _, layer in self.named_modules():
            yield layer

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """The layer and all sublayers with their dotted names.

        Args:
            memo: layers to leave out; grows.
            prefix: goes before every name.
            remove_duplicate: whether a layer that is there twice is named once.
        Returns:
            Iterator of pairs of a name and a layer.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential(paddle.nn.ReLU())
            >>> [name for name, _ in net.named_modules()]
            ['', '0']
        """
        if remove_duplicate:
            yield from self.named_sublayers(prefix, True, memo)
            return
        yield prefix, self
        for name, layer in self._sub_layers.items():
            if layer is not None:
                yield from layer.named_modules(None, f"{prefix}.{name}" if prefix else str(name), False)

    @property
    def _modules(self) -> dict[str, Any]:
        return self._sub_layers

    def add_module(self, name: str, module: Any) -> None:
        """Make a layer a sublayer.

        Args:
            name: its name.
            module: the layer, or None.
        Raises:
            AssertionError: it is no Layer.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential()
            >>> net.add_module("last", paddle.nn.ReLU())
            >>> net
            Sequential(
              (last): ReLU()
            )
        """
        if module is None:
            self._sub_layers[name] = None
        else:
            self.add_sublayer(name, module)

    def register_module(self, name: str, module: Any) -> None:
        """Make a layer a sublayer.

        Args:
            name: its name.
            module: the layer, or None.
        Raises:
            AssertionError: it is no Layer.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential()
            >>> net.register_module("last", paddle.nn.ReLU())
            >>> len(net)
            1
        """
        self.add_module(name, module)

    def register_parameter(self, name: str, param: Any) -> None:
        """Make a parameter the layer's.

        Args:
            name: its name.
            param: the parameter, or None.
        Raises:
            KeyError: there is a point in the name.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Linear(2, 1)
            >>> net.register_parameter("scale", paddle.create_parameter([1], "float32"))
            >>> [name for name, _ in net.named_parameters()]
            ['weight', 'bias', 'scale']
        """
        self.add_parameter(name, param)

    def _below(self, target: str) -> tuple[Any, str]:
        """The layer that a dotted name's last part belongs to, and that part."""
        path, _, name = target.rpartition(".")
        return self.get_sublayer(path), name

    def get_sublayer(self, target: str) -> Any:
        """A sublayer by its dotted name.

        Args:
            target: the name; "" is the layer itself.
        Returns:
            Layer.
        Raises:
            AttributeError: there is none of that name.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential(paddle.nn.Linear(2, 1))
            >>> net.get_sublayer("0") is net[0]
            True
        """
        layer: Any = self
        for name in target.split(".") if target else ():
            found = layer._sub_layers.get(name)
            if found is None:
                raise AttributeError(f"`{type(layer).__name__}` has no sublayer `{name}`. Expected one of {list(layer._sub_layers)}.")
            layer = found
        return layer

    get_submodule = get_sublayer

    def set_sublayer(self, target: str, layer: Any, strict: bool = False) -> None:
        """Put a layer in the place of another one.

        Args:
            target: the dotted name of the other one.
            layer: the layer.
            strict: whether there has to be another one.
        Raises:
            ValueError: there is no name, or it is no Layer.
            AttributeError: there is no such place.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential(paddle.nn.ReLU())
            >>> net.set_sublayer("0", paddle.nn.Tanh())
            >>> net[0]
            Tanh()
        """
        from paddle_compat.nn.layer.layers import Layer

        if not target:
            raise invalid_argument("target", "the name of a sublayer", repr(target), "set_sublayer")
        if not isinstance(layer, Layer):
            raise invalid_argument("layer", "a Layer", type(layer).__name__, "set_sublayer")
        owner, name = self._below(target)
        if strict:
            owner.get_sublayer(name)
        owner._sub_layers[name] = layer

    set_submodule = set_sublayer

    def get_parameter(self, target: str) -> Any:
        """A parameter by its dotted name.

        Args:
            target: the name.
        Returns:
            The parameter.
        Raises:
            AttributeError: there is none of that name.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential(paddle.nn.Linear(2, 1))
            >>> net.get_parameter("0.bias").shape
            [1]
        """
        return self._by_name("_parameters", "parameter", target)

    def get_buffer(self, target: str) -> Any:
        """A buffer by its dotted name.

        Args:
            target: the name.
        Returns:
            The buffer.
        Raises:
            AttributeError: there is none of that name.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Sequential(paddle.nn.Linear(2, 1))
            >>> net[0].register_buffer("mean", paddle.zeros([3]))
            >>> net.get_buffer("0.mean").shape
            [3]
        """
        return self._by_name("_buffers", "buffer", target)

    def _by_name(self, kind: str, what: str, target: str) -> Any:
        owner, name = self._below(target)
        if (found := getattr(owner, kind).get(name)) is None:
            raise AttributeError(f"`{type(owner).__name__}` has no {what} `{name}`. Expected one of {list(getattr(owner, kind))}.")
        return found

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Let all parameters take part in gradients, or none.

        Args:
            requires_grad: whether they do.
        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Linear(2, 1).requires_grad_(False)
            >>> net.weight.stop_gradient
            True
        """
        for parameter in self.parameters():
            parameter.stop_gradient = not requires_grad
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients.

        Args:
            set_to_none: leave none, else zeros.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Linear(2, 1)
            >>> net(paddle.ones([1, 2])).sum().backward()
            >>> net.zero_grad()
            >>> net.bias.grad is None
            True
        """
        for parameter in self.parameters():
            parameter.clear_gradient(not set_to_none)

    def double(self) -> Self:
        """Cast floating parameters and buffers to float64.

        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 1).double().weight.dtype == paddle.float64
            True
        """
        return self.astype("float64")

    def half(self) -> Self:
        """Cast floating parameters and buffers to float16.

        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 1).half().weight.dtype == paddle.float16
            True
        """
        return self.astype("float16")

    def type(self, dst_type: DTypeLike) -> Self:
        """Cast floating parameters and buffers.

        Args:
            dst_type: the data type.
        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 1).type("float64").weight.dtype == paddle.float64
            True
        """
        return self.astype(dst_type)

    def get_extra_state(self) -> Any:
        """What a layer keeps besides parameters and buffers: nothing asks for it, as states hold these alone.

        Returns:
            Nothing; it raises.
        Raises:
            RuntimeError: always, unless a layer has a method of its own.

        Example:
            >>> import paddle_compat as paddle
            >>> try:
            ...     paddle.nn.Linear(2, 1).get_extra_state()
            ... except RuntimeError as error:
            ...     print(error)
            Linear has no `get_extra_state` of its own.
        """
        raise RuntimeError(f"{type(self).__name__} has no `get_extra_state` of its own.")

    def xpu(self, device: Any = None) -> Self:
        """Move parameters and buffers to a Kunlun chip: there is none.

        Args:
            device: its number, or name; None: the first.
        Returns:
            Nothing; it raises.
        Raises:
            ValueError: always.

        Example:
            >>> import paddle_compat as paddle
            >>> try:
            ...     paddle.nn.Linear(2, 1).xpu()
            ... except ValueError as error:
            ...     print("Kunlun" in str(error))
            True
        """
        raise invalid_argument("device", "none of Paddle's Kunlun chips, as there is none", device, "Layer.xpu")

    def cpu(self) -> Self:
        """Move parameters and buffers to the CPU.

        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Linear(2, 1).cpu().weight.place
            Place(cpu)
        """
        return self.to(device="cpu")

    def cuda(self, device: Any = None) -> Self:
        """Move parameters and buffers to a GPU.

        Args:
            device: its number, or name; None: the first.
        Returns:
            The layer.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Linear(2, 1)
            >>> if paddle.device.cuda.device_count():
            ...     net = net.cuda()
            >>> net.weight.shape
            [2, 1]
        """
        return self.to(device="gpu:0" if device is None else f"gpu:{device}" if isinstance(device, int) else device)

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> LoadedKeys:
        """Set parameters and buffers from a state dict.

        Args:
            state_dict: name -> tensor or array.
            strict: whether it has to have what the layer has, and nothing else.
            assign: has no effect.
        Returns:
            The names that are missing in the state dict, and those that the layer does not have.
        Raises:
            RuntimeError: names differ, where they must not.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Linear(2, 1)
            >>> net.load_state_dict(net.state_dict())
            <All keys matched successfully>
        """
        own = self.state_dict()
        keys = LoadedKeys([key for key in own if key not in state_dict], [key for key in state_dict if key not in own])
        if strict and any(keys):
            raise RuntimeError(
                f"The state does not fit `{type(self).__name__}`. Expected its own keys. "
                f"Missing: {keys.missing_keys}. Unexpected: {keys.unexpected_keys}"
            )
        self.set_state_dict({**{key: own[key] for key in keys.missing_keys}, **{k: v for k, v in state_dict.items() if k in own}})
        return keys

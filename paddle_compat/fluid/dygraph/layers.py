"""`paddle.fluid.dygraph.layers`: Layer, the base of all layers of Paddle 1.8."""

from __future__ import annotations

import collections
import warnings
from collections.abc import Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import grad_mode, mode, unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import PreconditionNotMetError, type_error
from paddle_compat.core.tensor import EagerParamBase
from paddle_compat.core.variable import Parameter
from paddle_compat.fluid.dygraph import _eager
from paddle_compat.fluid.dygraph._parambase import ParamBase
from paddle_compat.fluid.dygraph._varbase import pybind11_type
from paddle_compat.fluid.dygraph.layer_object_helper import LayerObjectHelper
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.nn.layer import layers as modern


class NativeLayer(metaclass=pybind11_type):
    """The layer of Paddle's C++ module, which does nothing.

    Example:
        >>> from paddle_compat.fluid import core
        >>> core.Layer().forward([])
        []

    Follows Paddle 1.8.
    """

    def forward(self, inputs: Any) -> list[Any]:
        """Nothing.

        Args:
            inputs: what it is called with.
        Returns:
            list: an empty one.
        """
        return []


class Layer(modern.Layer, metaclass=pybind11_type):
    """Base of all layers: it holds parameters and sublayers, and calls `forward`.

    Args:
        name_scope (str): prefix of the layer's full name; None: the class's name in snake case.
        dtype: data type of the variables that it creates.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> class Net(fluid.dygraph.Layer):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.fc = fluid.dygraph.Linear(4, 2)
        ...     def forward(self, x):
        ...         return self.fc(x)
        >>> with fluid.dygraph.guard():
        ...     net = Net()
        ...     y = net(fluid.dygraph.to_variable(np.ones([3, 4], "float32")))
        ...     net.full_name(), y.shape, [p.name for p in net.parameters()]
        ('net_0', [3, 2], ['linear_0.w_0', 'linear_0.b_0'])

    Follows Paddle 1.8.
    """

    _counted = modern.Layer  # which is the same class in Paddle 2.0 to 2.4

    def __init__(self, name_scope: str | None = None, dtype: Any = VarType.FP32) -> None:
        modern.Layer.__init__(self, name_scope, dtype)
        if name_scope and "/" in name_scope:
            self.__dict__["_full_name"] = self._full_name.replace(name_scope.replace("/", "_"), name_scope, 1)
        self.__dict__["_helper"] = LayerObjectHelper(self._full_name)
        self.__dict__["_built"] = False
        self.__dict__["_loaddict_holder"] = collections.OrderedDict()

    def _settle_mode(self) -> None:
        """Eager mode in scripts of Paddle 2; else nothing: Programs may have it, too."""
        mode.settle_by_imports()

    def _build_once(self, *args: Any, **kwargs: Any) -> None:
        """What is to be done in front of the first `forward`; layers may define it."""

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        if not self._built:
            self._build_once(*inputs, **kwargs)
            self.__dict__["_built"] = True
        return super().__call__(*inputs, **kwargs)

    def train(self) -> None:  # type: ignore[override]
        """Training mode: dropout drops, batch norm uses the batch, and gradients are computed."""
        self._switch(True)

    def eval(self) -> None:  # type: ignore[override]
        """Inference mode: dropout scales, batch norm uses its running statistics, and no gradients are computed, anywhere."""
        self._switch(False)

    def _switch(self, training: bool) -> None:
        if mode._static is False and _eager.first_age():
            grad_mode.set_enabled(training)
        for layer in self.sublayers(include_self=True):
            layer.training = training

    def create_parameter(
        self, shape: Any, attr: Any = None, dtype: Any = "float32", is_bias: bool = False, default_initializer: Any = None
    ) -> Any:
        """A parameter named after the layer.

        Args:
            shape (list): its dimensions.
            attr (ParamAttr): None for the default one, False for none.
            dtype: data type.
            is_bias (bool): it is named and starts as a bias.
            default_initializer: goes where `attr` has none.
        Returns:
            The parameter, None when attr is False.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fluid.dygraph.Layer("mine").create_parameter([2, 3]).name
            'mine_0.w_0'
        """
        return super().create_parameter(shape, attr, dtype, is_bias, default_initializer)

    def create_variable(
        self, name: str | None = None, persistable: bool | None = None, dtype: Any = None, type: VarType = VarType.LOD_TENSOR
    ) -> Any:
        """An empty variable.

        Args:
            name (str): the second part of its name, behind the layer's; None: a number.
            persistable (bool): it counts as model state.
            dtype: data type; None: float32.
            type (VarType): its kind, in static mode.
        Returns:
            VarBase, or a Variable in static mode.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fluid.dygraph.Layer("mine").create_variable("state").name
            'mine_0.state'
        """
        whole = f"{self._full_name}.{name}" if name else unique_name.generate(f"{self._full_name}._generated_var")
        return self._helper.create_variable(name=whole, persistable=persistable, dtype=dtype, type=type)

    def add_parameter(self, name: str, parameter: Any) -> Any:
        """Hold a parameter under a name.

        Args:
            name (str): the name.
            parameter (Parameter): a parameter or None.
        Returns:
            The parameter.
        Raises:
            TypeError: it is no parameter.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     net = fluid.dygraph.Layer("mine")
            ...     net.add_parameter("w", net.create_parameter([2])) is net.w
            True
        """
        if parameter is not None and not isinstance(parameter, (ParamBase, EagerParamBase, Parameter)):
            raise type_error("parameter", "a parameter or None", parameter, "Layer.add_parameter")
        self._parameters[name] = parameter
        if isinstance(parameter, ParamBase) and parameter.name in self._loaddict_holder:
            parameter.set_value(self._loaddict_holder[parameter.name])
        return parameter

    def sublayers(self, include_sublayers: bool = True, include_self: bool = False) -> list[Any]:  # type: ignore[override]
        """All sublayers.

        Args:
            include_sublayers (bool): False gives none, as in Paddle 1.8.
            include_self (bool): begin with the layer itself.
        Returns:
            List of layers.
        """
        return [layer for _, layer in self.named_sublayers("", include_sublayers, include_self)]

    def named_sublayers(  # type: ignore[override]
        self,
        prefix: str = "",
        include_sublayers: bool = True,
        include_self: bool = False,
        layers_set: set[Any] | None = None,
    ) -> Iterator[tuple[str, Any]]:
        """All sublayers with their dotted names, each once.

        Args:
            prefix (str): goes before every name.
            include_sublayers (bool): False gives at most the layer itself.
            include_self (bool): begin with the layer itself.
            layers_set (set): layers to leave out; grows.
        Returns:
            Iterator of pairs of a name and a layer.
        """
        layers_set = set() if layers_set is None else layers_set
        if include_self and self not in layers_set:
            layers_set.add(self)
            yield prefix, self
        if include_sublayers:
            for name, layer in self._sub_layers.items():
                if layer is not None:
                    path = f"{prefix}.{name}" if prefix else name
                    yield from layer.named_sublayers(prefix=path, include_self=True, layers_set=layers_set)

    def _named(self, kind: str, prefix: str, deep: bool, once: bool = True) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        for path, layer in self.named_sublayers(prefix, deep, True):
            for name, value in getattr(layer, kind).items():
                if value is not None and not (once and id(value) in seen):
                    seen.add(id(value))
                    yield (f"{path}.{name}" if path else name), value

    def clear_gradients(self) -> None:  # type: ignore[override]
        """Set the gradients of all trained parameters to zero.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fc = fluid.dygraph.Linear(2, 1, bias_attr=False)
            ...     fc(fluid.dygraph.to_variable(np.ones([1, 2], "float32"))).backward()
            ...     before = fc.weight.gradient().sum()
            ...     fc.clear_gradients()
            ...     float(before), float(fc.weight.gradient().sum())
            (2.0, 0.0)
        """
        for parameter in self.parameters():
            if parameter.trainable:
                parameter.clear_gradient()

    def state_dict(  # type: ignore[override]
        self, destination: Any = None, include_sublayers: bool = True, structured_name_prefix: str = ""
    ) -> Any:
        """Parameters (running statistics too) by their dotted names.

        Args:
            destination (dict): a dict to fill; None: a new one.
            include_sublayers (bool): those of sublayers too.
            structured_name_prefix (str): goes before every name.
        Returns:
            An ordered dict of name and parameter.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     {name: value.shape for name, value in fluid.dygraph.Linear(2, 3).state_dict().items()}
            {'weight': [2, 3], 'bias': [3]}
        """
        state = super().state_dict(destination, False, structured_name_prefix)
        if include_sublayers:
            for name, layer in self._sub_layers.items():
                if layer is not None:  # its own `state_dict` decides, and gets a copy of what is there
                    state = state.copy()
                    state.update(layer.state_dict(state, include_sublayers, f"{structured_name_prefix}{name}."))
        return state

    def set_dict(self, stat_dict: Any, include_sublayers: bool = True, use_structured_name: bool = True) -> None:  # type: ignore[override]
        """Set parameters from a state dict; every parameter must be there.

        Args:
            stat_dict (dict): name -> VarBase or array.
            include_sublayers (bool): of no effect: sublayers are always set.
            use_structured_name (bool): the names are dotted ones, else those of the parameters.
        Raises:
            PreconditionNotMetError: a parameter is missing.
            AssertionError: a shape or data type differs.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fc = fluid.dygraph.Linear(2, 1, bias_attr=False)
            ...     fc.set_dict({"weight": np.ones([2, 1], "float32")})
            ...     fc.weight.numpy().tolist()
            [[1.0], [1.0]]
        """
        own = self.state_dict()
        by_name = own if use_structured_name else {v.name: v for v in own.values()}
        for name, target in by_name.items():
            if name not in stat_dict:
                raise PreconditionNotMetError(
                    f"Parameter `{name}` is not in the state dict (use_structured_name is {use_structured_name}). Expected every "
                    f"parameter. Received: {', '.join(map(str, stat_dict)) or 'none'}"
                )
            target.set_value(stat_dict[name])
        unused = [str(name) for name in stat_dict if name not in by_name and name != "StructuredToParameterName@@"]
        if unused:
            warnings.warn(f"Variables [ {' '.join(unused)} ] are not used, because not included in layers state_dict", stacklevel=2)

    load_dict = set_dict  # type: ignore[assignment]
    set_state_dict = set_dict  # type: ignore[assignment]

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, ParamBase) and value.name in self.__dict__.get("_loaddict_holder", ()):
            value.set_value(self._loaddict_holder[value.name])

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer computes; every layer defines it.

        Args:
            inputs, kwargs: as the layer takes them.
        Returns:
            What it computes.
        Raises:
            UnimplementedError: the layer's class does not define it.
        """
        return super().forward(*inputs, **kwargs)

    def __repr__(self) -> str:
        return super().__repr__() if mode.is_static() is False and not _eager.first_age() else object.__repr__(self)

    def _activated(self, value: Any, act: str | None) -> Any:
        """The value behind an activation; the layer's own value where there is none."""
        return value if act is None else LayerHelper(self._full_name, name=self._full_name, act=act).append_activation(value)

    def _shifted(self, value: Any, bias: Any, axis: int) -> Any:
        """The value plus the layer's bias, if it has one."""
        if bias is None:
            return value
        from paddle_compat.fluid.layers._record import run

        return run("elementwise_add", value, bias, axis=axis)


__all__ = ["Layer"]

__getattr__ = missing(__name__)

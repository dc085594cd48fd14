"""A model as a list of layers that pipelines cut into stages; here there is one stage, which has all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.fleet.recompute._recompute import recompute_hybrid
from paddle_compat.framework.random import get_rng_state, seed, set_rng_state
from paddle_compat.nn.layer.container import LayerDict
from paddle_compat.nn.layer.layers import Layer

__all__ = ["LayerDesc", "PipelineLayer", "SharedLayerDesc"]

_SEED = 1234  # of the first layer; each draws its first values from a row of its own


class LayerDesc:
    """A layer that is made later.

    Args:
        layer_func (type): the layer's class.
        inputs, kwargs: what it is made with.
    Raises:
        TypeError: it is no class of layers.

    Example:
        >>> import paddle_compat as paddle
        >>> desc = paddle.distributed.fleet.meta_parallel.LayerDesc(paddle.nn.Linear, 2, 3, bias_attr=False)
        >>> desc, desc.build_layer().weight.shape
        (Linear(2, 3, bias_attr=False), [2, 3])

    Follows Paddle 2.6.
    """

    def __init__(self, layer_func: Any, *inputs: Any, **kwargs: Any) -> None:
        self.layer_func, self.inputs, self.kwargs = layer_func, inputs, kwargs
        if not issubclass(layer_func, Layer):
            raise TypeError(f"The input of LayerDesc should be a class of layers. Received: {layer_func!r}")

    def build_layer(self) -> Layer:
        """Make the layer.

        Returns:
            Layer.
        """
        made: Layer = self.layer_func(*self.inputs, **self.kwargs)
        return made

    def __repr__(self) -> str:
        given = [*map(str, self.inputs), *(f"{name}={value}" for name, value in self.kwargs.items())]
        return f"{self.layer_func.__name__}({', '.join(given)})"


class SharedLayerDesc(LayerDesc):
    """A layer that comes at several places of a model, and is made once.

    Args:
        key (str): what the places call it.
        layer_func (type): the layer's class.
        forward_func (callable|None): called with the layer and the input at this place; None: the layer itself is called.
        shared_weight_attr (str): the parameter that stages share.
        inputs, kwargs: what it is made with.

    Example:
        >>> import paddle_compat as paddle
        >>> desc = paddle.distributed.fleet.meta_parallel.SharedLayerDesc("table", paddle.nn.Embedding, None, "weight", 5, 4)
        >>> desc.layer_name, desc.build_layer().weight.shape
        ('table', [5, 4])

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        key: str,
        layer_func: Any,
        forward_func: Callable[..., Any] | None = None,
        shared_weight_attr: str = "weight",
        *inputs: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(layer_func, *inputs, **kwargs)
        self.layer_name, self.forward_func, self.shared_weight_attr = key, forward_func, shared_weight_attr


class PipelineLayer(Layer):
    """A model that calls layers and functions one after the other.

    Args:
        layers (list): layers, functions, LayerDesc and SharedLayerDesc.
        num_stages (int|None): 1; None: as the topology says.
        topology (CommunicateTopology|None): the processes.
        loss_fn (callable|None): the loss.
        seg_method (str): how several stages would be cut.
        recompute_interval (int): how many layers are computed again together in the backward pass; 0: none is.
        recompute_ctx (dict|None): of `recompute_hybrid`; wanted where something is computed again.
        num_virtual_pipeline_stages (int|None): None or 1.
    Raises:
        ValueError: neither num_stages nor topology is given, or seg_method is none.
        AssertionError: recompute_ctx is missing.
        UnsupportedError: there are several stages.
        TypeError: layers is no list.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel import LayerDesc, PipelineLayer
        >>> model = PipelineLayer([LayerDesc(paddle.nn.Linear, 4, 2), paddle.nn.functional.relu], num_stages=1)
        >>> model(paddle.ones([3, 4])).shape, sorted(model.state_dict())
        ([3, 2], ['0.bias', '0.weight'])
        >>> model.get_stage_from_index(0), model.get_num_virtual_stages(), model.get_model_chunks()
        (0, 1, None)
        >>> model.allreduce_shared_weight_gradients()
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> model.save_state_dict(folder); model.set_state_dir(folder)

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        layers: Any,
        num_stages: int | None = None,
        topology: Any = None,
        loss_fn: Any = None,
        seg_method: str = "uniform",
        recompute_interval: int = 0,
        recompute_ctx: dict[str, Any] | None = None,
        num_virtual_pipeline_stages: int | None = None,
    ) -> None:
        super().__init__()
        if num_stages is None and topology is None:
            raise ValueError("should provide num_stages or topology. Received: neither")
        if seg_method != "uniform" and not seg_method.startswith("layer:"):
            raise ValueError(f"method {seg_method} is not supported. Expected uniform, or layer:CLASS")
        if recompute_interval > 0 and recompute_ctx is None:
            raise failed_assertion("recompute_ctx", "a dict with mp_group where recompute_interval is above 0", None, "PipelineLayer")
        stages = topology.get_dim("pipe") if topology is not None else num_stages or 1
        for name, count in (("num_stages", stages), ("num_virtual_pipeline_stages", num_virtual_pipeline_stages or 1)):
            if count > 1:
                api = "paddle.distributed.fleet.meta_parallel.PipelineLayer"
                raise UnsupportedError(api, f"{name}={count}", "torch.distributed.pipelining")
        self._loss_fn, self._topo = loss_fn, topology
        self._recompute_interval, self.recompute_ctx = recompute_interval, recompute_ctx or {}
        self._num_stages, self._stage_id, self.layers = 1, 0, layers
        self._layers_desc = list(layers)
        self._num_layers = len(self._layers_desc)
        self.segment_parts = [0, self._num_layers]
        self._start_pos, self._end_pos = 0, self._num_layers
        self.shared_layers = LayerDict()
        self.shared_weight_attrs: dict[str, str] = {}
        former = get_rng_state()
        self.run_function = [self._made(index, layer) for index, layer in enumerate(self._layers_desc)]
        set_rng_state(former)

    def _made(self, index: int, layer: Any) -> Any:
        """What is called for an entry of the list."""
        seed(_SEED + index)
        if isinstance(layer, SharedLayerDesc):
            if layer.layer_name not in self.shared_layers:
                self.shared_layers[layer.layer_name] = layer.build_layer()
                self.shared_weight_attrs[layer.layer_name] = layer.shared_weight_attr
            shared = self.shared_layers[layer.layer_name]
            return shared if layer.forward_func is None else partial(layer.forward_func, shared)
        made = layer.build_layer() if isinstance(layer, LayerDesc) else layer
        if isinstance(made, Layer):
            self.add_sublayer(str(index), made)
        return made

    def get_stage_from_index(self, layer_idx: int) -> int:
        """The stage that has an entry of the list.

        Args:
            layer_idx (int): the entry.
        Returns:
            int: 0.
        Raises:
            AssertionError: there is no such entry.
        """
        if not 0 <= layer_idx < self._num_layers:
            raise failed_assertion("layer_idx", f"an index below {self._num_layers}", layer_idx, "get_stage_from_index")
        return 0

    def get_num_virtual_stages(self) -> int:
        """How many parts of the model each process has.

        Returns:
            int: 1.
        """
        return 1

    def get_model_chunks(self) -> None:
        """The parts of the model where each process has several; there are none.

        Returns:
            None.
        """

    def allreduce_shared_weight_gradients(self) -> None:
        """Add up the gradients of layers that several stages share; there is one stage."""

    def forward(self, input: Any, chunk_id: int | None = None) -> Any:
        """Call everything in turn.

        Args:
            input (Tensor|tuple): what the first entry is called with; a tuple as several arguments.
            chunk_id (int|None): None.
        Returns:
            What the last entry returns.
        """
        if self._recompute_interval == 0:
            return _called(self.run_function, input)
        for start in range(0, self._num_layers, self._recompute_interval):
            part = self.run_function[start : start + self._recompute_interval]
            values = input if isinstance(input, tuple) else (input,)
            if any(isinstance(value, Tensor) and not value.stop_gradient for value in values):
                input = recompute_hybrid(self.recompute_ctx, lambda *given, part=part: _called(part, given), *values)
            else:
                input = _called(part, input)
        return input

    def save_state_dict(self, path: str) -> None:
        """Write a file for each layer.

        Args:
            path (str): the folder.
        """
        from paddle_compat.framework.io import save

        os.makedirs(path, exist_ok=True)
        for index, layer in enumerate(self.run_function):
            if isinstance(layer, Layer):
                save(layer.state_dict(), self._file(path, index))

    def set_state_dir(self, path: str) -> None:
        """Read what `save_state_dict` wrote.

        Args:
            path (str): the folder.
        Raises:
            AssertionError: there is none.
        """
        from paddle_compat.framework.io import load

        if not os.path.exists(path):
            raise failed_assertion("path", "a folder that exists", path, "set_state_dir")
        for index, layer in enumerate(self.run_function):
            if isinstance(layer, Layer):
                layer.set_state_dict(load(self._file(path, index)))

    def _file(self, path: str, index: int) -> str:
        return os.path.join(path, f"layer_{index:02d}-tensor_00-model_states.pdparams")


def _called(functions: Iterable[Callable[..., Any]], value: Any) -> Any:
    for function in functions:
        value = function(*value) if isinstance(value, tuple) else function(value)
    return value


__getattr__ = missing(__name__)

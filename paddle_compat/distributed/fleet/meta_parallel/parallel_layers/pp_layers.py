"""A model as a list of layers that is cut into the stages of a pipeline: each process makes those of its own."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import _groups, collective, communication
from paddle_compat.distributed.fleet.layers.mpu.random import get_rng_state_tracker
from paddle_compat.distributed.fleet.meta_parallel._schedules import number_of, place_of
from paddle_compat.distributed.fleet.meta_parallel.parallel_layers._descriptions import (
    LayerDesc,
    LocalSharedLayerDesc,
    SharedLayerDesc,
    attributes_of,
)
from paddle_compat.distributed.fleet.meta_parallel.parallel_layers._segments import SegmentLayers
from paddle_compat.distributed.fleet.recompute._recompute import recompute_hybrid
from paddle_compat.framework.random import get_rng_state, seed, set_rng_state
from paddle_compat.nn.layer.container import LayerDict
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.tensor.creation import zeros_like

__all__ = ["LayerDesc", "LocalSharedLayerDesc", "PipelineLayer", "PipelineLayerChunk", "SegmentLayers", "SharedLayerDesc"]

_SEED = 1234  # of the first layer; each draws its first values from a row of its own


class PipelineLayerChunk(Layer):
    """One of several parts of a model that a stage has: `PipelineLayer` calls it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.parallel_layers.pp_layers import PipelineLayerChunk
        >>> chunk = PipelineLayerChunk()
        >>> chunk.append(paddle.nn.Linear(2, 3)); chunk.append(paddle.nn.functional.relu)
        >>> len(chunk.get_run_function()), sorted(chunk.state_dict())
        (2, ['0.bias', '0.weight'])

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        super().__init__()
        self.run_function: list[Any] = []

    def append(self, sublayer: Any) -> None:
        """Put something behind the others.

        Args:
            sublayer (Layer|callable): what is called.
        """
        if isinstance(sublayer, Layer):
            self.add_sublayer(str(len(self.run_function)), sublayer)
        self.run_function.append(sublayer)

    def get_run_function(self) -> list[Any]:
        """What is called, one after the other.

        Returns:
            list: of layers and functions.
        """
        return self.run_function

    def forward(self, *args: Any, **kwargs: Any) -> None:
        """Nobody calls a part by itself.

        Args:
            args, kwargs: any.
        Raises:
            PermissionError: always.
        """
        raise PermissionError(
            "The forward function of PipelineLayerChunk cannot be called directly. Expected a call of PipelineLayer. Received: a call"
        )


class PipelineLayer(Layer):
    """A model that calls layers and functions one after the other, of which each stage of a pipeline has some.

    Args:
        layers (list): layers, functions, LayerDesc and SharedLayerDesc.
        num_stages (int|None): how many stages; None: as the topology says.
        topology (CommunicateTopology|None): the processes; None: those of the job, with stages and data parallelism.
        loss_fn (callable|list|None): the loss; a list: several, of which each step names one.
        seg_method (str|list): how the list is cut, see `SegmentLayers`.
        recompute_interval (int): how many layers are computed again together in the backward pass; 0: none is.
        recompute_ctx (dict|None): of `recompute_hybrid`; wanted where something is computed again.
        num_virtual_pipeline_stages (int|None): how many parts of the model each stage has; above 1, seg_method is of "layer:NAME".
        use_cudagraph (bool): kept, as in Paddle 3; it has no effect.
        use_dualpipev (bool): whether each process has two parts, which go forth and back over the stages: the first has the model's
            begin and its end.
    Raises:
        ValueError: neither num_stages nor topology is given, there is no such method, or the processes do not make so many stages.
        AssertionError: recompute_ctx is missing, or the list cannot be cut so.
        TypeError: layers is no list.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel import LayerDesc, PipelineLayer
        >>> model = PipelineLayer([LayerDesc(paddle.nn.Linear, 4, 2), paddle.nn.functional.relu], num_stages=1)
        >>> model(paddle.ones([3, 4])).shape, sorted(model.state_dict())
        ([3, 2], ['0.bias', '0.weight'])
        >>> model.get_stage_from_index(0), model.get_num_virtual_stages(), model.get_model_chunks()
        (0, 1, None)
        >>> model.forward_function(0, 1)(paddle.ones([3, 4])).shape
        [3, 2]
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
        seg_method: Any = "uniform",
        recompute_interval: int = 0,
        recompute_ctx: dict[str, Any] | None = None,
        num_virtual_pipeline_stages: int | None = None,
        use_cudagraph: bool = False,
        use_dualpipev: bool = False,
    ) -> None:
        super().__init__()
        if num_stages is None and topology is None:
            raise ValueError("should provide num_stages or topology. Received: neither")
        self.global_rank = _groups.job_rank()
        self._topo = topology = topology or _of_stages(num_stages or 1)
        self._num_stages, self._stage_id = topology.get_dim("pipe"), topology.get_coord(self.global_rank).pipe
        self._num_virtual_pipeline_stages = chunks = 1 if num_virtual_pipeline_stages is None else num_virtual_pipeline_stages
        self._folded = use_dualpipev
        if use_dualpipev and chunks > 1:
            expected = "None where use_dualpipev is True: dualpipev is not compatible with virtual pipeline"
            raise failed_assertion("num_virtual_pipeline_stages", expected, chunks, "PipelineLayer")
        if recompute_interval > 0 and recompute_ctx is None:
            raise failed_assertion("recompute_ctx", "a dict with mp_group where recompute_interval is above 0", None, "PipelineLayer")
        self._loss_fn, self.layers, self._base_seed = loss_fn, layers, _SEED
        self._recompute_interval, self.recompute_ctx = recompute_interval, recompute_ctx or {}
        self._layers_desc = list(layers)
        self._num_layers = len(self._layers_desc)
        self.shared_layers = LayerDict()
        self.shared_weight_attrs: dict[str, Any] = {}
        if chunks > 1 and not (isinstance(seg_method, str) and seg_method.startswith("layer:")):
            said = "layer:NAME: seg_method should be start with layer: for interleave scheduler"
            raise failed_assertion("seg_method", said, seg_method, "PipelineLayer")
        chunks = 2 if use_dualpipev else chunks
        self._total_stages_with_virtual_stages = self._num_stages * chunks
        sizes = (self._total_stages_with_virtual_stages, 1) if use_dualpipev else (self._num_stages, chunks)
        self.segment_parts = SegmentLayers(self._layers_desc, sizes[0], seg_method, sizes[1]).do_segment()
        own = [number_of(self._stage_id, chunk, self._num_stages, use_dualpipev) for chunk in range(chunks)]  # this stage's parts
        begins, ends = ([self.segment_parts[part + end] for part in own] for end in (0, 1))
        former, states = get_rng_state(), get_rng_state_tracker().get_states_tracker()
        if chunks > 1:
            self._start_poss, self._end_poss = begins, ends
            self._model_chunks = [self._chunk(*ends_of) for ends_of in zip(begins, ends)]
        else:
            (self._start_pos,), (self._end_pos,) = begins, ends
            self.run_function = self._built(self._start_pos, self._end_pos, self)
        set_rng_state(former)
        get_rng_state_tracker().set_states_tracker(states)
        self.shared_comm = self._construct_shared_comm()
        self._synchronize_shared_weights()

    def _chunk(self, begin: int, end: int) -> PipelineLayerChunk:
        """One of several parts."""
        chunk = PipelineLayerChunk()
        for made in self._built(begin, end, None):
            chunk.append(made)
        self.add_sublayer(str(begin), chunk)
        return chunk

    def _built(self, begin: int, end: int, holder: Layer | None) -> list[Any]:
        """What is called for a part of the list; `holder` has its layers as sublayers."""
        return [self._made(index, self._layers_desc[index], holder) for index in range(begin, end)]

    def _made(self, index: int, layer: Any, holder: Layer | None) -> Any:
        """What is called for an entry of the list."""
        seed(self._base_seed + index)
        if isinstance(layer, SharedLayerDesc):
            shared = self._shared(layer)
            return shared if layer.forward_func is None else partial(layer.forward_func, shared)
        made = layer.build_layer() if isinstance(layer, LayerDesc) else layer
        if isinstance(made, Layer) and holder is not None:
            holder.add_sublayer(str(index), made)
        return made

    def _shared(self, desc: SharedLayerDesc) -> Layer:
        """The layer of that name, made where it comes first."""
        if isinstance(desc, LocalSharedLayerDesc):
            if not hasattr(self, "local_shared_layers"):
                self.local_shared_layers = LayerDict()
            known = self.local_shared_layers
        else:
            known = self.shared_layers
            self.shared_weight_attrs.setdefault(desc.layer_name, desc.shared_weight_attr)
        if desc.layer_name not in known:
            known[desc.layer_name] = desc.build_layer()
        found: Layer = known[desc.layer_name]
        return found

    def _construct_shared_comm(self) -> dict[str, Any]:
        """For each layer that several stages have the group of those at this process's place of the other axes.

        All processes make the groups, in the same order.
        """
        shared = [desc for desc in self._layers_desc if isinstance(desc, SharedLayerDesc) and not isinstance(desc, LocalSharedLayerDesc)]
        found: dict[str, Any] = {}
        for key in dict.fromkeys(desc.layer_name for desc in shared):
            places = [index for index, desc in enumerate(self._layers_desc) if desc in shared and desc.layer_name == key]
            stages = sorted({self.get_stage_from_index(index) for index in places})
            if len(stages) < 2:
                continue
            others = [name for name in self._topo.get_hybrid_group_names() if name != "pipe"]
            for place in itertools.product(*(range(self._topo.get_dim(name)) for name in others)):
                ranks = [self._topo.get_rank(**dict(zip(others, place)), pipe=stage) for stage in stages]
                group = _groups.make(ranks, None, collective._PATIENCE)
                if self.global_rank in ranks:
                    weight, layer = self.shared_weight_attrs[key], self.shared_layers[key]
                    found[key] = {"ranks": ranks, "group": group, "weight_attr": weight, "layer": layer}
        return found

    def _shared_parameters(self) -> Iterator[tuple[Any, Any]]:
        """What several stages share, and the group of them."""
        for key, way in self.shared_comm.items():
            for desc in self._layers_desc:
                if isinstance(desc, SharedLayerDesc) and desc.layer_name == key:
                    for name in attributes_of(desc):
                        yield getattr(way["layer"], name), way["group"]
                    break

    def _synchronize_shared_weights(self) -> None:
        """Let shared parameters begin with the values of the first stage that has them; it alone counts them where they are counted."""
        for parameter, group in self._shared_parameters():
            communication.broadcast(parameter, min(group.ranks), group)
            parameter.is_firstly_shared = self.global_rank == min(group.ranks)

    def get_stage_from_index(self, layer_idx: int) -> int:
        """The stage that has an entry of the list.

        Args:
            layer_idx (int): the entry.
        Returns:
            int: the stage.
        Raises:
            AssertionError: there is no such entry.
        """
        if not 0 <= layer_idx < self._num_layers:
            expected = f"an index below {self._num_layers}: layer_idx is out of bound"
            raise failed_assertion("layer_idx", expected, layer_idx, "get_stage_from_index")
        part = max(part for part, begin in enumerate(self.segment_parts[:-1]) if begin <= layer_idx)
        return place_of(part, self._num_stages, self._folded)[0]

    def get_num_virtual_stages(self) -> int:
        """How many parts of the model each process has.

        Returns:
            int: at least 1.
        """
        return self._num_virtual_pipeline_stages

    def get_model_chunks(self) -> list[PipelineLayerChunk] | None:
        """The parts of the model where each process has several.

        Returns:
            list|None: of PipelineLayerChunk; None: it has one.
        """
        return getattr(self, "_model_chunks", None)

    def allreduce_shared_weight_gradients(self) -> None:
        """Add up the gradients of what several stages share."""
        for parameter, group in self._shared_parameters():
            if parameter.stop_gradient:
                continue
            gradient = getattr(parameter, "main_grad", None)
            if gradient is None:
                if parameter.grad is None:
                    parameter.grad = zeros_like(parameter)
                gradient = parameter.grad
            communication.all_reduce(gradient, group=group)

    def forward_function(self, start: int, end: int) -> Callable[..., Any]:
        """What calls some of this stage's entries, one after the other.

        Args:
            start (int): the first one; end (int): the one behind the last.
        Returns:
            callable: takes the first one's inputs.
        """
        part = self.run_function[start:end]

        def run(*inputs: Any) -> Any:
            return _called(part, inputs[0] if len(inputs) == 1 else inputs)

        return run

    def forward(self, input: Any, chunk_id: int | None = None) -> Any:
        """Call everything that this stage has, in turn.

        Args:
            input (Tensor|tuple): what the first entry is called with.
            chunk_id (int|None): the part, where the stage has several.
        Returns:
            What the last entry returns.
        """
        functions = self.run_function if chunk_id is None else self._model_chunks[chunk_id].get_run_function()
        if self._recompute_interval == 0:
            return _called(functions, input)
        for start in range(0, len(functions), self._recompute_interval):
            part = functions[start : start + self._recompute_interval]
            values = input if isinstance(input, tuple) else (input,)
            if any(isinstance(value, Tensor) and not value.stop_gradient for value in values):
                input = recompute_hybrid(self.recompute_ctx, _again(part, isinstance(input, tuple)), *values)
            else:
                input = _called(part, input)
        return input

    def _files(self, path: str) -> Iterator[tuple[Layer, str]]:
        """Each layer of this stage, and its file in a folder."""
        chunks = self.get_model_chunks()
        parts = [(self._start_pos, self.run_function, "")] if chunks is None else [
            (begin, chunk.get_run_function(), f"-virtual_pp_stage_{number:02d}")
            for number, (begin, chunk) in enumerate(zip(self._start_poss, chunks))
        ]  # fmt: skip
        place = self._topo.get_coord(self.global_rank)
        for begin, functions, part in parts:
            for index, layer in enumerate(functions, begin):
                if isinstance(layer, Layer):
                    name = f"layer_{index:02d}{part}-tensor_{getattr(place, 'model', 0):02d}-model_states.pdparams"
                    yield layer, os.path.join(path, name)

    def save_state_dict(self, path: str) -> None:
        """Write a file for each layer of this stage; of the processes that share the data, the first one does.

        Args:
            path (str): the folder.
        """
        from paddle_compat.framework.io import save

        if getattr(self._topo.get_coord(self.global_rank), "data", 0) > 0:
            return
        os.makedirs(path, exist_ok=True)
        for layer, file in self._files(path):
            save(layer.state_dict(), file)

    def set_state_dir(self, path: str) -> None:
        """Read what `save_state_dict` wrote.

        Args:
            path (str): the folder.
        Raises:
            AssertionError: there is none.
        """
        from paddle_compat.framework.io import load

        if not os.path.exists(path):
            raise failed_assertion("path", "a folder that exists: not found, please check the path", path, "set_state_dir")
        for layer, file in self._files(path):
            layer.set_state_dict(load(file))


def _of_stages(stages: int) -> Any:
    """The job's processes as that many stages, and data parallelism."""
    from paddle_compat.distributed.fleet.base.topology import CommunicateTopology

    size = _groups.job_size()
    if size % stages:
        raise ValueError(f"should provide correct num_stages({stages}) which can be divided by world_size({size})")
    return CommunicateTopology(["data", "pipe", "model"], [size // stages, stages, 1])


def _called(functions: Iterable[Callable[..., Any]], value: Any) -> Any:
    for function in functions:
        value = function(value)
    return value


def _again(functions: list[Any], several: bool) -> Callable[..., Any]:
    """What is computed again: it takes the parts of a tuple one by one."""
    return lambda *given: _called(functions, given if several else given[0])


__getattr__ = missing(__name__)

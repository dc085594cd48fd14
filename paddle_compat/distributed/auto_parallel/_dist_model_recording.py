"""What `paddle.distributed.to_static` makes of a layer: for each mode a serial Program and what this process runs of it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from paddle_compat.core import capture
from paddle_compat.core.dtype import VarType, convert_dtype
from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.distributed.auto_parallel._dist_model_names import name_apart
from paddle_compat.distributed.auto_parallel._dist_model_precision import casting
from paddle_compat.distributed.auto_parallel._dist_model_strategy import stage
from paddle_compat.distributed.auto_parallel._dist_model_training import Training
from paddle_compat.distributed.auto_parallel._strategies import Strategy
from paddle_compat.distributed.auto_parallel._tensors import inside, is_dist, torch_mesh
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh, of_torch
from paddle_compat.distributed.auto_parallel.random import _begin
from paddle_compat.engine import dist_program_layout, sharding
from paddle_compat.engine.dist_program import DistProgram, Layout
from paddle_compat.engine.dist_program_merged import MergedProgram, part_of
from paddle_compat.engine.dist_program_text import rank_program
from paddle_compat.engine.executor import run_program
from paddle_compat.engine.meshes import alike
from paddle_compat.engine.spmd import box
from paddle_compat.jit.dy2static import convert_call_func
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.optimizer._parts import stacked


class Kind:
    """What an input is like: its name, all of its shape, its data type and how it lies on the mesh."""

    def __init__(self, shape: Sequence[int], dtype: torch.dtype, placements: Sequence[Any], name: str | None = None) -> None:
        self.shape, self.dtype, self.placements, self.name = tuple(shape), dtype, tuple(placements), name

    def layout(self, mesh: Any) -> Layout:
        """How this process's part of it lies."""
        place = mesh.get_coordinate()
        part = () if place is None else box(self.shape, mesh.shape, place, self.placements)
        return Layout(self.shape, self.placements, (0,) if place is None else tuple(end - start for start, end in part), self.dtype)


class Sources:
    """What a DistModel was given.

    Attributes:
        cut: how the optimizer's states lie: a function (name, parameter, state) -> state; None: as their parameters.
    """

    def __init__(
        self, layer: Layer, loss: Any, optimizer: Any, mesh: ProcessMesh, inputs: list[Kind], labels: list[Kind], strategy: Strategy
    ) -> None:
        self.layer, self.loss, self.optimizer, self.mesh, self.inputs, self.labels = layer, loss, optimizer, mesh, inputs, labels
        self.strategy = strategy
        self.device = torch_mesh(mesh, "to_static")
        self.cut = None if optimizer is None else stage(strategy, optimizer, mesh, inputs)


class Recording:
    """One mode of a DistModel.

    Attributes:
        main, startup: the serial Programs.
        dist_startup: this process's.
        feeds: names of the inputs.
        states: name of a persistable variable -> the dist tensor that holds it.
        training: what stands behind the loss; None: nothing.
        steps: over how many parts of a batch gradients are added up.
        fetches: what `auto.fetch` asked for, of the last run, by name.

    Args:
        sources: what was given.
        mode: "train", "eval" or "predict".
        compile: what makes a faster call of a rank's graph; None: its code runs as it is.
    """

    def __init__(self, sources: Sources, mode: str, compile: Any = None) -> None:
        self.sources = sources
        self.training: Training | None = None
        self.outputs: list[Variable] = []
        merge = sources.strategy.gradient_merge
        self.steps = merge.k_steps if merge.enable and mode == "train" else 1
        _begin()
        taken = capture.Capture(2)
        self.main, self.startup = taken.program, taken.startup
        kinds = {"input": sources.inputs, "label": [] if mode == "predict" else sources.labels}
        layouts = {name: [self._layout(kind) for kind in given] for name, given in kinds.items()}
        with capture.capturing(taken), _in_mode(sources.layer, mode == "train"):
            inputs, labels = (
                [self._input(*given, f"{name}{i}") for i, given in enumerate(zip(kinds[name], layouts[name]))] for name in kinds
            )
            self.feeds = [var.name for var in (*inputs, *labels)]
            with casting(sources.strategy.amp):
                self.outputs = _variables(convert_call_func.convert_call(sources.layer)(*inputs))
                if mode != "predict":
                    self.outputs = [_one(convert_call_func.convert_call(sources.loss)(*self.outputs, *labels))]
            if mode == "train":
                name_apart(self.main)
                self.training = Training(sources.optimizer, sources.strategy, self.outputs[0], taken)
        self.states = dict(taken.bound)
        self.outputs += [var for var in getattr(sources.loss, "given", ()) if var.name not in self.feeds]  # that metrics ask for
        self._fetched = taken.fetches
        self.fetches: dict[str, np.ndarray[Any, Any]] = {}
        for tensor in self.states.values():
            if not is_dist(tensor):
                sharding.replicate(tensor, sources.device)
            if not alike(inside(tensor).device_mesh, sources.device):
                given = f"{tensor.name} on {of_torch(inside(tensor).device_mesh)!r} beside others on {sources.mesh!r}"
                raise UnsupportedError("paddle.distributed.to_static", given, "a model whose tensors all lie on one mesh")
        dist_program_layout.check(self.main, sources.device)
        self._initialize()
        self.program = self._program(compile)
        traced = self.program.traced((*layouts["input"], *layouts["label"]))
        if self.training is not None:
            self.training.show_sums(self.main, self.startup)
        self.notes = traced.notes
        self._listed: tuple[bool, Program] | None = None
        self.dist_startup: Program = self._local_startup()
        self.graph = traced.graph

    # ---- recording
    def _layout(self, kind: Kind) -> Layout:
        whole = kind.layout(self.sources.device)
        return whole if self.steps == 1 else part_of(whole, self.steps)

    def _input(self, kind: Kind, layout: Layout, name: str) -> Variable:
        return self.main.global_block()._add_var(
            name=kind.name or name, shape=layout.shape, dtype=convert_dtype(kind.dtype), type=VarType.LOD_TENSOR, is_data=True,
            need_check_feed=False, stop_gradient=True,
        )  # fmt: skip

    def _program(self, compile: Any) -> DistProgram | MergedProgram:
        fetches = [*(var.name for var in self.outputs), *self._fetched.values()]
        if self.training is None or self.training.merging is None:
            return DistProgram(self.main, self.feeds, fetches, self.states, self.sources.device, compile)
        return MergedProgram(self.main, self.feeds, fetches, self.states, self.sources.device, compile, self.training.merging)

    def _initialize(self) -> None:
        """Values for the variables that the recording has made itself: accumulators and learning rates."""
        own = None if self.training is None else self.training.optimizer
        masters = {} if own is None else {var.name: param for param, var in own._master_weights.items()}
        filled = self.startup.clone()  # master copies are those of values that it does not know
        filled.global_block().ops[:] = [op for op in filled.global_block().ops if masters.keys().isdisjoint(op.output_arg_names)]
        scope = Scope()
        run_program(filled, {}, (), scope, torch.device(self.sources.device.device_type), False)
        for name, param in masters.items():
            master = Tensor(inside(self.states[param]).detach().float(), name, True)
            lay = getattr(self.sources.cut, "shard_master_weight", None)
            self.states[name] = master if lay is None else lay(self.states[param], master)
        made = {} if own is None else own._accumulators
        owners = {var.name: (kind, masters.get(param, param)) for kind, states in made.items() for param, var in states.items()}
        for name, var in self.main.global_block().vars.items():
            found = scope.find_var(name)
            value = None if found is None else found.tensor.value
            if var.persistable and name not in self.states and isinstance(value, torch.Tensor):
                self.states[name] = self._laid(Tensor(value, name, True), owners.get(name))
        if own is None:
            return
        for row in own._accumulator_table:
            for param, var in made[own._key(row)].items() if row.rows is not None else ():
                stacked(self.states[var.name], self.states[made[own._key(own._accumulator_table[0])][param].name])

    def _laid(self, state: Tensor, owner: tuple[str, str] | None) -> Tensor:
        """A state as its parameter lies, or as the optimizer's `shard_fn` says; `owner`: its kind and the parameter's name."""
        param = None if owner is None else self.states.get(owner[1])
        cut = self.sources.cut
        if owner is not None and param is not None and cut is not None:
            state = cut(owner[0], param, state)
        state.stop_gradient = True
        if not is_dist(state):
            sharding.replicate(state, self.sources.device)
            if param is not None and is_dist(param) and state.shape == param.shape:
                state._become(sharding.lay(inside(state), inside(param).placements))
        return state

    def _local_startup(self) -> Program:
        program, here = self.startup.clone(), self.notes.shapes
        for op in program.global_block().ops:
            for name in op.output_arg_names:
                if name in here:
                    program.global_block().vars[name].shape = here[name]
                    if "shape" in op.attrs:
                        op.attrs["shape"] = list(here[name])
        return program

    @property
    def dist_main(self) -> Program:
        """This process's Program. Where values decide what is done it is not known before the first run."""
        if not self.notes.whole:
            warnings.warn("The Program lists collectives of a part of its operators only, until it has run once.", stacklevel=3)
        if self._listed is None or self._listed[0] is not self.notes.whole:
            device = self.sources.device
            groups = {device.get_group(i).group_name: i for i in range(device.ndim)}
            sizes = {name: device.size(i) for name, i in groups.items()}
            self._listed = self.notes.whole, rank_program(self.main, self.notes, groups, sizes)
        return self._listed[1]

    # ---- running
    def run(self, inputs: Sequence[Tensor]) -> list[np.ndarray[Any, Any]]:
        """Run once and return the outputs."""
        if self.training is not None:
            self._show_rate(self.training.optimizer)
        values = [self._value(tensor, kind) for tensor, kind in zip(inputs, (*self.sources.inputs, *self.sources.labels))]
        found = [value.cpu().numpy() for value in self.program(values)]
        self.fetches = dict(zip(self._fetched, found[len(self.outputs) :]))
        return found[: len(self.outputs)]

    def _value(self, tensor: Tensor, kind: Kind) -> torch.Tensor:
        """An input's DTensor; a plain Tensor is this process's part."""
        from torch.distributed.tensor import DTensor

        value = tensor._t.detach()
        if isinstance(value, DTensor):
            return value
        return DTensor.from_local(value.to(self.sources.device.device_type), self.sources.device, kind.placements, run_check=False)

    def _show_rate(self, optimizer: Any) -> None:
        """Put the present learning rate where the updates read it."""
        rate = self.sources.optimizer.get_lr()
        for var in optimizer._learning_rate_map.values():
            local = inside(self.states[var.name])._local_tensor
            local.fill_(rate)


@contextmanager
def _in_mode(layer: Layer, training: bool) -> Iterator[None]:
    """Inside, a layer and those in it train, or do not."""
    former = [(each, each.training) for each in layer.sublayers(include_self=True)]
    (layer.train if training else layer.eval)()
    try:
        yield
    finally:
        for each, was in former:
            each.training = was


def _variables(outs: Any) -> list[Variable]:
    if isinstance(outs, Variable):
        return [outs]
    values = outs.values() if isinstance(outs, dict) else outs if isinstance(outs, (list, tuple)) else ()
    return [var for value in values for var in _variables(value)]


def _one(loss: Any) -> Variable:
    found = _variables(loss)
    if len(found) != 1 or np.prod(found[0].shape) != 1:
        raise invalid_argument("loss", "a function that returns one Tensor of one element", [list(v.shape) for v in found], "to_static")
    return found[0]


__all__ = ["Kind", "Recording", "Sources"]

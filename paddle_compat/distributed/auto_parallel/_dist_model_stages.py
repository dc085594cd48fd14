"""A DistModel whose parameters lie on several meshes: each process computes its stage, and `reshard` brings values to the next one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._dist_model_precision import casting
from paddle_compat.distributed.auto_parallel._tensors import dtensor_from_local, inside, is_dist, reshard
from paddle_compat.distributed.auto_parallel.placement_type import of_torch as placements_of
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh, of_torch
from paddle_compat.nn.layer.layers import Layer

_API = "to_static"
_ORDERS = ("FThenB", "1F1B", "Eager1F1B", "VPP", "ZBH1", "ZBVPP")


def meshes_of(layer: Layer) -> list[ProcessMesh]:
    """The meshes that a model's parameters lie on, each once."""
    found: list[ProcessMesh] = []
    for tensor in (*layer.parameters(), *layer.buffers()):
        if is_dist(tensor) and (mesh := of_torch(inside(tensor).device_mesh)) not in found:
            found.append(mesh)
    return found


class Stages:
    """One mode of such a model. Its operators run one by one, in the order of the script in every process.

    A batch goes through in `strategy.pipeline.accumulate_steps` parts, all forward, and then all back.

    Attributes:
        feeds: names of the inputs.
        fetches: nothing: what an operator gives is a Tensor, which the layer itself may keep.

    Args:
        sources: what was given.
        meshes: those of the stages.
        mode: "train", "eval" or "predict".
    Raises:
        AssertionError: there is no such schedule, or no part.
        UnsupportedError: the strategy asks for what is not done over several meshes.
    """

    def __init__(self, sources: Any, meshes: Sequence[ProcessMesh], mode: str) -> None:
        self.sources, self.meshes, self.mode, strategy = sources, meshes, mode, sources.strategy
        pipeline = strategy.pipeline
        if pipeline.enable and pipeline.schedule_mode not in _ORDERS:
            raise failed_assertion("strategy.pipeline.schedule_mode", f"one of {list(_ORDERS)}", pipeline.schedule_mode, _API)
        self.steps = pipeline.accumulate_steps if pipeline.enable else 1
        if self.steps < 1:
            raise failed_assertion("strategy.pipeline.accumulate_steps", "at least 1", self.steps, _API)
        others = {
            "strategy.gradient_merge": (strategy.gradient_merge.enable, "strategy.pipeline.accumulate_steps"),
            "strategy.sharding": (strategy.sharding.enable, "shard_optimizer"),
            "strategy.amp of float16": (strategy.amp.enable and strategy.amp.dtype.lower() == "float16", "bfloat16"),
        }
        for name, (asked, instead) in others.items():
            if asked:
                raise UnsupportedError("paddle.distributed.to_static", f"{name} beside parameters on several meshes", instead)
        self.fetches: dict[str, np.ndarray[Any, Any]] = {}
        labels = [] if mode == "predict" else sources.labels
        self._kinds = [(kind, meshes[0]) for kind in sources.inputs] + [(kind, meshes[-1]) for kind in labels]
        self.feeds = [f"input{i}" for i in range(len(sources.inputs))] + [f"label{i}" for i in range(len(labels))]

    @property
    def states(self) -> dict[str, Tensor]:
        """By name, the parameters, and the states that the optimizer has made."""
        found = {tensor.name: tensor for tensor in self.sources.layer.state_dict().values()}
        optimizer = getattr(self.sources.optimizer, "_inner_opt", self.sources.optimizer)
        made = {} if self.mode != "train" else optimizer.state_dict()
        return found | {name: value for name, value in made.items() if isinstance(value, Tensor)}

    def __getattr__(self, name: str) -> Any:
        if name in ("main", "startup", "dist_main", "dist_startup"):
            given = "the Programs of a model on several meshes, or with strategy.pipeline"
            raise UnsupportedError("paddle.distributed.DistModel", given, "a model on one mesh")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def run(self, inputs: Sequence[Tensor]) -> list[Any]:
        """Run once: the losses of all parts, or what the layer gives for them; None where this process has nothing of it."""
        laid = [self._laid(value, kind, mesh) for value, (kind, mesh) in zip(inputs, self._kinds)]
        parts = [self._parts(value) for value in laid]
        train, layer = self.mode == "train", self.sources.layer
        (layer.train if train else layer.eval)()
        if train:
            made = [self._called([part[step] for part in parts]) for step in range(self.steps)]
            for loss, *_ in made:
                (loss / self.steps if self.steps > 1 else loss).backward()
            self.sources.optimizer.step()
            self.sources.optimizer.clear_grad()
        else:
            with no_grad():
                made = [self._called([part[step] for part in parts]) for step in range(self.steps)]
        return [self._here(column) for column in zip(*made)]

    def _called(self, given: list[Any]) -> list[Any]:
        """What comes of a part: its loss, and the layer's outputs if they are asked for; or these alone."""
        count = len(self.sources.inputs)
        with casting(self.sources.strategy.amp):
            out = self.sources.layer(*given[:count])
            outs = list(out) if isinstance(out, (list, tuple)) else [out]
            if self.mode == "predict":
                return outs
            loss = self.sources.loss(*outs, *given[count:])
            return [loss, *(outs if hasattr(self.sources.loss, "given") else ())]  # that metrics ask for

    def _laid(self, value: Any, kind: Any, mesh: ProcessMesh) -> Any:
        """An input on the mesh of its stage; a plain Tensor is this process's part."""
        return value if is_dist(value) else dtensor_from_local(value, mesh, placements_of(kind.placements))

    def _parts(self, value: Any) -> list[Any]:
        """The parts of an input, which lie as it does."""
        if self.steps == 1:
            return [value]
        rows, rest = divmod(value.shape[0], self.steps)
        if rest:
            expected = f"a number of samples that {self.steps} parts share evenly (strategy.pipeline.accumulate_steps)"
            raise invalid_argument("args", expected, value.shape[0], "DistModel")
        mesh, ways = value.process_mesh, value.placements
        return [reshard(value[step * rows : (step + 1) * rows], mesh, ways) for step in range(self.steps)]

    def _here(self, values: Sequence[Any]) -> Any:
        """All of what the parts gave, in the processes of the stage that made it."""
        if not values[0]._is_initialized():
            return None
        whole = [np.asarray(value.numpy()) for value in values]
        if self.steps == 1:
            return whole[0]
        return np.stack(whole) if whole[0].ndim == 0 else np.concatenate(whole)


__all__ = ["Stages", "meshes_of"]

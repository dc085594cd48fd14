"""What a DistModel's inputs are like: told by the first samples of its loader, or by specifications."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._dist_model_recording import Kind
from paddle_compat.distributed.auto_parallel._tensors import inside, is_dist, torch_layout
from paddle_compat.distributed.auto_parallel.interface import get_mesh
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh, of_torch
from paddle_compat.io import DataLoader
from paddle_compat.nn.layer.layers import Layer

_API = "to_static"


def mesh_of(layer: Layer, loader: Any) -> ProcessMesh:
    """The mesh on which a model lies: that of its parameters, of its loader, or the one that is set."""
    for tensor in (*layer.parameters(), *layer.buffers()):
        if is_dist(tensor):
            return of_torch(inside(tensor).device_mesh)
    found = getattr(loader, "_meshes", None)
    while isinstance(found, (list, tuple)) and found:
        found = found[0]
    known = found if isinstance(found, ProcessMesh) else get_mesh()
    return ProcessMesh([0]) if known is None else known


def of_specs(specs: Any, mesh: ProcessMesh) -> tuple[list[Kind], list[Kind]]:
    """What `input_spec` says of inputs and labels."""
    if not isinstance(specs, (list, tuple)) or len(specs) != 2:
        raise invalid_argument("input_spec", "a list of two lists: specifications of the inputs, and of the labels", specs, _API)
    return [_of_spec(spec, mesh) for spec in flat(specs[0])], [_of_spec(spec, mesh) for spec in flat(specs[1])]


def _of_spec(spec: Any, mesh: ProcessMesh) -> Kind:
    shape = [-1 if size is None else int(size) for size in spec.shape]
    if any(size < 0 for size in shape):
        raise invalid_argument("input_spec", "known sizes", shape, _API)
    layout = torch_layout(mesh, list(getattr(spec, "placements", None) or []), len(shape), _API)
    return Kind(shape, torch_dtype(spec.dtype or "float32"), layout, spec.name)


def of_loader(loader: Any, mesh: ProcessMesh, labelled: bool) -> tuple[list[Kind], list[Kind]]:
    """What the first batch of a loader says of inputs and labels. The loader itself is not read."""
    source = getattr(loader, "_dataloader", loader)
    if not isinstance(source, DataLoader):
        raise type_error("loader", "a paddle.io.DataLoader or what paddle.distributed.shard_dataloader returns", loader, _API)
    with _undrawn():
        batch = next(iter(_alike(source)), None)
    if batch is None:
        raise invalid_argument("loader", "one that has a batch", "an empty one", _API)
    if source is not loader:
        batch = loader._laid(batch)
    parts = list(batch.values()) if isinstance(batch, dict) else list(batch) if isinstance(batch, (list, tuple)) else [batch]
    if len(parts) != 2 and (labelled or len(parts) != 1):
        raise invalid_argument("loader", "batches of two: inputs and labels", f"batches of {len(parts)}", _API)
    kinds = [[_of_value(value, mesh) for value in flat(part)] for part in parts]
    return kinds[0], kinds[1] if len(kinds) > 1 else []


def _alike(loader: DataLoader) -> DataLoader:
    """A loader of the first samples, in this process."""
    size = getattr(loader.batch_sampler, "batch_size", None)
    return DataLoader(loader.dataset, batch_size=size, collate_fn=loader.collate_fn, return_list=True, num_workers=0)


@contextmanager
def _undrawn() -> Iterator[None]:
    """Random numbers that a dataset draws inside will be drawn once more."""
    kept = random.getstate(), np.random.get_state(), torch.get_rng_state()
    try:
        yield
    finally:
        random.setstate(kept[0])
        np.random.set_state(kept[1])
        torch.set_rng_state(kept[2])


def _of_value(value: Any, mesh: ProcessMesh) -> Kind:
    held: Any = value._t if isinstance(value, Tensor) else torch.as_tensor(np.asarray(value))
    layout: Sequence[Any] = held.placements if isinstance(value, Tensor) and is_dist(value) else torch_layout(mesh, [], held.ndim, _API)
    return Kind(held.shape, held.dtype, layout)


def flat(value: Any) -> list[Any]:
    """What is in nested lists and tuples, or the value alone."""
    return [each for part in value for each in flat(part)] if isinstance(value, (list, tuple)) else [value]


__all__ = ["flat", "mesh_of", "of_loader", "of_specs"]

"""What strategies do in eager mode to the model that `fleet.distributed_model` is given."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.rings import ring_of
from paddle_compat.distributed.fleet.meta_optimizers.recompute_optimizer import checkpoints
from paddle_compat.distributed.fleet.recompute import recompute


def begun_together(model: Any) -> Any:
    """The model itself, with the parameters and buffers of the first worker.

    Args:
        model: a Layer.
    """
    ring = ring_of(0)
    tensors = [var._t.detach() for var in (*model.parameters(), *model.buffers())]
    with torch.no_grad():
        first = ring.all_reduce([tensor if ring.rank == 0 else torch.zeros_like(tensor) for tensor in tensors])
        for tensor, value in zip(tensors, first, strict=True):
            tensor.copy_(value)
    return model


def compute_again(model: Any, strategy: Any) -> None:
    """Let the sublayers that `recompute_configs` names, as `named_sublayers` or in full, keep nothing for the backward pass.

    Args:
        model: a Layer.
        strategy: the DistributedStrategy.
    Raises:
        UnsupportedError: a name is no sublayer's.
    """
    layers = {alias: layer for name, layer in model.named_sublayers() for alias in (name, layer.full_name())}
    for name in checkpoints(strategy):
        if name not in layers:
            raise UnsupportedError("fleet.DistributedStrategy.recompute_configs", f"checkpoint {name!r} in eager mode", "a sublayer's name")
        layer = layers[name]
        layer.forward = partial(recompute, layer.forward, use_reentrant=False)

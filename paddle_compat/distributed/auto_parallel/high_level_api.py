"""`paddle.distributed.auto_parallel.high_level_api`: a model, its optimizer and its data made ready for several processes in one call."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.distributed.auto_parallel._loaders import ShardDataloader, shard_dataloader
from paddle_compat.distributed.auto_parallel._tensors import is_dist, torch_mesh
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.io import DataLoader
from paddle_compat.nn import Layer
from paddle_compat.optimizer.optimizer import Optimizer


class ToDistributedConfig:
    """What `to_distributed` is told of a model.

    `input_spec` (a list of InputSpec) and `sequence_parallel` (bool) are kept: data is divided whatever a model looks like inside.

    Example:
        >>> from paddle_compat.distributed.auto_parallel.high_level_api import ToDistributedConfig
        >>> config = ToDistributedConfig(); config.sequence_parallel = True
        >>> config.input_spec

    Follows Paddle 3.3.
    """

    def __init__(self) -> None:
        self.input_spec: Any = None
        self.sequence_parallel = False


def to_distributed(
    model: Layer, optimizer: Optimizer, dataloader: DataLoader, device_num: int, node_num: int | None = 1,
    config: ToDistributedConfig | None = None,
) -> tuple[Layer, Optimizer, ShardDataloader]:  # fmt: skip
    """Train a model on several processes, which share out the data.

    Args:
        model (Layer): the model; its parameters become dist ones in place, whole in every process.
        optimizer (Optimizer): of its parameters.
        dataloader (DataLoader): its batches are cut along their first dimension.
        device_num (int): how many processes a machine has.
        node_num (int): how many machines there are.
        config (ToDistributedConfig): kept.
    Returns:
        tuple: the model and the optimizer, the same, and a loader of dist tensors.
    Raises:
        TypeError: model is no Layer, optimizer none, or dataloader no DataLoader.
        ValueError: a number is no number of processes, or the job has fewer.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import to_distributed
        >>> model, data = paddle.nn.Linear(2, 1), paddle.io.TensorDataset([paddle.ones([4, 2])])
        >>> adam = paddle.optimizer.AdamW(parameters=model.parameters())
        >>> model, adam, loader = to_distributed(model, adam, paddle.io.DataLoader(data, batch_size=2), 1)
        >>> for (x,) in loader():
        ...     model(x).mean().backward(); adam.step(); adam.clear_grad()
        >>> x.placements, model.weight.placements
        ([Shard(dim=0)], [Replicate()])

    Follows Paddle 3.3, which also cuts the weights of decoders that it recognises, for 4 devices and more.
    """
    for name, value, kind in (("model", model, Layer), ("optimizer", optimizer, Optimizer), ("dataloader", dataloader, DataLoader)):
        if not isinstance(value, kind):
            raise type_error(name, f"a paddle {kind.__name__}", value, "to_distributed")
    nodes = 1 if node_num is None else node_num
    for name, number in (("device_num", device_num), ("node_num", nodes)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise invalid_argument(name, "a number of 1 or more", number, "to_distributed")
    from paddle_compat.engine.sharding import replicate

    mesh = ProcessMesh(list(range(device_num * nodes)), dim_names=["dp"])
    device = torch_mesh(mesh, "to_distributed")
    for param in model.parameters():
        if not is_dist(param):
            replicate(param, device)
    return model, optimizer, shard_dataloader(dataloader, mesh, shard_dims="dp")


__all__ = ["ToDistributedConfig", "to_distributed"]
__getattr__ = missing(__name__)

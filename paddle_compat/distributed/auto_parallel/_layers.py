"""`shard_layer`: a layer whose parameters lie on a mesh."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core import mode
from paddle_compat.core.errors import UnimplementedError, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._tensors import is_dist, shard_tensor
from paddle_compat.distributed.auto_parallel.placement_type import Replicate
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.nn import Layer


def shard_layer(
    layer: Layer,
    process_mesh: ProcessMesh,
    shard_fn: Callable[[str, Layer, ProcessMesh], None] | None = None,
    input_fn: Callable[[Any, ProcessMesh], Any] | None = None,
    output_fn: Callable[[Any, ProcessMesh], Any] | None = None,
) -> Layer:
    """Lay a layer's parameters and buffers on a mesh, in place.

    Args:
        layer (Layer): the layer.
        process_mesh (ProcessMesh): the processes.
        shard_fn (callable): called with the name of the layer and of each in it, that layer and the mesh; it lays their parameters. What
            it leaves, all processes hold whole.
        input_fn (callable): what the layer is called with and the mesh -> what it is to be called with.
        output_fn (callable): what the layer gives and the mesh -> what it is to give.
    Returns:
        Layer: the given one.
    Raises:
        ValueError: process_mesh is no ProcessMesh.
        NotImplementedError: in static mode.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> def shard_fn(name, layer, mesh):
        ...     if isinstance(layer, paddle.nn.Linear):
        ...         layer.weight = dist.shard_tensor(layer.weight, mesh, [dist.Shard(1)])
        >>> layer = dist.shard_layer(paddle.nn.Linear(2, 4), dist.ProcessMesh([0]), shard_fn)
        >>> layer.weight.placements, layer.bias.placements
        ([Shard(dim=1)], [Replicate()])

    Follows Paddle 3.3.
    """
    if not isinstance(process_mesh, ProcessMesh):
        raise invalid_argument("process_mesh", "a paddle.distributed.ProcessMesh", process_mesh, "shard_layer")
    if not mode.in_dygraph_mode():
        raise UnimplementedError("`paddle.distributed.shard_layer` takes layers in eager mode. Expected paddle.disable_static() before.")
    laid: dict[int, tuple[Tensor, Tensor]] = {}  # what several layers share stays shared; with the plain one, whose id no other gets

    def replicated(value: Any) -> Any:
        if not isinstance(value, Tensor) or is_dist(value):
            return value
        if id(value) not in laid:
            laid[id(value)] = value, shard_tensor(value, process_mesh, [Replicate()] * process_mesh.ndim)
        return laid[id(value)][1]

    for name, part in layer.named_sublayers(include_self=True):
        if shard_fn is not None:
            shard_fn(name, part, process_mesh)
        for held in (part._parameters, part._buffers):
            held.update({key: replicated(value) for key, value in held.items()})
    if input_fn is not None:
        layer.register_forward_pre_hook(lambda _, inputs: input_fn(inputs, process_mesh))
    if output_fn is not None:
        layer.register_forward_post_hook(lambda _, inputs, outputs: output_fn(outputs, process_mesh))
    return layer

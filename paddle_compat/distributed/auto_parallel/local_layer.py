"""`paddle.distributed.auto_parallel.local_layer`: layers that work on each process's pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._tensors import dtensor_from_local, dtensor_to_local, is_dist
from paddle_compat.nn import Layer
from paddle_compat.utils.layers_utils import flatten, pack_sequence_as


class LocalLayer(Layer):
    """The base of layers whose `forward` takes and gives this process's pieces; from outside they take and give dist tensors.

    Args:
        out_dist_attrs (list): for each output the mesh and the placements that the pieces have.
        grad_dist_attrs (list): for each input the mesh and the placements that the pieces' gradients have; None: the input's own.
    Raises:
        AssertionError: in a call, there are not as many inputs or outputs.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> class Mean(dist.LocalLayer):
        ...     def forward(self, x):
        ...         return x.mean()
        >>> mesh = dist.ProcessMesh([0])
        >>> layer = Mean([(mesh, [dist.Partial()])], [None])
        >>> y = layer(dist.shard_tensor([1.0, 2.0], mesh, [dist.Shard(0)]))
        >>> y.placements, y.item()
        ([Partial(reduce_type=SUM)], 1.5)

    Follows Paddle 3.3.
    """

    def __init__(self, out_dist_attrs: Sequence[tuple[Any, Any]], grad_dist_attrs: Sequence[tuple[Any, Any] | None]) -> None:
        super().__init__()
        self.out_dist_attrs = out_dist_attrs
        self.grad_dist_attrs = grad_dist_attrs

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call `forward` on the pieces."""
        if len(inputs) != len(self.grad_dist_attrs):
            raise failed_assertion("inputs", f"{len(self.grad_dist_attrs)}, one for each of grad_dist_attrs", len(inputs), "LocalLayer")
        given = [_piece(value, attr) for value, attr in zip(inputs, self.grad_dist_attrs)]
        outputs = super().__call__(*given, **kwargs)
        found = flatten(outputs)
        if len(found) != len(self.out_dist_attrs):
            raise failed_assertion("outputs", f"{len(self.out_dist_attrs)}, one for each of out_dist_attrs", len(found), "LocalLayer")
        return pack_sequence_as(outputs, [dtensor_from_local(value, *attr) for value, attr in zip(found, self.out_dist_attrs)])


def _piece(value: Any, attr: tuple[Any, Any] | None) -> Any:
    if not isinstance(value, Tensor) or not is_dist(value):
        return value
    tensor: Any = value
    return dtensor_to_local(tensor, *((tensor.process_mesh, tensor.placements) if attr is None else attr))


__all__ = ["LocalLayer"]
__getattr__ = missing(__name__)

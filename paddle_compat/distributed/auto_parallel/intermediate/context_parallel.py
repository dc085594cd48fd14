"""`paddle.distributed.auto_parallel.intermediate.context_parallel`: plans that cut sequences along the dimension `sep` of a mesh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.distributed.auto_parallel._tensors import is_dist_tensor, laid_along, reshard
from paddle_compat.distributed.auto_parallel.intermediate.tensor_parallel import PlanBase
from paddle_compat.distributed.auto_parallel.placement_type import Placement, Replicate, Shard
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.nn import Layer
from paddle_compat.tensor.creation import to_tensor
from paddle_compat.tensor.search import index_select

SEQUENCE, HEADS = Shard(1), Shard(2)


class _Plan(PlanBase):
    """What both plans are given.

    Args:
        backend (str): how attention comes to the whole sequence: "p2p" or "all2all".
    Raises:
        AssertionError: it is another.
    """

    def __init__(self, backend: str = "p2p") -> None:
        if backend not in ("p2p", "all2all"):
            raise failed_assertion("backend", "'p2p' or 'all2all'", backend, type(self).__name__)
        self.backend = backend


class PrepareContextParallel(_Plan):
    """Cut the sequences that a model is given, [batch, sequence], before its first layer: along `sep`.

    Args:
        backend (str): "all2all": each process gets one part. "p2p": one from the front and one from the back, so that with a causal mask
            all have the same to do; labels and positions have to be put into this order, too.
    Raises:
        AssertionError: backend is another.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> layer, mesh = paddle.nn.Identity(), dist.ProcessMesh([0], dim_names=["sep"])
        >>> dist.PrepareContextParallel("all2all").apply(layer, mesh, [])
        >>> layer(dist.shard_tensor(paddle.ones([2, 8]), mesh, [dist.Replicate()])).placements
        [Shard(dim=1)]

    Follows Paddle 3.3.
    """

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Have what the layer is given by position cut.

        Raises:
            AssertionError: the mesh has no dimension `sep`.
        """
        axis, degree = _line(process_mesh)
        layer.register_forward_pre_hook(lambda layer, given: tuple(self._part(value, process_mesh, axis, degree) for value in given))

    def _part(self, value: Any, mesh: ProcessMesh, axis: int, degree: int) -> Any:
        if not isinstance(value, Variable) and not is_dist_tensor(value):
            raise failed_assertion("input", "a dist tensor (see paddle.distributed.shard_tensor)", value, "PrepareContextParallel")
        shape = list(value.shape)
        if self.backend == "all2all":
            if len(shape) < 2 or shape[1] % degree:
                expected = f"sequences, behind the batch, whose length is a multiple of the {degree} processes of `sep`"
                raise failed_assertion("input", expected, shape, "PrepareContextParallel")
        else:
            if len(shape) != 2:
                raise failed_assertion("input", "[batch, sequence]", shape, "PrepareContextParallel")
            if shape[1] % (2 * degree):
                expected = f"sequences whose length is a multiple of {2 * degree}, twice the processes of `sep`"
                raise invalid_argument("input", expected, shape, "PrepareContextParallel")
            value = _reordered(_moved(value, mesh, axis, Replicate()), balanced(shape[1], degree))
        return _moved(value, mesh, axis, SEQUENCE)


class ContextParallel(_Plan):
    """Let a layer that calls `scaled_dot_product_attention` on parts of a sequence see all of it.

    Query, key and value, [batch, sequence, heads, width], come cut along the sequence, and so does what the layer returns; in between, each
    process has the whole sequence for some of the heads. Paddle does so for "all2all"; for "p2p" it hands them around a ring of GPUs.

    Args:
        backend (str): what `PrepareContextParallel` was given.
    Raises:
        AssertionError: backend is another.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> class Attention(paddle.nn.Layer):
        ...     def forward(self, q, k, v):
        ...         return paddle.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        >>> layer, mesh = Attention(), dist.ProcessMesh([0], dim_names=["sep"])
        >>> dist.ContextParallel("all2all").apply(layer, mesh, [])
        >>> x = dist.shard_tensor(paddle.rand([2, 8, 4, 16]), mesh, [dist.Shard(1)])
        >>> layer(x, x, x).placements
        [Shard(dim=1)]

    Follows Paddle 3.3.
    """

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Have the layer's inputs and its output laid out.

        Raises:
            AssertionError: the mesh has no dimension `sep`.
        """
        axis, degree = _line(process_mesh)
        layer.register_forward_pre_hook(lambda layer, given: tuple(self._heads(value, process_mesh, axis, degree) for value in given))
        layer.register_forward_post_hook(lambda layer, given, out: self._sequence(out, process_mesh, axis, degree))

    def _heads(self, value: Any, mesh: ProcessMesh, axis: int, degree: int) -> Any:
        """The whole sequence, in its order, of some heads."""
        if not isinstance(value, (Tensor, Variable)) or len(value.shape) != 4:
            return value
        if not isinstance(value, Variable) and not _cut_along(value, axis):
            lies = "one on a mesh that lies otherwise" if is_dist_tensor(value) else "a plain Tensor"
            raise failed_assertion("input", "a dist tensor that is cut along its sequence: Shard(1) along `sep`", lies, "ContextParallel")
        if value.shape[2] % degree:
            expected = f"a number of heads that is a multiple of the {degree} processes of `sep`"
            raise failed_assertion("input", expected, list(value.shape), "ContextParallel")
        value = _moved(value, mesh, axis, HEADS)
        return _reordered(value, np.argsort(balanced(value.shape[1], degree))) if self.backend == "p2p" else value

    def _sequence(self, value: Any, mesh: ProcessMesh, axis: int, degree: int) -> Any:
        """Part of the sequence, of all heads."""
        if isinstance(value, (list, tuple)):
            return type(value)(self._sequence(each, mesh, axis, degree) for each in value)
        if not isinstance(value, (Tensor, Variable)) or len(value.shape) != 4:
            return value
        return _moved(_reordered(value, balanced(value.shape[1], degree)) if self.backend == "p2p" else value, mesh, axis, SEQUENCE)


def balanced(length: int, degree: int) -> np.ndarray:
    """The order in which the places of a sequence lie when each process gets a part from the front and one from the back."""
    parts = np.arange(length).reshape(2 * degree, -1)
    return np.concatenate([parts[part] for rank in range(degree) for part in (rank, 2 * degree - 1 - rank)])


def _line(mesh: ProcessMesh) -> tuple[int, int]:
    """The number of the dimension `sep` of a mesh, and its size."""
    if "sep" not in mesh.dim_names:
        raise failed_assertion("mesh", "a dimension `sep`, along which sequences are cut", mesh.dim_names, "parallelize")
    return mesh.dim_names.index("sep"), mesh.get_dim_size("sep")


def _cut_along(value: Any, axis: int) -> bool:
    """Whether a Tensor's sequence is cut along a dimension of its mesh."""
    return is_dist_tensor(value) and value.placements[axis] == SEQUENCE


def _moved(value: Any, mesh: ProcessMesh, axis: int, placement: Placement) -> Any:
    """The tensor, laid so along one dimension of the mesh."""
    if isinstance(value, Variable):
        return laid_along(value, mesh, axis, placement)
    ways = value.placements
    ways[axis] = placement
    return reshard(value, mesh, ways)


def _reordered(value: Any, order: np.ndarray) -> Any:
    return index_select(value, to_tensor(order), axis=1)


__all__ = ["ContextParallel", "PrepareContextParallel"]
__getattr__ = missing(__name__)

"""Methods of Tensors that lie on a mesh of processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core.tensor import Tensor

if TYPE_CHECKING:
    from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh


def is_dist(self: Tensor, /) -> bool:
    """Whether it lies on a mesh of processes (see `paddle.distributed.shard_tensor`).

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2]).is_dist()
        False

    Follows Paddle 3.3.
    """
    return hasattr(self._t, "device_mesh")


def _dist(self: Tensor) -> Any:
    """The DTensor in it; None: it is a plain one."""
    return self._t if is_dist(self) else None


def _process_mesh(self: Tensor) -> ProcessMesh | None:
    from paddle_compat.distributed.auto_parallel.process_mesh import of_torch

    value = _dist(self)
    return None if value is None else of_torch(value.device_mesh)


def _placements(self: Tensor) -> list[Any] | None:
    from paddle_compat.distributed.auto_parallel.placement_type import of_torch

    value = _dist(self)
    return None if value is None else of_torch(value.placements)


def _local_value(self: Tensor, /) -> Tensor | None:
    """This process's piece, a plain Tensor on the same memory, through which no gradient goes (see `dtensor_to_local`)."""
    if (value := _dist(self)) is None:
        return None
    from paddle_compat.engine.spmd import piece

    return Tensor(piece(value).detach())


def _num_shard(self: Tensor) -> int | None:
    if (value := _dist(self)) is None:
        return None
    count = 1
    for size, placement in zip(value.device_mesh.shape, value.placements):
        count *= size if placement.is_shard() else 1
    return count


def _placements_str(self: Any) -> str:
    return str(self.placements)


def _local_shape(self: Tensor) -> list[int] | None:
    value = _dist(self)
    return None if value is None else list(value._local_tensor.shape)


def is_here(tensor: Tensor) -> bool:
    """Whether this process is one of a dist tensor's mesh."""
    return tensor._t.device_mesh.get_coordinate() is not None  # type: ignore[attr-defined]


def whole(tensor: Tensor) -> torch.Tensor:
    """The values of a dist tensor, in each process of its mesh, all of which call this."""
    from paddle_compat.engine import moves

    value: Any = tensor._t.detach()
    return moves.whole(value)


def laid_like(tensor: Tensor, value: torch.Tensor) -> torch.Tensor:
    """What all processes hold alike, laid out as a Tensor is, if that is a dist tensor: what overwrites it leaves it where it lies."""
    target: Any = tensor._t
    if not is_dist(tensor):
        return value
    from paddle_compat.engine.sharding import dist_tensor, lay
    from paddle_compat.engine.spmd import without_partial

    return lay(dist_tensor(value, target.device_mesh), without_partial(target.placements))


def described(tensor: Any) -> str:
    """Mesh and placements of a dist tensor, as Paddle prints them."""
    return f"process_mesh={tensor.process_mesh}, placements={tensor.placements},"


METHODS: dict[str, Any] = {
    "is_dist": is_dist,
    "num_shard": property(_num_shard, doc="Into how many pieces a dist tensor is cut; None: it is none."),
    "placements": property(_placements, doc="How a dist tensor lies along each dimension of its mesh; None: it is none."),
    "process_mesh": property(_process_mesh, doc="The mesh that a dist tensor lies on; None: it is none."),
    "_placements_str": property(_placements_str, doc="How a dist tensor lies along each dimension of its mesh, as text."),
    "_local_shape": property(_local_shape, doc="The shape of this process's piece; None: it is no dist tensor."),
    "_local_value": _local_value,
}

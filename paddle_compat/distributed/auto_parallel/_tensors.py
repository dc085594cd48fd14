"""Dist tensors: making them, laying them out anew, and taking them apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core import unique_name
from paddle_compat.core.errors import UnsupportedError, WrongPlaceError, invalid_argument, type_error
from paddle_compat.core.place import Place
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.distributed.auto_parallel.placement_type import Partial, Placement, Shard, to_torch
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh, of_torch
from paddle_compat.engine import dist_program_layout, meshes
from paddle_compat.tensor import _tensor_meshes
from paddle_compat.tensor.creation import assign, to_tensor


def torch_mesh(mesh: ProcessMesh, api: str) -> Any:
    """The DeviceMesh of a mesh; operators know of dist tensors from then on."""
    if not isinstance(mesh, ProcessMesh):
        raise type_error("mesh", "a paddle.distributed.ProcessMesh", mesh, api)
    from paddle_compat.engine import sharding

    sharding.begin()
    return meshes.device_mesh(mesh.mesh, mesh.dim_names)


def torch_layout(mesh: ProcessMesh, placements: Any, dims: int, api: str) -> list[Any]:
    """torch's placements, one for each dimension of the mesh: those that are left out, or all of None, are Replicate.

    Raises:
        WrongInputError: they are no list of placements.
        InvalidArgumentError: there are more than the mesh has dimensions, Replicate at the end not counted.
        WrongPlaceError: one cuts a dimension that the tensor has not.
    """
    placements = [] if placements is None else placements
    if not isinstance(placements, (list, tuple)) or not all(isinstance(placement, Placement) for placement in placements):
        raise type_error("placements", "a list of paddle.distributed.Shard, Replicate and Partial", placements, api)
    while len(placements) > mesh.ndim and placements[-1].is_replicated():
        placements = placements[:-1]
    if len(placements) > mesh.ndim:
        raise invalid_argument("placements", f"one for each of the {mesh.ndim} dimensions of the mesh", list(placements), api)
    for placement in placements:
        if isinstance(placement, Shard) and not 0 <= placement.get_dim() < dims:
            wrong = invalid_argument("placements", f"cuts of the {dims} dimensions of the tensor, from 0 on", list(placements), api)
            raise WrongPlaceError(str(wrong))
    kinds = {placement.reduce_type() for placement in placements if isinstance(placement, Partial)}
    if len(kinds) > 1:
        names = " and ".join(sorted(kind.name for kind in kinds))
        raise UnsupportedError(f"paddle.distributed.{api}", f"one tensor partial by {names}", "one ReduceType for the whole mesh")
    found = to_torch(placements)
    if len(found) < mesh.ndim:
        from torch.distributed.tensor import Replicate

        found += [Replicate()] * (mesh.ndim - len(found))
    return found


def shard_tensor(
    data: Any, mesh: ProcessMesh, placements: Sequence[Placement], dtype: Any = None, place: Place | None = None,
    stop_gradient: bool | None = None,
) -> Tensor:  # fmt: skip
    """Lay a tensor on a mesh of processes. All processes hold the same data, and each keeps its piece.

    Args:
        data (Tensor | array_like): the data.
        mesh (ProcessMesh): the processes.
        placements (list): how it lies along each dimension of the mesh; None: all processes have the whole.
        dtype (str): data type; None: the data's.
        place (Place): where pieces live; None: the current place.
        stop_gradient (bool): of data that is no Tensor; a Tensor keeps its own.
    Returns:
        Tensor: a dist tensor; of a parameter a parameter, whose name ends in `.dist`, and which waits for `initialize` if that does.
    Raises:
        TypeError: mesh is no ProcessMesh, or placements are no list of placements.
        ValueError: the tensor has no such dimension, the mesh has fewer dimensions than placements, or the job fewer processes.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> x = dist.shard_tensor([[1.0, 2.0], [3.0, 4.0]], dist.ProcessMesh([0]), [dist.Shard(0)])
        >>> x.placements, x.shape
        ([Shard(dim=0)], [2, 2])

    Follows Paddle 3.3.
    """
    device = torch_mesh(mesh, "shard_tensor")
    if isinstance(data, Variable):
        return _written(data, mesh, torch_layout(mesh, placements, len(data.shape), "shard_tensor"))
    tensor: Any = data if isinstance(data, Tensor) else to_tensor(data, dtype, place, True if stop_gradient is None else stop_gradient)
    layout = torch_layout(mesh, placements, tensor.ndim, "shard_tensor")
    if is_dist(tensor):
        if (of_torch(inside(tensor).device_mesh), list(inside(tensor).placements)) != (mesh, layout):
            expected = "a Tensor that lies on no mesh (see paddle.distributed.reshard)"
            raise invalid_argument("data", expected, f"one on {of_torch(inside(tensor).device_mesh)!r}", "shard_tensor")
        return tensor
    value = tensor._t.detach()
    if dtype is not None and isinstance(data, Tensor):
        value = tensor.astype(dtype)._t.detach()
    # without asking process 0: all processes hold the same
    laid = _cut(value, device, layout)
    if isinstance(tensor, EagerParamBase):
        made = EagerParamBase(
            laid, name=tensor.name + ".dist", trainable=tensor.trainable, optimize_attr=tensor.optimize_attr,
            regularizer=tensor.regularizer, do_model_average=tensor.do_model_average, need_clip=tensor.need_clip,
            is_distributed=tensor.is_distributed,
        )  # fmt: skip
        if not tensor._is_initialized():
            made._init_func = lambda: _initialize(made, tensor)
        return made
    out = Tensor(laid, unique_name.generate("generated_tensor"), tensor.persistable)
    out.stop_gradient = tensor.stop_gradient
    return out


def _initialize(made: EagerParamBase, plain: EagerParamBase) -> None:
    """Give a dist parameter its first values: of the plain one that it was made of, which gets them for a moment."""
    plain.initialize()
    target = inside(made)
    laid = _cut(plain._t.detach(), target.device_mesh, list(target.placements))
    target._local_tensor.detach().copy_(laid._local_tensor)


def _cut(value: torch.Tensor, device: Any, layout: list[Any]) -> Any:
    """The DTensor of what all processes hold."""
    from paddle_compat.engine import moves

    return moves.cut(value, device, layout)


def is_dist(tensor: Tensor) -> bool:
    """Whether a Tensor lies on a mesh."""
    return hasattr(tensor._t, "device_mesh")


def is_dist_tensor(tensor: Any) -> bool:
    """Whether something is a Tensor that lies on a mesh.

    Args:
        tensor (Tensor): anything.
    Returns:
        bool: whether it does.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.auto_parallel.api.is_dist_tensor(paddle.ones([2]))
        False

    Follows Paddle 3.3.
    """
    return isinstance(tensor, Tensor) and is_dist(tensor)


def _want_dist(tensor: Any, api: str) -> None:
    if not isinstance(tensor, Tensor) or not is_dist(tensor):
        given = "a plain Tensor" if isinstance(tensor, Tensor) else type(tensor).__name__
        raise invalid_argument("dist_tensor", "a dist tensor (see paddle.distributed.shard_tensor)", given, api)


def inside(tensor: Tensor) -> Any:
    """The DTensor in a dist tensor."""
    return tensor._t


def _from_the_front(placements: Any, dims: int) -> Any:
    """Placements whose cuts count dimensions from the front, as Paddle's reshard takes them (its shard_tensor ends the process)."""
    if not isinstance(placements, (list, tuple)):
        return placements
    return [Shard(one.get_dim() + dims) if _counts_back(one, dims) else one for one in placements]


def _counts_back(placement: Any, dims: int) -> bool:
    plain = isinstance(placement, Shard) and placement._split_factor == 1 and placement._shard_order is None
    return plain and -dims <= placement.get_dim() < 0


def reshard(dist_tensor: Tensor, mesh: ProcessMesh, placements: Sequence[Placement]) -> Tensor:
    """Lay a dist tensor out anew.

    Args:
        dist_tensor (Tensor): the tensor; in a layer that a DistModel records, a variable.
        mesh (ProcessMesh): the processes; all that are in this or in the tensor's mesh call it.
        placements (list): how it is to lie along each dimension of the mesh; `Shard(-1)` cuts the last dimension.
    Returns:
        Tensor: a dist tensor; gradients go back to the given one.
    Raises:
        ValueError: the Tensor lies on no mesh, or the placements do not fit.
        TypeError: mesh is no ProcessMesh, or placements are no list of placements.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0])
        >>> x = dist.shard_tensor([[1.0, 2.0]], mesh, [dist.Shard(0)])
        >>> dist.reshard(x, mesh, [dist.Replicate()]).placements
        [Replicate()]

    Follows Paddle 3.3.
    """
    device = torch_mesh(mesh, "reshard")
    if isinstance(dist_tensor, Variable):
        rank = len(dist_tensor.shape)
        return _written(dist_tensor, mesh, torch_layout(mesh, _from_the_front(placements, rank), rank, "reshard"))
    _want_dist(dist_tensor, "reshard")
    layout = torch_layout(mesh, _from_the_front(placements, dist_tensor.ndim), dist_tensor.ndim, "reshard")
    from paddle_compat.engine import moves

    return Tensor(moves.moved(inside(dist_tensor), device, layout))


def laid_along(var: Variable, mesh: ProcessMesh, axis: int, placement: Placement) -> Any:
    """Of a variable of a Program that is recorded, a copy that lies so along a dimension of the mesh, and as before along others."""
    return _written(var, mesh, [to_torch([placement])[0] if at == axis else None for at in range(mesh.ndim)])


def _written(var: Variable, mesh: ProcessMesh, layout: list[Any]) -> Any:
    """Of a variable of a Program that is recorded, a copy; a DistModel lays it out so when it runs."""
    out = assign(var)
    out.block.ops[-1].attrs.update(dist_program_layout.attributes(mesh.shape, mesh.process_ids, layout))
    return out


def dtensor_from_local(local_tensor: Tensor, mesh: ProcessMesh, placements: Sequence[Placement]) -> Tensor:
    """Make a dist tensor of the pieces that the processes hold.

    Args:
        local_tensor (Tensor): this process's piece.
        mesh (ProcessMesh): the processes.
        placements (list): what the pieces are along each dimension of the mesh.
    Returns:
        Tensor: a dist tensor; gradients go back to the pieces.
    Raises:
        TypeError: mesh is no ProcessMesh, or placements are no list of placements.
        ValueError: the placements do not fit, or local_tensor is no plain Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> dist.dtensor_from_local(paddle.ones([2, 3]), dist.ProcessMesh([0]), [dist.Shard(0)]).shape
        [2, 3]

    Follows Paddle 3.3.
    """
    from torch.distributed.tensor import DTensor

    device = torch_mesh(mesh, "dtensor_from_local")
    if not isinstance(local_tensor, Tensor) or is_dist(local_tensor):
        raise invalid_argument("local_tensor", "a plain Tensor, this process's piece", local_tensor, "dtensor_from_local")
    layout = torch_layout(mesh, placements, local_tensor.ndim, "dtensor_from_local")
    return Tensor(DTensor.from_local(local_tensor._t, device, layout, run_check=False))


def dtensor_to_local(dist_tensor: Tensor, mesh: ProcessMesh, placements: Sequence[Placement]) -> Tensor:
    """This process's piece of a dist tensor.

    Args:
        dist_tensor (Tensor): the tensor.
        mesh (ProcessMesh): the mesh it lies on; `placements`: how.
        placements (list): how gradients of the piece make one of the tensor.
    Returns:
        Tensor: a plain one.
    Raises:
        ValueError: the Tensor lies on no mesh.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0])
        >>> dist.dtensor_to_local(dist.shard_tensor([1.0, 2.0], mesh, [dist.Shard(0)]), mesh, [dist.Shard(0)]).shape
        [2]

    Follows Paddle 3.3.
    """
    _want_dist(dist_tensor, "dtensor_to_local")
    layout = torch_layout(mesh, placements, dist_tensor.ndim, "dtensor_to_local")
    return Tensor(inside(dist_tensor).to_local(grad_placements=layout))


def dtensor_from_fn(fn: Callable[..., Tensor], mesh: ProcessMesh, placements: Sequence[Placement], *args: Any, **kwargs: Any) -> Tensor:
    """Lay on a mesh what a function makes.

    Args:
        fn (callable): the function: `paddle.ones`, say.
        mesh (ProcessMesh): the processes.
        placements (list): how it lies along each dimension of the mesh.
        args: what the function is called with.
        kwargs: likewise.
    Returns:
        Tensor: a dist tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> dist.dtensor_from_fn(paddle.ones, dist.ProcessMesh([0]), [dist.Replicate()], shape=[2]).placements
        [Replicate()]

    Follows Paddle 3.3.
    """
    return shard_tensor(fn(*args, **kwargs), mesh, placements)


def unshard_dtensor(dist_tensor: Tensor) -> Tensor:
    """The whole of a dist tensor, as a plain one in every process, from which no gradient goes back.

    Args:
        dist_tensor (Tensor): the tensor.
    Returns:
        Tensor: a plain one.
    Raises:
        ValueError: the Tensor lies on no mesh.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> x = dist.shard_tensor([1.0, 2.0], dist.ProcessMesh([0]), [dist.Shard(0)])
        >>> dist.unshard_dtensor(x).is_dist()
        False

    Follows Paddle 3.3.
    """
    _want_dist(dist_tensor, "unshard_dtensor")
    whole = _tensor_meshes.whole(dist_tensor)
    if not isinstance(dist_tensor, EagerParamBase):
        return Tensor(whole)
    out = EagerParamBase(whole, name=dist_tensor.name)
    out.stop_gradient = dist_tensor.stop_gradient
    return out

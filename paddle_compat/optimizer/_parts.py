"""Updates of dist tensors: every process updates the part of a parameter whose states it holds.

The states of a parameter (moments, master copy) lie as the parameter does, or as a sharding stage or the user's function lays them:
cut further. A gradient is laid as the states are (which sums up a partial one), the operator's function runs on this process's parts,
and where the states are cut further than the parameter the processes then tell one another their parts of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core import eager
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.tensor import Tensor

if TYPE_CHECKING:
    from paddle_compat.optimizer._updates import Updates

Raw = torch.Tensor
# Operators that look at a parameter as a whole: the squares of the norms of its parts are added up.
_OF_THE_WHOLE = ("lamb", "lars_momentum")


def is_dist(value: Any) -> bool:
    """Whether a torch tensor lies on a mesh."""
    return eager.spread is not None and hasattr(value, "device_mesh")


def among(tensors: Sequence[Raw]) -> bool:
    """Whether one of these lies on a mesh."""
    return eager.spread is not None and any(map(is_dist, tensors))


def piece(value: Raw) -> Raw:
    """This process's part of a tensor."""
    if not is_dist(value):
        return value
    from paddle_compat.engine import spmd

    return spmd.piece(value)


def laid(value: Any, placements: Any) -> Any:
    """A dist tensor in other placements of its mesh."""
    from paddle_compat.engine import sharding

    return sharding.lay(value, placements)


def whole_sums(value: Any) -> Any:
    """A dist tensor without partial placements."""
    from paddle_compat.engine import sharding

    return sharding.summed(value)


def like(local: Raw, value: Any, placements: Any) -> Any:
    """The dist tensor, of the shape of another, whose part in this process is given."""
    from torch.distributed.tensor import DTensor

    whole = torch.empty(value.shape, device="meta")
    return DTensor.from_local(local, value.device_mesh, placements, run_check=False, shape=whole.shape, stride=whole.stride())


def state(param: Raw, shape: Sequence[int], fill: float, kind: torch.dtype, device: torch.device) -> Raw:
    """A new state of a parameter: one of its shape lies as it does, of another all processes hold the whole."""
    if not is_dist(param):
        return torch.full(list(shape), fill, dtype=kind, device=device)
    given: Any = param
    if list(shape) == list(param.shape):
        return like(torch.full_like(piece(given), fill, dtype=kind), given, given.placements)
    return replicated(torch.full(list(shape), fill, dtype=kind, device=device), given)


def replicated(value: Raw, param: Any) -> Any:
    """What all processes hold alike as a dist tensor of a parameter's mesh."""
    from torch.distributed.tensor import DTensor, Replicate

    mesh = param.device_mesh
    return value if is_dist(value) else DTensor.from_local(value, mesh, [Replicate()] * mesh.ndim, run_check=False)


def sharded(shard_fn: Any, name: str, param: Any, made: Tensor) -> Tensor:
    """A state that a function has laid out: `shard_fn(name, parameter, state)`, the state a plain Tensor."""
    out = shard_fn(name, param, made)
    if not is_dist(out._t) and is_dist(param._t):
        out._become(replicated(out._t, param._t))
        if out._t.shape == param._t.shape:
            out._become(laid(out._t, param._t.placements))
    out.name, out.persistable = made.name, True
    return out


def stacked(made: Tensor, single: Any) -> None:
    """Lay a state that holds several tensors like another state, one behind another, as that one lies."""
    if is_dist(single._t):
        from torch.distributed.tensor import Shard

        ways = [Shard(way.dim + 1) if way.is_shard() else way for way in single._t.placements]
        made._become(laid(replicated(made._t, single._t), ways))


def fill(var: Any, value: Any) -> None:
    """Overwrite a state, which may be a dist tensor, with what was saved: a whole array or Tensor, or a dist one."""
    source: Any = value._t.detach() if isinstance(value, Tensor) else value
    if not is_dist(var._t):
        var.set_value(source.full_tensor().numpy() if is_dist(source) else value)
        return
    from paddle_compat.engine import moves

    own: Any = var._t
    if not isinstance(source, Raw):
        source = torch.from_numpy(source)
    if is_dist(source):
        source = moves.moved(source, own.device_mesh, own.placements)
    else:
        source = laid(replicated(source.to(own.device), own), own.placements)
    piece(own).copy_(piece(source))


def layout(optimizer: Updates, param: Any) -> Any:
    """How the states of a dist parameter lie, which says where it is updated.

    Raises:
        UnsupportedError: some lie in other ways than others.
    """
    shape = param._t.shape
    master = [optimizer._master_weights[param.name]] if optimizer._needs_master(param) else []
    states = [optimizer._get_accumulator_master(row.name, param) for row in optimizer._accumulator_table]
    found = [value._t for value in (*master, *states) if value._t.shape == shape and is_dist(value._t)]
    ways = list(dict.fromkeys(value.placements for value in found))
    if len(ways) > 1:
        raise UnsupportedError("paddle.distributed.shard_optimizer with states of one parameter that lie in several ways", param.name)
    return ways[0] if ways else param._t.placements


class Parts:
    """This process's parts of the parameters of one optimizer.

    Attributes:
        layouts: how each is updated; None where it is no dist tensor.
        held: each in that layout. It shares the memory of the parameter where that lies so, too.
    """

    def __init__(self, optimizer: Updates, params: Sequence[Any]) -> None:
        optimizer._prepare(None, list(params))
        self.whole = optimizer.type in _OF_THE_WHOLE
        self.params = [param._t for param in params]
        self.layouts = [layout(optimizer, param) if is_dist(param._t) else None for param in params]
        self.moved = [i for i, (param, way) in enumerate(zip(self.params, self.layouts)) if way is not None and param.placements != way]
        self.held = [self._of(param, way) for param, way in zip(self.params, self.layouts)]

    def _of(self, param: Any, way: Any) -> Any:
        if way is None:
            return param
        return like(piece(laid(param.detach(), way) if way != param.placements else param), param, way)

    def here(self) -> list[int]:
        """Which parameters this process has a part of: a mesh may be of other processes, as the stages of a pipeline are."""
        meshes = [None if way is None else param.device_mesh for param, way in zip(self.params, self.layouts)]
        return [i for i, mesh in enumerate(meshes) if mesh is None or mesh.get_coordinate() is not None]

    def column(self, value: Any) -> Any:
        """What the operator is given of a state or a parameter."""
        return [piece(one) for one in value] if isinstance(value, list) else piece(value)

    def values(self) -> list[Raw]:
        """The parts of the parameters."""
        return [piece(held) for held in self.held]

    def gradients(self, grads: Sequence[Any]) -> list[Raw]:
        """The parts of gradients, which may lie in any way."""
        out = [grad if way is None or not is_dist(grad) else laid(grad, way) for grad, way in zip(grads, self.layouts)]
        return [piece(grad) for grad in out]

    def adder(self, which: int) -> Callable[[Raw], Raw] | None:
        """What adds up numbers over all parts of a parameter; None: there are no others."""
        way, mesh = self.layouts[which], getattr(self.params[which], "device_mesh", None)
        if way is None or mesh is None or mesh.get_coordinate() is None:
            return None
        dims = _cut(way)
        return partial(_reduced, kind="sum", mesh=mesh, dims=dims) if dims else None

    def begin(self) -> None:
        """Look at the parameters anew: somebody may have changed them since."""
        for i in self.moved:
            piece(self.held[i]).copy_(piece(laid(self.params[i].detach(), self.layouts[i])))

    def end(self) -> None:
        """Tell the other processes the parts that only this one has updated."""
        for i in self.moved:
            piece(self.params[i]).copy_(piece(laid(self.held[i], self.params[i].placements)))

    def summed(self, values: list[Raw], which: Sequence[int]) -> list[Raw]:
        """Sums over whole gradients from sums over the parts: one call for all that are cut along the same dimensions of a mesh.

        Args:
            values: a sum for each.
            which: the parameters that they are of.
        """
        cut: dict[tuple[Any, ...], list[int]] = {}
        for at, i in enumerate(which):
            way = self.layouts[i]
            dims = () if way is None else _cut(way)
            if dims and self.params[i].device_mesh.get_coordinate() is not None:
                cut.setdefault((self.params[i].device_mesh, dims, values[at].dtype), []).append(at)
        out = list(values)
        for (mesh, dims, _), members in cut.items():
            total = _reduced(torch.stack([values[at].reshape(()) for at in members]), "sum", mesh, dims)
            for at, value in zip(members, total.unbind()):
                out[at] = value.reshape(values[at].shape)
        return out

    def total(self, values: list[Raw], which: Sequence[int]) -> Raw:
        """The sum of such sums. Of parameters on several meshes a process knows some only: then all processes of the job meet, once.

        Args:
            values: a sum for each.
            which: the parameters that they are of.
        """
        meshes = [None if self.layouts[i] is None else self.params[i].device_mesh for i in which]
        if len({mesh for mesh in meshes if mesh is not None}) < 2:
            return torch.stack([value.reshape(()) for value in values]).sum()
        first = [mesh is not None and mesh.get_coordinate() is not None and not any(mesh.get_coordinate()) for mesh in meshes]
        out = sum((value.reshape(()) for value, told in zip(values, first) if told), values[0].new_zeros(()))
        torch.distributed.all_reduce(out)
        return sum((value.reshape(()) for value, mesh in zip(values, meshes) if mesh is None), out)


def _cut(way: Any) -> tuple[int, ...]:
    """The dimensions of a mesh along which a layout cuts."""
    return tuple(dim for dim, placement in enumerate(way) if placement.is_shard())


def _reduced(value: Raw, kind: str, mesh: Any, dims: Iterable[int]) -> Raw:
    from paddle_compat.engine import spmd

    found: Raw = spmd.reduced(value, kind, mesh, dims)
    return found


def agreed(flag: bool, grads: Sequence[Any]) -> bool:
    """Whether the flag is set in any of the processes that hold these gradients."""
    meshes = list(dict.fromkeys(grad.device_mesh for grad in grads if is_dist(grad)))
    if not meshes:
        return flag
    value = torch.tensor([float(flag)], device=meshes[0].device_type)
    if len(meshes) > 1:  # a process may be in one of them only
        torch.distributed.all_reduce(value, torch.distributed.ReduceOp.MAX)
    elif meshes[0].get_coordinate() is not None:
        value = _reduced(value, "max", meshes[0], range(meshes[0].ndim))
    return bool(value)

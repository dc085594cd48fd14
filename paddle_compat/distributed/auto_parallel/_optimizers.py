"""Optimizers of dist parameters whose states, gradients and parameters are cut further: sharding stages 1 to 3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel import interface
from paddle_compat.distributed.auto_parallel._tensors import inside, is_dist, shard_tensor
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.optimizer._parts import laid, piece, replicated
from paddle_compat.optimizer.optimizer import Optimizer, _all

Shard = Callable[[str, Any, Tensor], Tensor]


def further(param: Any, axis: int) -> Any:
    """Placements of a tensor that is cut along one more dimension of its mesh: torch's.

    The first dimension that is whole is cut; one of a single row is left alone, as is what has no dimension left.

    Raises:
        FailedAssertionError: it is cut along several dimensions of the mesh already.
    """
    from torch.distributed.tensor import Shard

    value = inside(param) if isinstance(param, Tensor) else param
    placements = list(value.placements)
    cut = [placement.dim for placement in placements if placement.is_shard()]
    if len(cut) > 1:
        name = getattr(param, "name", "")
        raise failed_assertion("parameters", "tensors that are cut along one dimension of their mesh at most", f"{name}: {placements}")
    free = [dim for dim in range(value.ndim) if dim not in cut]
    if free and value.shape[0] > 1:
        placements[axis] = Shard(free[0])
    return placements


class _Stage:
    """A sharding stage: called with the name of a state, the parameter, and the state, it lays the state out.

    Args:
        sharding_mesh_dim (int|str): the dimension of the mesh along which it cuts.
        mesh (ProcessMesh): the mesh; None: that of `set_mesh`.
    """

    _cuts_gradients = _cuts_parameters = False

    def __init__(self, sharding_mesh_dim: int | str, mesh: ProcessMesh | None = None) -> None:
        if not isinstance(sharding_mesh_dim, (int, str)):
            raise type_error("sharding_mesh_dim", "a dimension of the mesh: int or str", sharding_mesh_dim, type(self).__name__)
        if mesh is not None and not isinstance(mesh, ProcessMesh):
            raise type_error("mesh", "a paddle.distributed.ProcessMesh", mesh, type(self).__name__)
        self._sharding_mesh_dim, self._mesh, self._sharding_axis = sharding_mesh_dim, mesh, 0

    def _bind(self, parameters: list[Any]) -> None:
        """Find the dimension of the mesh that the parameters leave free.

        Raises:
            InvalidArgumentError: no mesh is known, or it has no such dimension.
            FailedAssertionError: a parameter leaves no dimension free.
        """
        mesh = interface.get_mesh() or self._mesh
        if mesh is None:
            expected = "a ProcessMesh, or one that paddle.distributed.auto_parallel.set_mesh was given"
            raise invalid_argument("mesh", expected, None, type(self).__name__)
        wanted = self._sharding_mesh_dim
        # the stages of a model lie on parts of the mesh
        parts = [part for param in parameters if is_dist(param) and wanted in (part := param.process_mesh).dim_names]
        mesh = parts[0] if parts and all(part.dim_names == parts[0].dim_names for part in parts) else mesh
        names = mesh.dim_names
        if wanted not in names and wanted not in range(mesh.ndim):
            expected = f"one of the dimensions {names} of the mesh"
            raise invalid_argument("sharding_mesh_dim", expected, wanted, type(self).__name__)
        self._sharding_axis = wanted if isinstance(wanted, int) else names.index(wanted)
        for param in filter(is_dist, parameters):
            ways = inside(param).placements
            if self._sharding_axis >= len(ways) or not ways[self._sharding_axis].is_replicate():
                free = [axis for axis, way in enumerate(ways) if way.is_replicate()]
                if not free:
                    expected = "parameters that are whole along a dimension of their mesh"
                    raise failed_assertion("sharding_mesh_dim", expected, f"{param.name}: {list(ways)}", type(self).__name__)
                self._sharding_axis = free[-1]

    def __call__(self, key: str, param: Any, tensor: Tensor) -> Tensor:
        if not is_dist(param):
            return tensor
        value: Any = replicated(tensor._t, inside(param))
        if value.shape == inside(param).shape:
            value = laid(value, self._way(param))
        out = Tensor(value, tensor.name, tensor.persistable)
        out.stop_gradient = tensor.stop_gradient
        return out

    def _way(self, param: Any) -> Any:
        ways = inside(param).placements
        return further(param, self._sharding_axis) if ways[self._sharding_axis].is_replicate() else ways

    def shard_master_weight(self, param: Any, master_weight: Tensor) -> Tensor:
        """Lay out the float32 copy of a parameter.

        Args:
            param (Tensor): the parameter.
            master_weight (Tensor): its copy, of its shape.
        Returns:
            Tensor: a dist tensor where the parameter is one.

        Example:
            >>> import paddle_compat as paddle
            >>> import paddle_compat.distributed as dist
            >>> mesh = dist.ProcessMesh([0], dim_names=["dp"])
            >>> w = dist.shard_tensor(paddle.create_parameter([4, 2], "float32"), mesh, [dist.Replicate()])
            >>> dist.ShardingStage1("dp", mesh).shard_master_weight(w, paddle.ones([4, 2])).placements
            [Shard(dim=0)]
        """
        return self("master_weight", param, master_weight)


class ShardingStage1(_Stage):
    """For `shard_optimizer`: cut the states of the optimizer.

    Args:
        sharding_mesh_dim (int|str): the dimension of the mesh along which they are cut.
        mesh (ProcessMesh): the mesh; None: that of `set_mesh`.
    Raises:
        TypeError: the dimension is neither a number nor a name, or mesh is no ProcessMesh.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0], dim_names=["dp"])
        >>> w = dist.shard_tensor(paddle.create_parameter([4, 2], "float32"), mesh, [dist.Replicate()])
        >>> adam = dist.shard_optimizer(paddle.optimizer.AdamW(parameters=[w]), dist.ShardingStage1("dp", mesh))
        >>> [state.placements for state in adam.state_dict().values()][0]
        [Shard(dim=0)]

    Follows Paddle 3.3.
    """


class ShardingStage2(_Stage):
    """For `shard_optimizer`: cut the states of the optimizer, and gradients as soon as they are there.

    Args:
        sharding_mesh_dim (int|str): the dimension of the mesh along which they are cut.
        mesh (ProcessMesh): the mesh; None: that of `set_mesh`.
    Raises:
        TypeError: the dimension is neither a number nor a name, or mesh is no ProcessMesh.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0], dim_names=["dp"])
        >>> w = dist.shard_tensor(paddle.create_parameter([4, 2], "float32"), mesh, [dist.Replicate()])
        >>> adam = dist.shard_optimizer(paddle.optimizer.AdamW(parameters=[w]), dist.ShardingStage2("dp", mesh))
        >>> (w * 2.0).sum().backward(); adam.step(); w.placements
        [Replicate()]

    Follows Paddle 3.3.
    """

    _cuts_gradients = True


class ShardingStage3(_Stage):
    """For `shard_optimizer`: cut the parameters too, which operators then gather when they use them.

    Args:
        sharding_mesh_dim (int|str): the dimension of the mesh along which they are cut.
        mesh (ProcessMesh): the mesh, on which plain parameters are laid, too; None: that of `set_mesh`.
    Raises:
        TypeError: the dimension is neither a number nor a name, or mesh is no ProcessMesh.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0], dim_names=["dp"])
        >>> w = dist.shard_tensor(paddle.create_parameter([4, 2], "float32"), mesh, [dist.Replicate()])
        >>> adam = dist.shard_optimizer(paddle.optimizer.AdamW(parameters=[w]), dist.ShardingStage3("dp", mesh))
        >>> w.placements
        [Shard(dim=0)]

    Follows Paddle 3.3.
    """

    _cuts_gradients = _cuts_parameters = True

    def _cut(self, param: Any) -> None:
        """Cut a parameter, in place."""
        if not is_dist(param) and self._mesh is not None:
            whole = shard_tensor(Tensor(param._t.detach()), self._mesh, [])
            param._become(inside(whole).requires_grad_(param._t.requires_grad))
        if is_dist(param):
            former = inside(param)
            value = laid(former.detach(), self._way(param)).requires_grad_(former.requires_grad)
            piece(value)
            value._used_as = former.placements  # `engine.sharding` gathers it where an operator uses it
            param._become(value)


def _hook(param: Any, stage: _Stage) -> None:
    """Cut the gradient of a parameter when it is there, instead of keeping a partial one."""

    def cut(grad: Tensor) -> Tensor:
        if not is_dist(grad):
            return grad
        value, kept = inside(grad), list(inside(param).placements)
        if not any(placement.is_partial() for placement in value.placements):
            return grad
        # what is partial along the other dimensions of the mesh is summed up
        way = kept if stage._cuts_parameters else further(param, stage._sharding_axis)
        return Tensor(laid(value, way))

    param.register_hook(cut)


class _ShardOptimizer(Optimizer):
    """An optimizer of dist parameters: `shard_optimizer` makes it. What it does not say itself, the optimizer in it does.

    Args:
        optimizer (Optimizer): the optimizer.
        shard_fn (callable): lays out states.
        gradient_accumulation_steps (int): kept; gradients add up until `clear_grad`.
    """

    def __init__(self, optimizer: Optimizer, shard_fn: Shard | None = None, gradient_accumulation_steps: int = 1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise failed_assertion("optimizer", "a paddle.optimizer.Optimizer", optimizer, "shard_optimizer")
        if shard_fn is not None and not callable(shard_fn):
            expected = "a function (name, parameter, state) -> state, such as ShardingStage1"
            raise type_error("shard_fn", expected, shard_fn, "shard_optimizer")
        self.__dict__["_inner_opt"] = optimizer
        self.__dict__["gradient_accumulation_steps"] = gradient_accumulation_steps
        optimizer._shard_fn = shard_fn
        if isinstance(shard_fn, _Stage):
            parameters = _all(optimizer._parameter_list)
            shard_fn._bind(parameters)
            for param in parameters:
                if isinstance(shard_fn, ShardingStage3):
                    shard_fn._cut(param)
                if shard_fn._cuts_gradients and not param.stop_gradient:
                    _hook(param, shard_fn)

    def state_dict(self) -> dict[str, Any]:
        """The states by name, dist tensors; before the first step, too.

        Returns:
            dict: what `set_state_dict` takes.
        """
        inner = self.__dict__["_inner_opt"]
        inner._prepare(None, [param for param in _all(inner._parameter_list) if inner._trains(param)])
        return inner.state_dict()

    def __getattribute__(self, name: str) -> Any:
        if name in _OWN or name.startswith("__"):
            return object.__getattribute__(self, name)
        return getattr(object.__getattribute__(self, "__dict__")["_inner_opt"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["_inner_opt"], name, value)


_OWN = frozenset({"_inner_opt", "gradient_accumulation_steps", "state_dict"})


def shard_optimizer(optimizer: Optimizer, shard_fn: Shard | None = None, gradient_accumulation_steps: int = 1) -> Any:
    """Say how the states of an optimizer of dist parameters lie.

    Args:
        optimizer (Optimizer): the optimizer; its parameters lie on a mesh already.
        shard_fn (callable): `ShardingStage1`, `ShardingStage2` or `ShardingStage3`, or a function that is given the name of a state, the
            parameter and the state, a plain Tensor, and returns it laid out (or as it is); None: states lie as their parameters.
        gradient_accumulation_steps (int): kept; gradients add up until `clear_grad`.
    Returns:
        Optimizer: in place of the given one.
    Raises:
        AssertionError: optimizer is none.
        TypeError: shard_fn cannot be called.
        ValueError: a stage knows no mesh.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0], dim_names=["dp"])
        >>> w = dist.shard_tensor(paddle.create_parameter([4, 2], "float32"), mesh, [dist.Replicate()])
        >>> def lay(name, param, state):
        ...     return dist.shard_tensor(state, param.process_mesh, [dist.Shard(0)])
        >>> momentum = dist.shard_optimizer(paddle.optimizer.Momentum(0.1, parameters=[w]), lay)
        >>> [state.placements for state in momentum.state_dict().values()]
        [[Shard(dim=0)]]

    Follows Paddle 3.3.
    """
    return _ShardOptimizer(optimizer, shard_fn, gradient_accumulation_steps)


def shard_scaler(scaler: Any) -> Any:
    """Let the processes of a mesh agree on whether a gradient is infinite. A GradScaler here does that with any dist gradients.

    Args:
        scaler (GradScaler): the scaler.
    Returns:
        GradScaler: the same.
    Raises:
        TypeError: it is none.

    Example:
        >>> import paddle_compat as paddle
        >>> scaler = paddle.amp.GradScaler(enable=False)
        >>> paddle.distributed.shard_scaler(scaler) is scaler
        True

    Follows Paddle 3.3.
    """
    from paddle_compat.amp.grad_scaler import AmpScaler

    if not isinstance(scaler, AmpScaler):
        raise type_error("scaler", "a paddle.amp.GradScaler", scaler, "shard_scaler")
    return scaler

"""`paddle.distributed.fsdp.fully_shard`: a model whose parameters, gradients and states of the optimizer all processes share out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel import interface
from paddle_compat.distributed.auto_parallel._optimizers import ShardingStage3, _hook
from paddle_compat.distributed.auto_parallel._tensors import inside
from paddle_compat.distributed.auto_parallel.placement_type import Shard
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.nn import Layer


class _FullShard(ShardingStage3):
    """Stage 3 along the first dimension of the mesh, of whatever size a parameter's dimensions are."""

    def __init__(self, mesh: ProcessMesh, choose: Callable[[Any], Shard | None] | None) -> None:
        super().__init__(0, mesh)
        self._choose = choose

    def _way(self, param: Any) -> Any:
        from torch.distributed.tensor import Shard as Cut

        ways = list(inside(param).placements)
        if ways[0].is_shard():
            return ways
        taken = {way.dim for way in ways if way.is_shard()}
        free = [dim for dim in range(param.ndim) if dim not in taken]
        chosen = None if self._choose is None else self._choose(param)
        if chosen is not None:
            if not isinstance(chosen, Shard) or chosen.get_dim() not in free:
                expected = f"a function that gives None, or a Shard of one of the dimensions {free} of {param.name}"
                raise invalid_argument("shard_placement_fn", expected, chosen, "fully_shard")
            free = [chosen.get_dim()]
        if free:
            ways[0] = Cut(free[0])
        return ways


def fully_shard(
    module: Layer, *, mesh: ProcessMesh | None = None, reshard_after_forward: bool | int | None = None,
    shard_placement_fn: Callable[[Tensor], Shard | None] | None = None, mp_policy: Any = None, offload_policy: Any = None,
    ignored_params: Iterable[Tensor] | None = None, enable_tensor_fusion_and_overlap: bool = True,
) -> Layer:  # fmt: skip
    """Share out a model's parameters, gradients and states of its optimizer along the first dimension of a mesh.

    Args:
        module (Layer): the model; its parameters become dist ones in place, so that an optimizer may have been made before.
        mesh (ProcessMesh): the processes; None: the mesh of `get_mesh`.
        reshard_after_forward (bool): kept; an operator gathers a parameter when it uses it.
        shard_placement_fn (callable): which dimension of a parameter is cut, a Shard; None, or a function that gives None: its first one.
        mp_policy: None; `paddle.amp` sets the precision.
        offload_policy: None; nothing is kept on the CPU for a GPU.
        ignored_params (list): parameters that stay as they are, as those do that are not trained.
        enable_tensor_fusion_and_overlap (bool): kept; it is about speed.
    Returns:
        Layer: the same model.
    Raises:
        TypeError: module is no Layer, or mesh no ProcessMesh.
        ValueError: there is no mesh, or shard_placement_fn gives something else.
        UnsupportedError: a policy is given.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.fsdp import fully_shard
        >>> mesh, model = dist.ProcessMesh([0], dim_names=["dp"]), paddle.nn.Linear(4, 2)
        >>> adam = paddle.optimizer.AdamW(parameters=model.parameters())
        >>> model = fully_shard(model, mesh=mesh)
        >>> model(dist.shard_tensor(paddle.ones([8, 4]), mesh, [dist.Shard(0)])).mean().backward()
        >>> adam.step(); model.weight.placements
        [Shard(dim=0)]

    Follows Paddle 3.3.
    """
    if not isinstance(module, Layer):
        raise type_error("module", "a paddle.nn.Layer", module, "fully_shard")
    for name, policy in (("mp_policy", mp_policy), ("offload_policy", offload_policy)):
        if policy is not None:
            raise UnsupportedError("paddle.distributed.fsdp.fully_shard", f"{name}={policy!r}", "paddle.amp.decorate, or None")
    mesh = interface.get_mesh() if mesh is None else mesh
    if mesh is None:
        raise invalid_argument("mesh", "a ProcessMesh here, or one that paddle.distributed.set_mesh was given", None, "fully_shard")
    if not isinstance(mesh, ProcessMesh):
        raise type_error("mesh", "a paddle.distributed.ProcessMesh", mesh, "fully_shard")
    stage, ignored = _FullShard(mesh, shard_placement_fn), {id(param) for param in ignored_params or ()}
    for param in module.parameters():
        done = getattr(param._t, "_used_as", None) is not None  # with a layer inside of the model, before
        if not (done or param.stop_gradient or id(param) in ignored):
            stage._cut(param)
            _hook(param, stage)
    return module


__all__ = ["fully_shard"]
__getattr__ = missing(__name__)

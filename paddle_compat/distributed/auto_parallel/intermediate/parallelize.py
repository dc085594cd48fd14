"""`paddle.distributed.auto_parallel.intermediate.parallelize`: a model and its optimizer divided as a configuration says."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.distributed.auto_parallel import interface
from paddle_compat.distributed.auto_parallel._optimizers import ShardingStage1, ShardingStage2, ShardingStage3, shard_optimizer
from paddle_compat.distributed.auto_parallel._tensors import is_dist, shard_tensor
from paddle_compat.distributed.auto_parallel.intermediate.pipeline_parallel import split_into_stages, use_shared
from paddle_compat.distributed.auto_parallel.intermediate.tensor_parallel import apply_plans
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.nn import Layer
from paddle_compat.optimizer.optimizer import Optimizer

_STAGES: dict[str, Any] = {"0": None, "1": ShardingStage1, "2": ShardingStage2, "3": ShardingStage3}


def parallelize(
    model: Layer, optimizer: Optimizer | None = None, mesh: ProcessMesh | None = None, config: dict[str, Any] | None = None
) -> tuple[Layer, Any]:
    """Divide a model and its optimizer over a mesh.

    Args:
        model (Layer): the model; its parameters become dist ones in place.
        optimizer (Optimizer): the optimizer of its parameters, or None.
        mesh (ProcessMesh): the mesh, which becomes that of `get_mesh`; None: that one.
        config (dict): `mp_config`: {"parallelize_plan": {name of a layer or a parameter: plan, ...}}, cut along `mp`; names are regular
            expressions. `cp_config`: likewise, plans that cut sequences along `sep`. `dp_config`: {"sharding_level": 0, 1, 2 or 3,
            "sharding_mesh_dim": "dp"}: the sharding stage. `pp_config`: {"split_spec": ..., "global_spec": ...}: which layers lie at which
            place along `pp`; a `split_spec` names the last layer of each stage but the last ({name: SplitPoint.END}), or lists of layers
            that the stages share. None: nothing.
    Returns:
        tuple: the model, and the optimizer in place of the given one.
    Raises:
        AssertionError: config is no dict, mesh no ProcessMesh or without such a dimension, the level is another, or there is no such split.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> model = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Linear(8, 4))
        >>> adam = paddle.optimizer.AdamW(parameters=model.parameters())
        >>> plan = {"0": dist.ColWiseParallel(), "1": dist.RowWiseParallel()}
        >>> config = {"mp_config": {"parallelize_plan": plan}, "dp_config": {"sharding_level": 1}}
        >>> model, adam = dist.parallelize(model, adam, dist.ProcessMesh([[0]], dim_names=["dp", "mp"]), config)
        >>> model[0].weight.placements, model[1].bias.placements
        ([Replicate(), Shard(dim=1)], [Replicate(), Replicate()])

    Follows Paddle 3.3.
    """
    if config is None:
        warnings.warn("The `parallelize will do nothing since the config is `None`.", stacklevel=2)
        return model, optimizer
    held = _mesh(mesh, config)
    stage, pipeline = config.get("dp_config"), config.get("pp_config")
    plans = [config[name] for name in ("mp_config", "cp_config") if config.get(name) is not None]
    if held is None or (not plans and stage is None and pipeline is None):
        return model, optimizer
    former = {id(param): param for param in model.parameters()}
    stages = {} if pipeline is None else _stages(model, held, pipeline)

    def where(layer: Layer) -> ProcessMesh:
        return stages.get(id(layer), held)

    for each in plans:
        if each.get("parallelize_plan") is not None:
            apply_plans(model, where, each["parallelize_plan"])
    _replicate(model, where)
    if optimizer is None:
        return model, None
    if not isinstance(optimizer, Optimizer):
        raise failed_assertion("optimizer", "a paddle.optimizer.Optimizer", optimizer, "parallelize")
    _take_over(optimizer, model, former)
    return model, shard_optimizer(optimizer, _stage(stage or {}, held))


def parallelize_model(model: Layer, mesh: ProcessMesh | None = None, config: dict[str, Any] | None = None) -> Layer:
    """Divide a model alone; its optimizer is made afterwards, of the dist parameters.

    Args:
        model (Layer): the model; its parameters become dist ones in place.
        mesh (ProcessMesh): as of `parallelize`.
        config (dict): as of `parallelize`.
    Returns:
        Layer: the model.
    Raises:
        AssertionError: as of `parallelize`.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.intermediate.parallelize import parallelize_model
        >>> model = paddle.nn.Sequential(paddle.nn.Linear(4, 8))
        >>> config = {"mp_config": {"parallelize_plan": {"0": dist.ColWiseParallel()}}}
        >>> parallelize_model(model, dist.ProcessMesh([0], dim_names=["mp"]), config)[0].weight.placements
        [Shard(dim=1)]

    Follows Paddle 3.3.
    """
    return parallelize(model, None, mesh, config)[0]


def parallelize_optimizer(optimizer: Optimizer, mesh: ProcessMesh | None = None, config: dict[str, Any] | None = None) -> Any:
    """Let an optimizer of a model that `parallelize_model` has divided cut its states.

    Args:
        optimizer (Optimizer): of dist parameters.
        mesh (ProcessMesh): as of `parallelize`.
        config (dict): its `dp_config` as of `parallelize`; None: nothing.
    Returns:
        Optimizer: in place of the given one.
    Raises:
        AssertionError: a parameter lies on no mesh; or as of `parallelize`.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.intermediate.parallelize import parallelize_model, parallelize_optimizer
        >>> mesh, config = dist.ProcessMesh([0], dim_names=["dp"]), {"dp_config": {"sharding_level": 1}}
        >>> model = parallelize_model(paddle.nn.Linear(4, 8), mesh, config)
        >>> adam = parallelize_optimizer(paddle.optimizer.AdamW(parameters=model.parameters()), mesh, config)
        >>> model(paddle.ones([2, 4])).mean().backward()
        >>> adam.step()

    Follows Paddle 3.3.
    """
    if config is None:
        warnings.warn("The `parallelize_optimizer will do nothing since the config is `None`.", stacklevel=2)
        return optimizer
    listed = optimizer._parameter_list or []
    groups = [each["params"] if isinstance(each, dict) else [each] for each in listed]
    plain = [param.name for group in groups for param in group if not is_dist(param)]
    if plain:
        raise failed_assertion("optimizer", "one of the parameters that parallelize_model has laid out", plain, "parallelize_optimizer")
    held = _mesh(mesh, config)
    return optimizer if held is None else shard_optimizer(optimizer, _stage(config.get("dp_config") or {}, held))


def _mesh(mesh: ProcessMesh | None, config: Any) -> ProcessMesh | None:
    """The mesh to divide over, which becomes that of `get_mesh`, for a configuration that can be."""
    if not isinstance(config, dict):
        raise failed_assertion("config", "a dict", config, "parallelize")
    if mesh is not None and not isinstance(mesh, ProcessMesh):
        raise failed_assertion("mesh", "a paddle.distributed.ProcessMesh", mesh, "parallelize")
    if mesh is not None:
        interface.set_mesh(mesh)
    for name, axis in (("mp_config", "mp"), ("cp_config", "sep"), ("dp_config", "dp"), ("pp_config", "")):
        if config.get(name) is not None:
            _check(name, config[name], axis)
    return interface.get_mesh()


def _check(name: str, given: Any, axis: str) -> None:
    """Raise for a part of a configuration that cannot be."""
    if not isinstance(given, dict):
        raise failed_assertion(f"config['{name}']", "a dict", given, "parallelize")
    mesh = interface.get_mesh()
    if mesh is None:
        raise failed_assertion("mesh", "a ProcessMesh here, or from `paddle.distributed.set_mesh` before", None, "parallelize")
    if axis and axis not in mesh.dim_names:
        raise failed_assertion("mesh", f"a dimension `{axis}`, which {name} needs", mesh.dim_names, "parallelize")
    for option in ("offload", "exclude_layer"):
        if given.get(option):
            raise failed_assertion(f"config['{name}']", f"no `{option}`", given[option], "parallelize")


def _stage(config: dict[str, Any], mesh: ProcessMesh) -> Any:
    """The sharding stage that a configuration asks for."""
    level = str(config.get("sharding_level") or 0)
    if level not in _STAGES:
        raise failed_assertion("sharding_level", "0, 1, 2 or 3", config["sharding_level"], "parallelize")
    stage = _STAGES[level]
    return None if stage is None else stage(config.get("sharding_mesh_dim", "dp"), mesh)


def _stages(model: Layer, mesh: ProcessMesh, config: dict[str, Any]) -> dict[int, ProcessMesh]:
    """The meshes of the layers of a model that is split into stages, by the layers' ids; none where nothing says how."""
    if config.get("split_spec") is None:
        warnings.warn("No split_spec, pipeline parallel won't do anything.", stacklevel=3)
        return {}
    if "pp" not in mesh.dim_names:
        raise failed_assertion("mesh", "a dimension `pp`, which pp_config needs", mesh.dim_names, "parallelize")
    if mesh.get_dim_size("pp") == 1 and not isinstance(config["split_spec"], dict):
        return {}
    return split_into_stages(model, mesh, config)


def _replicate(model: Layer, where: Callable[[Layer], ProcessMesh]) -> None:
    """Lay the parameters that no plan has cut on their layers' meshes, whole; one that layers share stays shared."""
    made: dict[int, Any] = {}
    for _, layer in model.named_sublayers(include_self=True):
        for name, param in list(layer._parameters.items()):
            if param is not None and not is_dist(param):
                mesh = where(layer)
                if id(param) not in made:
                    made[id(param)] = param, shard_tensor(param, mesh, [])
                shared = made[id(param)][1]
                setattr(layer, name, shared)
                if shared.process_mesh != mesh:
                    use_shared(layer, name, shared, mesh)


def _take_over(optimizer: Optimizer, model: Layer, former: dict[int, Any]) -> None:
    """Give an optimizer the dist parameters in place of those of which they were made."""
    by_name = {param.name.removesuffix(".dist"): param for param in model.parameters()}

    def now(param: Any) -> Any:
        return by_name.get(param.name, param) if id(param) in former else param

    listed = optimizer._parameter_list or []
    if listed and isinstance(listed[0], dict):
        for group in [*listed, *(optimizer._param_groups or [])]:
            params = group["params"]
            group["params"] = [now(param) for param in (params if isinstance(params, (list, tuple)) else [params])]
    else:
        optimizer._parameter_list = optimizer._param_groups = [now(param) for param in listed]


__all__ = ["parallelize", "parallelize_model", "parallelize_optimizer"]
__getattr__ = missing(__name__)

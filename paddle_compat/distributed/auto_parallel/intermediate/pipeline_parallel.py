"""`paddle.distributed.auto_parallel.intermediate.pipeline_parallel`: where a model is split into stages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.distributed.auto_parallel._tensors import is_dist, reshard, shard_tensor
from paddle_compat.distributed.auto_parallel.placement_type import Partial, Replicate
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.nn import Layer


class SplitPoint(Enum):
    """Where a `split_spec` of `parallelize` splits a model: in front of the layer that it names, or behind it.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.SplitPoint.END
        <SplitPoint.END: 1>

    Follows Paddle 3.3.
    """

    BEGINNING = 0
    END = 1


def split_into_stages(model: Layer, mesh: ProcessMesh, config: dict[str, Any]) -> dict[int, ProcessMesh]:
    """Split a model into stages: each has its part of the mesh, and what a stage ends with goes to the next one's.

    Args:
        model (Layer): the model; sublayers get a `pipeline_stage_index`.
        mesh (ProcessMesh): the mesh; one of its dimensions is `pp`.
        config (dict): `split_spec`: the names of lists of layers, which are shared out evenly, or {name of a layer: SplitPoint.END, ...};
            `global_spec`: the names of layers whose outputs all processes get.
    Returns:
        dict: by the id of a layer the mesh of its stage.
    Raises:
        AssertionError: config names no layer, or too few.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.intermediate.pipeline_parallel import split_into_stages
        >>> model = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.Linear(2, 2))
        >>> mesh = dist.ProcessMesh([[0], [1]], dim_names=["pp", "mp"])
        >>> meshes = split_into_stages(model, mesh, {"split_spec": {"0": dist.SplitPoint.END}})
        >>> [meshes[id(layer)].process_ids for layer in model]
        [[0], [1]]

    Follows Paddle 3.3.
    """
    count = mesh.get_dim_size("pp")
    if mesh.ndim == 1:
        meshes = [ProcessMesh([process], ["pp"]) for process in mesh.process_ids]
    else:
        meshes = [mesh.get_mesh_with_dim("pp", stage) for stage in range(count)]
    layers = dict(model.named_sublayers())
    ends, matched = _ends(list(layers), config.get("split_spec"), count)
    stage, last = 0, None
    for name, layer in layers.items():
        if last is not None and name != last and not name.startswith(f"{last}."):
            stage, last = stage + 1, None
        layer.pipeline_stage_index = stage
        if name in ends:
            last = name
    if stage != count - 1:
        raise failed_assertion("split_spec", f"{count} stages of layers", ends, "parallelize")
    for name in ends:
        following = meshes[layers[name].pipeline_stage_index + 1]
        layers[name].register_forward_post_hook(lambda layer, given, out, mesh=following: _each(out, lambda x: _on(x, mesh)))
    spread = config.get("global_spec") or []
    spread = [spread] if isinstance(spread, str) else spread
    unknown = [name for name in spread if name not in layers]
    if unknown:
        raise failed_assertion("global_spec", f"some of {list(layers)}", unknown, "parallelize")
    whole = mesh.get_mesh_with_dim("pp")
    for name in spread:
        layers[name].register_forward_post_hook(lambda layer, given, out: _each(out, lambda x: _whole_on(x, whole)))
    for name in matched or layers if spread else ():
        own = meshes[layers[name].pipeline_stage_index]
        layers[name].register_forward_pre_hook(_taking(own), with_kwargs=True)
    return {id(model): meshes[0], **{id(layer): meshes[layer.pipeline_stage_index] for layer in layers.values()}}


def _ends(names: list[str], given: Any, count: int) -> tuple[list[str], list[str]]:
    """The names of the layers with which stages end, and of those that were shared out."""
    if isinstance(given, dict):
        wrong = [name for name, point in given.items() if name not in names or point is not SplitPoint.END]
        if wrong or len(given) != count - 1:
            expected = f"{count - 1} of {names}, each with SplitPoint.END"
            raise failed_assertion("split_spec", expected, given, "parallelize")
        return list(given), []
    lists: Sequence[str] = [given] if isinstance(given, str) else given
    found = [name for name in names if name in lists or any(re.fullmatch(rf"{re.escape(each)}\.\d+", name) for each in lists)]
    of_lists = {name.rpartition(".")[0] for name in found if name.rpartition(".")[2].isdigit()}
    found = [name for name in found if name not in of_lists]
    if len(found) < count:
        raise failed_assertion("split_spec", f"names of {count} layers or more", f"{given!r}, which names {found}", "parallelize")
    least, more = divmod(len(found), count)
    ends = [least * stage + min(stage, more) - 1 for stage in range(1, count)]
    return [found[end] for end in ends], found


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    """What a layer gives, with the tensors in it changed."""
    if isinstance(value, dict):
        return type(value)((name, _each(each, change)) for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return type(value)(_each(each, change) for each in value)
    if isinstance(value, Variable):
        raise UnsupportedError("paddle.distributed.parallelize with pp_config", "a DistModel's layer", "eager mode")
    return change(value) if isinstance(value, Tensor) else value


def _on(value: Any, mesh: ProcessMesh) -> Any:
    """A tensor on the mesh of another stage, lying as before."""
    if not is_dist(value):
        return value
    return reshard(value, mesh, [Replicate() if isinstance(way, Partial) else way for way in value.placements])


def _whole_on(value: Any, mesh: ProcessMesh) -> Any:
    """A tensor that all processes of a mesh have, whole."""
    return (reshard if is_dist(value) else shard_tensor)(value, mesh, [Replicate() for _ in mesh.dim_names])


def _taking(mesh: ProcessMesh) -> Callable[..., Any]:
    """A hook that brings what a layer is given to the mesh of its stage."""

    def bring(value: Any) -> Any:
        return _whole_on(value, mesh) if is_dist(value) and value.process_mesh != mesh else value

    return lambda layer, args, kwargs: (tuple(_each(args, bring)), _each(kwargs, bring))


def use_shared(layer: Layer, name: str, param: Any, mesh: ProcessMesh) -> None:
    """Have a layer use a parameter that lies on the mesh of another stage, whose layer has it, too.

    Args:
        layer (Layer): the layer.
        name (str): the parameter's name in it.
        param (Tensor): the parameter.
        mesh (ProcessMesh): that of the layer's stage.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.intermediate.pipeline_parallel import use_shared
        >>> layer, mesh = paddle.nn.Linear(2, 3), dist.ProcessMesh([0], dim_names=["mp"])
        >>> use_shared(layer, "weight", dist.shard_tensor(layer.weight, mesh, []), mesh)
        >>> layer(paddle.ones([1, 2])).shape
        [1, 3]

    Follows Paddle 3.3.
    """

    def begin(layer: Any, given: Any) -> None:
        layer._parameters[name] = _on(param, mesh)

    def end(layer: Any, given: Any, out: Any) -> None:
        layer._parameters[name] = param

    layer._parameters[name] = param
    layer.register_forward_pre_hook(begin, prepend=True)
    layer.register_forward_post_hook(end, always_call=True)


__all__ = ["SplitPoint"]
__getattr__ = missing(__name__)

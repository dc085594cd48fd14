"""`paddle.distributed.auto_parallel.intermediate.tensor_parallel`: plans that say how a layer is cut along the dimension `mp` of a mesh."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError, failed_assertion, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.distributed.auto_parallel._tensors import is_dist, laid_along, reshard, shard_tensor
from paddle_compat.distributed.auto_parallel.placement_type import Placement, Replicate, Shard
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.nn import Embedding, Layer, Linear


class PlanBase:
    """Base of the plans: `apply` cuts a layer.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> layer = paddle.nn.Linear(2, 2)
        >>> dist.RowWiseParallel().apply(layer, dist.ProcessMesh([0], dim_names=["mp"]), []); layer.weight.placements
        [Shard(dim=0)]

    Follows Paddle 3.3.
    """

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Cut a layer.

        Args:
            layer (Layer): the layer.
            process_mesh (ProcessMesh): the mesh; one of its dimensions is `mp`.
            shard_param_list (list): names of the parameters that are cut; none: those that the plan cuts by itself.
        Raises:
            NotImplementedError: the plan does not say how.
        """
        raise UnimplementedError(f"{type(self).__name__} does not say how it cuts a layer.")


class ColWiseParallel(PlanBase):
    """Cut the columns of a layer's weight, and its bias: every process computes a part of the outputs.

    Args:
        gather_output (bool): put the parts of the output together behind the layer.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> layer, mesh = paddle.nn.Linear(4, 6), dist.ProcessMesh([[0]], dim_names=["dp", "mp"])
        >>> dist.ColWiseParallel().apply(layer, mesh, []); layer.weight.placements, layer.bias.placements
        ([Replicate(), Shard(dim=1)], [Replicate(), Shard(dim=0)])

    Follows Paddle 3.3.
    """

    def __init__(self, gather_output: bool = False) -> None:
        self.gather_output = gather_output

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Cut the columns of a layer's parameters.

        Raises:
            ValueError: one has neither one dimension nor two.
        """
        _of_known_kind(self, layer)
        for name in shard_param_list or ("weight", "bias"):
            _cut(layer, name, process_mesh, {1: 0, 2: 1})
        layer.register_forward_pre_hook(_sum_gradients)
        if self.gather_output:
            layer.register_forward_post_hook(lambda layer, given, out: _laid(out, process_mesh, whole=True))


class RowWiseParallel(PlanBase):
    """Cut the rows of a layer's weight: every process takes a part of the inputs, and the outputs are added up.

    Args:
        is_input_parallel (bool): whether the input is cut already, as behind a `ColWiseParallel` layer; else it is cut here.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> layer, mesh = paddle.nn.Linear(4, 6), dist.ProcessMesh([[0]], dim_names=["dp", "mp"])
        >>> dist.RowWiseParallel().apply(layer, mesh, []); layer.weight.placements
        [Replicate(), Shard(dim=0)]

    Follows Paddle 3.3.
    """

    def __init__(self, is_input_parallel: bool = True) -> None:
        self.is_input_parallel = is_input_parallel

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Cut the rows of a layer's weight; its bias stays whole.

        Raises:
            ValueError: the weight has not two dimensions.
        """
        _of_known_kind(self, layer)
        for name in [name for name in shard_param_list if name != "bias"] or ("weight",):
            _cut(layer, name, process_mesh, {2: 0})
        if not self.is_input_parallel:
            layer.register_forward_pre_hook(lambda layer, given: tuple(_laid(value, process_mesh, whole=False) for value in given))


class ConvParallel(PlanBase):
    """Cut the width of the images that a convolution takes and gives; its weight stays whole.

    The convolution itself runs on whole images, which processes put together for it: edges of pieces do not travel by themselves.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> layer, mesh = paddle.nn.Conv2D(2, 3, 3, padding=1), dist.ProcessMesh([[0]], dim_names=["dp", "mp"])
        >>> dist.ConvParallel().apply(layer, mesh, [])
        >>> x = dist.shard_tensor(paddle.ones([1, 2, 4, 4]), mesh, [dist.Replicate(), dist.Replicate()])
        >>> layer(x).placements
        [Replicate(), Shard(dim=3)]

    Follows Paddle 3.3.
    """

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Cut what a convolution takes and gives.

        Raises:
            AssertionError: the layer is no convolution.
        """
        data_format = getattr(layer, "_data_format", None)
        if data_format is None:
            raise failed_assertion("layer", "a convolution", type(layer).__name__, "ConvParallel")
        width = str(data_format).index("W" if "W" in str(data_format) else "L")

        def cut(value: Any) -> Any:
            return (
                _laid_at(value, process_mesh, width)
                if isinstance(value, Variable) or isinstance(value, Tensor) and is_dist(value)
                else value
            )

        layer.register_forward_pre_hook(lambda layer, given: tuple(map(cut, given)))
        layer.register_forward_post_hook(lambda layer, given, out: cut(out))


class _Hook(PlanBase):
    """A plan that calls a function of the user's."""

    def __init__(self, fn: Callable[..., Any] | None = None) -> None:
        if not callable(fn):
            raise failed_assertion("fn", "a function of process_mesh that returns a hook", fn, type(self).__name__)
        self.fn = fn


class PrepareLayerInput(_Hook):
    """Call a function on what a layer is given.

    Args:
        fn (callable): given `process_mesh`, it returns a hook `(layer, inputs) -> inputs`.
    Raises:
        AssertionError: fn cannot be called.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> plan = dist.PrepareLayerInput(lambda process_mesh: lambda layer, inputs: (inputs[0] * 2.0,))
        >>> layer = paddle.nn.ReLU(); plan.apply(layer, dist.ProcessMesh([0], dim_names=["mp"]), [])
        >>> layer(paddle.ones([1])).tolist()
        [2.0]

    Follows Paddle 3.3.
    """

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Have the layer call the hook."""
        layer.register_forward_pre_hook(self.fn(process_mesh=process_mesh))


class PrepareLayerOutput(_Hook):
    """Call a function on what a layer returns.

    Args:
        fn (callable): given `process_mesh`, it returns a hook `(layer, inputs, outputs) -> outputs`.
    Raises:
        AssertionError: fn cannot be called.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> plan = dist.PrepareLayerOutput(lambda process_mesh: lambda layer, inputs, outputs: outputs + 1.0)
        >>> layer = paddle.nn.ReLU(); plan.apply(layer, dist.ProcessMesh([0], dim_names=["mp"]), [])
        >>> layer(paddle.ones([1])).tolist()
        [2.0]

    Follows Paddle 3.3.
    """

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Have the layer call the hook."""
        layer.register_forward_post_hook(self.fn(process_mesh=process_mesh))


class SequenceParallelBegin(PlanBase):
    """Cut the sequence of what a layer returns along `mp`: the layers that follow, up to `SequenceParallelEnd`, work on parts of it.

    Args:
        need_transpose (bool): whether the layer returns [batch, sequence, width], which becomes [sequence, batch, width] too.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> layer = paddle.nn.Linear(4, 4)
        >>> dist.SequenceParallelBegin().apply(layer, dist.ProcessMesh([0], dim_names=["mp"]), [])
        >>> out = layer(paddle.ones([2, 8, 4]))
        >>> out.shape, out.placements
        ([8, 2, 4], [Shard(dim=0)])

    Follows Paddle 3.3.
    """

    def __init__(self, need_transpose: bool = True) -> None:
        self.need_transpose = need_transpose

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Have what the layer returns cut."""
        turn = self.need_transpose
        layer.register_forward_post_hook(lambda layer, given, out: _sequence(out, process_mesh, turn, whole=False))


class SequenceParallelEnd(PlanBase):
    """Put together what a layer is given, where `SequenceParallelBegin` has cut it.

    Args:
        need_transpose (bool): whether the layer wants [batch, sequence, width] and is given [sequence, batch, width].

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> layer = paddle.nn.ReLU()
        >>> dist.SequenceParallelEnd().apply(layer, dist.ProcessMesh([0], dim_names=["mp"]), [])
        >>> layer(paddle.ones([8, 2, 4])).shape
        [2, 8, 4]

    Follows Paddle 3.3.
    """

    def __init__(self, need_transpose: bool = True) -> None:
        self.need_transpose = need_transpose

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Have what the layer is given put together."""
        turn = self.need_transpose
        layer.register_forward_pre_hook(lambda layer, given: _sequence(given, process_mesh, turn, whole=True))


class SequenceParallelEnable(PlanBase):
    """Let one layer work on parts of the sequence: [batch, sequence, width] is cut before it, and put together behind it.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> layer = paddle.nn.ReLU()
        >>> dist.SequenceParallelEnable().apply(layer, dist.ProcessMesh([0], dim_names=["mp"]), [])
        >>> layer(paddle.ones([2, 8, 4])).shape
        [2, 8, 4]

    Follows Paddle 3.3.
    """

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Have what the layer is given cut, and what it returns put together."""
        layer.register_forward_pre_hook(lambda layer, given: _sequence(given, process_mesh, True, whole=False))
        layer.register_forward_post_hook(lambda layer, given, out: _sequence(out, process_mesh, True, whole=True))


class SequenceParallelDisable(PlanBase):
    """Let one layer between `SequenceParallelBegin` and `SequenceParallelEnd` work on the whole sequence.

    Args:
        need_transpose (bool): whether the layer wants and returns [batch, sequence, width].

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> layer = paddle.nn.ReLU()
        >>> dist.SequenceParallelDisable().apply(layer, dist.ProcessMesh([0], dim_names=["mp"]), [])
        >>> layer(paddle.ones([8, 2, 4])).shape
        [8, 2, 4]

    Follows Paddle 3.3.
    """

    def __init__(self, need_transpose: bool = True) -> None:
        self.need_transpose = need_transpose

    def apply(self, layer: Layer, process_mesh: ProcessMesh, shard_param_list: Sequence[str]) -> None:
        """Have what the layer is given put together, and what it returns cut."""
        turn = self.need_transpose
        layer.register_forward_pre_hook(lambda layer, given: _sequence(given, process_mesh, turn, whole=True))
        layer.register_forward_post_hook(lambda layer, given, out: _sequence(out, process_mesh, turn, whole=False))


def _sequence(value: Any, mesh: ProcessMesh, turn: bool, *, whole: bool) -> Any:
    """A tensor of three dimensions, or the first of several values, cut along its sequence or put together; `turn`: batch first outside."""
    if isinstance(value, tuple):
        return (_sequence(value[0], mesh, turn, whole=whole), *value[1:])
    if not isinstance(value, (Tensor, Variable)) or len(value.shape) != 3:
        raise failed_assertion("input", "a tensor of three dimensions", value, "parallelize")
    if turn and not whole:
        value = value.transpose([1, 0, 2])  # type: ignore[union-attr]
    axis = mesh.dim_names.index("mp")
    if isinstance(value, Variable):
        value = laid_along(value, mesh, axis, Replicate() if whole else Shard(0))
    else:
        ways: list[Placement] = value.placements if is_dist(value) else [Replicate() for _ in mesh.dim_names]
        batch_first = any(way == Shard(0) for number, way in enumerate(ways) if number != axis)
        ways[axis] = Replicate() if whole else Shard(1 if batch_first else 0)
        value = reshard(value, mesh, ways) if is_dist(value) else shard_tensor(value, mesh, ways)
    return value.transpose([1, 0, 2]) if turn and whole else value


def _of_known_kind(plan: PlanBase, layer: Layer) -> None:
    if not isinstance(layer, (Linear, Embedding)):
        kind = type(plan).__name__
        warnings.warn(f"{kind} is for Linear and Embedding; of the {type(layer).__name__} it cuts the parameters it finds.", stacklevel=4)


def _sum_gradients(layer: Layer, given: tuple[Any, ...]) -> None:
    """Sum up the gradient of what a layer is given once, where it is partial: what flows on would else be summed up at every parameter."""
    from paddle_compat.engine import sharding

    for value in given:
        if isinstance(value, Tensor) and is_dist(value) and value._t.requires_grad:
            value._t.register_hook(sharding.summed)


def _ways(mesh: ProcessMesh, placement: Placement) -> list[Placement]:
    ways: list[Placement] = [Replicate() for _ in mesh.dim_names]
    ways[mesh.dim_names.index("mp")] = placement
    return ways


def _cut(layer: Layer, name: str, mesh: ProcessMesh, dims: dict[int, int]) -> None:
    """Cut a parameter of a layer along the dimension that belongs to its number of dimensions."""
    param = getattr(layer, name, None)
    if param is None or is_dist(param):
        return
    if param.ndim not in dims:
        raise invalid_argument(name, f"a parameter of {' or '.join(map(str, dims))} dimensions", list(param.shape), "parallelize")
    setattr(layer, name, shard_tensor(param, mesh, _ways(mesh, Shard(dims[param.ndim]))))


def _laid(value: Any, mesh: ProcessMesh, *, whole: bool) -> Any:
    """A tensor put together along `mp`, or its last dimension cut."""
    if isinstance(value, (list, tuple)):
        return type(value)(_laid(each, mesh, whole=whole) for each in value)
    return _laid_at(value, mesh, None if whole else -1)


def _laid_at(value: Any, mesh: ProcessMesh, dim: int | None) -> Any:
    """A tensor cut at a dimension along `mp`; None: put together."""
    if not isinstance(value, (Tensor, Variable)):
        return value
    placement = Replicate() if dim is None else Shard(dim % len(value.shape))
    if isinstance(value, Variable):
        return laid_along(value, mesh, mesh.dim_names.index("mp"), placement)
    if not is_dist(value):
        return value if dim is None else shard_tensor(value, mesh, _ways(mesh, placement))
    placements: list[Placement] = value.placements  # type: ignore[attr-defined]
    placements[mesh.dim_names.index("mp")] = placement
    return reshard(value, mesh, placements)


def apply_plans(model: Layer, where: Callable[[Layer], ProcessMesh], plans: dict[str, PlanBase | list[PlanBase]]) -> None:
    """Cut the layers of a model that plans name.

    Args:
        model (Layer): the model.
        where (callable): the mesh of a layer; one of its dimensions is `mp`.
        plans (dict): by the name of a sublayer, or of a parameter of one, a plan or several; names are regular expressions.
    Raises:
        AssertionError: plans are none.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.intermediate.tensor_parallel import apply_plans
        >>> model = paddle.nn.Sequential(paddle.nn.Linear(2, 2))
        >>> mesh = dist.ProcessMesh([0], dim_names=["mp"])
        >>> apply_plans(model, lambda layer: mesh, {"0": dist.RowWiseParallel()}); model[0].weight.placements
        [Shard(dim=0)]

    Follows Paddle 3.3.
    """
    if not isinstance(plans, dict) or not all(isinstance(name, str) for name in plans):
        raise failed_assertion("parallelize_plan", "a dict: name of a layer -> plan", plans, "parallelize")
    for name, given in plans.items():
        some = given if isinstance(given, (list, tuple)) else [given]
        if not all(isinstance(plan, PlanBase) for plan in some):
            raise failed_assertion("parallelize_plan", f"plans such as ColWiseParallel for {name!r}", given, "parallelize")
        found = False
        for layer_name, layer in model.named_sublayers():
            key, _, last = name.rpartition(".")
            of_parameter = bool(key) and isinstance(getattr(layer, last, None), Tensor)
            if re.fullmatch(key if of_parameter else name, layer_name):
                found = True
                for plan in some:
                    plan.apply(layer, where(layer), [last] if of_parameter else [])
        if not found:
            warnings.warn(f"parallelize: no layer of the {type(model).__name__} has the name {name!r} of a plan.", stacklevel=3)


__all__ = [
    "ColWiseParallel", "PlanBase", "PrepareLayerInput", "PrepareLayerOutput", "RowWiseParallel", "SequenceParallelBegin",
    "SequenceParallelDisable", "SequenceParallelEnable", "SequenceParallelEnd",
]  # fmt: skip
__getattr__ = missing(__name__)

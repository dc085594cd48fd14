"""Weights that are learnt as a direction and a length."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.nn import functional as F
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.ops.elementwise import elementwise_mul
from paddle_compat.tensor._calls import helper_of

_LEAST = 1e-12  # what a length is at least


def _as_rows(x: Any, dim: int) -> tuple[Any, int]:
    """The tensor with two dimensions, and over which of them lengths are taken so that those along `dim` are left."""
    rank = len(x.shape)
    if dim == rank - 1:
        return T.reshape(x, shape=[-1, x.shape[dim]]), 0
    if dim:
        x = T.transpose(x, _swapped(dim, rank))
    return T.reshape(x, shape=[x.shape[0], -1]), 1


def _swapped(dim: int, rank: int) -> list[int]:
    order = list(range(rank))
    order[0], order[dim] = dim, 0
    return order


def _lengths(x: Any, dim: int | None) -> Any:
    """The length of everything, or the lengths along a dimension."""
    if dim is None:
        return T.sqrt(T.sum(T.square(x)) + _LEAST)
    rows, axis = _as_rows(x, dim)
    if in_dygraph_mode():
        return T.sqrt(T.sum(T.square(rows), axis=axis) + _LEAST)
    helper = helper_of("l2_normalize")
    units, lengths = (helper.create_variable_for_type_inference(x.dtype) for _ in range(2))
    helper.append_op(type="norm", inputs={"X": rows}, outputs={"Out": units, "Norm": lengths}, attrs={"axis": axis, "epsilon": _LEAST})
    return T.squeeze(lengths, axis=[axis])


def l2_norm(x: Any, axis: int, epsilon: float = _LEAST, name: str | None = None) -> Any:
    """The lengths of vectors.

    Args:
        x: a tensor.
        axis (int): along which dimension vectors lie.
        epsilon (float): what squares of lengths are raised by.
        name (str): prefix of names.
    Returns:
        A tensor without that dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.utils.weight_norm_hook.l2_norm(paddle.to_tensor([[3.0, 4.0], [0.0, 2.0]]), 1).tolist()
        [5.0, 2.0]

    Follows Paddle 2.6.
    """
    return T.sqrt(T.sum(T.square(x), axis=axis) + epsilon)


def norm_except_dim(p: Any, dim: int) -> Any:
    """The lengths of what a tensor holds for each index of a dimension.

    Args:
        p: a tensor.
        dim (int): the dimension; -1: one length for all.
    Returns:
        A vector; or a tensor without dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.utils.weight_norm_hook.norm_except_dim(paddle.to_tensor([[3.0, 4.0], [0.0, 2.0]]), 0).tolist()
        [5.0, 2.0]

    Follows Paddle 2.6.
    """
    return _lengths(p, None if dim == -1 else dim)


def _weight(v: Any, g: Any, dim: int | None) -> Any:
    """The direction of v, with the length g."""
    if dim is None:
        return T.multiply(v / (T.sqrt(T.sum(T.square(v))) + _LEAST), g)
    rows, axis = _as_rows(v, dim)
    rank = len(v.shape)
    units = F.normalize(rows, axis=axis, epsilon=_LEAST)
    if 0 < dim < rank - 1:
        shape = [v.shape[i] for i in _swapped(dim, rank)]
        units = T.transpose(T.reshape(units, shape=shape), _swapped(dim, rank))
    else:
        units = T.reshape(units, shape=list(v.shape))
    if in_dygraph_mode():
        return elementwise_mul(units, g, axis=dim)
    helper = helper_of("elementwise_mul")
    out = helper.create_variable(name=helper.name, dtype=units.dtype, persistable=False)
    return elementwise_mul(units, g, _helper=helper, _outputs={"Out": out}, axis=dim)


def _start(parameter: Any, value: Any) -> None:
    """Give a parameter its first value; in static mode in each run of the main program."""
    if in_dygraph_mode():
        parameter.set_value(value)
    else:
        T.assign(value, parameter)


class WeightNorm:
    """What computes a layer's weight anew each time before it is called.

    Args:
        name: the weight's name.
        dim: along which dimension there is a length for each; None: one for all.
    """

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = dim

    def compute_weight(self, layer: Layer) -> Any:
        """The layer's weight, of its direction and length."""
        return _weight(getattr(layer, self.name + "_v"), getattr(layer, self.name + "_g"), self.dim)

    @staticmethod
    def apply(layer: Layer, name: str, dim: int | None) -> WeightNorm:
        """Split a layer's weight."""
        for hook in layer._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise RuntimeError(f"Parameter `{name}` has a weight norm already. Expected one that has none. Received: {layer}")
        weight = layer._parameters[name]
        rank = len(weight.shape)
        if dim is not None:
            assert -rank <= dim < rank, (
                f"Invalid value for argument `dim` of `weight_norm`. Expected -{rank} to {rank - 1}. Received: {dim}"
            )
            dim = None if dim == -1 else dim % rank  # Paddle's -1 is its None, whatever the rank
        hook = WeightNorm(name, dim)
        lengths = _lengths(weight, dim)
        del layer._parameters[name]
        for suffix, value in (("_v", weight), ("_g", lengths)):
            layer.add_parameter(name + suffix, layer.create_parameter(shape=list(value.shape), dtype=value.dtype))
            if suffix == "_v":
                direction = layer._parameters[name + suffix]
        _start(direction, weight)
        _start(layer._parameters[name + "_g"], lengths)
        setattr(layer, name, hook.compute_weight(layer))
        layer.register_forward_pre_hook(hook)
        return hook

    def remove(self, layer: Layer) -> None:
        """Make the weight a parameter again."""
        value = self.compute_weight(layer)
        delattr(layer, self.name)
        del layer._parameters[self.name + "_g"], layer._parameters[self.name + "_v"]
        weight = layer.create_parameter(shape=list(value.shape), dtype=value.dtype)
        layer.add_parameter(self.name, weight)
        _start(weight, value)

    def __call__(self, layer: Layer, inputs: Any) -> None:
        setattr(layer, self.name, self.compute_weight(layer))


def weight_norm(layer: Layer, name: str = "weight", dim: int | None = 0) -> Layer:
    """Learn a layer's weight as a direction and a length, the parameters `name_v` and `name_g`.

    In static mode, as in Paddle, each run of the main program starts with setting both from the first weight.

    Args:
        layer: a layer.
        name (str): its weight's name.
        dim (int, optional): along which dimension there is a length for each; None or -1: one for all.
    Returns:
        The layer.
    Raises:
        KeyError: the layer has no such parameter.
        AssertionError: the weight has no such dimension.
        RuntimeError: the weight has been split before.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.utils.weight_norm(paddle.nn.Linear(3, 4), dim=1)
        >>> layer.weight_g.shape, layer.weight_v.shape
        ([4], [3, 4])

    Follows Paddle 2.6.
    """
    WeightNorm.apply(layer, name, dim)
    return layer


def remove_weight_norm(layer: Layer, name: str = "weight") -> Layer:
    """Undo `weight_norm`: the weight is one parameter again, of the same value.

    Args:
        layer: a layer.
        name (str): its weight's name.
    Returns:
        The layer.
    Raises:
        ValueError: the weight is not split.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.utils.weight_norm(paddle.nn.Linear(3, 4), dim=1)
        >>> [name for name, _ in paddle.nn.utils.remove_weight_norm(layer).named_parameters()]
        ['bias', 'weight']

    Follows Paddle 2.6.
    """
    for key, hook in layer._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(layer)
            del layer._forward_pre_hooks[key]
            return layer
    raise ValueError(f"Parameter `{name}` has no weight norm. Expected one that `weight_norm` split. Received: {layer}")


__all__ = ["remove_weight_norm", "weight_norm"]

__getattr__ = missing(__name__)

"""`paddle.fluid.clip`: gradients kept within bounds before they update parameters, as Paddle 1.8 does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.program import name_scope
from paddle_compat.nn import clip as modern
from paddle_compat.nn.clip import BaseErrorClipAttr as BaseErrorClipAttr
from paddle_compat.nn.clip import ErrorClipByValue, Pair, correct_role_vars, set_gradient_clip
from paddle_compat.nn.clip import error_clip_callback as error_clip_callback

__all__ = [
    "ErrorClipByValue", "GradientClipByGlobalNorm", "GradientClipByNorm", "GradientClipByValue", "set_gradient_clip",
]  # fmt: skip


class GradientClipBase(modern.ClipGradBase):
    """Base of the gradient clips.

    Args:
        need_clip (callable|None): parameter -> whether its gradient is clipped; None for all.
    Raises:
        TypeError: need_clip is not callable.

    Follows Paddle 1.8.
    """

    def __init__(self, need_clip: Callable[[Any], bool] | None = None) -> None:
        if need_clip is not None and not callable(need_clip):
            raise TypeError(
                f"Invalid type for argument `need_clip`. Expected a function of a parameter. Received: {type(need_clip).__name__}"
            )
        self._need_clip_func = need_clip

    def _takes(self, param: Any) -> bool:
        return self._need_clip_func is None or bool(self._need_clip_func(param))


class GradientClipByValue(GradientClipBase):
    """Bounds each element of the gradients.

    Args:
        max (float): upper bound.
        min (float|None): lower bound; None for -max, which then must be positive.
        need_clip (callable|None): parameter -> whether its gradient is clipped; None for all.
    Raises:
        AssertionError: no lower bound and `max` is not positive.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> print(fluid.clip.GradientClipByValue(1.0))
        Gradient Clip By Value, min = -1.000000, max=1.000000

    Follows Paddle 1.8.
    """

    def __init__(self, max: float, min: float | None = None, need_clip: Callable[[Any], bool] | None = None) -> None:
        super().__init__(need_clip)
        if min is None and not max > 0:
            raise AssertionError(f"Invalid value for argument `max`. Expected a positive number. Received: {max}")
        self.max = float(max)
        self.min = float(-max if min is None else min)

    def __str__(self) -> str:
        return f"Gradient Clip By Value, min = {self.min:f}, max={self.max:f}"

    def _clipped(self, grad: Any) -> Any:
        from paddle_compat.fluid import layers

        return layers.clip(x=grad, min=self.min, max=self.max)


class GradientClipByNorm(GradientClipBase):
    """Scales each gradient whose norm exceeds a bound down to it.

    Args:
        clip_norm (float): the bound.
        need_clip (callable|None): parameter -> whether its gradient is clipped; None for all.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> print(fluid.clip.GradientClipByNorm(1.0))
        Gradient Clip By Norm, clip_norm=1.000000

    Follows Paddle 1.8.
    """

    def __init__(self, clip_norm: float, need_clip: Callable[[Any], bool] | None = None) -> None:
        super().__init__(need_clip)
        self.clip_norm = float(clip_norm)

    def __str__(self) -> str:
        return f"Gradient Clip By Norm, clip_norm={self.clip_norm:f}"

    def _clipped(self, grad: Any) -> Any:
        from paddle_compat.fluid import layers

        return layers.clip_by_norm(x=grad, max_norm=self.clip_norm)


class GradientClipByGlobalNorm(GradientClipBase):
    """Scales all gradients by one factor so that the norm of all of them together is at most a bound.

    Args:
        clip_norm (float): the bound.
        group_name (str): parameters given the same group by `set_gradient_clip` share a norm.
        need_clip (callable|None): parameter -> whether its gradient is clipped; None for all.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> print(fluid.clip.GradientClipByGlobalNorm(1.0))
        Gradient Clip By GlobalNorm, global_norm=1.000000

    Follows Paddle 1.8.
    """

    def __init__(self, clip_norm: float, group_name: str = "default_group", need_clip: Callable[[Any], bool] | None = None) -> None:
        super().__init__(need_clip)
        self.clip_norm = float(clip_norm)
        self.group_name = group_name

    def __str__(self) -> str:
        return f"Gradient Clip By GlobalNorm, global_norm={self.clip_norm:f}"

    def _dygraph_clip(self, params_grads: list[Pair]) -> list[Pair]:
        pairs = [(p, g) for p, g in params_grads if g is not None]
        squares = [_square_sum(g) for p, g in pairs if self._takes(p)]
        if not squares:
            return params_grads
        from paddle_compat.fluid import layers

        scale = self._factor(squares, self._bound())
        return [(p, layers.elementwise_mul(x=g, y=scale) if self._takes(p) else g) for p, g in pairs]

    def _static_clip(self, params_grads: list[Pair]) -> list[Pair]:
        from paddle_compat.fluid import layers

        pairs, squares = [(p, g) for p, g in params_grads if g is not None], []
        with name_scope("gradient_clip"):
            for param, grad in pairs:
                if self._takes(param):
                    with param.block.program._optimized_guard([param, grad]):
                        squares.append(_square_sum(grad))
            if not squares:
                return params_grads
            with pairs[-1][0].block.program._optimized_guard(pairs[-1]):
                scale = self._factor(squares)
            clipped = []
            for param, grad in pairs:
                if self._takes(param):
                    with param.block.program._optimized_guard([param, grad]):
                        grad = layers.elementwise_mul(x=grad, y=scale)
                clipped.append((param, grad))
        correct_role_vars(clipped, {p.name: g.name for p, g in clipped if self._takes(p)})
        return clipped

    def _bound(self) -> Any:
        from paddle_compat.fluid import layers

        return layers.fill_constant(shape=[1], dtype="float32", value=self.clip_norm)

    def _factor(self, squares: list[Any], bound: Any = None) -> Any:
        """What all gradients are multiplied with: bound / max(bound, norm)."""
        from paddle_compat.fluid import layers

        norm = layers.sqrt(x=layers.sums(input=squares))
        bound = self._bound() if bound is None else bound
        return layers.elementwise_div(x=bound, y=layers.elementwise_max(x=bound, y=norm))

    def _process_context(self, context: dict[str, Any], param: Any, grad: Any) -> None:
        group = context.setdefault(self.group_name, {"value": self.clip_norm, "squares": []})
        if group["value"] != self.clip_norm:
            raise ValueError(
                f"Invalid value for argument `clip_norm` of group {self.group_name!r}. Expected {group['value']}, as its other "
                f"parameters have. Received: {self.clip_norm}"
            )
        if "bound" not in group:
            group["bound"] = self._bound()
        group["squares"].append(_square_sum(grad))
        self.context = group

    def _create_operators(self, param: Any, grad: Any) -> Pair:
        from paddle_compat.fluid import layers

        group = self.context
        if "scale" not in group:
            group["scale"] = self._factor(group["squares"], group["bound"])
        return param, layers.elementwise_mul(x=grad, y=group["scale"])


def _square_sum(grad: Any) -> Any:
    from paddle_compat.fluid import layers

    if grad.type == VarType.SELECTED_ROWS:
        grad = layers.get_tensor_from_selected_rows(layers.merge_selected_rows(grad))
    return layers.reduce_sum(input=layers.square(grad))


def append_gradient_clip_ops(param_grads: list[Pair]) -> list[Pair]:
    """Clip as `set_gradient_clip` asked for; see `nn.clip.append_gradient_clip_ops`."""
    # the second name is misspelt in Paddle 1.8, so that these operators keep naming the unclipped gradients
    return modern.append_gradient_clip_ops(param_grads, ("gradient_clip_@CLIP", "graident_clip_@CLIP"))


ClipByValue = GradientClipByValue
ClipByNorm = GradientClipByNorm
ClipByGlobalNorm = GradientClipByGlobalNorm

__getattr__ = missing(__name__)

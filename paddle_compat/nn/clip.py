"""`paddle.nn.clip`: gradients kept within bounds before they update parameters."""

from __future__ import annotations

import copy
import warnings
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode, unique_name
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import UnimplementedError, type_error
from paddle_compat.core.op import definition_of
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.program import Program, default_main_program, name_scope
from paddle_compat.core.variable import Parameter, Variable

__all__ = ["ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue"]

Pair = Any  # (parameter, gradient or None)
_HALF = (VarType.FP16, VarType.BF16)


def clip_by_norm(x: Any, max_norm: float, name: str | None = None) -> Any:
    """Scale a tensor so that its norm is at most `max_norm`.

    Args:
        x (Tensor): float32 or float16.
        max_norm (float): the bound.
        name (str|None): of the result.
    Returns:
        Tensor: of the same shape and data type.

    Follows Paddle 2.6.
    """
    if isinstance(x, Variable) and x.dtype not in (VarType.FP16, VarType.BF16, VarType.FP32):
        raise type_error("X", "a tensor of float16, bfloat16 or float32", dtype_name(x.dtype), "clip_by_norm")
    return definition_of("clip_by_norm")(x, max_norm=max_norm, _helper=name or "clip_by_norm")


def merge_selected_rows(x: Any, name: str | None = None) -> Any:
    """Add up the repeated rows of a sparse gradient.

    Args:
        x (Variable): SELECTED_ROWS.
        name (str|None): of the result.
    Returns:
        Variable: SELECTED_ROWS, each row once.

    Follows Paddle 2.6.
    """
    return definition_of("merge_selected_rows")(x, _helper=name or "merge_selected_rows")


def get_tensor_from_selected_rows(x: Any, name: str | None = None) -> Any:
    """The values of a sparse gradient's rows.

    Args:
        x (Variable): SELECTED_ROWS.
        name (str|None): of the result.
    Returns:
        Variable: one row for each of those that the gradient holds.

    Follows Paddle 2.6.
    """
    return definition_of("get_tensor_from_selected_rows")(x, _helper=name or "get_tensor_from_selected_rows")


class BaseErrorClipAttr:
    """Base of what bounds the gradient of a variable while it flows back."""

    def _append_clip_op(self, block: Any, grad_name: str) -> None:
        raise UnimplementedError(f"{type(self).__name__} does not say how it clips.")


class ErrorClipByValue(BaseErrorClipAttr):
    """Bounds the elements of a variable's gradient: set it as the variable's `error_clip`.

    Args:
        max (float): upper bound.
        min (float|None): lower bound; None for -max.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     hidden = fluid.layers.fc(fluid.data("x", [None, 4]), 2)
        ...     hidden.error_clip = fluid.clip.ErrorClipByValue(1.0)
        ...     _ = fluid.optimizer.SGD(0.1).minimize(fluid.layers.mean(hidden))
        >>> "clip" in [op.type for op in hidden.block.ops]
        True

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, max: float, min: float | None = None) -> None:
        self.max = float(max)
        self.min = -self.max if min is None else float(min)

    def __str__(self) -> str:
        return f"ByValue, min={self.min:f}, max={self.max:f}"

    def _append_clip_op(self, block: Any, grad_name: str) -> None:
        attrs = {"min": self.min, "max": self.max}
        block.append_op(type="clip", inputs={"X": [grad_name]}, outputs={"Out": [grad_name]}, attrs=attrs)


def error_clip_callback(block: Any, context: dict[str, Any]) -> None:
    """Given to `append_backward`, clips the gradients of variables that have an `error_clip`.

    Args:
        block: the block whose last operator is the gradient operator just appended.
        context: gradient name -> name of the variable.
    Raises:
        TypeError: an `error_clip` is no ErrorClipByValue.

    Follows Paddle 1.8 and 2.6.
    """
    for name in block.ops[-1].output_arg_names:
        var = block._find_var_recursive(context[name]) if name in context else None
        clip = getattr(var, "error_clip", None)
        if clip is None:
            continue
        if not isinstance(clip, BaseErrorClipAttr):
            raise TypeError(
                f"Invalid type for `error_clip` of variable `{context[name]}`. Expected ErrorClipByValue. Received: {type(clip).__name__}"
            )
        clip._append_clip_op(block, name)


class ClipGradBase:
    """Base of the gradient clips: called with pairs of parameter and gradient, returns them with new gradients.

    Follows Paddle 2.6.
    """

    def __call__(self, params_grads: list[Pair]) -> list[Pair]:
        """Clip: append operators, or in eager mode run them."""
        if mode.in_dygraph_mode():
            return self._dygraph_clip(params_grads)
        if any(getattr(p, "gradient_clip_attr", None) is not None for p, _ in params_grads):
            warnings.warn(
                "'set_gradient_clip' will be ineffective, because the optimizer has a gradient clip of its own.",
                stacklevel=2,
            )
        return self._static_clip(params_grads)

    def _takes(self, param: Any) -> bool:
        """Whether the parameter's gradient is clipped."""
        return getattr(param, "need_clip", True) is not False

    def _clipped(self, grad: Any) -> Any:
        """The gradient after clipping, for clips that look at one gradient at a time."""
        raise UnimplementedError(f"{type(self).__name__} does not say how it clips.")

    def _dygraph_clip(self, params_grads: list[Pair]) -> list[Pair]:
        return [(p, self._clipped(g) if self._takes(p) else g) for p, g in params_grads if g is not None]

    def _static_clip(self, params_grads: list[Pair]) -> list[Pair]:
        pairs, renamed = [], {}
        with name_scope("gradient_clip"):
            for param, grad in params_grads:
                if grad is None:
                    continue
                if self._takes(param):
                    with param.block.program._optimized_guard([param, grad]):
                        grad = self._clipped(grad)
                    renamed[param.name] = grad.name
                pairs.append((param, grad))
        correct_role_vars(pairs, renamed)
        return pairs

    # `set_gradient_clip` clips in two rounds, so that parameters of one group share a norm
    def _process_context(self, context: dict[str, Any], param: Any, grad: Any) -> None:
        """First round: look at a gradient."""

    def _create_operators(self, param: Any, grad: Any) -> Pair:
        """Second round: clip a gradient."""
        return param, self._clipped(grad)


class ClipGradByValue(ClipGradBase):
    """Bounds each element of the gradients.

    Args:
        max (float): upper bound.
        min (float|None): lower bound; None for -max, which then must be positive.
    Raises:
        AssertionError: no lower bound and `max` is not positive.

    Example:
        >>> import paddle_compat as paddle
        >>> print(paddle.nn.ClipGradByValue(max=1, min=-0.5))
        Clip Gradient By Value, min = -0.500000, max=1.000000

    Follows Paddle 2.6.
    """

    def __init__(self, max: float, min: float | None = None) -> None:
        if min is None and not max > 0:
            raise AssertionError(f"Invalid value for argument `max`. Expected a positive number. Received: {max}")
        self.max = float(max)
        self.min = float(-max if min is None else min)

    def __str__(self) -> str:
        return f"Clip Gradient By Value, min = {self.min:f}, max={self.max:f}"

    def _clipped(self, grad: Any) -> Any:
        out = definition_of("clip")(grad, min=self.min, max=self.max)
        if isinstance(out, Variable) and out.block.program.age > 1:
            out.type = VarType.LOD_TENSOR  # as 2.x says of it, also where it holds rows
        return out


class ClipGradByNorm(ClipGradBase):
    """Scales each gradient whose norm exceeds a bound down to it.

    Args:
        clip_norm (float): the bound.

    Example:
        >>> import paddle_compat as paddle
        >>> print(paddle.nn.ClipGradByNorm(1.0))
        Gradient Clip By Norm, clip_norm=1.000000

    Follows Paddle 2.6.
    """

    def __init__(self, clip_norm: float) -> None:
        self.clip_norm = float(clip_norm)

    def __str__(self) -> str:
        return f"Gradient Clip By Norm, clip_norm={self.clip_norm:f}"

    def _clipped(self, grad: Any) -> Any:
        return clip_by_norm(grad, self.clip_norm)


class ClipGradByGlobalNorm(ClipGradBase):
    """Scales all gradients by one factor so that the norm of all of them together is at most a bound.

    Args:
        clip_norm (float): the bound.
        group_name (str): parameters given the same group by `set_gradient_clip` share a norm.
        auto_skip_clip (bool): in eager mode, leave the gradients alone where the norm is within the bound.

    Example:
        >>> import paddle_compat as paddle
        >>> print(paddle.nn.ClipGradByGlobalNorm(1.0))
        Gradient Clip By GlobalNorm, global_norm=1.000000

    Follows Paddle 2.6.
    """

    def __init__(self, clip_norm: float, group_name: str = "default_group", auto_skip_clip: bool = False) -> None:
        if not isinstance(auto_skip_clip, bool):
            raise AssertionError(f"Invalid type for argument `auto_skip_clip`. Expected bool. Received: {auto_skip_clip!r}")
        self.clip_norm = float(clip_norm)
        self.group_name = group_name
        self.auto_skip_clip = auto_skip_clip

    def __str__(self) -> str:
        return f"Gradient Clip By GlobalNorm, global_norm={self.clip_norm:f}"

    def _dygraph_clip(self, params_grads: list[Pair]) -> list[Pair]:
        from paddle_compat import tensor

        pairs = [(p, g) for p, g in params_grads if g is not None]
        squares = [_square_sum(g) for p, g in pairs if self._takes(p)]
        if not squares:
            return params_grads
        norm = tensor.sqrt(tensor.add_n(_of_one_type(squares)))
        bound = tensor.full_like(norm, self.clip_norm)
        if self.auto_skip_clip and not bool(norm._t > bound._t):
            return pairs
        scale = tensor.divide(bound, tensor.maximum(norm, bound))
        scaled = _scaled_over if SINCE_3 else _scaled
        return [(p, scaled(g, scale) if self._takes(p) else g) for p, g in pairs]

    def _static_clip(self, params_grads: list[Pair]) -> list[Pair]:
        from paddle_compat import tensor

        pairs = [(p, g) for p, g in params_grads if g is not None]
        with name_scope("gradient_clip"):
            squares = []
            for param, grad in pairs:
                if self._takes(param):
                    with param.block.program._optimized_guard([param, grad]):
                        squares.append(definition_of("squared_l2_norm")(_whole(grad)))
            if not squares:
                return params_grads
            with pairs[-1][0].block.program._optimized_guard(pairs[-1]):
                norm = tensor.sqrt(_total(squares))
                bound = tensor.full([1], self.clip_norm, norm.dtype)
                scale = tensor.divide(bound, tensor.maximum(bound, norm))
            for number, (param, grad) in enumerate(pairs):
                if self._takes(param):
                    with param.block.program._optimized_guard([param, grad]):
                        pairs[number] = param, _scaled_in_program(grad, scale)
        correct_role_vars(pairs, {p.name: g.name for p, g in pairs if self._takes(p)})
        return pairs

    def _process_context(self, context: dict[str, Any], param: Any, grad: Any) -> None:
        from paddle_compat import tensor

        group = context.setdefault(self.group_name, {"bound": self.clip_norm, "squares": []})
        if group["bound"] != self.clip_norm:
            raise ValueError(
                f"Invalid value for argument `clip_norm` of group {self.group_name!r}. Expected {group['bound']}, as its other "
                f"parameters have. Received: {self.clip_norm}"
            )
        if "limit" not in group:
            group["limit"] = tensor.full([1], self.clip_norm, grad.dtype)
        group["squares"].append(_square_sum(grad))
        self.context = group

    def _create_operators(self, param: Any, grad: Any) -> Pair:
        from paddle_compat import tensor

        group = self.context
        if "scale" not in group:
            norm = tensor.sqrt(tensor.sum(tensor.stack(group["squares"])))
            group["scale"] = tensor.divide(group["limit"], tensor.maximum(group["limit"], norm))
        return param, _scaled_in_program(grad, group["scale"])


def _squared_l2_norm(x: Any) -> Any:
    """The sum of squares, with one dimension; clips of libraries take it from here."""
    return definition_of("squared_l2_norm")(x)


def _square_sum(grad: Any) -> Any:
    """The squared norm of a gradient, in float32 where the gradient is of half precision."""
    square = definition_of("squared_l2_norm")(_whole(grad))
    return square.astype("float32") if square.dtype in _HALF else square


def _whole(grad: Any) -> Any:
    """A gradient with all its rows."""
    return get_tensor_from_selected_rows(merge_selected_rows(grad)) if grad.type == VarType.SELECTED_ROWS else grad


def _total(squares: list[Any]) -> Any:
    """The sum of squared norms in a Program: of each data type by itself, half precision included, then of these in the widest."""
    from paddle_compat import tensor

    parts = [[s for s in squares if s.dtype in kinds] for kinds in (_HALF, (VarType.FP32,), (VarType.FP64,))]
    widest = VarType.FP64 if parts[2] else VarType.FP32
    sums = []
    for part in filter(None, parts):
        total = tensor.add_n(part)
        sums.append(total if total.dtype == widest else total.astype(widest))
    return tensor.add_n(sums) if len(sums) > 1 else sums[0]


def _of_one_type(squares: list[Any]) -> list[Any]:
    """All of them in the widest type among them."""
    if len({s.dtype for s in squares}) == 1:
        return squares
    return [s if s.dtype == VarType.FP64 else s.astype("float64") for s in squares]


def _scaled(grad: Any, scale: Any) -> Any:
    from paddle_compat import tensor

    return tensor.multiply(grad, scale if scale.dtype == grad.dtype else scale.astype(grad.dtype))


def _scaled_over(grad: Any, scale: Any) -> Any:
    """A gradient that Paddle 3 writes over; rows are made anew."""
    from paddle_compat.tensor._in_place import write

    value = _scaled(grad, scale)
    return value if grad.is_selected_rows() else write(grad, value._t)


def _scaled_in_program(grad: Any, scale: Any) -> Any:
    """The gradient by the scale: written over itself, but for Programs of Paddle 3, whose gradients stay as they are."""
    if scale.dtype != grad.dtype:
        scale = scale.astype(grad.dtype)
    block = default_main_program().current_block()
    out = grad
    if SINCE_3 and block.program.age > 1:
        out = block._add_var(name=unique_name.generate(f"{grad.name}_clipped"), dtype=grad.dtype, shape=grad.shape, type=grad.type)
    block.append_op(type="elementwise_mul", inputs={"X": [grad], "Y": [scale]}, outputs={"Out": [out]})
    return out


def correct_role_vars(pairs: list[Pair], renamed: dict[str, str]) -> None:
    """Let the clip operators name the gradients that come out of them, as those are what the updates read."""
    if not renamed:
        return
    block = next(p for p, g in pairs if g is not None).block.program.global_block()
    for op in block.ops:
        names = op.attrs.get("op_role_var")
        if names and "gradient_clip" in op.attrs.get("op_namescope", "") and names[0] in renamed:
            op._set_attr("op_role_var", [names[0], renamed[names[0]]])


def set_gradient_clip(clip: Any, param_list: Any = None, program: Program | None = None) -> None:
    """Have parameters' gradients clipped by every optimizer that has no clip of its own (older than `grad_clip`).

    Args:
        clip (ClipGradBase): the clip.
        param_list (list|None): Parameters or names; None for all of the program.
        program (Program|None): None for the default one.
    Raises:
        TypeError: the clip is none, or the list holds something else.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1))
        ...     fluid.clip.set_gradient_clip(fluid.clip.GradientClipByValue(1.0))
        ...     _ = fluid.optimizer.SGD(0.1).minimize(loss)
        >>> [op.type for op in loss.block.ops].count("clip")
        2

    Follows Paddle 1.8 and 2.6.
    """
    warnings.warn("'set_gradient_clip' is not recommended; give `grad_clip` to the optimizer.", stacklevel=2)
    if not isinstance(clip, ClipGradBase):
        raise TypeError(
            "Invalid type for argument `clip` of `set_gradient_clip`. Expected a clip such as ClipGradByGlobalNorm. "
            f"Received: {type(clip).__name__}"
        )
    block = (default_main_program() if program is None else program).global_block()
    if any("optimizer" in op.attrs.get("op_namescope", "") for op in block.ops):
        warnings.warn("'set_gradient_clip' has no effect after `minimize`; call it before.", stacklevel=2)
    params = block.all_parameters() if param_list is None else param_list
    params = [block.var(p) if isinstance(p, str) else p for p in params]
    if not all(isinstance(p, Parameter) for p in params):
        raise TypeError(
            f"Invalid type for argument `param_list` of `set_gradient_clip`. Expected Parameters or their names. Received: {params}"
        )
    for param in params:
        param.gradient_clip_attr = copy.deepcopy(clip)


def append_gradient_clip_ops(param_grads: list[Pair], scopes: tuple[str, str] = ("gradient_clip",) * 2) -> list[Pair]:
    """Clip as `set_gradient_clip` asked for.

    Args:
        param_grads: pairs of parameter and gradient.
        scopes: the name scopes of the two rounds.
    Returns:
        The pairs with the new gradients; the old ones as soon as one parameter has no clip.
    """
    context: dict[str, Any] = {}
    clip: Any = None
    pairs = [(p, g) for p, g in param_grads if g is not None]
    for param, grad in pairs:
        clip = getattr(param, "gradient_clip_attr", None)
        if clip is None:
            return param_grads
        with param.block.program._optimized_guard([param, grad]), name_scope(scopes[0]):
            clip._process_context(context, param, grad)
    clipped = []
    for param, grad in pairs:
        # as in Paddle, where parameters were given several clips, the last one clips all
        with param.block.program._optimized_guard([param, grad]), name_scope(scopes[1]):
            clipped.append(clip._create_operators(param, grad))
    correct_role_vars(clipped, {p.name: g.name for p, g in clipped})
    return clipped


# names that Paddle 2.x keeps from 1.x
GradientClipBase = ClipGradBase
GradientClipByValue = ClipGradByValue
GradientClipByNorm = ClipGradByNorm
GradientClipByGlobalNorm = ClipGradByGlobalNorm

__getattr__ = missing(__name__)

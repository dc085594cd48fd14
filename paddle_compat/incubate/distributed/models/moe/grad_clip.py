"""`paddle.incubate.distributed.models.moe.grad_clip`: a clip that knows that processes have different experts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat import tensor
from paddle_compat._missing import missing
from paddle_compat.core.dtype import dtype_name
from paddle_compat.distributed.communication._functions import all_reduce
from paddle_compat.nn.clip import ClipGradBase, _of_one_type, _scaled, _square_sum


class ClipGradForMOEByGlobalNorm(ClipGradBase):
    """Scale all gradients down to a norm of all of them together, those of the experts of other processes included.

    Args:
        clip_norm (float): the largest norm.
        is_expert_param_func (callable): whether a parameter is an expert's, of which every process has others.
        moe_group (Group): the processes that have experts; None, or a group of one: this one alone.
        group_name (str): kept.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.models.moe import ClipGradForMOEByGlobalNorm
        >>> layer = paddle.nn.Linear(2, 2)
        >>> layer(paddle.ones([1, 2])).sum().backward()
        >>> clip = ClipGradForMOEByGlobalNorm(1.0, lambda param: "expert" in param.name)
        >>> round(sum(float((g * g).sum()) for _, g in clip([(p, p.grad) for p in layer.parameters()])), 4)
        1.0

    Follows Paddle 2.6.
    """

    def __init__(
        self, clip_norm: float, is_expert_param_func: Callable[[Any], bool] | None = None, moe_group: Any = None,
        group_name: str = "default_moe_group",
    ) -> None:  # fmt: skip
        self.clip_norm, self.group_name, self.moe_group = float(clip_norm), group_name, moe_group
        self.is_expert_param_func = is_expert_param_func

    def __str__(self) -> str:
        return f"Gradient Clip By GlobalNorm, global_norm={self.clip_norm:f}"

    def _dygraph_clip(self, params_grads: list[Any]) -> list[Any]:
        pairs = [(p, g) for p, g in params_grads if g is not None]
        taken, expert = [pair for pair in pairs if self._takes(pair[0])], self.is_expert_param_func
        squares = [_square_sum(g) for p, g in taken if expert is None or not expert(p)]
        of_experts = [_square_sum(g) for p, g in taken if expert is not None and expert(p)]
        if self.moe_group is not None and self.moe_group.is_member() and expert is not None:
            total = tensor.add_n(_of_one_type(of_experts)) if of_experts else tensor.zeros([])
            total = total.astype("float32")  # processes may have gradients of other types, or none
            all_reduce(total, group=self.moe_group)
            of_experts = [total]
        if not squares + of_experts:
            return params_grads
        norm = tensor.sqrt(tensor.add_n(_of_one_type(squares + of_experts)))
        bound = tensor.full([], self.clip_norm, norm.dtype)
        scale = tensor.divide(bound, tensor.maximum(norm, bound))
        return [(p, _scaled(g, scale) if self._takes(p) else g) for p, g in pairs]

    @staticmethod
    def get_l2_norm_pow(params_grads: Sequence[Any], sum_dtype: Any = None) -> Any:
        """The square of the gradients' norm.

        Args:
            params_grads (list): pairs of parameter and gradient.
            sum_dtype: data type of the result; None: the gradients'.
        Returns:
            tuple: a Tensor of one element, and its data type; twice None where there is no gradient.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.incubate.distributed.models.moe import ClipGradForMOEByGlobalNorm
            >>> total, kind = ClipGradForMOEByGlobalNorm.get_l2_norm_pow([(None, paddle.to_tensor([3.0, 4.0]))])
            >>> total.tolist(), kind
            ([25.0], 'float32')
        """
        squares = [_square_sum(g) for p, g in params_grads if g is not None and getattr(p, "need_clip", True)]
        if not squares:
            return None, None
        total = tensor.add_n(_of_one_type(squares)).reshape([1])
        return (total, dtype_name(total.dtype)) if sum_dtype is None else (total.astype(sum_dtype), sum_dtype)


ClipGradByGlobalNorm = ClipGradForMOEByGlobalNorm

__all__ = ["ClipGradByGlobalNorm", "ClipGradForMOEByGlobalNorm"]
__getattr__ = missing(__name__)

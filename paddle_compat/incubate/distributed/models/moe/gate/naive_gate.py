"""`paddle.incubate.distributed.models.moe.gate.naive_gate`."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor
from paddle_compat._missing import missing
from paddle_compat.incubate.distributed.models.moe.gate.base_gate import BaseGate
from paddle_compat.nn.layer.common import Linear


class NaiveGate(BaseGate):
    """A linear layer, whose largest outputs choose the experts and are their weights.

    Args:
        d_model (int): the width of a row.
        num_expert (int): how many experts each process has.
        world_size (int): how many processes have experts.
        topk (int): how many experts a row goes to.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.models.moe import NaiveGate
        >>> value, index = NaiveGate(4, 3, 1, topk=2)(paddle.rand([5, 4]))
        >>> value.shape, index.shape
        ([5, 2], [5, 2])

    Follows Paddle 2.6.
    """

    def __init__(self, d_model: int, num_expert: int, world_size: int, topk: int = 2) -> None:
        super().__init__(num_expert, world_size)
        self.gate = Linear(d_model, self.tot_expert)
        self.gate.weight.name, self.gate.bias.name = (f"gate_{each.name}" for each in (self.gate.weight, self.gate.bias))
        self.top_k = topk

    def forward(self, inp: Any, return_all_scores: bool = False) -> Any:
        """Decide.

        Args:
            inp (Tensor): rows.
            return_all_scores (bool): whether to give the layer's outputs, too.
        Returns:
            tuple: of each row the weights, and the experts' numbers.
        """
        score = self.gate(inp)
        value, index = tensor.topk(score, k=self.top_k, axis=-1, largest=True, sorted=False)
        return (value, index, score) if return_all_scores else (value, index)


__getattr__ = missing(__name__)

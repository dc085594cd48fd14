"""`paddle.incubate.distributed.models.moe.gate.switch_gate`."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor
from paddle_compat._missing import missing
from paddle_compat.distributed.models.moe.utils import _number_count
from paddle_compat.incubate.distributed.models.moe.gate._limited_gate import LimitedGate
from paddle_compat.nn.functional.smooth import softmax


class SwitchGate(LimitedGate):
    """One expert for each row, weighed by its probability; experts have a capacity, and a loss that keeps them evenly used (Switch's).

    Args:
        d_model (int): the width of a row.
        num_expert (int): how many experts each process has.
        world_size (int): how many processes have experts.
        topk (int): 1.
        switch_eps (float): in training the outputs of the linear layer are moved by numbers from 1 - switch_eps to 1 + switch_eps.
        capacity (tuple): for each row of a batch, how many an expert takes: in training, and afterwards.
        group (Group): the processes that have experts.
    Raises:
        AssertionError: topk is not 1.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.models.moe import SwitchGate
        >>> gate = SwitchGate(4, 3, 1)
        >>> value, index = gate(paddle.rand([5, 4]))
        >>> value.shape, index.shape, gate.get_loss().shape
        ([5, 1], [5, 1], [])

    Follows Paddle 2.6.
    """

    def __init__(
        self, d_model: int, num_expert: int, world_size: int, topk: int = 1, switch_eps: float = 0.1,
        capacity: tuple[float, float] = (1.2, 2.4), group: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(d_model, num_expert, world_size, topk, 1, capacity, group)
        self.switch_eps = switch_eps

    def forward(self, inp: Any) -> Any:  # type: ignore[override]  # it gives no scores
        """Decide, and keep the loss.

        Args:
            inp (Tensor): rows.
        Returns:
            tuple: of each row the weight, and the expert's number, -1 for none.
        """
        score = self.gate(inp)
        if self.training:
            score = score + tensor.uniform(score.shape, score.dtype, 1.0 - self.switch_eps, 1.0 + self.switch_eps)
        score = softmax(score, axis=-1)
        value, index = tensor.topk(score, k=1, axis=-1, largest=True)
        index = self._limited(index, inp.shape[0])
        taken = _number_count(index, self.tot_expert).astype(score.dtype)  # rows that have an expert, by expert
        total = taken.sum()
        self.set_loss((taken / total * (score.sum(0) / total)).sum() * self.tot_expert)
        return value, index


__getattr__ = missing(__name__)

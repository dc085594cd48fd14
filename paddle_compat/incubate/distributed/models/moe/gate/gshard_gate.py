"""`paddle.incubate.distributed.models.moe.gate.gshard_gate`."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor
from paddle_compat._missing import missing
from paddle_compat.distributed.models.moe.utils import _number_count, _random_routing
from paddle_compat.incubate.distributed.models.moe.gate._limited_gate import LimitedGate
from paddle_compat.nn.functional.smooth import softmax


class GShardGate(LimitedGate):
    """Two experts for each row, the second one at random; experts have a capacity, and a loss that keeps them evenly used (GShard's).

    Args:
        d_model (int): the width of a row.
        num_expert (int): how many experts each process has.
        world_size (int): how many processes have experts.
        topk (int): 2.
        capacity (tuple): for each row of a batch, how many an expert takes: in training, and afterwards.
        random_routing (bool): whether a small second weight may lose its expert by chance.
        group (Group): the processes that have experts.
    Raises:
        AssertionError: topk is not 2.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.models.moe import GShardGate
        >>> gate = GShardGate(4, 3, 1)
        >>> value, index = gate(paddle.rand([5, 4]))
        >>> value.shape, index.shape, gate.get_loss().shape
        ([5, 2], [5, 2], [])

    Follows Paddle 2.6.
    """

    def __init__(
        self, d_model: int, num_expert: int, world_size: int, topk: int = 2, capacity: tuple[float, float] = (1.2, 2.4),
        random_routing: bool = True, group: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(d_model, num_expert, world_size, topk, 2, capacity, group)
        self.random_routing = random_routing

    def forward(self, x: Any) -> Any:  # type: ignore[override]  # it gives no scores
        """Decide, and keep the loss.

        Args:
            x (Tensor): rows.
        Returns:
            tuple: of each row the weights, and the experts' numbers, -1 for none.
        """
        value, index, score = super().forward(x, return_all_scores=True)
        rows = score.shape[0]
        chosen = _number_count(index, self.tot_expert).astype("float32") / rows  # the share of rows that chose an expert
        wanted = softmax(score, axis=1).mean(0)
        self.set_loss((chosen.astype(wanted.dtype) * wanted).mean() * self.num_expert**2)
        index = self._limited(index, rows)
        if self.random_routing:
            index = _random_routing(index, value, tensor.rand([rows]))
        return value, index


__getattr__ = missing(__name__)

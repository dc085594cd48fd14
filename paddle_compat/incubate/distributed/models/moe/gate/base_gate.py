"""`paddle.incubate.distributed.models.moe.gate.base_gate`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.nn.layer.layers import Layer


class BaseGate(Layer):
    """What decides which experts a row goes to, and with which weights.

    Args:
        num_expert (int): how many experts each process has.
        world_size (int): how many processes have experts.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.models.moe import BaseGate
        >>> gate = BaseGate(2, 3)
        >>> gate.set_loss(0.5)
        >>> gate.tot_expert, gate.get_loss(), gate.get_loss()
        (6, 0.5, None)

    Follows Paddle 2.6.
    """

    def __init__(self, num_expert: int, world_size: int) -> None:
        super().__init__()
        self.world_size, self.num_expert = world_size, num_expert
        self.tot_expert = world_size * num_expert
        self.loss: Any = None

    def forward(self, x: Any) -> Any:
        """Decide; what each gate says for itself.

        Args:
            x (Tensor): rows.
        Returns:
            tuple: the weights, and the experts' numbers.
        Raises:
            NotImplementedError: this is no gate yet.
        """
        raise UnimplementedError(f"{type(self).__name__} does not say how it decides. Expected a gate with `forward`. Received: none")

    def set_loss(self, loss: Any) -> None:
        """Keep the loss by which the experts are used evenly.

        Args:
            loss (Tensor): what is added to a model's loss.
        """
        self.loss = loss

    def get_loss(self, clear: bool = True) -> Any:
        """The loss of the last call.

        Args:
            clear (bool): whether it is forgotten.
        Returns:
            Tensor: None where there is none.
        """
        loss = self.loss
        if clear:
            self.loss = None
        return loss


__getattr__ = missing(__name__)

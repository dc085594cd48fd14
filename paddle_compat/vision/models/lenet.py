"""LeNet, for digits of 28 x 28."""

from __future__ import annotations

from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.tensor.manipulation import flatten


class LeNet(nn.Layer):
    """Two convolutions and three linear layers.

    Args:
        num_classes (int): how many classes; 0: the features as they leave the last pool, [N, 16, 5, 5].

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.LeNet()(paddle.rand([2, 1, 28, 28])).shape
        [2, 10]

    Follows Paddle 2.6.
    """

    def __init__(self, num_classes: int = 10) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.features = nn.Sequential(
            nn.Conv2D(1, 6, 3, stride=1, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2),
            nn.Conv2D(6, 16, 5, stride=1, padding=0), nn.ReLU(), nn.MaxPool2D(2, 2),
        )  # fmt: skip
        if num_classes > 0:
            self.fc = nn.Sequential(nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, num_classes))

    def forward(self, inputs: Any) -> Any:
        """Logits, or features without classes.

        Args:
            inputs (Tensor): [N, 1, 28, 28].
        Returns:
            Tensor: [N, num_classes].
        """
        x = self.features(inputs)
        return self.fc(flatten(x, 1)) if self.num_classes > 0 else x


__getattr__ = missing(__name__)

"""A layer that the eager cases look at."""

from __future__ import annotations

from typing import Any


def net_of(paddle: Any) -> Any:
    """A layer with parameters, buffers, nested and shared sublayers."""
    nn = paddle.nn

    class Net(nn.Layer):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Linear(3, 4)
            self.block = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1D(4), nn.ReLU())
            self.again = self.fc
            self.scale = self.create_parameter([4])
            self.none = None
            self.register_buffer("steps", paddle.zeros([1]))
            self.register_buffer("scratch", paddle.ones([2]), persistable=False)

        def forward(self, x: Any, double: bool = False) -> Any:
            out = self.block(self.fc(x)) * self.scale
            return out * 2 if double else out

    return Net()

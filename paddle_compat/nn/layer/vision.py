"""`paddle.nn.layer.vision`: where Paddle 2.6 keeps the layers that move pixels."""

from paddle_compat._missing import missing
from paddle_compat.nn import ChannelShuffle, PixelShuffle, PixelUnshuffle

__all__ = ["ChannelShuffle", "PixelShuffle", "PixelUnshuffle"]

__getattr__ = missing(__name__)

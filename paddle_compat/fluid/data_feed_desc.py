"""`paddle.fluid.data_feed_desc`: the description of how MultiSlot files are read, from a file of protobuf's text."""

from paddle_compat._missing import missing
from paddle_compat.base.data_feed_desc import DataFeedDesc

__all__ = ["DataFeedDesc"]

__getattr__ = missing(__name__)

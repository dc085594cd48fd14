"""The layers of `paddle.nn`, one file a family."""

"""The layers of `paddle.sparse.nn`, in Paddle's own files."""

"""`paddle.dataset`: readers of well-known collections of samples, from files that have been downloaded."""

from paddle_compat._lazy import lazy

_READERS = (
    "cifar", "common", "conll05", "flowers", "image", "imdb", "imikolov", "mnist", "movielens",
    "mq2007", "sentiment", "uci_housing", "voc2012", "wmt14", "wmt16",
)  # fmt: skip

__getattr__, __dir__, __all__ = lazy(__name__, dict.fromkeys(_READERS, ()))
